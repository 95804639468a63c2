"""A value that was judged memorised and must not come out again in this request, in any spelling."""

from __future__ import annotations

import regex

from reticent_detectors.finder.engine.recognizers import NONE, OPEN

SUPPRESSED = "suppressed"
"""Recogniser name of such spans."""
_GAP = r"[^\p{L}\p{N}]{0,3}+"
_ALNUM = regex.compile(r"[\p{L}\p{N}]")
_LEAST = 4
_FRAGMENT_LEAST = 3


class Suppressed:
    """One value, found anywhere; its `repr` does not show it."""

    name = SUPPRESSED

    def __init__(self, entity: str, value: str) -> None:
        self.entity = entity
        letters = _ALNUM.findall(value)
        self._whole = 0 < len(letters) < _LEAST
        if self._whole:
            core = regex.escape(value.strip())
            first, flags = value.strip()[0], regex.V0
        else:
            core = _GAP.join(regex.escape(c) for c in letters) or r"(?!)"
            first, flags = (letters or ["\0"])[0], regex.IGNORECASE
        self._reach = len(value) if self._whole else 4 * len(letters)
        self._first = regex.compile(regex.escape(first), flags)
        before, after = (r"(?<![\p{L}\p{N}])", r"(?![\p{L}\p{N}])") if self._whole else ("", "")
        self._core = regex.compile(before + core, flags)
        self._full = regex.compile(before + core + after, flags)

    def __repr__(self) -> str:
        return f"Suppressed({self.entity})"

    def next_start(self, text: str, p: int) -> int:
        """Gives the next position at which the value could begin; -1 if there is none."""
        match = self._first.search(text, p)
        return match.start() if match else -1

    def at(self, text: str, p: int, closed: bool) -> int:
        """Gives the end of the value at p, NONE, or OPEN while more text could complete it."""
        if not closed and len(text) - p <= self._reach:
            match = self._core.fullmatch(text, p, partial=True)
            if match and (match.partial or self._whole):
                return OPEN
        match = self._full.match(text, p)
        return int(match.end()) if match else NONE

    def could_be_cut_value(self, text: str, p: int) -> bool:
        """Whether the text ends, from p on, with at least 3 letters or digits of the value."""
        if len(text) - p > self._reach or not self._core.fullmatch(text, p, partial=True):
            return False
        return self._whole or len(_ALNUM.findall(text[p:])) >= _FRAGMENT_LEAST
