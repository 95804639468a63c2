"""Cut words into the pieces of a vocabulary, each word by itself, so that no later character changes a piece.

The pieces of a word are those of the highest sum of log-probabilities, as in SentencePiece's unigram model (Kudo,
"Subword Regularization", ACL 2018).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

BLANK = "▁"
"""Stands for the blank before a word."""
UNKNOWN = "<unk>"
MOST_PIECES = 16
"""Pieces of a word that are read: its first."""
_MOST_KEPT = 50_000
_UNKNOWN_BELOW = 10.0
"""How much less likely an unknown character is than the least likely piece."""


class Pieces:
    """The pieces of a word.

    Args:
        vocabulary: each piece with its log-probability; the first is `UNKNOWN`.
    """

    def __init__(self, vocabulary: Sequence[tuple[str, float]]) -> None:
        self.vocabulary = [(str(piece), float(score)) for piece, score in vocabulary]
        self._rows = {piece: (row, score) for row, (piece, score) in enumerate(self.vocabulary) if row}
        self._longest = max(map(len, self._rows), default=1)
        self._unknown = min((score for _, score in self._rows.values()), default=0.0) - _UNKNOWN_BELOW
        self._kept: dict[tuple[str, bool], tuple[int, ...]] = {}

    def __len__(self) -> int:
        return len(self.vocabulary)

    def __repr__(self) -> str:
        return f"Pieces({len(self)})"

    def of(self, word: str, spaced: bool) -> tuple[int, ...]:
        """Return the rows of a word's first pieces, one at least; `spaced`: a blank stands before it."""
        found = self._kept.get((word, spaced))
        if found is None:
            plain = unicodedata.normalize("NFKC", word)
            found = self._cut(BLANK + plain if spaced else plain)[:MOST_PIECES] or (0,)
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            self._kept[word, spaced] = found
        return found

    def _cut(self, word: str) -> tuple[int, ...]:
        """Return the rows of the likeliest pieces; unknown characters in a row are one."""
        best: list[tuple[float, int, int]] = [(0.0, 0, 0)]  # for each end: log-probability, begin, row
        for end in range(1, len(word) + 1):
            begin = end - 1
            score, row = best[begin][0] + self._unknown, 0
            for start in range(max(0, end - self._longest), end):
                known = self._rows.get(word[start:end])
                if known is not None and best[start][0] + known[1] > score:
                    score, begin, row = best[start][0] + known[1], start, known[0]
            best.append((score, begin, row))
        rows, end = list[int](), len(word)
        while end:
            _, begin, row = best[end]
            if row or not rows or rows[-1]:
                rows.append(row)
            end = begin
        return tuple(reversed(rows))
