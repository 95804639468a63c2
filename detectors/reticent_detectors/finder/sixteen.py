"""The table of the sixteen kinds that the people of our casts have: by form, and in fields of that name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder.address_forms import (
    ANNOUNCED_ADDRESS,
    MILITARY_ADDRESS,
    UK_ADDRESS,
    US_ADDRESS,
    is_address,
)
from reticent_detectors.finder.amounts import AMOUNT, MONEY, BilledAmount
from reticent_detectors.finder.date_forms import ANY_DATE, DATE, ENGLISH_DATE, MONTH
from reticent_detectors.finder.engine.recognizers import Pattern, Recognizer
from reticent_detectors.finder.fields.field_by_name import WORDED, FieldByName
from reticent_detectors.finder.flights import (
    AIRLINES,
    DATED_LEG,
    FLIGHT_CODE,
    FLIGHT_NUMBER,
    NO_LEG,
    NO_PLACE,
    FlightNumber,
    Trip,
)
from reticent_detectors.finder.mail_addresses import MAIL
from reticent_detectors.finder.name_forms import PLACE
from reticent_detectors.finder.numbers import identity
from reticent_detectors.finder.numbers.number_forms import Numbers
from reticent_detectors.finder.numbers.phones import is_grouped


def has_digits(least: int) -> Callable[[str], bool]:
    return lambda value: sum(c.isdigit() for c in value) >= least


# No piece of a longer number or of a decimal fraction. A list's number may stand before it ("3.415 555 0172", "5-...").
_NO_PIECE = r"(?<!\d{3}[.–-]|[vV]\d{1,2}\.|\d[.–-]\d{1,2}[.–-]|(?<!\d)0\.)(?!(?<=(?<![\n\d]|^)\d{1,2}\.)\d{7})"

SIXTEEN: Sequence[Recognizer] = (
    Numbers("order", Entity.ORDER_NUMBER, identity.ORDERS),
    MAIL,
    Pattern(
        "uuid",
        Entity.ORDER_NUMBER,
        "uld",
        r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}",
        tail=r"(?![\p{L}\p{N}-])",
        fragment=r"(?=[a-f-]*\d)(?=\d*[a-f])[0-9a-f]{5}|[0-9a-f]{8}-",
        start=r"(?<!\w=)",  # a parameter of a program or of a log
        plain_word_starts="",
    ),
    Pattern(
        "iban",
        Entity.BANK_ACCOUNT,
        "u",
        (
            r"\p{Lu}{1,4}\d{8,30}|\p{Lu}{4}(?: \d{2,4}){3,6}"
            r"|\p{Lu}{2}\d{2}(?: ?[\p{Lu}\d]{4}){2,7}(?:[\p{Lu}\d]{1,4}| (?=\p{Lu}{0,3}\d)[\p{Lu}\d]{1,4})?"
        ),
        accept=has_digits(8),
        fragment=r"\p{Lu}{2,4}\d{2}",
    ),
    Pattern(
        "address",
        Entity.ADDRESS,
        "du",
        f"{US_ADDRESS}|{MILITARY_ADDRESS}|{UK_ADDRESS}",
        tail=r"(?![\p{L}\p{N}]|-\p{N})",
        right=2,
        fragment=r"\d{1,6} \p{Lu}\p{Ll}+ \p{Lu}\p{Ll}|PSC \d|Unit \d",
    ),
    FieldByName("address-field", Entity.ADDRESS, "uld"),
    *WORDED,
    Trip(
        Pattern(
            "flight",
            Entity.FLIGHT,
            "u",
            rf"{PLACE} to {PLACE} on {ENGLISH_DATE}",
            tail=r"(?![\p{N}]|[-/]\p{N})",
            right=2,
            start=NO_PLACE,
            fragment=rf"{PLACE} to \p{{Lu}}\p{{L}}",
        ),
        "flight",
    ),
    Pattern(
        "phone",
        Entity.PHONE_NUMBER,
        "ds",
        (
            r"(?:\+?\d{1,3}[-. ]?)?(?:\(\d{3}\)[- ]?|\d{3}[-. ]?)\d{3}[-. ]?\d{4}(?: ?(?:x|ext\.? ?)\d{1,6})?"
            r"|\+\d{1,3}(?:[-. ]?\(?\d{1,5}\)?){2,5}|\(0\d{1,5}\) ?\d{3,9}"
        ),
        start=_NO_PIECE,
        tail=r"(?![\p{L}\p{N}_@]|[-./]\p{N})",
        right=2,
        accept=is_grouped,
        fragment=r"\+\d|\(\d{2}|\d{3}[-.]\d",
    ),
    Pattern(
        "date",
        Entity.APPOINTMENT_DATE,
        "du",
        DATE,
        start=r"(?<![,;|\t=])",  # a cell or field, which its name announces if it is somebody's
        tail=r"(?![\p{L}\p{N}]|[-/.]\p{N}|\.\p{Ll}| \d\d:\d\d:\d)",  # nor a version, a file's name, a time stamp
        right=8,
        fragment=rf"(?:19|20)\d\d-|{MONTH} \d",
    ),
    Pattern(
        "appointment",
        Entity.APPOINTMENT_DATE,
        "dul",
        ANY_DATE,
        tail=r"(?![\p{L}\p{N}]|[-/.]\p{N}| de \p{N}| \p{N}{4})",
        right=5,
        needs_announcement=True,
    ),
    BilledAmount(AMOUNT),
    Pattern(
        "money",
        None,
        "dsu",
        MONEY,
        tail=r"(?![\p{L}\p{N}]|\.\p{N}|,\p{N}{3}(?!\p{N}))",
        right=5,
        kind_lookahead=r" (?:for|on|towards?|in) (?:(?:the|his|her|their|my|your) )?(?:utilit(?:y|ies)|\w{1,11})",
        kinds=frozenset({Entity.UTILITY_BILL, Entity.TRANSACTION_AMOUNT}),
        fragment=r"[$€£]\d",
    ),
    Pattern(
        "card",
        Entity.CREDIT_CARD_DIGITS,
        "d",
        r"\d{4}",
        tail=r"(?![\p{L}\p{N}]|[-/.:]\p{N}|[, ]\p{N}{3})",
        right=4,
        needs_announcement=True,
    ),
    Trip(
        Pattern(
            "leg", Entity.FLIGHT, "u", DATED_LEG, tail=r"(?![\p{L}\p{N}]|[-/]\p{N})", right=2, start=NO_LEG + NO_PLACE
        ),
        "leg",
    ),
    Pattern(
        "flight-number",
        Entity.FLIGHT,
        "ud",
        FLIGHT_NUMBER,
        tail=r"(?![\p{L}\p{N}]|[-/.]\p{N})",
        right=2,
        needs_announcement=True,
        fragment=r"(?:\p{Lu}{2}|\p{Lu}\d|\d\p{Lu}) ?-?\d",
    ),
    FlightNumber(
        Pattern("flown", Entity.FLIGHT, "ud", FLIGHT_CODE, tail=r"(?![\p{L}\p{N}]|[-/.]\p{N})", right=2),
        regex.compile(rf"{AIRLINES}[ -]?\d{{2,4}}"),
    ),
    Pattern(
        "said-phone",
        Entity.PHONE_NUMBER,
        "ds",
        r"\+?\(?\d(?:[ ().\-/]{0,2}\d){4,20}(?:x\d{1,6})?",
        tail=r"(?![\p{L}\p{N}])",
        needs_announcement=True,
        fallback=True,
    ),
    Pattern(
        "said-account",
        Entity.BANK_ACCOUNT,
        "ud",
        r"[\p{Lu}\d](?:[ -]?[\p{Lu}\d]){5,33}",
        start=r"(?!(?:IBAN|BIC|SWIFT)(?!\p{L}))",
        needs_announcement=True,
        fallback=True,
        accept=has_digits(5),
    ),
    Pattern(
        "said-order",
        Entity.ORDER_NUMBER,
        "uld",
        r"[\p{L}\d](?:[-]?[\p{L}\d]){3,50}",
        tail=r"(?![\p{L}\p{N}]|-\p{N})",
        right=2,
        needs_announcement=True,
        fallback=True,
        accept=has_digits(2),
    ),
    Pattern(
        "said-address",
        Entity.ADDRESS,
        "uld",
        ANNOUNCED_ADDRESS,
        tail=r"(?![\p{L}\p{N}])",
        needs_announcement=True,
        fallback=True,
        accept=is_address,
    ),
    Pattern(
        "said-flight",
        Entity.FLIGHT,
        "u",
        rf"{PLACE} to {PLACE}(?: on {ENGLISH_DATE})?",
        tail=r"(?![\p{L}\p{N}])",
        right=2,
        needs_announcement=True,
        fallback=True,
        start=NO_PLACE,
    ),
)
