"""Decides what a text may stand for beyond its plain characters, where only recorded values are looked for.

HTML, percent and further escapes of programming languages are decoded, doubled ones too, and raised, circled and
combined characters and look-alikes are read as plain ones. Most texts do not mean this, so it is no reading for a
recogniser: a value that no record holds is not looked for here.
"""

from __future__ import annotations

import html
import re
import unicodedata
from typing import Any, ClassVar

import regex

from reticent_detectors.finder.disguises.plain_characters import folded
from reticent_detectors.finder.plain_text import PlainText

_UNIT: Any = regex.compile(
    r"&(?:amp;){0,3}+(?:\#0{0,16}(?P<decimal>[0-9]{1,7});?+|\#[xX]0{0,16}(?P<hex>[0-9A-Fa-f]{1,6});?+|(?P<name>[A-Za-z]{2,10});)"
    r"|%(?:25){0,3}+(?:(?P<hex>[0-7][0-9A-Fa-f])|u(?P<hex>[0-9A-Fa-f]{4}))"
    r"|=(?P<hex>[2-7][0-9A-F])"
    r"|\\{1,8}+(?:N\{(?P<long>[A-Z0-9 -]{3,60})\}|x\{0{0,8}(?P<hex>[0-9A-Fa-f]{1,6})\}"
    r"|0{0,4}(?P<short>[0-7]{2,3}+(?![0-9A-Fa-f])|[2-7][0-9A-Fa-f])(?P<space> ?))"
    r"|[Uu]\+0{0,4}(?P<hex>[0-9A-Fa-f]{2,6})"
)


class LooseText(PlainText):
    """Reads a growing text as what else it may stand for, with a map back."""

    odd: ClassVar[re.Pattern[str]] = re.compile(r"[\\&%=\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|[Uu](?=\+|\Z)|[^\x00-\x7f]")

    def unit(self, source: str, at: int) -> tuple[str, int] | None:
        """Gives the characters that something odd may stand for, and its end; None while more may belong to it."""
        char = source[at]
        if not char.isascii():
            plain = folded(char)
            return (char if plain is None else plain), at + 1
        match = _UNIT.match(source, at, partial=True)
        if match is not None:
            if match.partial or (match.end() == len(source) and source[-1] not in ";}"):
                return None
            if match["short"] is not None:
                plain, is_octal = _short_code(match["short"], bool(match["space"]))
                return plain, match.start("space") if is_octal else match.end()
            if (plain := _decoded(match)) is not None:
                return plain, match.end()
        return super().unit(source, at)


def _short_code(code: str, has_space: bool) -> tuple[str, bool]:
    """Gives the character of two or three digits behind a backslash, and whether they are octal.

    In programs they are, in style sheets they are hexadecimal, and a blank ends them. Digits are those in one of both.
    """
    octal = chr(int(code, 8)) if set(code) <= set("01234567") else ""
    hexadecimal = chr(int(code, 16))
    if octal.isdigit() or not (hexadecimal.isdigit() or has_space or not octal.isprintable() or not octal):
        return octal, True
    return hexadecimal, False


def _decoded(match: Any) -> str | None:
    """Gives the printable character of an escape; None: it is none."""
    if match["name"] is not None:
        char = html.unescape(f"&{match['name']};")
        return char if len(char) == 1 else None
    if match["long"] is not None:
        try:
            return unicodedata.lookup(match["long"])
        except KeyError:
            return None
    for group, base in (("decimal", 10), ("hex", 16)):
        if match[group] is not None:
            number = int(match[group], base)
            return chr(number) if 0x20 <= number < 0x110000 and not 0x7F <= number < 0xA0 else None
    return None
