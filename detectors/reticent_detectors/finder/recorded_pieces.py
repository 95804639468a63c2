"""Find recorded values of letters and digits whose pieces stand apart, with anything between them.

    BRVK notwithstanding 8J4Q and W2       SET part0=kq_7Qf2mZ SET part1=91LxT4v       part 2 is 8J4QW2, part 1 is BRVK

A piece is a row of letters or of digits, or several that nothing but marks parts. Up to `_MOST_BETWEEN` others may
stand between two pieces. What is found is the word that makes the value whole, as the others may have left already.

Pieces must have two letters and digits each on average, and one word of them has to mix letters and digits or have five
digits: "Anna was born in 1990" is no user name.
"""

from __future__ import annotations

import copy
import re
from collections import deque
from typing import NamedTuple

from reticent_detectors.finder.recorded_lookup import LEAST_BEGINNING, Hit, Known, Records

WINDOW = 256
"""How far apart the first and the last piece may begin, in characters."""
_WORD = re.compile(r"[A-Za-z0-9]+")
_TOKEN = re.compile(r"[0-9]+|[A-Z]+|[a-z]+")
_DIGIT = re.compile(r"[0-9]")
_CODE = re.compile(r"[0-9]{5}|[A-Za-z][0-9]|[0-9][A-Za-z]")
_MARKS = re.compile(r"[\W_]{0,8}")
_MOST_BETWEEN, _MOST_BEGUN, _MOST_EARLIER, _LONGEST = 24, 8, 16, 64
_MOST_AFTER_SHORT = 12


class _Begun(NamedTuple):
    """The beginning of a value: its letters and digits, its pieces, and the number of its last token."""

    form: str
    pieces: tuple[tuple[int, int], ...]
    last: int


class RecordedPieces:
    """Find recorded values by their pieces."""

    def __init__(self, records: Records) -> None:
        self._records, self._sizes = records, frozenset(records.run_sizes)
        self._begins = Known(records.run_begins)

    def __repr__(self) -> str:
        return "RecordedPieces()"

    def reading(self) -> PiecesReading:
        """Begin to read a text."""
        return PiecesReading(self._begins)

    def found_in(self, text: str) -> Hit | int:
        """Return the first value in a complete text, or how far there is none."""
        return self.scan(text, 0, True, self.reading())

    def scan(self, text: str, start: int, closed: bool, reading: PiecesReading) -> Hit | int:
        """Return the next word from `start` on that makes a recorded value whole, or how far there is none.

        `reading`: what was read of the text so far.
        """
        first = max(0, start - WINDOW)
        stop = len(text) if closed else last_word(text)
        if reading.found is not None and reading.found.start >= start:
            return reading.found
        reading.found = None
        if not self._sizes or _DIGIT.search(text, first, stop) is None:
            return max(start, stop)
        if reading.at < first:
            reading.restart(last_word(text[:first]) if text[first : first + 1].isalnum() else first)
        for match in _WORD.finditer(text, reading.at, stop):
            reading.at = match.end()
            for value in reading.values_with(text, *match.span()) if match.end() - match.start() <= _LONGEST else ():
                if match.start() >= start and (kind := self._kind(value, text)) is not None:
                    reading.found = Hit(kind, *match.span(), value.pieces)
                    return reading.found
        return max(start, stop)

    def _kind(self, value: _Begun, text: str) -> str | None:
        """Return the kind of a value whose pieces are all of it and tell enough."""
        if len(value.form) not in self._sizes or len(value.pieces) < 2 or 2 * len(value.pieces) > len(value.form):
            return None
        if not any(_CODE.search(text, *piece) for piece in value.pieces) or _stood_before(value, text):
            return None
        return self._records.kind_of_run(value.form)


def _stood_before(value: _Begun, text: str) -> bool:
    """Tell whether the value stood in one piece before, of which only the last part is said again."""
    if len(value.pieces) != 2:
        return False
    (_, end), (start, stop) = value.pieces
    behind = _MARKS.match(text, end)
    at = end if behind is None else behind.end()
    again = at + stop - start
    same = at < start and text[at:again].casefold() == text[start:stop].casefold()
    return same and not text[again : again + 1].isalnum()


