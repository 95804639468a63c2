"""Finds recorded birthdays whose year stands apart from day and month.

    She was born in 1979. Her birthday is November 26.

Within `WINDOW` characters both must stand, neither as a part of another date, after a word of birth. The later one
alone is found, as the other may have left already. Days that stand together are found whole by `recorded_words`.
"""

from __future__ import annotations

import re
from collections import deque
from typing import Any, NamedTuple

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder.month_names import month_number
from reticent_detectors.finder.recorded_lookup import Hit, Records

WINDOW = 120
"""How far apart year and day may begin, in characters."""
_BEFORE_CHARS, _BEHIND_CHARS, _BEGUN_CHARS, _MOST_NEAR = 60, 12, 32, 8
_DIGIT = re.compile(r"[0-9]")
_BIRTH: Any = regex.compile(
    r"(?i)(?<!\p{L})(?:born|birth(?:day|date|s)?|b-?day|geb(?:oren\p{L}{0,2}|urts\p{L}+|\.)|jahrgang|née?|naissance|nat[oaie]"
    r"|anniversaire|nasceu|nascid[oa]|nascimento|nascita|compleanno|nació|nacid[oa]|nacimiento|cumpleaños|aniversário"
    r"|geboorte\p{L}*|verjaardag|doğdu|doğum\p{L}*|urodz\p{L}+)(?!\p{L})"
)
_PART: Any = regex.compile(
    r"(?<![\w.,/–-])(?:(?P<year>(?:19|20)[0-9][0-9])(?![\w/–-]|[.,][0-9])"
    r"|(?P<day>[0-9]{1,2})(?:st|nd|rd|th|er|\.|º|ª)?[ ](?:of[ ]|de[ ]|di[ ]|d['’])?(?P<month>\p{L}{3,12})(?!\w)"
    r"|(?P<month>\p{L}{3,12})[ ](?P<day>[0-9]{1,2})(?:st|nd|rd|th)?(?!\w))"
)
_BEGUN: Any = regex.compile(
    r"(?<![\w.,/–-])(?:[0-9]{1,4}"
    r"|[0-9]{1,2}(?:st|nd|rd|th|er|\.|º|ª|[snrte])?(?:[ ](?:of|de|di|d['’]|o|d)?[ ]?\p{L}{0,12})?"
    r"|\p{L}{1,12}(?:[ ][0-9]{0,2}\p{L}{0,2})?)\Z"
)
"""Matches what a text ends with that more text may make a part."""
_YEAR_BEHIND: Any = regex.compile(r"[.,]?[ ](?:of[ ]|del?[ ])?[0-9]{1,4}")
_MONTH_BEFORE: Any = regex.compile(
    r"(\p{L}{3,12})[.,]?[ ](?:[0-9]{1,2}(?:st|nd|rd|th)?,?[ ])?(?:of[ ]|de[ ]|del[ ])?\Z"
)


class _Part(NamedTuple):
    start: int
    end: int
    year: str
    day: str
    """Month and day as mmdd; empty for a year."""


class RecordedBirthdays:
    """Finds recorded birthdays by year and day."""

    def __init__(self, records: Records) -> None:
        self._records = records

    def __repr__(self) -> str:
        return "RecordedBirthdays()"

    def scan(self, text: str, start: int, closed: bool) -> Hit | int:
        """Return the next part from `start` on that makes a recorded birthday whole, or how far there is none."""
        size = len(text)
        if not self._records.has_dates or _DIGIT.search(text, max(0, start - WINDOW)) is None:
            return size
        if _BIRTH.search(text, max(0, start - WINDOW - _BEFORE_CHARS)) is None:
            return size
        near = deque[_Part](maxlen=_MOST_NEAR)
        for match in _PART.finditer(text, max(0, start - WINDOW), overlapped=True):
            part = _part(text, match)
            if part is None:
                continue
            for other in reversed(near) if part.start >= start else ():
                kind = self._kind(text, other, part)
                if kind is not None:
                    if not closed and part.end + _BEHIND_CHARS > size:
                        return part.start  # a year may follow, or the word go on
                    return Hit(kind, part.start, part.end, ((other.start, other.end), (part.start, part.end)))
            near.append(part)
        begun = None if closed or not near else _BEGUN.search(text, max(start, size - _BEGUN_CHARS))
        return size if begun is None else int(begun.start())

    def _kind(self, text: str, one: _Part, other: _Part) -> str | None:
        """Return the kind of a recorded birthday that two parts are."""
        if bool(one.day) == bool(other.day) or other.start - one.start > WINDOW:
            return None
        if _BIRTH.search(text, max(0, one.start - _BEFORE_CHARS), other.start) is None:
            return None
        kind = self._records.kind_of_day((one.year or other.year) + (one.day or other.day))
        return kind if kind == Entity.DATE_OF_BIRTH else None


def _part(text: str, match: Any) -> _Part | None:
    """Return a year, or a day with its month, that belongs to no longer date."""
    start, end = int(match.start()), int(match.end())
    if match["year"] is not None:
        before = _MONTH_BEFORE.search(text, max(0, start - 40), start)
        of_date = before is not None and month_number(before[1])
        return None if of_date else _Part(start, end, match["year"], "")
    month = month_number(match["month"])
    if not month or not 1 <= int(match["day"]) <= 31 or _YEAR_BEHIND.match(text, end) is not None:
        return None
    return _Part(start, end, "", f"{month:02d}{int(match['day']):02d}")
