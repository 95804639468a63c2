"""Street addresses as many countries write them: a street's name with its number before or behind.

The words that say "street" do the work: before the name ("rue", "ul."), behind it ("Road") or at its end ("-weg", "-katu"). A unit, and
a town with its postal code, belong to the address. Streets without such a word are found between two numbers only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder import cues
from reticent_detectors.finder.names_data import fold, look_up
from reticent_detectors.finder.recognizers import NONE, OPEN, Pattern, Recognizer
from reticent_detectors.finder.relations import Site

_BEHIND = (
    r"(?:[Ss]treet|[Rr]oad|[Aa]venue|[Ll]ane|[Dd]rive|[Cc]ourt|[Ww]ay|[Bb]oulevard|[Cc]lose|[Cc]rescent|[Tt]errace|[Pp]lace|[Ss]quare|[Pp]arkway"
    r"|[Hh]ighway|Trail|Circle|Loop|Row|Mews|Grove|Gardens|Hill|Walk|Alley|Plaza|Quay|Green|Park|View|Heights|Ridge|Path|Turnpike|Esplanade"
    r"|St|Rd|Ave|Ln|Dr|Ct|Blvd|Cres|Pl|Sq|Pkwy|Hwy|Trl|Cir)(?!\p{L})\.?"
)
_FRONT = (
    r"(?:[Rr]ue|[Aa]venue|[Aa]v\.|[Bb]oulevard|[Bb]d\.?|[Cc]hemin|[Pp]lace|[Ii]mpasse|[Aa]llée|[Qq]uai|[Rr]oute|[Cc]ours|[Ss]quare|[Vv]ia|[Vv]iale|[Pp]iazza|[Cc]orso|[Vv]icolo"
    r"|[Ll]argo|[Ss]trada|[Ss]tr\.|[Cc]alle|[Cc]/|[Aa]venida|[Aa]vda\.?|[Pp]laza|[Pp]aseo|[Cc]amino|[Cc]arrer|[Cc]arretera|[Rr]ua|[Tt]ravessa|[Pp]raça|[Aa]lameda|[Ee]strada"
    r"|[Uu]lica|[Uu]l\.|[Aa]leja|[Aa]l\.|[Pp]lac|[Pp]l\.|[Oo]s\.|[Uu]lice|[Nn]áměstí|[Tt]rg|[Cc]esta|[Uu]litsa|[Pp]rospekt|[Jj]alan|[Jj]l\.|[Ll]orong"
    r"|[Bb]ulevardul|[Cc]alea|ул\.|[Уу]лица|[Пп]роспект|пр\.|[Пп]ереулок|οδός)"
)
_ENDS = (
    r"(?:weg|straße|strasse|str\.|gasse|allee|platz|damm|ufer|steig|chaussee|straat|laan|plein|plaats|gracht|kade|dreef|singel|dijk|gata|gatan"
    r"|gaten|vägen|veien|vegen|väg|stigen|gränd|torget|vej|gade|stræde|torv|katu|kuja|polku|raitti)"
)
_ENDING = regex.compile(rf"[\p{{L}}\p{{M}}-]{{0,30}}?{_ENDS}(?![\p{{L}}\p{{N}}])")
_LEAD = r"(?:(?:Am|An|Im|Zum|Zur|Auf|Große|Kleine|Alte|Neue|Obere|Untere|Sankt|St\.)(?: (?:der|dem|den))? )"
_WORD = r"[\p{Lu}][\p{L}\p{M}'’-]{0,24}+\.?"
_ANY = r"[\p{L}][\p{L}\p{M}'’-]{0,24}+"
_SMALL = r"(?:de|du|des|la|le|les|los|las|el|del|della|dei|degli|di|da|do|dos|das|d['’]|l['’]|san|santa|saint|st\.?|van|von|der)"
_NUMBER = r"\d{1,5}(?:[-/]\d{1,4})?(?: ?(?:[a-zA-Z](?!\p{L})|bis|ter))?"
_UNIT = (
    r"(?:,? (?:Apt|Apartment|Suite|Ste|Unit|Flat|Floor|Room|Box|bus|bte|boîte|Apto|Appartement|Appart|Bldg|Building|Wohnung|Whg|Interno|interno|int|[Pp]iso|кв|д|№|No|Nr)\.? ?#?[\p{L}\d]{1,5}(?!\p{L})"
    r"|,? #\d{1,5}|, \d{1,2}[ºª°]\.?(?: ?[\p{L}\d]{1,4}(?!\p{L}))?|,? \d{1,2}\. ?(?:OG|Stock|tv|th|mf)\.?)"
)
_CITY = rf"(?:{_WORD})(?:[ -](?:{_SMALL} ?)?{_WORD}){{0,3}}"
_CODE = r"(?:\p{Lu}{1,3}-)?\d{4,6}(?:-\d{3,4})?|\d{3} \d{2}|\d{2}-\d{3}|\d{4} ?\p{Lu}{2}|\p{Lu}{1,2}\d[\p{Lu}\d]? ?\d\p{Lu}{2}|\p{Lu}\d\p{Lu} ?\d\p{Lu}\d"
_TOWN = rf"(?:(?:,[ \n]?|\n| [–-] )(?:(?:{_CODE}) {_CITY}(?: \(?\p{{Lu}}{{2}}\)?(?!\p{{L}}))?|{_CITY}(?:,? \p{{Lu}}{{2,3}})?,? (?:{_CODE})))?"
_REST = rf"(?:{_UNIT}){{0,2}}{_TOWN}"
_NAMED = rf"(?:{_SMALL} ?){{0,2}}{_ANY}(?:[ -](?:{_SMALL} ?){{0,2}}{_ANY}){{0,4}}?"
_TAIL = r"(?![\p{L}\p{N}])"


def _plausible_small(value: str) -> bool:
    """Of street names in small letters, only those of words that prose does not have ("3 via registered mail")."""
    words = [word for word in regex.findall(r"[\p{L}'’]+", value) if len(word) > 3]
    if any(word[0].isupper() for word in words[1:]):
        return True
    return len(words) > 1 and all(look_up(fold(word)).ordinary < 2 for word in words[1:])


def _named_between(value: str) -> bool:
    """ "92 Eusebio Dávila 57": names, not a date, a score or a heading."""
    known = [look_up(fold(word)) for word in regex.findall(r"\p{L}[\p{L}'’-]+", value)]
    return all(k.ordinary == 0 for k in known) and any(k.given or k.family for k in known)


_PATTERNS: Sequence[tuple[str, Pattern]] = tuple(
    (sorts, Pattern(name, Entity.ADDRESS, sorts, core, tail=_TAIL, right=2, accept=accept))
    for name, sorts, core, accept in (
        ("street-behind", "d", rf"{_NUMBER},? (?:[NSEW]\.? )?(?:(?:{_WORD}|\d{{1,3}}(?:st|nd|rd|th)) ){{1,4}}{_BEHIND}(?: [NSEW]{{1,2}}(?!\p{{L}})\.?)?{_REST}", None),
        ("street-front", "d", rf"{_NUMBER},? {_FRONT} (?:{_SMALL} ?){{0,3}}(?:{_WORD}(?:[ -](?:{_SMALL} ?){{0,2}}{_WORD}){{0,4}}|{_ANY} {_ANY}){_REST}", _plausible_small),
        ("street-ending", "d", rf"{_NUMBER},? (?:{_ANY} )?[\p{{L}}\p{{M}}-]{{2,30}}?{_ENDS}(?!\p{{L}})(?: {_NUMBER})?{_REST}", None),
        ("street-named", "d", rf"\d{{1,5}} {_WORD} {_WORD}(?: {_WORD})? \d{{1,5}}{_REST}", _named_between),
        ("front-street", "ul", rf"{_FRONT} {_NAMED},? (?:(?:д\.|дом|č\.p\.|nº|n\.º|[Nn]o\.|[Nn]r\.|n°) ?)?{_NUMBER}{_REST}", None),
        ("ending-street", "ul", rf"(?:{_LEAD}?[\p{{L}}\p{{M}}-]{{2,30}}?{_ENDS}|{_LEAD}(?:{_WORD} )?(?i:{_ENDS}))(?!\p{{L}}),? {_NUMBER}{_REST}", None),
    )
)  # fmt: skip
_ENDINGS = tuple(_ENDS[3:-1].replace("str\\.", "str").split("|"))
_FRONTS = frozenset(
    case
    for word in regex.sub(r"\[(\p{L})(\p{L})\]", r"\2", _FRONT)[3:-1]
    .replace("\\.", "")
    .replace("?", "")
    .replace("/", "")
    .split("|")
    for case in (word, word.capitalize())
)
_LETTERS = re.compile(r"[^\W\d_]{1,64}")
_AFTER_NUMBER = regex.compile(rf"{_NUMBER},? \p{{L}}")


@dataclass(frozen=True, slots=True)
class Street:
    """Asks the patterns only where a number stands before a word, or a word says "street"."""

    name: str = "street"
    entity: Entity = Entity.ADDRESS
    first: str = "dul"
    loose: bool = False
    plain: str = "ul"

    def at(self, text: str, p: int, site: Site, closed: bool) -> int:
        sort = self._sort(text, p, closed)
        if sort is None:
            return NONE
        if sort == "?":
            return OPEN
        best = NONE
        for sorts, pattern in _PATTERNS:
            if sort in sorts:
                end = pattern.at(text, p, site, closed)
                if end == OPEN:
                    return OPEN
                best = max(best, end)
        return best

    def begins(self, text: str, p: int, site: Site) -> bool:
        """Whether the text ends inside an address: behind the name of a street, or where a unit or a town goes on."""
        sort = self._sort(text, p, True)
        if sort is None or self.at(text, p, site, False) != OPEN:
            return False
        return self.at(text, p, site, True) > NONE or (sort == "u" and len(text) - p > 9)

    def _sort(self, text: str, p: int, closed: bool) -> str | None:
        if text[p].isdigit():
            match = _AFTER_NUMBER.match(text, p, partial=not closed)
            if match is None:
                return None
            return "?" if match.partial else "d"
        letters = _LETTERS.match(text, p)
        if letters is None:
            return None
        word, end = letters[0], letters.end()
        if end == len(text):
            if not closed:
                return "?"
        elif text[end] == "-" and end < p + 40:
            return "u" if _ENDING.match(text, p, partial=not closed) else None
        return "u" if word.endswith(_ENDINGS) or word in _FRONTS or word in _LEADS else None


_LEADS = cues.words("Weg Platz Straße Am An Im Zum Zur Auf Große Kleine Alte Neue Obere Untere Sankt St.")
STREETS: Sequence[Recognizer] = (Street(),)
