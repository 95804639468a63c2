"""One scan over a text as it comes: at triggers, what stands there is matched against the kinds' forms.

A piece between blanks or marks of code is looked at when it is whole. A word that is no trigger costs one look-up. At
a trigger the label before is read, then the forms that may begin there. A decision looks at a bounded part of the text
and waits until that part is there, so that it never depends on how the text was cut.
"""

from __future__ import annotations

import copy
import re
from typing import Any

from reticent_detectors.finder.forms import cut_short, streets
from reticent_detectors.finder.forms.asked import Asked
from reticent_detectors.finder.forms.kinds import Kinds
from reticent_detectors.finder.forms.labels import fold, split_words
from reticent_detectors.finder.forms.named import Named
from reticent_detectors.finder.forms.phones import after_date, begun_after_date
from reticent_detectors.finder.forms.triggers import (
    STARTS,
    STARTS_ESCAPED,
    TELLS,
    Undecided,
    label_leads,
    trigger_words,
)
from reticent_detectors.finder.forms.value_reader import ANSWER_CHARS, ANSWER_WORDS, ValueReader
from reticent_detectors.finder.forms.weighed import Match
from reticent_detectors.finder.match_ends import OPEN
from reticent_detectors.finder.redactions import REDACTED
from reticent_detectors.finder.unspaced import UNSPACED
from reticent_detectors.spans import Span

PIECE_CHARS = 160
"""Longest piece without a blank that is looked at as one."""
_KEPT_CHARS, _MOST_KEPT = 2048, 8192
_MOST_CUT_CHARS = 1024
"""Longest value that the end of a text cut short."""
_WORDS_WATCHED_CHARS, _FOLDER_CHARS, _LEAD_CHARS = 48, 3, 32
_NO_START = str.maketrans("", "", "lkf")
# What is looked at as one: up to a blank, a comma, a quotation mark, a bracket of code or tags, or a letter of a script
# without blanks.
_MARKS = r"\"{}<>|`,\[\]"
_PIECE = re.compile(rf"[{UNSPACED}]|[^\s{_MARKS}{UNSPACED}]+[{_MARKS}]*|[{_MARKS}]+")


