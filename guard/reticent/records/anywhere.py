"""The forms by which a recorded value is known wherever it stands, without words or a border beside it.

`spellings` compares a value that something found. These forms need no finder: digits in their order, an e-mail address,
a run of letters and digits, each also backwards. They are stored as hashes, as all forms are. Forms of whole words, of
groups of digits and of days are in `word_forms`, `group_forms` and here.

A run of more than `MOST_RUN` letters and digits is cut into pieces, each of which is found by itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from reticent.records.dates import days
from reticent.records.group_forms import group_forms
from reticent.records.spellings import forms
from reticent.records.transliteration import readings
from reticent.records.word_forms import SCHEME, mail_locals, word_forms
from reticent_detectors.entities import Entity
from reticent_detectors.finder.plain_text import plain_form_of
from reticent_detectors.finder.recorded import LEAST_DIGITS, LEAST_RUN, MOST_RUN
from reticent_detectors.finder.recorded_lookup import BEGINNING_CHARS, LEAST_BEGINNING

DIGITS, RUN, MAIL, MAIL_DOMAIN, MAIL_LOCAL, BEGINNING = "digits", "run", "post", "mailhost", "mailname", "begin"
WORDS, FIRST_WORDS, DAY = "wholewords", "firstwords", "calendarday"
GROUP, GROUP_PAIR, GROUPS = "digitgroup", "digitgrouppair", "digitgroups"
RUN_BEGINNING, LETTERS, LETTERS_BEGINNING = "runbegin", "letters", "lettersbegin"
SORTS = (
    *(DIGITS, RUN, MAIL, MAIL_DOMAIN, MAIL_LOCAL, BEGINNING, WORDS, FIRST_WORDS, DAY, GROUP, GROUP_PAIR, GROUPS),
    *(RUN_BEGINNING, LETTERS, LETTERS_BEGINNING),
)
NAMELESS = frozenset(
    {MAIL_DOMAIN, MAIL_LOCAL, BEGINNING, FIRST_WORDS, GROUP, GROUP_PAIR, RUN_BEGINNING, LETTERS_BEGINNING}
)
"""Sorts of which the kind is not asked: they are parts of values."""
_MOST_DIGITS, _LEAST_LETTERS = 24, 8
DAYS = frozenset({Entity.DATE_OF_BIRTH, Entity.APPOINTMENT_DATE, Entity.DATE_TIME})
_SUMS = frozenset({Entity.TRANSACTION_AMOUNT, Entity.UTILITY_BILL})
_NO_IDENTITY = frozenset(
    {
        *(Entity.ADDRESS, *_SUMS, *DAYS, Entity.FLIGHT, Entity.COORDINATES),
        *(Entity.DIAGNOSIS, Entity.PRESCRIPTION, Entity.LOCATION),
    }
)
"""Kinds whose digits alone are no value: dates, sums, places and doses."""


def _run_forms(compact: str) -> Iterator[tuple[str, str, int]]:
    """Yields the pieces of a run of at most `MOST_RUN` characters, of about the same size, none cut between digits."""
    count = -(-len(compact) // MOST_RUN)
    size, start = -(-len(compact) // count), 0
    while start < len(compact):
        end = min(start + size, len(compact))
        while end > start + LEAST_RUN and compact[end - 1 : end + 1].isdecimal() and end < len(compact):
            end -= 1
        piece = compact[start:end]
        start = end
        if len(piece) >= LEAST_RUN:
            for form in (piece, piece[::-1]):
                yield RUN, form, len(form)
            for size in range(LEAST_BEGINNING, len(piece) + 1):
                yield RUN_BEGINNING, piece[:size], 0


def _whole_forms(value: str, entity: str) -> Iterator[tuple[str, str, int]]:
    text = plain_form_of(value).strip()
    is_mail = "@" in text
    if is_mail:
        local, _, domain = text.rpartition("@")
        yield MAIL, text.casefold(), 0
        yield MAIL_DOMAIN, domain.casefold(), 0
        for name in mail_locals(local):
            yield MAIL_LOCAL, name, 0
    elif entity in _NO_IDENTITY:
        return
    if entity == Entity.URL and (scheme := SCHEME.match(text)) is not None:
        yield from _run_forms("".join(filter(str.isalnum, text[scheme.end() :])).casefold())
    for number, plain in enumerate(readings(text)):
        compact = "".join(filter(str.isalnum, plain))
        digits = "".join(char for char in compact if char in "0123456789")
        if 2 * len(digits) >= len(compact) and not number:
            for sure in {digits, *_national(value, entity), *_within_iban(compact, entity)}:
                if LEAST_DIGITS <= len(sure) <= _MOST_DIGITS and sure.isdecimal():
                    yield DIGITS, sure, len(sure)
                    yield DIGITS, sure[::-1], len(sure)
        if (digits or is_mail) and digits != compact and len(compact) >= LEAST_RUN and compact.isascii():
            yield from _run_forms(compact.casefold())


def _national(value: str, entity: str) -> Iterator[str]:
    """Yields a telephone number as it is dialled at home."""
    if entity == Entity.PHONE_NUMBER:
        for form in forms(value, entity, is_query=False).whole_forms:
            if form.startswith("number:") and form[7:].isdecimal():
                yield form[7:]


def _within_iban(compact: str, entity: str) -> Iterator[str]:
    """Yield the digits for bank and account of an IBAN, from which anybody can compute its check digits."""
    if entity == Entity.IBAN_CODE and compact[4:].isdecimal():
        yield compact[4:]


def anywhere_forms(value: str, entity: str) -> Iterator[tuple[str, str, int]]:
    """Yields the forms of a recorded value, each with its sort and size. `BEGINNING` is how numbers and runs begin.

    A text that begins in no such way need not be held back until all of a value could have come.
    """
    for sort, form, size in _whole_forms(value, entity):
        yield sort, form, size
        if sort in (DIGITS, RUN):
            yield BEGINNING, form[:BEGINNING_CHARS], 0
    if entity in DAYS:
        for day in days(value)[0]:
            yield DAY, day, 0
    if entity not in _SUMS:
        for words in word_forms(value, entity):
            yield WORDS, " ".join(words), len(words)
            if _LEAST_LETTERS <= len(letters := "".join(words)) <= MOST_RUN:
                yield LETTERS, letters, len(letters)
                yield LETTERS_BEGINNING, letters[:BEGINNING_CHARS], 0
            for count in range(1, len(words) + 1):
                yield FIRST_WORDS, " ".join(words[:count]), 0
    if entity not in _NO_IDENTITY or entity == Entity.COORDINATES:
        for groups in group_forms(value, entity, _national(value, entity)):
            yield GROUPS, " ".join(groups), len(groups)
            for at, group in enumerate(groups):
                yield GROUP, group, 0
                for other in groups[at + 1 :]:
                    yield GROUP_PAIR, f"{group} {other}", 0
