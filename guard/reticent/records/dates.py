"""Finds dates in a text, in every way that they can be read.

Not covered: dates without a year, months in other languages than English, a two-digit year that comes first.
"""

from __future__ import annotations

import re

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = rf"({'|'.join(_MONTHS)})[a-z]*\.?"
_YEAR = r"(\d{4}|'?\d{2})(?!\d)"
_BETWEEN = r"[\s,./-]{1,3}"
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"


def _pattern(core: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\d){core}(?!\d)", re.IGNORECASE)


# Patterns, each with the meaning of its groups: y is the year, m the month, d the day. Ambiguous ones have two orders.
_NUMBERS = (
    (_pattern(rf"(\d{{4}}){_BETWEEN}(\d{{1,2}}){_BETWEEN}(\d{{1,2}})"), ("ymd",)),
    (_pattern(rf"(\d{{1,2}}){_BETWEEN}(\d{{1,2}}){_BETWEEN}{_YEAR}"), ("mdy", "dmy")),
    (_pattern(r"(\d{4})(\d{2})(\d{2})"), ("ymd",)),
    (_pattern(r"(\d{2})(\d{2})(\d{4})"), ("mdy", "dmy")),
)
_NAMES = (
    (_pattern(rf"{_DAY}(?:\s+of)?[\s./-]{{0,3}}{_MONTH}{_BETWEEN}{_YEAR}"), ("dmy",)),
    (_pattern(rf"(?<![a-z]){_MONTH}[\s./-]{{0,3}}(?:the\s+)?{_DAY}{_BETWEEN}{_YEAR}"), ("mdy",)),
    (_pattern(rf"(\d{{4}})[\s,./-]{{0,3}}{_MONTH}[\s./-]{{0,3}}{_DAY}"), ("ymd",)),
)
_NAMED = re.compile("|".join(_MONTHS), re.IGNORECASE)


def days(text: str) -> tuple[set[str], str]:
    """Finds every date that has a year, and removes them from the text.

    `03/04/2024` counts as both the fourth of March and the third of April. A two-digit year counts for 19yy and 20yy.

    Returns:
        The dates as yyyymmdd, one for each reading, and the text with a space in place of each date.
    """
    found: set[str] = set()
    rest = text
    for pattern, orders in (*_NUMBERS, *_NAMES) if _NAMED.search(text) else _NUMBERS:
        here: set[str] = set()
        for match in pattern.finditer(text):
            for order in orders:
                here |= _readings(**dict(zip(order, match.groups(), strict=True)))
        if here:
            found |= here
            rest = pattern.sub(" ", rest)
    return found, rest


def _readings(y: str, m: str, d: str) -> set[str]:
    """Gives one date as yyyymmdd, in two centuries for a two-digit year. Swaps day and month above month 12."""
    name, day, year = m[:3].casefold(), int(d), y.lstrip("'")
    month = _MONTHS.index(name) + 1 if name in _MONTHS else int(m)
    if month > 12:
        month, day = day, month
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return set()
    return {f"{century}{year}{month:02d}{day:02d}" for century in (("",) if len(year) == 4 else ("19", "20"))}
