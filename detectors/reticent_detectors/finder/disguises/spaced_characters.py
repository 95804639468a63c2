"""Values whose characters stand apart, with the same gap between them: "4 1 5 5", "j.a.n.e.@.x", "4, 1, 5"."""

from __future__ import annotations

import re
from itertools import pairwise

from reticent_detectors.finder.disguises.candidate import REGION_CHARS
from reticent_detectors.finder.disguises.reading import Reading
from reticent_detectors.finder.engine.recognizers import OPEN

_LEAST_COUNT = 6


def counts(numbers: list[int]) -> bool:
    """Whether somebody counts ("one, two, three ...", "ten nine eight ..."): six or more numbers with the same step."""
    steps = [b - a for a, b in pairwise(numbers)]
    run = 1
    for last, step in pairwise([0, *steps]):
        run = run + 1 if step and step == last else (2 if step else 1)
        if run >= _LEAST_COUNT and abs(step) <= 2:
            return True
    return False


_STRIDE_GAP = re.compile(r"[ \t\u00a0.,_/·|:;~-]{1,3}")


def spaced_readings(text: str, p: int, closed: bool) -> list[Reading] | int:
    """Gives the reading of single characters with one gap between ("4 1 5 5", "j.a.n.e.@.x", "4, 1, 5"); OPEN; []."""
    limit = min(len(text), p + REGION_CHARS)
    more = not closed and limit < p + REGION_CHARS
    for size in (1, 2, 3):
        gap = text[p + 1 : p + 1 + size]
        if not gap or not _STRIDE_GAP.fullmatch(gap):
            return OPEN if more and p + size >= limit else []
        found = _stride(text, p, gap, limit, more)
        if isinstance(found, int) or found:
            return found
    return []


def _stride(text: str, p: int, gap: str, limit: int, more: bool) -> list[Reading] | int:
    size = len(gap)
    before = p - size - 1
    if (
        before >= 0
        and text[before + 1 : p] == gap
        and _same_sort(text[before], text[p])
        and not _touches(text, before - 1)
    ):
        return []
    ends = [p + 1]
    at = p
    while True:
        following = at + 1 + size
        if following + 1 >= limit:
            if more and gap.startswith(text[at + 1 : min(following, limit)]):
                return OPEN
            if following < limit and text[at + 1 : following] == gap and not text[following].isspace():
                ends.append(following + 1)
            break
        if text[at + 1 : following] != gap or text[following] == "\n":
            break
        char, then = text[following], text[following + 1]
        if char.isalnum() and (then.isalnum() or (then == "_" and gap[0] != "_")):
            if "," in gap and char.isdigit() and then.isdigit() and _ascends([text[end - 1] for end in ends]):
                return []  # a list of numbers, of which the first have one digit
            break
        if char == " " and not text.startswith(gap, following + 1):
            if more and gap.startswith(text[following + 1 : limit]):
                return OPEN
            break
        ends.append(following + 1)
        at = following
    plain = "".join(text[end - 1] for end in ends)
    if (
        len(plain) < 6
        or sum(map(str.isalnum, plain)) < 4
        or counts([int(char) for char in plain if char in "0123456789"])
    ):
        return []
    return [Reading(plain, ends)]


def _ascends(digits: list[str]) -> bool:
    """Whether each is at least as large as the one before, as in a sequence; a value's digits hardly ever are."""
    return digits == sorted(digits)


def _same_sort(one: str, other: str) -> bool:
    return one.isalnum() and one.isdigit() == other.isdigit()


def _touches(text: str, p: int) -> bool:
    return p >= 0 and (text[p].isalnum() or text[p] == "_")
