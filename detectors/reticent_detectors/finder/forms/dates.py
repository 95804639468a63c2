"""Dates and times in six languages. They are values only where a label or a question names them (`kinds`)."""

from __future__ import annotations

import regex

from reticent_detectors.finder.forms.anchored import Anchored, followed_by
from reticent_detectors.finder.forms.joined import goes_on_number
from reticent_detectors.finder.forms.labels import fold
from reticent_detectors.finder.forms.words import either, words_of
from reticent_detectors.finder.match_ends import NONE

_END = r"(?![\p{L}\p{N}_])"
_MONTHS, _SHORT, _YEARED = (either(row, "dates") for row in ("months", "short_months", "yeared_months"))
_NO_MONTH = r"(?!may (?:be|have|not|also|well|still|only|need|take|cause|contain|include|come|go)(?!\p{L}))"
_LONG = rf"{_NO_MONTH}(?:(?:{_MONTHS}){_END}|(?:{_SHORT})(?:\.|{_END}))"
_ANY_MONTH = rf"{_NO_MONTH}(?:(?:{_MONTHS}){_END}|(?:{_SHORT}|{_YEARED})(?:\.|{_END}))"
_DAY = r"(?:3[01]|[12]\d|0?[1-9])(?!\d)"
_YEAR = r"(?:1[5-9]|20)\d\d(?!\d)"
_OF = r"(?: of| de| di| d['’])?"
_NUMERIC = (
    rf"{_YEAR}(?P<t>[-/.])(?:0?[1-9]|1[0-2])(?P=t){_DAY}"
    rf"|(?:3[01]|[12]\d|0?[1-9])(?P<s>[-/.])(?:3[01]|[12]\d|0?[1-9])(?P=s) ?(?:{_YEAR}|\d\d(?!\d))"
    rf"|{_YEAR}年\d{{1,2}}月\d{{1,2}}日"
)
_WORDED = (
    rf"{_DAY}(?:st|nd|rd|th|er|º|°|ª|\.)?{_OF}[ -]?{_ANY_MONTH}(?:,? (?:de |del |of )?|[-/]){_YEAR}"
    rf"|{_ANY_MONTH} (?:the )?{_DAY}(?:st|nd|rd|th)?,? {_YEAR}|{_YEAR}(?:,? |-|/){_ANY_MONTH}(?:,? |-|/){_DAY}"
    rf"|{_DAY}(?:st|nd|rd|th|er|º|°|ª|\.)?{_OF}[ -]{_LONG}"
    rf"|{_LONG} (?:the )?{_DAY}(?:st|nd|rd|th)?(?![:.]\d)|{_LONG},? {_YEAR}"
)
_DATE = rf"(?:{_NUMERIC}|{_WORDED})"
_CLOCK = r"(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?"
_HALF = r" ?[ap](?:\.m\.|\.?m(?![\p{L}\p{N}]))"
_TIME = (
    rf"(?:{_CLOCK}(?:{_HALF}| ?Uhr{_END}| ?h{_END})?|(?:1[0-2]|0?[1-9])(?:\.[0-5]\d)?{_HALF}"
    rf"|(?:[01]?\d|2[0-3])(?:\.[0-5]\d)? ?Uhr{_END}|(?:[01]?\d|2[0-3]) ?(?:h(?: ?[0-5]\d)?|heures|horas|ore){_END}"
    rf"|(?:1[0-2]|[1-9]) o['’]clock{_END}|noon{_END}|midday{_END})"
)
_WEEKDAY = (
    rf"(?:(?:{either('weekdays', 'dates')}){_END}"
    rf"|(?:{either('short_weekdays', 'dates')})(?:\.|{_END})(?=,? (?:the )?(?:\d|{_ANY_MONTH} \d)))"
)
_RELATIVE = (
    rf"(?:(?:{either('relative', 'dates')})"
    rf"|(?:{either('coming', 'dates')}) (?:{_WEEKDAY}|week|month|Woche|Monat)){_END}"
)
_PART = rf"(?: (?:{either('parts', 'dates')}){_END})?"
_AT = r",? ?(?:at |um |gegen |à |a las? |alle (?:ore )?|às |@ ?|- )?"
_ON = r",? ?(?:on |am |den |the |le |el |il |dia |of )?"
_DAY_ALONE = r"(?:3[01]|[12]\d|[1-9])(?:st|nd|rd|th|\.)?(?![\d:.h])(?! ?[ap]\.?m)"
_DAYS = (
    rf"(?:{_WEEKDAY}(?:,? (?:the |den |le |el |il |dia )?{_DATE}|,? (?:the |dia |le |el |il )?{_DAY_ALONE})?"
    rf"|{_DATE}|{_RELATIVE})"
)
_HOUR = (
    rf"(?:{_TIME}|(?:(?<=at )|(?<=um )|(?<=las? )|(?<=alle )|(?<=ore )|(?<=às )|(?<=à ))"
    r"(?:[01]?\d|2[0-3])(?![\d:]|\.\d))"
)
_MOMENT = (
    rf"(?i:{_DAYS}{_PART}(?:{_AT}{_HOUR})?|{_TIME}(?:{_ON}{_DAYS})?)"
    r"(?![\p{L}\p{N}_%]|-\d{3}|-\d\d\.\d\d\.)"
)
_DAY_TIME = (
    rf"(?i:(?:{_WEEKDAY}|{_RELATIVE}){_PART}(?:,? {_DATE})?{_AT}{_HOUR})(?![\p{{L}}\p{{N}}_%])"
    r"(?! ?(?:-|–|to |bis |à |a |until )\d)"
)
_READ_DAY_TIME = Anchored(_DAY_TIME, slack=32, reach=96)
_TAIL = r"(?![\p{L}\p{N}_%]|[-/.:]\p{N}|(?<!\d{4}|[-/.]\d\d),\p{N})"
_READ_DATE = Anchored(rf"(?i:{_DATE}){_TAIL}", slack=20, reach=72)
_READ_MOMENT = Anchored(_MOMENT, slack=32, reach=96)


