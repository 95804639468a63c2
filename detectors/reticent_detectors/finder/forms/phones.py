"""Telephone numbers of every country: named ones in any grouping, others where form or numbering plan tells them."""

from __future__ import annotations

import phonenumbers
import regex

from reticent_detectors.finder.forms.anchored import Anchored
from reticent_detectors.finder.forms.joined import goes_on_number
from reticent_detectors.finder.match_ends import NONE

_SPACE = "[ \u00a0\u202f]"
_DASH = "[-\u2010\u2011\u2013]"
_BETWEEN = rf"(?:{_SPACE}?(?:{_DASH}|/){_SPACE}?|{_SPACE}|\.|)"
_GROUP = r"(?:\(\d{1,5}\)|\d{1,15}+)"
_MORE = (
    rf"(?i){_BETWEEN}{_GROUP}|{_SPACE}?(?:x|,?{_SPACE}?ext(?:ension|\.)?:?|#){_SPACE}?\d{{1,6}}+"
    rf"|(?:{_DASH}|{_SPACE}?\()(?:office|fax|mobile|home|work|cell|desk|tel|phone)|[:,%]\d"
)
_CORE = Anchored(
    rf"\+?(?:\(\+?\d{{1,5}}\)|\d{{1,15}}+)(?:{_BETWEEN}{_GROUP}){{0,11}}+", slack=20, reach=140, more=_MORE
)
_EXTENSION = regex.compile(rf"(?i){_SPACE}?(?:x|,?{_SPACE}?ext(?:ension|\.)?:?|#){_SPACE}?\d{{1,6}}+(?![\w])")
_SORT = regex.compile(rf"(?i)(?:{_DASH}|{_SPACE}?\()(?:office|fax|mobile|home|work|cell|desk|tel|phone)(?!\w)")
_ENDS = regex.compile(r"\d\)?(?!\d)")
_NANP = regex.compile(
    rf"(?:(?:\+|00|001[-. ])?1?[-. ])?(?:\(\d{{3}}\){_SPACE}?|\d{{3}}(?:{_DASH}|\.))\d{{3}}(?:{_DASH}|\.)\d{{4}}"
)
_NANP_SPACED = regex.compile(r"[2-9]\d\d[ \u00a0][2-9]\d\d[ \u00a0]\d{4}")
_BRACKETED = regex.compile(rf"\(\d{{2,5}}\){_SPACE}?\d{{3,5}}(?:{_DASH}|{_SPACE}|/)?\d{{2,5}}(?:{_SPACE}\d{{2,4}})?")
_TRUNK = regex.compile(r"0[1-9]\d{0,5}(?:[^\d]{1,3}\d{2,8}){1,5}|0[1-9]\d{8,9}")
_DATE_LIKE = regex.compile(
    r"(?:1[4-9]|20)\d\d(?:[-–/.]| - )(?:1[4-9]|20)?\d\d|(?:1[4-9]|20)\d\d([-/.])\d{1,2}\1\d{1,2}"
    r"|(?:0?[1-9]|[12]\d|3[01])([-/.])(?:0?[1-9]|[12]\d|3[01])\2(?:(?:1[4-9]|20)\d\d|\d\d)(?![-/.\d])"
)
_DATE = (
    r"(?:(?:19|20)\d\d([-/.]?)(?:0?[1-9]|1[0-2])\1(?:3[01]|[12]\d|0?[1-9])"
    r"|(?:3[01]|[12]\d|0?[1-9])([-/.])(?:3[01]|[12]\d|0?[1-9])\2(?:19|20)\d\d)-"
)
_DATE_FIRST = regex.compile(rf"{_DATE}\d")
_AFTER_DATE = regex.compile(rf"(?<![\w./:])(?<!\d-){_DATE}\Z")
_AFTER_COUNT = regex.compile(r"(?<![\w+(./:,$€£–-])\d{1,2}[.–-]\Z")
_PARTED_CHARS = 14
_FIGURES = regex.compile(r"[\d ./-]+")
_CLOCK = regex.compile(r"(?:[01]\d|2[0-3])([-.]?)[0-5]\d\1[0-5]\d(?!\d)")
_PAIRS = regex.compile(r"\d\d([-. ])\d\d(?:\1\d\d){4,}")
_DATED = regex.compile(
    r"(?<![\d./-])(?:0?[1-9]|[12]\d|3[01])([-/.])(?:0?[1-9]|1[0-2])\1(?:(?:19|20)\d\d|\d\d)(?![-/.\d])"
)
_DOT_AND_OTHERS = regex.compile(r"(?=[^(]*\d\.\d)(?=[^(]*\d[-–/]\d)")
# Without a leading zero, as Spain, Portugal and Italy write them. In threes, only where nothing counted can follow.
_NO_TRUNK = regex.compile(
    r"[689]\d\d([ .-])\d\d\1\d\d\1\d\d|[89]\d([ .-])\d{3}\2\d\d\2\d\d|2\d([ .-])\d{3}\3\d\d\3\d\d"
    r"|3\d\d([ .-])\d{3}\4\d\d\4\d\d|[23689]\d\d([ -])\d{3}\5\d{3}|2\d([ .])\d{3}\6\d{4}|3\d\d([ .])\d{3}\7\d{4}"
)
_NO_TRUNK_REGIONS = ("ES", "PT", "IT")
_CLOSES = regex.compile(rf"{_SPACE}?(?:[,;:)\]}}|<>\"'»”/—!?\n\t]|\.(?!\d)|\Z)|{_SPACE}{{2}}")
_LOCAL = regex.compile(r"555[-.]0\d{3}")
_SEVEN = regex.compile(r"[2-9]\d\d[-. ]\d{4}")
_TWO_SHORT = regex.compile(r"\d{3}/\d{3}|(?:19|20)\d\d|0?[01]?\d[./]\d\d")
_DECIMAL = regex.compile(r"\d\.\d{4,}")
_HOUR = r"(?:[01]\d|2[0-3])[0-5]\d"
_HOURS = regex.compile(rf"{_HOUR}(?:[ -]{_HOUR})+")
_FILE = regex.compile(r"\.[a-z]\w{1,3}(?![\w@])")
_ROW = regex.compile(r"(?<![\w.,:+(-])\d+ \d+ \Z")
"""Two numbers before a third: a row of numbers."""
_ROUND = regex.compile(r"[1-9]\d{0,2}(?:[ .]?\d{3}){0,2}[ .]?000")
_REGIONS = {
    "01": ("FR", "GB"),
    "02": ("FR", "GB", "IT", "AU"),
    "03": ("FR", "GB", "AU"),
    "04": ("FR", "DE", "BE", "AU"),
}
_OTHER_REGIONS = ("GB", "DE", "FR", "AT", "CH", "IT", "NL", "BE")
LEAST_DIGITS, LEAST_NAMED = 6, 3


