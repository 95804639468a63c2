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
from reticent_detectors.finder.languages import lexicon
from reticent_detectors.finder.languages.forms import FORMS
from reticent_detectors.finder.languages.wordings import fold
from reticent_detectors.finder.relations import Announcement, Site, Strength

NONE = 0
OPEN = -1
REACH = 160


class Recognizer(Protocol):
    """One way to recognise one kind of value.

    `first` are the sorts of character that a value begins with: d(igit), u(pper case), l(ower case), s(ymbol).
    `entity` is None where the text around the value decides (amounts). A `loose` one is asked only where all others found nothing.
    `plain` are those of these sorts with which a value may begin a word of letters that has a blank or a mark behind it.
    """

    @property
    def name(self) -> str: ...
    @property
    def entity(self) -> str | None: ...
    @property
    def first(self) -> str: ...
    @property
    def loose(self) -> bool: ...
    @property
    def plain(self) -> str: ...
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
        plain: with which sorts of character it may begin a word of letters with a blank or a mark behind.
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
    plain: str = "ul"
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
        found = self.match(text, p, closed)
        # The form is cheaper to test than the words before it.
        return NONE if found and self.cued and self.kinds.isdisjoint(site.kinds) else found

    def match(self, text: str, p: int, closed: bool) -> int:
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
_NO_LEG = r"(?!(?:Der|Die|Das|Den|Le|La|El|Lo|O|Um|Un|Ein|Eine|Von|De|Da|Dal|Du|Er|Elle|Ela|Ele|Su|Son|Seine|Ihre|Ihr|Sein|Voa|Viaja|Viaggia|Vola|Vuela|Tiene|Flug|Vol|Vuelo|Volo|Voo|Il)\b)"
_NO_PLACE = r"(?!(?:The|From|Flight|Route|Trip|Ticket|I|It|He|She|They|You|We|Is|Are|Yes|No|On|At|In|To|Your|My|His|Her|Their|Travel|Booked|Flying|Please|Welcome|Go|Plane|A|An)\b)"

