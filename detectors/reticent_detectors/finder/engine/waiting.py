"""What is kept of a position at which the scan waits for more text.

The next call goes on from there.
What was read to the left of a position stays read (what was decided: `engine.decisions`).
The recogniser that answered OPEN is asked first the next time. While it answers OPEN again, no other is asked.
"""

from __future__ import annotations

from typing import Any

from reticent_detectors.finder.context.position import Position
from reticent_detectors.finder.engine.recognizers import Recognizer

_LEFT_CHARS = 1024
_MOST_CHARS = 8192


class Waiting:
    """One position, of the text of one context; a new text or position begins anew."""

    __slots__ = ("_begins", "_left", "_offset", "_owner", "_seen", "opened_by", "p", "position")

    def __init__(self) -> None:
        self._seen, self._begins, self._offset = "", 0, 0
        self._owner: object = None
        """What decides: recognisers and their check."""
        self._left: dict[str, Any] = {}
        self.begin(-1)

    def begin(self, p: int) -> None:
        """Forgets what is known, and goes on with the position p."""
        self.p = p
        self.position: Position | None = None
        self.opened_by: Recognizer | None = None

    def resume(self, text: str, p: int, offset: int, owner: object) -> None:
        """Goes on with p: with what is known, if the text goes on from where it ended, else anew."""
        same = p == self.p and offset == self._offset and owner is self._owner and bool(self._seen)
        if not (same and text.startswith(self._seen, self._begins)):
            self.begin(p)
            self._left = {}
        self._seen = ""

    def take(self, position: Position) -> Waiting:
        """Gives the position what was read to the left of it."""
        if self._left:
            position.take_left(self._left)
        self.position = position
        return self

    def keep(self, text: str, offset: int, owner: object) -> None:
        """Keeps what is known of the position until the text has grown."""
        if self.position is not None:
            self._left = self.position.left()
            self.position = None
        self._begins = max(0, self.p - _LEFT_CHARS)
        # The end alone: all of a stream would be copied at each token.
        self._seen = text[self._begins :] if len(text) - self._begins <= _MOST_CHARS else ""
        self._offset, self._owner = offset, owner
