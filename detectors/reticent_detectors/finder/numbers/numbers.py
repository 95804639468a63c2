"""The recognisers of numbers that an authority or a bank gives, of phone numbers and of dates: two tables.

`NUMBERS` goes before the recognisers of `DEFAULT`: a longer match wins, and at equal length the first. `DATES` finds
the general kind DATE_TIME. Prose is full of dates, so it is used only where a policy asks for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import regex
from stdnum import luhn
from stdnum.za import idnr as za_idnr

from reticent_detectors.entities import Entity
from reticent_detectors.finder.context.announcements import Strength
from reticent_detectors.finder.context.position import Position
from reticent_detectors.finder.engine.recognizers import NONE, OPEN, Pattern, Recognizer
from reticent_detectors.finder.engine.runs import Run
from reticent_detectors.finder.fields.field_ends import field_at
from reticent_detectors.finder.languages.wordings import fold
from reticent_detectors.finder.numbers import identity
from reticent_detectors.finder.numbers.dates import BIRTH, DATES, Dates
from reticent_detectors.finder.numbers.ibans import IBAN
from reticent_detectors.finder.numbers.number_forms import LINK, Form, Numbers
from reticent_detectors.finder.numbers.phones import PHONE, VANITY

__all__ = ["DATES", "NUMBERS"]


def _issued(digits: str) -> bool:
    """Tell whether the leading digits are a card issuer's, by the ranges that the schemes publish for this size."""
    size, two, three, four = len(digits), int(digits[:2]), int(digits[:3]), int(digits[:4])
    return (
        (two // 10 == 4 and size in (13, 16, 19))
        or (size == 16 and (51 <= two <= 55 or 2221 <= four <= 2720 or 2200 <= four <= 2204))
        or (size == 15 and (two in (34, 37) or four in (1800, 2131)))
        or (16 <= size <= 19 and (four == 6011 or 644 <= three <= 649 or two in (62, 65) or 3528 <= four <= 3589))
        or (14 <= size <= 19 and (300 <= three <= 305 or two in (36, 38, 39)))
        or four in (604, 5018, 5020, 5038, 5893, 6304, 6759, 6761, 6762, 6763)
    )


def _card(value: str) -> bool:
    digits = value.replace(" ", "").replace("-", "")
    # South African identity numbers end in the same check digit, and fewer random numbers are one.
    return _issued(digits) and luhn.is_valid(digits) and not za_idnr.is_valid(digits)


_CARD_NAMES = (
    r"cards?|visa|master\s?card|amex|american\sexpress|discover|maestro|diners(?:\sclub)?|JCB|union\s?pay|credit_?card"
    r"|(?:kredit|debit|bank)?karten?\w{0,8}|carte(?:\sbancaire|\sbleue|\sde\scrédit)?|CB"
    r"|tarjeta(?:\sde\s(?:crédito|débito))?"
    r"|carta\sdi\s(?:credito|debito)|cartão(?:\sde\s(?:crédito|débito))?"
)
# The first four of sixteen digits that Visa, Mastercard and Discover issue, for cards with a wrong check digit.
_ISSUED_FOUR = r"(?:4\d{3}|5[1-5]\d\d|22(?:2[1-9]|[3-9]\d)|2[3-6]\d\d|27(?:[01]\d|20)|6011|65\d\d)"
CARDS: tuple[Form, ...] = (
    Form("card in one", r"\d{12,19}", "", _card, 0.03),
    Form("card in fours", r"\d{4}([ -])\d{4}\1\d{4}\1\d{1,4}(?:\1\d{3})?", _CARD_NAMES, _card, 0.03),
    Form("card in 4, 6 and 4 or 5", r"\d{4}([ -])\d{6}\1\d{4,5}", _CARD_NAMES, _card, 0.01),
    Form("announced card", rf"(?!{identity.EMIRATES_DIGITS}(?!\d))\d{{12,19}}", _CARD_NAMES),
    Form("card by a short name", r"\d{15,16}|\d{4}([ -])\d{4}\1\d{4}\1\d{4}", r"pan|cc[_ ]?(?:no|nr|num\w{0,3})?"),
    Form("misread card", rf"{_ISSUED_FOUR}(?:\d{{12}}|([ -])\d{{4}}\1\d{{4}}\1\d{{4}})", chance=1.0),
)

# What says that sixteen digits are something else than a card with a wrong check digit.
_OTHER_CODES = frozenset({Entity.BANK_ACCOUNT, Entity.ORDER_NUMBER, Entity.DEVICE_ID, Entity.PHONE_NUMBER})


@dataclass(frozen=True, slots=True)
class Cards(Numbers):
    """Card numbers; one with a wrong check digit only where nothing says that it is another number."""

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:
        end = Numbers.at(self, text, p, position, closed)
        if end <= NONE or luhn.is_valid(text[p:end].replace(" ", "").replace("-", "")):
            return end
        announced = any(form.announced(position) for form in self.forms)
        return end if announced or _OTHER_CODES.isdisjoint(position.kinds) else NONE


_BANK_WORD = regex.compile(r"(?i:IBAN|BIC|SWIFT|BBAN|BLZ)(?:[-_ ]?(?:Code|code|CODE|Nr|No)\b\.?)?(?![\p{L}\p{N}])")


@dataclass(frozen=True, slots=True)
class Accounts(Numbers):
    """Account numbers that are no IBAN; none begins with what a number at a bank is called."""

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:
        if _BANK_WORD.match(text, p) or IBAN.at(text, p, position, True) > NONE:
            return NONE
        return Numbers.at(self, text, p, position, closed)


_BIOMETRIC = (
    r"(?<!\p{L})(?:bio-?metric|finger-?\s?print|finger|iris|retina(?:l)?|face|facial|voice(?:\s?print)?"
    r"|palm(?:\s?print)?|vein|DNA|fingerabdruck\w{0,8}"
    r"|gesichts\w{0,12}|empreinte(?:\sdigitale)?|huella(?:\sdactilar)?|impronta(?:\sdigitale)?|impressão\sdigital"
    r"|biometri\w{1,6}|biométri\w{1,6})"
    r"(?:[\s_-](?:scan|template|hash|recognition|identifier|reference|record|sample|profile|geometry|data|vorlage|key"
    r"|enrol?lment)){0,3}"
)


def _template(run: str) -> int:
    """Return the length of an identifier or hash of 6 or more characters, some of them digits."""
    value = run.rstrip(".:/-")
    digits = sum(c.isdigit() for c in value)
    return len(value) if len(value) >= 6 and digits >= 2 and not _DATE.fullmatch(value) else 0


_DATE = regex.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}")


