"""Postal addresses as many countries write them: a street with its number, and what follows it.

A word that says "street" stands before the name ("rue", "Via"), after it ("Road") or at its end ("-weg"). Post boxes
begin an address as well, and a unit may stand before it. Unit, quarter, town, code, state and country are read one
after another (`street_parts`), over commas and single line breaks. A street whose word is said of much else counts
where a code and a town follow.

Not covered: streets without such a word; towns alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import regex

from reticent_detectors.finder.forms import street_parts as parts
from reticent_detectors.finder.forms.anchored import Anchored
from reticent_detectors.finder.forms.street_parts import Part, Undecided
from reticent_detectors.finder.forms.words import either, words_of
from reticent_detectors.finder.match_ends import NONE, OPEN
from reticent_detectors.finder.names_data import fold, look_up

_MOST_PARTS, _MOST_TOWNS, _MOST_STRANGERS = 8, 2, 3
_LEAD_CHARS, _TOKEN_CHARS, _CODE_CHARS = 24, 32, 40


def _row(row: str) -> str:
    return f"(?:{either(row, 'streets')})"


_FIGURE = regex.compile(r"\d")
_OPENING = regex.compile(rf"{parts.NUMBER},? (?:(?P<small>\p{{Ll}})|[\p{{Lu}}\d])")
_SECOND = regex.compile(r"(?!(?:1[5-9]|20)\d\d )\d{1,5} (?=\d{1,5},? [\p{Lu}\d])")
"""Matches a building's number before a street's: "51 99 Balsham Road"."""
_SMALL_FRONT = regex.compile(rf"(?:{_row('fronts')}|bis|ter|quater) ")
_SUFFIX_SO_FAR = regex.compile(r"(?:b(?:is?)?|t(?:er?)?|q(?:u(?:a(?:t(?:er?)?)?)?)?|[a-z]),? ?")
"""Matches what may become the letters after a number: "14 bis, rue"."""
_HOME = regex.compile(rf"(?ri)(?<!\p{{L}}){_row('homes')} {_row('homes_at')} ")
_ENDED = (parts.ENDED_FIRST, parts.NUMBERED, parts.ENDED_BEHIND)
_ENDED_WORD = regex.compile(
    rf"(?P<word>\p{{L}}[\p{{L}}-]*?(?P<weak>(?i:{_row('weak_endings')})(?!\.))?)\.?(?:,? \d[^,]*)?\Z"
)
"""Matches the word for the street at the end of a street with or without a number after it."""


def street(text: str, p: int, closed: bool) -> int:
    """Read an address that begins with its number, the word for its street, or a name that ends in one."""
    if p and (text[p - 1] in "$€£#@&=_" or (text[p - 1] in ".,-/:" and text[max(0, p - 2)].isdigit())):
        return NONE
    try:
        return _address(text, p, closed)
    except Undecided:
        return OPEN


def _address(text: str, p: int, closed: bool) -> int:
    """Return the end of the address at p, NONE without one. Raise Undecided."""
    if text[p].isdigit():
        end, sure = _numbered(text, p, closed)
    else:
        end, sure = _named(text, p, closed)
    end = _rest(text, end, sure, closed) if end else NONE
    return _small_town(text, end, closed) if end and _is_home(text, p) else end


def _is_home(text: str, p: int) -> bool:
    """Tell whether the words before p say that somebody lives there."""
    return _HOME.match(text, max(0, p - _LEAD_CHARS), p) is not None


_Readers = tuple[tuple[Part, bool], ...]
"""Parts with which an address begins, each with whether it alone is one."""
_OF_NUMBER: _Readers = (
    (parts.BEHIND, True),
    (parts.BEHIND_WEAK, False),
    (parts.FRONT, True),
    (parts.PLAIN, False),
    (parts.NUMBERED, True),
    (parts.ENDED_BEHIND, False),
)


def _longest(readers: _Readers, text: str, p: int, closed: bool) -> tuple[int, bool]:
    """Return the end of the longest street at p, NONE without one, and whether alone it is an address."""
    best, sure = NONE, False
    for part, is_sure in readers:
        end = part.end(text, p, closed)
        if end > best:
            ended = _ENDED_WORD.search(text[p:end]) if part in _ENDED else None
            if ended is None or _is_street(ended["word"]):
                best, sure = end, is_sure and (ended is None or ended["weak"] is None)
    return best, sure


def _is_street(word: str) -> bool:
    return fold(word) not in words_of("no_streets", "streets")


def _numbered(text: str, p: int, closed: bool) -> tuple[int, bool]:
    """Return the end of the street whose number stands at p, NONE without one, and whether alone it is an address."""
    opening = _OPENING.match(text, p, partial=not closed)
    if opening is None:
        return NONE, False
    if opening.partial:
        raise Undecided
    at = opening.end() - 1
    if opening["small"] is None:
        best, sure = _longest(_OF_NUMBER, text, p, closed)
        second = _SECOND.match(text, p, partial=not closed)
        if second is not None and second.partial:
            raise Undecided
        if second is not None and text[second.end() :][:1].isdigit():
            end, alone = _longest(_OF_NUMBER[:1], text, second.end(), closed)
            if end > best and alone:
                best, sure = end, True
        return best, sure
    if not closed and _SUFFIX_SO_FAR.fullmatch(text, at):
        raise Undecided
    front = _SMALL_FRONT.match(text, at, partial=not closed)
    if front is not None and front.partial:
        raise Undecided
    best = parts.FRONT.end(text, p, closed) if front is not None else NONE
    if not best and _is_home(text, p):
        best = _in_small_letters(text, p, closed)
    return best, True


def _in_small_letters(text: str, p: int, closed: bool) -> int:
    """Return the end of a street in small letters, its number before it; no ordinary word ends its name."""
    end = parts.SMALL_NUMBERED.end(text, p, closed)
    ended = _ENDED_WORD.search(text[p:end]) if end else None
    end = end if ended is not None and _is_street(ended["word"]) else parts.SMALL_BEHIND.end(text, p, closed)
    if end:
        return end
    end = parts.SMALL_FRONT.end(text, p, closed)
    words = text[p:end].split()
    while len(words) > 2 and look_up(fold(words[-1])).ordinary > 1:
        end -= len(words.pop()) + 1
    return end if len(words) > 2 else NONE


@lru_cache(maxsize=1)
def _of_first() -> Mapping[str, _Readers]:
    """Return what is read at each first word of an address without a leading number."""
    readers: dict[str, _Readers] = {}
    rows: tuple[tuple[str, _Readers], ...] = (
        ("leads", ((parts.ENDED_FIRST, True), (parts.WAY_FIRST, True), (parts.LED_FIRST, False))),
        ("boxes", ((parts.BOX, True),)),
        ("routes", ((parts.ROUTE, True),)),
        ("forces", ((parts.FORCES, True),)),
        ("fronts_weak", ((parts.BARE_FIRST, False),)),
        ("fronts", ((parts.FRONT_FIRST, True), (parts.BARE_FIRST, False))),
    )
    for row, own in rows:
        for word in words_of(row, "streets"):
            first = word.partition("_")[0]
            readers[first] = readers.get(first, ()) + own
    for word in words_of("fronts_of_prose", "streets"):
        readers[word] = ((parts.PROSE_FIRST, True), (parts.FRONT_FIRST, False))
    return readers


_OF_OTHER: _Readers = ((parts.ENDED_FIRST, True), (parts.WAY_FIRST, True), (parts.ADJECTIVE_FIRST, False))


def _named(text: str, p: int, closed: bool) -> tuple[int, bool]:
    """Return the end of the street, or post box, that begins with a word at p, and whether alone it is an address."""
    space = text.find(" ", p, p + _TOKEN_CHARS)
    if space < 0:
        if not closed and len(text) < p + _TOKEN_CHARS:
            raise Undecided
        return NONE, False
    word = text[p:space]
    readers = _of_first().get(word)
    if word.rstrip(".") in words_of("units_before", "streets"):
        unit = parts.UNIT_FIRST.end(text, p, closed)
        unit = (unit and parts.UNIT_FIRST.end(text, unit, closed)) or unit
        if unit:
            return _numbered(text, unit, closed)
    if readers is None:
        readers = _OF_OTHER if text[p].isupper() else ()
    best, sure = _longest(readers, text, p, closed)
    return best, sure or (best > NONE and _is_home(text, p))


def _rest(text: str, end: int, sure: bool, closed: bool) -> int:
    """Return the end of units, towns, codes, states and countries after a street that ends at `end`.

    A name that may be a town counts if a code, a state or a country comes after it.
    """
    street_end = kept = q = end
    coded, towns, strangers = False, 0, 0
    for _ in range(_MOST_PARTS):
        if q < len(text) and text[q] not in parts.FIRST_OF_REST:
            break
        if q == kept and not coded and (found := parts.UNIT.end(text, q, closed)):
            kept = q = found
        elif (sure or coded or q > end) and (found := parts.COUNTRY.end(text, q, closed)):
            kept, coded = found, True
            break
        elif not coded and (found := _coded(text, q, sure or q > street_end, closed)):
            kept = q = found
            coded = True
        elif sure and q == kept and not coded and towns < _MOST_TOWNS and (found := _town(text, q, closed)):
            kept = q = found
            towns += 1
        elif not coded and strangers < _MOST_STRANGERS and (found := parts.STRANGER.end(text, q, closed)):
            q = found
            strangers += 1
            if not sure and not _figure_follows(text, q, closed):
                break
        else:
            break
    return kept if sure or coded else NONE


def _figure_follows(text: str, q: int, closed: bool) -> bool:
    """Tell whether a figure, as every code has, stands in the next 40 characters. Raise Undecided."""
    if _FIGURE.search(text, q, q + _CODE_CHARS) is not None:
        return True
    if not closed and len(text) < q + _CODE_CHARS:
        raise Undecided
    return False


def _coded(text: str, q: int, sure: bool, closed: bool) -> int:
    """Return the end of a code with or without its town at q, NONE without one. Raise Undecided."""
    found = parts.CODE_TOWN.end(text, q, closed)
    if found and (sure or not parts.YEAR.match(text, q)):
        return found
    for part in (parts.QUARTER_CODE_TOWN, parts.TOWN_CODE):
        found = part.end(text, q, closed)
        if found:
            return found
    return parts.CODE.end(text, q, closed) or (parts.LAST_CODE.end(text, q, closed) if sure else NONE)


def _small_town(text: str, q: int, closed: bool) -> int:
    """Return the end of a known town in small letters at q, else q. Raise Undecided."""
    found = parts.SMALL_TOWN.end(text, q, closed)
    while found > q:
        name = text[q:found].strip(" ,")
        known = look_up(fold(name))
        if known.place > 1 and known.ordinary < 2 and (text[q:found].lstrip() != name or text[q - 4 : q].isdigit()):
            return found
        found = text.rfind(" ", q + 2, found)
    return q


def _town(text: str, q: int, closed: bool) -> int:
    """Return the end of a town at q that ends its clause and is no first name, NONE without one. Raise Undecided."""
    found = parts.TOWN.end(text, q, closed)
    if found:
        known = look_up(fold(text[q:found].strip(" ,")))
        if known.given > 1 and known.place < known.given:
            return NONE
    return found


_ADDRESS_LINE = Anchored(r"[\p{Lu}\d][^\n|\"<>;{}\[\]\t]{5,140}+", slack=1, reach=142)
_LEAD_OVER = regex.compile(r"^[^\d,]{0,80} (?:is|was|ist|lautet|est|es|è|é)(?::|\s)")
"""Matches where a sentence leads to its address over other words: "Ana Ruiz is 12 Oak"."""
_SPOKEN = regex.compile(r"\p{L}{3}|(?:\p{L}+\P{L}+){3}\p{L}")
"""Matches what a code alone does not have: a word, or letters in many places."""
_LINE_END = regex.compile(
    r"[.!?](?=\s+(?:\p{Lu}\p{Ll}|\p{Lu}{2,12}:)|\s*\Z)|\s[-–]\s|\s\(|, ?(?:and|und|et|y|e|phone|tel)\b"
)


def address_line(text: str, p: int, closed: bool) -> int:
    """Read what a label calls an address, to the end of its line or cell: words and a number at least."""
    whole = street(text, p, closed)
    if whole:
        return whole
    end = _ADDRESS_LINE.end(text, p, closed)
    if end <= 0:
        return end
    line = text[p:end]
    if _LEAD_OVER.match(line):
        return NONE
    stop = _LINE_END.search(line)
    value = (line[: stop.start()] if stop else line).rstrip(" ,.'*_`")
    fine = any(map(str.isdigit, value)) and len(value.split()) >= 2 and _SPOKEN.search(value) is not None
    capitals = sum(word[:1].isupper() or word[:1].isdigit() for word in value.split())
    return p + len(value) if fine and 2 * capitals >= len(value.split()) else NONE


def first_words() -> frozenset[str]:
    """Return the words with which an address without a leading number may begin."""
    rows = ("fronts", "fronts_weak", "leads", "forces", "units_before", "namesakes")
    boxes = words_of("boxes", "streets") | words_of("routes", "streets")
    return frozenset(word.partition("_")[0] for word in boxes).union(*(words_of(row, "streets") for row in rows))


ENDED_WORD = regex.compile(
    rf"\p{{Lu}}[\p{{L}}-]*(?:{_row('endings')}|{_row('adjectives')}|{_row('adjectives_before')})\.?"
)
"""Matches a word that ends in one for a street, or an adjective that may be or begin one's name ("Berliner Straße")."""