_NUMBER = r"\d{1,3}(?:[.,\u00a0\u202f ]\d{3}){1,3}(?:[.,]\d{1,2})?|\d{1,9}(?:[.,]\d{1,2})?"
_MONEY = (
    rf"(?:R\$|€|(?:EUR|CHF|BRL) ) ?(?:{_NUMBER})|(?:US\$|[$£]|(?:USD|GBP) ) ?(?:\d{{1,3}}(?:,\d{{3}}){{1,3}}(?:\.\d{{1,2}})?|\d{{1,9}}(?:\.\d{{1,2}})?)"
    rf"|(?:{_NUMBER}) ?(?:dollars|euros?|Euro|pounds|reais|real|d[óo]lares|libras|pesos|francs|Franken|USD|EUR|GBP|CHF|[€£])"
)
_MONTHS = (
    r"(?:jan(?:uary?|uar|vier)?|feb(?:ruary?|ruar|braio|rero)?|f[ée]vrier|mar(?:ch|s|zo|[çc]o)?|m[äa]rz|apr(?:il|ile)?|avril|abril|ma[iyo]|maggio|mayo|maio|jun[ei]?|juin|junio|giugno|junho"
    r"|jul[yi]?|juillet|julio|luglio|julho|aug(?:ust)?|ao[ûu]t|agosto|sep(?:t|tember|tembre|tiembre)?|settembre|setembro|o[ck]t(?:ober|obre|ubre)?|ottobre|outubro|nov(?:ember|embre|iembre|embro)?|de[cz](?:ember|embre|embro)?|d[ée]cembre|diciembre|dicembre"
    r"|janeiro|enero|gennaio|fevereiro|febbraio|febrero|aprile|setiembre|dezembro|novembro|octobre|octubre)"
)
_ANY_DATE = (
    rf"(?:(?:19|20)\d\d[-/.]\d{{1,2}}[-/.]\d{{1,2}}|\d{{1,2}}[-/.]\d{{1,2}}[-/.](?:19|20)\d\d|\d{{1,2}}(?:\.|er|º|st|nd|rd|th)?(?: of| de)? (?i:{_MONTHS})\.?(?:,?(?: de| del)? (?:19|20)\d\d)?"
    rf"|(?i:{_MONTHS})\.? \d{{1,2}}(?:st|nd|rd|th)?(?:,? (?:19|20)\d\d)?)"
)
_LEG = rf"{_PLACE}(?: (?:to|nach|à|a|ad|para|naar)| ?[–→-]| ?->) ?{_PLACE}"
_FLIGHT = (
    rf"{_LEG}(?:,? (?:(?:on|am|vom|le|el|il|l['’]|em|no|em o|do|del|den|du)(?: (?:dia|the|giorno|día))?)|,) {_ANY_DATE}"
)
_FLIGHT_NUMBER = r"(?:\p{Lu}{2}|\p{Lu}\d|\d\p{Lu}) ?-?\d{2,4}"
_COMPANY_WORD = rf"(?:\p{{Lu}}\p{{L}}{{0,3}}\.(?:\p{{L}}{{1,4}}\.){{1,3}}|(?:[dl]|dell|[Dd]ell|[Ss]ant|[Ll])['’]{_W}|\p{{Lu}}\p{{Ll}}{{0,3}}\.-(?:{_W})|{_W}|\p{{Lu}}{{1,8}}\d{{0,3}})"
_COMPANY = (
    rf"(?:{_COMPANY_WORD}(?:, {_COMPANY_WORD}){{1,3}},? (?:and|&|e|et|und|y|i|en) {_COMPANY_WORD}"
    rf"|(?:St\. )?{_COMPANY_WORD}(?:(?: (?:and|&(?! Co\.)|of|for|de|du|des|der|di|del|da|do|das|dos|della|dei|am|van|von|e|et|und|y|i|en|le|la|the|part|militaire|militare|militar|universitaire|europ[ée]en)){{0,2}} {_COMPANY_WORD}){{0,6}}(?: (?:communiste|socialiste|national|insoumise|comunista|socialista))?)"
    r"(?: (?:and|&|e|et|und|y|i|en) (?:sons|asociados|hijos|figli|fils|syn|zonen))?"
    r"(?: & Co\.(?: KG(?:aA)?| OHG)?| \p{L}{1,4}\.(?:\p{L}{1,5}\.){1,3}(?:\p{Lu}\b)?| S\.A\.U| S/A| Ltda\.| S\.L\.N\.E| - EI| et Fils| e Filhos| Sp\. z o\.o\.| e\.V\.| mbH| plc)?"
)
_HOSPITAL_WORD = r"(?:h[ôo]pital|hospital|ospedale|clinique|cl[íi]nica|policlinico|klinik|sanatorio|centre hospitalier|casa di cura|maternit[ée]|maternidade)"
_OWNED_HOSPITAL = (
    rf"(?:St\. )?(?:{_W} ){{0,2}}{_W}['’]s (?:{_W} ){{0,2}}(?:Hospital|Clinic|Infirmary|Institute|Center|Centre)"
)
_HOSPITAL_NAME = rf"{_OWNED_HOSPITAL}|{_COMPANY}|{_HOSPITAL_WORD}(?: (?:de la|de l['’]|de|des|du|d['’]|della|del|di|dell['’]|da|do|das|dos|militaire|militare|militar|universitaire|europ[ée]en|civil[e]?|infantile|geral|general)){{0,2}} ?{_COMPANY}"
_NAME = rf"{_W}(?:(?: (?:\p{{Lu}}\.|van|von|de|da|di|del|della|der|den|la|le|los|el|bin|al|ter|zu|do|dos)){{0,3}} {_W}){{0,3}}"


