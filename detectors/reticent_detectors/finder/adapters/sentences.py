"""The piece of a growing text that an analyser of whole texts is shown.

A piece is a sentence, or a line, of at most `chars` characters.
It begins behind the last border at or before the position and ends at the next one.
The 20 characters before a border and the one behind it decide whether it is one:

* a line break;
* a full stop, blanks, and a character that is neither a small letter nor a digit; but not behind a title or another
  usual abbreviation, a single letter, or a number of one or two digits (initials, "St. Ives", "3. Mai");
* another mark that ends a sentence, and blanks; in scripts without blanks the mark alone.

In a sentence longer than `chars - ROOM`, positions at the end cannot reach its beginning.
Their piece begins behind the blank, comma or the like whose 8 characters before have the least checksum.
Neighbours mostly share that place, and the text before the position alone decides it.
So the piece depends on a bounded text around the position, not on how the text was cut.
"""

from __future__ import annotations

import re
from zlib import crc32

import regex

from reticent_detectors.finder.engine.recognizers import OPEN, REACH
from reticent_detectors.finder.unspaced import UNSPACED
from reticent_detectors.finder.word_starts import START

ROOM = REACH
"""A value at a position is whole in its piece if it has at most this many characters."""
MOST_CHARS = 1000
"""Longest piece: a finder sees 1,024 characters before a position, and a guard holds back no more."""
LEAST_CHARS = 2 * ROOM

_SUM_CHARS = 8
_WORD_BORDER_CHARS = 64
_BLANKS = r"[ \t\u00a0\u202f\u3000]"
_CLOSERS = r"\"'”’»)\]*_」』）】"
_ABBREVIATIONS = (
    "Dr|Dra|Dott|Mr|Mrs|Ms|Mme|Hr|Fr|Sr|Sra|Jr|Prof|Rev|Gen|Col|Capt|Lt|Sgt|Hon|St|Ste|Mt|Ave|Blvd|Apt|Nr|Tel|tel"
    "|Inc|Ltd|Co|Corp|vs|etc|bzw|ca"
)
_BREAKS = r"\n\r\v\f\x1c-\x1e\x85\u2028\u2029"
_UNSPACED_STOPS = "。！？｡।॥۔؟"
_BORDER = regex.compile(
    rf"[{_BREAKS}]"
    rf"|(?<!\b(?:{_ABBREVIATIONS}|\p{{L}}|\p{{N}}{{1,2}}))\.[{_CLOSERS}]{{0,4}}{_BLANKS}{{1,8}}(?=[^\s\p{{Ll}}\p{{N}}])"
    rf"|[!?…][{_CLOSERS}]{{0,4}}{_BLANKS}{{1,8}}(?=\S)"
    rf"|[{_UNSPACED_STOPS}][{_CLOSERS}]{{0,4}}{_BLANKS}{{0,8}}(?=[^\s{_UNSPACED_STOPS}{_CLOSERS}])"
)
_STOP_FROM_BEHIND = regex.compile(rf"(?r)[{_BREAKS}.!?…{_UNSPACED_STOPS}]")
_GAP = re.compile(r"[\s,;|/&=]")
_WORD = re.compile(rf"[^\W{UNSPACED}]")


def piece(text: str, p: int, closed: bool, chars: int) -> tuple[int, int]:
    """Gives (begin, end) of the piece in which p, the beginning of a word, is.

    The end is OPEN while more text could move it.
    """
    begin = _begin(text, p, chars - ROOM)
    limit = begin + chars
    border = _BORDER.search(text, p, limit + 1)
    if border is not None and border.end() <= limit:
        return begin, border.end()
    if len(text) <= limit:
        return begin, len(text) if closed else OPEN
    blank = text.rfind(" ", limit - _WORD_BORDER_CHARS, limit)
    return begin, blank + 1 if blank >= 0 else limit


def _begin(text: str, p: int, reach: int) -> int:
    first = p - reach
    for stop in _STOP_FROM_BEHIND.finditer(text, max(0, first), p):
        border = _BORDER.match(text, stop.start(), p + 1)
        if border is not None:
            return border.end()
    if first <= 0:
        return 0
    starts = (gap.end() for gap in _GAP.finditer(text, first, p))
    return min(starts, key=lambda start: _checksum(text[max(0, start - _SUM_CHARS) : start]), default=p)


def _checksum(text: str) -> int:
    return crc32(text.encode("utf-8", "surrogatepass"))


def whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Takes blanks off a range and widens it to whole words, as a finder looks at words."""
    start, end = max(0, start), min(end, len(text))
    value = text[start:end]
    start, end = start + len(value) - len(value.lstrip()), start + len(value.rstrip())
    while 0 < start < end and _amid(text, start):
        start -= 1
    while start < end < len(text) and _amid(text, end):
        end += 1
    return start, end


def _amid(text: str, i: int) -> bool:
    """Whether text[i] goes on with a word."""
    return bool(_WORD.match(text, i - 1) and _WORD.match(text, i)) and not START.match(text, i)
