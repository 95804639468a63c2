"""Values behind a preposition with which a sentence begins, and that the rest of the sentence names.

"Bei Rheinbau arbeitet Jo Day", "At Ashby Textiles, she works in accounts", "Como abogado, Jo Day cobra mucho".
The value ends at a comma or at the verb. The sentence must name somebody.
Names of firms, clinics, doctors and parties also need one of the verbs of their kind
(`languages.opening_prepositions`). Other values need the form of their kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder import names_data
from reticent_detectors.finder.announced.field_ends import is_named_person
from reticent_detectors.finder.announced.of_several_kinds import OfSeveralKinds
from reticent_detectors.finder.announced.value_first import VALUE_FIRST_KINDS
from reticent_detectors.finder.context import stop_words
from reticent_detectors.finder.context.position import Position
from reticent_detectors.finder.context.word_sets import word_set
from reticent_detectors.finder.engine.recognizers import NONE, OPEN
from reticent_detectors.finder.languages import LANGUAGES, lexicon
from reticent_detectors.finder.languages.forms import FORMS
from reticent_detectors.finder.languages.opening_prepositions import FRONTS
from reticent_detectors.finder.languages.wordings import fold

_GERMAN = "German"
_OPENING_CHARS = 40
_VALUE_WORDS = 6
_TAIL_CHARS = 64
_BEGIN = regex.compile(r"(?:^|[.!?:\n][\"”»)*_]*\s+|\n\s*|^\s*)[\"“«*_¿¡(]*([\p{L}][\p{L}'’ ]{0,34}?)[ ]?[\"“«*_]?$")
_WORD = regex.compile(
    r"[^\W_]+(?:[-‐/&+.][^\W_]+)*(?:['’](?=[^\W_])[^\W_]+)?"
    r"(?:(?<=\b(?:St|Co|Inc|Ltd|Ltda|Corp|Dr|Dra|Prof|[A-Z]|S\.A|S\.L|S\.p\.A|S\.r\.l|s\.r\.l))\.)?|&"
)
_ELIDED_VERB = regex.compile(r"(?ri)c['’]est ")
_STOP = regex.compile(r"[.;!?](?=\s)|\n")
_JOINTS = word_set(
    """of de di do da du des del dos das della dell dei delle la las los le les and und et e y & van von der den san
    santa the am"""
)
_RELATIVES = frozenset(["que", "qui", "qu", "che", "è", "é", "where", "wo", "où", "donde", "dove", "onde"])
_AUXILIARIES = word_set(
    """ist war hat hatte wird wurde lasst liess kann konnte muss musste soll sollte darf durfte mochte will wollte
    kam ging begann bekam bekommt"""
)
_LANDS = word_set(
    """england scotland wales ireland britain america germany deutschland frankreich osterreich schweiz england
    italien spanien portugal europa europe africa afrika asia asien france espagne italie allemagne angleterre
    suisse belgique espana alemania francia inglaterra italia portugal suiza mexico argentina chile peru colombia
    germania inghilterra spagna svizzera europa brasil brazil alemanha franca inglaterra espanha suica angola
    mocambique usa uk china japan japon russland russia rusia russie amerika easter christmas weihnachten ostern
    navidad natale natal noel pasqua pascua pascoa home work school church university"""
)
_VERB_WORDS = 5
_NAMED = frozenset({Entity.DOCTOR, Entity.HOSPITAL, Entity.EMPLOYER})
_PAIR = regex.compile(
    r"\b\p{Lu}[\p{L}'’-]+ "
    r"(?:\p{Lu}\. |(?:van|von|de|da|di|del|der|den|la|le|dos|do|du|des|della) ){0,2}\p{Lu}[\p{L}'’-]+"
)
_LETTERS = regex.compile(r"[^\W\d_]+")


@cache
def _openings() -> dict[str, tuple[tuple[Entity, str, frozenset[str], tuple[str, ...]], ...]]:
    """Gives what first words of a sentence announce: kind, language, and the verbs of which one must follow."""
    found: dict[str, list[tuple[Entity, str, frozenset[str], tuple[str, ...]]]] = {}
    for language in LANGUAGES:
        for entity, (openings, verbs) in FRONTS[language.name].items():
            words = fold(verbs).split()
            whole = frozenset(word for word in words if word[-1] != "-")
            parts = tuple(word[:-1] for word in words if word[-1] == "-")
            for opening in fold(openings).split("|"):
                found.setdefault(opening.strip().replace("' ", "'"), []).append((entity, language.name, whole, parts))
    return {opening: tuple(rows) for opening, rows in found.items()}


@cache
def _last_words() -> frozenset[str]:
    return frozenset(opening.split()[-1].split("'")[-1] or opening.split()[-1] for opening in _openings())


def _is_verb(word: str, whole: frozenset[str], parts: tuple[str, ...]) -> bool:
    return word in whole or (bool(parts) and word.startswith(parts))


def _find_opening(text: str, p: int, position: Position, closed: bool) -> tuple[Entity | None, int]:
    """Gives (kind, end) of the value at p; the end is OPEN while it is unknown."""
    before = position.word_before
    if before is not None:
        if fold(before) not in _last_words():
            return None, NONE
    elif text[p - 1 : p] not in ("'", "’") and not _ELIDED_VERB.match(text, max(0, p - 6), p):
        return None, NONE
    left = text[max(0, p - _OPENING_CHARS) : p]
    begin = _BEGIN.search(left)
    if begin is None or (begin.start() == 0 and p > _OPENING_CHARS and left[0].isalnum()):
        return None, NONE
    rows = _openings().get(fold(begin[1]).replace("’", "'"))
    if rows is None:
        return None, NONE
    unsure = False
    for entity, language, whole, parts in rows:
        end = _value(text, p, entity, language, whole, parts, closed)
        if end == OPEN:
            unsure = True
        elif end > NONE:
            return (None, OPEN) if unsure else (entity, end)
    return None, OPEN if unsure else NONE


def _value(
    text: str, p: int, entity: Entity, language: str, whole: frozenset[str], parts: tuple[str, ...], closed: bool
) -> int:
    """Gives the end of a value of the kind at p, NONE or OPEN."""
    end, comma = _read(text, p, entity, language, whole, parts, closed)
    if end <= NONE:
        return end
    if not _fits(entity, language, text[p:end], comma, text, p):
        return NONE
    tail = text[end : end + _TAIL_CHARS]
    over = _STOP.search(tail)
    known = closed or over is not None or len(tail) == _TAIL_CHARS
    rest = tail[: over.start()] if over else tail if known else tail[: max(tail.rfind(" "), 0)]
    following = [fold(word) for word in _LETTERS.findall(rest)]
    if entity in _NAMED and not comma:
        # The verb is near: German has it directly behind the value, the others within some words.
        if language == _GERMAN:
            if following and following[0] not in _AUXILIARIES and not _is_verb(following[0], whole, parts):
                return NONE
        elif len(following) > _VERB_WORDS and not any(_is_verb(word, whole, parts) for word in following[:_VERB_WORDS]):
            return NONE
    verb = not (whole or parts) or any(_is_verb(word, whole, parts) for word in following)
    person = bool(_PAIR.search(rest)) or any(word in lexicon().person for word in following)
    if verb and person:
        # The last name of the rest may still grow, but that somebody is named stays so.
        return end
    return NONE if known else OPEN


def _read(
    text: str, p: int, entity: Entity, language: str, whole: frozenset[str], parts: tuple[str, ...], closed: bool
) -> tuple[int, bool]:
    """Gives the end of the words that may be a value of the kind, NONE or OPEN; and whether a comma ends them."""
    named, form = entity in _NAMED, FORMS[_form(entity)]
    end, at, capital = p, p, False
    for count in range(_VALUE_WORDS + 1):
        word = _WORD.match(text, at)
        if word is None:
            return OPEN if at >= len(text) and not closed else NONE, False
        if not closed and word.end() >= len(text) - 1:
            return OPEN, False
        plain, small = fold(word[0]), word[0][0].islower()
        verb = (small and _is_verb(plain, whole, parts)) or word[0] in _RELATIVES
        if count and (verb or _ends_before(plain, small, capital, entity, language, bool(whole or parts))):
            return end, False
        if count == _VALUE_WORDS or (count == 0 and plain in stop_words.NO_START | stop_words.MONTHS | stop_words.DAYS):
            return NONE, False
        by_form = entity is Entity.NRP or (named and count == 0)
        if by_form and small and plain not in _JOINTS and not form.match(plain):
            return NONE, False
        capital = capital or not small
        end = word.end()
        if not named and count == 1 and not form.match(fold(text[p:end])) and not form.match(plain):
            return NONE, False
        mark = text[end : end + 2]
        if mark == ", ":
            return end, True
        if mark[:1] != " ":
            return NONE, False
        at = end + 1
    return NONE, False


def _ends_before(plain: str, small: bool, capital: bool, entity: Entity, language: str, verbs: bool) -> bool:
    """Whether a value ends before a word that is not its first.

    `capital`: the value begins with one. `verbs`: a verb of the kind must follow.
    """
    words, bit = lexicon(), 1 << next(i for i, known in enumerate(LANGUAGES) if known.name == language)
    if entity in _NAMED:
        if small and plain not in _JOINTS and not FORMS[_form(entity)].match(plain):
            return True
    elif language != _GERMAN and plain in words.stop(bit) and plain not in words.inside(bit):
        return True
    if language == _GERMAN:
        return small and capital and plain not in _JOINTS  # the verb comes second
    return not verbs and small and plain in words.saying


def _form(entity: Entity) -> Entity:
    return Entity.HOSPITAL if entity is Entity.DOCTOR else entity


def _fits(entity: Entity, language: str, value: str, comma: bool, text: str, p: int) -> bool:
    """Whether the words may be a value of the kind: names by their capitals, the others by their form."""
    words = value.split()
    if entity is Entity.EMPLOYER:
        known = names_data.look_up(names_data.fold(words[0]))
        if is_named_person(text, p) or not value[0].isupper():
            return False
        has_form = FORMS[entity].match(fold(value))
        return has_form or (
            not (len(words) == 1 and fold(value) in _LANDS)
            and not (len(words) == 1 and (known.place or known.given or known.ordinary))
        )
    if entity is Entity.DOCTOR:
        return len(words) > 1 and is_named_person(text, p)
    if entity is Entity.JOB_TITLE:
        head = words[-1] if language in ("English", _GERMAN) else words[0]
        return FORMS[entity].match(fold(head)) and not is_named_person(text, p)
    if entity is Entity.NRP:
        return FORMS[entity].match(fold(value))
    return FORMS[entity].match(fold(value))


@dataclass(frozen=True, slots=True)
class PrepositionalOpening(OfSeveralKinds):
    """A value behind the preposition with which a sentence begins."""

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:
        if self.entity is VALUE_FIRST_KINDS[0] or position.prepositional_opening is None:
            position.prepositional_opening = _find_opening(text, p, position, closed)
        entity, end = position.prepositional_opening
        return end if end == OPEN or entity is self.entity else NONE

    def may_follow(self, before: str) -> bool:
        return fold(before) in _last_words()
