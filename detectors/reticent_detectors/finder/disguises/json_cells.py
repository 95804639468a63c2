"""Values whose groups stand in several cells of JSON, or in strings that a program joins.

`{"area": "405", "exchange": "931", "line": "9589"}`, `[4, 0, 5, ...]`, `"405" + "931" + "9589"`.
Numbers side by side are mostly no value: the readings count for the kind that was asked for last. Digits in quotes are
rarely numbers: their readings count for kinds of which digits are the form.
"""

from __future__ import annotations

import re

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder.disguises.candidate import REGION_CHARS
from reticent_detectors.finder.disguises.reading import Reading, as_called
from reticent_detectors.finder.engine.recognizers import OPEN
from reticent_detectors.finder.forms import Asked

_BEFORE = re.compile(r"[\[{(,:=+]\s{0,24}\"?\Z|\A\"\Z")
_NUMBER_BEFORE = re.compile(r"(?<![\w.-])([0-9]{1,9})\s{0,2},\s{0,2}\Z")
_PART = re.compile(r"[A-Za-z0-9]{1,12}(?![\w.@])")
_BETWEEN = regex.compile(
    r"\"?\s{0,24}(?:[,:+]\s{0,24}[\[{]?\s{0,24}(?:\"(?=[\d _-]{0,23}\p{L})[\w -]{1,24}\"\s{0,24}:\s{0,24})?)\"?"
)
_AFTER = re.compile(r"\"|\s{0,24}[,:}\]]")
_QUOTED_KINDS = frozenset({Entity.PHONE_NUMBER, Entity.US_SSN, Entity.CREDIT_CARD})
_QUOTED_FORM = re.compile(r"(?:1-)?[2-9]\d\d-[2-9]\d\d-\d{4}|\d{3}-\d\d-\d{4}|\d{4}(?:-\d{4}){3}|\d(?:-\d){8,18}")
_MOST_PARTS = 20
_LEAST_CHARS = 7


def may_be_cells(text: str, p: int, asked: Asked) -> bool:
    """Says whether cells from p on may hold a value: one was asked for, or digits stand in quotes."""
    return bool(asked.kinds) or _is_quoted(text, p)


def counts(text: str, p: int, reading: Reading, kind: str, asked: Asked) -> bool:
    """Says whether a value of a kind counts that a reading from p on holds."""
    if asked.kinds.get(kind):
        return True
    return kind in _QUOTED_KINDS and _is_quoted(text, p) and _QUOTED_FORM.fullmatch(_groups(p, reading)) is not None


def _is_quoted(text: str, p: int) -> bool:
    return text[p - 1 : p] == '"' and text[p].isdigit()


def _groups(p: int, reading: Reading) -> str:
    """Gives the digits of a reading, with hyphens between cells."""
    out, last = "", p
    for char, end in zip(reading.plain, reading.ends, strict=True):
        if char != "-":
            out += f"-{char}" if out and end - 1 > last else char
            last = end
    return out


def cell_readings(text: str, p: int, closed: bool) -> list[Reading] | int:
    """Gives the groups of the cells from p on, joined by hyphens, by nothing and as one calls; [] if they are none.

    OPEN while more may follow.
    """
    if not _BEFORE.search(text, max(0, p - 26), p):
        return []
    limit = min(len(text), p + REGION_CHARS)
    more = not closed and limit < p + REGION_CHARS
    parts: list[str] = []
    starts: list[int] = []
    at = p
    while len(parts) < _MOST_PARTS:
        part = _PART.match(text, at, limit)
        if more and (part.end() if part else at) >= limit - 1:
            return OPEN
        if part is None or not _is_group(part[0]):
            break
        parts.append(part[0])
        starts.append(at)
        between = _BETWEEN.match(text, part.end(), limit, partial=more)
        if between is None:
            break
        if between.partial or (more and between.end() >= limit - 1):
            return OPEN
        at = between.end()
    if len(parts) < 2 or sum(map(len, parts)) < _LEAST_CHARS or not _AFTER.match(text, starts[-1] + len(parts[-1])):
        return []
    before = _NUMBER_BEFORE.search(text, max(0, p - 16), p)
    return (
        []
        if _grows([*before.groups()] if before else [], parts)
        else [_joined(parts, starts, joint) for joint in ("-", "")] + as_called(_joined(parts, starts, ""))
    )


def _grows(before: list[str], parts: list[str]) -> bool:
    """Whether they are numbers of a sequence, each at least as large as the one before ("1, 1, 2, 3, 5, 8, 13").

    Without a number of the list before them, groups of one length may as well be a value's.
    """
    listed = [*before, *parts]
    if len(listed) < (5 if before else 6) or not all(map(str.isdecimal, listed)):
        return False
    numbers = list(map(int, listed))
    return numbers == sorted(numbers) and (bool(before) or len(set(map(len, parts))) > 1)


def _is_group(part: str) -> bool:
    return any(map(str.isdigit, part)) or (part.isupper() and len(part) <= 4)


def _joined(parts: list[str], starts: list[int], joint: str) -> Reading:
    plain, ends = "", list[int]()
    for part, start in zip(parts, starts, strict=True):
        if plain:
            plain, ends = plain + joint, ends + [ends[-1]] * len(joint)
        plain, ends = plain + part, ends + list(range(start + 1, start + len(part) + 1))
    return Reading(plain, ends)
