"""Values of ordinary words (an illness, a job), found by what announces them."""

from __future__ import annotations

from dataclasses import dataclass

import regex

from reticent_detectors.entities import PROTECTED, Entity
from reticent_detectors.finder.announced.compound_jobs import end_of_compound_job
from reticent_detectors.finder.announced.crime_spans import of_others
from reticent_detectors.finder.announced.field_ends import WORD, field_at, is_named_person, plain_word
from reticent_detectors.finder.announced.phrase_ends import end_if_completed, end_of_whole_answer
from reticent_detectors.finder.announced.phrase_reader import PhraseReader
from reticent_detectors.finder.context.announcements import COMMON, Announcement, Strength
from reticent_detectors.finder.context.left_context import ENGLISH
from reticent_detectors.finder.context.position import Position
from reticent_detectors.finder.context.word_sets import word_set
from reticent_detectors.finder.engine.recognizers import NONE, OPEN
from reticent_detectors.finder.languages import lexicon
from reticent_detectors.finder.languages.forms import FORMS
from reticent_detectors.finder.languages.wordings import fold

_FULL_NAME = regex.compile(r"\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}")
_HELD = PROTECTED - {Entity.CRIMINAL_RECORD}
_HOLDERS = word_set(
    """again party voter voters supporter politician activist candidate councillor member family household believer
    convert witness scientist man woman girl boy person guy lady couple parents faith church views values politics
    at by heart choice birth marriage upbringing background descent origin"""
)


