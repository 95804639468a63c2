"""Values with which a sentence begins, and that the words behind them name ("Insulin is what she takes")."""

from __future__ import annotations

from dataclasses import dataclass

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder import cues, names_data
from reticent_detectors.finder.fields import is_named_person
from reticent_detectors.finder.languages import lexicon
from reticent_detectors.finder.languages.forms import FORMS
from reticent_detectors.finder.languages.wordings import fold
from reticent_detectors.finder.recognizers import NONE, OPEN
from reticent_detectors.finder.relations import Site

FRONTED = (
    Entity.DIAGNOSIS,
    Entity.PRESCRIPTION,
    Entity.JOB_TITLE,
    Entity.DOCTOR,
    Entity.HOSPITAL,
    Entity.EMPLOYER,
    Entity.NRP,
)
_FRONT_CHARS = 144
_FRONT_WORDS = 6
_OPENING = regex.compile(
    r"(?:^|[.!?:\n][\"”»)*_]*\s*|^\s*)[\"“«*_¿¡(]*(?:(?:An?|The|Der|Die|Das|Ein|Eine|Le|La|Un|Une|Du|De la|El|Il|Lo|Una|O|A|Os|As|Um|Uma|I|Les|Los|Las|Come|Als) |(?:De )?L['’]|D['’]|l['’])?$"
)
_OPENS = regex.compile(
    r"(?r)(?:^|[.!?:\n\"”»“«*_¿¡()'’]\s*|(?:\b(?:An?|The|Der|Die|Das|Eine?|L[ae]|Une?|Du|El|Il|Lo|Una|[OA]s?|Uma?|I|Les|Los|Las|Come|Als) ))"
)
_TITLED = regex.compile(r"(?r)\b(?:Mr|Mrs|Ms|Miss|Mme|Mlle|Hr|Fr|Sr|Sra|Sig|Capt|Col|Gen|Lt|Rev|St|No|Nr|Nos)\. ")
_AHEAD = regex.compile(r"[^\W_]+(?:[-‐./&+][^\W_]+)*['’]?|[^\w\s]|\n")


class _Ahead:
    """The words behind a position, as far as they are known; `unsure` once somebody asked beyond."""

    __slots__ = ("_limit", "_text", "ends", "known", "raw", "start", "unsure", "words")

    def __init__(self, text: str, p: int, closed: bool) -> None:
        self._text, self.start, self._limit = text, p, min(len(text), p + _FRONT_CHARS)
        self.known = closed or len(text) >= p + _FRONT_CHARS
        self.raw: list[str] = []
        self.words: list[str] = []
        self.ends: list[int] = []
        self.unsure = False

    def is_unsure(self) -> bool:
        return self.unsure

    def get(self, i: int) -> str:
        while len(self.words) <= i:
            word = _AHEAD.search(self._text, self.ends[-1] if self.ends else self.start, self._limit)
            if word is None or (not self.known and word.end() == self._limit):
                self.unsure = self.unsure or not self.known
                return ""
            self.raw.append(word[0])
            self.words.append(fold(word[0]))
            self.ends.append(word.end())
        return self.words[i]


def _front(text: str, p: int, site: Site, closed: bool) -> tuple[Entity | None, int]:
    """(kind, end) of a value with which a sentence begins and that the words behind it name; the end is OPEN while they are unknown."""
    if (
        not _OPENS.match(text, max(0, p - 24), p)
        or not _OPENING.search(text[max(0, p - 24) : p])
        or _TITLED.match(text, 0, p)
    ):
        return None, NONE
    ahead, words = _Ahead(text, p, closed), lexicon()
    first = ahead.get(0)
    if ahead.is_unsure():
        return None, OPEN
    if first in cues.NO_START or first in words.start((1 << len(words.languages)) - 1) or first in words.person:
        return None, NONE
    if text[p].islower():
        second = ahead.get(1)
        if ahead.is_unsure():
            return None, OPEN
        if not any(form.match(first) or form.match(second) for form in _WORDED):
            return None, NONE
    for k in range(1, _FRONT_WORDS + 1):
        for ends, j in words.after.walk(ahead, k):  # type: ignore[arg-type]
            for entity in ends:
                assert isinstance(entity, Entity)
                if (
                    j - k
                    and (
                        entity is Entity.DOCTOR
                        or not is_named_person(text, p)
                        or _formed(entity, text[p : ahead.ends[k - 1]])
                    )
                    and _fronts(entity, text[p : ahead.ends[k - 1]], ahead.words[k:j])
                ):
                    return entity, ahead.ends[k - 1]
        word = ahead.get(k)
        if ahead.is_unsure():
            return None, OPEN
        raw = ahead.raw[k] if k < len(ahead.raw) else ""
        if (
            raw.islower()
            and not any(f.match(ahead.words[k - 1]) or f.match(word) for f in _WORDED)
            and ahead.words[k - 1] not in _JOINTS
            and (word not in _JOINTS or k > 5)
        ):
            break
        if not word[:1].isalnum() or word in _SENTENCE_VERBS or (k > 2 and raw.islower() and len(raw) > 3):
            break
    return None, NONE


def _formed(entity: Entity, value: str) -> bool:
    form = FORMS.get(entity)
    return form is not None and form.match(fold(value))


def _fronts(entity: Entity, value: str, said: list[str]) -> bool:
    """Whether a value may stand in front: illnesses, medicines and the like by their form, names by their capitals."""
    form = FORMS.get(entity)
    if entity is Entity.DOCTOR:
        return bool(_FRONT_NAME.fullmatch(value))
    if entity is Entity.EMPLOYER:
        if " " not in value and names_data.look_up(names_data.fold(value)).given >= 2:
            return False
        return all(word[0].isupper() or len(word) < 4 for word in value.split())
    return form is None or bool(form.match(fold(value)))


_FRONT_NAME = regex.compile(
    r"\p{Lu}[\p{L}\p{M}'’-]+(?: (?:\p{Lu}[\p{L}\p{M}'’.-]*|de|da|do|di|del|von|van|la|le)){1,4}"
)
_WORDED = tuple(
    FORMS[e] for e in (Entity.DIAGNOSIS, Entity.PRESCRIPTION, Entity.JOB_TITLE, Entity.NRP, Entity.HOSPITAL)
)
_JOINTS = cues.words(
    "of de di do da des du del dos das della dell dei delle la las los le les and und et e y san santa nossa"
)
_SENTENCE_VERBS = cues.words(
    "is was are were has had will would can ist war wird wurde hat est etait a es era fue e foi sind son sono sao"
)


@dataclass(frozen=True, slots=True)
class Fronted:
    """A value with which a sentence begins ("Insulin is what she takes")."""

    name: str
    entity: Entity
    first: str = "ul"
    loose: bool = False
    plain: str = "ul"

    def at(self, text: str, p: int, site: Site, closed: bool) -> int:
        if self.entity is FRONTED[0] or site.front is None:
            site.front = _front(text, p, site, closed)
        entity, end = site.front
        if end == OPEN:
            return OPEN
        return end if entity is self.entity else NONE

    def begins(self, text: str, p: int, site: Site) -> bool:
        return False
