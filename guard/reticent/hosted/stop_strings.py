"""Ends a text at the stop text that is first complete in it, however the text comes in pieces."""

from __future__ import annotations

from collections.abc import Sequence


class StopStrings:
    """Returns the text before the first complete stop text, and holds back the possible beginning of one.

    Args:
        stops: the stop texts, none of them empty.
    """

    def __init__(self, stops: Sequence[str]) -> None:
        self._stops = tuple(stops)
        self._held = ""
        self.met = False
        """Says whether a stop text came, behind which nothing is given back."""

    def __repr__(self) -> str:
        return f"StopStrings({len(self._stops)} stops, met={self.met})"

    def feed(self, text: str) -> str:
        """Takes text. Returns what may be shown now."""
        if self.met:
            return ""
        text = self._held + text
        found = [(place + len(stop), place) for stop in self._stops if (place := text.find(stop)) >= 0]
        if found:
            self.met, self._held = True, ""
            return text[: min(found)[1]]
        keep = max((_prefix_length(text, stop) for stop in self._stops), default=0)
        self._held = text[len(text) - keep :]
        return text[: len(text) - keep]

    def finish(self) -> str:
        """Gives what was held back, as no more comes."""
        held, self._held = self._held, ""
        return held


def _prefix_length(text: str, stop: str) -> int:
    """Counts the characters at the end of a text that begin a stop text."""
    return next((n for n in range(min(len(stop) - 1, len(text)), 0, -1) if text.endswith(stop[:n])), 0)
