"""The pieces of postal addresses as patterns: streets with their numbers, units, towns, codes and countries.

`Part` matches one of them, or says that more text could change it.
"""

from __future__ import annotations

import regex

from reticent_detectors.finder.addresses import street_words as words
from reticent_detectors.finder.names.capitalised_words import Undecided

_PART_CHARS = 96


class AddressPart:
    """A piece of an address as a pattern. `tail` sees one character behind it: by default, no letter and no digit."""

    def __init__(self, core: str, tail: str = r"(?![\p{L}\p{N}])") -> None:
        self._core = regex.compile(core)
        self._whole = regex.compile(f"(?:{core}){tail}")

    def end(self, text: str, q: int, closed: bool) -> int:
        """Tell where the piece at q ends; 0: there is none.

        Raises:
            Undecided: more text could change it.
        """
        if not closed and len(text) - q < _PART_CHARS and self._core.fullmatch(text, q, partial=True):
            raise Undecided
        match = self._whole.match(text, q, min(len(text), q + _PART_CHARS))
        return match.end() if match else 0


# Letters with case only: a word of another script, which has no blanks between, is no part of an address.
_WORD = r"\p{Lu}[\p{Lu}\p{Ll}\p{M}'’-]{0,24}+\.?"
_ANY = r"[\p{Lu}\p{Ll}][\p{Lu}\p{Ll}\p{M}'’-]{0,24}+"
NUMBER = r"\d{1,5}(?:[-–/]\d{1,4})?(?: ?(?:[a-zA-Z](?!\p{L})|bis|ter|quater))?"
_NUMBER_BEHIND = (
    r"\d{1,4}(?:[a-zA-Z](?!\p{L})|-[A-Z](?!\p{L}))?(?: ?[-–/] ?\d{1,4}(?:[a-zA-Z](?!\p{L}))?){0,3}"
    r"(?: [A-Z](?: \d{1,3})?(?=[,;.\n)]))?"
)
_SIGN = r"(?:(?:д\.|дом|č\.p\.|nº|n\.º|[Nn]o\.?:?|[Nn]r\.?|n°|numero|número) ?)?"
_SMALL = words.SMALL
_TOWN_WORD = r"(?:(?:St|Ste|Ft|Mt)\. )?\p{Lu}[\p{Lu}\p{Ll}\p{M}'’-]{0,24}+"
_LONG_CITY = rf"(?:{_SMALL} ){{0,2}}{_TOWN_WORD}(?:[ -](?:{_SMALL}[ -]?){{0,2}}{_TOWN_WORD}){{0,5}}"
_CITY = rf"{_TOWN_WORD}(?:[ -](?:{_SMALL} ?)?{_TOWN_WORD}){{0,3}}"
_DIRECTION = r"(?:[NSEW]{1,2}|North|South|East|West|Ouest|Est|Nord|Sud)\.?"

BEHIND = AddressPart(
    rf"{NUMBER}(?: 1/2)?,? (?:{_DIRECTION} )?"
    rf"(?:(?:(?:{_WORD}|\d{{1,3}}(?:st|nd|rd|th)) ){{1,4}}{words.BEHIND}|Broadway)(?: {_DIRECTION}(?!\p{{L}}))?"
)
FRONT = AddressPart(
    rf"{NUMBER},? {words.FRONT} (?:{_SMALL} ?){{0,3}}"
    rf"(?:{_WORD}(?:[ -](?:{_SMALL} ?){{0,2}}{_WORD}){{0,4}}|{_ANY} {_ANY})(?: \d{{1,4}})?"
)
ENDED = AddressPart(
    rf"{NUMBER},? (?:(?:{_WORD}|\p{{Ll}}{{1,10}}+) )?[\p{{L}}\p{{M}}-]{{2,30}}?{words.ENDINGS}(?: {NUMBER})?"
)
BETWEEN = AddressPart(rf"\d{{1,5}} {_WORD} {_WORD}(?: {_WORD})? \d{{1,5}}")
BETWEEN_ONE = AddressPart(rf"\d{{1,5}} {_WORD} \d{{1,5}}")
NUMBER_FIRST = regex.compile(r"(?!(?:1[5-9]|20)\d\d )\d{1,5} (?=[\p{L}\d])")
FRONT_FIRST = AddressPart(
    rf"{words.FRONT} (?:{_SMALL} ?){{0,3}}{_ANY}(?:[ -](?:{_SMALL} ?){{0,2}}{_ANY}){{0,4}}?,? {_SIGN}{_NUMBER_BEHIND}"
)
CAPITAL_FIRST = AddressPart(
    rf"{words.FRONT} (?:{_SMALL} ?){{0,3}}{_WORD}(?:[ -](?:{_SMALL} ?){{0,2}}{_WORD}){{0,4}},? {_SIGN}{_NUMBER_BEHIND}"
)
BARE_FIRST = AddressPart(
    rf"(?:{words.FRONT}|{words.WEAK_FRONT}) (?:{_SMALL} ?){{0,3}}{_WORD}(?:[ -](?:{_SMALL} ?){{0,2}}{_WORD}){{0,3}}"
    rf"(?:,? {_SIGN}{_NUMBER_BEHIND})?"
)
ENDED_FIRST = AddressPart(
    rf"(?:{words.LEAD}?(?:{_WORD} )?[\p{{L}}\p{{M}}-]{{2,30}}?{words.ENDINGS}"
    rf"|{words.LEAD}(?:{_WORD} )?(?i:{words.ENDINGS}|linden)),? {_NUMBER_BEHIND}"
)
WAY_FIRST = AddressPart(rf"{_WORD}(?: {_WORD}){{0,2}} {words.WAYS},? {_SIGN}{_NUMBER_BEHIND}\.?")
PLAIN_FIRST = AddressPart(rf"{words.LEAD}?{_WORD}(?: {_WORD})? {_NUMBER_BEHIND}")
BOX = AddressPart(
    r"(?:P\.? ?O\.? ?Box|Post Office Box|GPO Box|Locked Bag|Postfach|Postbus|Postbox|Boîte [Pp]ostale|B\.?P\.?"
    r"|Apartado(?: de [Cc]orreos| Postal)?|Casilla|Caixa Postal|Casella [Pp]ostale|Postboks|PL|Skr\. poczt\.)"
    r" (?:[Nn]o\.? |#)?\d{1,6}(?: \d{2,3}){0,2}"
)
UNIT_FIRST = AddressPart(
    r"(?:Unit|Flat|Apt|Apartment|Suite|Ste|Level|Shop|Studio|Room|Lot|Villa|Office)\.? #?\p{L}?\d{0,4}\p{L}?"
    r"(?:, ?|/| ?\n|, Level \d{1,2}, | )",
    r"(?=\d)",
)
YEAR_LIKE = regex.compile(r"(?:1[5-9]|20)\d\d ")
YEAR = regex.compile(r"[\s,]*(?:1[5-9]|20)\d\d (?!\p{Lu}{2} )")
BROAD = regex.compile(rf"(?:[\s\S]*\s)?{words.BROAD}\.?")