@dataclass(frozen=True, slots=True)
class Words:
    """A value of ordinary words (a diagnosis, a medicine, a job), found by what announces it.

    It goes on until a word at which no such value goes on (`Language.stop`), or a mark that is not part of it; in a form, a table
    or code to the end of its field. `qualified`: a comma and a qualifier, a bracket, and "and" may follow ("Engineer, civil (consulting)").
    """

    name: str
    entity: Entity
    qualified: bool = False
    first: str = "ul"
    loose: bool = False
    most: int = 7
    plain: str = "ul"

    def at(self, text: str, p: int, site: Site, closed: bool) -> int:
        found = site.announced.get(self.entity)
        framed = 0
        if found is None or (found.strength is Strength.ASKED and site.framed):
            framed = site.framed.get(self.entity, 0)
            if not framed and found is None:
                return NONE
        if framed:
            found = Announcement(Strength.STRONG, framed, True)
        assert found is not None
        field_end = field_at(text, p, site, self.entity, closed)
        if field_end:
            return field_end
        if found.strength is Strength.ASKED and self.entity is not Entity.NRP:
            head = _WORD.match(text, p)
            if head is not None and lexicon().lead.get(_plain(head[0]), 0) & (site.question.languages | 1):
                return NONE
        end = self._end(text, p, site, found.languages, closed)
        if end <= NONE:
            return end
        if framed:
            if self.entity in (Entity.DIAGNOSIS, Entity.PRESCRIPTION) and not FORMS[self.entity].match(
                fold(text[p:end])
            ):
                return NONE
            return _framed(text, end, site, self.entity, framed, closed)
        if found.strength is Strength.LABEL:
            return end
        if not self._admitted(text, p, end, site, found):
            if found.strength is Strength.ASKED and text[p].islower():
                return self._bare(text, end, site, closed)
            return NONE
        return end

    def begins(self, text: str, p: int, site: Site) -> bool:
        return self.at(text, p, site, True) > NONE and self.at(text, p, site, False) == OPEN

    def _admitted(self, text: str, p: int, end: int, site: Site, found: Announcement) -> bool:
        """Whether words that are not surely announced are a value: by their capitals, in English, or by their form."""
        value = fold(text[p:end])
        if FORMS[self.entity].match(value):
            return not text[p].islower() or found.strength is not Strength.WEAK or found.formed
        if found.formed or self.entity is Entity.NRP:
            return False
        if _FULL_NAME.match(text, p, end) and found.strength is not Strength.LABEL:
            return False
        if not text[p].islower():
            return True
        head = value.split()[0]
        return found.sure and not head.endswith(("ly", "ing"))

    def _bare(self, text: str, end: int, site: Site, closed: bool) -> int:
        """Small letters that only the question announces: they must be all that is said."""
        if end == len(text):
            return end if closed else OPEN
        return end if site.leads and text[end] in ".!\n" else NONE

    def _end(self, text: str, p: int, site: Site, languages: int, closed: bool) -> int:
        words = lexicon()
        stop, inside = words.stop(languages), words.inside(languages)
        end = position = p
        limit = min(len(text), p + REACH)
        more = not closed and len(text) < p + REACH
        commas = False
        before = ""
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
                if (
                    (
                        plain in cues.NO_START | cues.DAYS | cues.MONTHS
                        and not (self.entity is Entity.NRP and plain == "de")
                    )
                    or (plain in words.start(languages) and not (self.entity is Entity.NRP and plain in ("de", "di")))
                    or plain in words.idioms(languages)
                    or (
                        plain in stop
                        and word[0].islower()
                        and not (self.entity is Entity.NRP and plain in ("de", "di"))
                    )
                    or (plain in words.saying and not FORMS[self.entity].match(plain))
                    or _ELIDED.match(text, p)
                    or plain in _NO_FIELD
                    or site.is_noun(self.entity, word.start(), word.end())
                ):
                    return NONE
            elif plain in ("and", "or") and languages & 1:
                if not self.qualified:
                    break
                follows = _WORD.match(text, word.end() + 1, limit)
                if more and (word.end() + 1 >= limit or (follows and follows.end() == limit)):
                    return OPEN
                if follows is None or text[word.end()] != " " or _plain(follows[0]) in cues.STOP | cues.NO_START:
                    break
            elif plain in inside or (plain == "the" and before == "of"):
                before = plain
                if text[word.end() : word.end() + 1] == " ":
                    position = word.end() + 1
                    continue
                if more and word.end() + 1 >= limit:
                    return OPEN
                break
            elif plain in stop and not (self.qualified and _inside_job(text[p:end], plain)):
                break
            before = plain
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
            elif mark == ", " and self.qualified and not commas and not text[p].islower():
                commas = True
                position = end + 2
            else:
                break
        if text[end : end + 1] == ":" or text[end : end + 2] == " :":
            return NONE
        return end


