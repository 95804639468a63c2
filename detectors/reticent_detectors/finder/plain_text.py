"""Decides which plain characters a text stands for: escapes are decoded, odd characters get their normal form.

    plain_form_of(r"a\\nmara@example.org")            # a line break between "a" and the address
    PlainText().read(answer, closed=False)            # the same of a growing text, with a map back

Finders look at this text, so that a value inside a string of JSON or of a program is found as a reader would see it.
What they find is mapped back, and covers whole escapes.

Escapes are those of JSON, of string literals in Python, C and JavaScript, and of a terminal's colours. Any number of
backslashes counts as one, as JSON stands in JSON. Where no escape begins, a backslash stays. A code of three octal
digits counts only beside another one.

The normal form of a character: a digit of any script is its ASCII digit. Letters and marks that only look differently
(full-width, mathematical, small) are those of NFKC, as far as that is ASCII. Spaces are blanks, separators of lines are
line breaks. Characters that are not seen, private, unassigned or control something are left out, and so are combining
marks but behind letters.

Not covered: raised and circled characters and look-alikes of other alphabets, of which a value is read anew
(`disguises`), as most texts mean them as they stand.
"""

from __future__ import annotations

import copy
import re
import unicodedata
from array import array
from bisect import bisect_right
from functools import lru_cache
from typing import Any, ClassVar

import regex

_ODD = re.compile(r"[\\\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|[^\x00-\x7f]")
_MOST_BACKSLASHES = 8
_RUN = rf"\\{{1,{_MOST_BACKSLASHES}}}+"
_ESCAPE: Any = regex.compile(
    r"\\(?P<octal>[01][0-7]{2})(?:(?<=\\[01][0-7]{2}\\[01][0-7]{2})|(?=\\[01][0-7]{2}))"
    rf"|{_RUN}(?:u\{{(?P<code>[0-9A-Fa-f]{{1,6}})\}}|u(?P<code>[0-9A-Fa-f]{{4}})"
    r"|U(?P<code>[0-9A-Fa-f]{8})|x(?P<code>[0-9A-Fa-f]{2})|(?P<letter>[ntrbfva]|0(?![0-7]))|(?P<mark>[!-/:-@\[\]^_`{-~])"
    r"|(?P<joint>\r?\n))"
)
# A number behind a backslash and a letter: a number may have been meant.
_MAY_BE_LITERAL: Any = regex.compile(r"[-. ]?[0-9]")
_LOW: Any = regex.compile(rf"{_RUN}u(?P<code>[dD][c-fC-F][0-9A-Fa-f]{{2}})")
_ESCAPE_CHAR = 0x1B
_COLOUR: Any = regex.compile(r"\[[0-9;]{0,16}+[A-Za-z]")
"""What follows the control character of a terminal's colours."""
_LETTERS = {"n": "\n", "r": "\n", "t": "\t", "f": " ", "v": " ", "b": "", "a": "", "0": ""}
_MARKS = frozenset("@._-+/#%&=()~")
# Not seen, though their category does not say so.
_FILLERS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\ufffc\ufffd\uffa0\U000e0100-\U000e01ef]"
)
_LEFT_OUT = frozenset({"Cc", "Cf", "Cn", "Co", "Cs"})
_LINE_BREAKS = "\u0085\u2028\u2029"


@lru_cache(maxsize=8192)
def normal_form(char: str) -> str:
    """Gives the normal form of one character, "" if it is left out. A combining mark stays."""
    if char in "\t\n\r" or " " <= char <= "~":
        return char
    if char in _LINE_BREAKS:
        return "\n"
    category = unicodedata.category(char)
    if category == "Zs" or char in "\x0b\x0c\x1c\x1d\x1e\x1f\u2800":
        return " "
    if category in _LEFT_OUT or _FILLERS.match(char):
        return ""
    if category == "Nd":
        return str(unicodedata.digit(char))
    if category == "No" or unicodedata.decomposition(char).startswith(("<super>", "<sub>", "<circle>")):
        return char
    plain = unicodedata.normalize("NFKC", char)
    if plain.isascii() and (plain.isalpha() or (len(plain) == 1 and plain in _MARKS)):
        return plain
    return "-" if plain == "\u2010" else char


