"""The words of a value, and which of them are left out at its ends."""

from __future__ import annotations

import re

from reticent.records import spelling_words as w

_WORD = re.compile(r"[^\W_]+")
_MOST_LEFT = 3


def words_of(text: str) -> list[str]:
    """Gives the words in small letters."""
    return _WORD.findall(text.casefold())


def trimmed_of(words: list[str], stop: frozenset[str]) -> list[str]:
    """Cuts the small words off at both ends."""
    start, end = 0, len(words)
    while start < end and words[start] in stop:
        start += 1
    while start < end and words[end - 1] in stop:
        end -= 1
    return words[start:end]


def initialisms(words: list[str]) -> list[str]:
    """Joins single letters in a row: "i b m" becomes "ibm"."""
    if list(map(len, words)).count(1) < 2:
        return words
    out: list[str] = []
    single = False
    for word in words:
        letter = len(word) == 1 and word.isalpha()
        if letter and single:
            out[-1] += word
        else:
            out.append(word)
        single = letter
    return out


def without_small_words(text: str) -> str:
    """Gives a text without the small words at both ends ("at Acme"), if up to three others are left; else "".

    `spellings` cuts them off longer values itself. A single word can have been a name with them ("An Roe",
    "IT consultant"). So here they count only in small letters, and no word counts that is often a part of a value.
    """
    found = list(_WORD.finditer(text))
    start, end = 0, len(found)
    while start < end and found[start][0] in w.BESIDE:
        start += 1
    while start < end and found[end - 1][0] in w.BESIDE:
        end -= 1
    if end - start == len(found) or not 0 < end - start <= _MOST_LEFT:
        return ""
    return text[found[start].start() : found[end - 1].end()]