def _plain(word: str) -> str:
    """The word as the tables have it; an abbreviation ("IT consultant") is none of their words."""
    return word if word.isupper() and len(word) > 1 and word != "AI" else fold(word)


def _inside_job(before: str, plain: str) -> bool:
    """ "English as a foreign language" and "special educational needs": the stop words that jobs have inside."""
    return bool(_JOB_INSIDE.search(f"{before} {plain}"))


_JOB_INSIDE = regex.compile(r"(?:English as(?: a)?|educational needs)$")
_WORD = regex.compile(r"[\p{L}\p{N}][\p{L}\p{M}\p{N}]{0,40}+(?:['’/&+%.-][\p{L}\p{N}][\p{L}\p{M}\p{N}]{0,40}+){0,4}+")
_ELIDED = regex.compile(r"(?i)(?:[ldsnmjtc]|qu|all|dell|nell|dall|sull|un|quell|jusqu|lorsqu)['’]\p{L}")
_BRACKET = regex.compile(r"\([\p{L}][\p{L}\p{N} ,/&'’-]{0,60}+\)")
_FULL_NAME = regex.compile(r"\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}")
_FRAME_CHARS = 64


def _framed(text: str, end: int, site: Site, entity: Entity, languages: int, closed: bool) -> int:
    """The end, if the word that completes the announcement stands behind the value in the same sentence ("wurde X verschrieben")."""
    limit = end + _FRAME_CHARS
    tail = text[end:limit]
    stop = _FRAME_END.search(tail)
    whole = closed or len(text) >= limit
    rest = tail[: stop.start()] if stop else tail if whole else tail[: max(tail.rfind(" "), 0)]
    frames = lexicon().frames(languages, entity)
    if any(fold(word) in frames for word in _LETTERS.findall(rest)):
        return end
    return NONE if stop or whole else OPEN


_FRAME_END = regex.compile(r"[.;!?\n](?=\s)|\n")
_LETTERS = regex.compile(r"\p{L}+")
_FIELD_CHARS = 96
_FIELD = regex.compile(r"[\p{L}\p{N}]")


def field_at(text: str, p: int, site: Site, entity: Entity, closed: bool) -> int:
    """The end of the field that begins at p in a form, a table or code, OPEN, or 0 if there is no such field.

    A field that is quoted ends with its quotation mark, a cell with its column, a line of a form with the line.
    """
    found = site.announced.get(entity)
    if found is None or found.strength is not Strength.LABEL or not _FIELD.match(text, p):
        return NONE
    ends = site.ends
    limit = p + _FIELD_CHARS
    tail = text[p:limit]
    stop = min((i for i in (tail.find(mark) for mark in ends + "\n") if i >= 0), default=-1)
    # An apostrophe inside a word closes no quotation.
    while 0 <= stop < len(tail) - 1 and ends == "'" and tail[stop] == "'" and tail[stop + 1].isalnum():
        stop = next((i for i in (tail.find(mark, stop + 1) for mark in "'\n") if i >= 0), -1)
    if 0 <= stop == len(tail) - 1 and ends == "'" and not closed and len(text) < limit:
        return OPEN
    if stop < 0:
        if not closed and len(text) < limit:
            plain = ends or not _SENTENCE.search(tail)
            return OPEN if plain else NONE
        if ends or len(text) >= limit:
            return NONE
        stop = len(tail)
    value = tail[:stop].rstrip(" *_`,;" if not ends else " *_`")
    if not value or (not ends and (_SENTENCE.search(value) or (value[-1] in ".!?:" and not _SHORT_END.search(value)))):
        return NONE
    behind = tail[stop + 1 : stop + 3]
    if ends in QUOTES and len(behind) < 2 and not closed and len(text) < limit:
        return OPEN
    if ends in QUOTES and behind.lstrip()[:1] == ":":
        return NONE
    if len(value.split()) > 10 or (site.is_label(p, p + len(value)) and entity is not Entity.JOB_TITLE):
        return NONE
    head = _WORD.match(value)
    if head is None or _plain(head[0]) in _NO_FIELD:
        return NONE
    if entity is not Entity.JOB_TITLE and _plain(head[0]) in _TITLES | {"dr", "dra", "dott", "mr", "mrs", "ms"}:
        return NONE
    if entity is Entity.DOCTOR and not _DOCTOR.fullmatch(value):
        return NONE
    return p + len(value)


