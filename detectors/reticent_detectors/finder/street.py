"""Postal addresses as many countries write them: a street with its number, and what follows of unit, town, code, state and country.

The words that say "street" do the work: before the name ("rue", "ul."), behind it ("Road") or at its end ("-weg", "-katu"). Post boxes
begin an address as well. A street without such a word is found between two numbers, or where a code and its town follow.
The parts of an address are read one after another, over commas and single line breaks; towns that the tables do not know
count only if a code, a state or a country follows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder import street_words as words
from reticent_detectors.finder.capitals import Undecided
from reticent_detectors.finder.name_words import CALENDAR, FUNCTION
from reticent_detectors.finder.names_data import fold, look_up
from reticent_detectors.finder.recognizers import NONE, OPEN, Recognizer
from reticent_detectors.finder.relations import Site

_MOST_PARTS = 8
_MOST_UNKNOWN = 3
_CODE_CHARS = 64  # within so many behind a street that is none for sure, a code begins
_PART_CHARS = 96


class Part:
    """A piece of an address as a pattern; of what stands behind, `tail` sees one character: by default no letter and no digit."""

    def __init__(self, core: str, tail: str = r"(?![\p{L}\p{N}])") -> None:
        self._core = regex.compile(core)
        self._whole = regex.compile(f"(?:{core}){tail}")

    def end(self, text: str, q: int, closed: bool) -> int:
        """Where the piece at q ends; 0: there is none.

        Raises:
            Undecided: more text could change it.
        """
        if not closed and len(text) - q < _PART_CHARS and self._core.fullmatch(text, q, partial=True):
            raise Undecided
        match = self._whole.match(text, q, min(len(text), q + _PART_CHARS))
        return match.end() if match else 0


_WORD = r"\p{Lu}[\p{L}\p{M}'’-]{0,24}+\.?"
_ANY = r"\p{L}[\p{L}\p{M}'’-]{0,24}+"
_NUMBER = r"\d{1,5}(?:[-–/]\d{1,4})?(?: ?(?:[a-zA-Z](?!\p{L})|bis|ter|quater))?"
_NUMBER_BEHIND = r"\d{1,4}(?:[a-zA-Z](?!\p{L})|-[A-Z](?!\p{L}))?(?: ?[-–/] ?\d{1,4}(?:[a-zA-Z](?!\p{L}))?){0,3}(?: [A-Z](?: \d{1,3})?(?=[,;.\n)]))?"
_SIGN = r"(?:(?:д\.|дом|č\.p\.|nº|n\.º|[Nn]o\.?:?|[Nn]r\.?|n°|numero|número) ?)?"
_SMALL = words.SMALL
_TOWN_WORD = r"(?:(?:St|Ste|Ft|Mt)\. )?\p{Lu}[\p{L}\p{M}'’-]{0,24}+"
_CITY = rf"{_TOWN_WORD}(?:[ -](?:{_SMALL} ?)?{_TOWN_WORD}){{0,3}}"
_DIRECTION = r"(?:[NSEW]{1,2}|North|South|East|West|Ouest|Est|Nord|Sud)\.?"

_BEHIND = Part(
    rf"{_NUMBER}(?: 1/2)?,? (?:{_DIRECTION} )?(?:(?:(?:{_WORD}|\d{{1,3}}(?:st|nd|rd|th)) ){{1,4}}{words.BEHIND}|Broadway)(?: {_DIRECTION}(?!\p{{L}}))?"
)
_FRONT = Part(
    rf"{_NUMBER},? {words.FRONT} (?:{_SMALL} ?){{0,3}}(?:{_WORD}(?:[ -](?:{_SMALL} ?){{0,2}}{_WORD}){{0,4}}|{_ANY} {_ANY})(?: \d{{1,4}})?"
)
_ENDED = Part(rf"{_NUMBER},? (?:{_ANY} )?[\p{{L}}\p{{M}}-]{{2,30}}?{words.ENDINGS}(?: {_NUMBER})?")
_BETWEEN = Part(rf"\d{{1,5}} {_WORD} {_WORD}(?: {_WORD})? \d{{1,5}}")
_FRONT_FIRST = Part(
    rf"{words.FRONT} (?:{_SMALL} ?){{0,3}}{_ANY}(?:[ -](?:{_SMALL} ?){{0,2}}{_ANY}){{0,4}}?,? {_SIGN}{_NUMBER_BEHIND}"
)
_ENDED_FIRST = Part(
    rf"(?:{words.LEAD}?(?:{_WORD} )?[\p{{L}}\p{{M}}-]{{2,30}}?{words.ENDINGS}|{words.LEAD}(?:{_WORD} )?(?i:{words.ENDINGS}|linden)),? {_NUMBER_BEHIND}"
)
_WAY_FIRST = Part(rf"{_WORD}(?: {_WORD}){{0,2}} {words.WAYS},? {_SIGN}{_NUMBER_BEHIND}\.?")
_PLAIN_FIRST = Part(rf"{words.LEAD}?{_WORD}(?: {_WORD})? {_NUMBER_BEHIND}")
_BOX = Part(
    r"(?:P\.? ?O\.? ?Box|Post Office Box|GPO Box|Locked Bag|Postfach|Postbus|Postbox|Boîte [Pp]ostale|B\.?P\.?|Apartado(?: de [Cc]orreos| Postal)?|Casilla|Caixa Postal|Casella [Pp]ostale|Postboks|PL|Skr\. poczt\.)"
    r" (?:[Nn]o\.? |#)?\d{1,6}(?: \d{2,3}){0,2}"
)
_UNIT_FIRST = Part(
    r"(?:Unit|Flat|Apt|Apartment|Suite|Ste|Level|Shop|Studio|Room|Lot|Villa|Office)\.? #?\p{L}?\d{0,4}\p{L}?(?:, ?|/| ?\n|, Level \d{1,2}, | )",
    r"(?=\d)",
)
_YEAR_LIKE = regex.compile(r"(?:1[5-9]|20)\d\d ")
_YEAR = regex.compile(r"[\s,]*(?:1[5-9]|20)\d\d (?!\p{Lu}{2} )")
_BROAD = regex.compile(rf"(?:[\s\S]*\s)?{words.BROAD}\.?")

_GAP = r"(?:,? ?\n[ \t>]*|,? )"
_BREAK = r"(?:,? ?\n[ \t>]*|, ?| [–-] | \(| in )"
_CODE_FRONT = (
    r"(?:\p{Lu}{1,3}[- ])?(?:\d{5}(?:-\d{3,4})?|\d{4}-\d{3}|\d{3} \d{2}|\d{2}-\d{3}|\d{4}(?: ?\p{Lu}{2})?|\d{6})"
)
_CODE_BEHIND = r"(?:\d{5}(?:-\d{3,4})?|\d{6}|\d{3} \d{2}|\p{Lu}{1,2}\d[\p{Lu}\d]? ?\d\p{Lu}{2}|\p{Lu}\d\p{Lu} ?\d\p{Lu}\d|\p{Lu}\d[\dW] ?[\p{Lu}\d]{4})"
_UNIT = Part(rf"{_GAP}{words.UNIT}")
_CODE_TOWN = Part(
    rf"(?:{_GAP}| in ){_CODE_FRONT} {_CITY}(?: \d{{1,2}}(?!\d))?(?: \(\p{{Lu}}{{2}}\)| \p{{Lu}}{{2}}(?!\p{{L}}))?"
)
_TOWN_CODE = Part(
    rf"(?:{_GAP}| in ){_CITY}(?:(?:,? | - |, ?\n|\n)\(?(?:{words.STATE_CODES}|{words.STATES}|\p{{Lu}}{{2}})\)?)?(?:,? |, ?\n|\n){_CODE_BEHIND}"
    rf"|{_GAP}{_CITY},? {words.AUSTRALIAN},? \d{{4}}|{_GAP}{_CITY},? {words.STATE_CODES}"
)
_CODE = Part(rf"(?:{_GAP}| - ){_CODE_BEHIND}")
_TOWN = Part(rf"{_BREAK}{_CITY}(?: (?:\d{{1,2}}|(?!1[5-9]|20)\d{{4}}))?\)?")
_CODED = regex.compile(r"\d{4}|\d{3} \d|\d\d-\d{3}|\p{Lu}\d")
_FIRST_LETTER = regex.compile(r"(?: in )?[\s,(>–-]*")


def address(text: str, p: int, closed: bool) -> int:
    """The end of the address at p; 0: there is none.

    Raises:
        Undecided: more text could change it.
    """
    unit = _UNIT_FIRST.end(text, p, closed) if text[p].isupper() else 0
    end, sure = _street(text, unit or p, closed)
    if not end:
        return NONE
    if not sure and (closed or len(text) >= end + _CODE_CHARS) and not _CODED.search(text, end, end + _CODE_CHARS):
        return NONE
    last, strong = _rest(text, end, closed)
    return last if sure or strong else NONE


def _street(text: str, p: int, closed: bool) -> tuple[int, bool]:
    """(end, whether it is an address even alone) of the street and number, or the post box, at p."""
    if not text[p].isdigit():
        return _named_street(text, p, closed)
    best, sure = 0, False
    if end := _BEHIND.end(text, p, closed):
        best, sure = end, not (_YEAR_LIKE.match(text, p) and _BROAD.fullmatch(text, p, end))
    said = _SAID.match(text, p)
    fronted = said is not None and said["word"] in words.FIRST
    for part, accepted in ((_FRONT, _plausible_small), (_ENDED, _odd_words), (_BETWEEN, _named_between)):
        if part is _FRONT and said is not None and not fronted:
            continue
        end = part.end(text, p, closed)
        if end > best and accepted(text[p:end]):
            best, sure = end, True
    return best, sure


def _named_street(text: str, p: int, closed: bool) -> tuple[int, bool]:
    best, sure = 0, False
    if text[p].isupper() and (end := _BOX.end(text, p, closed)):
        return end, True
    for part, accepted in ((_FRONT_FIRST, _front_fits), (_ENDED_FIRST, _ended_fits), (_WAY_FIRST, _way_fits)):
        if part is _WAY_FIRST and not text[p].isupper():
            continue
        end = part.end(text, p, closed)
        if end > best and accepted(text[p:end]):
            best, sure = end, part is not _ENDED_FIRST or not _WEAK.match(text, p, end) or text[end : end + 1] in _MARKS
    if not best and text[p].isupper() and (end := _PLAIN_FIRST.end(text, p, closed)) and _rare(text[p:end]):
        best = end
    return best, sure


def _rest(text: str, end: int, closed: bool) -> tuple[int, bool]:
    """(end, whether a town with its code follows): units, towns, codes, states and countries behind a street."""
    kept = q = end
    strong = unknown = False
    strangers = 0
    for _ in range(_MOST_PARTS):
        if kept == end and (unit := _UNIT.end(text, q, closed)):
            kept = end = q = unit
        elif town := _CODE_TOWN.end(text, q, closed) if not strong else 0:
            strong, unknown = not _YEAR.match(text, q), False
            kept = q = town
        elif town := _TOWN_CODE.end(text, q, closed) if not strong else 0:
            kept = q = town
            strong, unknown = True, False
        elif town := _TOWN.end(text, q, closed):
            known = _known_place(text, q, town)
            if known:
                kept, q, unknown = known, town, known < town
            elif unknown and strong:
                break
            else:
                q, unknown = town, True
                strangers += 1
                if strong or strangers > _MOST_UNKNOWN:
                    break
        elif not strong and q != end and (code := _CODE.end(text, q, closed)):
            kept = q = code
            strong = True
        else:
            break
    return kept, strong


def _known_place(text: str, q: int, end: int) -> int:
    """Where the known town, state or country in text[q:end] ends; 0: there is none."""
    start = q + len(_FIRST_LETTER.match(text, q, end)[0])  # type: ignore[index]
    stop = end
    while stop > start:
        name = fold(text[start:stop].strip(" ().\n")).replace("-", " ")
        if look_up(name).place or look_up(name.replace(" ", "-")).place or name in words.COUNTRIES:
            return stop
        bare = regex.sub(r" \d{1,4}$", "", name)
        if bare != name and look_up(bare).place:
            return stop
        stop = max(text.rfind(" ", start, stop), start)
    return 0


def _plausible_small(value: str) -> bool:
    """Of street names in small letters, only those of words that prose does not have ("3 via registered mail")."""
    found = regex.findall(r"[\p{L}'’]+", value)[1:]
    if any(word[0].isupper() for word in found):
        return True
    rare = [look_up(fold(word)).ordinary < 2 for word in found if len(word) > 3]
    return bool(rare) and all(rare)


def _front_fits(value: str) -> bool:
    head, _, rest = value.partition(" ")
    if fold(head).rstrip(".") not in words.ENGLISH_FRONTS:
        return True
    return bool(regex.match(rf"(?:{_SMALL} ?){{0,3}}\p{{Lu}}", rest))


def _odd_words(value: str) -> bool:
    """Whether the word that ends like a street is no ordinary one ("3 brigade")."""
    found = regex.findall(r"[\p{L}\p{M}]+", value)
    return any(look_up(fold(word)).ordinary == 0 and len(word) > 3 for word in found)


def _ended_fits(value: str) -> bool:
    return _odd_words(value) and value.split()[0] not in words.ARTICLES


def _way_fits(value: str) -> bool:
    return value.split()[0] not in words.ARTICLES and not regex.search(r" (?:1[5-9]|20)\d\d\.?$", value)


def _rare(value: str) -> bool:
    """Whether the words before a number are no ordinary ones ("Psalm 23", "May 12")."""
    found = [fold(word) for word in regex.findall(r"[\p{L}\p{M}'’-]+", value)]
    if value.split()[0] in words.LEADS:
        found = found[1:]
    return all(
        look_up(w).ordinary < 2 and w not in FUNCTION and w not in CALENDAR and w not in words.COUNTED for w in found
    )


_WEAK = regex.compile(rf"[\s\S]*{words.WEAK_ENDINGS},? \d")
_MARKS = ("", ",", ".", ";", "\n", ")")


def _named_between(value: str) -> bool:
    """ "92 Eusebio Dávila 57": names, not a date, a score or a heading."""
    known = [look_up(fold(word)) for word in regex.findall(r"\p{L}[\p{L}'’-]+", value)]
    return all(k.ordinary == 0 for k in known) and any(k.given or k.family for k in known)


_AFTER_NUMBER = regex.compile(rf"{_NUMBER}(?: 1/2)?,? (?:\p{{L}}|\d{{1,3}}(?:st|nd|rd|th) )")
_NUMBERED = regex.compile(
    rf"\p{{Lu}}[\p{{L}}\p{{M}}'’.-]*+(?: \p{{Lu}}[\p{{L}}\p{{M}}'’.-]*+){{0,3}}(?: {words.WAYS})?(?:,? | [Nn]\p{{L}}?[.:º] ?)\d"
)
_SAID = regex.compile(r"\d[\d/–-]*(?: ?(?:[a-zA-Z](?!\p{L})|bis|ter|quater))?,? (?P<word>[\p{L}./]{1,20}) ")
_GROWING = re.compile(r"[^\W\d_](?:[^\W\d_]|['’./-]){0,30}\Z")


@dataclass(frozen=True, slots=True)
class Street:
    """Asks for an address only where a number stands before a word, or a word says "street" or is followed by a number."""

    name: str = "street"
    entity: Entity = Entity.ADDRESS
    first: str = "dul"
    loose: bool = False
    plain: str = "ul"

    def at(self, text: str, p: int, site: Site, closed: bool) -> int:
        try:
            return address(text, p, closed) if _may_begin(text, p, closed) else NONE
        except Undecided:
            return OPEN

    def begins(self, text: str, p: int, site: Site) -> bool:
        """Whether the text ends inside an address: behind the name of a street, or where a unit or a town goes on."""
        if self.at(text, p, site, False) != OPEN:
            return False
        numbered = not text[p].isdigit() and len(text) - p > 9 and any(c.isdigit() for c in text[p:])
        return numbered or self.at(text, p, site, True) > NONE


def _may_begin(text: str, p: int, closed: bool) -> bool:
    """A cheap test.

    Raises:
        Undecided: more text could change the answer.
    """
    first = text[p]
    if first.isdigit():
        match = _AFTER_NUMBER.match(text, p, partial=not closed)
        if match is not None and match.partial:
            raise Undecided
        return match is not None
    end = text.find(" ", p, p + 32)
    if end < 0:
        if not closed and _GROWING.match(text, p) and not first.lower() == first.upper():
            raise Undecided
        return False
    word = text[p:end]
    if word in words.FIRST:
        return True
    if not closed and end + 2 > len(text):
        raise Undecided
    following = text[end + 1 : end + 2]
    if following.isdigit():
        return first.isupper() or word.rstrip(",").endswith(words.LAST)
    if not following.isupper() or not first.isupper():
        return following.islower() and word[0].isupper() and _small_way(text, end + 1, closed)
    match = _NUMBERED.match(text, p, p + 64, partial=not closed)
    if match is not None and match.partial:
        if len(text) < p + 64:
            raise Undecided
        return False
    return match is not None


def _small_way(text: str, q: int, closed: bool) -> bool:
    """Whether the word at q says "street" in small letters."""
    end = text.find(" ", q, q + 10)
    if end < 0:
        seen = text[q : q + 10]
        if not closed and q + 10 > len(text) and any(way.startswith(seen) for way in words.SMALL_WAYS):
            raise Undecided
        return False
    return text[q:end] in words.SMALL_WAYS


STREETS: Sequence[Recognizer] = (Street(),)
