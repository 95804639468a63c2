"""What value stands at a place: the best of those by their form alone, those that something names, those asked for.

What names a value is a label before or after it, the head of its column, a command, the value before in a row, or the
question. A decision looks at a bounded part of the text, and waits until that part is there.
"""

from __future__ import annotations

import copy
import re
from collections import deque
from typing import NamedTuple

import regex

from reticent_detectors.finder.forms import commands
from reticent_detectors.finder.forms.asked import Asked
from reticent_detectors.finder.forms.joined import JOINING
from reticent_detectors.finder.forms.kinds import STRENGTHS, Form, Kinds, Needs
from reticent_detectors.finder.forms.labels import fold
from reticent_detectors.finder.forms.labels_after import named_after
from reticent_detectors.finder.forms.named import NOBODY, Named, Sort, Strength
from reticent_detectors.finder.forms.readers import READERS
from reticent_detectors.finder.forms.tables import Tables
from reticent_detectors.finder.forms.triggers import Undecided, code_follows, run_end
from reticent_detectors.finder.forms.weighed import CHECKED, FREE, SURE, WEIGHTS, Match, better, goes_further
from reticent_detectors.finder.match_ends import NONE, OPEN
from reticent_detectors.spans import Span

CONTEXT_CHARS = 100
"""How far before a value a word of its context may stand."""
ANSWER_CHARS, ANSWER_WORDS, EARLIER_WORDS = 200, 14, 3
"""Where an answer to the last question, or to an earlier one, may begin."""
BEGUN_CHARS = 64
"""How far before an answer a value may begin that goes on in it."""
_LEAST_BEHIND = 4
_OF_OWN_LOOK = frozenset(["IP_ADDRESS", "MAC_ADDRESS", "EMAIL_ADDRESS", "URL", "COORDINATES", "CRYPTO"])
"""Kinds whose marks no other kind has: a question for another one does not change them."""
_MOST_LATEST = 16
_AND = re.compile(r"(?: ?[,;/|&]| (?:and|or|und|oder|et|ou|y|o|e)) ?(?:and |or |und |oder )?\(?\Z")
_TO = re.compile(r" (?:to|till|until|bis|auf|à|au|a|ao|al|até|para|hasta)(?: the| zum| den| el| le| il| o)? \Z")
_RANGED = frozenset(["TRANSACTION_AMOUNT", "APPOINTMENT_DATE"])
"""Kinds whose values stand on both sides of a word such as "to"."""
_ROW_CHARS = 12
_OF_IT = re.compile(r"[\"'>)]?(?:,? (?:is|was|ist|war|lautet|est|es|è|é)|:) [\"'`*_]{0,3}\Z")
_OWNER = regex.compile(r"(?r) (?:for|of|für|von|de|para|pour|di|per|do|da) [\"'<(]?")
"""Match what leads from a value to another that belongs to it: "the password for jo@example.org is"."""
_FIGURE = re.compile(r"\d")
_OF_LINES = "ADDRESS"
"""A kind whose values go on to the end of a line: after one of these and a comma stands something else."""
_LEAST_AGAINST_LABEL = 3.0


class _Place(NamedTuple):
    """Where a value may begin, where its row of figures ends, and what it begins with (`readers.Reader.at`)."""

    q: int
    run: int
    sorts: str


