"""The lens against a definition that sorts every logit in Python."""

from __future__ import annotations

import math

import pytest
import torch

import reticent_kernels.lens as lens_module
from reticent_kernels import LensOutput, logit_lens, reduce_logits

torch.set_num_threads(1)


def gaussian(rows: int, size: int, d: int, seed: int = 0) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(rows, d, generator=generator), torch.randn(size, d, generator=generator)


def check_against_sorting(out: LensOutput, logits: torch.Tensor, k: int, chosen: torch.Tensor | None = None) -> None:
    """Everything in `out` follows from float logits [R, V] by sorting on (-logit, id)."""
    for row, values in enumerate(logits.tolist()):
        values = [-math.inf if math.isnan(v) else v for v in values]
        order = sorted(range(len(values)), key=lambda i: (-values[i], i))
        assert out.topk_id[row].tolist() == order[:k]
        assert out.topk_logit[row].tolist() == [values[i] for i in order[:k]]
        assert out.logsumexp[row].item() == pytest.approx(torch.tensor(values).double().logsumexp(0).item(), abs=1e-5)
        if chosen is not None:
            assert out.chosen_logit is not None and out.chosen_rank is not None
            assert out.chosen_logit[row].item() == values[int(chosen[row])]
            assert out.chosen_rank[row].item() == order.index(int(chosen[row]))


@pytest.mark.parametrize(("rows", "size", "k"), [(1, 1, 1), (1, 50, 50), (7, 97, 10), (33, 257, 16)])
def test_top_ids_sums_and_ranks_are_those_of_a_full_sort(rows: int, size: int, k: int) -> None:
    hidden, weights = gaussian(rows, size, 16)
    chosen = torch.arange(rows) * 13 % size
    out = logit_lens(hidden, weights, k, chosen=chosen)
    check_against_sorting(out, hidden @ weights.T, k, chosen)


def test_integer_logits_full_of_ties_go_to_the_smaller_id() -> None:
    generator = torch.Generator().manual_seed(1)
    hidden = torch.randint(-1, 2, (40, 6), generator=generator).float()
    weights = torch.randint(-1, 2, (120, 6), generator=generator).float()
    chosen = torch.randint(0, 120, (40,), generator=generator)
    check_against_sorting(logit_lens(hidden, weights, 10, chosen=chosen), hidden @ weights.T, 10, chosen)


def test_negative_zero_ties_with_zero() -> None:
    logits = torch.tensor([[-0.0, 0.0, -1.0, -0.0]])
    out = reduce_logits(logits, 3, torch.tensor([3]))
    assert out.topk_id.tolist() == [[0, 1, 3]] and out.chosen_rank is not None and out.chosen_rank.tolist() == [2]


def test_the_arg_max_has_rank_zero_and_chosen_logits_are_bitwise_those_of_the_top_k() -> None:
    hidden, weights = gaussian(64, 1000, 32)
    best = logit_lens(hidden, weights, 4).topk_id
    for rank in range(4):
        out = logit_lens(hidden, weights, 4, chosen=best[:, rank])
        assert out.chosen_rank is not None and out.chosen_logit is not None
        assert (out.chosen_rank == rank).all()
        assert torch.equal(out.chosen_logit, out.topk_logit[:, rank])


def test_blocks_of_rows_and_slices_of_the_vocabulary_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    hidden, weights = gaussian(23, 301, 16)
    chosen = torch.arange(23) * 13
    whole = logit_lens(hidden, weights, 8, chosen=chosen, entropy=True)
    monkeypatch.setattr(lens_module, "BLOCK_LOGITS", 301)
    monkeypatch.setattr(lens_module, "BLOCK_ROWS", 5)
    monkeypatch.setattr(lens_module, "SLICE_WEIGHTS", 16 * 37)
    pieces = logit_lens(hidden, weights, 8, chosen=chosen, entropy=True)
    assert torch.equal(whole.topk_id, pieces.topk_id)
    for a, b in zip(whole, pieces, strict=True):
        assert a is not None and b is not None
        torch.testing.assert_close(a, b, atol=1e-5, rtol=1e-5)


