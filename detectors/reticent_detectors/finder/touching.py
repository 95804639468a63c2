"""Numbers that a letter or an underscore touches: `tel_650-555-0117`, `x650-555-0117`, `PHONE_6505550117`.

A form needs a border on either side of a value. Here the number is read with blanks in place of what touches it, so
that a word before it is its label. Most such numbers are parts of names and versions. So only kinds with a form of
their own count, and digits without separators only with a label or a check digit.
"""

from __future__ import annotations

from typing import Any

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder.engine.position import LEFT_CHARS
from reticent_detectors.finder.engine.recognizers import NONE, OPEN
from reticent_detectors.finder.form_values import FormValues
from reticent_detectors.finder.forms import Asked, FormScan
from reticent_detectors.finder.redactions import SURROGATE_ACCOUNT

_MOST_CHARS = 48
_SEPARATORS = " .()/-"
_NUMBER: Any = regex.compile(
    r"(?:[0-9](?:[ .()/-]{0,2}+[0-9]){6,22}+|[A-Z]{2}[0-9]{2}(?:[ -]?[A-Z0-9]){11,30}+)(?=[^0-9]|\Z)"
)
_CHECKED = frozenset({Entity.CREDIT_CARD, Entity.IBAN_CODE})
_KINDS = _CHECKED | {
    *(Entity.PHONE_NUMBER, Entity.BANK_ACCOUNT, Entity.US_SSN, Entity.US_ITIN, Entity.NATIONAL_ID, Entity.TAX_ID),
    *(Entity.PASSPORT, Entity.DRIVER_LICENSE, Entity.MEDICAL_RECORD_NUMBER, Entity.CREDIT_CARD_DIGITS),
}
_HASH_CHARS = 64
_HEX_BEFORE, _HASH = regex.compile(r"[0-9a-f]+\Z"), regex.compile(r"[0-9a-f]{32,64}")
_HEX_LETTERS = frozenset("abcdefABCDEF")


def _touches_before(text: str, p: int) -> bool:
    """Whether a letter or an underscore stands directly before p."""
    return p > 0 and (text[p - 1].isalpha() or text[p - 1] == "_")


def touching_number(text: str, p: int, closed: bool, forms: FormValues, asked: Asked) -> tuple[str, int, str] | int:
    """Give (kind, end, recogniser) of the number at p that something touches; NONE; OPEN while more may follow."""
    limit = min(len(text), p + _MOST_CHARS)
    more = not closed and limit == len(text) and limit < p + _MOST_CHARS
    match = _NUMBER.match(text, p, limit, partial=more)
    if match is None:
        return NONE
    if match.partial or (more and not text[match.end() : limit].strip(_SEPARATORS)):
        return OPEN
    if text.startswith(SURROGATE_ACCOUNT, p - len(SURROGATE_ACCOUNT)):
        return NONE
    before, after = _touches_before(text, p), text[match.end() : match.end() + 1]
    if not (before or after.isalpha() or after == "_"):
        return NONE
    if after in _HEX_LETTERS and text[p - 1 : p] in _HEX_LETTERS:
        first = _HEX_BEFORE.search(text, max(0, p - _HASH_CHARS), p)
        if not match[0].isdigit() or (first is not None and _HASH.match(text, first.start())):
            return NONE  # a UUID, a hash or the like
    left = text[max(0, p - LEFT_CHARS) : p].rstrip("_") + (" " if before else "")
    scan = FormScan(forms.kinds, asked, len(left))
    scan.take(left + match[0])
    span = scan.value_at(len(left))
    if span is None or span.entity not in _KINDS or span.entity not in forms.only:
        return NONE
    if match[0].isalnum() and span.entity not in _CHECKED:
        named = scan.named(len(left))
        if (named is None or span.entity not in named.kinds) and span.entity not in asked.kinds:
            return NONE
    return span.entity, p + span.end - len(left), span.recognizer
