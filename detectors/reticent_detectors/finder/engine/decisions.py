"""What was decided at the positions of a growing text.

A decision that no more text can change stays. One about the end of a text holds for that very text alone. So no
position is read again where another one looks ahead to it, nor when the next piece comes.
"""

from __future__ import annotations

from typing import Any

Match = tuple[str, int, str]
"""Kind, end and recogniser."""
_LEFT_CHARS = 1024
_MOST_DECISIONS = 4096
_MOST_KEPT = 512


class Decisions:
    """Decisions of one finder about the text of one context, while it only grows."""

    __slots__ = ("_begins", "_kept", "_offset", "_owner", "_seen", "begun", "closed", "final", "read")

    def __init__(self) -> None:
        # `_seen` is the text from `_begins` on: decisions rest on no more of what stands before.
        self._seen, self._begins, self._offset = "", 0, 0
        self._owner: object = None
        self.final = dict[int, Match | None]()
        """The best match at a position, whatever follows."""
        self.closed = dict[int, Match | None]()
        """The same where the text has ended."""
        self.begun = dict[int, Match | None]()
        """Kind, end and recogniser of the value that the end of the text cut short there."""
        self.read = dict[int, Any]()
        """The positions that were read of this very text."""
        self._kept = dict[int, dict[Any, Any]]()

    def kept(self, p: int) -> dict[Any, Any]:
        """Return what is kept of a position while the text grows."""
        return self._kept.setdefault(p, {})

    def follow(self, text: str, p: int, offset: int, owner: object) -> Decisions:
        """Go on with a text from p on: with what is known if it only grew, else anew."""
        seen, begins = self._seen, self._begins
        same = owner is self._owner and offset == self._offset and p >= begins and text.startswith(seen, begins)
        if not same:
            self.final, self._kept = {}, {}
        if not same or len(text) != begins + len(seen):
            self.closed, self.begun, self.read = {}, {}, {}
            if len(self._kept) > _MOST_KEPT:
                self._kept = {at: kept for at, kept in self._kept.items() if at >= p}
        if len(self.final) > _MOST_DECISIONS:
            self.final = {at: match for at, match in self.final.items() if at >= p}
        self._begins = max(0, p - _LEFT_CHARS)
        self._seen = text[self._begins :]
        self._offset, self._owner = offset, owner
        return self