@dataclass(frozen=True, slots=True)
class LabelOrNounRun(Run):
    """A `Run` that a noun of its sentence may announce as well."""

    def _announced(self, position: Position) -> bool:
        return Run._announced(self, position) or position.says(Entity(self.entity))


# Plates of Europe, Brazil, Indonesia and North America: letters and digits in groups.
_PLATE_FORMS = (
    r"[A-Z]{2}[ -]?\d\d[ -]?[A-Z]{1,2}[ -]?\d{4}|[A-ZÄÖÜ]{1,3}[ -][A-Z]{1,2}[ -]?\d{1,4}[EH]?|[A-Z]{2}\d\d ?[A-Z]{3}"
    r"|[A-Z]{1,3}\d[A-Z]\d{2}|[A-Z]{2}[ -]?\d{3}[ -]?[A-Z]{2}|\d{4}[ -]?[A-Z]{3}|\d\d[ -][A-Z]{2}[ -]\d\d"
    r"|[A-Z]{2}[ -]\d\d[ -][A-Z\d]{2}"
    r"|[A-Z]{2}[ -]\d{1,6}|[A-Z]{1,2}-\d{1,5}[A-Z]{1,3}|\d{1,2}-[A-Z]{2,3}-\d{1,2}|[A-Z]{1,2} \d{2,4} [A-Z]{2,3}"
    r"|\d[A-Z]{3}\d{3}|[A-Z]{3}-\d{3,4}"
)
_PLATE = rf"{_PLATE_FORMS}|[A-Z\d]{{1,4}}[ ·-]?[A-Z\d]{{1,5}}|[A-Z\d]{{5,9}}"
_CODE_LENGTH = 6
_YEARED = regex.compile(r"(?:19|20)\d\d ")


# Other plates are eaten from, and other "Kennzeichen" are marks of anything.
_OF_CARS = regex.compile(
    r"(?:number|licen[cs]e|vehicle|car) plates?|(?:vehicle|car) registration|registration (?:number|plate|mark)"
    r"|plate n|nummernschild|kfz|autokennzeichen|fahrgestell|immatricul|targa|chassi|telaio|bastidor"
    r"|\b(?:cars?|trucks?|vans?|lorry|motorbikes?|motorcycles?|autos?|wagens?|fahrzeug\w*|pkw|lkw|motorrads?|voiture"
    r"|vehicule|camion|coche|vehiculo|carro|macchina|veicolo|moto|veiculo|automovel|viatura)\b"
)
_PLATE_FORM = regex.compile(_PLATE_FORMS)
_REGISTERED = regex.compile(
    r"(?i)\b(?:registered|reg\.?|regd\.?|zugelassen|immatriculée?|matriculad[oa]|targat[oa])"
    r"(?: (?:as|under|no\.?|als|sous|con|com))? $"
)


