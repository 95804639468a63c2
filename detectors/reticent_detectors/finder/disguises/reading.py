"""A candidate read as plain text, with a map back to its source.

Each plain character keeps the place where its source ends. So a value has an exact end in the original.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from reticent_detectors.finder.disguises.escapes import ESCAPE, MARKS, SOFT, SOFT_BREAK, TAG, unescaped
from reticent_detectors.finder.disguises.plain_characters import COMBINING, folded


class Reading(NamedTuple):
    """A disguised text in plain characters.

    Args:
        plain: the text.
        ends: for each character of `plain`, where its source ends in the original, in characters.
        broken: how many characters of `plain` stand before the first line break that was left out; -1: there is none.
        whole: the original is one piece, a value anywhere in `plain` takes all of it.
    """

    plain: str
    ends: list[int]
    broken: int = -1
    whole: bool = False

    def __repr__(self) -> str:
        return f"Reading(<{len(self.plain)} chars>)"


_UNIT = re.compile(
    rf"(?is)(?P<drop>{TAG}|{MARKS}|{SOFT_BREAK}|[{COMBINING}]+)|(?P<soft>[{SOFT}]+)|(?P<escape>{ESCAPE})"
    r"|(?P<line> ?\r?\n[ \t>]{0,8})|(?P<char>.)"
)


def read_plain(text: str, p: int, end: int, bare: str = "") -> Reading:
    """Reads text[p:end] in plain characters, up to the first that has no plain form.

    Escapes that begin with a mark of `bare` stay as they are.
    """
    plain: list[str] = []
    ends: list[int] = []
    broken = -1
    for unit in _UNIT.finditer(text, p, end):
        kind = unit.lastgroup
        if kind == "soft":
            plain.extend(unit[0])
            ends.extend(range(unit.start() + 1, unit.end() + 1))
            continue
        if kind == "line":
            broken = len(plain) if broken < 0 else broken
            continue
        if kind == "drop":
            continue
        if bare and kind == "escape" and unit[0][0] in bare:
            plain.extend(unit[0])
            ends.extend(range(unit.start() + 1, unit.end() + 1))
            continue
        chars = unit[0] if kind == "char" else unescaped(unit[0])
        for char in chars or "\x00":
            as_plain = folded(char)
            if as_plain is None or char == "\x00":
                return Reading("".join(plain), ends, broken)
            plain.extend(as_plain)
            ends.extend([unit.end()] * len(as_plain))
    return Reading("".join(plain), ends, broken)


# A letter for a digit, beside digits. In hexadecimal, as wallets and network addresses have it, also beside letters.
_AS_DIGITS = re.compile(
    r"(?<![A-Za-z])[OolIQ]+(?![A-Za-z])|(?<=[0-9])[OIQ](?=x[0-9OIQ])|(?<=[0-9]x)[OIQ]|(?<=[0-9][OIQ]x)[OIQ]"
)
_AS_HEX = re.compile(r"[OQ]")
_LITERAL = re.compile(r"%[0-9A-Fa-f]{2}|=[0-9A-F]{2}")
_AS_DIGIT = str.maketrans("OoQlI", "00011")


def all_readings(text: str, p: int, first: Reading, literal: bool = True) -> list[Reading]:
    """Gives the readings of a candidate at p, `first` among them; [] if nothing in it is disguised.

    `literal`: also with "%" and "=" as they are, which begin escapes and stand in addresses as well.
    """
    found = [] if first.plain == text[p : p + len(first.plain)] else [first]
    end = first.ends[-1] if first.ends else p
    if literal and _LITERAL.search(text, p, end):
        found.append(read_plain(text, p, end, "%="))
    if 0 < first.broken < len(first.plain):
        at = first.broken
        found.append(
            Reading(
                f"{first.plain[:at]} {first.plain[at:]}", [*first.ends[:at], first.ends[at - 1], *first.ends[at:]], at
            )
        )
    for digits in {_AS_DIGITS.sub(_translated, first.plain), _AS_HEX.sub(_translated, first.plain)}:
        if digits != first.plain and sum(c.isdigit() for c in digits) >= 3:
            found.append(first._replace(plain=digits))
    if "_" in first.plain and "@" not in first.plain:
        kept = [i for i, char in enumerate(first.plain) if char != "_"]
        found.append(Reading("".join(first.plain[i] for i in kept), [first.ends[i] for i in kept], first.broken))
    return found


def _translated(match: re.Match[str]) -> str:
    return match[0].translate(_AS_DIGIT)


_CALLED = 10


def as_called(reading: Reading) -> list[Reading]:
    """Give ten digits in the groups of a telephone number, as they have no form without; [] for anything else."""
    kept = [i for i, char in enumerate(reading.plain) if char not in "- "]
    digits, ends = "".join(reading.plain[i] for i in kept), [reading.ends[i] for i in kept]
    if len(digits) != _CALLED or not digits.isdecimal():
        return []
    plain = f"{digits[:3]}-{digits[3:6]}-{digits[6:]}"
    return [reading._replace(plain=plain, ends=[*ends[:3], ends[2], *ends[3:6], ends[5], *ends[6:]])]
