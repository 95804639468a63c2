"""Texts as the tagger's training reads them: words as rows of one table, tags, and values that change places."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from reticent_bench.finder.score import Gold
from reticent_bench.real_answers.marked import Marked
from reticent_detectors.finder.tagger.words import FEATURES, UNKNOWN, WORD, rows_of, vector_key

NO_TAG = -100
"""Of places without a word."""
Words = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Encoded:
    """A text in words.

    Args:
        words: [N], rows of a `WordTable`.
        tags: [N]; 0 for no value, 1 + 2k for the first word of a value of kind k, and 2 + 2k for its others.
        values: kind, first word, and the word behind the last, in order. They do not overlap.
    """

    words: Words
    tags: NDArray[np.int16]
    values: tuple[tuple[str, int, int], ...] = ()

    def __repr__(self) -> str:
        return f"Encoded({len(self.words)} words, {len(self.values)} values)"


class WordTable:
    """Every word that was met, with and without a blank before it: its features and the row of its vector.

    Row 0 is that of a place without a word.
    """

    def __init__(self, vectors: Mapping[str, int]) -> None:
        self._vectors = vectors
        self._index: dict[tuple[str, bool], int] = {}
        self._features: list[tuple[int, ...]] = [(UNKNOWN,) * FEATURES]
        self._vector_rows = [0]
        self._other = [0]

    def __repr__(self) -> str:
        return f"WordTable({len(self._features)} rows)"

    def word(self, word: str, spaced: bool) -> int:
        """The row of a word; `spaced`: a blank stands before it."""
        found = self._index.get((word, spaced))
        if found is None:
            for blank in (False, True):
                self._index[word, blank] = len(self._features)
                self._features.append(rows_of(word, blank))
                self._vector_rows.append(self._vectors.get(vector_key(word), -1) + 1)
            self._other += [len(self._other) + 1, len(self._other)]
            found = self._index[word, spaced]
        return found

    def with_blank(self, row: int, spaced: bool) -> int:
        """The row of the same word with or without a blank before it. Rows come in pairs, the one without first."""
        return row if row == 0 or ((row - 1) % 2 == 1) == spaced else self._other[row]

    def encoded(self, text: str, gold: Sequence[Gold] = (), kinds: Mapping[str, int] | None = None) -> Encoded:
        """A text with the tags of its values; a word that a value covers in part counts as covered."""
        spans = word_spans(text)
        words = np.array([self.word(text[a:b], text[a - 1 : a] == " ") for a, b in spans], np.int32)
        values = list[tuple[str, int, int]]()
        for span in gold:
            within = covered(spans, span)
            if within and (not values or values[-1][2] <= within[0]):
                values.append((span.kind, within[0], within[-1] + 1))
        tags = tags_of(spans, gold, kinds or {})
        return Encoded(words, tags, tuple(values))

    def features(self) -> torch.Tensor:
        """Rows of the embedding table for each word, [1 + words, FEATURES]."""
        return torch.tensor(self._features)

    def vector_rows(self) -> torch.Tensor:
        """The row of the word vectors for each word, [1 + words]; 0 for words without one."""
        return torch.tensor(self._vector_rows)


def word_spans(text: str) -> list[tuple[int, int]]:
    """Where the words of a text begin and end."""
    return [match.span() for match in WORD.finditer(text)]


def covered(spans: Sequence[tuple[int, int]], gold: Gold) -> list[int]:
    """The places of the words that a value covers, wholly or in part."""
    return [i for i, (start, end) in enumerate(spans) if start < gold.end and gold.start < end]


def tags_of(spans: Sequence[tuple[int, int]], gold: Sequence[Gold], kinds: Mapping[str, int]) -> NDArray[np.int16]:
    """The tag of each word, as in `Encoded`; values of kinds without a number have none."""
    tags = np.zeros(len(spans), np.int16)
    for span in gold:
        within, kind = covered(spans, span), kinds.get(span.kind)
        for i in within:
            tags[i] = 0 if kind is None else 1 + 2 * kind + (i != within[0])
    return tags


def pools(texts: Sequence[Encoded]) -> dict[str, list[Words]]:
    """The values of each kind, as words."""
    out: dict[str, list[Words]] = {}
    for text in texts:
        for kind, first, behind in text.values:
            out.setdefault(kind, []).append(text.words[first:behind])
    return out


def varied(
    text: Encoded, pool: Mapping[str, Sequence[Words]], table: WordTable, share: float, rng: random.Random
) -> Encoded:
    """The text with other values of the same kinds in a share of the places."""
    if not text.values:
        return text
    words, tags, at = list[Words](), list[NDArray[np.int16]](), 0
    for kind, first, behind in text.values:
        if rng.random() >= share:
            continue
        value = rng.choice(pool[kind]).copy()
        value[0] = table.with_blank(int(value[0]), table.with_blank(int(text.words[first]), True) == text.words[first])
        own = np.full(len(value), text.tags[first] + (text.tags[first] > 0), np.int16)
        own[0] = text.tags[first]
        words += [text.words[at:first], value]
        tags += [text.tags[at:first], own]
        at = behind
    if not words:
        return text
    return Encoded(np.concatenate([*words, text.words[at:]]), np.concatenate([*tags, text.tags[at:]]))


def padded(texts: Sequence[Encoded]) -> tuple[torch.Tensor, torch.Tensor]:
    """Words [B, N], 0 behind a text's end, and tags [B, N], `NO_TAG` there."""
    width = max(1, *(len(text.words) for text in texts))
    words = np.zeros((len(texts), width), np.int64)
    tags = np.full((len(texts), width), NO_TAG, np.int64)
    for place, text in enumerate(texts):
        words[place, : len(text.words)] = text.words
        tags[place, : len(text.tags)] = text.tags
    return torch.from_numpy(words), torch.from_numpy(tags)


def encoded_all(texts: Sequence[Marked], table: WordTable, kinds: Mapping[str, int]) -> list[Encoded]:
    """Marked texts in words."""
    return [table.encoded(text.text, text.gold, kinds) for text in texts]
