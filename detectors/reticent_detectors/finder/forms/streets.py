"""Postal addresses as many countries write them: a street with its number, and what follows it.

A word that says "street" stands before the name ("rue", "Via"), after it ("Road") or at its end ("-weg"). Post boxes
begin an address as well. Unit, town, code, state and country are read one after another, over commas and single line
breaks. A street whose word is said of much else counts where a code and a town follow.

Not covered: streets without such a word; towns alone.
"""

from __future__ import annotations

import regex

from reticent_detectors.finder.forms.anchored import NONE, OPEN, Anchored
from reticent_detectors.finder.forms.words import either, words_of

_MOST_PARTS = 5


def _row(row: str) -> str:
    return either(row, "streets")


_WORD = r"\p{Lu}[\p{Lu}\p{Ll}\p{M}'’-]{0,24}+\.?"
_NUMBER = r"\d{1,5}(?:[-–/]\d{1,4})?(?: ?(?:[a-zA-Z](?![\p{L}\p{N}])|bis|ter|quater))?"
_NUMBER_BEHIND = r"\d{1,4}(?!\d)(?:[a-zA-Z](?!\p{L})|-[A-Z](?!\p{L}))?(?: ?[-–/] ?\d{1,4}(?:[a-zA-Z](?!\p{L}))?)?"
_SIGN = r"(?:(?:nº|n\.º|[Nn]o\.?:?|[Nn]r\.?|n°|numero|número) ?)?"
_SMALL = rf"(?:{_row('small')})"
_DIRECTION = r"(?:[NSEW]{1,2}|North|South|East|West)\.?"
_ENDED = rf"[\p{{L}}\p{{M}}-]{{2,30}}?(?i:{_row('endings')})(?:(?<=str)\.)?"
_END = r"(?![\p{L}\p{N}]|[-/.:]\p{N}|%)"
_BEHIND = Anchored(
    rf"{_NUMBER},? (?:{_DIRECTION} )?(?:(?:(?:{_WORD}|\d{{1,3}}(?:st|nd|rd|th)) ){{1,4}}(?:{_row('after')})"
    rf"|Broadway)"
    rf"(?!\p{{L}})(?:(?<=\b\p{{L}}{{2,4}})\.(?! \p{{Lu}}\p{{Ll}}{{0,20}} \p{{Ll}}))?(?: {_DIRECTION}(?!\p{{L}}))?",
    reach=120,
)
_AFTER_WEAK = Anchored(rf"{_NUMBER},? (?:{_WORD} ){{1,3}}(?:{_row('after_weak')})(?!\p{{L}})", reach=110)
# A street without a word for one: only with a unit or a comma after it, and a code after that.
_PLAIN = Anchored(
    rf"{_NUMBER} {_WORD}(?: {_WORD}){{1,3}}(?=, ?\p{{Lu}}|,? ?\n| (?:Apt|Suite|Ste|Unit|Flat)[ .])", reach=120
)
_PART = rf"(?:(?:{_row('titles')})\.|\p{{Lu}}[\p{{Lu}}\p{{Ll}}\p{{M}}'’-]{{1,24}}+|\p{{Lu}}\.?)"
_NAME = rf"(?:{_SMALL} ?){{0,3}}{_PART}(?:[ -](?:{_SMALL} ?){{0,2}}{_PART}){{0,4}}"
_FRONT = Anchored(rf"{_NUMBER},? (?:{_row('fronts')}) {_NAME}{_END}", reach=120)
_FRONT_NAME = rf"(?:{_row('fronts')}) {_NAME},? {_SIGN}{_NUMBER_BEHIND}{_END}"
_FRONT_FIRST = Anchored(
    rf"(?!(?:place|route|square|passage|via|plaza|largo|strada|cours|ronda|al\.|pl\.) ){_FRONT_NAME}", reach=120
)
_FRONT_NAMED = Anchored(_FRONT_NAME, reach=120)
_ENDED_FIRST = Anchored(
    rf"(?:(?:{_row('leads')})(?: (?:der|dem|den))? )?(?:{_WORD} )?{_ENDED},? {_NUMBER_BEHIND}{_END}", reach=110
)
_WAY_FIRST = Anchored(rf"{_WORD}(?: {_WORD}){{0,2}} (?:{_row('ways')}),? {_SIGN}{_NUMBER_BEHIND}{_END}", reach=120)
_LED_FIRST = Anchored(
    rf"(?:Am|An|Im|In|Zum|Zur|Auf|Unter|Hinter)(?: (?:der|dem|den))? {_WORD}(?: {_WORD})? {_NUMBER_BEHIND}{_END}"
)
_BOX = Anchored(rf"(?:{_row('boxes')}) (?:[Nn]o\.? |#)?\d{{1,6}}(?: \d{{2,3}}){{0,2}}{_END}")
# Of the armed forces of the United States, as the post writes them.
_FORCES = Anchored(
    rf"(?:(?:PSC|Unit) \d{{1,5}},? Box \d{{1,5}}|(?:USS|USNS|USNV|USCGC) {_WORD}(?: {_WORD})?),? ?\n?"
    rf"(?:APO|FPO|DPO),? (?:AA|AE|AP),? \d{{5}}(?:-\d{{4}})?{_END}",
    reach=110,
)
_WEAK_END = regex.compile(rf"(?i:{_row('weak_endings')})\.?,? [^ ]*\Z")

