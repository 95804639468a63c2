"""The table of the sixteen kinds that the people of our casts have, and of political views."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder import cues, identity
from reticent_detectors.finder.formed import Formed
from reticent_detectors.finder.fronted import FRONTED, Fronted
from reticent_detectors.finder.labelled import Numbers
from reticent_detectors.finder.languages import lexicon
from reticent_detectors.finder.languages.wordings import fold
from reticent_detectors.finder.recognizers import NONE, OPEN, Pattern, Recognizer
from reticent_detectors.finder.relations import Site
from reticent_detectors.finder.worded import LETTERS, Named, Words


def _digits(least: int) -> Callable[[str], bool]:
    return lambda value: sum(c.isdigit() for c in value) >= least


def _address_like(value: str) -> bool:
    return _digits(2)(value) and _SENTENCE_WORDS.isdisjoint(value.casefold().split())


_SENTENCE_WORDS = (cues.STOP | {"mail", "address"}) - {"in", "on", "a", "an", "the"}

_W = r"\p{Lu}[\p{L}\p{M}]{0,30}+(?:(?:['’]\p{L}{2}|-\p{L})[\p{L}\p{M}]{0,24}+){0,3}+"
_SMALL = r"(?:van|von|der|den|de|da|do|di|del|della|du|des|la|le|los|las|el|al|bin|ter|zu|zum|am|an|im|on|upon|sur|sous|en|of)"
_PLACE = rf"(?:St\. )?{_W}(?:[ -]{_SMALL}){{0,2}}(?:(?:[ -]{_SMALL}){{0,2}} {_W}){{0,3}}"
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
    r"(?: & Co\.(?: KG(?:aA)?| OHG)?| \p{L}{1,4}\.(?:\p{L}{1,5}\.){1,3}(?:\p{Lu}\b)?| S\.A\.U| S/A| Ltda\.| S\.L\.N\.E| - EI| et Fils| e Filhos| Sp\. z o\.o\.| e\.V\.| mbH| plc)?"
)
_HOSPITAL_WORD = r"(?:h[ôo]pital|hospital|ospedale|clinique|cl[íi]nica|policlinico|klinik|sanatorio|centre hospitalier|casa di cura|maternit[ée]|maternidade)"
_OWNED_HOSPITAL = (
    rf"(?:St\. )?(?:{_W} ){{0,2}}{_W}['’]s (?:{_W} ){{0,2}}(?:Hospital|Clinic|Infirmary|Institute|Center|Centre)"
)
_HOSPITAL_NAME = rf"{_OWNED_HOSPITAL}|{_COMPANY}|{_HOSPITAL_WORD}(?: (?:de la|de l['’]|de|des|du|d['’]|della|del|di|dell['’]|da|do|das|dos|militaire|militare|militar|universitaire|europ[ée]en|civil[e]?|infantile|geral|general)){{0,2}} ?{_COMPANY}"
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

    def begins(self, text: str, p: int, site: Site) -> bool:
        return False


def _named(name: str, entity: Entity, core: str, first: str = "u") -> Named:
    return Named(Pattern(name, entity, first, core, tail=r"(?![\p{L}\p{N}])", right=2, cued=True))


_AMOUNT = Pattern(
    "amount", Entity.UTILITY_BILL, "dsu", _MONEY, tail=r"(?![\p{L}\p{N}]|\.\p{N}|,\p{N}{3}(?!\p{N}))", right=5
)

SIXTEEN: Sequence[Recognizer] = (
    Numbers("order", Entity.ORDER_NUMBER, identity.ORDERS),
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
    Pattern("appointment", Entity.APPOINTMENT_DATE, "dul", _ANY_DATE, tail=r"(?![\p{L}\p{N}]|[-/.]\p{N}| de \p{N}| \p{N}{4})", right=5, cued=True),
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
    Formed("illness", Entity.DIAGNOSIS),
    Formed("medicine", Entity.PRESCRIPTION),
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
