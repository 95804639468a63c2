"""Find recorded values that are told letter by letter, with words, marks and counters between the letters.

    Bravo Romeo Victor Kilo 8 ...    B as in Bravo, R as in Romeo ...    char 0 is B, char 1 is R ...    O t t i l i e

Each letter or digit is a word of its own, or the word of the alphabet on the radio or the digit that stands for it. Up
to three other words may stand between two of them, and up to five counters and single letters. What is found begins
with the fourth, as the first three may have left before anything tells that they begin a value.
"""

from __future__ import annotations

import copy
import re
from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from reticent_detectors.finder.match_ends import NONE, OPEN
from reticent_detectors.finder.recorded_lookup import BEGINNING_CHARS, Hit, Known, Records
from reticent_detectors.finder.recorded_pieces import last_word
from reticent_detectors.finder.recorded_spelled import digits_of
from reticent_detectors.finder.recorded_words import word_form

_WORD = re.compile(r"[^\W_]+")
_MOST_OTHERS, _LONGEST, _WINDOW = 3, 24, 256
_LONGEST_COUNTER = 3
_STRIDES = range(1, 7)
_RADIO = frozenset(
    (
        *(
            "alfa",
            "alpha",
            "bravo",
            "charlie",
            "delta",
            "echo",
            "foxtrot",
            "golf",
            "hotel",
            "india",
            "juliett",
            "juliet",
        ),
        *("kilo", "lima", "mike", "november", "oscar", "papa", "quebec", "romeo", "sierra", "tango", "uniform"),
        *("victor", "whiskey", "whisky", "xray", "yankee", "zulu"),
    )
)


class _Letter(NamedTuple):
    start: int
    end: int
    form: str
    others: int
    """How many other words stand between it and the letter before."""
    before: str = ""
    """The last letter of the other word before it: what is told may begin directly after a word."""


class RecordedLetters:
    """Find recorded values by their single letters and digits."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._sizes = frozenset((*records.run_sizes, *records.letter_sizes, *records.digit_counts))
        self._most = max(self._sizes, default=0)
        self._may_begin, self._letters_begin = Known(records.may_begin), Known(records.letters_begin)

    def __repr__(self) -> str:
        return "RecordedLetters()"

    def reading(self) -> LettersReading:
        """Begin to read a text."""
        return LettersReading(0)

    def found_in(self, text: str) -> Hit | int:
        """Return the first value in a complete text, or how far there is none."""
        return self.scan(text, 0, True, self.reading())

    def scan(self, text: str, start: int, closed: bool, reading: LettersReading) -> Hit | int:
        """Return the next value from the fourth of its letters on, from `start` on, or how far there is none.

        `reading`: what was read of the text so far.
        """
        if not self._sizes:
            return len(text)
        if reading.found is not None and reading.found.start >= start:
            return reading.found
        reading.found = None
        if reading.at < (first := max(0, start - _WINDOW)):
            reading.restart(last_word(text[:first]) if text[first : first + 1].isalnum() else first)
        while True:
            if reading.waiting is None:
                letter = reading.next_letter(text, closed)
                if letter.end == OPEN:
                    return max(start, letter.start)
                reading.last.append(letter)
            else:
                letter, reading.waiting = reading.waiting, None
            kind, end = self._at(text, letter, reading.last, closed) if letter.start >= start else ("", NONE)
            if end == OPEN:
                reading.waiting = letter
                return letter.start
            if end > NONE:
                reading.found = Hit(kind, letter.start, end)
                return reading.found

    def _at(self, text: str, fourth: _Letter, last: deque[_Letter], closed: bool) -> tuple[str, int]:
        """Return the kind and end of a value whose fourth letter is the last that was read."""
        for stride in _STRIDES:
            for form in _beginnings(list(last), stride):
                if self._may_begin(form) or self._letters_begin(form):
                    kind, end = self._rest(text, form, fourth, stride, closed)
                    if end != NONE:
                        return kind, end
        return "", NONE

    def _rest(self, text: str, form: str, fourth: _Letter, stride: int, closed: bool) -> tuple[str, int]:
        """Return the kind and end of the longest value that begins with a form, whose fourth letter is given."""
        best = "", NONE
        reading, number = LettersReading(fourth.end, fourth.form), 0
        while len(form) < self._most:
            letter = reading.next_letter(text, closed)
            if letter.end == OPEN:
                return best if closed else ("", OPEN)
            if letter.others > _MOST_OTHERS:
                break
            number += 1
            if number % stride:
                continue
            form += letter.form
            if len(form) in self._sizes and (kind := self._kind(form)) is not None:
                best = kind, letter.end
        return best

    def _kind(self, form: str) -> str | None:
        records = self._records
        return records.kind_of_run(form) or records.kind_of_letters(form) or records.kind_of_digits(form)


def _beginnings(letters: list[_Letter], stride: int) -> Iterator[str]:
    """Yield the forms of the last letters, each or each second one, with which a value may begin."""
    chosen = letters[-1::-stride][:BEGINNING_CHARS][::-1]
    form = "".join(each.form for each in chosen)
    if len(chosen) == BEGINNING_CHARS and _are_near(letters[-stride * (BEGINNING_CHARS - 1) :]):
        yield form
    rest = letters[1 - BEGINNING_CHARS :]
    if stride == 1 and len(rest) == BEGINNING_CHARS - 1 and rest[0].before and _are_near(rest[1:]):
        yield rest[0].before + "".join(each.form for each in rest)


def _are_near(letters: list[_Letter]) -> bool:
    return all(each.others <= _MOST_OTHERS for each in letters)


class LettersReading:
    """The letters of a growing text, one after the other.

    Attributes:
        at: how far the text is read.
        last: the last letters.
        waiting: the letter at which a value may begin that more text may complete.
        found: the last value that was found.
    """

    def __init__(self, at: int, form: str = "") -> None:
        self.restart(at)
        self._form = form

    def restart(self, at: int) -> None:
        """Forget what was read, and goes on at a place."""
        self.at, self._form, self._before, self._others = at, "", "", 0
        self.last = deque[_Letter](maxlen=_STRIDES[-1] * (BEGINNING_CHARS - 1) + 1)
        self.waiting: _Letter | None = None
        self.found: Hit | None = None

    def copy(self) -> LettersReading:
        """Return a reading that goes on by itself."""
        other = copy.copy(self)
        other.last = copy.copy(self.last)
        return other

    def next_letter(self, text: str, closed: bool) -> _Letter:
        """Return the next letter, or an empty one where too many other words stand before it.

        It ends at OPEN where the text does.
        """
        while (match := _WORD.search(text, self.at)) is not None:
            p, end = match.span()
            if end == len(text) and not closed:
                return _Letter(p, OPEN, "", self._others)
            self.at = end
            word, others, before = match[0], self._others, self._before
            form = _form(word) if end - p <= _LONGEST else ""
            if form and not (others and form == self._form and len(word) > 1 and word.isalpha()):
                self._form, self._others, self._before = form, 0, ""
                return _Letter(p, end, form, others, before)
            self._others, self._before = others + 1, word_form(word[-1])
            if others == _MOST_OTHERS:
                self._form, self._others = "", 0
                return _Letter(p, end, "", others + 1)
        return _Letter(len(text), OPEN, "", self._others)


def _form(word: str) -> str:
    """Return the letter or digit for which a word stands, a counter as it is, and "" for another word."""
    if len(word) == 1 or (len(word) <= _LONGEST_COUNTER and word.isdecimal()):
        return word_form(word)
    digits = digits_of(word.casefold())
    return digits if len(digits) == 1 else word[0].casefold() if word.casefold() in _RADIO else ""
