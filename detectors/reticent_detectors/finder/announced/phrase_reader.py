"""How far a value of ordinary words goes, read word for word."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import regex

from reticent_detectors.entities import PROTECTED, Entity
from reticent_detectors.finder.announced.compound_jobs import end_of_compound_job
from reticent_detectors.finder.announced.crime_spans import crime_end
from reticent_detectors.finder.announced.field_ends import NO_FIELD, WORD, WORD_JOINTS, plain_word
from reticent_detectors.finder.context import stop_words
from reticent_detectors.finder.context.announcements import COMMON
from reticent_detectors.finder.context.left_context import ENGLISH
from reticent_detectors.finder.context.position import Position
from reticent_detectors.finder.context.word_sets import word_set
from reticent_detectors.finder.engine.recognizers import NONE, OPEN, REACH
from reticent_detectors.finder.languages import lexicon
from reticent_detectors.finder.languages.forms import FORMS, Form
from reticent_detectors.finder.languages.wordings import fold

ELIDED = regex.compile(r"(?i)(?:[ldsnmjtc]|qu|all|dell|nell|dall|sull|un|quell|jusqu|lorsqu)['’]\p{L}")
_BRACKET = regex.compile(r"\([\p{L}][\p{L}\p{N} ,/&'’-]{0,60}+\)")
_FULL_NAME_NEXT = regex.compile(r" (?:(?:de|da|di|von|van|do|dos|la|del) )?\p{Lu}\p{Ll}")
_ELIDED_PLACE = regex.compile(r"(?i)(?:all|dall|nell|sull|l)['’]\p{L}")
_TIME_UNITS = word_set(
    """day days week weeks month months year years night nights tag tage tagen woche wochen monat monate monaten
    jahr jahre jahren jour jours semaine semaines mois an ans annee annees spring summer autumn winter fruhjahr
    fruhling sommer herbst printemps automne hiver primavera verano otono invierno autunno inverno verao outono dia
    dias semana semanas mes meses ano anos giorno giorni settimana settimane mesi anno anni"""
)
_OF = word_set("de del di della do da dos das du des of")
_KEY_END = regex.compile(r" ?:|=|[\"'`*]{1,2} ?[:=]| = ?[\"']")
_LATIN = regex.compile(r"(?:us|is|um|ae|sa|ea|ca|va|ans|ens|ris|rix)$")
_GERMAN = 2
# What a word is to a value: a part, a part if another follows, the end, a reason for none, or not yet known.
_TAKE, _PASS, _STOP, _REFUSE, _WAIT = 1, 2, 3, 4, 5
_JOB_INSIDE = regex.compile(r"(?:English as(?: a)?|educational needs)$")


@dataclass(slots=True)
class PhraseReader:
    """Reads word for word how far a value of ordinary words goes that begins at `start`.

    Args:
        entity, qualified, most: of the announced phrase.
        text, start, position, closed: as recognisers are shown them.
        languages: of the announcement, as bits.
        form: which words the value must look like; None leaves them free.
    """

    entity: Entity
    qualified: bool
    most: int
    text: str
    start: int
    position: Position
    languages: int
    closed: bool
    form: Form | None
    _end: int = field(init=False)
    _before: str = field(init=False, default="")

    def end(self) -> int:  # noqa: C901, PLR0912 - parts would pass four states on at every word
        """Gives the end, NONE, or OPEN."""
        text, self._end, at = self.text, self.start, self.start
        limit, more = self._limit, self._more
        commas = doubtful = False
        for count in range(self.most):
            word = WORD.match(text, at, limit)
            if word is None:
                if more and at >= limit:
                    return OPEN
                break
            if more and (word.end() == limit or (word.end() + 1 == limit and text[word.end()] in WORD_JOINTS)):
                return OPEN
            plain = plain_word(word[0])
            step = self._timed(word, plain, count) or (
                self._first(word, plain) if count == 0 else self._further(word, plain, count)
            )
            if step == _STOP:
                break
            if step == _PASS:
                self._before, at = plain, word.end() + 1
                continue
            if step != _TAKE:
                return NONE if step == _REFUSE else OPEN
            doubtful = doubtful or (count == 0 and self._is_doubtful(plain))
            if doubtful and self.languages != ENGLISH:
                return NONE
            self._before, self._end = plain, word.end()
            if self.form is not None and not self.form.may_match(self._so_far, " ," if self.qualified else " "):
                return NONE
            mark = text[self._end : min(self._end + 2, limit)]
            if more and len(mark) < 2 and not mark.isalnum():
                return OPEN
            if mark == " (" and self.qualified:
                bracket = _BRACKET.match(text, self._end + 1, limit, partial=more)
                if bracket is not None and bracket.partial:
                    return OPEN
                self._end = self._end if bracket is None else bracket.end()
                break
            if mark[:1] == " ":
                at = self._end + 1
            elif mark == ", " and self.qualified and not commas and not text[self.start].islower():
                commas, at = True, self._end + 2
            else:
                break
        key = _KEY_END.match(text, self._end, partial=not self.closed)
        if key is not None:
            return OPEN if key.partial else NONE
        return NONE if doubtful and not FORMS[self.entity].match(self._so_far) else self._end

    @property
    def _limit(self) -> int:
        return min(len(self.text), self.start + REACH)

    @property
    def _more(self) -> bool:
        """Whether what follows the text may belong to the value."""
        return not self.closed and len(self.text) < self.start + REACH

    @property
    def _so_far(self) -> str:
        return fold(self.text[self.start : self._end])

    def _timed(self, word: Any, plain: str, count: int) -> int:
        """Gives how a word for a time ends a value ("takes aspirin mornings").

        0 if the word is none, or a job has it inside ("early years teacher").
        """
        if plain not in _TIME_UNITS:
            return 0
        job = count == 1 and self.languages & ENGLISH
        compound = end_of_compound_job(self.entity, self.text, word, self.closed) if job else NONE
        if compound:
            return _WAIT if compound == OPEN else 0
        return _STOP if count and FORMS[self.entity].match(self._so_far) else _REFUSE

    def _first(self, word: Any, plain: str) -> int:
        """Whether a value begins with the word."""
        words, position, entity = lexicon(), self.position, self.entity
        start = words.start(self.languages)
        idiom = plain in words.idioms(self.languages)
        noun = position.is_noun(entity, word.start(), word.end())
        if noun and entity is Entity.CRIMINAL_RECORD:
            noun = self.form is None  # else the form decides ("délit de fuite")
        compound = NONE
        if (noun or idiom or plain in start) and self.languages & ENGLISH:
            compound = end_of_compound_job(entity, self.text, word, self.closed, 1 + noun)
            if compound == OPEN:
                return _WAIT
        if ELIDED.match(self.text, self.start) or plain in NO_FIELD or (noun and not compound):
            return _REFUSE
        if entity is Entity.NRP and plain in ("de", "di"):  # "de derechas"
            return _TAKE
        none_begins = (
            plain in stop_words.NO_START | stop_words.DAYS | stop_words.MONTHS
            or (plain in start and not (compound and word[0][0].isupper()))
            or (idiom and entity not in PROTECTED and not compound)
            or (plain in words.stop(self.languages) and word[0].islower())
            or (plain in _OF and entity is not Entity.NRP)
        )
        return _REFUSE if none_begins else _TAKE

    def _is_doubtful(self, plain: str) -> bool:
        """Whether the first word announces values ("Hospital porter"): then the whole must have a value's form.

        It may begin a value as an answer's first word, or as a job's with a capital ("Licensed conveyancer").
        """
        if self.entity is Entity.CRIMINAL_RECORD and self.form is not None:
            return False  # it is asked for anyhow
        titled = self.position.leads or (self.entity is Entity.JOB_TITLE and self.text[self.start].isupper())
        return plain in lexicon().saying and not FORMS[self.entity].match(plain) and not titled

    def _further(self, word: Any, plain: str, count: int) -> int:
        """Whether the value goes on with the word."""
        words, text = lexicon(), self.text
        if plain in ("and", "or") and self.languages & ENGLISH:
            return self._joined(word)
        if plain in words.inside(self.languages) or (plain == "the" and self._before == "of"):
            if text[word.end() : word.end() + 1] == " ":
                return _PASS
            return _WAIT if self._more and word.end() + 1 >= self._limit else _STOP
        if self.entity is Entity.CRIMINAL_RECORD:
            end = crime_end(fold(text[self.start : self._limit]), 0, self._more)
            if end == OPEN or word.start() - self.start < end:
                return _WAIT if end == OPEN else _TAKE
            if end and self.languages == _GERMAN and word[0][0].islower():
                return _STOP
        special = self.qualified and _inside_job(text[self.start : self._end], plain)
        if (plain in words.stop(self.languages) and not special) or _ELIDED_PLACE.match(text, word.start()):
            return _STOP
        begins_small = text[self.start].islower()
        inside = self._before in words.inside(self.languages)
        if word[0][0].isupper() and (begins_small or (inside and self.entity in COMMON)):
            named = _FULL_NAME_NEXT.match(text, word.end(), partial=self._more)
            if named is not None:  # "takes citalopram Ana Ruiz"
                return _WAIT if named.partial else _STOP
        # German: the verb at the end of the sentence.
        oriented = self.entity is Entity.SEXUAL_ORIENTATION
        small_behind_noun = count == 1 and word[0][0].islower() and (oriented or text[self.start].isupper())
        verb = self.languages == _GERMAN and small_behind_noun and not _LATIN.search(plain)
        return _STOP if verb else _TAKE

    def _joined(self, word: Any) -> int:
        """Whether what is joined by the word belongs to the value."""
        if not self.qualified:
            return _STOP
        follows = WORD.match(self.text, word.end() + 1, self._limit)
        if self._more and (word.end() + 1 >= self._limit or (follows and follows.end() >= self._limit - 1)):
            return _WAIT
        if (
            follows is None
            or self.text[word.end()] != " "
            or plain_word(follows[0]) in stop_words.STOP | stop_words.NO_START
        ):
            return _STOP
        return _TAKE


def _inside_job(before: str, plain: str) -> bool:
    """ "English as a foreign language" and "special educational needs": the stop words that jobs have inside."""
    return bool(_JOB_INSIDE.search(f"{before} {plain}"))
