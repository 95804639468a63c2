"""A pattern at one place of a text that goes on: where its value ends, however the text was cut into pieces."""

from __future__ import annotations

from typing import Any

import regex

from reticent_detectors.finder.match_ends import NONE, OPEN


class Anchored:
    """A pattern that is decided when `slack` characters stand after its match, or `reach` characters after its start.

    Each optional part of the pattern is at most `slack` characters long, so that no later text lengthens a match. Where
    what stands after a match cannot begin `more`, nothing can lengthen it, and it is decided at once.
    """

    def __init__(self, pattern: str, slack: int = 24, reach: int = 96, more: str = "") -> None:
        self._pattern, self._slack, self._reach = regex.compile(pattern), slack, reach
        self._more = regex.compile(more) if more else None

    def end(self, text: str, p: int, closed: bool) -> int:
        """Return where the value at p ends, NONE, or OPEN."""
        limit = p + self._reach
        whole = closed or len(text) >= limit
        match = self._pattern.match(text, p, limit, partial=not whole)
        if match is None:
            return NONE
        if whole:
            return int(match.end())
        if match.partial:
            return OPEN
        end = int(match.end())
        if end + self._slack <= len(text):
            return end
        if self._more is None or end == len(text) or self._more.match(text, end, partial=True) is not None:
            return OPEN
        return end


_SENTENCE_END = regex.compile(r"[.;!?](?=\s|\Z)|[\n|]")


def followed_by(words: Any, text: str, end: int, chars: int, closed: bool) -> int:
    """Return `end` if the sentence goes on with one of these words within so many characters, NONE, or OPEN."""
    tail = text[end : end + chars]
    stop = _SENTENCE_END.search(tail)
    whole = closed or len(tail) == chars or (stop is not None and stop.end() < len(tail))
    found = words.search(tail[: stop.start()] if stop else tail)
    if found is not None and (whole or found.end() < len(tail)):
        return end
    return NONE if whole else OPEN
