"""Find recorded values that are told letter by letter, with words, marks and counters between the letters.

    Bravo Romeo Victor Kilo 8 ...    B as in Bravo, R as in Romeo ...    char 0 is B, char 1 is R ...    O t t i l i e

Each letter or digit is a word of its own, or the word of the alphabet on the radio or the digit that stands for it. Up
to three other words may stand between two of them (up to eight, if they are always the same), and up to five counters
and single letters. Tags are no words. What is found begins with the fourth, as the first three may have left before
anything tells that they begin a value.

In a row of words with capitals each stands for its first letter (`initial_of`), as in the alphabets of any country.
"""

from __future__ import annotations

import copy
import re
from collections import deque
from collections.abc import Callable, Iterator
from typing import NamedTuple

from reticent_detectors.finder.match_ends import NONE, OPEN
from reticent_detectors.finder.recorded_lookup import BEGINNING_CHARS, Hit, Known, Records
from reticent_detectors.finder.recorded_pieces import last_word
from reticent_detectors.finder.recorded_spelled import digits_of
from reticent_detectors.finder.recorded_words import word_form

_WORD = re.compile(r"</?[A-Za-z][^<>]{0,100}>|[^\W_]+")
_TAG_BEFORE = re.compile(r"</?\Z")
_LONGEST_TAG = 100
_MOST_OTHERS, _MOST_SAME, _LONGEST, _WINDOW = 3, 8, 24, 256
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
    gap: str = ""
    """What stands between them."""
    before: str = ""
    """The last letter of the other word before it: what is told may begin directly after a word."""


class RecordedLetters:
    """Find recorded values by their single letters and digits.

    Args:
        records: say which values are recorded.
        form_of: returns the letter or digit for which a word stands.
        most_others: how many other words may stand between two letters.
    """

    def __init__(
        self, records: Records, form_of: Callable[[str], str] | None = None, most_others: int = _MOST_SAME
    ) -> None:
        self._records, self._form_of, self._most_others = records, form_of or letter_of, most_others
        self._sizes = frozenset((*records.run_sizes, *records.letter_sizes, *records.digit_counts))
        self._most = max(self._sizes, default=0)
        self._may_begin, self._letters_begin = Known(records.may_begin), Known(records.letters_begin)

    def __repr__(self) -> str:
        return "RecordedLetters()"

    def reading(self) -> LettersReading:
        """Begin to read a text."""
        return LettersReading(0, "", self._form_of, self._most_others)

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
        reading, number = LettersReading(fourth.end, fourth.form, self._form_of, self._most_others), 0
        gap = fourth.gap if stride == 1 else ""
        while len(form) < self._most:
            letter = reading.next_letter(text, closed)
            if letter.others > _MOST_OTHERS and (not gap or (letter.end != OPEN and letter.gap != gap)):
                break
            if letter.end == OPEN:
                return best if closed else ("", OPEN)
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
    return all(each.others <= _MOST_OTHERS or each.gap == letters[-1].gap != "" for each in letters)


class LettersReading:
    """The letters of a growing text, one after the other.

    Attributes:
        at: how far the text is read.
        last: the last letters.
        waiting: the letter at which a value may begin that more text may complete.
        found: the last value that was found.
    """

    def __init__(self, at: int, form: str, form_of: Callable[[str], str], most_others: int) -> None:
        self._form_of, self._most_others = form_of, most_others
        self.restart(at)
        self._form = form

    def restart(self, at: int) -> None:
        """Forget what was read, and goes on at a place."""
        self.at, self._last_end, self._form, self._before, self._others = at, at, "", "", 0
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
            if not closed and (end == len(text) or _is_open_tag(text, p)):
                return _Letter(p, OPEN, "", self._others)
            self.at = end
            if text[p] == "<":
                continue
            word, others, before = match[0], self._others, self._before
            form = self._form_of(word) if end - p <= _LONGEST else ""
            if form and not (others and len(word) > 1 and word.isalpha() and self._form in (form, word_form(word[0]))):
                gap, self._last_end = text[self._last_end : p] if others else "", end
                self._form, self._others, self._before = form, 0, ""
                return _Letter(p, end, form, others, gap, before)
            self._others, self._before = others + 1, word_form(word[-1])
            if others >= self._most_others:
                self._form, self._others, self._last_end = "", 0, end
                return _Letter(p, end, "", _MOST_SAME + 1)
        return _Letter(len(text), OPEN, "", self._others)


def _is_open_tag(text: str, p: int) -> bool:
    """Tell whether a tag begins before p, and the text ends before it does."""
    return (
        len(text) - p <= _LONGEST_TAG
        and _TAG_BEFORE.search(text, max(0, p - 2), p) is not None
        and text.find(">", p) < 0
        and text.find("<", p) < 0
    )


def letter_of(word: str) -> str:
    """Return the letter or digit for which a word stands, a counter as it is, and "" for another word."""
    if len(word) == 1 or (len(word) <= _LONGEST_COUNTER and word.isdecimal()):
        return word_form(word)
    if word.casefold() in _RADIO:
        return word[0].casefold()
    digits = digits_of(word.casefold())
    return digits if len(digits) == 1 else ""


def initial_of(word: str) -> str:
    """Return the first letter of a word with a capital, single letters and counters as they are; "" for another."""
    if word[0].isupper() and (len(word) == 1 or word[1:].islower()):
        return word_form(word[0])
    return word if len(word) <= _LONGEST_COUNTER and word.isdecimal() else ""
