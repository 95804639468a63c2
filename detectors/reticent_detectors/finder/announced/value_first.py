"""Values with which a sentence begins, and that the words behind them name ("Insulin is what she takes")."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import regex

from reticent_detectors.entities import PROTECTED, Entity
from reticent_detectors.finder import names_data
from reticent_detectors.finder.announced.field_ends import is_named_person
from reticent_detectors.finder.announced.of_several_kinds import OfSeveralKinds
from reticent_detectors.finder.context import stop_words
from reticent_detectors.finder.context.apposition import COPULAS, find_apposition
from reticent_detectors.finder.context.position import Position
from reticent_detectors.finder.context.word_sets import word_set
from reticent_detectors.finder.engine.recognizers import NONE, OPEN
from reticent_detectors.finder.languages import LANGUAGES, lexicon
from reticent_detectors.finder.languages.forms import FORMS
from reticent_detectors.finder.languages.protected import PROTECTED_WORDINGS
from reticent_detectors.finder.languages.wordings import Tree, fold, without_umlauts

VALUE_FIRST_KINDS = (
    Entity.DIAGNOSIS,
    Entity.PRESCRIPTION,
    Entity.JOB_TITLE,
    Entity.DOCTOR,
    Entity.HOSPITAL,
    Entity.EMPLOYER,
    Entity.NRP,
    Entity.SEXUAL_ORIENTATION,
    Entity.CRIMINAL_RECORD,
)
_FRONT_CHARS = 144
_FRONT_WORDS = 6
_APPOSITION_CHARS = 64
_COPULAS = frozenset(map(fold, COPULAS))
_OPENING = regex.compile(
    r"(?:^|[.!?:\n][\"”»)*_]*\s*|^\s*)[\"“«*_¿¡(]*(?:(?:An?|The|Der|Die|Das|Ein|Eine|Le|La|Un|Une|Du|De la|El|Il|Lo"
    r"|Una|O|A|Os|As|Um|Uma|I|Les|Los|Las|Come|Als) |(?:De )?L['’]|D['’]|l['’])?$"
)
_OPENS = regex.compile(
    r"(?r)(?:^|[.!?:\n\"”»“«*_¿¡()'’]\s*"
    r"|(?:\b(?:An?|The|Der|Die|Das|Eine?|L[ae]|Une?|Du|El|Il|Lo|Una|[OA]s?|Uma?|I|Les|Los|Las|Come|Als) ))"
)
_ITEM = regex.compile(r"(?r)(?:(?:^|\n)[ \t]*(?:[-*+•–—]|\d{1,2}[.)]) |\)[,;] |(?:^|\n)\| ?)[\"“«*_]*")
_ARTICLES = word_set("a an the der die das ein eine la le un une du el il lo una o as os um uma i les los las come als")
_TITLED = regex.compile(r"(?r)\b(?:Mr|Mrs|Ms|Miss|Mme|Mlle|Hr|Fr|Sr|Sra|Sig|Capt|Col|Gen|Lt|Rev|St|No|Nr|Nos)\. ")
_AHEAD = regex.compile(r"[^\W_]+(?:[-‐./&+][^\W_]+)*['’]?|[^\w\s]|\n")


class _Ahead:
    """The words behind a position, as far as they are known; `unsure` is set by a look beyond."""

    __slots__ = ("_limit", "_text", "ends", "known", "raw", "start", "unsure", "words")

    def __init__(self, text: str, p: int, closed: bool) -> None:
        self._text, self.start, self._limit = text, p, min(len(text), p + _FRONT_CHARS)
        self.known = closed or len(text) >= p + _FRONT_CHARS
        self.raw: list[str] = []
        self.words: list[str] = []
        self.ends: list[int] = []
        self.unsure = False

    def _may_grow(self, end: int) -> bool:
        """Whether more text could lengthen a word that ends here: "reais." may become "reais.70"."""
        return end == self._limit or (end + 1 == self._limit and self._text[end] in "-‐./&+'’")

    def is_unsure(self) -> bool:
        return self.unsure

    def get(self, i: int) -> str:
        while len(self.words) <= i:
            word = _AHEAD.search(self._text, self.ends[-1] if self.ends else self.start, self._limit)
            if word is None or (not self.known and self._may_grow(word.end())):
                self.unsure = self.unsure or not self.known
                return ""
            self.raw.append(word[0])
            self.words.append(fold(word[0]))
            self.ends.append(word.end())
        return self.words[i]

    def known_word(self, i: int) -> str | None:
        """Gives the word number i if it is known, without asking beyond; "" if there is none."""
        unsure = self.unsure
        word = self.get(i)
        if not word and self.unsure:
            self.unsure = unsure
            return None
        return word


def _front(text: str, p: int, position: Position, closed: bool) -> tuple[Entity | None, int]:  # noqa: C901, PLR0912 - parts would each return OPEN, none or a kind, tested again at each word
    """Gives (kind, end) of a value with which a sentence begins and that the words behind it name.

    The end is OPEN while they are unknown.
    """
    if not _opens(text, p, position):
        return None, NONE
    ahead, words = _Ahead(text, p, closed), lexicon()
    first = ahead.get(0)
    if ahead.is_unsure():
        return None, OPEN
    if first in stop_words.NO_START or first in words.start((1 << len(words.languages)) - 1) or first in words.person:
        return None, NONE
    if text[p].islower():
        second = ahead.get(1)
        if ahead.is_unsure():
            return None, OPEN
        if not any(form.match(first) or form.match(second) for form in _WORDED):
            return None, NONE
    for k in range(1, _FRONT_WORDS + 1):
        value = text[p : ahead.ends[k - 1]]
        following = ahead.known_word(k)
        for entity in VALUE_FIRST_KINDS if following is None else _followed_by(following):
            if not _fronts(entity, value) or not (
                entity is Entity.DOCTOR or not is_named_person(text, p) or _has_form(entity, value)
            ):
                continue
            if any(j > k for _, j in _after(entity).walk(ahead, k)):  # type: ignore[arg-type]
                return entity, ahead.ends[k - 1]
            if ahead.is_unsure():
                return None, OPEN
        if following is None or not following[:1].isalnum() or following in _COPULAS:
            named = _named_behind(text, ahead.ends[k - 1], k > 1, closed)
            if named == OPEN:
                return None, OPEN
            if (
                isinstance(named, Entity)
                and named in VALUE_FIRST_KINDS
                and _fronts(named, value)
                and not position.is_label(p, ahead.ends[k - 1])
            ):
                return named, ahead.ends[k - 1]
        word = ahead.get(k)
        if ahead.is_unsure():
            return None, OPEN
        raw = ahead.raw[k] if k < len(ahead.raw) else ""
        if (
            raw.islower()
            and not any(f.match(ahead.words[k - 1]) or f.match(word) for f in _WORDED)
            and ahead.words[k - 1] not in _JOINTS
            and not ahead.words[k - 1].isdigit()
            and (word not in _JOINTS or k > 5)
        ):
            break
        if not word[:1].isalnum() or word in _SENTENCE_VERBS or (k > 2 and raw.islower() and len(raw) > 3):
            break
    return None, NONE


def _opens(text: str, p: int, position: Position) -> bool:
    """Whether a sentence, an item of a list or a cell begins at p, perhaps with an article before it."""
    if _ITEM.match(text, max(0, p - 12), p):
        return True
    # Cheap: no sentence begins behind a comma, nor with an article behind a word.
    before = position.word_before
    start = p if before is None or before == "la" else p - len(before) - 1
    if (
        start > 1
        and text[start - 1] == " "
        and (text[start - 2] in ",;-–—/" or (start < p and text[start - 2].isalnum()))
    ):
        return False
    return bool(
        _OPENS.match(text, max(0, p - 24), p)
        and _OPENING.search(text[max(0, p - 24) : p])
        and not _TITLED.match(text, 0, p)
    )


def _named_behind(text: str, end: int, across_punctuation: bool, closed: bool) -> Entity | int | None:
    """Gives the kind that a noun in apposition behind text[:end] names ("Type 2 diabetes (her diagnosis)")."""
    tail = text[end : end + _APPOSITION_CHARS]
    return find_apposition(tail, closed or len(tail) == _APPOSITION_CHARS, lexicon().nouns, across_punctuation)


def _followed_by(word: str) -> tuple[Entity, ...]:
    """Cheap: the kinds behind whose values something is said that begins with the word."""
    kinds, always = _first_words()
    return kinds.get(word) or kinds.get(without_umlauts(word)) or always


@cache
def _first_words() -> tuple[dict[str, tuple[Entity, ...]], tuple[Entity, ...]]:
    roots = {entity: _after(entity).root for entity in VALUE_FIRST_KINDS}
    always = tuple(entity for entity, root in roots.items() if root.any is not None or root.gap is not None)
    words = {word for root in roots.values() for word in root.children}
    return {
        word: tuple(e for e, root in roots.items() if e in always or word in root.children) for word in words
    }, always


@cache
def _after(entity: Entity) -> Tree:
    """Gives the wordings behind a value of the kind; a tree each, as nobody waits for the words of impossible kinds."""
    tree = Tree(forward=True)
    for i, language in enumerate(LANGUAGES):
        after = PROTECTED_WORDINGS[language.name]["after"]
        tree.add("|".join(filter(None, (language.after.get(entity), after.get(entity)))), entity, 1 << i)
    return tree


def _has_form(entity: Entity, value: str) -> bool:
    form = FORMS.get(entity)
    return form is not None and form.match(fold(value))


def _fronts(entity: Entity, value: str) -> bool:
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
    FORMS[e] for e in (Entity.DIAGNOSIS, Entity.PRESCRIPTION, Entity.JOB_TITLE, *PROTECTED, Entity.HOSPITAL)
)
_JOINTS = word_set(
    "of de di do da des du del dos das della dell dei delle la las los le les and und et e y san santa nossa"
)
_SENTENCE_VERBS = word_set(
    "is was are were has had will would can ist war wird wurde hat est etait a es era fue e foi sind son sono sao"
)


@dataclass(frozen=True, slots=True)
class ValueFirst(OfSeveralKinds):
    """A value with which a sentence begins ("Insulin is what she takes")."""

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:
        if self.entity is VALUE_FIRST_KINDS[0] or position.value_first is None:
            position.value_first = _front(text, p, position, closed)
        entity, end = position.value_first
        if end == OPEN:
            return OPEN
        return end if entity is self.entity else NONE

    def may_follow(self, before: str) -> bool:
        return before in _ARTICLES
