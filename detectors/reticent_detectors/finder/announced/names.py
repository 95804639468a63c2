"""Names (of a doctor, a company, a hospital, a party), found by what announces them."""

from __future__ import annotations

from dataclasses import dataclass

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder import names_data
from reticent_detectors.finder.announced.field_ends import TITLES, WORD, field_at, is_named_person, plain_word
from reticent_detectors.finder.announced.phrase_ends import end_if_completed, end_of_whole_answer
from reticent_detectors.finder.announced.phrase_reader import ELIDED
from reticent_detectors.finder.context import stop_words
from reticent_detectors.finder.context.announcements import Announcement, Strength
from reticent_detectors.finder.context.left_context import ENGLISH
from reticent_detectors.finder.context.position import Position
from reticent_detectors.finder.context.word_sets import word_set
from reticent_detectors.finder.engine.recognizers import NONE, AroundPattern
from reticent_detectors.finder.languages import lexicon
from reticent_detectors.finder.languages.forms import FORMS
from reticent_detectors.finder.languages.wordings import fold

_NO_NAME = stop_words.NO_START | stop_words.DAYS | stop_words.MONTHS
_NO_DOCTOR = stop_words.NO_START | stop_words.DAYS
"""April Smith may be one."""
# A family name alone is a doctor's behind a title.
_TITLED = regex.compile(
    r"(?i)\b(?:dr|dra|drs|doct(?:or|ora|eur|eure)|do[kt]tor(?:in|e|essa)?|dott|dott\.ssa|doutora?"
    r"|prof(?:essor|essora|essorin|esseure?|essore)?)\.? $"
)
_WORKPLACE = regex.compile(r"\b(?:como|come|comme|de) [\p{L} ]{3,40} (?:en|em|in|a|à|no|na) $")
# "The salary of Jo Day" is not paid by her; "works for Jo Day" may well be.
_GENITIVE = regex.compile(r"(?i)\b(?:of|von|de|del|di|della|do|da|dos|du|des|d['’]) ?$")
_COMMON_NOUN = regex.compile(r"\p{Lu}\p{Ll}+(?:ung|ungen|heit|keit|schaft|ion|ionen|tät|kunst|zeit|nis|tum|ment)$")
_FROM_PLACE = regex.compile(r"(?i)\b(?:von|in|en|em|a|à|au|na|no) $")
# How hospitals end that begin like a person ("Mercy General").
_HOUSE = regex.compile(
    r" (?:general|memorial|regional|medical|infirmary|mercy|methodist|presbyterian|deaconess|children['’]?s)(?:$| )"
)
# One is a member of these without a view of theirs.
_BODIES = regex.compile(
    r"parl[ai]+ment|senat|congress|council|assembly|commission|committee"
    r"|\b(?:house|court|board|team|states|estados|stati|etats|staaten|university|united nations|jury|royal society)\b"
)


def _common_noun(entity: Entity | None, text: str, p: int, end: int) -> bool:
    """Whether a single word is a place, or one of the German nouns, which have capitals as well."""
    if entity is not Entity.EMPLOYER or " " in text[p:end]:
        return False
    if _COMMON_NOUN.match(text, p, end):
        return True
    return (
        bool(_FROM_PLACE.search(text, max(0, p - 6), p)) and names_data.look_up(names_data.fold(text[p:end])).place >= 1
    )


def _begins_none(entity: Entity, text: str, p: int, plain: str, languages: int, found: Announcement | None) -> bool:
    """Whether no name of the kind begins with the word at p."""
    if (text[p - 1 : p] == "-" and text[p - 2 : p - 1].isalnum()) or ELIDED.match(text, p):
        return True
    asked = found is not None and found.strength is Strength.ASKED
    if asked and plain in lexicon().lead and not FORMS.get(entity, FORMS[Entity.HOSPITAL]).match(plain):
        return True
    return (
        plain in stop_words.NO_START | stop_words.DAYS | TITLES
        or (plain in stop_words.MONTHS and not (entity is Entity.DOCTOR and is_named_person(text, p)))
        or (plain in lexicon().start(languages) and plain not in ("casa", "das"))
    )


def _is_other(entity: Entity, text: str, p: int, end: int) -> bool:
    """Whether the name is one of something else, as far as its form and what stands before it tell."""
    value, alone = fold(text[p:end]), " " not in text[p:end]
    if entity is Entity.DOCTOR:
        known = names_data.look_up(names_data.fold(text[p:end])) if alone else None
        unlikely = known is not None and (not known.family or known.ordinary or known.place)
        return bool(unlikely) and not _TITLED.search(text, max(0, p - 16), p)
    workplace = entity is Entity.EMPLOYER and alone and _WORKPLACE.search(text, max(0, p - 64), p)
    if workplace and not FORMS[entity].match(value):
        return True  # "trabaja como fontanero en Sevilla"
    owned = entity is not Entity.EMPLOYER or _GENITIVE.search(text, max(0, p - 8), p)
    if owned and is_named_person(text, p):
        house = entity is Entity.HOSPITAL and _HOUSE.search(value)
        if not house and not any(FORMS[kind].match(value) for kind in (entity, Entity.EMPLOYER) if kind in FORMS):
            return True
    return _common_noun(entity, text, p, end)


