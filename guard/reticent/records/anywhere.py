"""The forms by which a recorded value is known wherever it stands, without words or a border beside it.

`spellings` compares a value that something found. These forms need no finder: digits in their order, an e-mail address,
a run of letters and digits, each also backwards. They are stored as hashes, as all forms are.
"""

from __future__ import annotations

from collections.abc import Iterator

from reticent.records.spellings import forms
from reticent_detectors.entities import Entity
from reticent_detectors.finder.plain_text import plain_form_of
from reticent_detectors.finder.recorded import BEGINNING_CHARS, LEAST_DIGITS, LEAST_RUN, MOST_RUN

DIGITS, RUN, MAIL, MAIL_DOMAIN, BEGINNING = "digits", "run", "post", "mailhost", "begin"
_MOST_DIGITS = 24
_NO_IDENTITY = frozenset(
    {
        *(
            Entity.ADDRESS,
            Entity.TRANSACTION_AMOUNT,
            Entity.UTILITY_BILL,
            Entity.APPOINTMENT_DATE,
            Entity.DATE_OF_BIRTH,
        ),
        *(Entity.DATE_TIME, Entity.FLIGHT, Entity.COORDINATES, Entity.DIAGNOSIS, Entity.PRESCRIPTION, Entity.LOCATION),
    }
)
"""Kinds whose digits alone are no value: dates, sums, places and doses."""


def _whole_forms(value: str, entity: str) -> Iterator[tuple[str, str]]:
    text = plain_form_of(value).strip()
    compact = "".join(filter(str.isalnum, text))
    digits = "".join(char for char in compact if char in "0123456789")
    is_mail = "@" in text
    if is_mail:
        yield MAIL, text.casefold()
        yield MAIL_DOMAIN, text.rpartition("@")[2].casefold()
    elif entity in _NO_IDENTITY:
        return
    if 2 * len(digits) >= len(compact):
        national = (
            form.removeprefix("number:")
            for form in forms(value, entity, is_query=False).whole_forms
            if entity == Entity.PHONE_NUMBER and form.startswith("number:")
        )
        for number in {digits, *national}:
            if LEAST_DIGITS <= len(number) <= _MOST_DIGITS and number.isdecimal():
                yield DIGITS, number
                yield DIGITS, number[::-1]
    if (digits or is_mail) and digits != compact and LEAST_RUN <= len(compact) <= MOST_RUN and compact.isascii():
        yield RUN, compact.casefold()
        yield RUN, compact.casefold()[::-1]


def anywhere_forms(value: str, entity: str) -> Iterator[tuple[str, str]]:
    """Yields the forms of a recorded value, each with its sort. `BEGINNING` is how numbers and runs begin.

    A text that begins in no such way need not be held back until all of a value could have come.
    """
    for sort, form in _whole_forms(value, entity):
        yield sort, form
        if sort in (DIGITS, RUN):
            yield BEGINNING, form[:BEGINNING_CHARS]
