"""Sampling in which each row of a batch has a seed of its own, so that its draws do not depend on the rows beside it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor
from transformers import LogitsProcessor

_SEED_BITS = (1 << 64) - 1


class SeededRows(LogitsProcessor):
    """Leaves each row the one token that its seed draws, for a `generate` that takes the likeliest.

    Args:
        seeds: one for each row.
        temperature: above 0.
        top_k: draws from so many of the likeliest tokens; from all if 0.
        step: draws that each row had in earlier calls of `generate`.
    """

    def __init__(self, seeds: Sequence[int], temperature: float, top_k: int, step: int = 0) -> None:
        self._seeds, self._temperature, self._top_k, self._step = tuple(seeds), temperature, top_k, step

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        """Logits [rows, V]: 0 for the token that is drawn, minus infinity for all others."""
        uniforms = torch.tensor([uniform(seed, self._step) for seed in self._seeds], dtype=torch.float64)
        self._step += 1
        chosen = drawn(scores, uniforms, self._temperature, self._top_k)
        return torch.full_like(scores, -torch.inf).scatter_(1, chosen[:, None].to(scores.device), 0.0)


def uniform(seed: int, step: int) -> float:
    """A number from 0 to below 1 that depends on seed and step alone."""
    return float(np.random.default_rng([seed & _SEED_BITS, step]).random())


def drawn(logits: Tensor, uniforms: Tensor, temperature: float, top_k: int = 0) -> Tensor:
    """The token that each row draws from softmax(logits / temperature), by inversion of its distribution function [rows].

    Args:
        logits: [rows, V].
        uniforms: from 0 to below 1, in float64 [rows].
        temperature: above 0.
        top_k: draws from so many of the likeliest tokens; from all if 0.
    """
    if logits.device.type == "mps":  # which has no float64
        logits = logits.cpu()
    ids: Tensor | None = None
    if 0 < top_k < logits.shape[-1]:
        logits, ids = logits.topk(top_k)
    sums = (logits.double() / temperature).softmax(-1).cumsum(-1)
    total = sums[:, -1:]
    # What rounding lifts to the whole would choose a token of no probability.
    at = torch.minimum(uniforms[:, None].to(sums.device) * total, torch.nextafter(total, torch.zeros_like(total)))
    places = torch.searchsorted(sums, at, right=True)
    return (places if ids is None else ids.gather(1, places))[:, 0]
