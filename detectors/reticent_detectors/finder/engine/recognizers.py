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
from reticent_detectors.finder.context import stop_words
from reticent_detectors.finder.context.announcements import Strength
from reticent_detectors.finder.context.position import Position
from reticent_detectors.finder.match_ends import NONE as NONE
from reticent_detectors.finder.match_ends import OPEN as OPEN
from reticent_detectors.old_names import OldName, old_arguments

REACH = 160
"""The longest value of a pattern, in characters."""
OLD_NAMES = {
    "first": "start_classes",
    "loose": "fallback",
    "plain": "plain_word_starts",
    "begins": "could_be_cut_value",
}
"""The new name of each old one of a `Recognizer`; the old ones go with the next version."""


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
        """Gives the end of the value at p, NONE, or OPEN while more text could still change it."""
        ...

    def could_be_cut_value(self, text: str, p: int, position: Position, /) -> bool:
        """Says whether text[p:] looks like the beginning of a value that the end of the text cut short."""
        ...


class ByWord(Protocol):
    """Which words a recogniser need not be asked about; optional: see `SpanFinder`."""

    def may_begin(self, word: str, mark: str, led: bool) -> bool:
        """Whether a value may begin with a plain word, where the words before it do not announce its kind.

        `mark` is the character behind it ("" at the end of a complete text); `led`: a word and a blank stand before it.
        """
        ...


class ByLead(Protocol):
    """The same for the word before."""

    def may_follow(self, before: str) -> bool:
        """Whether an unannounced value may begin behind this word (in small letters) and a blank."""
        ...


class ByHead(Protocol):
    """The same for a number: digits and the two characters behind them."""

    def may_begin_with(self, head: str) -> bool:
        """Whether a value may begin with these characters, whatever follows, where its kind is not announced."""
        ...


class ByRun(Protocol):
    """What its values are made of; optional: see `engine.reaching`."""

    @property
    def value_run(self) -> str:
        """A set of characters and how many of them at most, as a pattern without its end: every value is such a run."""
        ...


class ByAnnouncement(Protocol):
    """Which announcements a recogniser needs; optional: see `engine.dispatch`."""

    @property
    def needs_announcement(self) -> bool:
        """Whether it finds nothing where no kind of value is announced."""
        ...

    @property
    def announced_kinds(self) -> frozenset[Entity]:
        """The kinds of which it needs one announced, unless its words alone decide."""
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


@old_arguments(**OLD_NAMES, cued="needs_announcement", also="kind_lookahead")
@dataclass(frozen=True, slots=True)
class Pattern:
    """Recognises a value by its form, in several words.

    Args:
        name: of the recogniser.
        entity: what the value is; None where the text around it decides.
        start_classes: classes of character that it begins with: d(igit), u(pper case), l(ower case), s(ymbol).
        core: the value, without looking ahead.
        tail: a look-ahead that must hold behind it, at most `right` characters far.
        right: how far `tail` looks ahead, in characters.
        kind_lookahead: text behind the value that decides its kind; while it may still match, the answer is OPEN.
        start: a look-ahead that must hold at the beginning.
        fragment: what a cut value must look like if nothing announces it, or only a small word does.
        needs_announcement: whether to match only where the kind is announced.
        fallback: whether it is asked only where all others found nothing.
        reach: the longest value, in characters.
        kinds: kinds whose announcement counts; by default `entity`.
        accept: a test of the matched text.
        plain_word_starts: with which of these classes it may begin a word of letters before a blank or a mark.
    """

    name: str
    entity: Entity | None
    start_classes: str
    core: str = field(repr=False)
    tail: str = field(default=r"(?![\p{L}\p{N}_])", repr=False)
    right: int = 1
    kind_lookahead: str = field(default="", repr=False)
    start: str = field(default="", repr=False)
    fragment: str = field(default="", repr=False)
    needs_announcement: bool = False
    fallback: bool = False
    reach: int = REACH
    kinds: frozenset[Entity] = frozenset()
    accept: Callable[[str], bool] | None = field(default=None, repr=False)
    plain_word_starts: str = "ul"
    _full: Any = field(init=False, repr=False, compare=False)
    _open: Any = field(init=False, repr=False, compare=False)
    _core: Any = field(init=False, repr=False, compare=False)
    _fragment: Any = field(init=False, repr=False, compare=False)
    first, loose, plain = OldName("start_classes"), OldName("fallback"), OldName("plain_word_starts")
    cued, also = OldName("needs_announcement"), OldName("kind_lookahead")
    begins = OldName("could_be_cut_value")

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "_full", regex.compile(f"{self.start}(?:{self.core}){self.tail}"))
        ahead = rf"(?:[\s\S]{{0,{self.right - 1}}}{'|' + self.kind_lookahead if self.kind_lookahead else ''})"
        put(self, "_open", regex.compile(f"(?:{self.core}){ahead}"))
        put(self, "_core", regex.compile(f"{self.start}(?:{self.core})"))
        put(self, "_fragment", regex.compile(self.fragment) if self.fragment else None)
        if self.entity is not None and not self.kinds:
            put(self, "kinds", frozenset({self.entity}))

    @property
    def announced_kinds(self) -> frozenset[Entity]:
        return self.kinds if self.needs_announcement else frozenset()

    @property
    def value_run(self) -> str:
        return rf"[\s\S]{{1,{self.reach + self.right}}}"

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:
        found = self.match(text, p, closed)
        # The form is cheaper to test than the words before it.
        return NONE if found and self.needs_announcement and self.kinds.isdisjoint(position.kinds) else found

    def match(self, text: str, p: int, closed: bool) -> int:
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
        """Says whether text[p:] is a value, or may be the beginning of one."""
        return bool(self._core.fullmatch(text, p, partial=True))

    def could_be_cut_value(self, text: str, p: int, position: Position) -> bool:
        tail = text[p:]
        if len(tail) > self.reach or not self._core.fullmatch(text, p, partial=True):
            return False
        announced = [found for kind in self.kinds if (found := position.announced.get(kind)) is not None]
        strength = max((found.strength for found in announced), default=None)
        if announced and all(found.bare for found in announced):
            return self._fragment is not None and bool(self._fragment.match(text, p))
        if strength is not None:
            sure = strength > Strength.ASKED or position.leads or not tail.isalpha()
            enough = len(tail) >= 2 or not tail.isalpha()
            return sure and enough and tail.split()[0].casefold().rstrip(".,;:!?") not in stop_words.NO_START
        return not self.needs_announcement and self._fragment is not None and bool(self._fragment.match(text, p))


@dataclass(frozen=True, slots=True)
class AroundPattern:
    """A recogniser that takes name, kind and first characters from a pattern, and decides more than the pattern does.

    Args:
        inner: the pattern.
    """

    inner: Pattern

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def entity(self) -> Entity | None:
        return self.inner.entity

    @property
    def start_classes(self) -> str:
        return self.inner.start_classes
