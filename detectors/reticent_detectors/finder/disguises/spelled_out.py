"""Values that are spelled out: digits and letters as words, "dot" and "at"."""

from __future__ import annotations

import re
from collections import Counter

from reticent_detectors.finder.disguises.months import is_month
from reticent_detectors.finder.disguises.reading import Reading
from reticent_detectors.finder.disguises.spaced_characters import counts
from reticent_detectors.finder.disguises.spelled_mailbox import is_mailbox
from reticent_detectors.finder.disguises.spelled_parts import (
    FREE_WORD,
    SpelledPart,
    ends_short,
    is_amid,
    is_in_word,
    may_open,
    read_parts,
)
from reticent_detectors.finder.disguises.spelling_words import NATO_WORDS, PLAIN_AT, REPEATS, TENS_WORDS
from reticent_detectors.finder.engine.recognizers import OPEN

_LIST_GOES_ON = re.compile(r"(?:, ?|[,;]?[ \n]{1,2}[0-9]{1,2}[.)][ \n])[0-9]{2}")
_LEAST_COUNTERS = 3


def word_readings(text: str, p: int, closed: bool) -> list[Reading] | int:
    """Gives the readings of the words spelled at p; OPEN; [] if nothing is spelled there."""
    free = FREE_WORD.match(text, p)
    if (
        free is not None
        and not is_in_word(text, free.end())
        and len(free[0]) > 1
        and not may_open(free[0])
        and ends_short(text, free.end(), closed)
    ):
        return []
    if is_amid(text, p):
        return []
    parts, open_ = read_parts(text, p, closed)
    if open_:
        return OPEN
    while parts and parts[-1].kind in ("r", "m", "y"):
        parts.pop()
    if any(part.plain == "@" for part in parts):
        return [_join(parts, "")] if is_mailbox(parts) else []
    while parts and parts[-1].kind == "f" and not parts[-1].plain.isdigit():
        parts.pop()
    if len(parts) < 2:
        return []
    if sum(part.kind == "s" for part in parts) < 4 and not all(
        part.kind == "m" or part.plain.isdigit() for part in parts
    ):
        return []
    if sum(part.plain.isdigit() for part in parts) >= 3 and all(
        part.plain in "oO" or not part.plain.isalpha() for part in parts
    ):
        parts = [part._replace(plain="0") if part.plain in ("o", "O") else part for part in parts]
    values = _without_counters(parts)
    digits = [part.plain for part in values]
    is_list = values is not parts or "," in parts[-1].gap
    if is_list and digits == sorted(digits) and _LIST_GOES_ON.match(text, values[-1].end):
        return []  # a list of numbers, of which the first have one digit
    joined = _join(parts, "")
    if any(part.kind == "f" and not part.plain.isdigit() for part in parts) or counts(
        [int(part.plain) for part in parts if part.plain.isdigit()]
    ):
        return []
    found = [joined] if values is parts else [_join(values, ""), joined]
    marked = any(part.kind in ("m", "y") for part in parts)
    found = [*_dated(joined), *found]
    if not marked and len({_kind_of_gap(part.gap) for part in parts[1:]}) > 1:
        found += [_join(parts, group) for group in "- "]
    found += _regrouped(joined)
    if any(part.word in NATO_WORDS for part in parts):
        found = [reading._replace(plain=reading.plain.upper()) for reading in found] + found
    return found


def _without_counters(parts: list[SpelledPart]) -> list[SpelledPart]:
    """Gives the items of a numbered list ("1. 0 2. 1 3. 1"); of anything else, the parts themselves."""
    for first in (0, 1):
        counters, items = parts[first::2], parts[1 - first :: 2]
        numbers = [int(part.plain) for part in counters if part.plain.isdigit()]
        behind = parts[first + 1 :: 2]
        if (
            len(numbers) == len(counters) >= _LEAST_COUNTERS
            and numbers == list(range(numbers[0], numbers[0] + len(numbers)))
            and all(part.gap.strip() in (".", ")") for part in behind)
        ):
            return items
    return parts