@dataclass(frozen=True, slots=True)
class AnnouncedPhrase:
    """A value of ordinary words (a diagnosis, a medicine, a job), found by what announces it.

    It ends before a word of `Language.stop`, or a mark that is no part of it.
    In a form, a table or code it goes on to the end of its field.

    Args:
        name: of the recogniser.
        entity: what the value is.
        qualified: whether a comma and a qualifier, a bracket, and "and" may follow ("Engineer, civil (consulting)").
        start_classes, fallback, plain_word_starts: as of every `Recognizer`.
        most: the longest value, in words.
    """

    name: str
    entity: Entity
    qualified: bool = False
    start_classes: str = "ul"
    fallback: bool = False
    most: int = 7
    plain_word_starts: str = "ul"

    @property
    def needs_announcement(self) -> bool:
        return True

    @property
    def announced_kinds(self) -> frozenset[Entity]:
        return frozenset({self.entity})

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:  # noqa: C901, PLR0912 - parts would cost a call and a second test at every announced value
        found = position.announced.get(self.entity)
        framed = 0
        if found is None or (found.strength is Strength.ASKED and position.framed):
            framed = position.framed.get(self.entity, 0)
            if not framed and found is None:
                return NONE
        if framed:
            found = Announcement(Strength.STRONG, framed, True)
        assert found is not None
        if text[max(0, p - 3) : p] == "```" or (text[p - 1 : p] == "-" and text[p - 2 : p - 1].isalnum()):
            return NONE  # the language of a block of code; the rest of a word
        field_end = field_at(text, p, position, self.entity, closed)
        if field_end:
            return field_end if field_end == OPEN or self._labelled(text[p:field_end]) else NONE
        if found.strength is Strength.ASKED and self.entity is not Entity.NRP:
            head = WORD.match(text, p)
            lead = (
                0
                if head is None
                else lexicon().lead.get(plain_word(head[0]), 0) & (position.question.languages | ENGLISH)
            )
            if head is not None and lead:
                first = 1 + position.is_noun(self.entity, p, head.end())
                compound = end_of_compound_job(self.entity, text, head, closed, first) if lead & ENGLISH else NONE
                if compound <= NONE:
                    return compound
        if found.strength is not Strength.LABEL and is_named_person(text, p):
            return NONE
        if self.entity is Entity.CRIMINAL_RECORD and found.strength is not Strength.LABEL and of_others(position):
            return NONE
        form = FORMS.get(self.entity) if self._needs_form(text, p, found, framed) else None
        if framed and self.entity is Entity.JOB_TITLE and form is not None:
            head = WORD.match(text, p)
            if head is not None and head.end() + 1 < len(text) and not form.match(fold(head[0])):
                return NONE
        end = PhraseReader(
            self.entity, self.qualified, self.most, text, p, position, found.languages, closed, form
        ).end()
        if end <= NONE:
            return end
        if framed:
            value = fold(text[p:end])
            # "Dass Jan Weber Schweißer ist": a job begins with its first word, behind the name.
            if self.entity is Entity.JOB_TITLE:
                value = next(iter(value.split()), "")
            if self.entity in COMMON and not FORMS[self.entity].match(value):
                return NONE
            return end_if_completed(text, end, position, self.entity, framed, closed)
        if found.strength is Strength.LABEL:
            return end if self._labelled(text[p:end]) else NONE
        if not self._admitted(text, p, end, position, found):
            asked = found.strength is Strength.ASKED and (text[p].islower() or self.entity not in PROTECTED)
            sure = found.sure and self.entity is Entity.JOB_TITLE and text[p].isupper()
            if position.leads and asked and found.needs_form:
                return end_of_whole_answer(self.entity, text, p, end, closed)
            if (position.leads and asked) or sure:
                return self._end_of_plain_words(text, end, position, closed)
            return NONE
        return end

    def could_be_cut_value(self, text: str, p: int, position: Position) -> bool:
        if self.at(text, p, position, False) != OPEN:
            return False
        # The last word may be cut.
        whole = text[: max(text.rfind(" "), p)].rstrip()
        if self.at(text, p, position, True) > NONE or (len(whole) > p and self.at(whole, p, position, True) > NONE):
            return True
        return self.entity in FORMS and FORMS[self.entity].begun(fold(text[p:]))

    def _labelled(self, value: str) -> bool:
        """Whether the value may stand behind a label of its kind: an orientation is also where a house looks to."""
        plain = fold(value)
        return self.entity is not Entity.SEXUAL_ORIENTATION or plain == "straight" or FORMS[self.entity].match(plain)

    def _needs_form(self, text: str, p: int, found: Announcement, framed: int) -> bool:
        """Whether only words that look like a value are one here (see `_admitted`), so others need no reading."""
        if framed:
            return self.entity in COMMON
        if found.strength <= Strength.ASKED or found.strength is Strength.LABEL:
            return False
        if found.sure and self.entity is Entity.JOB_TITLE and text[p].isupper():
            return False
        return found.needs_form or self.entity in PROTECTED or (text[p].islower() and not found.sure)

    def _admitted(self, text: str, p: int, end: int, position: Position, found: Announcement) -> bool:
        """Whether words that are not surely announced are a value: by their capitals, in English, or by their form."""
        value = fold(text[p:end])
        if self.entity in _HELD and found.languages & ENGLISH and not _held_by_somebody(self.entity, value):
            return False
        if FORMS[self.entity].match(value):
            return not text[p].islower() or found.strength is not Strength.WEAK or found.needs_form
        if found.needs_form or self.entity in PROTECTED:
            return False
        if _FULL_NAME.match(text, p, end) and found.strength is not Strength.LABEL:
            return False
        if not text[p].islower():
            # The subject of a sentence ("just as Cyril came back"), or somebody's thing.
            if self.entity is not Entity.JOB_TITLE or "," in value:
                return "'s " not in value
            return all(not word.islower() or len(word) < 4 for word in text[p:end].split())
        head = value.split()[0]
        return found.sure and not head.endswith(("ly", "ing", "ed"))

    def _end_of_plain_words(self, text: str, end: int, position: Position, closed: bool) -> int:
        """Gives the end of words without a value's form; NONE unless they are the whole answer, or end a sentence."""
        if end == len(text):
            return end if closed else OPEN
        return end if text[end] in ".!\n" or (bool(position.ends) and text[end] in position.ends) else NONE


def _held_by_somebody(entity: Entity, value: str) -> bool:
    """Whether the words go with people alone ("a lifelong Democrat", not "a democratic government" or "a gay mood")."""
    return all(word in _HOLDERS or FORMS[entity].match(word) for word in value.split()[1:])