class FormScan:
    """Finds the values of a text that comes in pieces.

    Args:
        kinds: what is looked for.
        asked: what the user asked for.
        answer: where the answer begins, in characters; before it stands what it continues.
    """

    def __init__(self, kinds: Kinds, asked: Asked | None = None, answer: int = 0) -> None:
        self._reader = ValueReader(kinds, Asked() if asked is None else asked, answer)
        self._at = 0  # all before it is decided
        self._piece_start = 0  # where the piece begins that is being read
        self._watched = -1  # to there, words may be values that a label names
        self._found: list[Span] = []
        self._words, self._leads = trigger_words(kinds), label_leads(kinds)
        self._asks_words = not kinds.of_words.isdisjoint(self._reader.asked.kinds)

    def __repr__(self) -> str:
        return f"FormScan(<{self._reader.base + len(self._reader.text)} chars>, decided {self.decided})"

    def copy(self) -> FormScan:
        """Return a scan that goes on by itself from here; values not yet given out stay with this one."""
        other = copy.copy(self)
        other._reader, other._found = self._reader.copy(), []
        return other

    def feed(self, text: str, closed: bool = False) -> None:
        """Take more of the text. `closed`: it is all."""
        self._reader.text += text
        self._reader.closed = closed
        self._advance()
        if self._at > _MOST_KEPT:
            self._cut(self._at - _KEPT_CHARS)

    def take(self, text: str) -> None:
        """Take a whole text without looking for its values."""
        self._reader.text, self._reader.closed = text, True

    @property
    def decided(self) -> int:
        """How far the text is decided, in characters: no value found later begins before."""
        return self._reader.base + self._at

    def spans(self) -> list[Span]:
        """Return the values found since the last call, in their order."""
        found, self._found = self._found, []
        return found

    def begun(self, q: int) -> str:
        """Return the kind of the value at q, in characters, that the end of the text cut short; empty for none."""
        reader = self._reader
        text, at = reader.text, q - reader.base
        tail = text[max(0, at) :].rstrip()
        if at < 0 or not tail or len(tail) > _MOST_CUT_CHARS:
            return ""
        if text[at].isdigit() and reader.goes_on(at):
            dated = after_date(text, at) and begun_after_date(tail)
            return "PHONE_NUMBER" if dated and "PHONE_NUMBER" in reader.kinds.kinds else ""
        before = text[max(0, at - cut_short.LEAD_CHARS) : at]
        begins = reader.answer - reader.base
        words = len(text[max(0, begins) : at].split()) if at >= begins else _MOST_CUT_CHARS
        leads = not words or (words <= ANSWER_WORDS and cut_short.leads(before))
        return cut_short.begun(reader.kinds, tail, self.named(q), before, reader.asked.kinds if leads else ())

    def named(self, q: int) -> Named | None:
        """Return what the column, the label before, or the value before in a row names at q, in characters."""
        reader = self._reader
        at = q - reader.base
        if not 0 <= at <= len(reader.text):
            return None
        reader.tables.advance(reader.text, min(at, self._at))
        return reader.named(at)

    def _cut(self, count: int) -> None:
        self._reader.cut(count)
        self._at -= count
        self._piece_start -= count
        self._watched -= count

    def _advance(self) -> None:
        text = self._reader.text
        size = len(text)
        while True:
            match = _PIECE.search(text, self._at)
            if match is None:
                self._at = size
                break
            if match.start() > self._at:
                self._piece_start = match.start()
            start = self._at = max(self._at, match.start())
            limit = self._piece_start + PIECE_CHARS
            end = match.end()
            if end == size and not self._reader.closed and end < limit:
                break
            if end >= limit:
                end = limit
            may_be_redacted = text[start] == "‹" or text[start - 1 : start] == "<"
            redacted = REDACTED.match(text, start, partial=not self._reader.closed) if may_be_redacted else None
            if redacted is not None and redacted.partial:
                break
            stop = self._read(start, end) if redacted is None else self._pass_redacted(redacted)
            if stop == OPEN:
                break
            self._at = self._piece_start = stop
        self._reader.tables.advance(text, self._at)

    def _pass_redacted(self, redacted: Any) -> int:
        """Return the end of what stands in place of a value; what goes on after it goes on after a value."""
        if kind := redacted["kind"]:
            base = self._reader.base
            self._reader.latest.append(Span(kind, base + redacted.start(), base + redacted.end()))
        return int(redacted.end())

    def _read(self, start: int, end: int) -> int:
        """Read the piece text[start:end]; return where to go on, or OPEN with `_at` where more text is needed."""
        text = self._reader.text
        piece = text[start:end]
        told = None if piece.isalpha() else TELLS.search(text, start, end)
        told_to = told.end() if told is not None else start
        for match in (STARTS_ESCAPED if "\\" in piece else STARTS).finditer(text, start, end):
            q, word = match.start(), match[0]
            sorts = self._sorts(q, word, q < told_to)
            if not sorts:
                continue
            self._reader.tables.advance(text, q)
            try:
                value = self._reader.value(q, sorts, end)
            except Undecided:
                self._at = q
                return OPEN
            if value is not None:
                return self._take(q, value)
        return end

    def _sorts(self, q: int, word: str, is_told: bool) -> str:
        """Return what a value that begins with the word at q may be (`Reader.at`); "" if it is no trigger.

        `is_told`: whether a figure or a mark of an address follows in the piece.
        """
        first = word[0]
        if first.isdigit():
            return "d"
        if not first.isalpha():
            return "s"
        folded, sorts = word.lower(), ""
        sort = self._words.get(folded)
        if sort is None and not folded.isascii():
            folded = fold(folded)
            sort = self._words.get(folded)
        if sort is not None:
            if "l" in sort and self._ends_label(q, folded):
                self._watched = q + len(word) + _WORDS_WATCHED_CHARS
            if "k" in sort or ("f" in sort and q and self._reader.text[q - 1] in "/\\"):
                self._reader.commanded = q + len(word) + (_FOLDER_CHARS if "f" in sort else _WORDS_WATCHED_CHARS)
            sorts = sort.translate(_NO_START)
        if is_told:
            sorts += "c"
        elif len(word) <= 4 and (word.isupper() or word == "Rs"):
            sorts += "C"
        if first.isupper() and len(word) > 3 and "r" not in sorts and streets.ENDED_WORD.fullmatch(word):
            sorts += "r"
        watched = self._watched
        near = q < watched or q < self._reader.commanded or self._is_word_asked(q)
        if near and q + len(word) != watched - _WORDS_WATCHED_CHARS:
            sorts += "w"
        return sorts

    def _ends_label(self, q: int, word: str) -> bool:
        """Tell whether the folded word at q, which ends labels of words, is one, or goes on with the word before it."""
        leads = self._leads.get(word)
        if leads is None:
            return True
        return not leads.isdisjoint(split_words(self._reader.text[max(0, q - _LEAD_CHARS) : q])[0][-1:])

    def value_at(self, q: int) -> Span | None:
        """Return the value that begins at q of a text that was given whole; None if there is none.

        What stands before it counts as its label only, whether or not values were found there.
        """
        text = self._reader.text
        match, piece = STARTS.match(text, q), _PIECE.match(text, q)
        if match is None or piece is None:
            return None
        told = TELLS.search(text, q, piece.end())
        sorts = self._sorts(q, match[0], told is not None)
        self._reader.tables.advance(text, q)
        value = self._reader.value(q, sorts, piece.end()) if sorts else None
        if value is None:
            return None
        self._take(q, value)
        return self._found.pop()

    def _is_word_asked(self, q: int) -> bool:
        return self._asks_words and 0 <= self._reader.base + q - self._reader.answer < ANSWER_CHARS

    def _take(self, q: int, match: Match) -> int:
        base = self._reader.base
        span = Span(match.kind, base + q, base + match.end, f"form-{match.kind.lower()}")
        self._found.append(span)
        self._reader.latest.append(span)
        return match.end


def found(kinds: Kinds, text: str, asked: Asked | None = None) -> list[Span]:
    """Return the values of a whole text."""
    scan = FormScan(kinds, asked)
    scan.feed(text, closed=True)
    return scan.spans()
