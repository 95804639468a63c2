"""The gathering cosine kernel against its definition: in Triton's interpreter, and on a GPU where there is one.

`TestInInterpreter` runs in a process of its own (`triton_interpreter`).
"""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
from torch.nn.functional import normalize
from triton_interpreter import INTERPRETED, all_pass_interpreted, outside

from reticent_kernels import token_cosines

pytest.importorskip("triton")
from reticent_kernels import cosines_triton

torch.set_num_threads(1)


def epsilon(embedding: torch.Tensor) -> float:
    """Bounds the error of a cosine beyond that of the torch reference, which multiplies in float32.

    The bound is eight roundings. Tensor cores truncate, so in half precision each of their steps of 16 over d adds one.
    In float32 they add one product after the other, and roundings go either way: sqrt(d) of them.
    """
    steps = embedding.shape[1] // 16 if embedding.dtype != torch.float32 else math.isqrt(embedding.shape[1])
    return max(8, steps if embedding.is_cuda else 0) * torch.finfo(torch.float32).eps


def exact_cosines(ids: torch.Tensor, embedding: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The definition in float64."""
    rows = normalize(embedding.double()[ids], dim=-1)
    return rows[:, :-1] @ rows[:, 1:].transpose(-1, -2), (rows[:, :, :-1] * rows[:, :, 1:]).sum(-1)


def example(spans: int = 2, layers: int = 3, k: int = 5, d: int = 12, size: int = 40) -> list[torch.Tensor]:
    generator = torch.Generator().manual_seed(0)
    ids = torch.randint(0, size, (spans, layers, k), generator=generator)
    return [ids, torch.randn(size, d, generator=generator)]


def assert_as_good_as_torch(ids: torch.Tensor, embedding: torch.Tensor) -> None:
    exact = [torch.nan_to_num(t) for t in exact_cosines(ids, embedding)]
    ours, theirs = (token_cosines(ids, embedding, impl=impl) for impl in ("triton", "torch"))
    for a, b, wanted in zip(ours, theirs, exact, strict=True):
        assert a.shape == b.shape and a.dtype == torch.float32
        if a.numel():
            assert float((a - wanted).abs().max()) <= float((b - wanted).abs().max()) + epsilon(embedding)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # NumPy, in which the interpreter computes, warns of NaN
class TestInInterpreter:
    __test__ = INTERPRETED

    @pytest.fixture(autouse=True)
    def _poisoned(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """What is allocated holds nothing that could pass for a result."""
        empty = torch.empty
        monkeypatch.setattr(torch, "empty", lambda *a, **kw: empty(*a, **kw).fill_(math.nan))

    @pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16], ids=str)
    @pytest.mark.parametrize("d", [12, 128, 200])
    def test_the_kernel_is_as_good_as_torch(self, d: int, dtype: torch.dtype) -> None:
        ids, embedding = example(d=d)
        assert_as_good_as_torch(ids, embedding.to(dtype))

    @pytest.mark.parametrize(
        ("spans", "layers", "k"), [(1, 1, 1), (2, 1, 3), (3, 2, 1), (2, 2, 16), (1, 2, 17), (1, 2, 64), (0, 3, 2)]
    )
    def test_any_shape(self, spans: int, layers: int, k: int) -> None:
        assert_as_good_as_torch(*example(spans, layers, k))

    def test_rows_of_zeros_have_cosine_zero(self) -> None:
        ids, embedding = example()
        embedding[ids[0, 1, 2]] = 0
        assert_as_good_as_torch(ids, embedding)
        assert all(not part.any() for part in token_cosines(ids, torch.zeros_like(embedding), impl="triton"))

    def test_rows_and_ids_that_are_not_contiguous(self) -> None:
        ids, embedding = example(k=6)
        assert_as_good_as_torch(ids[:, :, ::2].int(), embedding[::2, 1:].repeat_interleave(2, dim=0)[:, :9])

    def test_what_does_not_fit_is_named(self) -> None:
        ids, embedding = example()
        for arguments, says in (
            ((ids + 40, embedding), "V - 1 = 39"),
            ((ids - 40, embedding), "V - 1 = 39"),
            ((ids, embedding.double()), "float32, float16 or bfloat16"),
            ((ids, embedding.T.contiguous().T), "contiguous rows"),
            ((ids.repeat(1, 1, 13), embedding), "at most 64"),
        ):
            with pytest.raises(ValueError, match=says):
                token_cosines(*arguments, impl="triton")

    def test_an_id_outside_of_the_vocabulary_is_reported_where_nobody_looks_at_ids(self) -> None:
        ids, embedding = example()
        wanted = token_cosines(ids, embedding)
        ids[0, 0, 0], ids[1, 2, 4] = -1, 40
        launch, inter, intra = cosines_triton.plan(ids, embedding)
        launch.run()
        assert inter[0, 0, 0].isnan().all() and inter[1, 1, :, 4].isnan().all()
        assert intra[0, 0, 0].isnan() and intra[1, 2, 3].isnan()
        assert int(inter.isnan().sum()) == 10 and int(intra.isnan().sum()) == 2
        for part, right in zip((inter, intra), wanted, strict=True):
            torch.testing.assert_close(part[~part.isnan()], right[~part.isnan()])


@outside
def test_the_kernel_in_the_interpreter() -> None:
    all_pass_interpreted(__file__)


@outside
def test_the_compiled_kernel_refuses_cpu_tensors() -> None:
    with pytest.raises(ValueError, match="needs CUDA tensors"):
        token_cosines(*example(), impl="triton")


def test_auto_falls_back_to_torch_for_what_the_kernel_does_not_cover(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reticent_kernels.cosines.wants_triton", lambda *_: True)
    monkeypatch.setattr(cosines_triton, "cosines", lambda *_: pytest.fail("was called"))
    ids, embedding = example()
    for a, b in zip(token_cosines(ids, embedding.double()), token_cosines(ids, embedding), strict=True):
        torch.testing.assert_close(a, b)


# On a GPU


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32])
def test_the_gpu_is_as_good_as_torch(dtype: torch.dtype) -> None:
    for shape in ((40, 32, 10, 4096, 3000), (2, 3, 16, 1000, 50), (1, 1, 1, 64, 9)):
        ids, embedding = example(*shape)
        assert_as_good_as_torch(ids.cuda(), embedding.to("cuda", dtype))


@pytest.mark.gpu
def test_a_cuda_graph_replays_the_cosines() -> None:
    ids, embedding = (t.cuda() for t in example(4, 6, 10, 512, 300))
    options: dict[str, Any] = {"impl": "triton"}
    token_cosines(ids, embedding, **options)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        captured = token_cosines(ids, embedding, **options)
    ids.copy_(ids.flip(0))
    graph.replay()
    for a, b in zip(captured, token_cosines(ids, embedding, **options), strict=True):
        assert torch.equal(a, b)
