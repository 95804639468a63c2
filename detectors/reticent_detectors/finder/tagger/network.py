"""The tagger's network in NumPy: convolutions over words, computed one word at a time.

    x_i = A [sum of the word's rows; its vector] + a                         A: [D, E + V]
    h_i = x_i + C0 relu([x_{i-2}; x_{i-1}; x_i; x_{i+1}]) + c0               C0: [D, 4D]
    h_i = h_i + C relu([h_{i-2s}; h_{i-s}; h_i]) + c      for each stride s  C: [D, 3D]
    logits_i = O relu(h_i) + o                                               O: [1 + 2K, D]

The logits are of: no value, then for each kind its first word and its other words. Places before the first and behind the last
word count as zeros. Rows and vectors are int8 with a scale for each column.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reticent_detectors.finder.tagger.words import rows_of, vector_key

LEFT, RIGHT = 2, 1
"""Words that the first convolution reads before and behind a word."""
STRIDES = (2, 4, 8)
"""Of the later convolutions, each of which reads two places before."""
_FILE = "tagger.npz"
_TABLES = ("rows", "vectors")
_WHOLE = ("inner", "inner_bias", "first", "first_bias", "later", "later_bias", "out", "out_bias")
_INT8 = 127
Floats = NDArray[np.float32]


def quantised(table: NDArray[Any]) -> tuple[NDArray[np.int8], Floats]:
    """A table of floats [N, D] as int8 and a scale [D] of its columns."""
    scale = (np.abs(table).max(0) / _INT8 + 1e-9).astype(np.float32)
    return np.round(table / scale).astype(np.int8), scale


@dataclass(frozen=True, eq=False)
class TagNetwork:
    """Weights of the tagger.

    Args:
        kinds: what it tags, K names. An empty one is that of words which it learned to tell apart and does not report.
        weights: `rows` [B, E] and `vectors` [W, V] as int8, with the scales `rows_scale` [E] and `vectors_scale` [V]; `inner` [D, E + V], `inner_bias` [D], `first` [D, 4D], `first_bias` [D], `later` [3, D, 3D], `later_bias` [3, D],
            `out` [1 + 2K, D], `out_bias` [1 + 2K].
        words: the row of `vectors` of each word (`words.vector_key`); other words have zeros.
    """

    kinds: tuple[str, ...]
    weights: Mapping[str, NDArray[Any]]
    words: Mapping[str, int]

    def __repr__(self) -> str:
        return f"TagNetwork({len(self.kinds)} kinds, {len(self.words)} words)"

    def begin(self) -> TagState:
        """The state before the first word."""
        return TagState(self)

    def save(self, file: Any) -> None:
        """Writes the network as `load` reads it."""
        arrays: dict[str, Any] = {name: self.weights[name].astype(np.float16) for name in _WHOLE}
        arrays |= {name: self.weights[name] for table in _TABLES for name in (table, f"{table}_scale")}
        words = "\n".join(sorted(self.words, key=lambda word: self.words[word])).encode()
        np.savez_compressed(file, kinds=np.array(self.kinds), words=np.frombuffer(words, np.uint8), **arrays)

    @classmethod
    def load(cls, file: Any) -> TagNetwork:
        """The network in a file."""
        with np.load(file) as made:
            weights = {name: made[name].astype(np.float32) for name in _WHOLE}
            weights |= {name: made[name] for table in _TABLES for name in (table, f"{table}_scale")}
            words = made["words"].tobytes().decode().split("\n")
            return cls(tuple(made["kinds"].tolist()), weights, {word: place for place, word in enumerate(words)})


class TagState:
    """What the network keeps of the words before: enough for the next one."""

    __slots__ = ("_before", "_inputs", "_network", "_zero")

    def __init__(self, network: TagNetwork) -> None:
        self._network = network
        self._zero = np.zeros(network.weights["inner_bias"].shape[0], np.float32)
        self._inputs: list[Floats] = []
        """The last inputs, before their relu."""
        self._before: list[list[Floats]] = [[self._zero] * (2 * stride) for stride in STRIDES]
        """For each later convolution the relu of its last inputs."""

    def read(self, word: str, spaced: bool) -> Floats | None:
        """Takes the next word; the logits [1 + 2K] of the word before it, or None where there is none."""
        w = self._network.weights
        rows = w["rows"][list(rows_of(word, spaced))].sum(0, dtype=np.float32) * w["rows_scale"]
        place = self._network.words.get(vector_key(word))
        scale = w["vectors_scale"]
        vector = np.zeros_like(scale) if place is None else w["vectors"][place] * scale
        return self._push(w["inner"] @ np.concatenate((rows, vector)) + w["inner_bias"])

    def end(self) -> Floats | None:
        """The logits of the last word; nothing may be read behind it."""
        return self._push(self._zero)

    def _push(self, x: Floats) -> Floats | None:
        self._inputs.append(x)
        if len(self._inputs) == 1:
            return None
        near = [self._zero] * (LEFT + 1 + RIGHT - len(self._inputs)) + self._inputs[-(LEFT + 1 + RIGHT) :]
        del self._inputs[: -(LEFT + RIGHT)]
        w = self._network.weights
        h = near[LEFT] + w["first"] @ np.maximum(np.concatenate(near), 0) + w["first_bias"]
        for stride, before, matrix, bias in zip(STRIDES, self._before, w["later"], w["later_bias"], strict=True):
            here = np.maximum(h, 0)
            h = h + matrix @ np.concatenate((before[0], before[stride], here)) + bias
            before.append(here)
            del before[0]
        logits: Floats = w["out"] @ np.maximum(h, 0) + w["out_bias"]
        return logits


@cache
def shipped() -> TagNetwork:
    """The network that comes along."""
    with files("reticent_detectors.finder").joinpath("data", _FILE).open("rb") as file:
        return TagNetwork.load(file)