_LINE = r" ?,? ?\n[ \t>|*?]{0,8}(?:, ?)?"  # also in quoted mail
_GAP = rf"(?:{_LINE}| ?,? )"
_BREAK = rf"(?:{_LINE}| ?, ?| [–-] | \(| in )"
_CODE_FRONT = (
    r"(?:\p{Lu}{1,3}[- ])?(?:\d{5}(?:-\d{3,4})?|\d{8}|\d{4}-\d{3}|\d{3} \d{2}|\d{2}-\d{3}|\d{4}(?: ?\p{Lu}{2})?|\d{6})"
)
_CODE_BEHIND = (
    r"(?:\d{5}(?:-\d{3,4})?|\d{8}|\d{6}|\d{3} \d{2}|\p{Lu}{1,2}\d[\p{Lu}\d]? ?\d\p{Lu}{2}|\p{Lu}\d\p{Lu} ?\d\p{Lu}\d"
    r"|\p{Lu}\d[\dW] ?[\p{Lu}\d]{4})"
)
UNIT = AddressPart(rf"{_GAP}{words.UNIT}")
CODE_TOWN = AddressPart(
    rf"(?:{_GAP}| in ){_CODE_FRONT},? {_LONG_CITY}(?: \d{{1,2}}(?!\d))?"
    rf"(?: \(\p{{Lu}}{{2}}\)|(?: [/–-])? \p{{Lu}}{{2}}(?!\p{{L}}))?"
)
TOWN_CODE = AddressPart(
    rf"(?:{_GAP}| in ){_CITY}(?:(?:,? | - |, ?\n|\n)\(?(?:{words.STATE_CODES}|{words.STATES}|\p{{Lu}}{{2}})\)?)?"
    rf"(?:,? |, ?\n|\n){_CODE_BEHIND}"
    rf"|{_GAP}{_CITY},? {words.AUSTRALIAN},? \d{{4}}|{_GAP}{_CITY},? {words.STATE_CODES}"
)
TOWN_STATE = AddressPart(rf" {_LONG_CITY}(?: [/–-] \p{{Lu}}{{2}}| \(\p{{Lu}}{{2}}\))")
CODE = AddressPart(rf"(?:{_GAP}| - ){_CODE_BEHIND}")
TOWN = AddressPart(rf"{_BREAK}{_CITY}(?: (?:\d{{1,2}}|(?!1[5-9]|20)\d{{4}}))?\)?")
COUNTRY = AddressPart(rf"(?:{_BREAK}| | ?\n\n[ \t>]{{0,8}}){words.COUNTRY}(?:,? \d{{4,6}}(?:-\d{{3,4}})?)?")
TOWN_COUNTRY = AddressPart(rf" {_CITY},? {words.COUNTRY}(?:,? \d{{4,6}}(?:-\d{{3,4}})?)?")
CODED = regex.compile(r"\d{4}|\d{3} \d|\d\d-\d{3}|\p{Lu}\d")
FIRST_LETTER = regex.compile(r"(?: in )?[\s,(>|*?–-]*")
