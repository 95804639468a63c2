"""One scan over a text as it comes: at triggers, what stands there is matched against the kinds' forms.

A piece between blanks or marks of code is looked at when it is whole. A word that is no trigger costs one look-up. At
a trigger the label before is read, then the forms that may begin there. A decision looks at a bounded part of the text
and waits until that part is there, so that it never depends on how the text was cut.
"""

from __future__ import annotations

import copy
import re
from collections import deque
from typing import NamedTuple

import regex

from reticent_detectors.entities import UNDECIDED, Entity
from reticent_detectors.finder.forms import commands, cut_short, streets
from reticent_detectors.finder.forms.anchored import NONE, OPEN
from reticent_detectors.finder.forms.asked import Asked
from reticent_detectors.finder.forms.kinds import NOBODY, STRENGTHS, Form, Kinds, Needs
from reticent_detectors.finder.forms.labels import Labels, Named, Sort, Strength, fold
from reticent_detectors.finder.forms.labels_after import named_after
from reticent_detectors.finder.forms.phones import after_date, begun_after_date
from reticent_detectors.finder.forms.readers import READERS
from reticent_detectors.finder.forms.tables import Tables
from reticent_detectors.finder.forms.triggers import (
    STARTS,
    STARTS_ESCAPED,
    TELLS,
    Undecided,
    code_follows,
    run_end,
    trigger_words,
)
from reticent_detectors.finder.forms.weighed import CHECKED, FREE, SURE, WEIGHTS, Match, better, goes_further
from reticent_detectors.finder.unspaced import UNSPACED
from reticent_detectors.spans import Span

CONTEXT_CHARS = 100
"""How far before a value a word of its context may stand."""
PIECE_CHARS = 1024
"""Longest piece without a blank that is looked at as one."""
_KEPT_CHARS, _MOST_KEPT = 2048, 8192
_WORDS_WATCHED_CHARS, _FOLDER_CHARS = 48, 3
_ANSWER_CHARS, _ANSWER_WORDS, _EARLIER_WORDS = 200, 14, 3
_NO_START = str.maketrans("", "", "lkf")
_LEAST_BEHIND = 4
_NO_VALUE_AFTER = "./-_+@"
_TAIL_CHARS = 64
_MOST_LATEST = 16
# What is looked at as one: up to a blank, a quotation mark, a bracket of code or tags, or a letter of a script without
# blanks.
_PIECE = re.compile(rf"[{UNSPACED}]|[^\s\"{{}}<>|`{UNSPACED}]+[\"{{}}<>|`]*|[\"{{}}<>|`]+")
_AND = re.compile(r"(?:[,;/|&]| (?:and|or|und|oder|et|ou|y|o|e)) ?(?:and |or |und |oder )?\(?\Z")
_OF_IT = re.compile(r"[\"'>)]?(?:,? (?:is|was|ist|war|lautet|est|es|è|é)|:) [\"'`*_]{0,3}\Z")
_OWNER = regex.compile(r"(?r) (?:for|of|für|von|de|para|pour|di|per|do|da) [\"'<(]?")
"""Match what leads from a value to another that belongs to it: "the password for jo@example.org is"."""
_FIGURE = re.compile(r"\d")
# What stands in place of a value that was redacted (`reticent.policy.redaction`).
_REDACTED = regex.compile(
    rf"(?<=<)(?:{'|'.join([*Entity, UNDECIDED])})(?:_[0-9a-f]{{6}})?>"
    r"|‹(?:(?:[A-Za-z]+_){1,4}[0-9a-f]{6}|ZZ00(?: \d{4}){2})›"
)


class _Place(NamedTuple):
    """Where a value may begin, where its row of figures ends, and what it begins with (`readers.Reader.at`)."""

    q: int
    run: int
    sorts: str


_OF_LINES = "ADDRESS"
"""A kind whose values go on to the end of a line: after one of these and a comma stands something else."""
_LEAST_AGAINST_LABEL = 3.0
_OF_OTHERS = frozenset({NOBODY})
"""Behind a label of these, a number is none that only looks like one of another kind."""


