"""What postal addresses are made of, as patterns: streets with their numbers, units, towns, codes and countries.

A part is read at one place of a text that grows: it ends somewhere, or is none, or more text decides.
"""

from __future__ import annotations

import regex

from reticent_detectors.finder.forms.words import either


class Undecided(Exception):
    """More text decides."""


class Part:
    """A part of an address.

    Args:
        core: its pattern. A part that is longer than `reach` characters is none.
        tail: what may stand after it. It looks at a few characters.
        reach: its most characters.
    """

    def __init__(self, core: str, tail: str = r"(?![\p{L}\p{N}])", reach: int = 96) -> None:
        self._pattern = regex.compile(f"(?:{core}){tail}")
        self._reach = reach

    def end(self, text: str, p: int, closed: bool) -> int:
        """Return where the part at p ends, 0 for none. Raise Undecided while more text could change it."""
        growing = not closed and len(text) - p < self._reach + _AFTER_CHARS
        if growing and self._pattern.fullmatch(text, p, partial=True) is not None:
            raise Undecided
        match = self._pattern.match(text, p, p + self._reach + _AFTER_CHARS)
        if match is None or match.end() > p + self._reach:
            return 0
        if growing and match.end() + _TAIL_CHARS > len(text):
            raise Undecided
        return int(match.end())


_AFTER_CHARS, _TAIL_CHARS = 16, 2


def _row(row: str) -> str:
    return f"(?:{either(row, 'streets')})"


_NO_NUMBER = r"(?![\p{L}\p{N}]|[-/.:]\p{N}|%)"
# Letters with case only: a word of another script, which has no blanks between, is no part of an address.
_WORD = r"\p{Lu}[\p{Lu}\p{Ll}\p{M}'’-]{0,24}+\.?"
_SMALL_WORD = r"\p{Ll}[\p{Ll}\p{M}'’-]{1,24}+"
_SMALL = _row("small")
NUMBER = r"\d{1,5}(?:[-–/]\d{1,4})?(?: 1/2)?(?: ?(?:[a-zA-Z](?![\p{L}\p{N}])|bis|ter|quater))?"
_DOOR = r"(?: (?:[A-Z](?: \d{1,3})?|[a-z])(?=[,;\n)]|\.(?! ?\d)|\Z))?"
_NUMBER_BEHIND = (
    r"\d{1,4}(?!\d)(?:[a-zA-Z](?!\p{L})|-[A-Z](?!\p{L}))?"
    rf"(?: ?[-–/] ?\d{{1,4}}(?!\d)(?:[a-zA-Z](?!\p{{L}}))?){{0,3}}{_DOOR}"
)
_SIGN = r"(?:(?:nº|n\.º|[Nn]o\.?:?|[Nn]r\.?|n°|numero|número|д\.|дом|d\.|č\.p\.) ?)?"
_DIRECTION = r"(?:[NSEW]{1,2}|North|South|East|West|Nord|Sud|Est|Ouest)\.?"
_TITLE_OR_NAME = rf"(?:(?:{_row('titles')}|\p{{Lu}})\.|\p{{Lu}}[\p{{Lu}}\p{{Ll}}\p{{M}}'’-]{{0,24}}+)"
_NAME = rf"(?:{_SMALL} ?){{0,3}}{_TITLE_OR_NAME}(?:[ -](?:{_SMALL} ?){{0,2}}{_TITLE_OR_NAME}){{0,4}}"
_ENDED = rf"[\p{{L}}\p{{M}}-]{{2,30}}?(?i:{_row('endings')})(?:(?<=str)\.)?"

_DOTTED = rf"{_row('ways_dotted')} {_NUMBER_BEHIND}(?:\.(?=,|\n))?"

