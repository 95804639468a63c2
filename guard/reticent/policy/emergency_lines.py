"""Recognises public lines for emergencies and crises (911, 112, 988, 116 123, poison control).

Only a deny list or a seal stops them. A guard that withholds a crisis line from somebody who needs it does harm, and
no such number is anybody's personal data. `data/emergency_lines.tsv` lists them by country. A value is a line only if
all of its digits are the line's, with or without country code: 911 is one, 911-555-0100 is not. The module uses the
standard library alone.

Not covered: numbers written with letters (1-800-SUICIDE), extensions, numbers for text messages; a local number without
its area code that has the digits of another country's line.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from importlib import resources
from typing import NamedTuple

from reticent_detectors.entities import Entity

SHORT_DIGITS = 6
"""Most digits of a line that counts only as a telephone number. As a PIN or an amount it is somebody's."""

_LONG_KINDS = frozenset({Entity.PHONE_NUMBER, Entity.ORDER_NUMBER, Entity.BANK_ACCOUNT, Entity.OTHER})
"""Kinds that a finder may give a long line."""

_TRUNK = "0"
_KEEPS_TRUNK = frozenset({"39"})  # Italy's numbers keep their zero behind the country code
_OPTIONAL_TRUNK = re.compile(r"\(0\)")
_FORM = re.compile(r"(?:tel:\s?)?(?P<abroad>\+|00|011(?=\D|\d{10}))?[\d\s().\-‐-―−/]*", re.IGNORECASE)
_MOST_CHARS = 40


class Line(NamedTuple):
    """Holds a public line: its region (ISO 3166), the region's country code, its purpose, and its national digits."""

    region: str
    country_code: str
    sort: str
    digits: str

    def spellings(self) -> Iterator[str]:
        """Yields the line's digits as they are dialled, nationally and with plus sign and country code."""
        yield self.digits
        if self.country_code == "1" and len(self.digits) > SHORT_DIGITS:
            yield "1" + self.digits
        short = len(self.digits) <= SHORT_DIGITS
        trunk = self.digits.startswith(_TRUNK) and self.country_code not in _KEEPS_TRUNK and not short
        yield f"+{self.country_code}{self.digits[1:] if trunk else self.digits}"


@lru_cache(maxsize=1)
def lines() -> tuple[Line, ...]:
    """Reads all shipped lines."""
    text = resources.files("reticent").joinpath("data", "emergency_lines.tsv").read_text(encoding="utf-8")
    rows = (row.split("\t") for row in text.splitlines() if row and not row.startswith("#"))
    return tuple(
        Line(region, code, sort, number.replace(" ", "").replace("-", "")) for region, code, sort, number in rows
    )


@lru_cache(maxsize=1)
def _spellings() -> dict[str, bool]:
    """Maps every spelling to whether it is a short line's."""
    return {spelling: len(line.digits) <= SHORT_DIGITS for line in lines() for spelling in line.spellings()}


def is_line(value: str, entity: str) -> bool:
    """Says whether a value of this kind is a public emergency or crisis line, in any spelling of a telephone number."""
    if entity not in _LONG_KINDS or len(value) > _MOST_CHARS:
        return False
    plain = "".join(
        str(unicodedata.decimal(c)) if c.isdecimal() else c for c in unicodedata.normalize("NFKC", value).strip()
    )
    match = _FORM.fullmatch(plain)
    if match is None:
        return False
    known = _spellings()
    forms = [re.sub(r"\D", "", plain)]
    if match["abroad"]:
        rest = _OPTIONAL_TRUNK.sub("", plain[match.end("abroad") :])
        abroad = "+" + re.sub(r"\D", "", rest)
        forms = [abroad] if match["abroad"] == "+" else [*forms, abroad]  # 000 is Australia's own number
    short = next((known[form] for form in forms if form in known), None)
    return short is not None and (not short or entity == Entity.PHONE_NUMBER)
