"""Decides which recorded values count wherever their whole words stand, and in which words.

Enough has to stand there that it is no accident. Values with a digit need six letters and digits. A value of letters
needs two words and seven letters (three ideographs): a first name or a town alone is too common. A single word of
eight letters counts if it is a secret. Of kinds that name what many share (towns, diagnoses, professions) values need
two words and twelve letters, or eight letters and digits. An ideograph counts as two letters.

Names count without their title and with the last name first as well, addresses also by their street line and with the
number on the other side of the street, addresses of the web without `https://`, IP addresses of version 6 in full and
in short.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from ipaddress import IPv6Address

from reticent.records import spelling_words as w
from reticent.records.transliteration import readings
from reticent_detectors.entities import ENTITIES, Entity
from reticent_detectors.finder.plain_text import plain_form_of
from reticent_detectors.finder.recorded_words import WORD, word_form

_MOST_WORDS = 16
_LEAST_SIGNS, _LEAST_LETTERS, _LEAST_SECRET = 6, 7, 8
_LEAST_SHARED_SIGNS, _LEAST_SHARED_LETTERS = 8, 12
_LEAST_NUMBERS = 7
_LEAST_STREET = 8
_FOUR_DIGITS = frozenset({Entity.CREDIT_CARD_DIGITS, Entity.PIN})
_PEOPLE = frozenset({Entity.PERSON, Entity.DOCTOR})
_SECRETS = frozenset({Entity.PASSWORD, Entity.USERNAME, Entity.SECRET_KEY, Entity.CRYPTO})
SCHEME = re.compile(r"[a-z][a-z0-9+.-]{1,15}://(?:www\.)?", re.IGNORECASE)
_JOINED_STREET = re.compile(r"(?<=\w\w)str(?:asse|aat)\Z")
_LINES = re.compile(r"[,;\n]")


def places_words(words: tuple[str, ...]) -> str:
    """Joins words to a form, in which "Road" and "Rd." are the same, as are "Lindenstraße" and "Lindenstr.", and states
    their short names.
    """
    short = (w.STATES.get(word, word) for word in words)
    return " ".join(w.STREET.get(word) or _JOINED_STREET.sub("str", word) for word in short)


def word_forms(value: str, entity: str) -> Iterator[list[str]]:
    """Yields the words of a recorded value, in each of the ways in which they count."""
    text = plain_form_of(value)
    seen = set[tuple[str, ...]]()
    for written in _ways(text, entity):
        for plain in (written, *readings(written)):
            words = [word_form(word) for word in WORD.findall(plain)]
            for order in _orders(words, entity):
                own = tuple(places_words((word,)) for word in order)
                if own not in seen and len(own) <= _MOST_WORDS and _is_enough(order, entity):
                    seen.add(own)
                    yield list(own)


def _ways(text: str, entity: str) -> Iterator[str]:
    yield text
    if entity == Entity.URL and (scheme := SCHEME.match(text)) is not None:
        yield text[scheme.end() :]
    if entity == Entity.ADDRESS and any(map(str.isdecimal, line := _LINES.split(text)[0])) and " " in line.strip():
        yield line
    if entity == Entity.IP_ADDRESS:
        with suppress(ValueError):
            address = IPv6Address(text.strip())
            yield address.exploded
            yield address.compressed


def _orders(words: list[str], entity: str) -> Iterator[list[str]]:
    yield words
    if entity in _PEOPLE:
        bare = [word for at, word in enumerate(words) if word not in w.TITLES and (at or word not in w.LEADING_TITLES)]
        yield bare
        if len(bare) > 1:
            yield [bare[-1], *bare[:-1]]
            yield [*bare[1:], bare[0]]
    if entity == Entity.ADDRESS and sum(map(_has_digit, words)) == 1 and sum(map(len, words)) > _LEAST_STREET:
        if words[0].isdecimal():
            yield [*words[1:], words[0]]
        elif words[-1].isdecimal():
            yield [words[-1], *words[:-1]]


def _has_digit(word: str) -> bool:
    return any(map(str.isdecimal, word))


def _is_enough(words: list[str], entity: str) -> bool:
    size = sum(2 if char >= "\u2e80" else 1 for word in words for char in word)
    if not ENTITIES[Entity(entity)].long:
        if entity in _FOUR_DIGITS or len(words) < 2:
            return False
        return size >= (_LEAST_SHARED_SIGNS if any(map(_has_digit, words)) else _LEAST_SHARED_LETTERS)
    if len(words) > 1 and all(map(str.isdecimal, words)):
        return size >= _LEAST_NUMBERS
    if any(map(_has_digit, words)):
        return size >= _LEAST_SIGNS
    if len(words) > 1:
        return size >= (_LEAST_SIGNS if words[0] >= "\u2e80" else _LEAST_LETTERS)
    return entity in _SECRETS and size >= _LEAST_SECRET


def mail_locals(local: str) -> Iterator[str]:
    """Yields what stands before an @, if it is no word of letters alone: those are common ("info", "mara")."""
    if len(local) >= 4 and not local.isalpha():
        yield local.casefold()
