"""Postal addresses as many countries write them: a street with its number, and what follows it.

A word that says "street" stands before the name ("rue", "ul."), behind it ("Road") or at its end ("-weg", "-katu").
Post boxes begin an address as well. A street without such a word is found between two numbers, or where a code and its
town follow. The parts of an address (`street_parts`) are read one after another: unit, town, code, state and country,
over commas and single line breaks. A town that the tables do not know counts where a code, a state or a country
follows. It also counts where it ends the sentence behind a sure street.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder.addresses import street_parts as parts
from reticent_detectors.finder.addresses import street_words as words
from reticent_detectors.finder.context.position import Position
from reticent_detectors.finder.engine.recognizers import NONE, OPEN, Recognizer, may_match
from reticent_detectors.finder.names.capitalised_words import Undecided
from reticent_detectors.finder.names.name_words import CALENDAR, FUNCTION
from reticent_detectors.finder.names_data import fold, look_up

_MOST_PARTS = 8
_MOST_UNKNOWN = 3
_CODE_CHARS = 64
"""Within so many characters behind an unsure street a code must begin."""


def address(text: str, p: int, closed: bool) -> int:
    """Return the end of the address at p; 0: there is none.

    Raises:
        Undecided: more text could change it.
    """
    unit = parts.UNIT_FIRST.end(text, p, closed) if text[p].isupper() else 0
    end, sure = _street(text, unit or p, closed)
    if not end:
        return NONE
    if not sure and (closed or len(text) >= end + _CODE_CHARS) and not parts.CODED.search(text, end, end + _CODE_CHARS):
        return NONE
    last, strong = _rest(text, end, sure, closed)
    return last if sure or strong else NONE


def _street(text: str, p: int, closed: bool) -> tuple[int, bool]:
    """Return the end of the street and number, or of the post box, at p, and whether alone it is an address."""
    if not text[p].isdigit():
        return _named_street(text, p, closed)
    best, sure = _numbered_street(text, p, closed)
    # A building's number may stand before the street's: "51 99 Balsham Road", "24 Hauptstraße 5".
    second = parts.NUMBER_FIRST.match(text, p)
    if second is not None:
        end, named = (_numbered_street if text[second.end()].isdigit() else _named_street)(text, second.end(), closed)
        if end > best and named:
            best, sure = end, True
    if not best and (end := parts.BETWEEN_ONE.end(text, p, closed)) and _rare(text[p:end].partition(" ")[2]):
        best, sure = end, bool(parts.UNIT.end(text, end, closed))
    return best, sure


def _numbered_street(text: str, p: int, closed: bool) -> tuple[int, bool]:
    best, sure = 0, False
    if end := parts.BEHIND.end(text, p, closed):
        best, sure = end, not (parts.YEAR_LIKE.match(text, p) and parts.BROAD.fullmatch(text, p, end))
    opening = _NUMBER_AND_WORD.match(text, p)
    front = opening is not None and opening["word"] in words.FIRST
    for part, accepted in ((parts.FRONT, _plausible_small), (parts.ENDED, _odd_words), (parts.BETWEEN, _named_between)):
        if part is parts.FRONT and opening is not None and not front:
            continue
        end = part.end(text, p, closed)
        if part is parts.FRONT and end:
            end = p + _sentence(text[p:end])
        if end > best and accepted(text[p:end]):
            best, sure = end, part is not parts.ENDED or not parts.YEAR_LIKE.match(text, p)
    return best, sure


def _named_street(text: str, p: int, closed: bool) -> tuple[int, bool]:
    best, sure = 0, False
    if text[p].isupper() and (end := parts.BOX.end(text, p, closed)):
        return end, True
    first_word = text[p : text.find(" ", p, p + 24)] if text.find(" ", p, p + 24) > 0 else ""
    front = first_word in words.FIRST and first_word not in words.LEADS
    named = parts.CAPITAL_FIRST if fold(first_word).rstrip(".") in words.ENGLISH_FRONTS else parts.FRONT_FIRST
    for part, accepted in ((named, _no_road), (parts.ENDED_FIRST, _ended_fits), (parts.WAY_FIRST, _way_fits)):
        if (part is named and not front) or (part is parts.WAY_FIRST and not text[p].isupper()):
            continue
        end = part.end(text, p, closed)
        if end > best and accepted(text[p:end]):
            best, sure = (
                end,
                part is not parts.ENDED_FIRST or not _WEAK.match(text, p, end) or text[end : end + 1] in _MARKS,
            )
    if not best and front and (end := parts.BARE_FIRST.end(text, p, closed)) and text[end : end + 1] in _CUTS:
        best = end
    if not best and text[p].isupper() and (end := parts.PLAIN_FIRST.end(text, p, closed)) and _rare(text[p:end]):
        best = end
    return best, sure


def _rest(text: str, end: int, sure: bool, closed: bool) -> tuple[int, bool]:
    """Return the end of units, towns, codes, states and countries behind a street, and whether a code is among them."""
    kept = q = end
    strong = unknown = False
    strangers = lone = 0
    for _ in range(_MOST_PARTS):
        if kept == end and q == end and (unit := parts.UNIT.end(text, q, closed)):
            kept = end = q = unit
            if town_end := parts.TOWN_COUNTRY.end(text, q, closed):
                return town_end, True
        elif country := parts.COUNTRY.end(text, q, closed) if q > end or sure else 0:
            return country, True
        elif town := parts.CODE_TOWN.end(text, q, closed) if not strong else 0:
            strong, unknown = not parts.YEAR.match(text, q), False
            kept = q = town
        elif town := parts.TOWN_CODE.end(text, q, closed) if not strong else 0:
            # In "Centro, 44046-028 Itabuna / BA", a quarter stands before the code and the town behind it.
            kept = q = parts.TOWN_STATE.end(text, town, closed) or town
            strong, unknown = True, False
        elif town := parts.TOWN.end(text, q, closed):
            known = _known_place(text, q, town)
            if known:
                kept, q, unknown = known, town, known < town
            elif unknown and strong:
                break
            else:
                lone = 0 if strangers or q > end else town
                q, unknown = town, True
                strangers += 1
                if strong or strangers > _MOST_UNKNOWN:
                    break
        elif not strong and q != end and (code := parts.CODE.end(text, q, closed)):
            kept = q = code
            strong = True
        else:
            break
    if sure and kept == end and lone and _is_town(text, end, lone, closed):
        kept = lone
    return kept, strong


def _is_town(text: str, q: int, end: int, closed: bool) -> bool:
    """Tell whether an unknown name behind a comma is the street's town.

    It must end its clause, and be neither a first name nor an ordinary word.
    """
    if not closed and end + 2 > len(text):
        raise Undecided
    if not text.startswith(", ", q) or not _CLAUSE_ENDS.match(text, end):
        return False
    found = [fold(word) for word in regex.findall(r"[\p{L}\p{M}'’]{4,}", text[q:end])]
    known = [look_up(word) for word in found]
    return all(k.given < 2 and k.ordinary < 2 for k in known) and CALENDAR.isdisjoint(found)


_CLAUSE_ENDS = regex.compile(r"[.!?;)\n]|\Z")


def _known_place(text: str, q: int, end: int) -> int:
    """Tell where the known town, state or country in text[q:end] ends; 0: there is none."""
    start = q + len(parts.FIRST_LETTER.match(text, q, end)[0])  # type: ignore[index]
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


_VERB = regex.compile(
    r"\p{Lu}\p{L}+ (?:is|was|has|had|ends|will|can|works|lives|earns|owes|paid|says|said|flies|got)\b"
)
"""Behind somebody whose name is Estrada."""


def _plausible_small(value: str) -> bool:
    """Refuse names in small letters that ordinary prose has ("3 via registered mail")."""
    found = regex.findall(r"[\p{L}'’]+", value)[1:]
    if _VERB.match(value):
        return False
    if any(word[0].isupper() for word in found):
        return True
    rare = [look_up(fold(word)).ordinary < 2 for word in found if len(word) > 3]
    return bool(rare) and all(rare)


_ROAD = regex.compile(
    r"(?i)\p{L}+ (?:inter)?(?:estatal|nacional|national|nationale|federal|provincial|provinciale|d[ée]partementale"
    r"|statale|regional|regionale|estadual|auton[óo]mica|principal)"
    r" (?:[nN]\p{L}{0,2}[.°º] ?)?\d+"
)


def _no_road(value: str) -> bool:
    """Tell whether it is no numbered road ("carretera estatal 99"), and no sentence ends within it."""
    return not _ROAD.fullmatch(value) and not _VERB.match(value) and not _NEXT_SENTENCE.search(value)


# "place in England. In 1912": no word of five letters and more is shortened, nor does a street's name go on with "In".
_NEXT_SENTENCE = regex.compile(
    rf"\p{{Ll}}{{5,}}(?=\. \p{{Lu}})|\p{{Ll}}{{2,}}(?=\. (?:{words.OPENERS}|{words.OPENING_ARTICLES}(?: \d|\Z)))"
)


def _sentence(value: str) -> int:
    """Return the length of the part of `value` before the full stop at which a sentence ends within it."""
    ended = _NEXT_SENTENCE.search(value)
    return ended.end() if ended else len(value)


def _odd_words(value: str) -> bool:
    """Tell whether the word that ends like a street is no ordinary one ("3 brigade")."""
    if value.islower() and _WEAK_END.match(value):
        return False  # "16, by scoring 11"
    found = regex.findall(r"[\p{L}\p{M}]+", value)
    return any(look_up(fold(word)).ordinary == 0 and len(word) > 3 for word in found)


def _ended_fits(value: str) -> bool:
    return _odd_words(value) and value.split()[0] not in words.ARTICLES


def _way_fits(value: str) -> bool:
    return value.split()[0] not in words.ARTICLES and not regex.search(r" (?:1[5-9]|20)\d\d\.?$", value)


def _rare(value: str) -> bool:
    """Tell whether the words before a number are no ordinary ones ("Psalm 23", "May 12")."""
    found = [fold(word) for word in regex.findall(r"[\p{L}\p{M}'’-]+", value)]
    if value.split()[0] in words.LEADS:
        found = found[1:]
    return all(
        look_up(w).ordinary < 2 and w not in FUNCTION and w not in CALENDAR and w not in words.COUNTED for w in found
    )


_WEAK = regex.compile(rf"[\s\S]*{words.WEAK_ENDINGS},? \d")
_WEAK_END = regex.compile(rf"[\s\S]*{words.WEAK_ENDINGS}(?:,? \d|\Z)")
_CUTS = ("", ",", "\n", " ")  # behind the name of a street without a number
_MARKS = ("", ",", ".", ";", "\n", ")")


def _named_between(value: str) -> bool:
    """Tell whether names stand between two numbers ("92 Eusebio Dávila 57"), not a date, a score or a heading."""
    known = [look_up(fold(word)) for word in regex.findall(r"\p{L}[\p{L}'’-]+", value)]
    return all(k.ordinary == 0 for k in known) and any(k.given or k.family for k in known)


_AFTER_NUMBER = regex.compile(rf"(?:\d{{1,5}} (?=\d))?{parts.NUMBER}(?: 1/2)?,? (?:\p{{L}}|\d{{1,3}}(?:st|nd|rd|th) )")
_CAPITAL = regex.compile(r"\p{Lu}[\p{Lu}\p{Ll}\p{M}'’.-]*+")
_COUNTED = regex.compile(r",? \d|,? [Nn]\p{L}?[.:º] ?\d")
_MOST_CAPITALS = 4
_NUMBERED_CHARS = 64
_LATER = regex.compile(r"(?:1[5-9]|20)\d\d, (?P<word>[\p{L}./]{1,12})")
_NUMBER_AND_WORD = regex.compile(r"\d[\d/–-]*(?: ?(?:[a-zA-Z](?!\p{L})|bis|ter|quater))?,? (?P<word>[\p{L}./]{1,20}) ")
_GROWING = re.compile(r"[^\W\d_](?:[^\W\d_]|['’./-]){0,30}\Z")


@dataclass(frozen=True, slots=True)
class Street:
    """Recognises addresses. It looks only where a number is near a word, or a word says "street"."""

    name: str = "street"
    entity: Entity = Entity.ADDRESS
    start_classes: str = "dul"
    fallback: bool = False
    plain_word_starts: str = "ul"

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:
        try:
            return address(text, p, closed) if _may_begin(text, p, closed) else NONE
        except Undecided:
            return OPEN

    def may_begin(self, word: str, mark: str, led: bool) -> bool:
        if mark not in (" ", ",") or not word[0].islower() or len(word) > 29:
            return True
        return word in words.FIRST or word.endswith(words.LAST)

    def may_begin_with(self, head: str) -> bool:
        return may_match(_AFTER_NUMBER, head)

    def could_be_cut_value(self, text: str, p: int, position: Position) -> bool:
        """Tell whether the text ends inside an address: behind a street's name, or inside a unit or a town."""
        if self.at(text, p, position, False) != OPEN:
            return False
        numbered = not text[p].isdigit() and len(text) - p > 9 and any(c.isdigit() for c in text[p:])
        return numbered or self.at(text, p, position, True) > NONE


