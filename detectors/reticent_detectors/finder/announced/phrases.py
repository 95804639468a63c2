"""Values of ordinary words (an illness, a job), found by what announces them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import regex

from reticent_detectors.entities import PROTECTED, Entity
from reticent_detectors.finder import names_data
from reticent_detectors.finder.announced.crime_spans import crime_end, of_others
from reticent_detectors.finder.announced.field_ends import (
    NO_FIELD,
    WORD,
    WORD_JOINTS,
    field_at,
    is_named_person,
    plain_word,
)
from reticent_detectors.finder.context import stop_words
from reticent_detectors.finder.context.announcements import COMMON, Announcement, Site, Strength
from reticent_detectors.finder.context.left_context import ENGLISH
from reticent_detectors.finder.context.word_sets import word_set
from reticent_detectors.finder.engine.recognizers import NONE, OPEN, REACH
from reticent_detectors.finder.languages import lexicon
from reticent_detectors.finder.languages.forms import FORMS, Form
from reticent_detectors.finder.languages.vocabulary import ILLNESSES_SAID
from reticent_detectors.finder.languages.wordings import fold

ELIDED = regex.compile(r"(?i)(?:[ldsnmjtc]|qu|all|dell|nell|dall|sull|un|quell|jusqu|lorsqu)['’]\p{L}")
_BRACKET = regex.compile(r"\([\p{L}][\p{L}\p{N} ,/&'’-]{0,60}+\)")
_FULL_NAME = regex.compile(r"\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}")
_FRAME_CHARS = 30
_FULL_NAME_NEXT = regex.compile(r" (?:(?:de|da|di|von|van|do|dos|la|del) )?\p{Lu}\p{Ll}")
_ELIDED_PLACE = regex.compile(r"(?i)(?:all|dall|nell|sull|l)['’]\p{L}")
_TIME_UNITS = word_set(
    """day days week weeks month months year years night nights tag tage tagen woche wochen monat monate monaten jahr jahre jahren jour jours semaine semaines mois an ans annee annees
    spring summer autumn winter fruhjahr fruhling sommer herbst printemps automne hiver primavera verano otono invierno autunno inverno verao outono
    dia dias semana semanas mes meses ano anos giorno giorni settimana settimane mesi anno anni"""
)
_OF = word_set("de del di della do da dos das du des of")
_KEY_END = regex.compile(r" ?:|=|[\"'`*]{1,2} ?[:=]| = ?[\"']")
_LATIN = regex.compile(r"(?:us|is|um|ae|sa|ea|ca|va|ans|ens|ris|rix)$")
_GERMAN = 2
_HELD = PROTECTED - {Entity.CRIMINAL_RECORD}
_HOLDERS = word_set(
    """again party voter voters supporter politician activist candidate councillor member family household believer convert witness scientist man woman
    girl boy person guy lady couple parents faith church views values politics at by heart choice birth marriage upbringing background descent origin"""
)
_FRAME_END = regex.compile(r"[.;!?\n](?=\s)|\n|, ")
# What a word is to a value that is read word for word: a part of it, a part if another follows, its end, or a reason for none.
_TAKE, _PASS, _STOP, _REFUSE, _WAIT = 1, 2, 3, 4, 5
NOTHING_MORE = regex.compile(r"[\s.!\"'`*\]}]*")
LETTERS = regex.compile(r"\p{L}+")
_JOB_INSIDE = regex.compile(r"(?:English as(?: a)?|educational needs)$")


@dataclass(frozen=True, slots=True)
class AnnouncedPhrase:
    """A value of ordinary words (a diagnosis, a medicine, a job), found by what announces it.

    It goes on until a word at which no such value goes on (`Language.stop`), or a mark that is not part of it; in a form, a table
    or code to the end of its field. `qualified`: a comma and a qualifier, a bracket, and "and" may follow ("Engineer, civil (consulting)").
    """

    name: str
    entity: Entity
    qualified: bool = False
    first: str = "ul"
    loose: bool = False
    most: int = 7
    plain: str = "ul"

    @property
    def needs_announcement(self) -> bool:
        return True

    @property
    def announced_kinds(self) -> frozenset[Entity]:
        return frozenset({self.entity})

    def at(self, text: str, p: int, site: Site, closed: bool) -> int:  # noqa: C901, PLR0912 - parts would cost a call and a second test at every announced value
        found = site.announced.get(self.entity)
        framed = 0
        if found is None or (found.strength is Strength.ASKED and site.framed):
            framed = site.framed.get(self.entity, 0)
            if not framed and found is None:
                return NONE
        if framed:
            found = Announcement(Strength.STRONG, framed, True)
        assert found is not None
        if text[max(0, p - 3) : p] == "```" or (text[p - 1 : p] == "-" and text[p - 2 : p - 1].isalnum()):
            return NONE  # the language of a block of code; the rest of a word
        field_end = field_at(text, p, site, self.entity, closed)
        if field_end:
            return field_end if field_end == OPEN or self._labelled(text[p:field_end]) else NONE
        if found.strength is Strength.ASKED and self.entity is not Entity.NRP:
            head = WORD.match(text, p)
            lead = (
                0 if head is None else lexicon().lead.get(plain_word(head[0]), 0) & (site.question.languages | ENGLISH)
            )
            if head is not None and lead:
                first = 1 + site.is_noun(self.entity, p, head.end())
                compound = self.compound(text, head, closed, first) if lead & ENGLISH else NONE
                if compound <= NONE:
                    return compound
        if found.strength is not Strength.LABEL and is_named_person(text, p):
            return NONE
        if self.entity is Entity.CRIMINAL_RECORD and found.strength is not Strength.LABEL and of_others(site):
            return NONE
        form = FORMS.get(self.entity) if self._needs_form(text, p, found, framed) else None
        if framed and self.entity is Entity.JOB_TITLE and form is not None:
            head = WORD.match(text, p)
            if head is not None and head.end() + 1 < len(text) and not form.match(fold(head[0])):
                return NONE
        end = _Reading(self, text, p, site, found.languages, closed, form).end()
        if end <= NONE:
            return end
        if framed:
            value = fold(text[p:end])
            # "Dass Jan Weber Schweißer ist": a job begins with its first word, behind the name.
            if self.entity is Entity.JOB_TITLE:
                value = next(iter(value.split()), "")
            if self.entity in COMMON and not FORMS[self.entity].match(value):
                return NONE
            return completed(text, end, site, self.entity, framed, closed)
        if found.strength is Strength.LABEL:
            return end if self._labelled(text[p:end]) else NONE
        if not self._admitted(text, p, end, site, found):
            asked = found.strength is Strength.ASKED and (text[p].islower() or self.entity not in PROTECTED)
            sure = found.sure and self.entity is Entity.JOB_TITLE and text[p].isupper()
            if site.leads and asked and found.formed:
                return all_that_is_said(self.entity, text, p, end, closed)
            if (site.leads and asked) or sure:
                return self._bare(text, end, site, closed)
            return NONE
        return end

    def begins(self, text: str, p: int, site: Site) -> bool:
        if self.at(text, p, site, False) != OPEN:
            return False
        # The last word may be but the beginning of one.
        whole = text[: max(text.rfind(" "), p)].rstrip()
        if self.at(text, p, site, True) > NONE or (len(whole) > p and self.at(whole, p, site, True) > NONE):
            return True
        return self.entity in FORMS and FORMS[self.entity].begun(fold(text[p:]))

    def _labelled(self, value: str) -> bool:
        """Whether it may stand behind a label of its kind: an orientation is also where a house looks to."""
        plain = fold(value)
        return self.entity is not Entity.SEXUAL_ORIENTATION or plain == "straight" or FORMS[self.entity].match(plain)

    def _needs_form(self, text: str, p: int, found: Announcement, framed: int) -> bool:
        """Whether only words that look like a value are one here (see `_admitted`): then others need not be read to their end."""
        if framed:
            return self.entity in COMMON
        if found.strength <= Strength.ASKED or found.strength is Strength.LABEL:
            return False
        if found.sure and self.entity is Entity.JOB_TITLE and text[p].isupper():
            return False
        return found.formed or self.entity in PROTECTED or (text[p].islower() and not found.sure)

    def _admitted(self, text: str, p: int, end: int, site: Site, found: Announcement) -> bool:
        """Whether words that are not surely announced are a value: by their capitals, in English, or by their form."""
        value = fold(text[p:end])
        if self.entity in _HELD and found.languages & ENGLISH and not _held_by_somebody(self.entity, value):
            return False
        if FORMS[self.entity].match(value):
            return not text[p].islower() or found.strength is not Strength.WEAK or found.formed
        if found.formed or self.entity in PROTECTED:
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

    def compound(self, text: str, head: Any, closed: bool, first: int = 1) -> int:
        """The end of a job's word among the three behind a noun, from the `first` of them on ("company secretary", "trade mark attorney");
        NONE, or OPEN while it is unknown. English: elsewhere the job's word stands in front."""
        words, end = lexicon(), head.end()
        plain = fold(head[0])
        if (
            self.entity is not Entity.JOB_TITLE
            or plain in words.person
            or plain in words.links
            or plain in words.stop(ENGLISH)
        ):
            return NONE
        for count in range(1, 4):
            if not closed and len(text) - end < 2:
                return OPEN
            following = WORD.match(text, end + 1) if text[end : end + 1] == " " else None
            if following is None:
                return NONE
            if not closed and following.end() >= len(text) - 1:
                return OPEN
            plain = fold(following[0])
            if plain in words.stop(ENGLISH):
                return NONE
            if count >= first and FORMS[Entity.JOB_TITLE].match(plain):
                return following.end()
            end = following.end()
        return NONE

    def _bare(self, text: str, end: int, site: Site, closed: bool) -> int:
        """Words that have no value's form: they must be all that is said, or end a sentence that announces them surely."""
        if end == len(text):
            return end if closed else OPEN
        return end if text[end] in ".!\n" or (bool(site.ends) and text[end] in site.ends) else NONE