def _international(number: str) -> bool:
    try:
        return phonenumbers.is_possible_number(phonenumbers.parse(number.replace("(0)", "")))
    except phonenumbers.NumberParseException:
        return False


def _national(number: str, regions: tuple[str, ...] = ()) -> bool:
    """Tell whether it is valid in one of these countries; else in one whose numbers begin with 0 at home."""
    for region in regions or dict.fromkeys((*_REGIONS.get(number[:2], ()), *_OTHER_REGIONS)):
        try:
            if phonenumbers.is_valid_number(phonenumbers.parse(number, region)):
                return True
        except phonenumbers.NumberParseException:
            continue
    return False


def phone(text: str, p: int, closed: bool) -> int:
    """Read a number without a label: international and possible, North American, bracketed, or valid in a country."""
    return _read(text, p, closed, False)


def phone_named(text: str, p: int, closed: bool) -> int:
    """Read a number that a label names, in any grouping that is no date."""
    return _read(text, p, closed, True)


_SLASH = regex.compile(rf"{_SPACE}?/{_SPACE}?")
_NUMBER_BEFORE = regex.compile(r"(?r)(?<![\p{L}\p{N}])[+(]?\d[\d ()./\u00a0\u202f\u2010\u2011-]{5,30}")
_LEAST_WHOLE, _MOST_OF_ONE, _MOST_ABROAD = 7, 13, 15
"""Digits of a number with its area, and of the longest ones, within a country and between countries."""


def _parts_two(left: str, right: str) -> bool:
    """Tell whether a slash between these parts two numbers, and not an area from its number: "030/1234567"."""
    first, second = (sum(map(str.isdigit, part)) for part in (left, right))
    if first < _LEAST_WHOLE or second < LEAST_DIGITS:
        return False
    return right[0] in "0+(" or first + second > (_MOST_ABROAD if left[0] == "+" or left[:2] == "00" else _MOST_OF_ONE)


def _first_of_two(text: str, p: int, end: int) -> int:
    """Return where the first number ends of those from p to `end` that a slash parts; `end` if they are one."""
    for slash in _SLASH.finditer(text, p, end):
        if _parts_two(text[p : slash.start()], text[slash.end() : end]):
            return int(slash.start())
    return end


def _is_second_of_two(text: str, p: int, end: int) -> bool:
    """Tell whether a slash stands before p and parts the number there from one before it."""
    before = _NUMBER_BEFORE.match(text, max(0, p - 40), p - 1) if text[p - 1 : p] == "/" else None
    return before is not None and _parts_two(before[0], text[p:end])


