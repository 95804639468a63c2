"""A value that was judged memorised and must not come out again in this request, in any spelling."""

from __future__ import annotations

import regex

from reticent_detectors.finder.engine.recognizers import NONE, OPEN

SUPPRESSED = "suppressed"
"""Recogniser name of such spans."""
_GAP = r"[^\p{L}\p{N}]{0,3}+"
_ALNUM = regex.compile(r"[\p{L}\p{N}]")
_FOLLOWING = regex.compile(r"[^\p{L}\p{N}]{0,3}+([\p{L}\p{N}])")
_MOST_REMEMBERED = 1024
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
        self.first = regex.compile(regex.escape(first), flags)
        self.second = None if self._whole or len(letters) < 2 else regex.compile(regex.escape(letters[1]), flags)
        before, after = (r"(?<![\p{L}\p{N}])", r"(?![\p{L}\p{N}])") if self._whole else ("", "")
        self._core = regex.compile(before + core, flags)
        self._full = regex.compile(before + core + after, flags)

    def __repr__(self) -> str:
        return f"Suppressed({self.entity})"

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


class SuppressedValues:
    """All suppressed values of a finder. What a character may begin is remembered, so that many values cost no more."""

    def __init__(self, values: tuple[Suppressed, ...] = ()) -> None:
        self._values = values
        firsts = sorted({(value.first.pattern, value.first.flags & regex.IGNORECASE) for value in values})
        pattern = "|".join(f"(?i:{first})" if any_case else first for first, any_case in firsts)
        self._first = regex.compile(pattern or "(?!)", regex.V0)
        self._begun_by = dict[tuple[str, str], tuple[Suppressed, ...]]()

    def __len__(self) -> int:
        return len(self._values)

    def and_value(self, value: Suppressed) -> SuppressedValues:
        """Gives these values and one more."""
        return SuppressedValues((*self._values, value))

    def next_start(self, text: str, p: int, end: int | None = None) -> int:
        """Gives the next position, before `end`, at which a value could begin; -1 if there is none."""
        match = self._first.search(text, p, len(text) if end is None else end)
        return match.start() if match else -1

    def at(self, text: str, p: int, closed: bool) -> tuple[str, int, str]:
        """Gives kind, end and name of the longest value at p; the end is NONE without one, or OPEN."""
        entity, end, name = "", NONE, ""
        for value in self._begun(text, p):
            found = value.at(text, p, closed)
            if found == OPEN:
                return "", OPEN, ""
            if found > end:
                entity, end, name = value.entity, found, value.name
        return entity, end, name

    def cut_at(self, text: str, p: int) -> Suppressed | None:
        """Gives a value that the end of the text cut short after p; None if there is none."""
        cut = [value for value in self._begun(text, p) if value.could_be_cut_value(text, p)]
        return cut[-1] if cut else None

    def _begun(self, text: str, p: int) -> tuple[Suppressed, ...]:
        """Gives the values that the character at p and the next letter or digit may begin, in their order."""
        following = _FOLLOWING.match(text, p + 1)
        key = text[p], "" if following is None else following[1]
        found = self._begun_by.get(key)
        if found is None:
            if len(self._begun_by) >= _MOST_REMEMBERED:
                self._begun_by.clear()
            found = self._begun_by[key] = tuple(value for value in self._values if _may_begin(value, *key))
        return found


def _may_begin(value: Suppressed, first: str, second: str) -> bool:
    if value.first.match(first) is None:
        return False
    return not second or value.second is None or value.second.match(second) is not None
