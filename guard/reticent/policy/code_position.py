"""Follows an answer in source code character by character: inside a string, a comment or neither.

Code is the text of a Markdown fence whose language is in the table. An answer without a fence counts as code if its
first line that is no comment begins as files of a language do, and as JSON from a brace or bracket at its beginning to
the one that closes it. All other text is prose, in which nothing is known.

Not covered: JSX and other markup, heredocs, template languages. A JavaScript regular expression is recognised by the
character before its slash. Code after an unfenced beginning that is no opening line counts as prose.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Literal

from reticent.policy.code_families import FENCE, FENCES, JSON, OPENINGS, PYTHON, SKIPPED, Family

Kind = Literal["prose", "code", "string", "line comment", "block comment", "regex"]


_MOST_LINE = 2_000
_MOST_WORD = 64
_BEFORE_REGEX = "(,=:[!&|?{};+-*%<>~^"
_PREFIX = re.compile(r"(?i)[rbfut]{1,2}")
_ESCAPE = re.compile(r"\\(?:x[0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7}|u\{[0-9a-fA-F]*|N(?:\{[^}]*)?)")
"""Matches an escape that is not complete, such as a backslash alone."""


@dataclass(slots=True)
class Frame:
    """Describes one level of nesting: code, or a string or comment in it.

    `quote` closes a string. `prefix` is the prefix of a Python string, in lower case. `opened` counts its quotes while
    they may become three. `run` counts quotes, stars or the like that may close it. `depth` counts braces of code in a
    string.
    """

    kind: Kind
    quote: str = ""
    prefix: str = ""
    opened: int = 0
    run: int = 0
    depth: int = 0

    @property
    def is_raw(self) -> bool:
        """Says whether a backslash is an ordinary character."""
        return "r" in self.prefix

    @property
    def is_long(self) -> bool:
        """Says whether it may contain a line break."""
        return len(self.quote) == 3 or self.quote == "`"


@dataclass(slots=True)
class CodePosition:
    """Holds the place behind all text that was fed. How the text was cut changes nothing.

    `only_json` leaves out all other languages.
    """

    only_json: bool = False
    family: Family | None = None
    frames: list[Frame] = field(default_factory=lambda: [Frame("code")])
    escape: str = field(default="", repr=False)
    """The escape that has begun in a string and is not complete."""
    word: str = field(default="", repr=False)
    """The letters, digits and underscores directly before the place, outside of strings."""
    _line: str = field(default="", repr=False)
    _fence: str = ""
    _guesses: bool = True
    _may_open: bool = True
    """Whether only blanks stand between here and the beginning, or the end of a JSON document."""
    _open: int = 0
    """Braces and brackets that are open in a JSON document without a fence."""
    _before: str = field(default="", repr=False)
    _mark: str = ""
    """The slash, brace or dollar sign whose meaning the next character decides."""

    @property
    def frame(self) -> Frame:
        """Gives the innermost level."""
        return self.frames[-1]

    @property
    def kind(self) -> Kind:
        """Gives the kind of text at this place."""
        return "prose" if self.family is None else self.frame.kind

    def copied(self) -> CodePosition:
        """Copies the position, so that both can go on."""
        return replace(self, frames=[replace(frame) for frame in self.frames])

    def settled(self) -> CodePosition:
        """Copies the position, and decides what a slash, brace or quote before it begins."""
        settled, family = self.copied(), self.family
        if family is not None and self.kind == "string" and self.frame.opened == 2:
            settled._close()
        elif family is not None and self._mark == "{":
            settled.frames.append(Frame("code"))
        elif family is not None and self._mark == "/" and self._may_be_regex(family):
            settled.frames.append(Frame("regex"))
        settled.frame.opened, settled._mark = 0, ""
        return settled

    def feed(self, text: str) -> None:
        """Takes the text that follows."""
        at = 0
        while at < len(text):
            if self.family is None and not self._may_open:  # prose: only lines matter
                end = text.find("\n", at)
                end = len(text) if end < 0 else end
                self._line += text[at : min(end, at + _MOST_LINE - len(self._line))]
                if end < len(text):
                    self._end_line()
                at = end + 1
                continue
            char = text[at]
            at += 1
            if self.family is None:
                self._may_begin_document(char)
            if self.family is not None:
                self._read(char, self.family)
            if char == "\n":
                self._end_line()
            elif len(self._line) < _MOST_LINE:
                self._line += char

    # JSON without a fence

    def _may_begin_document(self, char: str) -> None:
        if char in "{[":
            self._guesses = False
            self._begin(JSON)
        if not char.isspace():
            self._may_open = False

    def _count_brackets(self, char: str) -> None:
        """Ends a document behind its last bracket."""
        self._open += (char in "{[") - (char in "}]")
        if self._open <= 0 and not self._fence:
            self._begin(None)
            self._may_open = True

    # Lines, which decide the language

    def _end_line(self) -> None:
        line, self._line = self._line.rstrip("\r"), ""
        fence = FENCE.match(line)
        if fence is not None and (self._fence or self._opens(line, fence)):
            self._at_fence(line, fence)
        elif self._guesses:
            self._guess(line)

    def _opens(self, line: str, fence: re.Match[str]) -> bool:
        return "`" not in line[fence.end("marks") :] and self.kind not in ("string", "block comment")

    def _at_fence(self, line: str, fence: re.Match[str]) -> None:
        if not self._fence:
            tag = fence["tag"].lower()
            self._fence, self._guesses = fence["marks"], not tag
            self._begin(self._family_of(tag))
            self._may_open = not tag
        elif fence["marks"].startswith(self._fence) and not line[fence.end("marks") :].strip():
            self._fence, self._guesses = "", False
            self._begin(None)

    def _family_of(self, tag: str) -> Family | None:
        family = FENCES.get(tag)
        return None if self.only_json and family is not JSON else family

    def _guess(self, line: str) -> None:
        if self.only_json:
            return
        if SKIPPED.match(line) is not None:
            return
        self._guesses = False
        found = next((family for family, opening in OPENINGS if opening.match(line)), None)
        if found is not None:
            self._begin(found)
            for char in line + "\n":
                self._read(char, found)

    def _begin(self, family: Family | None) -> None:
        self.family, self.frames = family, [Frame("code")]
        self.escape = self.word = self._before = self._mark = ""
        self._open = 0

    # Characters

    def _read(self, char: str, family: Family) -> None:
        frame = self.frame
        match frame.kind:
            case "string":
                self._in_string(char, frame, family)
            case "line comment":
                if char == "\n":
                    self.frames.pop()
            case "block comment":
                if char == "/" and frame.run:
                    self.frames.pop()
                frame.run = char == "*"
            case "regex":
                self._in_regex(char, frame)
            case _:
                self._in_code(char, frame, family)

    def _in_code(self, char: str, frame: Frame, family: Family) -> None:
        if self._mark == "/":
            self._mark = ""
            if char == "/":
                self.frames.append(Frame("line comment"))
                return
            if char == "*":
                self.frames.append(Frame("block comment"))
                return
            if self._may_be_regex(family):
                self.frames.append(Frame("regex"))
                self._in_regex(char, self.frame)
                return
            self._before = "/"
        word, self.word = self.word, ""
        if char == "/" and family.has_blocks:
            self._mark = "/"
            return
        if char == family.line:
            self.frames.append(Frame("line comment"))
            return
        if char in family.quotes:
            is_prefix = family is PYTHON and _PREFIX.fullmatch(word) is not None
            prefix = word.lower() if is_prefix else ""
            self.frames.append(Frame("string", char, prefix, opened=int(char in family.triple)))
        elif char == "{":
            frame.depth += 1
        elif char == "}":
            if frame.depth == 0 and len(self.frames) > 1:
                self.frames.pop()
                return
            frame.depth = max(0, frame.depth - 1)
        elif char.isalnum() or char == "_" or (family is JSON and char in "+-."):
            self.word = (word + char)[:_MOST_WORD]
        if not char.isspace():
            self._before = char
        if family is JSON and char in "{}[]":
            self._count_brackets(char)

    def _may_be_regex(self, family: Family) -> bool:
        return family.template and (not self._before or self._before in _BEFORE_REGEX)

    def _in_string(self, char: str, frame: Frame, family: Family) -> None:
        if frame.opened and self._opens_string(char, frame, family):
            return
        if self.escape:
            self._in_escape(char, frame)
            return
        if self._mark and self._opens_code(char, family):
            return
        if char == "\\" and not (frame.quote == "`" and not family.template):
            self.escape, frame.run = "\\", 0
        elif char == frame.quote[0]:
            frame.run += 1
            if frame.run == len(frame.quote):
                self._close()
        elif char == "\n" and not frame.is_long:
            self._close()
        else:
            frame.run = 0
            if (char == "{" and "f" in frame.prefix) or (char == "$" and frame.quote == "`" and family.template):
                self._mark = char

    def _opens_string(self, char: str, frame: Frame, family: Family) -> bool:
        """Says whether a character is one of the quotes at a string's beginning, or follows an empty string."""
        if char == frame.quote and frame.opened == 2:
            frame.quote, frame.opened = char * 3, 0
            return True
        if char == frame.quote:
            frame.opened = 2
            return True
        if frame.opened == 2:  # an empty string has ended
            self._close()
            self._in_code(char, self.frame, family)
            return True
        frame.opened = 0
        return False

    def _in_escape(self, char: str, frame: Frame) -> None:
        self.escape += char
        if frame.is_raw or _ESCAPE.fullmatch(self.escape) is None:
            complete, self.escape = self.escape, ""
            if len(complete) > 2 and char == frame.quote[0]:  # the escape was broken off
                self._close()

    def _opens_code(self, char: str, family: Family) -> bool:
        """Says whether a character is part of a brace that begins code in the string, or of a doubled brace."""
        mark, self._mark = self._mark, ""
        if (mark == "$" and char == "{") or (mark == "{" and char != "{"):
            self.frames.append(Frame("code"))
            if mark == "{":
                self._in_code(char, self.frame, family)
            return True
        return mark == "{"

    def _close(self) -> None:
        self._before = self.frames.pop().quote[0]
        self.word = ""

    def _in_regex(self, char: str, frame: Frame) -> None:
        """Reads a character of a regular expression. `run` is 1 behind a backslash, `depth` is 1 inside a class."""
        if char == "\n" or (char == "/" and not frame.run and not frame.depth):
            self.frames.pop()
            self._before = ")"
        elif frame.run:
            frame.run = 0
        elif char == "\\":
            frame.run = 1
        elif char in "[]":
            frame.depth = int(char == "[")