class FormScan:
    """Finds the values of a text that comes in pieces.

    Args:
        kinds: what is looked for.
        asked: what the user asked for.
        answer: where the answer begins, in characters; before it stands what it continues.
    """

    def __init__(self, kinds: Kinds, asked: Asked | None = None, answer: int = 0) -> None:
        self._kinds, self._asked = kinds, Asked() if asked is None else asked
        self._answer = answer
        self._labels: Labels = kinds.labels
        self._tables = Tables(kinds.labels)
        self._text, self._closed = "", False
        self._base = 0  # characters cut off the front
        self._at = 0  # all before it is decided
        self._piece_start = 0  # where the piece begins that is being read
        self._latest: deque[Span] = deque(maxlen=_MOST_LATEST)
        self._watched = -1  # to there, words may be values that a label names
        self._commanded = -1  # to there, words may be values of a command
        self._found: list[Span] = []
        self._words = trigger_words(kinds)

    def __repr__(self) -> str:
        return f"FormScan(<{self._base + len(self._text)} chars>, decided {self.decided})"

    def copy(self) -> FormScan:
        """Return a scan that goes on by itself from here; values not yet given out stay with this one."""
        other = copy.copy(self)
        other._tables, other._found, other._latest = copy.copy(self._tables), [], self._latest.copy()
        return other

    def feed(self, text: str, closed: bool = False) -> None:
        """Take more of the text. `closed`: it is all."""
        self._text += text
        self._closed = closed
        self._advance()
        if self._at > _MOST_KEPT:
            self._cut(self._at - _KEPT_CHARS)

    def take(self, text: str) -> None:
        """Take a whole text without looking for its values."""
        self._text, self._closed = text, True

    @property
    def decided(self) -> int:
        """How far the text is decided, in characters: no value found later begins before."""
        return self._base + self._at

    def spans(self) -> list[Span]:
        """Return the values found since the last call, in their order."""
        found, self._found = self._found, []
        return found

    def fragment(self) -> Span | None:
        """Return the value that the end of a cut text has begun; None if there is none."""
        text = self._text
        floor = max(0, len(text) - _TAIL_CHARS, self._last_end())
        line = text.rfind("\n", floor)
        for match in STARTS.finditer(text, max(floor, line + 1)):
            q = match.start()
            if q < floor or text[q] in "(@" or (q and (text[q - 1].isalnum() or text[q - 1] in _NO_VALUE_AFTER)):
                continue
            if q > 1 and text[q - 1] in ",:" and text[q - 2].isdigit():
                continue
            kind = self.begun(self._base + q)
            if kind:
                return Span(kind, self._base + q, self._base + len(text), f"form-{kind.lower()}", fragment=True)
        return None

    def begun(self, q: int) -> str:
        """Return the kind of the value at q, in characters, that the end of the text cut short; empty for none."""
        at = q - self._base
        tail = self._text[max(0, at) :].rstrip()
        if at < 0 or not tail or len(tail) > PIECE_CHARS:
            return ""
        if self._text[at].isdigit() and self._goes_on(at):
            dated = after_date(self._text, at) and begun_after_date(tail)
            return "PHONE_NUMBER" if dated and "PHONE_NUMBER" in self._kinds.kinds else ""
        before = self._text[max(0, at - cut_short.LEAD_CHARS) : at]
        begins = self._answer - self._base
        words = len(self._text[max(0, begins) : at].split()) if at >= begins else PIECE_CHARS
        leads = not words or (words <= _ANSWER_WORDS and cut_short.leads(before))
        return cut_short.begun(self._kinds, tail, self.named(q), before, self._asked.kinds if leads else ())

    def named(self, q: int) -> Named | None:
        """Return what the column, the label before, or the value before in a row names at q, in characters."""
        at = q - self._base
        if not 0 <= at <= len(self._text):
            return None
        self._tables.advance(self._text, min(at, self._at))
        return self._named(at)

    def _cut(self, count: int) -> None:
        self._text = self._text[count:]
        self._base += count
        self._at -= count
        self._piece_start -= count
        self._watched -= count
        self._commanded -= count
        self._tables.shift(count)

    def _advance(self) -> None:
        text = self._text
        size = len(text)
        while True:
            match = _PIECE.search(text, self._at)
            if match is None:
                self._at = size
                break
            if match.start() > self._at or self._piece_start < self._at - PIECE_CHARS:
                self._piece_start = match.start()
            start = self._at = max(self._at, match.start())
            limit = self._piece_start + PIECE_CHARS
            end = match.end()
            if end == size and not self._closed and end < limit:
                break
            if end >= limit:
                end = limit
            redacted = _REDACTED.match(text, start, partial=not self._closed)
            if redacted is not None and redacted.partial:
                break
            stop = self._read(start, end) if redacted is None else redacted.end()
            if stop == OPEN:
                break
            self._at = self._piece_start = stop
        self._tables.advance(text, self._at)

    def _read(self, start: int, end: int) -> int:
        """Read the piece text[start:end]; return where to go on, or OPEN with `_at` where more text is needed."""
        text = self._text
        piece = text[start:end]
        told = None if piece.isalpha() else TELLS.search(text, start, end)
        told_to = told.end() if told is not None else start
        for match in (STARTS_ESCAPED if "\\" in piece else STARTS).finditer(text, start, end):
            q, word = match.start(), match[0]
            sorts = self._sorts(q, word, q < told_to)
            if not sorts:
                continue
            self._tables.advance(text, q)
            try:
                stop = self._value(q, sorts, end)
            except Undecided:
                self._at = q
                return OPEN
            if stop:
                return stop
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
        sort = self._words.get(folded) or (self._words.get(fold(folded)) if not folded.isascii() else None)
        if sort is not None:
            if "l" in sort:
                self._watched = q + len(word) + _WORDS_WATCHED_CHARS
            if "k" in sort or ("f" in sort and q and self._text[q - 1] in "/\\"):
                self._commanded = q + len(word) + (_FOLDER_CHARS if "f" in sort else _WORDS_WATCHED_CHARS)
            sorts = sort.translate(_NO_START)
        if is_told:
            sorts += "c"
        elif len(word) <= 4 and (word.isupper() or word == "Rs"):
            sorts += "C"
        if first.isupper() and len(word) > 3 and "r" not in sorts and streets.ENDED_WORD.fullmatch(word):
            sorts += "r"
        watched = self._watched
        near = q < watched or q < self._commanded or self._is_word_asked(q)
        if near and q + len(word) != watched - _WORDS_WATCHED_CHARS:
            sorts += "w"
        return sorts

    def value_at(self, q: int) -> Span | None:
        """Return the value that begins at q of a text that was given whole; None if there is none.

        What stands before it counts as its label only, whether or not values were found there.
        """
        match, piece = STARTS.match(self._text, q), _PIECE.match(self._text, q)
        if match is None or piece is None:
            return None
        told = TELLS.search(self._text, q, piece.end())
        sorts = self._sorts(q, match[0], told is not None)
        self._tables.advance(self._text, q)
        if not sorts or not self._value(q, sorts, piece.end()):
            return None
        return self._found.pop()

    def _is_word_asked(self, q: int) -> bool:
        asked = not self._kinds.of_words.isdisjoint(self._asked.kinds)
        return asked and 0 <= self._base + q - self._answer < _ANSWER_CHARS

    def _value(self, q: int, sorts: str, piece_end: int) -> int:
        """Return where the value at q ends; NONE without one. Raise Undecided where more text is needed."""
        text = self._text
        if "C" in sorts:
            sorts = sorts.replace("C", "c" if code_follows(text, q, piece_end, self._closed) else "")
        if not sorts:
            return NONE
        numeric = "d" in sorts or "c" in sorts
        place = _Place(q, run_end(text, q, self._closed) if numeric or text[q] in "+(" else q, sorts)
        best = self._of_free(place, piece_end)
        if best is not None and best.weight == SURE:
            return self._take(q, best)
        named = self._named(q)
        if named is not None:
            best = self._of_named(place, named, best)
            doubted = best is None or best.weight < _LEAST_AGAINST_LABEL
            if doubted and named.strength is Strength.TIGHT and not _OF_OTHERS.isdisjoint(named.kinds):
                return NONE
        if best is None and place.run - q >= _LEAST_BEHIND and _FIGURE.search(text, q, place.run):
            best = self._of_named_after(place)
        if self._asked.kinds and (named is None or NOBODY not in named.kinds):
            best = self._of_asked(place, best)
        return self._take(q, best) if best is not None else NONE

    def _of_free(self, place: _Place, piece_end: int) -> Match | None:
        """Return the best value that needs no label."""
        text, kinds, q = self._text, self._kinds, place.q
        best: Match | None = None
        piece = text[q:piece_end]
        for form, reader, marks in kinds.readers_at(place.sorts):
            if marks and marks.isdisjoint(piece):
                continue
            end = _decided(reader.read(text, q, self._closed, None))
            if end and self._has_context(form, q):
                best = better(best, Match(SURE if form.sure else FREE, end, form.kind))
        if kinds.gate is None or not _FIGURE.search(text, q, place.run) or not kinds.gate.match(text, q, place.run):
            return best
        for form in kinds.free:
            end = self._match(form, place)
            if end and self._has_context(form, q) and not self._is_amid(q, end):
                weight = SURE if form.sure else CHECKED if form.check else FREE
                best = better(best, Match(weight, end, form.kind))
        return best

    def _is_amid(self, q: int, end: int) -> bool:
        """Tell whether numbers of one row stand on both sides of the figures from q to `end`: "2 4012 8888 777"."""
        text = self._text
        if not (q > 1 and text[q].isdigit() and text[q - 1] == " " and text[q - 2].isdigit()):
            return False
        if end + 1 >= len(text) and not self._closed:
            raise Undecided
        return text[end : end + 1] == " " and text[end + 1 : end + 2].isdigit()

    def _take(self, q: int, match: Match) -> int:
        span = Span(match.kind, self._base + q, self._base + match.end, f"form-{match.kind.lower()}")
        self._found.append(span)
        self._latest.append(span)
        return match.end

    def _of_named(self, place: _Place, named: Named, best: Match | None) -> Match | None:
        """Return the best of a value and those of the kinds that a label names."""
        for kind in named.kinds:
            strength = named.strength_of(kind)
            for form in self._kinds.named.get(kind, ()) if strength is not None else ():
                assert strength is not None
                if strength < STRENGTHS[form.needs] or (form.needs is Needs.FIELD and not named.marked):
                    continue
                end = self._end(form, place, named)
                if end and self._has_context(form, place.q):
                    match = Match(WEIGHTS[strength], end, kind)
                    best = best if goes_further(best, match) else better(best, match)
        return best

    def _of_named_after(self, place: _Place) -> Match | None:
        """Return the best value of the kinds that the words after it name."""
        after = named_after(self._labels, self._text, self._plain_end(place), self._closed)
        if after is False:
            raise Undecided
        return self._of_named(place, after, None) if isinstance(after, Named) else None

    def _of_asked(self, place: _Place, best: Match | None) -> Match | None:
        """Return the best of a value and those of the kinds that the question asks for."""
        doubted = best is None or (best.weight == FREE and best.kind not in self._asked.kinds)
        begins = self._answer - self._base
        if not doubted or not 0 <= place.q - begins <= _ANSWER_CHARS:
            return best
        words, found = len(self._text[max(0, begins) : place.q].split()), None
        for kind, last in self._asked.kinds.items():
            if words > (_ANSWER_WORDS if last else _EARLIER_WORDS):
                continue
            named = Named({kind: Sort.LABEL}, Strength.ASKED)
            for form in self._kinds.named.get(kind, ()):
                end = self._end(form, place, named) if form.asked else NONE
                if end and self._has_context(form, place.q) and (last or self._is_all(end)):
                    found = better(found, Match(WEIGHTS[Strength.ASKED], end, kind))
        return found if found is not None and (best is None or found.end >= best.end) else best

    def _is_all(self, end: int) -> bool:
        """Tell whether no word follows the value that ends here: "1572", and not "1572 people"."""
        text = self._text
        if end + 1 >= len(text) and not self._closed:
            raise Undecided
        return not (text[end : end + 1] == " " and text[end + 1 : end + 2].isalnum())

    def _end(self, form: Form, place: _Place, named: Named) -> int:
        if form.pattern:
            return self._match(form, place) if place.run > place.q else NONE
        reader = READERS[form.reader]
        if not any(sort in reader.at for sort in place.sorts):
            return NONE
        end = _decided(reader.read(self._text, place.q, self._closed, named))
        return end if end and form.accepts(self._text[place.q : end]) else NONE

    def _match(self, form: Form, place: _Place) -> int:
        match = form.compiled.match(self._text, place.q, place.run)
        if match is None or not form.accepts(match[0]) or self._goes_on(place.q):
            return NONE
        return int(match.end())

    def _goes_on(self, q: int) -> bool:
        """Tell whether the figures at q go on a number before them."""
        text = self._text
        if not q or not text[q].isdigit():
            return bool(q) and text[q - 1] in "-_." and text[max(0, q - 2)].isalnum() and text[q].isalpha()
        mark = text[q - 1]
        if mark in "$€£+" or (mark == "-" and q > 1 and text[q - 2].isalpha()):
            return True
        if q < 2 or not text[q - 2].isdigit():
            return False
        return mark in ".-/:–" or (mark == "," and not self._tables.in_table and self._last_end() != q - 1)

    def _last_end(self) -> int:
        return self._latest[-1].end - self._base if self._latest else -1

    def _named(self, q: int) -> Named | None:
        text = self._text
        found = self._tables.column(text, q)
        if found is not None:
            return found
        if q < self._commanded and (found := commands.called(text, q)) is not None:
            return found
        before = self._latest[-1] if self._latest else None
        if before is not None and before.end - self._base > q:
            before = next((span for span in reversed(self._latest) if span.end - self._base <= q), None)
        last = -1 if before is None else before.end - self._base
        in_row = before is not None and before.entity != _OF_LINES and 0 <= last < q <= last + 8
        if in_row and before is not None and _AND.match(text, last, q):
            return Named({before.entity: Sort.LABEL}, Strength.TIGHT, True)
        if before is not None and last < q <= last + 16 and _OF_IT.match(text, last, q):
            start = before.start - self._base
            owner = _OWNER.match(text, max(0, start - 12), start)
            named = self._labels.before(text, owner.start()) if owner is not None else None
            return None if named is None else named._replace(strength=min(named.strength, Strength.LOOSE), marked=True)
        return self._labels.before(text, q, max(0, last))

    def _has_context(self, form: Form, q: int) -> bool:
        words = form.words
        if words is None:
            return True
        before = fold(self._text[max(0, q - CONTEXT_CHARS) : q])
        return words.search(before) is not None or words.search(self._asked.text) is not None

    def _plain_end(self, place: _Place) -> int:
        """Return where a row of figures ends without its last marks."""
        end = place.run
        while end > place.q and not self._text[end - 1].isalnum():
            end -= 1
        return end


def _decided(end: int) -> int:
    """Return the end that a reader gives; raise Undecided where more text decides."""
    if end == OPEN:
        raise Undecided
    return end


def value_at(kinds: Kinds, text: str, q: int, asked: Asked | None = None, answer: int = 0) -> Span | None:
    """Return the value that begins at q of a whole text (`FormScan.value_at`)."""
    scan = FormScan(kinds, asked, answer)
    scan.take(text)
    return scan.value_at(q)


def found(kinds: Kinds, text: str, asked: Asked | None = None) -> list[Span]:
    """Return the values of a whole text."""
    scan = FormScan(kinds, asked)
    scan.feed(text, closed=True)
    return scan.spans()
