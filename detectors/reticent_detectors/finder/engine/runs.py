"""Values that stand in a run of their own characters: a word, or groups of digits with spaces between.

A run is decided when it is closed: by the first character that does not belong to it, or by the end of the text.
So the recogniser is exact however a stream is cut, and needs no partial matching.
Its `value` may be any function of a bounded text: a checksum, a library's parser, a linear-time match.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import regex

from reticent_detectors.finder.engine.position import Position
from reticent_detectors.finder.engine.recognizers import NONE, OPEN, may_match

LABEL_CHARS = 96


def _never(text: str) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Run:
    """Recognises a value at the beginning of a run of its own characters.

    Args:
        name: of the recogniser.
        entity: what the value is: one of `Entity`, or a name of your own.
        start_classes: classes of character that it begins with: d(igit), u(pper case), l(ower case), s(ymbol).
        chars: the characters of a run, as the inside of a `regex` set: `\\w.@-`.
        value: the length of the value at the beginning of a closed run of at most `most` characters; 0: there is none.
        most: longest run looked at, in characters; a longer one is cut there.
        label: what must stand directly before the value, within 96 characters, as a pattern without regard to case.
        part: whether a run that the end of the text cut short looks like the beginning of a value.
            Behind a label it always does.
        fallback: whether it is asked only where all others found nothing.
        plain_word_starts: which of these classes may begin a word of letters before a blank or a mark.
        opens: the beginning of every run that can hold a value, as a pattern; no other run is waited for.
    """

    name: str
    entity: str
    start_classes: str
    chars: str = field(repr=False)
    value: Callable[[str], int] = field(repr=False)
    most: int = 64
    label: str = field(default="", repr=False)
    part: Callable[[str], bool] = field(default=_never, repr=False)
    fallback: bool = False
    plain_word_starts: str = "ul"
    opens: str = field(default="", repr=False)
    _run: Any = field(init=False, repr=False, compare=False)
    _label: Any = field(init=False, repr=False, compare=False)
    _opens: Any = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "_run", regex.compile(f"[{self.chars}]{{1,{self.most}}}+"))
        put(self, "_label", regex.compile(f"(?ri)(?:{self.label})") if self.label else None)
        put(self, "_opens", regex.compile(self.opens) if self.opens else None)

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:
        """Gives the end of the value at p, NONE, or OPEN while its run still grows."""
        if self._opens is not None:
            begins = self._opens.match(text, p, partial=not closed)
            if begins is None:
                return NONE
            if begins.partial:
                return OPEN if self._announced(position) else NONE
        run = self._run.match(text, p)
        if run is None or not self._announced(position):
            return NONE
        if run.end() == len(text) and not closed and run.end() - p < self.most:
            return OPEN
        length = self.value(run[0])
        return p + length if length else NONE

    def may_begin_with(self, head: str) -> bool:
        return self._opens is None or may_match(self._opens, head)

    def could_be_cut_value(self, text: str, p: int, position: Position) -> bool:
        """Whether text[p:], which the end of the text cut short, looks like the beginning of a value."""
        run = self._run.match(text, p)
        if run is None or run.end() != len(text) or not self._announced(position):
            return False
        if self._opens is not None and self._opens.match(text, p, partial=True) is None:
            return False
        return self._label is not None or self.part(run[0])

    def _announced(self, position: Position) -> bool:
        return self._label is None or position.ends_with(self._label, LABEL_CHARS)