class PiecesReading:
    """What of a growing text may begin recorded values, word by word.

    Attributes:
        at: how far the text is read.
        found: the last value that was found.
    """

    def __init__(self, begins: Known) -> None:
        self._begins = begins
        self.restart(0)

    def restart(self, at: int) -> None:
        """Forget what was read, and goes on at a place."""
        self.at, self._count, self._text = at, 0, ""
        self.found: Hit | None = None
        self._tokens = deque[tuple[int, int]](maxlen=LEAST_BEGINNING)
        self._words, self._begun = deque[tuple[int, int]](maxlen=_MOST_EARLIER), deque[_Begun](maxlen=_MOST_BEGUN)

    def copy(self) -> PiecesReading:
        """Return a reading that goes on by itself."""
        other = copy.copy(self)
        other._tokens, other._words = copy.copy(self._tokens), copy.copy(self._words)
        other._begun = copy.copy(self._begun)
        return other

    def values_with(self, text: str, start: int, end: int) -> list[_Begun]:
        """Return the beginnings of values that go on with tokens of the next word, and keeps them."""
        self._text = text
        found, is_mixed = list[_Begun](), _DIGIT.search(self._text, start, end) is not None
        for match in _TOKEN.finditer(self._text, start, end):
            self._count += 1
            p, stop, form = *match.span(), match[0].casefold()
            self._tokens.append((p, stop))
            ends = list[_Begun]()
            for value in self._begun:
                if self._count - value.last <= _MOST_BETWEEN and p - value.pieces[0][0] < WINDOW:
                    # In a word with digits, other letters may follow directly.
                    for size in range(len(form), 0 if is_mixed and not form.isdecimal() else len(form) - 1, -1):
                        if self._begins(value.form + form[:size]):
                            pieces = self._with_piece(value.pieces, p, p + size)
                            ends.append(_Begun(value.form + form[:size], pieces, self._count))
                            break
            ends += self._first(is_mixed)
            self._begun.extend(ends)
            found += ends
        for value in found[-_MOST_BEGUN:]:
            found += self._with_earlier(value)
        self._words.append((start, end))
        return found

    def _first(self, is_mixed: bool) -> list[_Begun]:
        """Return the beginnings of values that the last tokens are, which nothing but marks parts.

        `is_mixed`: a value may also begin with a short word before them.
        """
        form, end = "", self._tokens[-1][1]
        for at in range(len(self._tokens) - 1, -1, -1):
            p, stop = self._tokens[at]
            if form and _MARKS.fullmatch(self._text, stop, self._tokens[at + 1][0]) is None:
                break
            form = self._text[p:stop].casefold() + form
            if len(form) >= LEAST_BEGINNING:
                if self._begins(form):
                    return [_Begun(form, ((p, end),), self._count)]
                break
        p = self._tokens[-1][0]
        for start, stop in list(self._words)[-_MOST_AFTER_SHORT:] if is_mixed else ():
            form = self._text[start:stop].casefold() + self._text[p:end].casefold()
            if stop - start < LEAST_BEGINNING <= len(form) and self._begins(form):
                return [_Begun(form, ((start, stop), (p, end)), self._count)]
        return []

    def _with_piece(self, pieces: tuple[tuple[int, int], ...], p: int, end: int) -> tuple[tuple[int, int], ...]:
        """Add to the pieces of a value what follows them; what only marks part is one."""
        first, stop = pieces[-1]
        if stop <= p and _MARKS.fullmatch(self._text, stop, p):
            return (*pieces[:-1], (first, end))
        return (*pieces, (p, end))

    def _with_earlier(self, value: _Begun) -> list[_Begun]:
        """Return a value with words that stand before its beginning and go on with it."""
        found, begins = list[_Begun](), value.pieces[0][0]
        words = [
            word for word in self._words if begins - WINDOW < word[0] and word[1] <= begins and self._is_code(*word)
        ]
        while words:
            for word in words:
                form = value.form + self._text[slice(*word)].casefold()
                if self._begins(form):
                    value = _Begun(form, (*value.pieces, word), value.last)
                    found.append(value)
                    words.remove(word)
                    break
            else:
                break
        return found

    def _is_code(self, start: int, end: int) -> bool:
        return end - start > 1 and _CODE.search(self._text, start, end) is not None


def last_word(text: str) -> int:
    """Return where the word begins with which a text ends; its length if it ends with none, or with too long a one."""
    tail = text[-_LONGEST - 1 :]
    size = next((at for at, char in enumerate(reversed(tail)) if not (char.isascii() and char.isalnum())), len(tail))
    return len(text) - size if size <= _LONGEST else len(text)
