"""Recognises telephone numbers of organisations: toll-free, shared-cost, premium-rate and company-wide ones.

A hotline belongs to no person. So these numbers pass where a model that was taught nothing private says them surely
(`pretrained`). The types are those of the numbering plans in `phonenumbers`.

Not covered: numbers without country code, other than North American ones; organisations' ordinary numbers.
"""

from __future__ import annotations

import re

import phonenumbers
from phonenumbers import PhoneNumberType

from reticent_detectors.entities import Entity

_SORTS = frozenset(
    {PhoneNumberType.TOLL_FREE, PhoneNumberType.SHARED_COST, PhoneNumberType.PREMIUM_RATE, PhoneNumberType.UAN}
)
_INTERNATIONAL = re.compile(r"\+[\d\s().-]{6,24}")
_NORTH_AMERICAN = re.compile(r"(?:1[ .-]\(?\d{3}\)?|\(\d{3}\))[ .-]?\d{3}[ .-]\d{4}")
"""Matches a number with a leading 1 or with brackets. Without both it may be another country's mobile number."""


def is_organisations(value: str, entity: str) -> bool:
    """Says whether a whole value is a telephone number of a type that organisations have."""
    if entity != Entity.PHONE_NUMBER:
        return False
    text = value.strip()
    if not (_INTERNATIONAL.fullmatch(text) or _NORTH_AMERICAN.fullmatch(text)):
        return False
    try:
        number = phonenumbers.parse(text, "US")
    except phonenumbers.NumberParseException:
        return False
    return phonenumbers.is_valid_number(number) and phonenumbers.number_type(number) in _SORTS
