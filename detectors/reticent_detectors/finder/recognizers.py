"""What can be recognised at a position, and when that is certain.

A recogniser answers `at(text, p, ...)` with the end of its match, with NONE, or with OPEN: more text could still
lengthen or change what matches at p (DESIGN, invariants I2 and I3).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder import cues
from reticent_detectors.finder.relations import Site, Strength

NONE = 0
OPEN = -1
REACH = 160


class Recognizer(Protocol):
    """One way to recognise one kind of value.

    `first` are the sorts of character that a value begins with: d(igit), u(pper case), l(ower case), s(ymbol).
    `entity` is None where the text around the value decides (amounts). A `loose` one is asked only where all others found nothing.
    """

    @property
    def name(self) -> str: ...
    @property
    def entity(self) -> Entity | None: ...
    @property
    def first(self) -> str: ...
    @property
    def loose(self) -> bool: ...
    def at(self, text: str, p: int, site: Site, closed: bool) -> int: ...
    def begins(self, text: str, p: int, site: Site) -> bool:
        """Whether text[p:] looks like the beginning of a value that the end of the text cut short."""
        ...


def _digits(least: int) -> Callable[[str], bool]:
    return lambda value: sum(c.isdigit() for c in value) >= least


def _address_like(value: str) -> bool:
    return _digits(2)(value) and _SENTENCE_WORDS.isdisjoint(value.casefold().split())


_SENTENCE_WORDS = (cues.STOP | {"mail", "address"}) - {"in", "on", "a", "an", "the"}


@dataclass(frozen=True, slots=True)
class Pattern:
    """A value with a form of its own.

    Args:
        core: the value, without looking ahead.
        tail: a look-ahead that must hold behind it, at most `right` characters far.
        also: text behind the value for whose end one waits, because it decides the kind.
        cued: only where the kind is announced (`Site.kinds`).
        start: a look-ahead that must hold at the beginning.
        fragment: what a cut value must look like if nothing announces it.
        accept: a test of the matched text.
    """

    name: str
    entity: Entity | None
    first: str
    core: str = field(repr=False)
    tail: str = field(default=r"(?![\p{L}\p{N}_])", repr=False)
    right: int = 1
    also: str = field(default="", repr=False)
    start: str = field(default="", repr=False)
    fragment: str = field(default="", repr=False)
    cued: bool = False
    loose: bool = False
    reach: int = REACH
    kinds: frozenset[Entity] = frozenset()
    accept: Callable[[str], bool] | None = field(default=None, repr=False)
    _full: Any = field(init=False, repr=False, compare=False)
    _open: Any = field(init=False, repr=False, compare=False)
    _core: Any = field(init=False, repr=False, compare=False)
    _fragment: Any = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "_full", regex.compile(f"{self.start}(?:{self.core}){self.tail}"))
        ahead = rf"(?:[\s\S]{{0,{self.right - 1}}}{'|' + self.also if self.also else ''})"
        put(self, "_open", regex.compile(f"(?:{self.core}){ahead}"))
        put(self, "_core", regex.compile(f"{self.start}(?:{self.core})"))
        put(self, "_fragment", regex.compile(self.fragment) if self.fragment else None)
        if self.entity is not None and not self.kinds:
            put(self, "kinds", frozenset({self.entity}))

    def at(self, text: str, p: int, site: Site, closed: bool) -> int:
        found = self._match(text, p, closed)
        # The form is cheaper to test than the words before it.
        return NONE if found and self.cued and self.kinds.isdisjoint(site.kinds) else found

    def _match(self, text: str, p: int, closed: bool) -> int:
        end = p + self.reach + self.right
        if not closed and len(text) < end and self._open.fullmatch(text, p, partial=True):
            return OPEN
        match = self._full.match(text, p, min(end, len(text)))
        if match is None or (self.accept is not None and not self.accept(match[0])):
            return NONE
        return int(match.end())

    def begins(self, text: str, p: int, site: Site) -> bool:
        tail = text[p:]
        if len(tail) > self.reach or not self._core.fullmatch(text, p, partial=True):
            return False
        strength = max((site.kinds[kind] for kind in self.kinds if kind in site.kinds), default=None)
        if strength is not None:
            sure = strength > Strength.ASKED or site.leads or not tail.isalpha()
            enough = len(tail) >= 2 or not tail.isalpha()
            return sure and enough and tail.split()[0].casefold() not in cues.NO_START
        return not self.cued and self._fragment is not None and bool(self._fragment.match(text, p))


_W = r"\p{Lu}[\p{L}\p{M}]{0,30}+(?:(?:['’]\p{L}{2}|-\p{L})[\p{L}\p{M}]{0,24}+){0,3}+"
_SMALL = r"(?:van|von|der|den|de|da|do|di|del|della|du|des|la|le|los|las|el|al|bin|ter|zu|zum|am|an|im|in|a|on|upon|sur|sous|en|of|the|y)"
_PLACE = rf"(?:St\. )?{_W}(?:[ -]{_SMALL}){{0,2}}(?:(?:[ -]{_SMALL}){{0,2}} {_W}){{0,3}}"
_MONTH = r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t(?:ember)?)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
_DAY = r"(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?"
_DATE = (
    rf"(?:19|20)\d\d([-/.])\d{{1,2}}\1\d{{1,2}}|{_MONTH}\.? {_DAY}(?:,? (?:19|20)\d\d)?|{_DAY}(?: of)? {_MONTH}(?:,? (?:19|20)\d\d)?"
    r"|\d{1,2}([-/.])\d{1,2}\2(?:19|20)\d\d"
)
_FLIGHT_DATE = rf"(?:(?:19|20)\d\d[-/.]\d{{1,2}}[-/.]\d{{1,2}}|{_MONTH}\.? {_DAY}(?:,? (?:19|20)\d\d)?|{_DAY}(?: of)? {_MONTH}(?:,? (?:19|20)\d\d)?|\d{{1,2}}[-/.]\d{{1,2}}[-/.](?:19|20)\d\d)"
_SEP = r"(?:,[ \n]?|\n)"
_STREET = r"[\p{L}\d][\p{L}\p{M}\d'’-]{0,24}+\.?"
_STATE_ZIP = r"\p{Lu}{2},? \d{5}(?:-\d{4})?"
_POSTCODE = r"\p{Lu}{1,2}\d[\p{Lu}\d]? ?\d\p{Lu}{2}"
_CITY = r"(?:St\. )?\p{Lu}[\p{L}\p{M}'’-]{0,24}+(?: [\p{L}\p{M}'’-]{1,24}+){0,3}"
_US = rf"\d{{1,6}}(?:-\d{{1,4}})? {_STREET}(?: {_STREET}){{0,5}}(?: (?:#|No\. )?\d{{1,5}})?(?:{_SEP}(?:Apt\.?|Apartment|Suite|Ste\.?|Unit|#|Floor|Room) ?\w{{1,6}})?{_SEP}{_CITY},? (?:{_STATE_ZIP})"
_UNIT = r"(?:Flat|Studio|Unit|Apartment) \w{1,6}"
_UK = rf"(?:{_UNIT},?[ \n](?:\d{{1,5}}\w? )?|\d{{1,5}}\w? ){_STREET}(?: {_STREET}){{0,4}}{_SEP}{_CITY}{_SEP}{_POSTCODE}"
_MILITARY = rf"(?:(?:PSC|CMR|Unit) \d{{1,5}}(?:,? Box \d{{1,6}})?|(?:USNS|USS|USCGC|USNV|USNH|USCG|USAF|USMC) {_W}){_SEP}(?:DPO|APO|FPO),? \p{{Lu}}{{2}} \d{{5}}(?:-\d{{4}})?"
_WAY = r"(?:rue|avenue|boulevard|chemin|place|impasse|allée|passage|route|plac|pl\.|ul\.|al\.|os\.|ulica|aleja|calle|via|viale|piazza)"
_NO_PLACE = r"(?!(?:The|From|Flight|Route|Trip|Ticket|I|It|He|She|They|You|We|Is|Are|Yes|No|On|At|In|To|Your|My|His|Her|Their|Travel|Booked|Flying|Please|Welcome|Go|Plane|A|An)\b)"

_COMPANY_WORD = rf"(?:{_W}|\p{{Lu}}{{1,8}}\d{{0,3}})"
_COMPANY = (
    rf"(?:{_COMPANY_WORD}(?:, {_COMPANY_WORD}){{1,3}},? (?:and|&|e|et|und|y|i|en) {_COMPANY_WORD}"
    rf"|(?:St\. )?{_COMPANY_WORD}(?:(?: (?:and|&|of|for|de|du|des|der|di|del|van|von|e|et|und|y|i|en|le|la|the|part)){{0,2}} {_COMPANY_WORD}){{0,6}})"
    r"(?: (?:and|&|e|et|und|y|i|en) (?:sons|asociados|hijos|figli|fils|syn|zonen))?"
    r"(?: & Co\.(?: KG(?:aA)?| OHG)?| \p{L}{1,4}\.(?:\p{L}{1,5}\.){1,3}| Sp\. z o\.o\.| e\.V\.| mbH| plc)?"
)
_NAME = rf"{_W}(?:(?: (?:\p{{Lu}}\.|van|von|de|da|di|del|della|der|den|la|le|los|el|bin|al|ter|zu|do|dos)){{0,3}} {_W}){{0,3}}"


@dataclass(frozen=True, slots=True)
class Words:
    """A value of ordinary words (a diagnosis, a medicine, a job), found by what announces it.

    It goes on until a word at which no such value goes on (`cues.STOP`), or a mark that is not part of it.
    `qualified`: a comma and a qualifier, a bracket, and "and" may follow ("Engineer, civil (consulting)").
    """

    name: str
    entity: Entity
    qualified: bool = False
    first: str = "ul"
    loose: bool = False
    most: int = 7

    def at(self, text: str, p: int, site: Site, closed: bool) -> int:
        strength = site.kinds.get(self.entity)
        if strength is None:
            return NONE
        if text[p].islower():
            head = _WORD.match(text, p)
            if head is None or strength is not Strength.STRONG:
                return NONE
            if head.end() == len(text) and not closed:
                return OPEN
            if not self._plausible(head[0], site):
                return NONE
        return self._end(text, p, site, closed)

    def begins(self, text: str, p: int, site: Site) -> bool:
        return self.at(text, p, site, True) > NONE and self.at(text, p, site, False) == OPEN

    def _plausible(self, value: str, site: Site) -> bool:
        """Whether words in small letters are a value: after a sure announcement, and no state or manner."""
        head = value.split()[0]
        if (
            head in _STATES
            or head.endswith(("ly", "ing"))
            or (not self.qualified and site.before.endswith((" the ", " a ")))
        ):
            return False
        return bool((_SURE_JOB if self.qualified else _SURE).search(site.sentence[-60:]))

    def _end(self, text: str, p: int, site: Site, closed: bool) -> int:
        end = position = p
        limit = min(len(text), p + REACH)
        more = not closed and len(text) < p + REACH
        commas = False
        for count in range(self.most):
            word = _WORD.match(text, position, limit)
            if word is None:
                if more and position >= limit:
                    return OPEN
                break
            if more and word.end() == limit:
                return OPEN
            plain = _plain(word[0])
            if count == 0:
                if plain in cues.NO_START | cues.DAYS | cues.MONTHS or site.is_noun(
                    self.entity, word.start(), word.end()
                ):
                    return NONE
            elif plain in ("and", "or"):
                if not self.qualified:
                    break
                follows = _WORD.match(text, word.end() + 1, limit)
                if more and (word.end() + 1 >= limit or (follows and follows.end() == limit)):
                    return OPEN
                if follows is None or text[word.end()] != " " or _plain(follows[0]) in cues.STOP | cues.NO_START:
                    break
            elif plain in cues.STOP and not (self.qualified and _inside_job(text[p:end], plain)):
                break
            end = word.end()
            mark = text[end : min(end + 2, limit)]
            if more and len(mark) < 2 and not mark.isalnum():
                return OPEN
            if mark == " (" and self.qualified:
                bracket = _BRACKET.match(text, end + 1, limit, partial=more)
                if bracket is None:
                    break
                if bracket.partial:
                    return OPEN
                end = bracket.end()
                break
            if mark[:1] == " ":
                position = end + 1
            elif mark == ", " and self.qualified and not commas:
                commas = True
                position = end + 2
            else:
                break
        return end


def _plain(word: str) -> str:
    """The word as the tables have it; an abbreviation ("IT consultant") is none of their words."""
    return word if word.isupper() and len(word) > 1 and word != "AI" else word.casefold()


def _inside_job(before: str, plain: str) -> bool:
    """ "English as a foreign language" and "special educational needs": the stop words that jobs have inside."""
    return bool(_JOB_INSIDE.search(f"{before} {plain}"))


_JOB_INSIDE = regex.compile(r"(?:English as(?: a)?|educational needs)$")
_WORD = regex.compile(r"[\p{L}\p{N}][\p{L}\p{M}\p{N}]{0,40}+(?:['’/&+%.-][\p{L}\p{N}][\p{L}\p{M}\p{N}]{0,40}+){0,4}+")
_BRACKET = regex.compile(r"\([\p{L}][\p{L}\p{N} ,/&'’-]{0,60}+\)")
_STATES = cues.words(
    """private stable serious good bad better worse critical mild severe fine normal improved unchanged hard easy
    important known care place part time long short clear safe new old common rare difficult often open full closed
    vacant"""
)
_SURE_JOB = regex.compile(r"(?i)\b(?:as|title|occupation|profession|position|role|trade|job|vocation)\b")
_SURE = regex.compile(
    r"(?i)diagnos|suffer|prescri|medicat|medicine|treated|drug|condition|illness|disease|takes|taking|living with|history of"
)


@dataclass(frozen=True, slots=True)
class Named:
    """A name in capitals (a doctor, an employer, a hospital), found by what announces it."""

    inner: Pattern

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def entity(self) -> Entity | None:
        return self.inner.entity

    @property
    def first(self) -> str:
        return self.inner.first

    @property
    def loose(self) -> bool:
        return self.inner.loose

    def at(self, text: str, p: int, site: Site, closed: bool) -> int:
        end = self.inner.at(text, p, site, closed)
        first = _WORD.match(text, p)
        return NONE if end > NONE and first and _plain(first[0]) in cues.NO_START | cues.DAYS | _TITLES else end

    def begins(self, text: str, p: int, site: Site) -> bool:
        return self.inner.begins(text, p, site)


_TITLES = frozenset({"doctor", "prof", "professor", "sir"})


def _named(name: str, entity: Entity, core: str) -> Named:
    return Named(Pattern(name, entity, "u", core, tail=r"(?![\p{L}\p{N}])", right=2, cued=True))


DEFAULT: Sequence[Recognizer] = (
    Pattern("email", Entity.EMAIL_ADDRESS, "uld", r"[\p{L}\p{N}_.+%'-]{1,64}+@[\p{L}\p{N}-]{1,40}+(?:\.[\p{L}\p{N}-]{1,24}+){1,4}+", start=r"(?<![\p{L}\p{N}_.+%-])",
            fragment=r"[^@\s]+@|[a-z]+[._]?[a-z]*\d+$"),
    Pattern("uuid", Entity.ORDER_NUMBER, "uld", r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}", tail=r"(?![\p{L}\p{N}-])",
            fragment=r"(?=[a-f-]*\d)(?=\d*[a-f])[0-9a-f]{5}|[0-9a-f]{8}-"),
    Pattern("iban", Entity.BANK_ACCOUNT, "ud", r"\p{Lu}{1,4}\d{8,30}|\p{Lu}{4}(?: \d{2,4}){3,6}|\p{Lu}{2}\d{2}(?: ?[\p{Lu}\d]{4}){2,7}(?: ?[\p{Lu}\d]{1,4})?|\d{14,30}",
            accept=_digits(8), fragment=r"\p{Lu}{2,4}\d{2}|\d{5,}$"),
    Pattern("address", Entity.ADDRESS, "du", f"{_US}|{_MILITARY}|{_UK}", tail=r"(?![\p{L}\p{N}]|-\p{N})", right=2,
            fragment=r"\d{1,6} \p{Lu}\p{Ll}+ \p{Lu}\p{Ll}|PSC \d|Unit \d"),
    Pattern("flight", Entity.FLIGHT, "u", rf"{_PLACE} to {_PLACE} on {_FLIGHT_DATE}", tail=r"(?![\p{N}]|[-/]\p{N})", right=2, start=_NO_PLACE,
            fragment=rf"{_PLACE} to \p{{Lu}}\p{{L}}"),
    Pattern("phone", Entity.PHONE_NUMBER, "ds", r"(?:\+?\d{1,3}[-. ]?)?(?:\(\d{3}\)[- ]?|\d{3}[-. ]?)\d{3}[-. ]?\d{4}(?: ?(?:x|ext\.? ?)\d{1,6})?|\+\d{1,3}(?:[-. ]?\(?\d{1,5}\)?){2,5}|\(0\d{1,5}\) ?\d{3,9}",
            tail=r"(?![\p{L}\p{N}_@]|[-./]\p{N})", right=2, accept=_digits(7), fragment=r"\+\d|\(\d{2}|\d{3}[-.]\d|\d{5,10}$"),
    Pattern("date", Entity.APPOINTMENT_DATE, "du", _DATE, tail=r"(?![\p{L}\p{N}]|[-/.]\p{N})", right=2, fragment=rf"(?:19|20)\d\d-|{_MONTH} \d"),
    Pattern("money", None, "ds", r"(?:[$€£]|(?:USD|EUR|GBP) ) ?\d{1,3}(?:,\d{3}){1,3}(?:\.\d{1,2})?|[$€£] ?\d{1,9}(?:\.\d{1,2})?|\d{1,3}(?:,?\d{3}){0,3}(?:\.\d{1,2})? ?(?:dollars|euros?|pounds|USD|EUR|GBP|[€£])",
            tail=r"(?![\p{N}]|[.,]\p{N})", right=2, also=r" (?:for|on|towards?|in) (?:(?:the|his|her|their|my|your) )?(?:utilit(?:y|ies)|\w{1,11})",
            kinds=frozenset({Entity.UTILITY_BILL, Entity.TRANSACTION_AMOUNT}), fragment=r"[$€£]\d"),
    Pattern("card", Entity.CREDIT_CARD_DIGITS, "d", r"\d{4}", tail=r"(?![\p{L}\p{N}]|[-/.,:]\p{N})", right=2, cued=True),
    _named("doctor", Entity.DOCTOR, _NAME),
    _named("hospital", Entity.HOSPITAL, _COMPANY),
    _named("employer", Entity.EMPLOYER, _COMPANY),
    Words("job", Entity.JOB_TITLE, qualified=True),
    Words("diagnosis", Entity.DIAGNOSIS),
    Words("prescription", Entity.PRESCRIPTION),
    Pattern("said-phone", Entity.PHONE_NUMBER, "ds", r"\+?\(?\d(?:[ ().\-/]{0,2}\d){4,20}(?:x\d{1,6})?", tail=r"(?![\p{L}\p{N}])", cued=True, loose=True),
    Pattern("said-account", Entity.BANK_ACCOUNT, "ud", r"[\p{Lu}\d](?:[ -]?[\p{Lu}\d]){5,33}", cued=True, loose=True, accept=_digits(5)),
    Pattern("said-order", Entity.ORDER_NUMBER, "uld", r"[\p{L}\d](?:[-]?[\p{L}\d]){3,50}", tail=r"(?![\p{L}\p{N}]|-\p{N})", right=2, cued=True, loose=True, accept=_digits(2)),
    Pattern("said-address", Entity.ADDRESS, "uld", rf"(?:[\p{{Lu}}\d]|{_WAY} )(?:[\p{{L}}\p{{M}}\d'’/ -]|(?<=\b\p{{L}}{{1,4}})\.|\.[^\s.]|\. \d){{0,60}}+(?:,[ \n]?(?:[\p{{L}}\p{{M}}\d'’()/ -]|(?<=\b\p{{L}}{{1,4}})\.){{1,60}}+){{1,4}}",
            tail=r"(?![\p{L}\p{N}])", cued=True, loose=True, accept=_address_like),
    Pattern("said-flight", Entity.FLIGHT, "u", rf"{_PLACE} to {_PLACE}(?: on {_FLIGHT_DATE})?", tail=r"(?![\p{L}\p{N}])", right=2, cued=True, loose=True, start=_NO_PLACE),
)  # fmt: skip