_LINE = r" ?,? ?\n[ \t>|*]{0,4}"
_GAP = rf"(?:{_LINE}| ?,? )"
_BREAK = rf"(?:{_LINE}| ?, ?| - | \(| in )"
_TOWN_WORD = r"\p{Lu}[\p{Lu}\p{Ll}\p{M}'’-]{1,24}+"
_CITY = rf"(?:(?:St|Ste|Ft|Mt)\. )?{_TOWN_WORD}(?:[ -](?:{_SMALL}[ -]?){{0,2}}{_TOWN_WORD}){{0,3}}"
_CODE_FRONT = (
    r"(?:\p{Lu}{1,3}[- ])?(?:\d{5}(?:-\d{3,4})?|\d{8}|\d{4}-\d{3}|\d{3} \d{2}|\d{2}-\d{3}|\d{4}(?: ?\p{Lu}{2})?|\d{6})"
)
_CODE_BEHIND = (
    r"(?:\d{5}(?:-\d{3,4})?|\d{8}|\d{6}|\d{3} \d{2}|\p{Lu}{1,2}\d[\p{Lu}\d]? ?\d\p{Lu}{2}|\p{Lu}\d\p{Lu} ?\d\p{Lu}\d"
    r"|\p{Lu}\d[\dW] ?[\p{Lu}\d]{4})"
)
_STATE = rf"(?:{_row('states')})(?!\p{{L}})"
_UNIT_WORDS = (
    r"(?:Apt|Apartment|Suite|Ste|Unit|Flat|Floor|Fl|Room|Rm|Level|Shop|Studio|Lot|Bldg|Building|Block|bus|bte|[Aa]pto"
    r"|[Aa]ppartement|[Aa]ppartamento|[Aa]pp|Wohnung|Whg|Top|Stiege|Tür|[Ii]nterno|[Ss]cala|[Pp]iano|[Pp]iso|[Pp]lanta"
    r"|[Pp]uerta|[Ee]scalera|[Bb]loque|[Bb]loco|[Aa]ndar|[Bb]ât)"
)
_UNIT = Anchored(
    rf"(?:{_GAP}| )(?:{_UNIT_WORDS}\.?:? ?#?\p{{L}}?\d{{1,4}}\p{{L}}?|{_UNIT_WORDS}\.? \p{{Lu}}"
    rf"|#\p{{L}}?\d{{1,5}}\p{{L}}?"
    rf"|\d{{1,2}}(?:\.?[ºª°]|er|[ºª°]\.)(?: ?(?:[Ee]sq|[Dd]to|[Ii]zq|[Dd]cha|étage|piso|andar|\p{{Lu}})\.?)?){_END}",
    reach=48,
)
_CODE_TOWN = Anchored(rf"{_GAP}{_CODE_FRONT},? {_CITY}(?: \(\p{{Lu}}{{2}}\))?{_END}", reach=96)
_TOWN_CODE = Anchored(
    rf"{_GAP}{_CITY}(?:(?:,? |, ?\n|\n)\(?(?:{_STATE}|\p{{Lu}}{{2}}(?!\p{{L}}))\)?)?"
    rf"(?:,? |, ?\n|\n){_CODE_BEHIND}{_END}"
    rf"|{_GAP}{_CITY},? {_STATE}(?:,? \d{{4,5}}(?:-\d{{4}})?)?{_END}",
    reach=110,
)
_TOWN = Anchored(rf" ?, ?{_CITY}(?: \d{{1,2}}(?!\d))?(?=[,.;\n)\"<|]|\Z)", reach=72)
_COUNTRY = Anchored(rf"(?:{_BREAK}| ){_row('countries')}(?![\p{{L}}\p{{N}}])", reach=48)
_CODE = Anchored(rf"{_GAP}{_CODE_BEHIND}{_END}", reach=32)


