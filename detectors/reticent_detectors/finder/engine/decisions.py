"""What was decided at the positions of a growing text.

A decision that no more text can change stays. One about the end of a text holds for that very text alone. So no
position is read again where another one looks ahead to it, nor when the next piece comes.
"""

from __future__ import annotations

from typing import Any

from reticent_detectors.finder.context.position import Position

Match = tuple[str, int, str]
"""Kind, end and recogniser."""
_LEFT_CHARS = 1024
_MOST_DECISIONS = 4096
_MOST_POSITIONS = 512


class Decisions:
    """Decisions of one finder about the text of one context, while it only grows."""

    __slots__ = ("_begins", "_left", "_offset", "_owner", "_read", "_seen", "begun", "closed", "final")

    def __init__(self) -> None:
        # `_seen` is the text from `_begins` on: decisions rest on no more of what stands before.
        self._seen, self._begins, self._offset = "", 0, 0
        self._owner: object = None
        self.final = dict[int, Match | None]()
        """The best match at a position, whatever follows."""
        self.closed = dict[int, Match | None]()
        """The same where the text has ended."""
        self.begun = dict[int, tuple[str, str] | None]()
        """Kind and recogniser of the value that the end of the text cut short there."""
        self._read = dict[int, Position]()
        self._left = dict[int, dict[str, Any]]()

    def at(self, position: Position, p: int) -> Position:
        """Gives the position p what was read to the left of it."""
        before = self._read.get(p)
        left = self._left.get(p) if before is None else before.left()
        if left:
            position.take_left(left)
        self._read[p] = position
        return position

    def follow(self, text: str, p: int, offset: int, owner: object) -> Decisions:
        """Goes on with a text from p on: with what is known if it only grew, else anew."""
        seen, begins = self._seen, self._begins
        same = owner is self._owner and offset == self._offset and p >= begins and text.startswith(seen, begins)
        if not same:
            self.final, self._read, self._left = {}, {}, {}
        if not same or len(text) != begins + len(seen):
            self.closed, self.begun = {}, {}
            # A position holds its text: only what was read is kept when the text grows.
            self._left.update((at, position.left()) for at, position in self._read.items() if at not in self.final)
            self._read = {}
            if len(self._left) > _MOST_POSITIONS:
                self._left = {}
        if len(self.final) > _MOST_DECISIONS:
            self.final = {at: match for at, match in self.final.items() if at >= p}
        self._begins = max(0, p - _LEFT_CHARS)
        self._seen = text[self._begins :]
        self._offset, self._owner = offset, owner
        return self
