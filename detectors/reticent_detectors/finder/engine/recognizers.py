"""What can be recognised at a position, and when that is certain.

A recogniser answers `at(text, p, ...)` with the end of its match, with NONE, or with OPEN: more text could still
lengthen or change what matches at p.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder.engine.position import Position
from reticent_detectors.finder.match_ends import NONE as NONE
from reticent_detectors.finder.match_ends import OPEN as OPEN

REACH = 160
"""The longest value of a pattern, in characters."""


class Recognizer(Protocol):
    """Recognises one kind of value in one way.

    Attributes:
        name: its name, in reports.
        entity: the kind; None where the text around the value decides.
        start_classes: classes of character that a value begins with: d(igit), u(pper case), l(ower case), s(ymbol).
        fallback: whether it is asked only where all others found nothing.
        plain_word_starts: which of these classes may begin a word of letters before a blank or a mark.
    """

    @property
    def name(self) -> str: ...
    @property
    def entity(self) -> str | None: ...
    @property
    def start_classes(self) -> str: ...
    @property
    def fallback(self) -> bool: ...
    @property
    def plain_word_starts(self) -> str: ...
    def at(self, text: str, p: int, position: Position, closed: bool, /) -> int:
        """Give the end of the value at p, NONE, or OPEN while more text could still change it."""
        ...

    def could_be_cut_value(self, text: str, p: int, position: Position, /) -> bool:
        """Tell whether text[p:] looks like the beginning of a value that the end of the text cut short."""
        ...


class ByWord(Protocol):
    """Which words a recogniser need not be asked about; optional: see `SpanFinder`."""

    def may_begin(self, word: str, mark: str, led: bool) -> bool:
        """Tell whether a value may begin with a plain word.

        `mark` is the character after it ("" at the end of a complete text); `led`: a word and a blank stand before it.
        """
        ...


class ByHead(Protocol):
    """The same for a number: digits and the two characters after them."""

    def may_begin_with(self, head: str) -> bool:
        """Tell whether a value may begin with these characters, whatever follows."""
        ...


def may_match(pattern: Any, head: str) -> bool:
    """Whether a compiled pattern may match a text that begins with `head`, whatever stands before it and follows.

    A pattern that looks at what stands before it may.
    """
    return _looks_behind(pattern) or pattern.match(head, partial=True) is not None


_LOOKS_BEHIND = regex.compile(r"\(\?<=|(?<!\[)\^|\\[AB]")


@lru_cache(maxsize=1024)
def _looks_behind(pattern: Any) -> bool:
    return _LOOKS_BEHIND.search(pattern.pattern) is not None


@dataclass(frozen=True, slots=True)
class Pattern:
    """Recognises a value by its form, in several words.

    Args:
        name: of the recogniser.
        entity: what the value is.
        start_classes: classes of character that it begins with: d(igit), u(pper case), l(ower case), s(ymbol).
        core: the value, without looking ahead.
        tail: a look-ahead that must hold after it, at most `right` characters far.
        right: how far `tail` looks ahead, in characters.
        start: a look-ahead that must hold at the beginning.
        fragment: what a cut value must look like.
        fallback: whether it is asked only where all others found nothing.
        reach: the longest value, in characters.
        accept: a test of the matched text.
        plain_word_starts: with which of these classes it may begin a word of letters before a blank or a mark.
    """

    name: str
    entity: Entity | None
    start_classes: str
    core: str = field(repr=False)
    tail: str = field(default=r"(?![\p{L}\p{N}_])", repr=False)
    right: int = 1
    start: str = field(default="", repr=False)
    fragment: str = field(default="", repr=False)
    fallback: bool = False
    reach: int = REACH
    accept: Callable[[str], bool] | None = field(default=None, repr=False)
    plain_word_starts: str = "ul"
    _full: Any = field(init=False, repr=False, compare=False)
    _open: Any = field(init=False, repr=False, compare=False)
    _core: Any = field(init=False, repr=False, compare=False)
    _fragment: Any = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "_full", regex.compile(f"{self.start}(?:{self.core}){self.tail}"))
        ahead = rf"[\s\S]{{0,{self.right - 1}}}"
        put(self, "_open", regex.compile(f"(?:{self.core}){ahead}"))
        put(self, "_core", regex.compile(f"{self.start}(?:{self.core})"))
        put(self, "_fragment", regex.compile(self.fragment) if self.fragment else None)

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:
        """Give the end of the value at p, NONE, or OPEN."""
        end = p + self.reach + self.right
        if not closed and len(text) < end and self._open.fullmatch(text, p, partial=True):
            return OPEN
        match = self._full.match(text, p, min(end, len(text)))
        if match is None or (self.accept is not None and not self.accept(match[0])):
            return NONE
        return int(match.end())

    def may_begin(self, word: str, mark: str, led: bool) -> bool:
        return "(?<=" in self.core or self._open.match(word + mark, partial=True) is not None

    def may_begin_with(self, head: str) -> bool:
        return may_match(self._open, head)

    def could_be_begun(self, text: str, p: int) -> bool:
        """Tell whether text[p:] is a value, or may be the beginning of one."""
        return bool(self._core.fullmatch(text, p, partial=True))

    def could_be_cut_value(self, text: str, p: int, position: Position) -> bool:
        tail = text[p:]
        if len(tail) > self.reach or not self._core.fullmatch(text, p, partial=True):
            return False
        return self._fragment is not None and bool(self._fragment.match(text, p))
