"""Decides what a text may stand for beyond its plain characters, where only recorded values are looked for.

HTML, percent, accents of TeX and further escapes of languages are decoded, doubled ones too, and raised, circled and
combined characters, look-alikes, braille, signs that show a digit and ASCII in characters that are not seen are read as
plain ones. Emphasis within a word is left out. Most texts do not mean this, so it is no reading for a
recogniser: a value that no record holds is not looked for here.
"""

from __future__ import annotations

import re
import unicodedata
from contextlib import suppress
from functools import lru_cache
from html.entities import html5
from typing import Any, ClassVar

import regex

from reticent_detectors.finder.disguises.plain_characters import folded
from reticent_detectors.finder.plain_text import PlainText

_HEX, _LOW = "[0-9A-Fa-f]", "[89abAB][0-9A-Fa-f]"
_BYTE = rf"\\{{1,8}}+x{_LOW}"
_UNIT: Any = regex.compile(
    r"&(?:amp;){0,3}+(?:\#0{0,16}(?P<decimal>[0-9]{1,7});?+|\#[xX]0{0,16}(?P<hex>[0-9A-Fa-f]{1,6});?+"
    r"|(?P<name>[A-Za-z][A-Za-z0-9]{1,31}+;?+))"
    r"|%(?:25){0,3}+(?:(?P<hex>[0-7][0-9A-Fa-f])|u(?P<hex>[0-9A-Fa-f]{4}))"
    # Of letters and digits as in mail, one is none: it may as well be what something equals.
    r"|=(?P<hex>2[0-9A-F]|3[A-F]|40|5[B-F]|60|7[B-E])|=(?P<hex>[2-7][0-9A-F])(?:(?<==[0-9A-F]{2}=..)|(?==[0-9A-F]{2}))"
    # Breaks of lines that are none, and marks with which programs join texts
    r"|(?P<joint>=[ \t]{0,4}\r?\n|(?<=[^\W\d_])-\r?\n[ \t>]{0,8}(?=[^\W\d_])"
    r"|(?<quote>[\"'])[ \t\n]{0,3}(?:\+|\.{1,2}|&|\|\|)?[ \t\n]{0,3}(?P=quote))"
    # A line that goes on in the next one behind one blank, as in calendars and directories
    r"|(?P<joint>(?<=\p{Ll})\r?\n[ \t](?=\p{Ll}))"
    # Accents of TeX
    r"|(?:\\['`^](?P<tex>[A-Za-z])|\\['`^\"ckvH]\{(?P<tex>[A-Za-z])\}"
    r"|\{\\(?:['`^\"][ ]?|[ckvH][ ])(?P<tex>[A-Za-z])\}|\{\\['`^\"ckvH]\{(?P<tex>[A-Za-z])\}\})"
    # Emphasis within a word
    r"|(?P<joint>(?<=[^\W\d_])(?:[*`~]{1,3}+|</?[a-z]{1,6}>)(?=[^\W\d_]))"
    rf"|(?P<bytes>(?:=[CD]{_HEX}=[89AB]{_HEX}|=E{_HEX}(?:=[89AB]{_HEX}){{2}}|=F{_HEX}(?:=[89AB]{_HEX}){{3}}))"
    rf"|(?P<bytes>(?:%[cdCD]{_HEX}%{_LOW}|%[eE]{_HEX}(?:%{_LOW}){{2}}|%[fF]{_HEX}(?:%{_LOW}){{3}}))"
    rf"|(?P<bytes>\\{{1,8}}+x(?:[cdCD]{_HEX}(?:{_BYTE}){{1}}|[eE]{_HEX}(?:{_BYTE}){{2}}|[fF]{_HEX}(?:{_BYTE}){{3}}))"
    r"|\\{1,8}+(?:N\{(?:U\+0{0,4}(?P<hex>[0-9A-Fa-f]{2,6})|(?P<long>[A-Z0-9 -]{3,60}))\}"
    r"|x\{0{0,8}(?P<hex>[0-9A-Fa-f]{1,6})\}"
    # RTF, then what all languages have, Perl, TeX
    r"|'(?P<hex>[2-7][0-9A-Fa-f])|u(?P<decimal>[0-9]{2,3})\?|u(?P<hex>[0-9A-Fa-f]{4})|o\{0{0,4}(?P<octal>[0-7]{2,6})\}"
    r"|symbol\{(?P<decimal>[0-9]{2,3})\}|char(?P<decimal>[0-9]{2,3})(?:\{\})?+|char\"(?P<hex>[0-9A-F]{2})(?:\{\})?+"
    r"|0{0,4}(?P<short>[0-7]{2,3}+(?![0-9A-Fa-f])|[2-7][0-9A-Fa-f])(?P<space> ?))"
    r"|_x(?P<hex>[0-9A-Fa-f]{4})_"
    r"|\^\^(?P<hex>[2-7][0-9a-f])|`u\{0{0,4}(?P<hex>[0-9A-Fa-f]{2,6})\}"
    r"|(?P<open><)?+[Uu]\+0{0,4}(?P<hex>[0-9A-Fa-f]{2,6})(?(open)>)"
)

