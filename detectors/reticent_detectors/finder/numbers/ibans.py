"""International bank account numbers (ISO 13616)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from stdnum import iban

from reticent_detectors.entities import Entity
from reticent_detectors.finder.context.position import Position
from reticent_detectors.finder.engine.recognizers import NONE, OPEN

# ISO 13616: how many characters an IBAN of a country has.
_IBAN_SIZES = {
    15: "NO",
    16: "BE",
    18: "DK FI FK FO GL NL SD",
    19: "MK SI",
    20: "AT BA EE KZ LT LU MN XK",
    21: "CH HR LI LV",
    22: "BG BH CR DE GB GE IE ME RS VA",
    23: "AE GI IL IQ OM SO TL",
    24: "AD CZ ES MD PK RO SA SE SK TN VG",
    25: "LY PT ST",
    26: "IS TR",
    27: "BI DJ FR GR IT MC MR SM",
    28: "AL AZ BY CY DO GT HU LB NI PL SV",
    29: "BR EG PS QA UA",
    30: "JO KW MU YE",
    31: "MT SC",
    32: "LC",
    33: "RU",
}
_IBAN_CHARS = {country: size for size, countries in _IBAN_SIZES.items() for country in countries.split()}
_IBAN_GATE = re.compile(r"[A-Za-z]{1,2}\Z|[A-Za-z]{2}[0-9](?:[0-9]|\Z)")
_IBAN_SPACES = " \u00a0\u202f-"


@dataclass(frozen=True, slots=True)
class Iban:
    """An IBAN, plain or in groups: the country says how long it is and what it is made of.

    Right check digits (ISO 7064, modulo 97) suffice. With wrong ones it must have the country's structure, and capitals
    or groups.
    """

    name: str = "iban-code"
    entity: Entity = Entity.IBAN_CODE
    start_classes: str = "ul"
    fallback: bool = False
    plain_word_starts: str = ""
    value_run: ClassVar[str] = rf"[A-Za-z0-9{_IBAN_SPACES}]{{1,72}}"

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:
        gate = _IBAN_GATE.match(text, p)
        if gate is None:
            return NONE
        if gate.end() - p < 4:
            return NONE if closed else OPEN
        size = _IBAN_CHARS.get(text[p : p + 2].upper(), 0)
        end = self._read(text, p, size)
        if end < 0:
            return NONE if closed else OPEN
        if end == NONE or (end < len(text) and (text[end].isalnum() or text[end] == "_")):
            return NONE
        if end == len(text) and not closed:
            return OPEN
        return end if _is_iban(text[p:end]) else NONE

    def could_be_cut_value(self, text: str, p: int, position: Position) -> bool:
        gate = _IBAN_GATE.match(text, p)
        if gate is None or gate.end() - p < 4 or len(text) - p < 5:
            return False
        return self._read(text, p, _IBAN_CHARS.get(text[p : p + 2].upper(), 0)) < 0

    @staticmethod
    def _read(text: str, p: int, size: int) -> int:
        """Return where `size` letters and digits end; NONE if others come between, -1 if the text ends before.

        One blank or hyphen may stand behind every fourth character. It may also stand before any digit or capital
        behind the check digits.
        """
        end, count = p, 0
        while count < size:
            if end == len(text):
                return -1
            if count > 3 and text[end] in _IBAN_SPACES and text[end - 1] not in _IBAN_SPACES:
                if count % 4 and end + 1 < len(text) and not (text[end + 1].isdigit() or text[end + 1].isupper()):
                    return NONE
                end += 1
                continue
            if not (text[end].isascii() and text[end].isalnum()):
                return NONE
            end += 1
            count += 1
        return end if size else NONE


def _is_iban(written: str) -> bool:
    value = "".join(c for c in written if c not in _IBAN_SPACES)
    if iban.is_valid(value, check_country=False):
        return True
    if written[:2].islower() and len(written) == len(value):
        return False
    return bool(iban.is_valid(value[:2] + iban.calc_check_digits(value) + value[4:], check_country=False))


IBAN = Iban()
