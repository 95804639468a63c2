"""Reads days with their year, in every order and usual way of writing: 14.03.1987, March 14th, 1987, le 14 mars 1987.

The numbers below ten may be words, as larger ones are digits where a text is read by `number_text`. Not covered: days
without a year, a two-digit year that comes first.
"""

from __future__ import annotations

from typing import Any

import regex

from reticent_detectors.finder.match_ends import NONE, OPEN
from reticent_detectors.finder.month_names import may_be_month, month_number
from reticent_detectors.finder.number_text import SMALL

_PART: Any = regex.compile(r"[0-9]{1,8}|\p{L}{1,16}")
_LINK = (
    "of|on|the|de|del|della|di|den|le|el|il|am|da|do|des|in|y|d|m|year|month|day|tag|monat|jahr|jahres|jour|mois|an|année"
    "|día|dia|mes|año|ano|giorno|mese|anno|dag|maand|jaar|dzień|miesiąc|rok|roku|gün|ay|yıl|ad"
)
_TAG = r"</?[A-Za-z][A-Za-z0-9]{0,9}>"
_GAP: Any = regex.compile(
    rf"(?:(?:{_TAG}|\^){{0,2}}(?:st|nd|rd|th|er|ten|go)(?!\p{{L}}))?"
    rf"(?:[*\s.,;:/–'’\"ºª°^_(){{}}\[\]=|年月日년월일-]|{_TAG}){{0,8}}+"
    rf"(?:(?:{_LINK})(?!\w)(?:[*\s.,:/'’\"=|)\]-]|{_TAG}){{1,8}}+){{0,3}}",
    regex.IGNORECASE,
)
_TAG_BEGUN: Any = regex.compile(r"</?[A-Za-z0-9]{0,10}\Z")
_LINKS = frozenset(word[:size] for word in _LINK.split("|") for size in range(1, len(word) + 1))
_SHORT_GAPS = frozenset("/.-")
_ROMAN_MONTHS = "I II III IV V VI VII VIII IX X XI XII"
_ROMAN = {name: number for number, name in enumerate(_ROMAN_MONTHS.split(), 1)}


def day_at(text: str, p: int, closed: bool, strict: bool = True) -> tuple[frozenset[str], int]:
    """Gives the days that are written at p, as yyyymmdd, and where they end; the end is NONE without one.

    It is OPEN where more text may bring one. `03/04/2024` is two days. A two-digit year counts for 19yy and 20yy; if
    `strict`, only behind two equal marks that belong to no longer number.
    """
    parts, at = list[str](), p
    while True:
        part = _PART.match(text, at)
        if part is None:
            return frozenset(), NONE
        digits = SMALL.get(part[0].lower(), part[0])
        is_word = digits.isalpha()
        if part.end() == len(text) and not closed:
            return frozenset(), OPEN if not is_word or _may_go_on(part[0], bool(parts)) else NONE
        if is_word:
            if any(map(str.isalpha, parts)) or not (month_number(part[0]) or (parts and part[0] in _ROMAN)):
                return frozenset(), NONE
        elif text[part.end() : part.end() + 1].isdecimal() or not _is_number_of(digits, len(parts)):
            return frozenset(), NONE
        parts.append(digits)
        at = part.end()
        if len(parts) == 3 or (len(digits) == 8 and not is_word):
            break
        gap = _GAP.match(text, at)
        at = at if gap is None else gap.end()
        if at == len(text) or (not closed and _TAG_BEGUN.match(text, at)):
            return frozenset(), NONE if closed else OPEN
    end = at
    if strict and not any(len(part) in (4, 8) and part.isdecimal() for part in parts):
        if len(text) - end < 2 and not closed:
            return frozenset(), OPEN
        if not _is_short_date(text, p, end, parts):
            return frozenset(), NONE
    days = _days(parts)
    return days, end if days else NONE


def _may_go_on(word: str, is_amid: bool) -> bool:
    """Say whether a word at the end of a text may become a part of a day, or stand between two if it `is_amid`."""
    if may_be_month(word) or word in _ROMAN:
        return True
    return is_amid and (word.casefold() in _LINKS or any(small.startswith(word.lower()) for small in SMALL))


def _is_number_of(digits: str, before: int) -> bool:
    return len(digits) in (1, 2, 4) or (len(digits) == 8 and not before)


def _is_short_date(text: str, p: int, end: int, parts: list[str]) -> bool:
    """Says whether parts with a two-digit year stand as a date does, and not within a longer number."""
    if any(map(str.isalpha, parts)):
        return True
    written = text[p:end]
    marks = [char for char in written if not char.isdecimal()]
    if len(marks) != 2 or marks[0] != marks[1] or marks[0] not in _SHORT_GAPS or len(parts[2]) != 2:
        return False
    before, behind = text[max(0, p - 2) : p], text[end : end + 2]
    return not (before[-1:] in _SHORT_GAPS and before[:1].isdecimal()) and not (
        behind[:1] in _SHORT_GAPS and behind[1:].isdecimal()
    )


def _days(parts: list[str]) -> frozenset[str]:
    if len(parts) == 1:
        digits = parts[0]
        orders = [(digits[:4], digits[4:6], digits[6:])]
        orders += [(digits[4:], *pair) for pair in ((digits[:2], digits[2:4]), (digits[2:4], digits[:2]))]
        return frozenset().union(*(_readings(*order) for order in orders if 1800 <= int(order[0]) < 2100))
    named = next((at for at, part in enumerate(parts) if part.isalpha()), -1)
    if named >= 0:
        month = str(month_number(parts[named]) or _ROMAN[parts[named]])
        one, other = (part for at, part in enumerate(parts) if at != named)
        pairs = [(one, other)] if len(one) == 4 else [(other, one)]
        return frozenset().union(*(_readings(year, month, day, False) for year, day in pairs))
    if len(parts[0]) == 4:
        return _readings(parts[0], parts[1], parts[2])
    return _readings(parts[2], parts[0], parts[1]) | _readings(parts[2], parts[1], parts[0])


def _readings(year: str, month: str, day: str, may_swap: bool = True) -> frozenset[str]:
    """Gives one day as yyyymmdd, in two centuries for a two-digit year. Swaps day and month above month 12."""
    if len(year) not in (2, 4) or len(month) > 2 or len(day) > 2:
        return frozenset()
    m, d = int(month), int(day)
    if m > 12 and may_swap:
        m, d = d, m
    if not (1 <= m <= 12 and 1 <= d <= 31):
        return frozenset()
    return frozenset(f"{century}{year}{m:02d}{d:02d}" for century in (("",) if len(year) == 4 else ("19", "20")))
