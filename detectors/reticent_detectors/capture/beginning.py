"""Lends the cached beginning of a text to another forward pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from torch import Tensor
from transformers.cache_utils import DynamicLayer

Layers = Sequence[tuple[Tensor, Tensor]]
"""Keys and values [1, heads, N, d] of every layer."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """One row of a key-value cache, whose first column is the first token of the row's text.

    Holds a reference and reads the cache when asked, so use it while the generation is running.
    """

    cache: Any = field(repr=False)
    row: int

    def layers(self, length: int) -> Layers | None:
        """Returns keys and values of the first `length` tokens; None if the cache does not keep all of them unchanged.

        Sliding windows, static, quantised and recurrent caches do not.
        """
        kept = getattr(self.cache, "layers", ())
        if not kept or not keeps_all(kept) or any(not layer.is_initialized for layer in kept):
            return None
        if any(layer.keys.shape[2] < length or len(layer.keys) <= self.row for layer in kept):
            return None
        row = slice(self.row, self.row + 1)
        return [(layer.keys[row, :, :length].detach(), layer.values[row, :, :length].detach()) for layer in kept]


def keeps_all(layers: Sequence[Any]) -> bool:
    """Whether every layer of a cache is a `DynamicLayer`, which grows and drops nothing."""
    return all(type(layer) is DynamicLayer for layer in layers)
