"""Cosines of top tokens against loops over torch's own cosine."""

from __future__ import annotations

import pytest
import torch
from torch.nn.functional import cosine_similarity

import reticent_kernels.cosines as cosines_module
from reticent_kernels import token_cosines

torch.set_num_threads(1)


def example(spans: int = 3, layers: int = 4, k: int = 5) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(0)
    return torch.randint(0, 40, (spans, layers, k), generator=generator), torch.randn(40, 12, generator=generator)


def test_every_entry_is_the_cosine_of_its_two_rows() -> None:
    ids, embedding = example()
    inter, intra = token_cosines(ids, embedding)
    assert inter.shape == (3, 3, 5, 5) and intra.shape == (3, 4, 4)
    for s in range(3):
        for layer in range(4):
            for i in range(5):
                if i < 4:
                    pair = embedding[ids[s, layer, i]], embedding[ids[s, layer, i + 1]]
                    torch.testing.assert_close(intra[s, layer, i], cosine_similarity(*pair, dim=0))
                for j in range(5):
                    if layer < 3:
                        pair = embedding[ids[s, layer, i]], embedding[ids[s, layer + 1, j]]
                        torch.testing.assert_close(inter[s, layer, i, j], cosine_similarity(*pair, dim=0))


def test_blocks_of_spans_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    ids, embedding = example(spans=7)
    whole = token_cosines(ids, embedding)
    monkeypatch.setattr(cosines_module, "BLOCK_WEIGHTS", 4 * 5 * 12 * 2)
    for a, b in zip(whole, token_cosines(ids, embedding), strict=True):
        torch.testing.assert_close(a, b)


def test_one_layer_one_rank_and_no_spans_have_empty_arrays() -> None:
    _, embedding = example()
    inter, intra = token_cosines(torch.zeros(2, 1, 1, dtype=torch.long), embedding)
    assert inter.shape == (2, 0, 1, 1) and intra.shape == (2, 1, 0)
    inter, intra = token_cosines(torch.zeros(0, 3, 2, dtype=torch.long), embedding)
    assert inter.shape == (0, 2, 2, 2) and intra.shape == (0, 3, 1)


def test_a_row_of_zeros_has_cosine_zero() -> None:
    ids, embedding = example()
    inter, intra = token_cosines(ids, torch.zeros_like(embedding))
    assert not inter.any() and not intra.any()


def test_half_precision_rows_are_compared_in_float32() -> None:
    ids, embedding = example()
    inter, _ = token_cosines(ids, embedding.bfloat16())
    assert inter.dtype == torch.float32
    torch.testing.assert_close(inter, token_cosines(ids, embedding.bfloat16().float())[0])


def test_ids_and_shapes_that_do_not_fit_are_named() -> None:
    ids, embedding = example()
    with pytest.raises(ValueError, match="V - 1 = 39"):
        token_cosines(ids + 1, embedding)
    with pytest.raises(ValueError, match=r"\[S, L, k\]"):
        token_cosines(ids[0], embedding)