def _may_begin(text: str, p: int, closed: bool) -> bool:
    """Tell by a cheap test whether an address may begin at p.

    Raises:
        Undecided: more text could change the answer.
    """
    first = text[p]
    if first.isdigit():
        match = _AFTER_NUMBER.match(text, p, partial=not closed)
        if match is not None and match.partial:
            raise Undecided
        return match is not None and _no_year(text, p, closed)
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
    return _numbered(text, p, closed)


def _no_year(text: str, p: int, closed: bool) -> bool:
    """Tell whether the number at p is no year before a comma ("1850, when"); one before "rue" may be a house's."""
    later = _LATER.match(text, p)
    if later is None:
        return True
    if later.end() == len(text) and not closed and any(front.startswith(later["word"]) for front in words.FIRST):
        raise Undecided
    return later["word"] in words.FIRST


def _numbered(text: str, p: int, closed: bool) -> bool:
    """Tell whether the words in capitals at p may name a street and a number follows.

    A third word has to be one like "Road", unless the first may be a person's name.
    """
    q, named = p, False
    for i in range(_MOST_CAPITALS):
        match = _CAPITAL.match(text, q, p + _NUMBERED_CHARS)
        if match is None:
            return text[q : text.find(" ", q, q + 10)] in words.SMALL_WAYS or _small_way(text, q, closed)
        word, end = match[0], match.end()
        if i == 0:
            known = look_up(fold(word))
            if fold(word) in FUNCTION or word in words.ARTICLES:
                return False
            named = known.given > 0 or known.family > 0 or word.endswith(".")
        elif i > 1 and not named and not any(way.startswith(word) or word.startswith(way) for way in words.WAY_WORDS):
            return False
        if end - p >= _NUMBERED_CHARS:
            return False
        counted = _COUNTED.match(text, end, partial=not closed)
        if counted is not None:
            if counted.partial:
                raise Undecided
            return True
        if not text.startswith(" ", end):
            return False
        q = end + 1
    return False


def _small_way(text: str, q: int, closed: bool) -> bool:
    """Tell whether the word at q says "street" in small letters."""
    end = text.find(" ", q, q + 10)
    if end < 0:
        seen = text[q : q + 10]
        if not closed and q + 10 > len(text) and any(way.startswith(seen) for way in words.SMALL_WAYS):
            raise Undecided
        return False
    return text[q:end] in words.SMALL_WAYS


STREETS: Sequence[Recognizer] = (Street(),)
