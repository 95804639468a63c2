"""Bounds how long a regular expression may take on any text, before it is used.

A matcher that goes back tries a pattern in as many ways as its repetitions leave open: `\\d{1,4}` in 4, a pattern of
two of them in 16, `(\\d{1,4}){3}` in 64. Without a bound a repetition counts as `REACH`, the longest value. So
`(a+)+` has far too many ways, and `[A-Z]{2}-?\\d{4,6}` has 6. That is more than such patterns need where neighbours
have no character in common, and never less.

Only what a form needs is understood: characters, classes, groups, alternatives and repetitions. Looking around,
anchors, backreferences, conditions and recursion are refused.
"""

from __future__ import annotations

import regex

from reticent_detectors.errors import InputError

MOST_WAYS = 10_000
REACH = 160
"""The longest value of a pattern, in characters."""
_REPEAT = regex.compile(r"(?:([*+?])|\{(\d*)(,?)(\d*)\})[?+]?")
_ATOM = regex.compile(
    r"\\[pPN]\{[^}]*\}|\\x[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\[dDwWsStnrfv]|\\[^A-Za-z0-9]"
    r"|\[\^?\]?(?:\\.|[^\]\\])*\]|\((?:\?(?:[ims]+:|:|P?<[A-Za-z_]\w*>))?|[^\\\[()|*+?{}^$]"
)


def check_pattern(pattern: str) -> None:
    """Raises InputError, which says what to do, for a pattern that is none, is not understood, or may take too long."""
    try:
        regex.compile(pattern)
    except regex.error as error:
        raise InputError(f"it is no regular expression ({str(error).partition(' at ')[0]})") from None
    ways = _Reader(pattern).ways()
    if ways > MOST_WAYS:
        raise InputError(
            f"it could be tried in more than {MOST_WAYS} ways on one text, which may take very long. Give each + and * "
            "a bound, such as {1,12}, and repeat no group that holds a repetition or alternatives"
        )
    if regex.fullmatch(pattern, "") is not None:
        raise InputError("it matches the empty text; a value has at least one character")


class _Reader:
    """Reads a pattern from left to right and counts the ways of its parts."""

    def __init__(self, pattern: str) -> None:
        self._pattern, self._at = pattern, 0

    def ways(self) -> int:
        ways = self._alternatives()
        if self._at < len(self._pattern):
            raise self._refused()
        return ways

    def _alternatives(self) -> int:
        most, branches = self._sequence(), 1
        while self._pattern[self._at : self._at + 1] == "|":
            self._at += 1
            most, branches = max(most, self._sequence()), branches + 1
        return _capped(most if branches == 1 else most + branches - 1)

    def _sequence(self) -> int:
        ways = 1
        while self._at < len(self._pattern) and self._pattern[self._at] not in "|)":
            ways = _capped(ways * self._repeated())
        return ways

    def _repeated(self) -> int:
        atom = _ATOM.match(self._pattern, self._at)
        if atom is None:
            raise self._refused()
        self._at, inner = atom.end(), 1
        if atom[0][0] == "(":
            inner = self._alternatives()
            if self._pattern[self._at : self._at + 1] != ")":
                raise self._refused()
            self._at += 1
        times = _REPEAT.match(self._pattern, self._at)
        if times is None:
            return inner
        self._at = times.end()
        if times[1]:
            least, most = {"*": (0, REACH), "+": (1, REACH), "?": (0, 1)}[times[1]]
        else:
            least = int(times[2] or 0)
            most = (int(times[4]) if times[4] else REACH) if times[3] else least
        most = min(most, REACH)
        inner_ways = MOST_WAYS + 1 if inner > 1 and most > 14 else inner**most
        return _capped(max(1, most - least + 1) * inner_ways)

    def _refused(self) -> InputError:
        return InputError(
            f"what stands at its character {self._at + 1} is not allowed in a form: use characters, classes, groups, "
            "alternatives and repetitions; write no look-around, anchor, backreference or flag in the middle. "
            "(?i:...) ignores case"
        )


def _capped(ways: int) -> int:
    return min(ways, MOST_WAYS + 1)