@dataclass(frozen=True, slots=True)
class Plate(Pattern):
    """A number plate.

    It is announced and has a form of plates, or it is a code whose sentence speaks of cars before it or of plates
    behind.
    """

    @property
    def value_run(self) -> str:
        return r"[A-ZÄÖÜ\d ·-]{1,24}"

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:
        end, entity = self.match(text, p, closed), self.entity
        assert entity is not None
        if end <= NONE:
            return end
        found = position.kinds.get(entity)
        # Neither a code behind another word ("Placa: Intel B550M") nor "the conference registration is CONF2024".
        alone = found is Strength.ASKED or (found is Strength.LABEL and position.word_before is None)
        if found is not None and (alone or _PLATE_FORM.fullmatch(text, p, end)):
            return end
        code = sum(map(str.isalnum, text[p:end])) >= _CODE_LENGTH and not _YEARED.match(text, p)
        if found is not None or position.code is entity:
            return end if code and _OF_CARS.search(fold(position.sentence)) else NONE
        if not code:
            return NONE
        # "Her car, registered as LR19 KVT".
        if (
            _REGISTERED.search(position.before)
            and _PLATE_FORM.fullmatch(text, p, end)
            and _OF_CARS.search(fold(position.sentence))
        ):
            return end
        named = position.behind(end, closed) if position.code is None else None
        return OPEN if named == OPEN else end if named is entity else NONE


@dataclass(frozen=True, slots=True)
class Birth(Dates):
    """A date that the words before it, or a noun of its sentence, call somebody's birth."""

    def _is_announced(self, position: Position) -> bool:
        return Dates._is_announced(self, position) or position.says(Entity.DATE_OF_BIRTH)

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:
        if text[p].isdigit():
            cell = field_at(text, p, position, Entity.DATE_OF_BIRTH, closed)
            if cell == OPEN or (cell and self.inner.match(text[:cell], p, True) == cell):
                return cell
        end = Dates.at(self, text, p, position, closed)
        if end != NONE or not text[p].isdigit():
            return end
        end = self.inner.at(text, p, position, closed)
        if end <= NONE:
            return end
        named = position.behind(end, closed)
        return OPEN if named == OPEN else end if named is Entity.DATE_OF_BIRTH else NONE


_PLATE_START = r"(?=[A-ZÄÖÜ -]{0,6}\d)(?=[\d -]{0,7}[A-ZÄÖÜ])(?!\d{1,3}(?![\w-]))"
_PLATE_TAIL = r"(?![\p{L}\p{N}_]|[-/]\p{N}|[ -](?:[A-Z]{1,3}[ -]?)?\d)"
_DEGREES = r"\d{1,3}(?:[.,]\d{1,10})?"
_TURNED = rf"{_DEGREES} ?(?:°|º|deg) ?(?:{_DEGREES} ?['’′] ?(?:{_DEGREES} ?(?:\"|”|″|''|’’) ?)?)?"
_FIX = (
    rf"[NS] ?\d{{1,3}}[.,]\d{{3,10}}°?,? [EWOL] ?\d{{1,3}}[.,]\d{{3,10}}°?"
    rf"|{_TURNED}[NS] ?[,;/]? ?[-+−]?{_TURNED}[EWOL]"
    rf"|\d{{1,3}}[.,]\d{{2,10}} ?[NS] ?[,;/]? \d{{1,3}}[.,]\d{{2,10}} ?[EWOL]"
)
_ANNOUNCED_FIX = (
    rf"[-+−]?\d{{1,3}}\.\d{{3,15}}(?: ?°)?(?: ?[NSEWO])?"
    rf"(?: ?[,;/] ?[-+−]?\d{{1,3}}\.\d{{3,15}}(?: ?°)?(?: ?[EWO])?| [-+−]?\d{{1,3}}\.\d{{3,15}}(?: ?°)?(?: ?[EWO])?)?"
    rf"|{_TURNED}[NSEWO]"
)
# Two decimals with many places, which stand in no longer list; with fewer, behind a preposition of place.
_PAIR = r"(?<!\[|\w\([\w, ]{1,8}\) ?= ?|\p{N},? ?)(?:[2-9]|[1-8]\d|90)\.\d{5,15}, ?[-+−]?\d{1,3}\.\d{5,15}"
_PLACED = (
    r"(?<=\b(?:at|near|around|bei|nahe|à|vers|près de|cerca de|presso|vicino a|perto de) )\d{1,2}\.\d{4,15}, ?[-+−]?"
    r"\d{1,3}\.\d{4,15}"
)


