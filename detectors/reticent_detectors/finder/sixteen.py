"""The table of the sixteen kinds that the people of our casts have, and of political views."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder.announced.field_by_name import FieldByName
from reticent_detectors.finder.announced.medical_terms import MedicalTerm
from reticent_detectors.finder.announced.names import AnnouncedName
from reticent_detectors.finder.announced.phrase_ends import LETTERS
from reticent_detectors.finder.announced.phrases import AnnouncedPhrase
from reticent_detectors.finder.announced.prepositional_opening import PrepositionalOpening
from reticent_detectors.finder.announced.value_first import FRONTED, ValueFirst
from reticent_detectors.finder.context import stop_words
from reticent_detectors.finder.context.site import Site
from reticent_detectors.finder.context.word_sets import word_set
from reticent_detectors.finder.engine.recognizers import NONE, OPEN, REACH, Pattern, Recognizer, may_match
from reticent_detectors.finder.languages import lexicon
from reticent_detectors.finder.languages.wordings import fold
from reticent_detectors.finder.numbers import identity
from reticent_detectors.finder.numbers.number_forms import Numbers
from reticent_detectors.finder.numbers.phones import is_grouped


def _digits(least: int) -> Callable[[str], bool]:
    return lambda value: sum(c.isdigit() for c in value) >= least


def _address_like(value: str) -> bool:
    return _digits(2)(value) and _SENTENCE_WORDS.isdisjoint(value.casefold().split())


# How names of files end that no domain ends with.
_FILES = frozenset(
    [
        "pdf",
        "doc",
        "docx",
        "xls",
        "xlsx",
        "ppt",
        "pptx",
        "odt",
        "csv",
        "txt",
        "rtf",
        "jpg",
        "jpeg",
        "png",
        "gif",
        "svg",
        "webp",
        "html",
        "htm",
        "css",
        "js",
        "json",
        "xml",
        "yaml",
        "yml",
        "exe",
        "dll",
        "jar",
        "tar",
        "gz",
        "rar",
        "mp3",
        "mp4",
        "wav",
        "avi",
    ]
)


def _is_mail(value: str) -> bool:
    """Whether it is no name of a file ("plan_v3@final.pdf"). One behind a whole address is the address still."""
    host, _, ending = value.rpartition("@")[2].rpartition(".")
    return "." in host or ending.lower() not in _FILES


_SENTENCE_WORDS = (stop_words.STOP | {"mail", "address"}) - {"in", "on", "a", "an", "the"}

# Letters with case only: a word of another script, which has no blanks between, is no part of a name.
_CASED = r"[\p{Lu}\p{Ll}\p{M}]"
_W = rf"\p{{Lu}}{_CASED}{{0,30}}+(?:(?:['’]\p{{L}}{{2}}|-\p{{L}}){_CASED}{{0,24}}+){{0,3}}+"
_SMALL = r"(?:van|von|der|den|de|da|do|di|del|della|du|des|la|le|los|las|el|al|bin|ter|zu|zum|am|an|im|on|upon|sur|sous|en|of)"
# Small words inside the names of towns: "an der" and "ob der", but no German genitive ("Teile der Stadt").
_LINKS = r"(?:(?:an|ob|auf|in|vor)(?:[ -](?:der|den|dem))?|am|im|(?:de|do|da|di|del|della|du|des|dos|das|la|le|los|las|el|al|en|on|upon|sur|sous|of)(?:[ -](?:la|las|los|les|l'))?|van|von|zu|zum|bei)"
# A town's word is shorter than many a German noun.
_T = rf"\p{{Lu}}{_CASED}{{0,17}}+(?:(?:['’]\p{{L}}{{2}}|-\p{{L}}){_CASED}{{0,17}}+){{0,3}}+"
_PLACE = rf"(?:St\. )?{_T}(?:(?:[ -]{_LINKS})? {_T}){{0,2}}"
_MONTH = r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t(?:ember)?)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
_DAY = r"(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?"
_DATE = (
    rf"(?:19|20)\d\d([-/.])\d{{1,2}}\1\d{{1,2}}|{_MONTH}\.? {_DAY}(?:,? (?:19|20)\d\d)?|{_DAY}(?: of)? {_MONTH}(?:,? (?:19|20)\d\d)?"
    r"|\d{1,2}([-/.])\d{1,2}\2(?:19|20)\d\d"
)
_FLIGHT_DATE = rf"(?:(?:19|20)\d\d[-/.]\d{{1,2}}[-/.]\d{{1,2}}|{_MONTH}\.? {_DAY}(?:,? (?:19|20)\d\d)?|{_DAY}(?: of)? {_MONTH}(?:,? (?:19|20)\d\d)?|\d{{1,2}}[-/.]\d{{1,2}}[-/.](?:19|20)\d\d)"
_SEP = r"(?:,[ \n]?|\n)"
_STREET_WORD = r"[\p{Lu}\d][\p{L}\p{M}\d'’-]{0,24}+\.?"
_STREET = rf"{_STREET_WORD}(?: (?:{_STREET_WORD}|(?:of|the|and|de|del|de la|la|le|los|las|du|des|van|der|y)(?= )))"
_STATE_ZIP = r"\p{Lu}{2},? \d{5}(?:-\d{4})?"
_POSTCODE = r"\p{Lu}{1,2}\d[\p{Lu}\d]? ?\d\p{Lu}{2}"
_CITY = r"(?:St\. )?\p{Lu}[\p{L}\p{M}'’-]{0,24}+(?: [\p{L}\p{M}'’-]{1,24}+){0,3}"
_US = rf"\d{{1,6}}(?:-\d{{1,4}})? {_STREET}{{0,5}}(?: (?:#|No\. )?\d{{1,5}})?(?:{_SEP}(?:Apt\.?|Apartment|Suite|Ste\.?|Unit|#|Floor|Room) ?\w{{1,6}})?{_SEP}{_CITY},? (?:{_STATE_ZIP})"
_UNIT = r"(?:Flat|Studio|Unit|Apartment) \w{1,6}"
_UK = rf"(?:{_UNIT},?[ \n](?:\d{{1,5}}\w? )?|\d{{1,5}}\w? ){_STREET}{{0,3}}(?: \p{{Ll}}{{3,14}})?{_SEP}{_CITY}{_SEP}{_POSTCODE}"
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
    r"(?: & Co\.(?: KG(?:aA)?| OHG)?| \p{L}{1,4}\.(?:\p{L}{1,5}\.){1,3}(?:\p{Lu}\b)?| S\.A\.U| S/A| Ltda\.| S\.L\.N\.E| - EI| et Fils| e Filhos| Sp\. z o\.o\.| e\.V\.| mbH| plc|(?<=\b(?:Ltda|Lda|Inc|Ltd|Corp|Cia))\.(?= \p{Ll}|,))?"
)
_HOSPITAL_WORD = r"(?:h[ôo]pital|hospital|ospedale|clinique|cl[íi]nica|policlinico|klinik|sanatorio|centre hospitalier|casa di cura|maternit[ée]|maternit[àa]|maternidade|maternidad|polyclinique|policl[íi]nica|centro (?:m[ée]dico|de sa[úu]de|de salud|clinico|ospedaliero)|centre m[ée]dical|casa de sa[úu]de|presidio ospedaliero|pronto soccorso|hospice)"
_OWNED_HOSPITAL = (
    rf"(?:St\. )?(?:{_W} ){{0,2}}{_W}['’]s (?:{_W} ){{0,2}}(?:Hospital|Clinic|Infirmary|Institute|Center|Centre)"
)
# "Operaron a Ana Ruiz en la Clínica X": no clinic has its place in its name.
_CLINIC = _COMPANY.replace("|y|i|en|le|", "|y|i|le|")
_HOSPITAL_NAME = rf"{_OWNED_HOSPITAL}|{_CLINIC}|{_HOSPITAL_WORD}(?: (?:de la|de l['’]|de|des|du|d['’]|della|del|di|dell['’]|da|do|das|dos|militaire|militare|militar|universitaire|europ[ée]en|civil[e]?|infantile|geral|general)){{0,2}} ?{_CLINIC}"
_NAME = rf"{_W}(?:(?: (?:\p{{Lu}}\.|van|von|de|da|di|del|della|der|den|la|le|los|el|bin|al|ter|zu|do|dos)){{0,3}} {_W}){{0,3}}"
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
        if any(fold(word) in utilities for word in LETTERS.findall(rest)):
            return end
        return NONE if stop or whole else OPEN

    def may_begin(self, word: str, mark: str, led: bool) -> bool:
        return self.inner.may_begin(word, mark, led)

    def may_begin_with(self, head: str) -> bool:
        return self.inner.may_begin_with(head)

    def begins(self, text: str, p: int, site: Site) -> bool:
        return False


# Designators of airlines (IATA).
_AIRLINES = (
    r"(?:A[ACFIKMRSVYZ3]|B[AETRWY6]|C[AIMUXZ]|D[LEY8]|E[IKNTWY]|F[IRZ]|G[AF3]|H[AUV]|I[BG]|J[JLQU2]|K[ELMQU]|L[AGHHOSXY]|M[EHSU]|N[HKZ]|O[SZU]|P[CGRS]|Q[FR]|R[JO]|S[AKNQUVW]|T[GKPOV]|U[AX26]|V[AFKNSYY78]|W[FNSY6]|X[3Q]"
    r"|Z[HB]|AD|AT|EZY|RYR|DLH|BAW|TAP|4U|5[KJ]|6E|7C|9[KW]|8Q|3U|2K|U2|W6|G3|D8)"
)
_CODE = rf"{_AIRLINES}[ -]?\d{{2,4}}|{_FLIGHT_NUMBER}"
_FLOWN = regex.compile(
    r"\b(?:flight|flights|flies|flew|flown|fly|flying|plane|airline|airport|aboard|boarding|boarded|gate|layover|departs|departure|land(?:s|ed)|take-?off|rebook\w*"
    r"|flug\w*|flieg\w*|fliegt|flog|geflogen|maschine|abflug|ankunft|landet\w*|gelandet|umgebucht|bordkarte|startet|airline|umbuch\w*"
    r"|vols?|avion|vole|volent|aeroport|decoll\w*|embarqu\w*|atterri\w*|escale"
    r"|vuelos?|vuela|volar|avion|aeropuerto|embarc\w*|embarq\w*|despeg\w*|aterriz\w*|escala"
    r"|volo|voli|vola|volare|aereo|imbarc\w*|decoll\w*|atterr\w*|aeroporto|scalo"
    r"|voos?|voa|voar|aviao|aeroporto|embarqu\w*|descol\w*|decol\w*|aterr\w*|aterrissa\w*|pouso|pousa)\b"
)
# What is said of any way to travel; with a known airline it is a flight.
_TRAVELLED = regex.compile(
    r"\b(?:took|takes|catch\w*|caught|missed|arriv\w*|seat|travel\w*|on|booked|ticket|leaves|leaving|onto|delayed|nimmt|nahm|verpasst\w*|kommt|sitzt|platz|ticket|gebucht|bucht|reist|reise|verspatung|abgesagt"
    r"|prend\w*|pris|arriv\w*|place|billet|voyag\w*|rate|manqu\w*|reserv\w*|sur|par le|viaja\w*|lleg\w*|perd\w*|billete|asiento|retraso|reserv\w*|sale|coge|toma|viaggi\w*|prend\w*|perso|bigliett\w*|posto|lista|ritardo|sul|prenot\w*"
    r"|cheg\w*|bilhete|lugar|atras\w*|marc\w*|passagem|parte|sai)\b"
)
_FLOWN_CHARS = 64


@dataclass(frozen=True, slots=True)
class Flown:
    """The number of a flight that the rest of its sentence speaks of ("TP 442 is the flight she took")."""

    inner: Pattern
    sure: Any
    name: str = "flown"
    entity: Entity = Entity.FLIGHT
    first: str = "ud"
    loose: bool = False
    plain: str = "u"

    def at(self, text: str, p: int, site: Site, closed: bool) -> int:
        if not _CODE_BEGINS.match(text, p, partial=not closed) or text[p - 1 : p] in ("-", "/", "_", "."):
            return NONE
        end = self.inner.match(text, p, closed)
        if end <= NONE:
            return end
        if text[end : end + 1] == " " and text[end + 1 : end + 2].isdigit():
            return NONE  # groups of figures: an IBAN
        known = self.sure.fullmatch(text, p, end) is not None
        before = fold(site.sentence)
        told = bool(_FLOWN.search(before) or (known and _TRAVELLED.search(before)))
        if told and site.someone:
            return end
        tail = text[end : end + _FLOWN_CHARS]
        stop = _BILL_END_WIDE.search(tail)
        whole = closed or len(tail) == _FLOWN_CHARS
        rest = tail[: stop.start()] if stop else tail if whole else tail[: max(tail.rfind(" "), 0)]
        told = told or (known and _FLOWN.search(fold(rest)) is not None)
        people = (
            site.someone or _PEOPLE.search(rest) or any(w in lexicon().person for w in map(fold, LETTERS.findall(rest)))
        )
        if told and people:
            return end
        return NONE if stop or whole else OPEN

    def may_begin_with(self, head: str) -> bool:
        return may_match(_CODE_BEGINS, head)

    def begins(self, text: str, p: int, site: Site) -> bool:
        return False


_CODE_BEGINS = regex.compile(r"(?:[A-Z]{2,3}|[A-Z]\d|\d[A-Z]) ?\d")
_BILL_END_WIDE = regex.compile(r"[.;!?](?=\s)|\n")
_PEOPLE = regex.compile(
    r"\b\p{Lu}[\p{L}'’-]+ (?:\p{Lu}\. |(?:van|von|de|da|di|del|der|den|la|le|dos|do|du|des|della) ){0,2}\p{Lu}[\p{L}'’-]+"
)


# A dot belongs to a short word, and a word that only sentences have ends the address.
_PROSE = r"(?!(?:by|is|was|are|were|and|or|which|that|who|has|have|had|been|from|to|with|for|at|as|because|when|where|whose|than|then|paper|study|report)(?!\p{L}))"
_SAID_WORDS = rf"(?:{_PROSE}[\p{{L}}\p{{M}}\d'’()/-]{{1,32}}+(?:(?<=\b\p{{L}}{{1,4}})\.(?=[ ,]{{0,2}}[\p{{L}}\d]))? {{0,2}}+){{1,8}}+(?<! )"
_SAID_ADDRESS = rf"(?:(?=[\p{{Lu}}\d])|{_WAY} ){_SAID_WORDS}(?: ?,[ \n]?{_SAID_WORDS}){{1,4}}"


@dataclass(frozen=True, slots=True)
class Trip:
    """From a town to a town on a day. No article stands before a town, and no word like "Flight" begins its name."""

    inner: Pattern
    name: str
    entity: Entity = Entity.FLIGHT
    first: str = "u"
    loose: bool = False
    plain: str = "u"

    def at(self, text: str, p: int, site: Site, closed: bool) -> int:
        word = site.word_before
        if word is not None and word in _ARTICLES:
            return NONE
        # A day has a figure.
        if (closed or len(text) >= p + REACH) and _FIGURE.search(text, p, p + REACH) is None:
            return NONE
        head = _HEAD.match(text, p)
        if head is not None and head.end() < len(text) and not self.inner.may_begin(head[0], text[head.end()], False):
            return NONE
        return self.inner.at(text, p, site, closed)

    def may_begin(self, word: str, mark: str, led: bool) -> bool:
        return self.inner.may_begin(word, mark, led)

    def may_begin_with(self, head: str) -> bool:
        return self.inner.may_begin_with(head)

    def may_follow(self, before: str) -> bool:
        return before not in _ARTICLES

    def begins(self, text: str, p: int, site: Site) -> bool:
        return self.inner.begins(text, p, site)


_FIGURE = regex.compile(r"\d")
_HEAD = regex.compile(r"\p{Lu}\p{L}*+")
_ARTICLES = word_set(
    """the an this that his her their our your its my der die das den dem des ein eine einen einem einer eines im am zum zur seine seiner seinen seinem ihre ihrer ihren ihrem
    el los las il lo gli le les une un una al del unas unos dieser diese dieses diesem diesen und"""
)


def _named(name: str, entity: Entity, core: str, first: str = "u") -> AnnouncedName:
    return AnnouncedName(Pattern(name, entity, first, core, tail=r"(?![\p{L}\p{N}]|[./]\p{Lu})", right=3, cued=True))


_AMOUNT = Pattern(
    "amount", Entity.UTILITY_BILL, "dsu", _MONEY, tail=r"(?![\p{L}\p{N}]|\.\p{N}|,\p{N}{3}(?!\p{N}))", right=5
)
# No piece of a longer number or of a decimal fraction. A short number before it may be a list's ("3.415 555 0172", "5-...").
_NO_PIECE = r"(?<!\d{3}[.–-]|[vV]\d{1,2}\.|\d[.–-]\d{1,2}[.–-]|(?<!\d)0\.)(?!(?<=(?<![\n\d]|^)\d{1,2}\.)\d{7})"

SIXTEEN: Sequence[Recognizer] = (
    Numbers("order", Entity.ORDER_NUMBER, identity.ORDERS),
    Pattern("email", Entity.EMAIL_ADDRESS, "uld", r"[\p{L}\p{N}_.+%'-]{1,64}+@(?:[\p{L}\p{N}-]{1,40}+\.){1,8}(?:xn--[a-z0-9-]{2,59}|\p{L}{2,24}+)", start=r"(?<![\p{L}\p{N}])(?<![\p{L}\p{N}][_.+%-])(?<![\p{L}\p{N}]__)",
            tail=r"(?!\p{L})", right=2, accept=_is_mail, fragment=r"[^@\s]+@|[a-z]+[._]?[a-z]*\d+$", plain=""),
    Pattern("uuid", Entity.ORDER_NUMBER, "uld", r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}", tail=r"(?![\p{L}\p{N}-])",
            fragment=r"(?=[a-f-]*\d)(?=\d*[a-f])[0-9a-f]{5}|[0-9a-f]{8}-", plain=""),
    Pattern("iban", Entity.BANK_ACCOUNT, "ud", r"\p{Lu}{1,4}\d{8,30}|\p{Lu}{4}(?: \d{2,4}){3,6}|\p{Lu}{2}\d{2}(?: ?[\p{Lu}\d]{4}){2,7}(?:[\p{Lu}\d]{1,4}| (?=\p{Lu}{0,3}\d)[\p{Lu}\d]{1,4})?|\d{14,30}",
            accept=_digits(8), fragment=r"\p{Lu}{2,4}\d{2}|\d{5,}$"),
    Pattern("address", Entity.ADDRESS, "du", f"{_US}|{_MILITARY}|{_UK}", tail=r"(?![\p{L}\p{N}]|-\p{N})", right=2,
            fragment=r"\d{1,6} \p{Lu}\p{Ll}+ \p{Lu}\p{Ll}|PSC \d|Unit \d"),
    FieldByName("address-field", Entity.ADDRESS, "uld"),
    Trip(Pattern("flight", Entity.FLIGHT, "u", rf"{_PLACE} to {_PLACE} on {_FLIGHT_DATE}", tail=r"(?![\p{N}]|[-/]\p{N})", right=2, start=_NO_PLACE,
                 fragment=rf"{_PLACE} to \p{{Lu}}\p{{L}}"), "flight"),
    Pattern("phone", Entity.PHONE_NUMBER, "ds", r"(?:\+?\d{1,3}[-. ]?)?(?:\(\d{3}\)[- ]?|\d{3}[-. ]?)\d{3}[-. ]?\d{4}(?: ?(?:x|ext\.? ?)\d{1,6})?|\+\d{1,3}(?:[-. ]?\(?\d{1,5}\)?){2,5}|\(0\d{1,5}\) ?\d{3,9}",
            start=_NO_PIECE, tail=r"(?![\p{L}\p{N}_@]|[-./]\p{N})", right=2, accept=is_grouped, fragment=r"\+\d|\(\d{2}|\d{3}[-.]\d|\d{5,10}$"),
    Pattern("date", Entity.APPOINTMENT_DATE, "du", _DATE, tail=r"(?![\p{L}\p{N}]|[-/.]\p{N})", right=2, fragment=rf"(?:19|20)\d\d-|{_MONTH} \d"),
    Pattern("appointment", Entity.APPOINTMENT_DATE, "dul", _ANY_DATE, tail=r"(?![\p{L}\p{N}]|[-/.]\p{N}| de \p{N}| \p{N}{4})", right=5, cued=True),
    Billed(_AMOUNT),
    Pattern("money", None, "dsu", _MONEY,
            tail=r"(?![\p{L}\p{N}]|\.\p{N}|,\p{N}{3}(?!\p{N}))", right=5, also=r" (?:for|on|towards?|in) (?:(?:the|his|her|their|my|your) )?(?:utilit(?:y|ies)|\w{1,11})",
            kinds=frozenset({Entity.UTILITY_BILL, Entity.TRANSACTION_AMOUNT}), fragment=r"[$€£]\d"),
    Pattern("card", Entity.CREDIT_CARD_DIGITS, "d", r"\d{4}", tail=r"(?![\p{L}\p{N}]|[-/.:]\p{N}|[, ]\p{N}{3})", right=4, cued=True),
    _named("doctor", Entity.DOCTOR, _NAME),
    _named("hospital", Entity.HOSPITAL, _HOSPITAL_NAME, "ul"),
    _named("employer", Entity.EMPLOYER, _COMPANY),
    AnnouncedPhrase("job", Entity.JOB_TITLE, qualified=True),
    _named("party", Entity.NRP, _COMPANY),
    AnnouncedPhrase("belief", Entity.NRP),
    AnnouncedPhrase("orientation", Entity.SEXUAL_ORIENTATION),
    AnnouncedPhrase("conviction", Entity.CRIMINAL_RECORD),
    AnnouncedPhrase("diagnosis", Entity.DIAGNOSIS),
    AnnouncedPhrase("prescription", Entity.PRESCRIPTION),
    MedicalTerm("illness", Entity.DIAGNOSIS),
    MedicalTerm("medicine", Entity.PRESCRIPTION),
    *(ValueFirst(f"first-{entity.lower()}", entity) for entity in FRONTED),
    *(PrepositionalOpening(f"preposed-{entity.lower()}", entity, "u" if entity in (Entity.DOCTOR, Entity.EMPLOYER) else "ul") for entity in FRONTED),
    Trip(Pattern("leg", Entity.FLIGHT, "u", _FLIGHT, tail=r"(?![\p{L}\p{N}]|[-/]\p{N})", right=2, start=_NO_LEG + _NO_PLACE), "leg"),
    Pattern("flight-number", Entity.FLIGHT, "ud", _FLIGHT_NUMBER, tail=r"(?![\p{L}\p{N}]|[-/.]\p{N})", right=2, cued=True),
    Flown(Pattern("flown", Entity.FLIGHT, "ud", _CODE, tail=r"(?![\p{L}\p{N}]|[-/.]\p{N})", right=2), regex.compile(rf"{_AIRLINES}[ -]?\d{{2,4}}")),
    Pattern("said-phone", Entity.PHONE_NUMBER, "ds", r"\+?\(?\d(?:[ ().\-/]{0,2}\d){4,20}(?:x\d{1,6})?", tail=r"(?![\p{L}\p{N}])", cued=True, loose=True),
    Pattern("said-account", Entity.BANK_ACCOUNT, "ud", r"[\p{Lu}\d](?:[ -]?[\p{Lu}\d]){5,33}", start=r"(?!(?:IBAN|BIC|SWIFT)(?!\p{L}))", cued=True, loose=True, accept=_digits(5)),
    Pattern("said-order", Entity.ORDER_NUMBER, "uld", r"[\p{L}\d](?:[-]?[\p{L}\d]){3,50}", tail=r"(?![\p{L}\p{N}]|-\p{N})", right=2, cued=True, loose=True, accept=_digits(2)),
    Pattern("said-address", Entity.ADDRESS, "uld", _SAID_ADDRESS,
            tail=r"(?![\p{L}\p{N}])", cued=True, loose=True, accept=_address_like),
    Pattern("said-flight", Entity.FLIGHT, "u", rf"{_PLACE} to {_PLACE}(?: on {_FLIGHT_DATE})?", tail=r"(?![\p{L}\p{N}])", right=2, cued=True, loose=True, start=_NO_PLACE),
)  # fmt: skip
