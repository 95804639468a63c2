"""Fields of forms, tables and code whose name says the kind of their words: an address, an employer, a diagnosis.

The form of such values shows no end, and often nothing at all: the name of the field decides.
Names of places, organisations and people count only as the whole name of a field (`fields.field_names`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder import names_data
from reticent_detectors.finder.fields.field_ends import field_end
from reticent_detectors.finder.fields.field_names import field_before, field_words
from reticent_detectors.finder.forms.labels import fold
from reticent_detectors.finder.match_ends import NONE

_MARKS = frozenset(":=|>→⇒➜➔➡-–—,;\t\n\"'“«`*(_[•")
_MARKS_AND_BLANK = _MARKS | {" "}


_ADDRESS = regex.compile(
    r"(?=[^\n]*?\p{L}{3})(?=[^\n]*(?:\d|,[ \n]?\p{L}))(?![^\n]*(?:@|://|[={}<>\\]|\.\w{2,4}/))"
    r"(?!(?:\d{1,3}\.){3}\d)[\p{Lu}\d][^\s,]*[ ,]"
)
_SENTENCE_SIGNS = regex.compile(r"[!?]|\. \p{Lu}\p{Ll}+ \p{Ll}+ \p{Ll}| (?:is|was|are|ist|war|est|es|è|é) ")
_PLACE = regex.compile(
    r"(?:\p{Lu}|[dls]['’]\p{Lu})[\p{L}\p{M}.'’-]*(?:[ -](?:\p{Lu}|\p{L}{1,4}[ ’']|\()[\p{L}\p{M}.'’()-]*){0,5}"
    r"(?:, \p{Lu}[\p{L}\p{M}.'’ -]*){0,2}(?: ?[/(] ?\p{L}{2,3}\)?)?"
)
_GROUP = regex.compile(r"(?=[^\n]*\p{L}{2})(?=[^\n]*(?:\p{Lu}|\d))[\p{L}\d][^\n=<>{}\\@]*")
_SHOUTED = regex.compile(r"[A-Z_]{7,}|\w*_\w*|[a-z][\w.-]*|\d+")
_NAME_WORD = r"(?:\p{Lu}[\p{L}\p{M}]*(?:[’'-]\p{Lu}?[\p{L}\p{M}]+)*\.?|\p{Lu}\.)"
_SMALL = r"(?:van|von|der|den|de|da|do|di|del|della|du|des|la|le|los|las|el|bin|al|ter|zu|dos|das|y|e|zum|zur|d['’])"
_PERSON = regex.compile(
    rf"{_NAME_WORD}(?:,? (?:{_SMALL} ){{0,2}}{_NAME_WORD}|,? {_SMALL}){{1,5}}|{_NAME_WORD} {_SMALL}['’]?{_NAME_WORD}"
)


def _is_address(value: str) -> bool:
    return bool(_ADDRESS.match(value)) and not _SENTENCE_SIGNS.search(value)


def _is_place(value: str) -> bool:
    return bool(_PLACE.fullmatch(value)) and len(value) > 1 and fold(value) not in field_words()["no_value"]


def _is_group(value: str) -> bool:
    return bool(_GROUP.fullmatch(value)) and not _SHOUTED.fullmatch(value) and not _SENTENCE_SIGNS.search(value)


def _is_person(value: str) -> bool:
    if not _PERSON.fullmatch(value):
        return False
    words = [names_data.look_up(names_data.fold(word)) for word in regex.split(r"[ ,.]+", value) if word]
    return any(word.given or word.family for word in words)


def _is_phrase(value: str) -> bool:
    return bool(_PHRASE.fullmatch(value)) and not _SENTENCE_SIGNS.search(value)


def _is_name(value: str) -> bool:
    return value[0].isupper() and _is_phrase(value)


_PHRASE = regex.compile(r"(?=.*\p{L}{3})(?!\p{Lu}{7,}+$|\S*_\S*$)[\p{L}\p{N}][^\n=<>{}\\@]*")
_TESTS = {
    Entity.ADDRESS: _is_address,
    Entity.LOCATION: _is_place,
    Entity.ORGANIZATION: _is_group,
    Entity.PERSON: _is_person,
    Entity.DOCTOR: _is_name,
    Entity.HOSPITAL: _is_name,
    Entity.EMPLOYER: _is_name,
}


@dataclass(frozen=True, slots=True)
class FieldByName:
    """Recognises a whole field by its name."""

    name: str
    entity: Entity
    start_classes: str = "ul"
    fallback: bool = False
    plain_word_starts: str = "ul"
    _test: Any = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_test", _TESTS.get(self.entity, _is_phrase))

    def at(self, text: str, p: int, position: object, closed: bool) -> int:
        """Return the end of the field at p; OPEN while more text could change it, or NONE. The position is not read."""
        if p < 2 or (text[p - 1] not in _MARKS and (text[p - 1] != " " or text[p - 2] not in _MARKS_AND_BLANK)):
            return NONE
        found = field_before(text, p)
        if found is None or self.entity not in found.kinds or (found.allows_prose and self in WORDED):
            return NONE
        end = field_end(text, p, found.ends, self.entity, closed)
        if end <= NONE:
            return end
        return end if self._test(text[p:end]) else NONE

    def may_begin(self, word: str, mark: str, led: bool) -> bool:
        return not led

    def could_be_cut_value(self, text: str, p: int, position: object) -> bool:
        return len(text) - p > 2 and self.at(text, p, position, True) == len(text)


def _fields(*kinds: Entity) -> tuple[FieldByName, ...]:
    return tuple(FieldByName(f"{kind.lower()}-field", kind) for kind in kinds)


WORDED = _fields(
    Entity.JOB_TITLE, Entity.EMPLOYER, Entity.DOCTOR, Entity.HOSPITAL, Entity.DIAGNOSIS, Entity.PRESCRIPTION,
    Entity.SEXUAL_ORIENTATION, Entity.CRIMINAL_RECORD,
)  # fmt: skip
"""Rows of kinds whose values are words without a form."""
FIELDS_BY_NAME = _fields(Entity.PERSON, Entity.LOCATION, Entity.ORGANIZATION)
"""Rows of the general kinds."""
