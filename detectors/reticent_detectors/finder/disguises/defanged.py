"""Web addresses, keys and numbers whose dots and slashes are words or stand in brackets: "www dot x dot org", "hxxps://x[.]org/y"."""

from __future__ import annotations

import re
from typing import Any

import regex

from reticent_detectors.finder.disguises.candidate import REGION_CHARS
from reticent_detectors.finder.disguises.reading import Reading
from reticent_detectors.finder.disguises.spelling_words import MARKS
from reticent_detectors.finder.engine.recognizers import OPEN

# "5 minus 3" is a sum; a web address has no "at".
_BY_WORD = {word: mark for word, mark in MARKS.items() if mark not in "@+" and word != "minus"}
_ANY = "|".join(sorted(_BY_WORD, key=len, reverse=True))
_MARK_TEXT = (
    rf"(?i)\s?[\[({{<]\s?({_ANY}|[.:/-]|://)\s?[\])}}>]\s?|_({_ANY})_"
    rf"|[ \t\u00a0]{{1,2}}({_ANY})(?=[ \t\u00a0])[ \t\u00a0]{{1,2}}"
)
_MARK = re.compile(_MARK_TEXT)
_GROWING: Any = regex.compile(_MARK_TEXT)
_MARK_CHARS = 24
_PIECE = re.compile(rf"(?i:(?:[A-Za-z0-9~%?=&#/:.@+-]|_(?!(?:{_ANY})_)){{1,160}})")
_MOST_PIECES = 12
# A web address, a number of seven digits or more, or a key: no words that a sentence has around "dot" or "point".
_LINK = re.compile(r"(?i)(?:h(?:tt|xx)ps?|ftp)://[^/\s]+\.|www\.[^./]+\.")
_CODE = re.compile(r"(?=(?:[^0-9]*[0-9]){7})[0-9+]|(?=.*[0-9])(?=.*[A-Za-z0-9_-]{16})", re.DOTALL)
_DEFANGED = re.compile(r"(?i)hxx(?=ps?://)")


def chain_readings(text: str, p: int, closed: bool) -> list[Reading] | int:
    """Gives the reading of pieces joined by words for marks, or marks in brackets; OPEN while they may grow; []."""
    limit = min(len(text), p + REGION_CHARS)
    more = not closed and limit < p + REGION_CHARS
    plain: list[str] = []
    ends: list[int] = []
    joint, at = "", p
    for _ in range(_MOST_PIECES):
        piece = _PIECE.match(text, at, limit)
        if piece is None:
            break
        end = piece.end()
        if more and end == limit:
            return OPEN
        mark = _MARK.match(text, end, limit)
        if more and limit - end < _MARK_CHARS and (mark is None or mark.end() == limit) and _grows(text, end, limit):
            return OPEN
        if mark is None and not joint:
            return []
        plain += [joint, piece[0]]
        ends += [at] * len(joint)
        ends += range(at + 1, end + 1)
        if mark is None:
            break
        word = mark[1] or mark[2] or mark[3]
        joint, at = _BY_WORD.get(word.lower(), word), mark.end()
    reading = "".join(plain)
    if not _LINK.match(reading) and not _CODE.match(reading):
        return []
    return [Reading(_DEFANGED.sub("htt", reading), ends)]


def _grows(text: str, at: int, limit: int) -> bool:
    """Whether text[at:limit] is, or may become, a mark."""
    return limit == at or _GROWING.fullmatch(text, at, limit, partial=True) is not None
