"""Decide what stands in code in a text: base64, base32, hexadecimal digits, Morse, lists of numbers of characters.

    NjUwLTU1NS0wMTE3        3635302d3535352d30313137        [54, 53, 48, 45]        6964 2042        0011011000110101
    NjUw LTU1 NS0w MTE3        -.... ..... -----

A code may begin anywhere within letters and digits, and its lines may be broken. Of base64 six ASCII characters in a
row tell that it is a code, of hexadecimal digits eight, of a list six numbers. Only recorded values are looked for
here, as other texts may look so by accident.

Not covered: codes of bytes that are no text in UTF-8 or UTF-16; base85; ciphers.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any

import regex

from reticent_detectors.finder.plain_text import PlainText, normal_form

_CODE = "A-Za-z0-9+/_-"
_BREAK = r"(?:\r?\n[ \t>]{0,8})?+"
# The digits of base64 of ASCII characters: of each byte the upper half is 2 to 7.
_FIRST, _SECOND, _THIRD = "[I-Za-f]", "[C-HS-Xi-nyz0-3]", "[ABEFIJMNQRUVYZcdghklopstwx014589]"
_QUAD = rf"{_BREAK}{_SECOND}{_BREAK}{_THIRD}{_BREAK}[{_CODE}]{_BREAK}{_FIRST}"
_WIDE = rf"[AQgw]{_BREAK}[AB]{_BREAK}[{_CODE}]{_BREAK}A{_BREAK}[C-H]{_BREAK}[AEIMQUYcgkosw048]{_BREAK}A"
_FOUR = f"{_FIRST}{_SECOND}{_THIRD}[{_CODE}]"
_ITEM = r"(?:0[xX])?+(?:[01]{7,8}|[0-9A-Fa-f]{2,4})"
_SIGN, _PAUSE = "[-.·•–—−]", "(?: {1,3}/ {0,3}| {1,3}|/)"
_DIGITS = (
    r"(?P<hex>(?:[2-7][0-9A-Fa-f]){8})",
    rf"(?P<base64>{_FIRST}{_QUAD}{_BREAK}{_SECOND}{_BREAK}{_THIRD}{_BREAK}[{_CODE}])",
    rf"(?P<wide>{_FIRST}{_WIDE}{_BREAK}{_FIRST}{_WIDE})",
    rf"(?P<fours>(?<![{_CODE}])(?:{_FOUR} ){{2}}{_FOUR}(?![{_CODE}]))",
    r"(?P<hex>(?:[2-7][0-9A-Fa-f]00){6})",
    r"(?P<bits>(?<![01])(?:0[01]{7}){6})",
    rf"(?P<morse>(?<![^\s:,;(\"'`*]){_SIGN}{{1,6}}(?:{_PAUSE}{_SIGN}{{1,6}}){{5}})",
    r"(?P<base32>(?<![A-Z2-7])[A-Z2-7]{12})",
)
# Numbers of ASCII characters in base 2, 8, 10 and 16
_SURE_ITEM = (
    r"(?:0[xX])?+(?:0[01]{7}|[01]{7}|0[4-7][0-7]|1[0-7][0-7]|1[01][0-9]|12[0-6]"
    r"|(?:00)?[2-7][0-9A-Fa-f](?:[2-7][0-9A-Fa-f])?|[89][0-9])"
)
_LIST = (
    rf"(?<![0-9A-Za-z])(?P<list>{_SURE_ITEM}(?P<joint>[^0-9A-Za-z]{{1,4}}|[^0-9]{{1,10}}?)"
    rf"(?:{_SURE_ITEM}(?P=joint)){{4}}{_SURE_ITEM})(?=h?(?![0-9A-Za-z]))"
)
_BEGIN: Any = regex.compile(f"{'|'.join(_DIGITS)}|{_LIST}")
_BEGUN: list[Any] = [regex.compile(form) for form in (*_DIGITS, _LIST)]
_UNITS = {
    "base64": re.compile(
        rf"{_BREAK}[{_CODE}](?:{_BREAK}[{_CODE}]){{3}}|{_BREAK}[{_CODE}](?:{_BREAK}[{_CODE}]){{1,2}}={{0,2}}"
    ),
    "fours": re.compile(rf"[{_CODE}]{{2,4}}(?<![{_CODE}]{{5}})={{0,2}}(?: (?=[{_CODE}]{{2,4}}(?![{_CODE}])))?"),
    "bits": re.compile("[01]{8}"),
    "morse": re.compile(rf"{_SIGN}{{1,6}}(?:{_PAUSE}(?={_SIGN}))?"),
    "hex": re.compile(rf"{_BREAK}[0-9A-Fa-f]{_BREAK}[0-9A-Fa-f]"),
    "base32": re.compile(r"[A-Z2-7]{8}|(?:[A-Z2-7]{7}|[A-Z2-7]{5}|[A-Z2-7]{4}|[A-Z2-7]{2})={0,6}"),
}
_NUMBER = re.compile(_ITEM)
_NEXT_LINE = rf"(?:[ \t]{{1,48}}(?:[|>][^\n]{{0,40}}|[^\n]{{0,20}})?)?\r?\n[0-9A-Fa-f]{{4,8}}:?[ \t]{{1,3}}(?={_ITEM})"
"""What stands between the lines of a dump of memory: the characters of the first, the address of the second."""
_MORSE_ROWS = (
    "0123456789abcdefghijklmnopqrstuvwxyz.@-_",
    "----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----. .- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. --"
    " -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.. .-.-.- .--.-. -....- ..--.-",
)
_MORSE = dict(zip(_MORSE_ROWS[1].split(), _MORSE_ROWS[0], strict=True))
_AS_MORSE = str.maketrans("·•–—−", "..---", "/")
_CODE_CHARS = re.compile(rf"[{_CODE}]*\Z")
_AHEAD, _BEHIND, _LONGEST = 64, 16, 192
"""How much must stand after a unit before it is read, how far before its ASCII characters a code may begin, and how
long is what tells that one begins, in characters."""


class CodedText(PlainText):
    """Read a growing text with what its codes stand for, and a map back."""

    def _begin(self) -> None:
        super()._begin()
        self._unit: re.Pattern[str] | None = None
        self._base, self._bytes, self._searched, self._is_first = "", b"", 0, False

    def read(self, source: str) -> None:
        """Read the source on, which is the earlier one with more text. Another one is read anew."""
        if not source.startswith(self._source):
            self._begin()
        self._source = source
        text, self.text = self.text, ""
        text += self._units(text)
        self.text = text

    def _units(self, text: str, closed: bool = False) -> str:
        """Read on after `text`, and return the new characters."""
        source, pieces, length = self._source, list[str](), len(text)
        while self._read < len(source):
            at = self._read
            if self._unit is not None:
                unit = self._unit.match(source, at)
                if not closed and len(source) - (at if unit is None else unit.end()) < _AHEAD:
                    break
                chars = None if unit is None else self._decoded(unit[0])
                if unit is not None and chars is not None:
                    chars = " " + chars if self._is_first else chars
                    self._differs, self._is_first = True, False
                    self._add_run(length, at, unit.end() if chars else 0)
                    length += len(chars)
                    pieces.append(chars)
                    self._read = unit.end()
                    self._add_run(length, self._read, 0)
                    if not chars:
                        self._sources[-1] = self._read
                    continue
                self._unit, self._searched = None, at + 1
                pieces.append(" ")
                length += 1
                self._add_run(length - 1, at, at)
                self._add_run(length, at, 0)
            begin = _BEGIN.search(source, max(at, self._searched))
            begun = len(source) if closed else self._begun(at)
            if begin is not None and begin.start() <= begun and (closed or begin.end() < len(source)):
                end = self._opened(begin, at)
            else:
                begun = begun if begin is None else min(begun, begin.start())
                begin, end = None, begun - (0 if closed else len(self._code_before(begun, at)))
            pieces.append(source[at:end])
            length += end - at
            self._read = end
            if begin is None:
                break
        return "".join(pieces)

    def _begun(self, at: int) -> int:
        """Return the first place from `at` on where a code may begin that more text may complete."""
        source, tail = self._source, max(at, self._searched, len(self._source) - _LONGEST)
        found = (each.search(source, tail, partial=True) for each in _BEGUN)
        return min((match.start() for match in found if match is not None), default=len(source))

    def _code_before(self, end: int, at: int) -> str:
        match = _CODE_CHARS.search(self._source, max(at, end - _BEHIND), end)
        return "" if match is None else match[0]

    def _opened(self, begin: Any, at: int) -> int:
        """Begin to read the code that was found, and return where it begins, from `at` on."""
        kind, start = begin.lastgroup if begin["list"] is None else "list", int(begin.start())
        self._bytes, self._is_first = b"", True
        if kind == "list":
            base = _base_of(
                [item.removeprefix("0x").removeprefix("0X") for item in _NUMBER.findall(begin["list"])], begin[0]
            )
            if not base:
                self._searched = start + 1
                return start
            joint = re.escape(begin["joint"])
            self._base, self._unit = base, re.compile(rf"{_ITEM}(?:{joint}(?={_ITEM})|{_NEXT_LINE})?")
            return start
        self._base = "base64" if kind == "wide" else kind
        self._unit, step = _UNITS[self._base], {"hex": 2, "base64": 4}.get(kind, 0)
        for back in range(_BEHIND, 0, -step) if step else ():
            first = start - back + back % step
            if (
                first >= at
                and _CODE_CHARS.fullmatch(source := self._source[first:start])
                and _is_text(_bytes(source, self._base))
            ):
                return first
        return start

    def _decoded(self, unit: str) -> str | None:
        """Return the characters of a unit; None: they are no text."""
        data = self._bytes + (_bytes(unit, self._base) if self._base in _UNITS else _number_bytes(unit, self._base))
        try:
            text, self._bytes = data.decode(), b""
        except UnicodeDecodeError as error:
            if error.reason != "unexpected end of data":
                return None
            text, self._bytes = data[: error.start].decode(), data[error.start :]
        if not data or any(char < " " and char not in "\t\n\r\0" for char in text):
            return None
        return "".join(normal_form(char) for char in text)


def _bytes(code: str, base: str) -> bytes:
    """Return the bytes of complete digits of a code, b"" if they are none."""
    code = re.sub(r"[\r\n \t>]", "", code)
    try:
        if base == "morse":
            return _MORSE.get(code.translate(_AS_MORSE), "").encode()
        if base == "bits":
            return bytes([int(code, 2)])
        if base == "hex":
            return bytes.fromhex(code)
        digits = code.rstrip("=")
        if base == "base32":
            return base64.b32decode(digits + "=" * (-len(digits) % 8))
        return base64.b64decode(digits.replace("-", "+").replace("_", "/") + "=" * (-len(digits) % 4))
    except (ValueError, binascii.Error):
        return b""


def _number_bytes(unit: str, base: str) -> bytes:
    item = _NUMBER.match(unit)
    digits = "" if item is None else item[0].removeprefix("0x").removeprefix("0X")
    try:
        if base == "16":
            return bytes.fromhex(digits)
        number = int(digits, int(base))
    except ValueError:
        return b""
    return bytes([number]) if number < 256 else chr(number).encode("utf-8", "replace")


def _base_of(items: list[str], written: str) -> str:
    """Return the base of numbers that are characters, "" if they are none."""
    if all(len(item) in (7, 8) and set(item) <= {"0", "1"} for item in items) and len(set(map(len, items))) == 1:
        return "2"
    bases = ["16"]
    if "0x" not in written.casefold():
        bases = ["8", *bases] if all(len(item) == 3 for item in items) else bases
        bases = ["10", *bases] if all(len(item) < 4 and item[0] != "0" for item in items) else bases
    for base in bases:
        chars = b"".join(_number_bytes(item, base) for item in items)
        if len(chars) >= len(items) and _is_text(chars) and 2 * sum(map(str.isalnum, chars.decode())) >= len(items):
            return base
    return ""


def _is_text(data: bytes) -> bool:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return False
    return bool(text) and all(char >= " " or char in "\t\n\r\0" for char in text)