_NO_FIELD = cues.words(
    """id name nom nome nombre none unknown n/a na null nil true false not no undefined the this it i he she you we they please see is are str string int
    keine unbekannt aucun aucune inconnu ninguno ninguna desconocido nessuno nessuna sconosciuto nenhum nenhuma desconhecido"""
)
_SHORT_END = regex.compile(r"(?:\p{Lu}|\b(?:Inc|Ltda?|Co|Corp|jr|Jr|S\.\w+|s\.r\.l|S\.r\.l))\.$")
QUOTES = frozenset("\"'”»`")
_SENTENCE = regex.compile(
    r"[.!?:;|=({<\[]\s|[;|={<\[\t]|, \p{Ll}|\s(?:and|is|was|who|with|ist|und|der|qui|est|que|es|che|e)\s.*\s(?:is|was|in|at|lives|works|ist|est|es|e)\s"
)
_DOCTOR = regex.compile(r"\p{Lu}[\p{L}\p{M}.'’-]*(?: [\p{L}\p{M}.'’-]+){0,5}")


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

    @property
    def plain(self) -> str:
        return self.inner.plain

    def at(self, text: str, p: int, site: Site, closed: bool) -> int:
        entity = self.inner.entity
        assert entity is not None
        found = site.announced.get(entity)
        framed = 0
        if found is None or found.strength is Strength.ASKED or found.formed:
            framed = site.framed.get(entity, 0)
            if not framed and found is None:
                return NONE
        if found is not None:
            end = field_at(text, p, site, entity, closed)
            if end:
                return end
        end = self.inner.match(text, p, closed)
        if end <= NONE:
            return end
        first = _WORD.match(text, p)
        plain = _plain(first[0]) if first else ""
        if _ELIDED.match(text, p) or (text[p].islower() and (found is None or not found.languages & ~1)):
            return NONE
        if (
            found is not None
            and found.strength is Strength.ASKED
            and plain in lexicon().lead
            and not FORMS.get(entity, FORMS[Entity.HOSPITAL]).match(plain)
        ):
            return NONE
        if (
            plain in cues.NO_START | cues.DAYS | _TITLES
            or plain in cues.MONTHS
            or (plain in lexicon().start(found.languages if found else framed) and plain not in ("casa", "das"))
        ):
            return NONE
        if framed:
            whole = _framed(text, end, site, entity, framed, closed)
            if whole or found is None:
                return whole
        if found is not None and found.formed:
            form = FORMS.get(entity)
            if form is not None and not form.match(fold(text[p:end])):
                return NONE
            if form is None and " " not in text[p:end]:
                return NONE
        if entity is Entity.NRP and not FORMS[entity].match(fold(text[p:end])) and not (found and found.sure):
            return NONE
        return end

    def begins(self, text: str, p: int, site: Site) -> bool:
        return self.inner.begins(text, p, site)


_TITLES = frozenset(
    {
        "doctor",
        "prof",
        "professor",
        "sir",
        "dr",
        "dra",
        "dott",
        "dssa",
        "sra",
        "sr",
        "dr.",
        "doktor",
        "docteur",
        "docteure",
        "doctora",
        "dottor",
        "dottore",
        "dottoressa",
        "doutor",
        "doutora",
        "professore",
        "herr",
        "frau",
    }
)


def _named(name: str, entity: Entity, core: str, first: str = "u") -> Named:
    return Named(Pattern(name, entity, first, core, tail=r"(?![\p{L}\p{N}])", right=2, cued=True))


FRONTED = (
    Entity.DIAGNOSIS,
    Entity.PRESCRIPTION,
    Entity.JOB_TITLE,
    Entity.DOCTOR,
    Entity.HOSPITAL,
    Entity.EMPLOYER,
    Entity.NRP,
)
_FRONT_CHARS = 144
_FRONT_WORDS = 6
_OPENING = regex.compile(
    r"(?:^|[.!?:\n][\"”»)*_]*\s*|^\s*)[\"“«*_¿¡(]*(?:(?:An?|The|Der|Die|Das|Ein|Eine|Le|La|Un|Une|Du|De la|El|Il|Lo|Una|O|A|Os|As|Um|Uma|I|Les|Los|Las|Come|Als) |(?:De )?L['’]|D['’]|l['’])?$"
)
_AHEAD = regex.compile(r"[^\W_]+(?:[-‐./&+][^\W_]+)*['’]?|[^\w\s]|\n")


