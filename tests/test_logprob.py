"""The log-probability of a step's tokens: its definition, the Triton kernel in the interpreter and on a GPU.

`TestInInterpreter` runs in a process of its own (`triton_interpreter`).
"""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
from triton_interpreter import INTERPRETED, all_pass_interpreted, outside

from reticent_kernels import token_logprob
from reticent_kernels.logprob import gather_known

torch.set_num_threads(1)

INF = math.inf
ODD_ROWS = [
    [1.0, 2.0, 3.0],
    [1e38, 1e38, -1e38],
    [-INF, 1.0, -INF],
    [1.0, -INF, 0.0],
    [-INF, -INF, -INF],
    [1.0, INF, 0.0],
    [INF, 1.0, 0.0],
    [math.nan, 1.0, 2.0],
    [1.0, 2.0, math.nan],
]


def example(rows: int = 3, size: int = 40, dtype: torch.dtype = torch.float32) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(size)
    logits = (4 * torch.randn(rows, size, generator=generator)).to(dtype)
    return logits, torch.randint(size, (rows,), generator=generator)


def defined(logits: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
    return logits.double().log_softmax(1).gather(1, ids.unsqueeze(1)).squeeze(1)


def assert_as_good_as_torch(logits: torch.Tensor, ids: torch.Tensor) -> None:
    wanted = defined(logits, ids)
    ours, theirs = (token_logprob(logits, ids, impl=impl) for impl in ("triton", "torch"))
    assert ours.dtype == torch.float32 and ours.shape == ids.shape
    epsilon = 8 * torch.finfo(torch.float32).eps * wanted.abs().clamp(min=1)
    assert ((ours - wanted).abs() <= (theirs - wanted).abs() + epsilon).all()


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16], ids=str)
def test_it_is_what_a_softmax_gives(dtype: torch.dtype) -> None:
    logits, ids = example(dtype=dtype)
    torch.testing.assert_close(token_logprob(logits, ids).double(), defined(logits, ids), rtol=1e-6, atol=1e-6)
    out = torch.empty(3)
    assert token_logprob(logits, ids.int(), out=out) is out
    assert torch.equal(out, token_logprob(logits, ids))
    assert token_logprob(logits[:0], ids[:0]).shape == (0,)


@pytest.mark.parametrize("row", ODD_ROWS, ids=str)
def test_rows_without_a_distribution_give_nan(row: list[float]) -> None:
    logits = torch.tensor([row])
    for token, value in enumerate(row):
        got = float(token_logprob(logits, torch.tensor([token])))
        if any(map(math.isnan, row)) or INF in row or max(row) == -INF:
            assert math.isnan(got)
        else:
            assert got == -INF if value == -INF else math.isfinite(got)


def test_where_nobody_looks_at_ids_one_that_does_not_fit_gives_nan() -> None:
    logits, _ = example()
    got = gather_known(logits, torch.tensor([-1, 39, 40]))
    assert got.isnan().tolist() == [True, False, True] and got[1] == logits[1, 39]


def test_what_does_not_fit_is_named() -> None:
    logits, ids = example()
    for arguments, options, says in (
        ((logits[0], ids), {}, r"\[B, V\]"),
        ((logits, ids[:2]), {}, r"ids \[B\], got \[3, 40\] and \[2\]"),
        ((logits, ids + 40), {}, "V - 1 = 39"),
        ((logits, ids - 40), {}, "V - 1 = 39"),
        ((logits, ids), {"out": torch.empty(2)}, r"\[3\] of float32"),
        ((logits, ids), {"out": torch.empty(3, dtype=torch.float64)}, "float64"),
    ):
        with pytest.raises(ValueError, match=says):
            token_logprob(*arguments, **options)  # type: ignore[arg-type]


