"""Dates in words: "March third, nineteen eighty-four", "the one two of October two zero two four"."""

from __future__ import annotations

import re
from typing import Any

import regex

from reticent_detectors.finder.disguises.months import MONTHS
from reticent_detectors.finder.disguises.reading import Reading
from reticent_detectors.finder.engine.recognizers import OPEN

_CHARS = 120
DIGITS = (
    "zero oh nought naught null cero zéro",
    "one eins ein eine un une uno una um uma",
    "two zwei zwo deux dos due dois duas",
    "three drei trois tres tre três",
    "four vier quatre cuatro quattro quatro",
    "five fünf fuenf cinq cinco cinque fife",
    "six sechs seis sei meia",
    "seven sieben sept siete sette sete",
    "eight acht huit ocho otto oito",
    "nine niner neun neuf nueve nove",
)
"""Words for the digits from 0 to 9, in six languages."""
TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth"
_TEENTHS = "tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
_VALUES = {
    **{word: i for i, row in enumerate(DIGITS) for word in row.split()},
    **{word: 10 + i for row in (TEENS, _TEENTHS) for i, word in enumerate(row.split())},
    **{word: 20 + 10 * i for i, word in enumerate(TENS.split())},
    **{word: 1 + i for i, word in enumerate(_ORDINALS.split())},
    "twentieth": 20,
    "thirtieth": 30,
}
ORDINALS: frozenset[str] = frozenset([*_ORDINALS.split(), *_TEENTHS.split(), "twentieth", "thirtieth"])
DAYS: frozenset[str] = ORDINALS | frozenset(TEENS.split())
"""Words for a day of the month that "of" may follow."""


def _any(words: str) -> str:
    return "|".join(sorted(words.split(), key=len, reverse=True))


_DIGIT, _TEEN, _TEN = _any(" ".join(DIGITS)), _any(TEENS), _any(TENS)
_JOINT = r"(?:[ -]|, )"
_PAIR = rf"(?:{_TEEN}|(?:{_TEN})(?:[ -](?:{_DIGIT}))?|(?:oh|zero|o)[ -](?:{_DIGIT}))"
_DAY = (
    rf"(?:(?:twenty|thirty)[ -](?:{_any(_ORDINALS)}|{_DIGIT})|{_any(' '.join(ORDINALS))}|{_TEEN}|twenty|thirty"
    rf"|(?:{_DIGIT})(?:{_JOINT}(?:{_DIGIT}))?|\d{{1,2}}(?:st|nd|rd|th)?)"
)
_YEAR = (
    rf"(?:(?:(?:eigh|nine)teen|twenty)[ -](?:{_PAIR}|hundred(?:(?: and)? (?:{_PAIR}|{_DIGIT}))?)"
    rf"|two thousand(?:(?: and)? (?:{_PAIR}|{_DIGIT}))?"
    rf"|(?:{_DIGIT})(?:{_JOINT}(?:{_DIGIT})){{3}}|\d{{4}})"
)
_MONTH = _any(" ".join(MONTHS))
_DATE: Any = regex.compile(
    rf"(?i)(?:(?P<day>{_DAY})(?:, |-| (?:of |de )?)(?P<month>{_MONTH})"
    rf"|(?P<month>{_MONTH})(?:, |-| (?:the )?)(?P<day>{_DAY}))(?:,? (?:of |de |in )?|-)(?P<year>{_YEAR})"
)
# A word, so far, or the day in figures.
_FIRST = re.compile(r"([^\W\d_]{1,16})|[0-9]{1,2}(?:st|nd|rd|th|s|n|r|t)?(?:[ ,-]|\Z)")
_STARTS = frozenset(word[:i] for word in {*_VALUES, *MONTHS, "o"} for i in range(1, len(word) + 1))
_WORDS = regex.compile(r"[^\W\d_]+|\d+")


def date_readings(text: str, p: int, closed: bool) -> list[Reading] | int:
    """Gives the date of the words at p, in figures; OPEN while they may go on; []."""
    word = _FIRST.match(text, p)
    if word is None or (word[1] is not None and word[1].lower() not in _STARTS):
        return []
    limit = min(len(text), p + _CHARS)
    if not closed and limit < p + _CHARS and _DATE.fullmatch(text, p, limit, partial=True):
        return OPEN
    date = _DATE.match(text, p, limit)
    if date is None or text[date.end() : date.end() + 1].isalnum() or (_is_plain(date)):
        return []
    day = _number(date["day"], 10)
    parts = [(str(day), date.end("day")), (date["month"], date.end("month"))]
    if date.start("month") < date.start("day"):
        parts.reverse()
    plain: list[str] = []
    ends: list[int] = []
    for part, end in [*parts, (str(_number(date["year"], 100)), date.end())]:
        written = f" {part}" if plain else part
        plain.extend(written)
        ends.extend([end] * len(written))
    return [Reading("".join(plain), ends)]


def _is_plain(date: Any) -> bool:
    return bool(date["day"][0].isdigit() and date["year"][0].isdigit())


def _number(spoken: str, step: int) -> int:
    """Gives the number in words; single digits follow one another.

    `step` is what the first of two words counts, 100 in "nineteen eighty".
    """
    words = _WORDS.findall(spoken.lower())
    if words[0].isdigit():
        return int(words[0])
    if "thousand" in words:
        return 2000 + _number(" ".join(words[2:]), 10) if len(words) > 2 else 2000
    rest = [word for word in words if word not in ("hundred", "and")]
    values = [_VALUES.get(word, 0) for word in rest]
    if all(value < 10 for value in values) and not any(word in ORDINALS for word in rest):
        return int("".join(map(str, values)))
    if step == 100:
        return 100 * values[0] + sum(values[1:])
    return sum(values)