# Streets.
BEHIND = Part(
    rf"{NUMBER},? (?:{_DIRECTION} )?(?:(?:(?:{_WORD}|\d{{1,3}}(?:st|nd|rd|th)) ){{1,4}}{_row('after')}|Broadway)"
    rf"(?!\p{{L}})(?:(?<=\b\p{{L}}{{2,4}})\.(?! \p{{Lu}}\p{{Ll}}{{0,20}} \p{{Ll}}))?(?: {_DIRECTION}(?!\p{{L}}))?",
    reach=120,
)
"""A number, a name, a word for a street."""
BEHIND_WEAK = Part(rf"{NUMBER},? (?:{_WORD} ){{1,3}}{_row('after_weak')}")
FRONT = Part(rf"{NUMBER},? {_row('fronts')} {_NAME}", _NO_NUMBER, reach=120)
"""A number, a word for a street, a name."""
PLAIN = Part(rf"{NUMBER} {_WORD}(?: {_WORD}){{1,3}}", r"(?=, ?\p{Lu}|,? ?\n| (?:Apt|Suite|Ste|Unit|Flat)[ .])", 120)
"""A street without a word for one: only with a unit or a comma after it, and a code after that."""
NUMBERED = Part(
    rf"{NUMBER},? (?:{_WORD} )?(?:(?:{_ENDED}|{_WORD} {_row('ways')}),? {_NUMBER_BEHIND}|{_WORD} {_DOTTED})",
    _NO_NUMBER,
    reach=120,
)
"""A number before a street that has its own: of a house within it, or of a building."""
ENDED_BEHIND = Part(rf"{NUMBER},? (?:{_WORD} )?{_ENDED}", _NO_NUMBER)
SMALL_NUMBERED = Part(rf"{NUMBER},? (?:{_SMALL_WORD} )?{_ENDED},? {_NUMBER_BEHIND}", _NO_NUMBER)
SMALL_BEHIND = Part(rf"{NUMBER},? (?:(?!{_row('not_in_names')} ){_SMALL_WORD} ){{1,3}}{_row('after')}")
SMALL_FRONT = Part(rf"{NUMBER},? {_row('fronts')} (?:{_SMALL} ){{0,2}}{_SMALL_WORD}(?: {_SMALL_WORD})?", _NO_NUMBER)
FRONT_FIRST = Part(rf"{_row('fronts')} {_NAME},? {_SIGN}{_NUMBER_BEHIND}", _NO_NUMBER, reach=120)
PROSE_FIRST = Part(
    rf"{_row('fronts_of_prose')} (?:d[aeiou]|d[eo]s|del|della|delle|dei|degli) {_NAME},? {_SIGN}{_NUMBER_BEHIND}",
    _NO_NUMBER,
    reach=120,
)
"""The same with a word of prose, which a particle makes one for a street."""
BARE_FIRST = Part(
    rf"(?:{_row('fronts')}|{_row('fronts_weak')}) {_NAME}(?:,? {_SIGN}{_NUMBER_BEHIND})?", r"(?= ?,|\n)", reach=120
)
"""A street without a number, or with a weak word."""
ENDED_FIRST = Part(
    rf"(?:{_row('leads')}(?: (?:der|dem|den))? )?(?:{_WORD} )?{_ENDED},? {_NUMBER_BEHIND}", _NO_NUMBER, reach=110
)
WAY_FIRST = Part(
    rf"{_WORD}(?: {_WORD}){{0,2}} (?:(?:{_row('ways')}|{_row('ways_english')}),? {_SIGN}{_NUMBER_BEHIND}|{_DOTTED})",
    _NO_NUMBER,
    reach=120,
)
LED_FIRST = Part(
    rf"(?:Am|An|Im|In|Zum|Zur|Auf|Unter|Hinter)(?: (?:der|dem|den))? {_WORD}(?: {_WORD})? {_NUMBER_BEHIND}", _NO_NUMBER
)
ADJECTIVE_FIRST = Part(rf"\p{{Lu}}[\p{{L}}-]{{2,24}}(?<={_row('adjectives')}) {_NUMBER_BEHIND}", r"(?=,)")
BOX = Part(rf"{_row('boxes')} (?:[Nn]o\.? |#)?\d{{1,6}}(?: \d{{2,3}}){{0,2}}", _NO_NUMBER)
ROUTE = Part(rf"{_row('routes')} \d{{1,4}},? Box \d{{1,6}}[A-Z]?")
FORCES = Part(
    rf"(?:(?:PSC|Unit) \d{{1,5}},? Box \d{{1,5}}|(?:USS|USNS|USNV|USCGC) {_WORD}(?: {_WORD})?),? ?\n?"
    r"(?:APO|FPO|DPO),? (?:AA|AE|AP),? \d{5}(?:-\d{4})?",
    _NO_NUMBER,
    reach=110,
)
"""Of the armed forces of the United States, as the post writes them."""
UNIT_FIRST = Part(
    rf"{_row('units_before')}\.? #?(?:\p{{L}}?\d{{1,4}}\p{{L}}?|\p{{L}})"
    rf"(?:/|(?:, ?| ?\n| )(?:{_WORD} {_row('buildings')}, ?)?)",
    r"(?=\d|(?:Level|Floor) \d)",
    56,
)
"""A unit that stands before the street."""

