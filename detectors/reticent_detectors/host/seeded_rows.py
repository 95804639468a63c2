"""Samples with a seed for each row of a batch, so that a row's draws do not depend on the other rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor
from transformers import LogitsProcessor

_SEED_BITS = (1 << 64) - 1


class SeededRows(LogitsProcessor):
    """Masks all tokens of each row except the one that its seed draws, for a greedy `generate`.

    Args:
        seeds: a seed for each row.
        temperature: temperature of the sampling, above 0.
        top_k: number of likeliest tokens to draw from; 0: all.
        step: number of draws of each row in earlier calls of `generate`.
    """

    def __init__(self, seeds: Sequence[int], temperature: float, top_k: int, step: int = 0) -> None:
        self._seeds, self._temperature, self._top_k, self._step = tuple(seeds), temperature, top_k, step

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        """Returns logits [rows, V]: 0 for the drawn token, minus infinity for all others."""
        uniforms = torch.tensor([uniform(seed, self._step) for seed in self._seeds], dtype=torch.float64)
        self._step += 1
        chosen = drawn(scores, uniforms, self._temperature, self._top_k)
        return torch.full_like(scores, -torch.inf).scatter_(1, chosen[:, None].to(scores.device), 0.0)


def uniform(seed: int, step: int) -> float:
    """Returns a number in [0, 1) that depends on seed and step alone."""
    return float(np.random.default_rng([seed & _SEED_BITS, step]).random())


def drawn(logits: Tensor, uniforms: Tensor, temperature: float, top_k: int = 0) -> Tensor:
    """Draws a token [rows] from softmax(logits / temperature) of each row, by inverting its distribution function.

    Args:
        logits: [rows, V].
        uniforms: [rows] float64 numbers in [0, 1).
        temperature: temperature of the sampling, above 0.
        top_k: number of likeliest tokens to draw from; 0: all.
    """
    if logits.device.type == "mps":  # MPS has no float64
        logits = logits.cpu()
    ids: Tensor | None = None
    if 0 < top_k < logits.shape[-1]:
        logits, ids = logits.topk(top_k)
    sums = (logits.double() / temperature).softmax(-1).cumsum(-1)
    total = sums[:, -1:]
    # A product that rounds up to the total would choose a token of probability 0.
    at = torch.minimum(uniforms[:, None].to(sums.device) * total, torch.nextafter(total, torch.zeros_like(total)))
    places = torch.searchsorted(sums, at, right=True)
    return (places if ids is None else ids.gather(1, places))[:, 0]
