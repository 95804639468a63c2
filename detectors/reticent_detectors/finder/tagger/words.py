"""What the tagger reads of a text: words, numbers and marks, each as some rows of an embedding table."""

from __future__ import annotations

import re
import zlib
from functools import lru_cache

from reticent_detectors.finder.names_data import fold, look_up

WORD = re.compile(r"[^\W\d_]{1,64}(?:['’-][^\W\d_]{1,64}){0,3}|\d{1,64}|\n|[^\w\s]|_")
"""Letters with apostrophes and hyphens inside, digits, or a single mark; longer ones are read in pieces."""
BUCKETS = 1 << 14
"""Rows of the table of a word's features."""
FEATURES = 9
"""Rows that a word takes."""


def row(feature: str) -> int:
    """Return the row that a feature is hashed to."""
    return zlib.crc32(feature.encode("utf-8", "surrogatepass")) % BUCKETS


UNKNOWN = row("w <unknown>")


def rows_of(word: str, spaced: bool) -> tuple[int, ...]:
    """Return the rows of a word; `spaced`: a blank stands before it."""
    return (*_rows(word), _SPACED if spaced else _JOINED)


@lru_cache(maxsize=50_000)
def _rows(word: str) -> tuple[int, ...]:
    shape, plain = _shape(word), f"#{min(len(word), 6)}" if word[0].isdigit() else fold(word)
    known = look_up(plain) if word[0].isalpha() else None
    named = "" if known is None else f"{known.given} {known.family}"
    placed = "" if known is None else f"{known.place} {known.ordinary}"
    features = (
        f"w {plain}",
        f"p {plain[:3]}",
        f"s {plain[-3:]}",
        f"t {plain[-4:]}",
        f"x {shape}",
        f"n {named}",
        f"o {placed}",
        f"c {shape} {plain[-2:]}",
    )
    return tuple(map(row, features))


def _shape(word: str) -> str:
    if word[0].isdigit():
        return f"d{min(len(word), 9)}"
    if not word[0].isalpha():
        return word
    case = "A" if word.isupper() and len(word) > 1 else "X" if word[0].isupper() else "x"
    return f"{case}-" if "-" in word else case


_SPACED, _JOINED = row("b 1"), row("b 0")


def vector_key(word: str) -> str:
    """Return the key of a word in the table of word vectors: small letters, with a capital if the word has one."""
    small = word.casefold()
    return small.capitalize() if word[0].isupper() else small
