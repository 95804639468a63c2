"""Fields of forms, tables and code whose name says the kind of their words: an address, an employer, a diagnosis.

The form of such values shows no end, and often nothing at all: the name of the field decides.
Names of places, organisations and people count only as the whole name of a field (`languages.columns`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder import names_data
from reticent_detectors.finder.context.announcements import ANNOUNCED
from reticent_detectors.finder.context.position import Position
from reticent_detectors.finder.engine.recognizers import NONE
from reticent_detectors.finder.fields.field_ends import NO_FIELD, field_at, field_end
from reticent_detectors.finder.languages import LANGUAGES, lexicon
from reticent_detectors.finder.languages.columns import COLUMNS
from reticent_detectors.finder.languages.language import in_keys
from reticent_detectors.finder.languages.wordings import BREAKS, Tokens, Tree, fold

_LABEL_WORDS = 8
# What may stand before the name of a field, in code as well.
_BEFORE = (
    BREAKS
    | frozenset("·({,[-:<@$&*#)>\t•–—")
    | frozenset(["const", "let", "var", "self", "this", "val", "final", "string", "str", "private", "public", "static"])
)
_NUMBERED = regex.compile(r"\d+")
_MARKS = frozenset(":=|>→⇒➜➔➡-–—,;\t\n\"'“«`*(_[•")


@cache
def _columns() -> Tree:
    tree = Tree()
    for i, language in enumerate(LANGUAGES):
        for entity, row in COLUMNS[language.name].items():
            tree.add(in_keys(row), entity, 1 << i)
    return tree


def _called(tokens: Tokens, i: int) -> frozenset[Entity]:
    """Gives the kinds that the whole name of a field means; the name ends with token i."""
    while _NUMBERED.fullmatch(tokens.get(i)):
        i += 1
    found: dict[Entity, int] = {}
    for start in (i, i + 1) if lexicon().fillers.get(tokens.get(i), 0) else (i,):
        for ends, j in _columns().walk(tokens, start):
            word = tokens.get(j)
            if lexicon().owned.get(word, 0):
                word = tokens.get(j + 1)
            if j - i <= _LABEL_WORDS and (not word or word in _BEFORE):
                for entity in ends:
                    found[entity] = max(j, found.get(entity, 0))
    longest = max(found.values(), default=0)
    return frozenset(entity for entity, j in found.items() if j == longest)


def _column_kinds(position: Position) -> frozenset[Entity]:
    """Gives what the field that begins at a position holds: by the head of its column, or by the label before it."""
    if position.form is not None:
        label = position.form.label
        if found := _called(Tokens(label, 0, len(label)), 0):
            return found
    place = position.label()
    return frozenset() if place is None else _called(*place)


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
    return bool(_PLACE.fullmatch(value)) and len(value) > 1 and fold(value) not in NO_FIELD


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

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:
        if p < 2 or position.word_before is not None or (text[p - 1] not in _MARKS and text[p - 1] != " "):
            return NONE
        if text[p - 1] == " " and text[p - 2] not in _MARKS and text[p - 2] != " ":
            return NONE
        if self.entity is Entity.ADDRESS:
            end = field_at(text, p, position, self.entity, closed)
        elif self.entity in ANNOUNCED and position.form is not None and position.form.allows_prose:
            return NONE
        else:
            if position.column is None:
                position.column = _column_kinds(position)
            end = field_end(text, p, position, self.entity, closed) if self.entity in position.column else NONE
        if end <= NONE:
            return end
        return end if self._test(text[p:end]) else NONE

    def may_follow(self, before: str) -> bool:
        return False

    def could_be_cut_value(self, text: str, p: int, position: Position) -> bool:
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