def _read(text: str, p: int, closed: bool, named: bool) -> int:
    if text[p] not in "+(" and not text[p].isdigit():
        return NONE
    core = _CORE.end(text, p, closed)
    if core <= 0:
        return core
    core = _first_of_two(text, p, core)
    inside = text[p].isdigit() and goes_on_number(text, p) and not _is_second_of_two(text, p, core)
    dated = inside and after_date(text, p)
    counted = inside and not dated and _AFTER_COUNT.search(text, max(0, p - _PARTED_CHARS), p) is not None
    if text[p].isdigit() and ((inside and not (dated or counted)) or text[p - 1 : p] in ("+", "$", "€", "£")):
        return NONE
    if _DATE_FIRST.match(text, p, core) or (not named and (_PAIRS.match(text, p, core) or _FILE.match(text, core))):
        return NONE
    extension = _EXTENSION.match(text, core)
    after = text[core : core + 2]
    ends = [match.end() for match in _ENDS.finditer(text, p, core)]
    if not ends:
        return NONE
    if extension is None and (
        after[:1].isalnum() or after[:1] == "_" or (after[:1] in (":", "%") and after[1:].isdigit())
    ):
        ends.pop()
    named = named or _SORT.match(text, core) is not None
    for stop in reversed(ends):
        number = text[p:stop]
        digits = sum(map(str.isdigit, number))
        if named and (_TWO_SHORT.fullmatch(number) or (digits < LEAST_DIGITS and not number.isdigit())):
            continue
        if digits < (LEAST_NAMED if named else LEAST_DIGITS):
            break
        if stop < core and text[stop] in "-./":
            continue
        if digits > 19 or number.count("(") != number.count(")"):
            continue
        extended = extension is not None and stop == core
        if (dated and _CLOCK.match(number)) or (counted and not _is_north_american(number)):
            continue
        if not _is_phone(number, digits, named) and not _is_written_so(text, number, stop, extended):
            continue
        if not named and _NANP_SPACED.fullmatch(number) and (stop < core or _ends_row(text, p)):
            return NONE
        return extension.end() if extension and stop == core else stop
    return NONE


def _ends_row(text: str, p: int) -> bool:
    return _ROW.search(text, max(0, p - _PARTED_CHARS), p) is not None


def after_date(text: str, p: int) -> bool:
    """Tell whether what stands at p follows a date and a hyphen: "2024-05-06-212-555-0147"."""
    return text[p - 1 : p] == "-" and _AFTER_DATE.search(text, max(0, p - _PARTED_CHARS), p) is not None


def begun_after_date(tail: str) -> bool:
    """Tell whether figures after a date may become a telephone number, and no time."""
    figures = _FIGURES.fullmatch(tail) is not None and sum(map(str.isdigit, tail)) >= LEAST_DIGITS
    return figures and not _CLOCK.match(tail)


def _is_north_american(number: str) -> bool:
    return _NANP.fullmatch(number) is not None or _NANP_SPACED.fullmatch(number) is not None


def _is_phone(number: str, digits: int, named: bool) -> bool:
    if number[0] == "+" or number.startswith("(+"):
        return digits >= 7 and (_international(number) or (named and digits <= 15))
    if _NANP.fullmatch(number):
        return True
    if digits > 15 or _DATE_LIKE.match(number) or _DECIMAL.fullmatch(number) or "123456789" in number:
        return False
    if named:
        return digits < 6 or not _ROUND.fullmatch(number)
    if digits >= 10 and number.startswith("00"):
        return _international("+" + number[2:])
    if digits >= 8 and _BRACKETED.fullmatch(number):
        return not _DATE_LIKE.search(number)
    if _NANP_SPACED.fullmatch(number):
        return True
    if _DATED.search(number) or _DOT_AND_OTHERS.match(number) or _HOURS.fullmatch(number):
        return False
    return 9 <= digits <= 12 and bool(_TRUNK.fullmatch(number)) and _national(number)


def _is_written_so(text: str, number: str, end: int, extended: bool) -> bool:
    """Tell whether a number without a country or a leading zero is written as telephone numbers are."""
    if _LOCAL.fullmatch(number):
        return not text.startswith("-", end)
    if extended and _SEVEN.fullmatch(number):
        return True
    found = _NO_TRUNK.fullmatch(number)
    if found is None or (found[5] and not extended and not _CLOSES.match(text, end)):
        return False
    start = end - len(number)
    if start > 1 and text[start - 1] in " \u00a0\u202f" and text[start - 2].isdigit():
        return False  # the end of a long number in threes
    return _national(number, _NO_TRUNK_REGIONS)
