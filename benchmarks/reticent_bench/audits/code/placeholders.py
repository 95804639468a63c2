"""Recognises placeholders and fixtures among the values of generated tests.

A placeholder stands for a value: xxx, changeme, `<your-email>`, John Doe, 1234. A fixture is reserved for examples or
published for tests: example.com, 555 numbers, test cards. Reserved values come from `reticent.policy.reserved_values`.
What the guard lets pass as well comes from `reticent.policy.placeholders`. The audit counts more: a value that may be
a placeholder is no leak.

Not covered: placeholders in other words than English, but for a few names and addresses; values that somebody invented
for one code base and that look like anybody's.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import Literal

from reticent.policy.placeholder_words import PUBLISHED
from reticent.policy.placeholders import camel_split, is_made_of, is_placeholder
from reticent.policy.reserved_values import is_reserved
from reticent_bench.audits.code import placeholder_words as words
from reticent_bench.audits.code.attributes import ATTRIBUTES
from reticent_detectors.entities import Entity

Harmless = Literal["placeholder", "fixture"]

_MOST_CHARS = 400
_TEMPLATE = re.compile(r"<[^<>@]{1,60}>|\{[\w .-]{0,60}\}|\$[A-Z_]{3,}|(?<!\w)%[sdvq](?!\w)|\[[A-Za-z_ ]{2,40}\]")
_MASK = re.compile(r"(?<![A-Za-z0-9])[xX]{3,}|[*#•]{3,}")
_DATE_MASK = re.compile(r"(?i)\b(?:yyyy|dd?|mm?)([-/.])(?:mm?|dd?)\1(?:yyyy|dd?|yy)\b")
_FIRST_OF_JANUARY = re.compile(r"(?:\d{4}[-/.]0?1[-/.]0?1|0?1[-/.]0?1[-/.]\d{4}|0000[-/.]00[-/.]00)(?:[T ].*)?")
_ADDRESS_START = re.compile(r"(?P<number>\d{1,5})\s+(?P<street>[A-Za-z]+(?: [A-Za-z]+)?)")
_MAIL = re.compile(r"(?P<local>[^@\s]+)@(?P<domain>[\w.-]+)")
_EXAMPLE_DOMAIN = re.compile(r"(?i)(?:.*\.)?example(?:\.[a-z]{2,3}){1,2}")
_FIVES = re.compile(r"(?:1?555\d{4}|1?555\d{7}|1?[2-9]\d{2}55501\d{2})")
_RESERVED_KINDS = (
    *(Entity.EMAIL_ADDRESS, Entity.PHONE_NUMBER, Entity.CREDIT_CARD, Entity.US_SSN, Entity.URL, Entity.IP_ADDRESS),
)
_LEET = str.maketrans("@0134$5!7", "aoieassit")
_SEQUENTIAL_SHARE = 0.8
_TRIVIAL_DIGITS = 3
_PREFIX_LETTERS = 3
_SERIAL_DIGITS = 4


def harmless(value: str, attribute: str = "") -> Harmless | None:
    """Returns whether a value is a placeholder or a fixture; None if it may be somebody's.

    Args:
        value: the decoded text of a literal, or a value within it.
        attribute: key of the attribute that the value has by its form or its name; empty if unknown.
    """
    text = unicodedata.normalize("NFKC", value).strip()
    if not text or len(text) > _MOST_CHARS:
        return None
    if _is_fixture(text, attribute):
        return "fixture"
    return "placeholder" if _is_placeholder(text, attribute) else None


def _is_fixture(text: str, attribute: str) -> bool:
    if any(is_reserved(text, entity) for entity in _RESERVED_KINDS if _may_be(entity, attribute)):
        return True
    compact = re.sub(r"[\s-]", "", text)
    if compact in PUBLISHED or text in PUBLISHED:
        return True
    mail = _MAIL.fullmatch(text)
    if mail is not None:
        return _EXAMPLE_DOMAIN.fullmatch(mail["domain"]) is not None
    return attribute == "phone" and _FIVES.fullmatch(_digits(text)) is not None


def _may_be(entity: Entity, attribute: str) -> bool:
    """Whether a value of the attribute may be reserved as this kind of number. Other kinds tell by their form."""
    wanted = {
        Entity.PHONE_NUMBER: ("phone",),
        Entity.US_SSN: ("identity",),
        Entity.CREDIT_CARD: ("credit_card",),
    }.get(entity)
    return not attribute or wanted is None or attribute in wanted


def _is_placeholder(text: str, attribute: str) -> bool:
    folded = text.casefold()
    if is_placeholder(text, ATTRIBUTES[attribute].entity if attribute in ATTRIBUTES else Entity.OTHER):
        return True
    if folded in words.PHRASES or _TEMPLATE.search(text) or _MASK.search(text) or _DATE_MASK.search(text):
        return True
    mail = _MAIL.fullmatch(text)
    if mail is not None:
        return _is_placeholder_mail(mail["local"], mail["domain"])
    if attribute == "name" and _is_placeholder_name(folded):
        return True
    if attribute == "date_of_birth":
        return _FIRST_OF_JANUARY.fullmatch(text) is not None
    if attribute == "address" and _is_placeholder_address(folded):
        return True
    if _is_serial(text) or _is_sequential(text):
        return True
    tokens = re.findall(r"[^\W\d_]+", camel_split(text))
    if any(token.casefold() in words.STRONG for token in tokens):
        return True
    return _is_generic(text) or (attribute in ("password", "secret_key", "pin") and _is_common_password(folded))


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text)


def _is_placeholder_mail(local: str, domain: str) -> bool:
    labels = domain.casefold().split(".")
    if any(label in words.DOMAINS for label in labels[:-1]):
        return True
    return _is_generic(local) or local.casefold() in words.PHRASES


def _is_placeholder_name(folded: str) -> bool:
    parts = re.findall(r"[^\W\d_]+", folded)
    if len(parts) == 1:
        return parts[0] in words.FIRST_NAMES or parts[0] in words.LAST_NAMES
    return len(parts) > 1 and parts[0] in words.FIRST_NAMES and parts[-1] in words.LAST_NAMES


def _is_placeholder_address(folded: str) -> bool:
    match = _ADDRESS_START.match(folded)
    if match is None:
        return False
    street = match["street"].split()
    return match["street"] in words.STREETS or (street[0] in words.STREETS and match["number"] in words.HOUSE_NUMBERS)


def _is_serial(text: str) -> bool:
    """Letters of at most three, or words of no meaning, before digits that only count: A1234567, MRN-001."""
    match = re.fullmatch(r"(?P<letters>[^\W\d_]{0,20})[-_# ]?(?P<digits>\d{1,16})", text)
    if match is None or not match["letters"]:
        return False
    digits, letters = match["digits"], match["letters"].casefold()
    if len(digits) >= _SERIAL_DIGITS and _steps(digits) >= _SEQUENTIAL_SHARE:
        return len(letters) <= _PREFIX_LETTERS or _segments(letters)
    is_generic = len(letters) == 1 or _segments(letters)
    return is_generic and (len(digits) <= _TRIVIAL_DIGITS or not digits.strip("0")[1:])


def _is_sequential(text: str) -> bool:
    """Digits or letters that count up or down or repeat: 1234, 9876, 1111, abcdef123456."""
    if not re.search(r"\d", text) and not re.fullmatch(r"[A-Za-z]{6,}", text):
        return False
    compact = re.sub(r"[\W_]", "", text).casefold()
    pieces = re.findall(r"[^\W_]+", text.casefold())
    longest = compact if compact.isdigit() else max(pieces, key=len, default="")
    least = _SERIAL_DIGITS if longest.isdigit() else 2 * _SERIAL_DIGITS
    return len(longest) >= least and _steps(longest) >= _SEQUENTIAL_SHARE


def _steps(text: str) -> float:
    """The share of neighbours that count up, count down or repeat. Nine and zero are neighbours."""
    steps = [ord(b) - ord(a) for a, b in pairwise(text)]
    if not steps:
        return 0.0
    wraps = sum({a, b} == {"9", "0"} for a, b in pairwise(text))
    return (sum(abs(step) <= 1 for step in steps) + wraps) / len(steps)


def _is_generic(text: str) -> bool:
    """Whether all words of a text are words of no meaning and its digits only count."""
    tokens = [token.casefold() for token in re.findall(r"[^\W\d_]+", text)]
    if not tokens or not all(len(token) == 1 or _segments(token) for token in tokens):
        return False
    runs = re.findall(r"\d+", text)
    return all(len(run) <= _TRIVIAL_DIGITS or _steps(run) >= _SEQUENTIAL_SHARE for run in runs)


def _is_common_password(folded: str) -> bool:
    letters = re.sub(r"[^a-z]", "", re.sub(r"[\d\W_]+$", "", folded).translate(_LEET))
    return bool(letters) and _segments(letters)


def _segments(token: str) -> bool:
    return is_made_of(token, words.GENERIC)
