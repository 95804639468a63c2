"""Whether what a recogniser proposes is a value of its kind: a linear classifier over words of the text.

Recognisers go by wordings: "was born in X" announces a hospital.
The check reads the value and the answer's words before it, and gives how likely the proposal is right.
It reads nothing behind the value, so a text gives the same spans however it was cut.
It reads nothing that a client writes, neither the question nor what an answer continues. A refused proposal is not
judged, so a client that knew the weights could otherwise have any value refused.

A feature is a string, hashed into one row of a table of weights. The score is the sum of the rows in log-odds.
`reticent bench answers train-check` makes the table.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

LEFT_CHARS = 160
"""How much of the answer is read before the value, at most: of it the last six words."""
BITS = 18
"""Of the table: 2 ** BITS rows."""
_NEAR, _VALUE_WORDS = 6, 8
_WORD = re.compile(r"[^\W\d_]+|\d+|\n|[^\w\s]")
_FILE = "span_check.npz"


def features(kind: str, recognizer: str, left: str, value: str) -> Iterator[str]:
    """Gives what the check reads of a proposal, each feature by itself and with the kind.

    Args:
        kind, recognizer: of the proposal.
        left: the answer before the value; its last `LEFT_CHARS` characters count.
        value: the proposed text.
    """
    yield f"k {kind}"
    yield f"r {kind} {recognizer}"
    for each in _described(left[-LEFT_CHARS:], value):
        yield each
        yield f"{kind} {each}"


def _described(left: str, value: str) -> Iterator[str]:
    near = [_fold_or_measure(word) for word in _WORD.findall(left)][: -_NEAR - 1 : -1]
    for place, word in enumerate(near, 1):
        yield f"l{place} {word}"
    for place in range(1, len(near)):
        yield f"ll {near[place]} {near[place - 1]}"
    if not near:
        yield "l1 <start>"
    pieces = _WORD.findall(value)
    words = [_fold_or_measure(piece) for piece in pieces][:_VALUE_WORDS]
    for word in set(words):
        yield f"v {word}"
        yield f"vs {word[-3:]}"
    yield f"v1 {words[0] if words else ''}"
    yield f"v-1 {words[-1] if words else ''}"
    yield f"vn {min(len(pieces), 6)}"
    yield f"vx {' '.join(_shape(piece) for piece in pieces[:5])}"
    near_word = near[0] if near else "<start>"
    yield f"lv {near_word} {_shape(pieces[0]) if pieces else ''}"


def _fold_or_measure(word: str) -> str:
    """Gives a word in small letters; a number by its length."""
    return f"#{min(len(word), 6)}" if word[0].isdigit() else word.casefold()


def _shape(word: str) -> str:
    if word[0].isdigit():
        return f"d{min(len(word), 6)}"
    if not word[0].isalpha():
        return word[0]
    return "A" if word.isupper() and len(word) > 1 else "X" if word[0].isupper() else "x"


def rows_of(kind: str, recognizer: str, left: str, value: str) -> NDArray[np.int64]:
    """Gives the rows [n] of a table of 2 ** BITS that a proposal's features hash to."""
    mask = (1 << BITS) - 1
    found = [
        zlib.crc32(each.encode("utf-8", "surrogatepass")) & mask for each in features(kind, recognizer, left, value)
    ]
    return np.unique(np.array(found, dtype=np.int64))


class Check(Protocol):
    """Says of a proposal whether it is to be dropped."""

    def refuses(self, kind: str, recognizer: str, text: str, start: int, end: int, answer: int) -> bool:
        """Whether `text[start:end]` is no value of its kind, as far as the answer up to its end shows.

        Args:
            kind, recognizer: what is proposed, and by which recogniser.
            text: what stands before the answer, if anything, and the answer.
            start, end: of the value, in characters.
            answer: where the answer begins in the text.
        """
        ...


@dataclass(frozen=True)
class SpanCheck:
    """The trained check.

    Args:
        weights: log-odds [2 ** BITS].
        bias: log-odds of a proposal without features.
        least: kind to the log-odds below which a proposal is refused; other kinds are never refused.
        recognizers: the names of those that it was trained on; proposals of others are never refused.
    """

    weights: NDArray[Any]
    bias: float
    least: Mapping[str, float]
    recognizers: frozenset[str]

    def __repr__(self) -> str:
        return f"SpanCheck({len(self.least)} kinds)"

    def log_odds(self, kind: str, recognizer: str, left: str, value: str) -> float:
        """Gives how likely the proposal is a value of its kind."""
        rows = rows_of(kind, recognizer, left, value)
        return self.bias + float(self.weights[rows].astype(np.float64).sum())

    def refuses(self, kind: str, recognizer: str, text: str, start: int, end: int, answer: int) -> bool:
        """See `Check`."""
        least = self.least.get(kind)
        if least is None or recognizer not in self.recognizers:
            return False
        left = text[max(answer, start - LEFT_CHARS) : start]
        return self.log_odds(kind, recognizer, left, text[start:end]) < least


@cache
def shipped() -> SpanCheck:
    """Gives the check that comes along."""
    with files("reticent_detectors.finder").joinpath("data", _FILE).open("rb") as file, np.load(file) as made:
        weights = np.zeros(1 << BITS, dtype=np.float16)
        weights[made["rows"]] = made["weights"]
        least = dict(zip(made["kinds"].tolist(), made["least"].tolist(), strict=True))
        return SpanCheck(weights, float(made["bias"]), MappingProxyType(least), frozenset(made["recognizers"].tolist()))