_LIVES = regex.compile(
    r"(?ri)(?<!\p{L})(?:lives?|living|lived|resides?|habite|demeure|viv[eo]|abit[ao]|risiede|mora)"
    r"(?: (?:at|in|au|à la|à|en la|en|na|no|em))? "
)


def street(text: str, p: int, closed: bool) -> int:
    """Read an address that begins with its number, the word for its street, or a name that ends in one."""
    if p and (text[p - 1] in "$€£#@&=_" or (text[p - 1] in ".,-/:" and text[max(0, p - 2)].isdigit())):
        return NONE
    readers: tuple[tuple[Anchored, bool], ...] = _OF_NUMBER if text[p].isdigit() else _OF_NAME
    if text[p].islower() and _LIVES.match(text, max(0, p - 40), p):
        readers = _OF_HOME
    best, sure = NONE, False
    for reader, is_sure in readers:
        end = reader.end(text, p, closed)
        if end == OPEN:
            return OPEN
        if end > best:
            best, sure = end, is_sure and not (reader is _ENDED_FIRST and _WEAK_END.search(text[p:end]))
    return _rest(text, best, sure, closed) if best else NONE


_OF_NUMBER = ((_BEHIND, True), (_AFTER_WEAK, False), (_FRONT, True), (_PLAIN, False))
_OF_HOME = ((_FRONT_NAMED, True),)
_OF_NAME = (
    (_FRONT_FIRST, True),
    (_ENDED_FIRST, True),
    (_WAY_FIRST, True),
    (_LED_FIRST, False),
    (_BOX, True),
    (_FORCES, True),
)


def _rest(text: str, end: int, sure: bool, closed: bool) -> int:
    """Return the end of units, towns, codes, states and countries after a street that ends at `end`."""
    coded = False
    towns = 0
    for _ in range(_MOST_PARTS):
        for part in (_UNIT, _COUNTRY, _CODE_TOWN, _TOWN_CODE, _CODE, _TOWN):
            if part in (_CODE_TOWN, _TOWN_CODE, _CODE) and coded:
                continue
            if part is _TOWN and (coded or not sure or towns >= 2):
                continue
            found = part.end(text, end, closed)
            if found == OPEN:
                return OPEN
            if found:
                break
        else:
            break
        coded = coded or part in (_CODE_TOWN, _TOWN_CODE, _CODE)
        towns += part is _TOWN
        end = found
        if part is _COUNTRY:
            break
    return end if sure or coded else NONE


_ADDRESS_LINE = Anchored(r"[\p{Lu}\d][^\n|\"<>;{}\[\]\t]{5,140}+", slack=1, reach=142)
_LEAD_OVER = regex.compile(r"^[^\d,]{0,80} (?:is|was|ist|lautet|est|es|è|é)(?::|\s)")
"""Matches where a sentence leads to its address over other words: "Ana Ruiz is 12 Oak"."""
_LINE_END = regex.compile(r"[.!?](?=\s+\p{Lu}\p{Ll}|\s*\Z)|\s[-–]\s|\s\(|, ?(?:and|und|et|y|e|phone|tel)\b")


def address_line(text: str, p: int, closed: bool) -> int:
    """Read what a label calls an address, to the end of its line or cell: words and a number at least."""
    whole = street(text, p, closed)
    if whole:
        return whole
    fronted = NONE if text[p].isdigit() else _FRONT_NAMED.end(text, p, closed)
    if fronted:
        return fronted if fronted == OPEN else _rest(text, fronted, True, closed)
    end = _ADDRESS_LINE.end(text, p, closed)
    if end <= 0:
        return end
    line = text[p:end]
    if _LEAD_OVER.match(line):
        return NONE
    stop = _LINE_END.search(line)
    value = (line[: stop.start()] if stop else line).rstrip(" ,.'*_`")
    fine = any(map(str.isdigit, value)) and len(value.split()) >= 2 and sum(map(str.isalpha, value)) >= 4
    capitals = sum(word[:1].isupper() or word[:1].isdigit() for word in value.split())
    return p + len(value) if fine and 2 * capitals >= len(value.split()) else NONE


def first_words() -> frozenset[str]:
    """Return the words with which an address without a leading number may begin."""
    boxes = {word.partition("_")[0] for word in words_of("boxes", "streets")}
    return words_of("fronts", "streets") | words_of("leads", "streets") | words_of("forces", "streets") | boxes


ENDED_WORD = regex.compile(rf"\p{{Lu}}[\p{{L}}-]*(?:{_row('endings')}|er)\.?")
"""Matches a word that ends in one for a street, or an adjective that may stand before one ("Berliner Straße")."""