_DAY_FIRST = re.compile(r"(\d{1,2})(?:st|nd|rd|th|\.)?(?:of|de)?([^\W\d_]{3,10}?)(?:de|of)?(\d{4})")
_MONTH_FIRST = re.compile(r"([^\W\d_]{3,10})(\d{1,2})(?:st|nd|rd|th)?(\d{4})")


def _dated(reading: Reading) -> list[Reading]:
    """Gives the date that the characters of a reading make, in groups: the name of a month and figures."""
    for form in (_DAY_FIRST, _MONTH_FIRST):
        date = form.match(reading.plain)
        if date is None or not any(is_month(part.lower()) for part in date.groups()):
            continue
        groups = [(date[i].capitalize(), reading.ends[date.end(i) - 1]) for i in (1, 2, 3)]
        plain = " ".join(group for group, _ in groups)
        ends = [end for group, end in groups for _ in range(len(group) + 1)]
        return [Reading(plain, ends[:-1])]
    return []


def begun(text: str, p: int) -> list[Reading]:
    """Gives what is spelled at p so far, in a text that was cut."""
    if is_amid(text, p):
        return []
    parts, _ = read_parts(text, p, True)
    if len(parts) > 4 and not parts[-1].word and parts[-2].word:
        parts.pop()  # the first letter of a word
    at = next((i for i, part in enumerate(parts) if part.plain == "@"), 0)
    structured = at > 1 or (at == 1 and (not parts[0].plain.isalpha() or parts[1].word not in PLAIN_AT))
    return [_join(parts, "")] if structured or sum(part.kind == "s" for part in parts) >= 4 else []


def _join(parts: list[SpelledPart], group: str) -> Reading:
    """Gives the parts as plain text, with `group` where a gap is not of the commonest kind."""
    common = Counter(_kind_of_gap(part.gap) for part in parts[1:]).most_common(1)
    usual = common[0][0] if common else ""
    plain: list[str] = []
    ends: list[int] = []
    times, tens = 1, False
    for i, part in enumerate(parts):
        if part.kind == "r":
            times = REPEATS[part.word]
            continue
        if group and i and part.kind == "s" and _kind_of_gap(part.gap) != usual and parts[i - 1].kind == "s":
            plain.append(group)
            ends.append(part.end - 1)
        chars = part.plain * times
        if (
            tens
            and part.kind == "s"
            and len(part.plain) == 1
            and part.plain.isdigit()
            and part.plain != "0"
            and part.word
        ):
            plain.pop()
            ends.pop()
        plain.extend(chars)
        # A word as it is may have more behind the value's end: "jo at example.org.pdf".
        as_it_is = part.kind == "f" and times == 1
        ends.extend(range(part.end - len(chars) + 1, part.end + 1) if as_it_is else [part.end] * len(chars))
        times, tens = 1, part.word in TENS_WORDS
    return Reading("".join(plain), ends)


def _kind_of_gap(gap: str) -> str:
    return gap.strip(" \t\u00a0") or " "


_GROUPS: dict[int, tuple[tuple[int, ...], ...]] = {
    8: ((4, 2, 2), (2, 2, 4)),
    9: ((3, 2, 4),),
    10: ((3, 3, 4),),
    16: ((4, 4, 4, 4),),
}


def _regrouped(reading: Reading) -> list[Reading]:
    """Digits without groups, as dates, numbers and cards have them."""
    if not reading.plain.isdigit():
        return []
    found = []
    for groups in _GROUPS.get(len(reading.plain), ()):
        plain: list[str] = []
        ends: list[int] = []
        at = 0
        for size in groups:
            if plain:
                plain.append("-")
                ends.append(ends[-1])
            plain.extend(reading.plain[at : at + size])
            ends.extend(reading.ends[at : at + size])
            at += size
        found.append(Reading("".join(plain), ends))
    return found
