"""The tags of a growing text, word by word, and the values that they make."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from unicodedata import decimal

from reticent_detectors.finder.engine.recognizers import NONE, OPEN
from reticent_detectors.finder.tagger.network import Floats, TagNetwork, TagState
from reticent_detectors.finder.tagger.words import WORD

MOST_WORDS = 24
"""Words of a value at most; a longer one is cut there."""
_SAME = 4_096
"""Characters at the end of what was read that must be the same the next time."""


@dataclass
class TagReading:
    """The words of one text so far, each with its tag; offsets are in characters of the text.

    Args:
        network: what tags.
        before: what the same answer said before the text.
    """

    network: TagNetwork
    before: str = field(default="", repr=False)
    starts: list[int] = field(default_factory=list, init=False, repr=False)
    ends: list[int] = field(default_factory=list, init=False, repr=False)
    tags: list[int] = field(default_factory=list, init=False, repr=False)
    """Tags of words whose next one is known: 0 for no value; 1 + 2k for kind k's first word, 2 + 2k for its others."""
    _state: TagState | None = field(default=None, init=False, repr=False)
    _read_last: str = field(default="", init=False, repr=False)
    """The end of what was read; another text in its place is read from the beginning."""
    _from: int = field(default=0, init=False, repr=False)
    """Where that begins."""
    _ended: tuple[str, TagReading] | None = field(default=None, init=False, repr=False)
    """A text that has ended, and its reading. It may go on all the same, as it does between two values at the end."""

    def value_at(self, text: str, p: int, closed: bool) -> tuple[str, int]:
        """Return the kind and the end of a value at p; NONE if there is none, OPEN if more text could decide.

        A place within a value counts as its beginning, for the caller has passed over the words before it.
        """
        before = len(self.before)
        whole = self.before + text if before else text
        if closed:
            return self.ended(whole)._value(p + before, True, before)
        self._read(whole)
        return self._value(p + before, False, before)

    def ended(self, text: str) -> TagReading:
        """Return the reading of a text that has ended, what the answer said before it included."""
        if self._ended is None or self._ended[0] != text:
            self._read(text)
            self._ended = text, self._end(text)
        return self._ended[1]

    def _value(self, p: int, closed: bool, before: int) -> tuple[str, int]:
        i = bisect_right(self.starts, p) - 1
        if i < 0 or self.starts[i] != p:
            return "", NONE if closed or (self.ends and p < self.ends[-1]) else OPEN
        if i >= len(self.tags):
            return "", NONE if closed else OPEN
        kind, last = (self.tags[i] - 1) // 2, i
        if self.tags[i] == 0 or not self.network.kinds[kind]:
            return "", NONE
        while last - i < MOST_WORDS:
            if last + 1 >= len(self.tags):
                if not closed:
                    return "", OPEN
                break
            if self.tags[last + 1] != 2 + 2 * kind:
                break
            last += 1
        return self.network.kinds[kind], self.ends[last] - before

    def _read(self, text: str) -> None:
        """Read on to the last word that is whole."""
        at = self.ends[-1] if self.ends else 0
        if self._state is None or not text.startswith(self._read_last, self._from):
            self.starts, self.ends, self.tags = [], [], []
            self._state, at = self.network.begin(), 0
        for match in WORD.finditer(text, at):
            if _may_grow(text, match.end()):
                break
            self._take_word(self._state, match)
        read = self.ends[-1] if self.ends else 0
        self._from = max(0, read - _SAME)
        self._read_last = text[self._from : read + 1]  # and what ends the last word

    def _end(self, text: str) -> TagReading:
        """Give the reading of the same text, which has ended."""
        assert self._state is not None
        ended = TagReading(self.network)
        ended.starts, ended.ends, ended.tags = self.starts[:], self.ends[:], self.tags[:]
        state = self._state.copy()
        for match in WORD.finditer(text, ended.ends[-1] if ended.ends else 0):
            ended._take_word(state, match)
        ended._take(state.end() if ended.starts else None)
        return ended

    def _take_word(self, state: TagState, match: re.Match[str]) -> None:
        start = match.start()
        self._take(state.read(match[0], match.string[start - 1 : start] == " "))
        self.starts.append(start)
        self.ends.append(match.end())

    def _take(self, logits: Floats | None) -> None:
        if logits is not None:
            self.tags.append(int(logits.argmax()))


def _may_grow(text: str, end: int) -> bool:
    """Tell whether more text could still lengthen a word that ends there."""
    return end == len(text) or (end + 1 == len(text) and text[end] in "'’-")


_LEAST_CHARS = {
    "PHONE_NUMBER": 3,
    "ORDER_NUMBER": 3,
    "MEDICAL_RECORD_NUMBER": 3,
    "BANK_ACCOUNT": 4,
    "TAX_ID": 4,
    "NATIONAL_ID": 4,
}
"""Letters and digits that a value of the kind has at least; a telephone number has so many digits."""


_SHORT_NUMBERS = frozenset(["000", "911", "988", "997", "998", "999"])
"""Telephone numbers of three digits, beside those that begin with 1."""


_CELL = re.compile(r"[^\W_][,;|\t]$")
_HEX = re.compile(r"[0-9A-Fa-f]{2}(?: [0-9A-Fa-f]{2})+")
_INTO = re.compile(r"[^\W_][-.–/:=+#,@\\]?$|_$")
_LED = re.compile(r"(?:^|[\s(\[\"'“‘«*_])[^\W\d_]{2,}[\"'”’»)*_`]{0,2}(?:[:#=.,]|[ \t]?№)?[\s(\"'“‘«*_`#]{1,3}$")
_NUMBER = re.compile(r"[^\W_]?\d")


def is_piece(kind: str, text: str, p: int) -> bool:
    """Tell whether the text at p is a part of a longer token, or a number to which no word leads.

    "306" of "0-306-40615", a number in a row of numbers or in a sum. A value of another kind that begins with a number
    is a piece within a token, too, and so is what stands in a cell without a blank.
    """
    before = text[max(0, p - 2) : p]
    if _CELL.match(before) or (_INTO.search(before) and _NUMBER.match(text, p)):
        return True
    return kind in _LEAST_CHARS and _LED.search(text, max(0, p - 40), p) is None


def may_be(kind: str, value: str) -> bool:
    """Tell whether a value of this kind may look so.

    A number has digits. A lone number of one or two is no date, and zero is no amount. A flight has a number or a day,
    so a town is none.
    """
    letters, digits = sum(char.isalpha() for char in value), sum(char.isdecimal() for char in value)
    if kind in _LEAST_CHARS and (digits < 2 or _HEX.fullmatch(value) is not None):
        return False
    if kind == "PHONE_NUMBER" and digits == 3:
        return value.strip("()") in _SHORT_NUMBERS or value[:1] == "1"
    if (least := _LEAST_CHARS.get(kind)) is not None:
        return digits + (0 if kind == "PHONE_NUMBER" else letters) >= least
    if kind in ("APPOINTMENT_DATE", "DATE_OF_BIRTH"):
        return letters > 0 or digits > 2 or (digits > 0 and not value.isdecimal())
    if kind == "ADDRESS":
        return digits > 0 or " " in value.strip()
    if kind == "FLIGHT":
        return letters > 0 and digits > 0
    if kind in ("TRANSACTION_AMOUNT", "UTILITY_BILL"):
        return letters > 0 or (any(decimal(char, 0) for char in value) and (digits > 1 or not value.isdecimal()))
    return letters > 0 or digits > 2