# The kernel


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # NumPy, in which the interpreter computes, warns of NaN
class TestInInterpreter:
    __test__ = INTERPRETED

    @pytest.fixture(autouse=True)
    def _poisoned(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """What is allocated holds nothing that could pass for a result."""
        empty = torch.empty
        monkeypatch.setattr(torch, "empty", lambda *a, **kw: empty(*a, **kw).fill_(-1.0))

    @pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16], ids=str)
    @pytest.mark.parametrize("size", [1, 511, 512, 513, 16384, 16385, 50257])
    def test_the_kernel_is_as_good_as_torch(self, size: int, dtype: torch.dtype) -> None:
        assert_as_good_as_torch(*example(3, size, dtype))

    @pytest.mark.parametrize("at", [0, 20000, 39999])
    def test_one_logit_above_all_others_is_seen_wherever_it_stands(self, at: int) -> None:
        logits = torch.zeros(1, 40000)
        logits[0, at] = 100.0
        assert float(token_logprob(logits, torch.tensor([at]), impl="triton")) == 0.0
        assert float(token_logprob(logits, torch.tensor([at - 1 if at else 1]), impl="triton")) == -100.0

    @pytest.mark.parametrize("row", ODD_ROWS, ids=str)
    def test_odd_rows_give_what_torch_gives(self, row: list[float]) -> None:
        logits, ids = torch.tensor([row] * len(row)), torch.arange(len(row))
        ours, theirs = (token_logprob(logits, ids, impl=impl) for impl in ("triton", "torch"))
        torch.testing.assert_close(ours, theirs, equal_nan=True)

    def test_the_last_column_of_ids_and_the_last_position_of_logits(self) -> None:
        logits, ids = example(6, 700)
        text = torch.cat([torch.full((3, 4), -5), ids[::2, None]], 1)
        out = torch.empty(4, 3)
        token_logprob(logits.view(3, 2, 700)[:, 0], text[:, -1], out=out[2], impl="triton")
        torch.testing.assert_close(out[2], token_logprob(logits[::2], ids[::2]))
        assert (out[[0, 1, 3]] == -1).all()

    def test_an_id_outside_of_the_vocabulary_is_reported_where_nobody_looks_at_ids(self) -> None:
        from reticent_kernels import logprob_triton

        logits, _ = example()
        out = torch.zeros(3)
        logprob_triton.logprob(logits, torch.tensor([-1, 40, 39]), out)
        assert out.isnan().tolist() == [True, True, False]

    def test_what_the_kernel_does_not_cover_is_named(self) -> None:
        logits, ids = example()
        for arguments, options, says in (
            ((logits.double(), ids), {}, "float32, float16 or bfloat16"),
            ((logits.T.contiguous().T, ids), {}, "contiguous rows"),
            ((logits, ids), {"out": torch.empty(6)[::2]}, "contiguous rows"),
            ((logits, ids + 40), {}, "V - 1 = 39"),
        ):
            with pytest.raises(ValueError, match=says):
                token_logprob(*arguments, **options, impl="triton")  # type: ignore[arg-type]


@outside
def test_the_kernel_in_the_interpreter() -> None:
    pytest.importorskip("triton")
    all_pass_interpreted(__file__)


@outside
def test_the_compiled_kernel_refuses_cpu_tensors() -> None:
    pytest.importorskip("triton")
    with pytest.raises(ValueError, match="needs CUDA tensors"):
        token_logprob(*example(), impl="triton")


# On a GPU


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32])
@pytest.mark.parametrize("size", [9, 32000, 50257, 128256, 262144])
def test_the_gpu_is_as_good_as_torch(size: int, dtype: torch.dtype) -> None:
    logits, ids = example(8, size, dtype)
    assert_as_good_as_torch(logits.cuda(), ids.cuda())


@pytest.mark.gpu
def test_a_cuda_graph_replays_it() -> None:
    logits, ids = (t.cuda() for t in example(4, 3000))
    options: dict[str, Any] = {"impl": "triton"}
    token_logprob(logits, ids, **options)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        captured = token_logprob(logits, ids, **options)
    ids.copy_(ids.flip(0))
    graph.replay()
    assert torch.equal(captured, token_logprob(logits, ids, **options))
