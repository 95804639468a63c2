"""The tagger's network in NumPy: convolutions over words, computed one word at a time.

    x_i = A [sum of the word's rows; its vector] + a                         A: [D, E + V]
    h_i = x_i + C0 relu([x_{i-2}; x_{i-1}; x_i; x_{i+1}]) + c0               C0: [D, 4D]
    h_i = h_i + C relu([h_{i-2s}; h_{i-s}; h_i]) + c      for each stride s  C: [D, 3D]
    logits_i = O relu(h_i) + o                                               O: [1 + 2K, D]

The logits stand for no value, and then for each kind's first word and other words. Places before the first and behind
the last word are zeros. Rows and vectors are int8 with a scale for each column.
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
from reticent_detectors.lazy_attribute import lazy_attribute

LEFT, RIGHT = 2, 1
"""Words that the first convolution reads before and behind a word."""
STRIDES = (2, 4, 8)
"""Of the later convolutions, each of which reads two places before."""
_FILE = "tagger.npz"
_TABLES = ("rows", "vectors")
_WHOLE = ("inner", "inner_bias", "first", "first_bias", "later", "later_bias", "out", "out_bias")
_INT8 = 127
_ROOM = 64
_MOST_INPUTS = 8_192
"""Words whose input is kept: some 4 MB."""
Floats = NDArray[np.float32]


def quantised(table: NDArray[Any]) -> tuple[NDArray[np.int8], Floats]:
    """Return a table of floats [N, D] as int8, and the scale [D] of its columns."""
    scale = (np.abs(table).max(0) / _INT8 + 1e-9).astype(np.float32)
    return np.round(table / scale).astype(np.int8), scale


@dataclass(frozen=True, eq=False)
class TagNetwork:
    """Weights of the tagger.

    Args:
        kinds: the K names of what it tags. An empty one stands for words that it tells apart and does not report.
        weights: `rows` [B, E] and `vectors` [W, V] as int8, with their scales `rows_scale` [E] and `vectors_scale` [V];
            `inner` [D, E + V], `inner_bias` [D], `first` [D, 4D], `first_bias` [D], `later` [3, D, 3D],
            `later_bias` [3, D], `out` [1 + 2K, D], `out_bias` [1 + 2K].
        words: the row of `vectors` of each word (`words.vector_key`); other words have zeros.
    """

    kinds: tuple[str, ...]
    weights: Mapping[str, NDArray[Any]]
    words: Mapping[str, int]

    def __repr__(self) -> str:
        return f"TagNetwork({len(self.kinds)} kinds, {len(self.words)} words)"

    @lazy_attribute
    def no_input(self) -> Floats:
        """The input [D] of places without a word."""
        return np.zeros(self.weights["inner_bias"].shape[0], np.float32)

    @lazy_attribute
    def _inputs(self) -> dict[tuple[str, bool], Floats]:
        return {}

    def input_of(self, word: str, spaced: bool) -> Floats:
        """Return the input [D] of a word, and keep it for the next time; `spaced`: a blank stands before the word."""
        found = self._inputs.get((word, spaced))
        if found is not None:
            return found
        w, place = self.weights, self.words.get(vector_key(word))
        rows = w["rows"][list(rows_of(word, spaced))].sum(0, dtype=np.float32) * w["rows_scale"]
        scale = w["vectors_scale"]
        vector = np.zeros_like(scale) if place is None else w["vectors"][place] * scale
        if len(self._inputs) >= _MOST_INPUTS:
            self._inputs.clear()
        made: Floats = w["inner"] @ np.concatenate((rows, vector)) + w["inner_bias"]
        self._inputs[word, spaced] = made
        return made

    def begin(self) -> TagState:
        """Return the state before the first word."""
        return TagState(self)

    def save(self, file: Any) -> None:
        """Write the network as `load` reads it."""
        arrays: dict[str, Any] = {name: self.weights[name].astype(np.float16) for name in _WHOLE}
        arrays |= {name: self.weights[name] for table in _TABLES for name in (table, f"{table}_scale")}
        words = "\n".join(sorted(self.words, key=lambda word: self.words[word])).encode()
        np.savez_compressed(file, kinds=np.array(self.kinds), words=np.frombuffer(words, np.uint8), **arrays)

    @classmethod
    def load(cls, file: Any) -> TagNetwork:
        """Read the network from a file."""
        with np.load(file) as made:
            weights = {name: made[name].astype(np.float32) for name in _WHOLE}
            weights |= {name: made[name] for table in _TABLES for name in (table, f"{table}_scale")}
            words = made["words"].tobytes().decode().split("\n")
            return cls(tuple(made["kinds"].tolist()), weights, {word: place for place, word in enumerate(words)})


class TagState:
    """What the network keeps of the words before: enough for the next one."""

    __slots__ = ("_added", "_hidden", "_layers", "_logits", "_near", "_network", "_previous", "_read")

    def __init__(self, network: TagNetwork) -> None:
        w, size = network.weights, network.no_input.shape[0]
        self._network, self._read = network, 0
        self._previous = network.no_input
        """The input of the last word."""
        self._near = _Rows(LEFT + RIGHT, size)
        """The relu of the last inputs."""
        self._layers = [
            (_Rows(2 * stride, size), stride, matrix, bias)
            for stride, matrix, bias in zip(STRIDES, w["later"], w["later_bias"], strict=True)
        ]
        """For each later convolution the relu of its last inputs."""
        # Room for what each word computes.
        self._hidden, self._added = np.empty(size, np.float32), np.empty(size, np.float32)
        self._logits = np.empty(w["out_bias"].shape[0], np.float32)

    def copy(self) -> TagState:
        """Return a state that goes on by itself."""
        other = TagState(self._network)
        other._read, other._previous, other._near = self._read, self._previous, self._near.copy()
        other._layers = [(rows.copy(), stride, matrix, bias) for rows, stride, matrix, bias in self._layers]
        return other

    def read(self, word: str, spaced: bool) -> Floats | None:
        """Take the next word, and return the logits [1 + 2K] of the word before it, or None where there is none.

        The next call writes into the same array.
        """
        return self._push(self._network.input_of(word, spaced))

    def end(self) -> Floats | None:
        """Return the logits of the last word; nothing may be read behind it."""
        return self._push(self._network.no_input)

    def _push(self, x: Floats) -> Floats | None:
        w, h, added, previous = self._network.weights, self._hidden, self._added, self._previous
        np.maximum(x, 0, out=self._near.next_row())
        near = self._near.last(1)
        self._previous, self._read = x, self._read + 1
        if self._read == 1:
            return None
        np.dot(w["first"], near, out=added)
        np.add(previous, added, out=h)
        np.add(h, w["first_bias"], out=h)
        for rows, stride, matrix, bias in self._layers:
            np.maximum(h, 0, out=rows.next_row())
            np.dot(matrix, rows.last(stride), out=added)
            np.add(h, added, out=h)
            np.add(h, bias, out=h)
        np.dot(w["out"], np.maximum(h, 0, out=added), out=self._logits)
        np.add(self._logits, w["out_bias"], out=self._logits)
        return self._logits


class _Rows:
    """The last rows [before + 1, D] of a growing table, one behind the other; zeros before the first."""

    __slots__ = ("_at", "_before", "_table")

    def __init__(self, before: int, size: int) -> None:
        self._before, self._at = before, before - 1
        self._table = np.zeros((before + _ROOM, size), np.float32)

    def copy(self) -> _Rows:
        """Return the same rows, to be written by themselves."""
        other = _Rows(self._before, self._table.shape[1])
        other._table[:] = self._table
        other._at = self._at
        return other

    def next_row(self) -> Floats:
        """Return a new row, to be written."""
        self._at += 1
        if self._at == len(self._table):
            self._table[: self._before] = self._table[-self._before :]
            self._at = self._before
        row: Floats = self._table[self._at]
        return row

    def last(self, step: int) -> Floats:
        """Return the row that was begun last and each `step`-th before it, as one array."""
        return self._table[self._at - self._before : self._at + 1 : step].ravel()


@cache
def shipped() -> TagNetwork:
    """Read the network that the package brings."""
    with files("reticent_detectors.finder").joinpath("data", _FILE).open("rb") as file:
        return TagNetwork.load(file)