# What may follow a street.
_LINE = r" ?,? ?\n[ \t>|*]{0,8}"  # also in quoted mail
_GAP = rf"(?:{_LINE}| ?,? )"
_COMMA = rf"(?:{_LINE}| ?, ?)"
_BREAK = rf"(?:{_LINE}| ?, ?| [–-] | \(| in | )"
_TOWN_WORD = rf"(?!{_row('no_towns')}(?![\p{{L}}\p{{N}}]))\p{{Lu}}[\p{{Lu}}\p{{Ll}}\p{{M}}'’-]{{1,24}}+"
_CITY = rf"(?:(?:St|Ste|Ft|Mt)\. )?{_TOWN_WORD}(?:[ -](?:{_SMALL}[ -]?){{0,2}}{_TOWN_WORD}){{0,3}}"
_DISTRICT = r"(?: (?:\d{1,2}|[B-HJ-Z])(?=[,.;)\n|]|\Z))?"
_CODE_FRONT = (
    r"(?:\p{Lu}\d{4}\p{Lu}{3}|(?:\p{Lu}{1,3}[- ])?"
    r"(?:\d{5}(?:-\d{3,4})?|\d{8}|\d{4}-\d{3}|\d{3} \d{2}|\d{2}-\d{3}|\d{4}(?: ?\p{Lu}{2})?|\d{6}))"
)
_CODE_BEHIND = (
    r"(?:\d{5}(?:-\d{3,4})?|\d{8}|\d{6}|\d{3} \d{2}|\p{Lu}{1,2}\d[\p{Lu}\d]? ?\d\p{Lu}{2}|\p{Lu}\d\p{Lu} ?\d\p{Lu}\d"
    r"|\p{Lu}\d[\dW] ?[\p{Lu}\d]{4})"
)
_STATE = rf"{_row('states')}(?!\p{{L}})"
_UNIT_WORDS = _row("units")
UNIT = Part(
    rf"(?:{_GAP}| )(?:{_UNIT_WORDS}(?:\.?:? ?#?\p{{L}}?\d{{1,4}}\p{{L}}?|\.? \p{{Lu}})"
    rf"|#\p{{L}}?\d{{1,5}}(?:-\d{{1,5}})?\p{{L}}?"
    rf"|\d{{1,2}}(?:\.?[ºª°]|er|[ºª°]\.)(?: ?(?:{_row('doors')}|\p{{Lu}})\.?)?"
    rf"|\d{{1,2}}\. ?{_row('floors')}\.?(?: \d{{1,2}})?|\d{{1,2}}(?:st|nd|rd|th) [Ff]l(?:oor|r)?"
    rf"|\d{{1,2}}(?:er?|ème) étage|{_row('floors_alone')}(?: \p{{Lu}})?"
    r"|(?:д\.|м\.|m\.|№) ?\d{1,4}|(?:No|Nr)\.? ?\d{1,5})",
    _NO_NUMBER,
    reach=56,
)
_CODED_TOWN = (
    rf"{_CODE_FRONT},? {_CITY}{_DISTRICT}(?: \(\p{{Lu}}{{2}}\)|(?: [/–-])? \p{{Lu}}{{2}}(?![\p{{L}}\p{{N}}]))?"
)
CODE_TOWN = Part(rf"{_GAP}{_CODED_TOWN}", _NO_NUMBER)
QUARTER_CODE_TOWN = Part(rf"{_COMMA}{_CITY},(?: |\n){_CODED_TOWN}", _NO_NUMBER, reach=130)
"""A quarter, then code and town: "Centro, 28013 Madrid"."""
TOWN_CODE = Part(
    rf"{_GAP}{_CITY}(?:(?:,? | - |, ?\n|\n)\(?(?:{_STATE}|\p{{Lu}}{{2}}(?!\p{{L}}))\)?)?(?:,? |, ?\n|\n){_CODE_BEHIND}"
    rf"|{_GAP}{_CITY},? {_STATE}(?:,? \d{{4,5}}(?:-\d{{4}})?)?",
    _NO_NUMBER,
    reach=110,
)
CODE = Part(rf"(?:{_GAP}| - ){_CODE_BEHIND}", _NO_NUMBER, reach=32)
LAST_CODE = Part(r",? ?\n? ?(?!1[5-9]\d\d|20\d\d)\d{4}(?=\n|\Z)", "", reach=16)
"""A short code at the end of a line, without its town."""
COUNTRY = Part(
    rf"{_BREAK}(?=\p{{Lu}})(?i:{_row('countries')})(?![\p{{L}}\p{{N}}])(?:,? \d{{4,6}}(?:-\d{{3,4}})?)?", _NO_NUMBER, 80
)
TOWN = Part(rf" ?, ?{_CITY}(?: \d{{1,2}}(?!\d))?(?=[,.;!?\n)\"<|]|\Z| {_row('after_town')} \p{{Ll}})", "", reach=72)
"""A town that ends its clause."""
SMALL_TOWN = Part(rf"(?: ?, ?| ){_SMALL_WORD}(?: {_SMALL_WORD})?", reach=48)
STRANGER = Part(rf"{_COMMA}{_CITY}{_DISTRICT}", r"(?= ?,|,? ?\n)", reach=72)
"""What may be a town, a quarter or an estate: only if more of the address follows."""
YEAR = regex.compile(r"[\s,>|*]*(?:1[5-9]|20)\d\d (?!\p{Lu}{2} )")
"""Matches a year where a code stands."""
FIRST_OF_REST = frozenset(" ,\n")
"""What the parts after a street begin with."""
