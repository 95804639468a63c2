"""What a value of the tagger must look like: of its kind, at its place, where nobody announced it."""

from __future__ import annotations

import re
from unicodedata import decimal

from reticent_detectors.entities import Entity
from reticent_detectors.finder.names_data import fold, look_up
from reticent_detectors.finder.tagger.reading import WORDED, TagValue

_LEAST_CHARS = {
    "PHONE_NUMBER": 3,
    "ORDER_NUMBER": 3,
    "MEDICAL_RECORD_NUMBER": 3,
    "BANK_ACCOUNT": 4,
    "TAX_ID": 4,
    "NATIONAL_ID": 4,
}
"""Letters and digits that a value of the kind has at least; a telephone number has so many digits."""
_LEAST_LETTERS = 3
"""Letters of a value without a form, and characters that differ."""
_ROLES = frozenset(["assistant", "user", "system", "tool"])
"""Roles of a chat, which are nobody's job."""
_MOST_PHONE_DIGITS = 19
"""Digits of a telephone number with its extension."""
_SHORT_NUMBERS = frozenset(["000", "911", "988", "997", "998", "999"])
"""Telephone numbers of three digits, beside those that begin with 1."""


_CELL = re.compile(r"[^\W_][,;|\t]$")
_HEX = re.compile(r"[0-9A-Fa-f]{2}(?: [0-9A-Fa-f]{2})+|0[xX][0-9A-Fa-f]+")
_STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")
_STAMP_BEFORE = re.compile(r"(?:^|\n)[\[(]?\d{4}-\d\d-\d\d[T ]$")
"""A time as machines write it, to the second; and what stands before the hour where one begins a line."""
_INTO = re.compile(r"[^\W_][-.–/:=+#,@\\]?$|_$")
_LED = re.compile(r"(?:^|[\s(\[\"'“‘«*_])[^\W\d_]{2,}[\"'”’»)*_`]{0,2}(?:[:#=.,]|[ \t]?№)?[\s(\"'“‘«*_`#]{1,3}$")
_NUMBER = re.compile(r"[^\W_]?\d")


def is_piece(kind: str, text: str, p: int) -> bool:
    """Tell whether the text at p is a part of a longer token, or a number to which no word leads.

    "306" of "0-306-40615", a number in a row of numbers or in a sum. A value of another kind that begins with a number
    is a piece within a token, too, and so is what stands in a cell without a blank, and the hour of a line of a log.
    """
    if kind == Entity.APPOINTMENT_DATE and _STAMP_BEFORE.search(text[max(0, p - 13) : p]):
        return True
    before = text[max(0, p - 2) : p]
    if _CELL.match(before) or (_INTO.search(before) and _NUMBER.match(text, p)):
        return True
    return kind in _LEAST_CHARS and _LED.search(text, max(0, p - 40), p) is None


_NAMED = frozenset({Entity.DOCTOR, Entity.HOSPITAL, Entity.EMPLOYER})


def may_be_name(kind: str, text: str, p: int, end: int) -> bool:
    """Tell whether text[p:end] may be a name of this kind.

    In a text with capitals a name has one, too, and a doctor is not called like a town alone.
    """
    value = text[p:end]
    if kind == Entity.DOCTOR and value.isalpha() and (known := look_up(fold(value))).place >= 2:
        return bool(known.family)
    return kind not in _NAMED or not value.islower() or not any(map(str.isupper, text[max(0, p - 160) : p]))


_LEAST_DIGITS = {"ADDRESS": 1, "PHONE_NUMBER": 7}
"""Digits of a value that nobody announced, at least."""
_OFTEN = 2
_ABBREVIATED_LEAD = 1.5
"""Lead of an abbreviation that nobody announced, in nats, at least: all that the tagger has of most is their shape."""


def is_told(found: TagValue, value: str) -> bool:
    """Tell whether a value says by itself what it is, where nobody announced it.

    The commonest words do not ("order", "light"), save for jobs, and letters in capitals ("DEF") seldom do. Nor do a
    street without a number and a telephone number of few digits.
    """
    if not found.announced and found.kind in _LEAST_DIGITS:
        return sum(map(str.isdecimal, value)) >= _LEAST_DIGITS[found.kind]
    if found.announced or found.kind not in WORDED:
        return True
    if found.kind != Entity.JOB_TITLE and look_up(fold(value)).ordinary >= _OFTEN:
        return False
    return found.lead >= _ABBREVIATED_LEAD or not value.replace(" ", "").isupper()


def may_be(kind: str, value: str) -> bool:
    """Tell whether a value of this kind may look so.

    A number has digits, and a telephone number not too many. A lone number of one or two is no date, nor is a time as
    machines write it, and zero is no amount. A flight has a number or a day, so a town is none. A mail address has its
    sign.
    """
    letters, digits = sum(char.isalpha() for char in value), sum(char.isdecimal() for char in value)
    if kind in _LEAST_CHARS and (digits < 2 or _HEX.fullmatch(value) is not None):
        return False
    if kind == "PHONE_NUMBER" and digits > _MOST_PHONE_DIGITS:
        return False
    if kind == "PHONE_NUMBER" and digits == 3:
        return value.strip("()") in _SHORT_NUMBERS or value[:1] == "1"
    if (least := _LEAST_CHARS.get(kind)) is not None:
        return digits + (0 if kind == "PHONE_NUMBER" else letters) >= least
    if (kind == "JOB_TITLE" and value.casefold() in _ROLES) or (kind in WORDED and len(set(value)) < _LEAST_LETTERS):
        return False
    if kind == "APPOINTMENT_DATE" and _STAMP.match(value):
        return False
    if kind in ("APPOINTMENT_DATE", "DATE_OF_BIRTH"):
        return letters > 0 or digits > 2 or (digits > 0 and not value.isdecimal())
    if kind == "EMAIL_ADDRESS":
        return "@" in value
    if kind == "ADDRESS":
        return digits > 0 or " " in value.strip()
    if kind == "FLIGHT":
        return letters > 0 and digits > 0 and letters + digits > 2
    if kind in ("TRANSACTION_AMOUNT", "UTILITY_BILL"):
        return letters > 0 or (any(decimal(char, 0) for char in value) and (digits > 1 or not value.isdecimal()))
    return letters >= _LEAST_LETTERS or (kind not in WORDED and letters + digits > 2)