def _goes_on(text: str, p: int) -> bool:
    """Tell whether the digits at p belong to something before them: an amount, a decimal, another date."""
    return text[p].isdigit() and (text[p - 1 : p] in ("$", "€", "£", "#", "@") or goes_on_number(text, p))


def date(text: str, p: int, closed: bool) -> int:
    """Read a date with at least a day and a month, or a month and a year."""
    return NONE if _goes_on(text, p) else _READ_DATE.end(text, p, closed)


def moment(text: str, p: int, closed: bool) -> int:
    """Read a day, a time, or both: "Monday at 9:30", "14 June", "tomorrow evening"."""
    return NONE if _goes_on(text, p) else _READ_MOMENT.end(text, p, closed)


_READ_YEAR = Anchored(rf"{_YEAR}{_TAIL}", slack=2, reach=8)
_WAS = regex.compile(r"(?r)(?:wurde|wird|bin|ist|war|hat|habe)(?: (?:am|im Jahr|im Jahre|um))? ")
_BORN = regex.compile(r"(?<!\p{L})(?:geboren|Geburtstag)(?!\p{L})")
_BORN_CHARS = 72


def born_after(text: str, p: int, closed: bool) -> int:
    """Read a date or a year whose German sentence ends in "born": "wurde 1935 in Tupelo geboren"."""
    if not _WAS.match(text, max(0, p - 24), p) or _goes_on(text, p):
        return NONE
    end = _READ_DATE.end(text, p, closed) or _READ_YEAR.end(text, p, closed)
    if end <= 0:
        return end
    return followed_by(_BORN, text, end, _BORN_CHARS, closed)


def day_and_time(text: str, p: int, closed: bool) -> int:
    """Read a weekday or a day from today on with a time, which is an appointment without a label: "Friday at 3"."""
    return NONE if text[p].isdigit() else _READ_DAY_TIME.end(text, p, closed)


_PLACE = r"\p{Lu}[\p{L}'’-]{1,24}+(?: \p{Lu}[\p{L}'’-]{1,24}+){0,3}"
_READ_TRIP = Anchored(
    rf"{_PLACE}(?: (?:to|nach|à|a|ad|para) | ?[–→-]>? ?){_PLACE}"
    rf"(?:,? (?:on|am|vom|le|el|il|em|no|do|del|den|du)(?: dia)?|,) (?i:{_DATE}){_TAIL}",
    slack=20,
    reach=180,
)


def trip(text: str, p: int, closed: bool) -> int:
    """Read from where to where somebody travels, and on what day."""
    return _READ_TRIP.end(text, p, closed) if text[p].isupper() else NONE


def first_words() -> frozenset[str]:
    """Return the words with which a date or a time without figures may begin, folded."""
    rows = ("months", "short_months", "yeared_months", "weekdays", "short_weekdays", "relative", "coming")
    return frozenset(fold(word.partition("_")[0]) for row in rows for word in words_of(row, "dates"))