@dataclass(slots=True)
class _Reading:
    """How far a value of ordinary words that begins at `start` goes, read word for word."""

    kind: AnnouncedPhrase
    text: str
    start: int
    site: Site
    languages: int
    closed: bool
    form: Form | None
    _end: int = field(init=False)
    _before: str = field(init=False, default="")

    def end(self) -> int:  # noqa: C901, PLR0912 - parts would pass four states on at every word
        """The end, NONE, or OPEN."""
        text, self._end, position = self.text, self.start, self.start
        limit, more = self._limit, self._more
        commas = doubtful = False
        for count in range(self.kind.most):
            word = WORD.match(text, position, limit)
            if word is None:
                if more and position >= limit:
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
                self._before, position = plain, word.end() + 1
                continue
            if step != _TAKE:
                return NONE if step == _REFUSE else OPEN
            doubtful = doubtful or (count == 0 and self._is_doubtful(plain))
            if doubtful and self.languages != ENGLISH:
                return NONE
            self._before, self._end = plain, word.end()
            if self.form is not None and not self.form.may_match(self._so_far, " ," if self.kind.qualified else " "):
                return NONE
            mark = text[self._end : min(self._end + 2, limit)]
            if more and len(mark) < 2 and not mark.isalnum():
                return OPEN
            if mark == " (" and self.kind.qualified:
                bracket = _BRACKET.match(text, self._end + 1, limit, partial=more)
                if bracket is not None and bracket.partial:
                    return OPEN
                self._end = self._end if bracket is None else bracket.end()
                break
            if mark[:1] == " ":
                position = self._end + 1
            elif mark == ", " and self.kind.qualified and not commas and not text[self.start].islower():
                commas, position = True, self._end + 2
            else:
                break
        key = _KEY_END.match(text, self._end, partial=not self.closed)
        if key is not None:
            return OPEN if key.partial else NONE
        return NONE if doubtful and not FORMS[self.kind.entity].match(self._so_far) else self._end

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
        """How a word for a time ends a value ("takes aspirin mornings"); 0 if it is none, or a job has it inside ("early years
        teacher")."""
        if plain not in _TIME_UNITS:
            return 0
        job = count == 1 and self.languages & ENGLISH
        compound = self.kind.compound(self.text, word, self.closed) if job else NONE
        if compound:
            return _WAIT if compound == OPEN else 0
        return _STOP if count and FORMS[self.kind.entity].match(self._so_far) else _REFUSE

    def _first(self, word: Any, plain: str) -> int:
        """Whether a value begins with the word."""
        words, site, entity = lexicon(), self.site, self.kind.entity
        start = words.start(self.languages)
        idiom = plain in words.idioms(self.languages)
        noun = site.is_noun(entity, word.start(), word.end())
        if noun and entity is Entity.CRIMINAL_RECORD:
            noun = self.form is None  # else the form tells ("délit de fuite")
        compound = NONE
        if (noun or idiom or plain in start) and self.languages & ENGLISH:
            compound = self.kind.compound(self.text, word, self.closed, 1 + noun)
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
        """Whether the first word is one that announces values ("Hospital porter"): then the whole must have a value's form. As an
        answer's first word, or a job's with a capital ("Licensed conveyancer"), it may begin a value."""
        if self.kind.entity is Entity.CRIMINAL_RECORD and self.form is not None:
            return False  # it is asked for anyhow
        titled = self.site.leads or (self.kind.entity is Entity.JOB_TITLE and self.text[self.start].isupper())
        return plain in lexicon().saying and not FORMS[self.kind.entity].match(plain) and not titled

    def _further(self, word: Any, plain: str, count: int) -> int:
        """Whether the value goes on with the word."""
        words, text = lexicon(), self.text
        if plain in ("and", "or") and self.languages & ENGLISH:
            return self._joined(word)
        if plain in words.inside(self.languages) or (plain == "the" and self._before == "of"):
            if text[word.end() : word.end() + 1] == " ":
                return _PASS
            return _WAIT if self._more and word.end() + 1 >= self._limit else _STOP
        if self.kind.entity is Entity.CRIMINAL_RECORD:
            end = crime_end(fold(text[self.start : self._limit]), 0, self._more)
            if end == OPEN or word.start() - self.start < end:
                return _WAIT if end == OPEN else _TAKE
            if end and self.languages == _GERMAN and word[0][0].islower():
                return _STOP
        special = self.kind.qualified and _inside_job(text[self.start : self._end], plain)
        if (plain in words.stop(self.languages) and not special) or _ELIDED_PLACE.match(text, word.start()):
            return _STOP
        begins_small = text[self.start].islower()
        inside = self._before in words.inside(self.languages)
        if word[0][0].isupper() and (begins_small or (inside and self.kind.entity in COMMON)):
            named = _FULL_NAME_NEXT.match(text, word.end(), partial=self._more)
            if named is not None:  # "takes citalopram Ana Ruiz"
                return _WAIT if named.partial else _STOP
        # German: the verb at the end of the sentence.
        oriented = self.kind.entity is Entity.SEXUAL_ORIENTATION
        small_behind_noun = count == 1 and word[0][0].islower() and (oriented or text[self.start].isupper())
        verb = self.languages == _GERMAN and small_behind_noun and not _LATIN.search(plain)
        return _STOP if verb else _TAKE

    def _joined(self, word: Any) -> int:
        """Whether what is joined by the word belongs to the value."""
        if not self.kind.qualified:
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


