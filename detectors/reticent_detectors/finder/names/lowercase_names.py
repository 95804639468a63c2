"""Names in small letters, where words announce them or where no ordinary word can be meant."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder.engine.position import Position
from reticent_detectors.finder.engine.recognizers import NONE, OPEN
from reticent_detectors.finder.names import name_words as words
from reticent_detectors.finder.names.capitalised_words import Undecided
from reticent_detectors.finder.names.name_evidence import Name
from reticent_detectors.finder.names_data import fold, known_words, look_up

_LOWER_WORD = regex.compile(r"[\p{Ll}][\p{L}\p{M}]{0,30}+(?:['’-]\p{L}[\p{L}\p{M}]{0,30}+){0,2}+")
_ANNOUNCED = regex.compile(
    r"(?ri)(?<!\w)(?:name(?:['’]s| is| was| ?[:=])|called|named|signed|regards,|i am|i['’]m|this is|dear|hello|hi"
    r"|hey|(?:mr|mrs|ms|miss|dr|prof)\.?|wife|husband|son|daughter|brother|sister)\s{1,2}"
)


# In code and in names of languages such a word says nothing of anybody.
_BEFORE_NATIONALITY = re.compile(
    r"(?:(?<!\w)(?:am|are|is|was|were|be|being|born|proud|become|became|fellow)|['’](?:m|re|s))\s"
    r"(?:an?\s|the\s|all\s|also\s|half[- ])?(?:proud\s)?\Z"
)


def _may_grow(text: str, end: int) -> bool:
    """Whether more text may lengthen the word that ends here, also behind an apostrophe or a hyphen."""
    return end >= len(text) or (end + 1 == len(text) and text[end] in "'’-")


def small_names(text: str, p: int, closed: bool) -> list[Name]:
    """Gives a name in small letters: behind words that announce one, or given and family name, no ordinary words."""
    match = _LOWER_WORD.match(text, p)
    if match is None or (p > 1 and text[p - 1] in "'’-" and text[p - 2].isalpha()):
        return []
    end = match.end()
    if not closed and _may_grow(text, end):
        raise Undecided
    word = fold(match[0])
    if word in groups():
        return [Name(p, end, Entity.NRP)] if _BEFORE_NATIONALITY.search(text, max(0, p - 24), p) else []
    known = look_up(word)
    if known.ordinary > 1 or not (known.given or known.family or known.place == 3):
        return []
    if (
        word in words.FUNCTION
        or word in words.TITLES
        or word in words.CALENDAR
        or (text[end : end + 1] in tuple("@_.") and text[end + 1 : end + 2].isalnum())
    ):
        return []
    announced = bool(_ANNOUNCED.match(text[max(0, p - 24) : p]))
    last, count, sure = end, 1, known.given >= 2 and not known.ordinary
    while count < 4 and text.startswith(" ", last):
        if last + 1 >= len(text) and not closed:
            raise Undecided
        following = _LOWER_WORD.match(text, last + 1)
        if following is None:
            break
        if not closed and _may_grow(text, following.end()):
            raise Undecided
        other = fold(following[0])
        more = look_up(other)
        if other in words.PARTICLES and other not in ("e", "y", "do", "as", "st") and count < 3:
            last, count = following.end(), count + 1
            continue
        if more.ordinary > (1 if announced else 0) or not (more.given or more.family) or other in words.FUNCTION:
            break
        last, count = following.end(), count + 1
        end = last
    long = end > match.end()
    if long and (announced or (sure and known.place != 3)):
        return [Name(p, end, Entity.PERSON)]
    if not long and announced and max(known.given, known.family) >= 2:
        return [Name(p, end, Entity.PERSON)]
    if not long and known.place == 3 and not known.ordinary and known.given < 2 and known.family < 2:
        return [Name(p, end, Entity.LOCATION)]
    return []


# Words of other languages that are towns, too.
_NO_TOWNS = frozenset(
    [
        "seine",
        "essen",
        "singen",
        "baden",
        "bergen",
        "siegen",
        "halle",
        "hagen",
        "leer",
        "worms",
        "lima",
        "lira",
        "pau",
        "sete",
        "varias",
        "villa",
    ]
)


@cache
def groups() -> frozenset[str]:
    """Folded words for nationalities and faiths that are no other words: "we are proud paraguayans"."""
    return frozenset(word for word in words.GROUPS if len(word) > 4 and not any(look_up(word)))


def _beginnings(entity: Entity) -> frozenset[str]:
    found = set()
    for word, known in known_words():
        if entity is Entity.LOCATION:
            fits = known.place == 3 and not known.ordinary and known.given < 2 and known.family < 2
        else:
            fits = known.ordinary < 2 and (known.given > 0 or known.family > 0)
        if fits and " " not in word:
            found.add(word)
    return frozenset(found) - words.FUNCTION - words.TITLES - words.CALENDAR - words.FOREIGN_ARTICLES - _NO_TOWNS


@cache
def people() -> frozenset[str]:
    """Folded words with which `small_names` finds a person."""
    return _beginnings(Entity.PERSON)


@cache
def places() -> frozenset[str]:
    """Folded words with which `small_names` finds a place."""
    return _beginnings(Entity.LOCATION)


_LONGEST = 64
_LETTERS = re.compile(r"[^\W\d_]{1,64}(?:['’-][^\W\d_]{1,64}){0,3}")


@dataclass(frozen=True, slots=True)
class LowercaseNames:
    """Recogniser of one kind of name in small letters. Most words are passed by a look-up of the word itself."""

    name: str
    entity: Entity
    beginnings: Callable[[], frozenset[str]] = field(repr=False)
    start_classes: str = "l"
    fallback: bool = False
    plain_word_starts: str = "l"

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:
        end = text.find(" ", p, p + 20)
        word = text[p:end]
        beginnings = self.beginnings()
        if word not in beginnings:
            word = word.rstrip(",.;:!?")
            if end > 0 and word.isascii() and word.isalpha() and word not in beginnings:
                return NONE
            letters = _LETTERS.match(text, p)
            if letters is None or (fold(letters[0]) not in beginnings and letters.end() < len(text)):
                return NONE
        try:
            found = small_names(text, p, closed)
        except Undecided:
            return OPEN
        return next((name.end for name in found if name.entity is self.entity), NONE)

    def may_begin(self, word: str, mark: str, led: bool) -> bool:
        return not mark or len(word) > _LONGEST or fold(word) in self.beginnings() or word + mark in self.beginnings()

    def could_be_cut_value(self, text: str, p: int, position: Position) -> bool:
        """Whether the text ends inside a name."""
        return self.at(text, p, position, True) == len(text)