def test_scale_bias_and_cap_are_applied_in_this_order() -> None:
    hidden, weights = gaussian(5, 60, 8)
    bias = torch.linspace(-2, 2, 60)
    out = logit_lens(hidden, weights, 6, scale=0.5, bias=bias, softcap=3.0)
    wanted = 3.0 * torch.tanh(0.5 * (hidden @ weights.T + bias) / 3.0)
    torch.testing.assert_close(out.topk_logit, wanted.topk(6).values)
    torch.testing.assert_close(out.logsumexp, wanted.logsumexp(1))


def test_padded_rows_count_as_minus_infinity() -> None:
    hidden, weights = gaussian(9, 64, 8)
    weights[50:] *= 100
    out = logit_lens(hidden, weights, 5, chosen=torch.full((9,), 60), vocabulary=50, entropy=True)
    real = logit_lens(hidden, weights[:50], 5, entropy=True)
    assert out.chosen_logit is not None and out.entropy is not None and real.entropy is not None
    assert torch.equal(out.topk_id, real.topk_id) and (out.chosen_logit == -math.inf).all()
    torch.testing.assert_close(out.logsumexp, real.logsumexp)
    torch.testing.assert_close(out.entropy, real.entropy)


def test_nan_counts_as_minus_infinity_and_a_row_without_a_finite_logit_is_reported() -> None:
    logits = torch.tensor([[1.0, math.nan, 2.0], [math.nan, math.nan, math.nan], [-math.inf, 0.0, -math.inf]])
    chosen = torch.tensor([1, 2, 1])
    out = reduce_logits(logits, 3, chosen)
    check_against_sorting(out, logits, 3, chosen)
    assert out.logsumexp[1].item() == -math.inf


def test_entropy_is_that_of_the_softmax() -> None:
    hidden, weights = gaussian(12, 200, 8)
    out = logit_lens(hidden, weights, 1, entropy=True)
    assert out.entropy is not None
    p = (hidden @ weights.T).double().softmax(1)
    wanted = -(p * p.log()).sum(1).float()
    torch.testing.assert_close(out.entropy, wanted, atol=1e-5, rtol=1e-5)


def test_half_precision_accumulates_in_float32() -> None:
    hidden, weights = (t.bfloat16() for t in gaussian(6, 90, 256))
    out = logit_lens(hidden, weights, 5)
    assert out.topk_logit.dtype == torch.float32
    torch.testing.assert_close(out.logsumexp, (hidden.double() @ weights.double().T).logsumexp(1).float())


def test_no_rows_give_empty_outputs() -> None:
    out = logit_lens(torch.empty(0, 4), torch.ones(9, 4), 3, chosen=torch.empty(0, dtype=torch.long), entropy=True)
    assert out.topk_id.shape == (0, 3)
    assert [None if t is None else t.shape[0] for t in out] == [0] * 6


def test_no_gradient_is_kept() -> None:
    hidden, weights = gaussian(2, 10, 4)
    assert not logit_lens(hidden.requires_grad_(), weights, 2).topk_logit.requires_grad


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"hidden": torch.zeros(2, 5)}, "share d"),
        ({"hidden": torch.zeros(4)}, "share d"),
        ({"unembedding": torch.zeros(9, 4, dtype=torch.int8)}, "module"),
        ({"k": 0}, "k must be"),
        ({"k": 10}, "k must be"),
        ({"vocabulary": 2}, "k must be"),
        ({"vocabulary": 10}, "vocabulary must"),
        ({"bias": torch.zeros(4)}, "bias must"),
        ({"chosen": torch.zeros(3, dtype=torch.long)}, "chosen must"),
        ({"chosen": torch.tensor([0, 9])}, "chosen ids"),
        ({"chosen": torch.tensor([0, -1])}, "chosen ids"),
        ({"impl": "cuda"}, "impl must"),
    ],
)
def test_arguments_that_do_not_fit_are_named(change: dict[str, object], says: str) -> None:
    arguments: dict[str, object] = {"hidden": torch.zeros(2, 4), "unembedding": torch.zeros(9, 4), "k": 3}
    with pytest.raises(ValueError, match=says):
        logit_lens(**(arguments | change))  # type: ignore[arg-type]