def _held_by_somebody(entity: Entity, value: str) -> bool:
    """Whether the words go with nothing but people ("a lifelong Democrat", not "a democratic government" nor "a gay mood")."""
    return all(word in _HOLDERS or FORMS[entity].match(word) for word in value.split()[1:])


def _inside_job(before: str, plain: str) -> bool:
    """ "English as a foreign language" and "special educational needs": the stop words that jobs have inside."""
    return bool(_JOB_INSIDE.search(f"{before} {plain}"))


def completed(text: str, end: int, site: Site, entity: Entity, languages: int, closed: bool) -> int:
    """The end, if the word that completes the announcement stands behind the value in the same sentence ("wurde X verschrieben")."""
    limit = end + _FRAME_CHARS
    tail = text[end:limit]
    stop = _FRAME_END.search(tail)
    whole = closed or len(text) >= limit
    rest = tail[: stop.start()] if stop else tail if whole else tail[: max(tail.rfind(" "), 0)]
    frames = lexicon().frames(languages, entity)
    if any(fold(word) in frames for word in LETTERS.findall(rest)):
        return end
    return NONE if stop or whole else OPEN


def all_that_is_said(entity: Entity, text: str, p: int, end: int, closed: bool) -> int:
    """The end of words that are the whole answer; NONE, or OPEN. Ordinary words alone ("You're welcome!") are none, unless they end
    like a value ("Higher education careers adviser") or all have capitals."""
    if not NOTHING_MORE.fullmatch(text, end):
        return NONE
    words = [word for word in LETTERS.findall(text[p:end]) if len(word) > 1]
    last = fold(words[-1]) if words else ""
    like = (entity in FORMS and FORMS[entity].match(last)) or (entity is Entity.DIAGNOSIS and last in ILLNESSES_SAID)
    unusual = (word for word in words if len(word) > 2 and fold(word) not in lexicon().lead)
    likely = like or not all(names_data.look_up(names_data.fold(word)).ordinary for word in unusual)
    named = text[p:end].istitle() and len(words) > 1
    return (end if closed else OPEN) if likely or named else NONE
