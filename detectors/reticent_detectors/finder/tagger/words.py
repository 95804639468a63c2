"""What the tagger reads of a text: words, numbers and marks, in segments that are read at once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

WORD = re.compile(r"[^\W\d_]{1,64}(?:['’-][^\W\d_]{1,64}){0,3}|\d{1,64}|\n|[^\w\s]|_")
"""Letters with apostrophes and hyphens inside, digits, or a single mark; longer ones are read in parts."""
MOST_WORDS, LEAST_WORDS = 8, 4
"""Words of a segment. A sentence or a line ends one that has the least."""
ENDS = frozenset(".!?…;:")
"""Marks that end a sentence before a blank."""


class Word(NamedTuple):
    """Where a word stands, in characters; `spaced`: a blank stands before it."""

    start: int
    end: int
    spaced: bool


def words_of(text: str, start: int = 0) -> Iterator[Word]:
    """Return the words of a text from a place on."""
    for match in WORD.finditer(text, start):
        yield Word(match.start(), match.end(), text[match.start() - 1 : match.start()] == " ")


def ends_segment(text: str, word: Word, held: int, most: int = MOST_WORDS) -> bool:
    """Tell whether a segment ends with its word number `held`; what follows the word must be known.

    Args:
        most: words of a segment; negative for no limit.
    """
    if held == most:
        return True
    if held < LEAST_WORDS:
        return False
    said, after = text[word.start : word.end], text[word.end : word.end + 1]
    return said == "\n" or (said in ENDS and after.isspace())


def may_change(text: str, word: Word) -> bool:
    """Tell whether more text could lengthen a word, or decide whether it ends a segment."""
    return word.end == len(text) or (word.end + 1 == len(text) and text[word.end] in "'’-")
