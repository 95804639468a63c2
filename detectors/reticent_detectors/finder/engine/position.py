"""One position of a text, as recognisers are shown it: what stands before it, and what the user asked for."""

from __future__ import annotations

from typing import Any

from reticent_detectors.finder.forms import Asked

LEFT_CHARS = 160
"""How much of the text before a position is read, in characters."""
NOTHING_ASKED = Asked()


class Position:
    """The position `p` of `text`.

    Attributes:
        asked: what the user asked for.
        kept: what was read here that more text does not change; it is kept while the text grows.
        read: what was read here of this very text.
        turn: where the model's turn begins, in characters of `text`; it may be negative.
    """

    __slots__ = ("__weakref__", "asked", "kept", "p", "read", "text", "turn")

    def __init__(
        self, text: str, p: int, asked: Asked = NOTHING_ASKED, kept: dict[Any, Any] | None = None, turn: int = 0
    ) -> None:
        self.text, self.p, self.asked, self.turn = text, p, asked, turn
        self.kept: dict[Any, Any] = {} if kept is None else kept
        self.read: dict[str, Any] = {}

    def __repr__(self) -> str:
        return f"Position({self.p} of <{len(self.text)} chars>)"

    @property
    def is_led(self) -> bool:
        """Tell whether a letter and a blank stand before."""
        p = self.p
        return p > 1 and self.text[p - 1] == " " and self.text[p - 2].isalpha()

    def ends_with(self, pattern: Any, chars: int) -> bool:
        """Tell whether the last so many characters before match a pattern that is read from the right."""
        key = pattern, chars
        if key not in self.kept:
            self.kept[key] = pattern.match(self.text[max(0, self.p - chars) : self.p]) is not None
        return bool(self.kept[key])