class _Ahead:
    """The words behind a position, as far as they are known; `unsure` once somebody asked beyond."""

    __slots__ = ("ends", "known", "raw", "unsure", "words")

    def __init__(self, text: str, p: int, closed: bool) -> None:
        found = list(_AHEAD.finditer(text, p, p + _FRONT_CHARS))
        self.known = closed or len(text) >= p + _FRONT_CHARS
        if not self.known and found and found[-1].end() == len(text):
            found.pop()
        self.raw = [m[0] for m in found]
        self.words = [fold(word) for word in self.raw]
        self.ends = [m.end() for m in found]
        self.unsure = False

    def is_unsure(self) -> bool:
        return self.unsure

    def get(self, i: int) -> str:
        if i < len(self.words):
            return self.words[i]
        self.unsure = self.unsure or not self.known
        return ""


def _front(text: str, p: int, site: Site, closed: bool) -> tuple[Entity | None, int]:
    """(kind, end) of a value with which a sentence begins and that the words behind it name; the end is OPEN while they are unknown."""
    if not _OPENING.search(text[max(0, p - 24) : p]):
        return None, NONE
    ahead, words = _Ahead(text, p, closed), lexicon()
    first = ahead.get(0)
    if ahead.is_unsure():
        return None, OPEN
    if first in cues.NO_START or first in words.start((1 << len(words.languages)) - 1) or first in words.person:
        return None, NONE
    if text[p].islower():
        second = ahead.get(1)
        if ahead.is_unsure():
            return None, OPEN
        if not any(form.match(first) or form.match(second) for form in _WORDED):
            return None, NONE
    for k in range(1, _FRONT_WORDS + 1):
        for ends, j in words.after.walk(ahead, k):  # type: ignore[arg-type]
            for entity in ends:
                assert isinstance(entity, Entity)
                if j - k and _fronts(entity, text[p : ahead.ends[k - 1]], ahead.words[k:j]):
                    return entity, ahead.ends[k - 1]
        word = ahead.get(k)
        if ahead.is_unsure():
            return None, OPEN
        raw = ahead.raw[k] if k < len(ahead.raw) else ""
        if (
            raw.islower()
            and not any(f.match(ahead.words[k - 1]) or f.match(word) for f in _WORDED)
            and (word not in _JOINTS or k > 3)
        ):
            break
        if not word[:1].isalnum() or word in _SENTENCE_VERBS or (k > 2 and raw.islower() and len(raw) > 3):
            break
    return None, NONE


def _fronts(entity: Entity, value: str, said: list[str]) -> bool:
    """Whether a value may stand in front: illnesses, medicines and the like by their form, names by their capitals."""
    form = FORMS.get(entity)
    if entity is Entity.DOCTOR:
        return bool(_FRONT_NAME.fullmatch(value))
    if entity is Entity.EMPLOYER:
        return all(word[0].isupper() or len(word) < 4 for word in value.split())
    return form is None or bool(form.match(fold(value)))


_FRONT_NAME = regex.compile(
    r"\p{Lu}[\p{L}\p{M}'’-]+(?: (?:\p{Lu}[\p{L}\p{M}'’.-]*|de|da|do|di|del|von|van|la|le)){1,4}"
)
_WORDED = tuple(FORMS[e] for e in (Entity.DIAGNOSIS, Entity.PRESCRIPTION, Entity.JOB_TITLE, Entity.NRP))
_JOINTS = frozenset(["of", "de", "di", "do", "da", "des", "du", "del", "and", "und", "et", "e", "y"])
_SENTENCE_VERBS = frozenset(
    [
        "is",
        "was",
        "are",
        "were",
        "has",
        "had",
        "will",
        "would",
        "can",
        "ist",
        "war",
        "wird",
        "wurde",
        "hat",
        "est",
        "etait",
        "a",
        "es",
        "era",
        "fue",
        "e",
        "foi",
        "sind",
        "son",
        "sono",
        "sao",
    ]
)