_FILL = re.compile(r"[^\w\s](?<=[^\w\s]{17})|_(?<=_{17})|\s(?<=\s{17})")
"""A mark after sixteen others or a blank after sixteen, which only fills a line."""
_STYLE, _BEFORE = r"(?:\\[0-9A-Fa-f]{2,3} )", 48
_STYLE_BEFORE = re.compile(rf"{_STYLE}+\Z")
_STYLE_AFTER: Any = regex.compile(rf"{_STYLE}{{0,16}}")
_STYLE_SIGN = re.compile(r"\\[0-9A-Fa-f]{0,2}[89A-Fa-f]")
_OCTAL_SIGN = re.compile(r"\\[01][0-7]{2} ")
_BYTE_MARKS = re.compile(r"[\\x=%]")
_CIRCLED_A = "ⓐ⒜"
"""Stands for @ between letters."""


class LooseText(PlainText):
    """Reads a growing text as what else it may stand for, with a map back."""

    odd: ClassVar[re.Pattern[str]] = re.compile(
        r"[\\&%=\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|<(?=[Uu](?:\+|\Z)|\Z)|(?<=[^\W\d_])[*`~<]|_(?=x[0-9A-Fa-f]|x?\Z)"
        r"|\{(?=\\|\Z)|(?<=[^\W\d_])\r?\n(?=[ \t][^\W\d_]|[ \t]?\Z)|[Uu](?=\+|\Z)|\^(?=\^|\Z)|`(?=u(?:\{|\Z)|\Z)"
        r"|[^\x00-\x7f]|[\"'](?=[ \t\n]{0,3}(?:[+&]|\.{1,2}|\|{1,2})?[ \t\n]{0,3}(?:[\"']|\Z))|-(?=\r?\n|\r?\Z)"
        rf"|{_FILL.pattern}"
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
            plain = _hidden(char)
            if plain is None and "\u2800" < char <= "\u28ff":
                plain = _braille(source, at)
            if plain is None:
                plain = "" if unicodedata.category(char) in ("Mn", "Me") else folded(char)
            return (_digit_shown(char) if plain is None or plain == char else plain), at + 1
        match = _UNIT.match(source, at, partial=True)
        if match is not None:
            if match.partial or (match.end() == len(source) and source[-1] not in ";}"):
                return None
            if match["joint"] is not None:
                return "", match.end()
            if match["short"] is not None:
                base = _base_of_run(source, at, match.end()) if match["space"] else 0
                if base is None:
                    return None
                plain, is_octal = _short_code(match["short"], bool(match["space"]), base)
                return plain, match.start("space") if is_octal else match.end()
            if match["name"] is not None:
                if (size := _name_size(match["name"])) > 0:
                    return html5[match["name"][:size]], match.start("name") + size
            elif (plain := _decoded(match)) is not None:
                return plain, match.end()
        plain, end = super().unit(source, at) or ("", 0)
        return ("", end) if plain == char and _FILL.match(source, at) else (plain, end) if end else None


_BRAILLE = "⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵"
_BRAILLE_NUMBER = re.compile("⠼[⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠤]{0,24}\\Z")
_BRAILLE_CHARS = dict(zip(_BRAILLE, "abcdefghijklmnopqrstuvwxyz", strict=True))
_DIGIT_NAMES = {unicodedata.name(digit).removeprefix("DIGIT "): digit for digit in "0123456789"} | {"ACE": "1"}
_DIGIT_IN_NAME = re.compile(rf"\b({'|'.join(_DIGIT_NAMES)})\b(?![ -]THIRTY)|-([0-9])\Z")


def _hidden(char: str) -> str | None:
    """Return the ASCII character for which one stands that is not seen: of a tag, or a variation as a byte."""
    number = ord(char)
    if 0xE0021 <= number < 0xE007F:
        return chr(number - 0xE0000)
    return chr(number - 0xE00F0) if 0x20 < number - 0xE00F0 < 0x7F else None


def _braille(source: str, at: int) -> str | None:
    """Return the letter or, after the sign for numbers, the digit of a character of braille."""
    letter = _BRAILLE_CHARS.get(source[at])
    if source[at] == "⠼":
        return ""
    if letter is not None and _BRAILLE_NUMBER.search(source, max(0, at - 25), at):
        return str((_BRAILLE.index(source[at]) + 1) % 10)
    return letter


@lru_cache(maxsize=4096)
def _digit_shown(char: str) -> str:
    """Return the digit that a sign or numeral shows, by its value or its name in Unicode, or the character itself."""
    value = unicodedata.numeric(char, -1.0)
    if value in range(10):
        return str(int(value))
    name = _DIGIT_IN_NAME.search(unicodedata.name(char, "")) if unicodedata.category(char) == "So" else None
    return char if name is None else _DIGIT_NAMES[name[1]] if name[1] else name[2]


def _name_size(name: str) -> int:
    """Gives how much of a text is the name of a character in HTML, which may end without a semicolon; 0: none of it."""
    return next((size for size in range(len(name), 1, -1) if name[:size] in html5), 0)


def _base_of_run(source: str, at: int, end: int) -> int | None:
    """Return the base of a code with a blank after it by those beside it; 0: it may be either; None: not yet known."""
    before, after = _STYLE_BEFORE.search(source, max(0, at - _BEFORE), at), _STYLE_AFTER.match(source, end)
    run = source[at if before is None else before.start() : after.end()]
    if _STYLE_SIGN.search(run):
        return 16
    if _OCTAL_SIGN.search(run):
        return 8
    return None if _STYLE_AFTER.fullmatch(source, end, partial=True) else 0


def _short_code(code: str, has_space: bool, base: int) -> tuple[str, bool]:
    """Gives the character of two or three digits behind a backslash, and whether they are octal.

    In programs they are, in style sheets they are hexadecimal, and a blank ends them. Digits are those in one of both,
    unless the codes beside it tell the base.
    """
    if base == 8:
        return chr(int(code, 8)), True
    octal = chr(int(code, 8)) if set(code) <= set("01234567") and base != 16 else ""
    hexadecimal = chr(int(code, 16))
    if octal.isdigit() or not (hexadecimal.isdigit() or has_space or not octal.isprintable() or not octal):
        return octal, True
    return hexadecimal, False


def _decoded(match: Any) -> str | None:
    """Gives the printable character of an escape, or the letter under an accent; None: it is none."""
    if match["tex"] is not None:
        return str(match["tex"])
    if match["bytes"] is not None:
        with suppress(UnicodeDecodeError):
            return bytes.fromhex(_BYTE_MARKS.sub("", match["bytes"])).decode()
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