def _looks_like(entity: Entity, value: str) -> bool:
    """Whether a name, folded, has the form of the kind's; where none is known, more than one word."""
    form = FORMS.get(entity)
    if form is None:
        return " " in value
    return bool(form.match(value)) or (entity is Entity.HOSPITAL and bool(_HOUSE.search(value)))


def _is_place(value: str) -> bool:
    return any(names_data.look_up(word).place >= 2 for word in value.split())


def _is_party(value: str, written: str, announced: bool) -> bool:
    """Whether a name, folded, is that of a party or a faith.

    Members of a body (a parliament, a court) need not share a view. Countries and initials alone are nobody's party.
    """
    if _BODIES.search(value):
        return False
    place = names_data.look_up(names_data.fold(written)).place
    return (announced and "." not in value and not place) or bool(FORMS[Entity.NRP].match(value))


_NEXT_SENTENCE = word_set("she they we it its this these those there their our your")
_NEXT_LABELS = word_set(
    """tel telefon telephone telefono telefone phone mobile mobil movil handy cell fax email mail web website
    address adresse anschrift direccion indirizzo endereco morada age edad alter eta idade date datum fecha data dob
    birthdate diagnosis diagnose diagnostico diagnostic diagnosi hospital clinic klinik clinica clinique department
    abteilung servicio room zimmer sala patient paciente paziente name nombre nom nome note notes notiz nota
    appointment termin cita visit insurance seguro"""
)


def _without_next(text: str, p: int, end: int) -> int:
    """Gives the end of somebody's name before the next field's label ("Luis Gil Tel:") or a sentence's first word.

    Only words that are nobody's name are taken off: records do not hold a name that is too short.
    """
    head, blank, last = text[p:end].rpartition(" ")
    while blank and ((text[end : end + 1] == ":" and fold(last) in _NEXT_LABELS) or fold(last) in _NEXT_SENTENCE):
        end = p + len(head)
        head, blank, last = head.rpartition(" ")
    return end


@dataclass(frozen=True, slots=True)
class AnnouncedName(AroundPattern):
    """A name in capitals (a doctor, an employer, a hospital), found by what announces it."""

    @property
    def fallback(self) -> bool:
        return self.inner.fallback

    @property
    def plain_word_starts(self) -> str:
        return self.inner.plain_word_starts

    @property
    def needs_announcement(self) -> bool:
        return True

    @property
    def announced_kinds(self) -> frozenset[Entity]:
        return frozenset({self.entity}) if self.entity is not None else frozenset()

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:  # noqa: C901 - parts would cost a call and a second test at every announced name
        entity = self.inner.entity
        assert entity is not None
        found = position.announced.get(entity)
        framed = 0
        if found is None or found.strength is Strength.ASKED or found.needs_form:
            framed = position.framed.get(entity, 0)
            if not framed and found is None:
                return NONE
        if found is not None:
            end = field_at(text, p, position, entity, closed)
            if end:
                return end
        if text[p].islower() and (found is None or not found.languages & ~ENGLISH):
            return NONE
        first = WORD.match(text, p)
        not_first = _NO_DOCTOR if entity is Entity.DOCTOR else _NO_NAME
        if first is not None and first.end() + 1 < len(text) and plain_word(first[0]) in not_first:
            return NONE
        end = self.inner.match(text, p, closed)
        if end <= NONE:
            return end
        if entity is Entity.DOCTOR:
            end = _without_next(text, p, end)
        languages = framed if found is None else found.languages
        if _begins_none(entity, text, p, plain_word(first[0]) if first else "", languages, found):
            return NONE
        if (found is None or found.strength is not Strength.LABEL) and _is_other(entity, text, p, end):
            return NONE
        value = fold(text[p:end])
        sure = entity is not Entity.HOSPITAL and (entity is not Entity.EMPLOYER or position.someone)
        if framed and (sure or FORMS[entity].match(value)):
            whole = end_if_completed(text, end, position, entity, framed, closed)
            if whole or found is None:
                return whole
        if found is None:
            return NONE
        if (
            found.needs_form
            and found.strength is Strength.ASKED
            and not (entity in FORMS and _looks_like(entity, value))
        ):
            name = " " in value and text[p:end].istitle() and not _is_place(value)
            return end_of_whole_answer(entity, text, p, end, closed) if name else NONE
        if found.needs_form and not _looks_like(entity, value):
            return NONE
        return (
            NONE if entity is Entity.NRP and not _is_party(value, text[p:end], found.sure and position.someone) else end
        )

    def could_be_cut_value(self, text: str, p: int, position: Position) -> bool:
        return self.inner.could_be_cut_value(text, p, position)