@dataclass(frozen=True, slots=True)
class Fronted:
    """A value with which a sentence begins ("Insulin is what she takes")."""

    name: str
    entity: Entity
    first: str = "ul"
    loose: bool = False
    plain: str = "ul"

    def at(self, text: str, p: int, site: Site, closed: bool) -> int:
        if self.entity is FRONTED[0] or site.front is None:
            site.front = _front(text, p, site, closed)
        entity, end = site.front
        if end == OPEN:
            return OPEN
        return end if entity is self.entity else NONE

    def begins(self, text: str, p: int, site: Site) -> bool:
        return False


_BILLED_CHARS = 56
_BILL_END = regex.compile(r"[.;!?](?=\s)|[\n|,\"]")


@dataclass(frozen=True, slots=True)
class Billed:
    """An amount for which the words behind it say that it is for utilities ("$99 for gas", "88 € paga ... de luz")."""

    inner: Pattern
    name: str = "billed"
    entity: Entity = Entity.UTILITY_BILL
    first: str = "dsu"
    loose: bool = False
    plain: str = "ul"

    def at(self, text: str, p: int, site: Site, closed: bool) -> int:
        end = self.inner.match(text, p, closed)
        if end <= NONE:
            return end
        tail = text[end : end + _BILLED_CHARS]
        stop = _BILL_END.search(tail)
        whole = closed or len(tail) == _BILLED_CHARS
        rest = tail[: stop.start()] if stop else tail if whole else tail[: max(tail.rfind(" "), 0)]
        utilities = lexicon().utilities
        if any(fold(word) in utilities for word in _LETTERS.findall(rest)):
            return end
        return NONE if stop or whole else OPEN

    def begins(self, text: str, p: int, site: Site) -> bool:
        return False


_AMOUNT = Pattern(
    "amount", Entity.UTILITY_BILL, "dsu", _MONEY, tail=r"(?![\p{L}\p{N}]|\.\p{N}|,\p{N}{3}(?!\p{N}))", right=5
)

