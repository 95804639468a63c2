"""Decides what a text may stand for beyond its plain characters, where only recorded values are looked for.

HTML, percent and further escapes of programming languages are decoded, doubled ones too, and raised, circled and
combined characters and look-alikes are read as plain ones. Most texts do not mean this, so it is no reading for a
recogniser: a value that no record holds is not looked for here.
"""

from __future__ import annotations

import re
import unicodedata
from contextlib import suppress
from html.entities import html5
from typing import Any, ClassVar

import regex

from reticent_detectors.finder.disguises.plain_characters import folded
from reticent_detectors.finder.plain_text import PlainText

_HEX, _BYTE = "[0-9A-Fa-f]", r"\\{1,8}+x[89abAB][0-9A-Fa-f]"
_UNIT: Any = regex.compile(
    r"&(?:amp;){0,3}+(?:\#0{0,16}(?P<decimal>[0-9]{1,7});?+|\#[xX]0{0,16}(?P<hex>[0-9A-Fa-f]{1,6});?+"
    r"|(?P<name>[A-Za-z][A-Za-z0-9]{1,31}+;?+))"
    r"|%(?:25){0,3}+(?:(?P<hex>[0-7][0-9A-Fa-f])|u(?P<hex>[0-9A-Fa-f]{4}))"
    r"|=(?P<hex>[2-7][0-9A-F])"
    rf"|(?P<bytes>\\{{1,8}}+x(?:[cdCD]{_HEX}(?:{_BYTE}){{1}}|[eE]{_HEX}(?:{_BYTE}){{2}}|[fF]{_HEX}(?:{_BYTE}){{3}}))"
    r"|\\{1,8}+(?:N\{(?:U\+0{0,4}(?P<hex>[0-9A-Fa-f]{2,6})|(?P<long>[A-Z0-9 -]{3,60}))\}"
    r"|x\{0{0,8}(?P<hex>[0-9A-Fa-f]{1,6})\}"
    # RTF, then what all languages have, Perl, TeX
    r"|'(?P<hex>[2-7][0-9A-Fa-f])|u(?P<decimal>[0-9]{2,3})\?|u(?P<hex>[0-9A-Fa-f]{4})|o\{0{0,4}(?P<octal>[0-7]{2,6})\}"
    r"|symbol\{(?P<decimal>[0-9]{2,3})\}|char(?P<decimal>[0-9]{2,3})(?:\{\})?+|char\"(?P<hex>[0-9A-F]{2})(?:\{\})?+"
    r"|0{0,4}(?P<short>[0-7]{2,3}+(?![0-9A-Fa-f])|[2-7][0-9A-Fa-f])(?P<space> ?))"
    r"|\^\^(?P<hex>[2-7][0-9a-f])|`u\{0{0,4}(?P<hex>[0-9A-Fa-f]{2,6})\}"
    r"|(?P<open><)?+[Uu]\+0{0,4}(?P<hex>[0-9A-Fa-f]{2,6})(?(open)>)"
)

_CIRCLED_A = "ⓐ⒜"
"""Stands for @ between letters."""


class LooseText(PlainText):
    """Reads a growing text as what else it may stand for, with a map back."""

    odd: ClassVar[re.Pattern[str]] = re.compile(
        r"[\\&%=\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|<(?=[Uu](?:\+|\Z)|\Z)|[Uu](?=\+|\Z)|\^(?=\^|\Z)|`(?=u(?:\{|\Z)|\Z)"
        r"|[^\x00-\x7f]"
    )

    def unit(self, source: str, at: int) -> tuple[str, int] | None:
        """Gives the characters that something odd may stand for, and its end; None while more may belong to it."""
        char = source[at]
        if not char.isascii():
            if char in _CIRCLED_A and source[at - 1 : at].isalnum():
                if at + 1 == len(source):
                    return None
                if source[at + 1].isascii() and source[at + 1].isalnum() and source[at - 1].isascii():
                    return "@", at + 1
            plain = "" if unicodedata.category(char) in ("Mn", "Me") else folded(char)
            return (char if plain is None else plain), at + 1
        match = _UNIT.match(source, at, partial=True)
        if match is not None:
            if match.partial or (match.end() == len(source) and source[-1] not in ";}"):
                return None
            if match["short"] is not None:
                plain, is_octal = _short_code(match["short"], bool(match["space"]))
                return plain, match.start("space") if is_octal else match.end()
            if match["name"] is not None:
                if (size := _name_size(match["name"])) > 0:
                    return html5[match["name"][:size]], match.start("name") + size
            elif (plain := _decoded(match)) is not None:
                return plain, match.end()
        return super().unit(source, at)


def _name_size(name: str) -> int:
    """Gives how much of a text is the name of a character in HTML, which may end without a semicolon; 0: none of it."""
    return next((size for size in range(len(name), 1, -1) if name[:size] in html5), 0)


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
    if match["bytes"] is not None:
        with suppress(UnicodeDecodeError):
            return bytes.fromhex(match["bytes"].replace("\\", "").replace("x", "")).decode()
        return None
    if match["long"] is not None:
        try:
            return unicodedata.lookup(match["long"])
        except KeyError:
            return None
    for group, base in (("decimal", 10), ("hex", 16), ("octal", 8)):
        if match[group] is not None:
            number = int(match[group], base)
            return chr(number) if 0x20 <= number < 0x110000 and not 0x7F <= number < 0xA0 else None
    return None