class ValueReader:
    """Reads values at places of a text that grows; places are in characters of `text`.

    Attributes:
        text: the text so far, without what was cut off its front.
        closed: whether it is all.
        base: how many characters were cut off.
        tables: the head of the table or list in which a place stands.
        latest: the last values found.
        commanded: to where words may be values of a command.
    """

    def __init__(self, kinds: Kinds, asked: Asked, answer: int) -> None:
        self.kinds, self.asked, self.answer = kinds, asked, answer
        self.text, self.closed, self.base = "", False, 0
        self.tables = Tables(kinds.labels)
        self.latest: deque[Span] = deque(maxlen=_MOST_LATEST)
        self.commanded = -1

    def __repr__(self) -> str:
        return f"ValueReader(<{len(self.text)} chars>)"

    def copy(self) -> ValueReader:
        """Return a reader that goes on by itself from here."""
        other = copy.copy(self)
        other.tables, other.latest = copy.copy(self.tables), self.latest.copy()
        return other

    def cut(self, count: int) -> None:
        """Cut so many characters off the front."""
        self.text = self.text[count:]
        self.base += count
        self.commanded -= count
        self.tables.shift(count)

    def value(self, q: int, sorts: str, piece_end: int) -> Match | None:
        """Return the value at q; None without one. Raise Undecided where more text is needed.

        `sorts`: what it may begin with (`readers.Reader.at`). `piece_end`: where the piece ends in which it begins.
        """
        text = self.text
        if "C" in sorts:
            sorts = sorts.replace("C", "c" if code_follows(text, q, piece_end, self.closed) else "")
        if not sorts:
            return None
        numeric = "d" in sorts or "c" in sorts
        place = _Place(q, run_end(text, q, self.closed) if numeric or text[q] in "+(" else q, sorts)
        best = self._of_free(place, piece_end)
        if best is not None and best.weight == SURE:
            return best
        named = self.named(q)
        if named is not None:
            best = self._of_named(place, named, best)
            doubted = best is None or best.weight < _LEAST_AGAINST_LABEL
            if doubted and named.strength is Strength.TIGHT and NOBODY in named.kinds:
                return None  # "page 4012": a number that only looks like one of another kind
        if best is None and place.run - q >= _LEAST_BEHIND and _FIGURE.search(text, q, place.run):
            best = self._of_named_after(place)
        if self.asked.kinds and (named is None or NOBODY not in named.kinds):
            best = self._of_asked(place, best)
        return best

    def _of_free(self, place: _Place, piece_end: int) -> Match | None:
        """Return the best value that needs no label."""
        text, kinds, q = self.text, self.kinds, place.q
        best: Match | None = None
        piece = text[q:piece_end]
        for form, reader, marks in kinds.readers_at(place.sorts):
            if marks and marks.isdisjoint(piece):
                continue
            end = _decided(reader.read(text, q, self.closed, None))
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
        text = self.text
        if not (q > 1 and text[q].isdigit() and text[q - 1] == " " and text[q - 2].isdigit()):
            return False
        if end + 1 >= len(text) and not self.closed:
            raise Undecided
        return text[end : end + 1] == " " and text[end + 1 : end + 2].isdigit()

    def _of_named(self, place: _Place, named: Named, best: Match | None) -> Match | None:
        """Return the best of a value and those of the kinds that a label names."""
        for kind in named.kinds:
            strength = named.strength_of(kind)
            for form in self.kinds.named.get(kind, ()) if strength is not None else ():
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
        after = named_after(self.kinds.labels, self.text, self._plain_end(place), self.closed)
        if after is False:
            raise Undecided
        return self._of_named(place, after, None) if isinstance(after, Named) else None

    def _of_asked(self, place: _Place, best: Match | None) -> Match | None:
        """Return the best of a value and those of the kinds that the question asks for."""
        doubted = best is None or (
            best.weight == FREE and best.kind not in self.asked.kinds and best.kind not in _OF_OWN_LOOK
        )
        begins = self.answer - self.base
        if not doubted or not -BEGUN_CHARS <= place.q - begins <= ANSWER_CHARS:
            return best
        words, found = len(self.text[max(0, begins) : place.q].split()), None
        for kind, last in self.asked.kinds.items():
            if words > (ANSWER_WORDS if last else EARLIER_WORDS):
                continue
            named = Named({kind: Sort.LABEL}, Strength.ASKED)
            for form in self.kinds.named.get(kind, ()):
                end = self._end(form, place, named) if form.asked else NONE
                if end and self._has_context(form, place.q) and (last or self._is_all(end)):
                    found = better(found, Match(WEIGHTS[Strength.ASKED], end, kind))
        return found if found is not None and (best is None or found.end >= best.end) else best

    def _is_all(self, end: int) -> bool:
        """Tell whether no word follows the value that ends here: "1572", and not "1572 people"."""
        text = self.text
        if end + 1 >= len(text) and not self.closed:
            raise Undecided
        return not (text[end : end + 1] == " " and text[end + 1 : end + 2].isalnum())

    def _end(self, form: Form, place: _Place, named: Named) -> int:
        if form.pattern:
            return self._match(form, place) if place.run > place.q else NONE
        reader = READERS[form.reader]
        if not any(sort in reader.at for sort in place.sorts):
            return NONE
        end = _decided(reader.read(self.text, place.q, self.closed, named))
        return end if end and form.accepts(self.text[place.q : end]) else NONE

    def _match(self, form: Form, place: _Place) -> int:
        match = form.compiled.match(self.text, place.q, place.run)
        if match is None or not form.accepts(match[0]) or self.goes_on(place.q):
            return NONE
        return int(match.end())

    def goes_on(self, q: int) -> bool:
        """Tell whether the figures at q go on a number before them."""
        text = self.text
        if not q or not text[q].isdigit():
            return bool(q) and text[q - 1] in "-_." and text[max(0, q - 2)].isalnum() and text[q].isalpha()
        mark = text[q - 1]
        if mark in "$€£+" or (mark == "-" and q > 1 and text[q - 2].isalpha()):
            return True
        if q < 2 or not text[q - 2].isdigit():
            return False
        return mark in JOINING or (mark == "," and not self.tables.in_table and self.last_end() != q - 1)

    def last_end(self) -> int:
        """Return where the last value ends; -1 without one."""
        return self.latest[-1].end - self.base if self.latest else -1

    def named(self, q: int) -> Named | None:
        """Return what the head of the column, a command, the value before or the label before names at q."""
        text = self.text
        found = self.tables.column(text, q)
        if found is not None:
            return found
        if q < self.commanded and (found := commands.called(text, q)) is not None:
            return found
        before = self.latest[-1] if self.latest else None
        if before is not None and before.end - self.base > q:
            before = next((span for span in reversed(self.latest) if span.end - self.base <= q), None)
        last = -1 if before is None else before.end - self.base
        if before is not None and last < q <= last + _ROW_CHARS and self._is_joined(before.entity, last, q):
            return Named({before.entity: Sort.LABEL}, Strength.TIGHT, True)
        if before is not None and last < q <= last + 16 and _OF_IT.match(text, last, q):
            start = before.start - self.base
            owner = _OWNER.match(text, max(0, start - 12), start)
            named = self.kinds.labels.before(text, owner.start()) if owner is not None else None
            return None if named is None else named._replace(strength=min(named.strength, Strength.LOOSE), marked=True)
        return self.kinds.labels.before(text, q, max(0, last))

    def _is_joined(self, kind: str, last: int, q: int) -> bool:
        """Tell whether what stands between a value of this kind and q goes on a row of such values."""
        if kind == _OF_LINES or last < 0:
            return False
        text = self.text
        return _AND.match(text, last, q) is not None or (kind in _RANGED and _TO.match(text, last, q) is not None)

    def _has_context(self, form: Form, q: int) -> bool:
        words = form.words
        if words is None:
            return True
        before = fold(self.text[max(0, q - CONTEXT_CHARS) : q])
        return words.search(before) is not None or words.search(self.asked.text) is not None

    def _plain_end(self, place: _Place) -> int:
        """Return where a row of figures ends without its last marks."""
        end = place.run
        while end > place.q and not self.text[end - 1].isalnum():
            end -= 1
        return end


def _decided(end: int) -> int:
    """Return the end that a reader gives; raise Undecided where more text decides."""
    if end == OPEN:
        raise Undecided
    return end