DEFAULT: Sequence[Recognizer] = (
    Pattern("email", Entity.EMAIL_ADDRESS, "uld", r"[\p{L}\p{N}_.+%'-]{1,64}+@[\p{L}\p{N}-]{1,40}+(?:\.[\p{L}\p{N}-]{1,24}+){1,4}+", start=r"(?<![\p{L}\p{N}_.+%-])",
            fragment=r"[^@\s]+@|[a-z]+[._]?[a-z]*\d+$", plain=""),
    Pattern("uuid", Entity.ORDER_NUMBER, "uld", r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}", tail=r"(?![\p{L}\p{N}-])",
            fragment=r"(?=[a-f-]*\d)(?=\d*[a-f])[0-9a-f]{5}|[0-9a-f]{8}-", plain=""),
    Pattern("iban", Entity.BANK_ACCOUNT, "ud", r"\p{Lu}{1,4}\d{8,30}|\p{Lu}{4}(?: \d{2,4}){3,6}|\p{Lu}{2}\d{2}(?: ?[\p{Lu}\d]{4}){2,7}(?: ?[\p{Lu}\d]{1,4})?|\d{14,30}",
            accept=_digits(8), fragment=r"\p{Lu}{2,4}\d{2}|\d{5,}$"),
    Pattern("address", Entity.ADDRESS, "du", f"{_US}|{_MILITARY}|{_UK}", tail=r"(?![\p{L}\p{N}]|-\p{N})", right=2,
            fragment=r"\d{1,6} \p{Lu}\p{Ll}+ \p{Lu}\p{Ll}|PSC \d|Unit \d"),
    Pattern("flight", Entity.FLIGHT, "u", rf"{_PLACE} to {_PLACE} on {_FLIGHT_DATE}", tail=r"(?![\p{N}]|[-/]\p{N})", right=2, start=_NO_PLACE,
            fragment=rf"{_PLACE} to \p{{Lu}}\p{{L}}"),
    Pattern("phone", Entity.PHONE_NUMBER, "ds", r"(?:\+?\d{1,3}[-. ]?)?(?:\(\d{3}\)[- ]?|\d{3}[-. ]?)\d{3}[-. ]?\d{4}(?: ?(?:x|ext\.? ?)\d{1,6})?|\+\d{1,3}(?:[-. ]?\(?\d{1,5}\)?){2,5}|\(0\d{1,5}\) ?\d{3,9}",
            tail=r"(?![\p{L}\p{N}_@]|[-./]\p{N})", right=2, accept=_digits(7), fragment=r"\+\d|\(\d{2}|\d{3}[-.]\d|\d{5,10}$"),
    Pattern("date", Entity.APPOINTMENT_DATE, "du", _DATE, tail=r"(?![\p{L}\p{N}]|[-/.]\p{N})", right=2, fragment=rf"(?:19|20)\d\d-|{_MONTH} \d"),
    Billed(_AMOUNT),
    Pattern("money", None, "dsu", _MONEY,
            tail=r"(?![\p{L}\p{N}]|\.\p{N}|,\p{N}{3}(?!\p{N}))", right=5, also=r" (?:for|on|towards?|in) (?:(?:the|his|her|their|my|your) )?(?:utilit(?:y|ies)|\w{1,11})",
            kinds=frozenset({Entity.UTILITY_BILL, Entity.TRANSACTION_AMOUNT}), fragment=r"[$€£]\d"),
    Pattern("card", Entity.CREDIT_CARD_DIGITS, "d", r"\d{4}", tail=r"(?![\p{L}\p{N}]|[-/.:]\p{N}|[, ]\p{N}{3})", right=4, cued=True),
    _named("doctor", Entity.DOCTOR, _NAME),
    _named("hospital", Entity.HOSPITAL, _HOSPITAL_NAME, "ul"),
    _named("employer", Entity.EMPLOYER, _COMPANY),
    Words("job", Entity.JOB_TITLE, qualified=True),
    _named("party", Entity.NRP, _COMPANY),
    Words("politics", Entity.NRP),
    Words("diagnosis", Entity.DIAGNOSIS),
    Words("prescription", Entity.PRESCRIPTION),
    *(Fronted(f"first-{entity.lower()}", entity) for entity in FRONTED),
    Pattern("leg", Entity.FLIGHT, "u", _FLIGHT, tail=r"(?![\p{L}\p{N}]|[-/]\p{N})", right=2, start=_NO_LEG + _NO_PLACE),
    Pattern("flight-number", Entity.FLIGHT, "ud", _FLIGHT_NUMBER, tail=r"(?![\p{L}\p{N}]|[-/.]\p{N})", right=2, cued=True),
    Pattern("said-phone", Entity.PHONE_NUMBER, "ds", r"\+?\(?\d(?:[ ().\-/]{0,2}\d){4,20}(?:x\d{1,6})?", tail=r"(?![\p{L}\p{N}])", cued=True, loose=True),
    Pattern("said-account", Entity.BANK_ACCOUNT, "ud", r"[\p{Lu}\d](?:[ -]?[\p{Lu}\d]){5,33}", cued=True, loose=True, accept=_digits(5)),
    Pattern("said-order", Entity.ORDER_NUMBER, "uld", r"[\p{L}\d](?:[-]?[\p{L}\d]){3,50}", tail=r"(?![\p{L}\p{N}]|-\p{N})", right=2, cued=True, loose=True, accept=_digits(2)),
    Pattern("said-address", Entity.ADDRESS, "uld", rf"(?:[\p{{Lu}}\d]|{_WAY} )(?:[\p{{L}}\p{{M}}\d'’/ -]|(?<=\b\p{{L}}{{1,4}})\.|\.[^\s.]|\. \d){{0,60}}+(?:,[ \n]?(?:[\p{{L}}\p{{M}}\d'’()/ -]|(?<=\b\p{{L}}{{1,4}})\.){{1,60}}+){{1,4}}",
            tail=r"(?![\p{L}\p{N}])", cued=True, loose=True, accept=_address_like),
    Pattern("said-flight", Entity.FLIGHT, "u", rf"{_PLACE} to {_PLACE}(?: on {_FLIGHT_DATE})?", tail=r"(?![\p{L}\p{N}])", right=2, cued=True, loose=True, start=_NO_PLACE),
)  # fmt: skip