def _mixed(value: str) -> bool:
    return any(c.isalpha() for c in value) and any(c.isdigit() for c in value)


def _on_earth(value: str) -> bool:
    return all(float(number) <= 180 for number in _NUMBER.findall(value))


_NUMBER = regex.compile(r"\d+(?:\.\d+)?")


_TAX, _NATIONAL = identity.TAX_IDS, identity.NATIONAL_IDS
_OWN = (identity.MEDICAL_RECORDS, identity.PASSPORTS, identity.DRIVER_LICENCES)

NUMBERS: Sequence[Recognizer] = (
    Cards(
        "credit-card",
        Entity.CREDIT_CARD,
        CARDS,
        part=r"[3-6]\d{3}[ -]?\d{4}|[3-6]\d{3}[ -]\d{2}",
        others=(_TAX, _NATIONAL),
        start_classes="d",
    ),
    IBAN,
    Numbers(
        "us-ssn", Entity.US_SSN, identity.US_SSNS, part=r"\d{3}-\d\d-", others=(_TAX, _NATIONAL), start_classes="d"
    ),
    Numbers("us-itin", Entity.US_ITIN, identity.US_ITINS, part=r"9\d\d-[5-9]\d-", start_classes="d"),
    Numbers("medical-record", Entity.MEDICAL_RECORD_NUMBER, identity.MEDICAL_RECORDS),
    Numbers("passport", Entity.PASSPORT, identity.PASSPORTS),
    Numbers("driver-licence", Entity.DRIVER_LICENSE, identity.DRIVER_LICENCES),
    Accounts("account", Entity.BANK_ACCOUNT, identity.ACCOUNTS),
    Numbers("tax-id", Entity.TAX_ID, _TAX, others=(CARDS, _NATIONAL, *_OWN)),
    Numbers("national-id", Entity.NATIONAL_ID, _NATIONAL, part=identity.EMIRATES_BEGUN, others=(CARDS, _TAX, *_OWN)),
    Numbers("vehicle", Entity.VEHICLE_ID, identity.VEHICLES),
    Plate("plate", Entity.VEHICLE_ID, "ud", _PLATE, start=_PLATE_START, tail=_PLATE_TAIL, right=6, accept=_mixed),
    Numbers("postcode", Entity.ADDRESS, identity.POSTCODES),
    Numbers("device", Entity.DEVICE_ID, identity.DEVICES),
    Pattern(
        "coordinates",
        Entity.COORDINATES,
        "dus",
        _FIX,
        tail=r"(?![\p{L}\p{N}])",
        right=2,
        fragment=r"\d{1,3}(?:[.,]\d+)? ?[°º] ?\d|\d{1,3}[.,]\d{2,} ?[NS]",
    ),
    Pattern(
        "pair-of-coordinates",
        Entity.COORDINATES,
        "ds",
        rf"{_PAIR}|{_PLACED}",
        tail=r"(?![\p{L}\p{N}]|\.\p{N}|, ?[-+−]?\p{N}| (?:and|und|et|y|e) [-+−]?\p{N})",
        right=7,
        accept=_on_earth,
        fragment=r"\d{1,3}\.\d{4,15}, ?[-+−]?\d",
    ),
    Pattern(
        "said-coordinates",
        Entity.COORDINATES,
        "ds",
        _ANNOUNCED_FIX,
        tail=r"(?![\p{L}\p{N}]|\.\p{N})",
        right=2,
        needs_announcement=True,
        accept=_on_earth,
    ),
    LabelOrNounRun(
        "biometric",
        Entity.BIOMETRIC_ID,
        "dul",
        r"\w+/=:.-",
        _template,
        144,
        label=_BIOMETRIC + LINK,
        opens=r"[A-Za-z]{0,12}[0-9_-]",
        plain_word_starts="",
    ),
    Birth(BIRTH.inner, BIRTH.words, BIRTH.announcement),
    PHONE,
    VANITY,
)