class PlainText:
    """Reads a growing text, with a map between its offsets and those of its plain characters.

    `text` is what was read so far. An escape that is not complete is not part of it.
    """

    odd: ClassVar[re.Pattern[str]] = _ODD
    """Finds characters with which something begins that does not stand for itself."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self.text = ""
        self._source = ""
        self._read = 0
        self._differs = False
        # Runs of plain characters: where each begins here and in the source, and where its one unit ends there; 0 if
        # its characters stand in the source as they are.
        self._starts, self._sources, self._ends = array("q", [0]), array("q", [0]), array("q", [0])

    def __repr__(self) -> str:
        return f"PlainText(<{self._read} chars>)"

    @property
    def is_source(self) -> bool:
        """Says whether the text stands for itself."""
        return not self._differs and self._read == len(self._source)

    @property
    def is_prefix(self) -> bool:
        """Say whether the text is the beginning of the source, and what follows is not yet known."""
        return not self._differs and self._read < len(self._source)

    @property
    def read_chars(self) -> int:
        """Counts the characters of the source that are read. Behind them an escape has begun."""
        return self._read

    def read(self, source: str) -> None:
        """Reads the source on, which is the earlier one with more text. Another one is read anew."""
        if not source.startswith(self._source):
            self._begin()
        self._source = source
        if not self._differs and self.odd.search(source, self._read) is None:
            self.text, self._read = source, len(source)
            return
        # In this form CPython extends the string in place.
        text, self.text = self.text, ""
        text += self._units(text)
        self.text = text

    def closed(self, source: str) -> PlainText:
        """Gives the reading of a complete source: what looks like a begun escape stands for itself."""
        self.read(source)
        if self._read == len(source):
            return self
        whole = copy.copy(self)
        whole._starts, whole._sources, whole._ends = self._starts[:], self._sources[:], self._ends[:]
        whole.text = self.text + whole._units(self.text, closed=True)
        return whole

    def offset(self, at: int) -> int:
        """Gives the offset here of the first character whose source begins at `at` or behind."""
        run = bisect_right(self._sources, at) - 1
        start, source, end = self._starts[run], self._sources[run], self._ends[run]
        next_start = self._starts[run + 1] if run + 1 < len(self._starts) else len(self.text)
        if end:
            return start if at <= source else next_start
        return min(start + at - source, next_start)

    def source_start(self, at: int) -> int:
        """Gives where the source of the character at an offset begins; for the end, how far the source is read."""
        if at >= len(self.text):
            return self._read
        run = bisect_right(self._starts, at) - 1
        return self._sources[run] if self._ends[run] else self._sources[run] + at - self._starts[run]

    def source_end(self, at: int) -> int:
        """Gives where the source of the text before an offset ends."""
        if at <= 0:
            return 0
        run = bisect_right(self._starts, at - 1) - 1
        return self._ends[run] or self._sources[run] + at - self._starts[run]

    def is_written(self, start: int, end: int) -> bool:
        """Says whether the source writes the letters, digits and @ of text[start:end] as they are, and no others.

        Escapes of blanks, breaks and marks may stand between.
        """
        for run in range(bisect_right(self._starts, start) - 1, bisect_right(self._starts, end - 1)):
            begin = self._starts[run]
            stop = self._starts[run + 1] if run + 1 < len(self._starts) else len(self.text)
            if self._ends[run] and any(char.isalnum() or char == "@" for char in self.text[begin:stop]):
                return False
            if start < begin and self._sources[run] > self.source_end(begin):
                return False
        return True

    def unit(self, source: str, at: int) -> tuple[str, int] | None:
        """Gives the characters that something odd stands for, and its end; None while more text may belong to it."""
        if source[at] == "\\":
            return _escape(source, at)
        return _coloured(source, at + 1) if ord(source[at]) == _ESCAPE_CHAR else (source[at], at + 1)

    def _units(self, text: str, closed: bool = False) -> str:
        """Reads on behind `text`, and gives the new plain characters."""
        source, at, pieces, length, last = self._source, self._read, list[str](), len(text), text[-1:]
        while (odd := self.odd.search(source, at)) is not None:
            if odd.start() > at:
                pieces.append(source[at : odd.start()])
                length += odd.start() - at
                last = source[odd.start() - 1]
            at = odd.start()
            unit = self.unit(source, at)
            if unit is None and not closed:
                break
            if unit is None:  # nothing more comes
                unit = self.unit(source + "\n", at)
            plain, end = unit if unit is not None and unit[1] <= len(source) else (source[at], at + 1)
            normal = _normal_forms(plain, last)
            if normal != source[at:end]:
                self._differs = True
                self._add_run(length, at, end if normal else 0)
                if normal:
                    self._add_run(length + len(normal), end, 0)
                else:
                    self._sources[-1] = end
            pieces.append(normal)
            length += len(normal)
            last, at = (normal or last)[-1:], end
        else:
            pieces.append(source[at:])
            at = len(source)
        self._read = at
        return "".join(pieces)

    def _add_run(self, start: int, source: int, end: int) -> None:
        if self._starts[-1] == start:
            self._sources[-1], self._ends[-1] = source, end
        else:
            self._starts.append(start)
            self._sources.append(source)
            self._ends.append(end)


def plain_form_of(text: str) -> str:
    """Gives the plain characters that a complete text stands for."""
    if _ODD.search(text) is None:
        return text
    return PlainText().closed(text).text


def _normal_forms(chars: str, last: str) -> str:
    out = ""
    for char in chars:
        before = (out or last)[-1:]
        combining = not char.isascii() and unicodedata.category(char) in ("Mn", "Me") and not before.isalpha()
        out += "" if combining else normal_form(char)
    return out


def _coloured(source: str, end: int) -> tuple[str, int] | None:
    """Return nothing, and where the colour of a terminal ends whose control character ends at a place."""
    colour = _COLOUR.match(source, end, partial=True)
    if colour is None:
        return "", end
    return None if colour.partial else ("", int(colour.end()))


def _is_value_char(number: int) -> bool:
    """Says whether an escape of a character may stand within a number or an address."""
    return number >= 0x110000 or chr(number).isdigit() or not chr(number).isalnum()


def _escape(source: str, at: int) -> tuple[str, int] | None:
    """Gives the characters of the escape at a backslash and its end; None while more text may belong to it."""
    match = _ESCAPE.match(source, at, partial=True)
    if match is None:
        return "\\", at + 1
    if match.partial:
        return None
    end = match.end()
    if (code := match["code"]) is not None:
        number = int(code, 16)
        literal = _MAY_BE_LITERAL.match(source, end, partial=True) if code.isdecimal() else None
        if literal is not None and not _is_value_char(number):
            return None if literal.partial else ("\\", at + 1)
        if number == _ESCAPE_CHAR:
            return _coloured(source, int(end))
        if 0xD800 <= number < 0xDC00 and (low := _LOW.match(source, end, partial=True)) is not None:
            if low.partial:
                return None
            return chr(0x10000 + (number - 0xD800 << 10) + int(low["code"], 16) - 0xDC00), int(low.end())
        return chr(number) if number < 0x110000 else "", end
    if match["octal"]:
        return chr(int(match["octal"], 8)), end
    if match["letter"]:
        return None if match["letter"] == "0" and end == len(source) else (_LETTERS[match["letter"]], end)
    if match["mark"]:
        return match["mark"], end
    return "", end  # a line goes on
