"""The span finder: personal data in a growing text, from left to right.

At every position where a value could begin, each recogniser says what matches there, or that more text could still
change it. Then the scan stops, and the next call resumes at that position: so a text gives the same spans
however it was cut. It is rule-based: it finds the kinds and wordings that `cues` and `recognizers` list, and no others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder.recognizers import DEFAULT, NONE, OPEN, Recognizer
from reticent_detectors.finder.relations import ANNOUNCED, LEFT_CHARS, Question, Site, Strength
from reticent_detectors.finder.suppressed import Suppressed
from reticent_detectors.spans import FindContext, Scan, Span

_CONTEXT_CHARS = 256
_START = re.compile(r"(?<!\w)[^\W_]|[$€£+(]")  # regex's search takes time in proportion to the rest of the text here
_FOR_UTILITIES = regex.compile(
    r"(?i) (?:for|on|towards?|in) (?:(?:the|his|her|their|my|your) )?(?:utilit(?:y|ies)|electric(?:ity)?|gas|water|power|energy|heating)\b"
)


class _View(NamedTuple):
    """The answer with the end of the text before it: `text[offset:]` is the answer."""

    text: str
    offset: int
    left: int
    question: Question

    def site(self, p: int) -> Site:
        said = p - self.offset + self.left
        return Site(self.text, p, said if said <= 2 * LEFT_CHARS else None, self.question)


class SpanFinder:
    """Finds personal data from left to right; at one position the longest match wins, then the order of the recognisers."""

    def __init__(self, recognizers: Sequence[Recognizer] = DEFAULT, suppressed: Sequence[Suppressed] = ()) -> None:
        self._recognizers = tuple(recognizers)
        self._suppressed = tuple(suppressed)
        self._by_first = {
            sort: tuple(
                tuple(r for r in recognizers if sort in r.first and r.loose is loose) for loose in (False, True)
            )
            for sort in "duls"
        }

    def __repr__(self) -> str:
        return f"SpanFinder({len(self._recognizers)} recognizers, {len(self._suppressed)} suppressed values)"

    def with_suppressed(self, entity: str, value: str) -> SpanFinder:
        """A finder that also finds `value` anywhere, in any spelling, as kind `entity`.

        Re-spelled: without regard to case, up to 3 other characters between its letters and digits. A value of fewer than 4
        letters and digits is found as it stands only, and only where no letter or digit touches it.
        """
        return SpanFinder(self._recognizers, (*self._suppressed, Suppressed(entity, value)))

    def next_span(self, text: str, start: int, *, context: FindContext, closed: bool) -> Scan:
        """The next final span at or after `start`, or how far the text is decided.

        Args:
            text: the answer so far, all of it.
            start: 0, or the frontier of the last scan of a shorter or equal text.
            context: what stands before the answer.
            closed: whether the text is complete.

        Offsets are in characters. Only a scan from 0 reports spans that begin in `context.left`.
        """
        view = _view(text, start, context)
        p = 0 if start == 0 else start + view.offset
        while (p := self._next_start(view.text, p)) >= 0:
            entity, end, name = self._decide(view, p, closed)
            if end == OPEN:
                return Scan(None, max(0, p - view.offset))
            if end > view.offset:
                return Scan(Span(entity, p - view.offset, end - view.offset, name), end - view.offset)
            p = end if end else p + 1
        return Scan(None, len(text))

    def fragment(self, text: str, start: int, *, context: FindContext) -> Span | None:
        """The first value in a tail that the end of the stream left undecided; None if all the rest is plain talk.

        Call it with the last frontier, then again from the span's end, until it returns None. A value that reaches the end of the
        text counts as cut (`fragment=True`), whether or not it is whole.
        """
        view = _view(text, start, context)
        p = 0 if start == 0 else start + view.offset
        while (p := self._next_start(view.text, p)) >= 0:
            entity, end, name = self._decide(view, p, True)
            if end != len(view.text):
                site = view.site(p)
                for recognizer in self._recognizers:
                    if recognizer.begins(view.text, p, site):
                        entity, end, name = str(recognizer.entity or site.amount()), len(view.text), recognizer.name
                        break
                for value in self._suppressed:
                    if value.begins(view.text, p):
                        entity, end, name = value.entity, len(view.text), value.name
            if end > view.offset:
                return Span(entity, p - view.offset, end - view.offset, name, fragment=end == len(view.text))
            p = end if end else p + 1
        return None

    def _next_start(self, text: str, p: int) -> int:
        """The next position where any recogniser may begin; -1 if there is none."""
        match = _START.search(text, p)
        nearest = match.start() if match else -1
        for value in self._suppressed:
            other = value.next_start(text, p)
            if other >= 0 and (nearest < 0 or other < nearest):
                nearest = other
        return nearest

    def _decide(self, view: _View, p: int, closed: bool) -> tuple[str, int, str]:
        """(entity, end, recogniser) of what begins at p; end is NONE or OPEN if nothing does, or if it is not yet known."""
        text = view.text
        entity, end, name = "", NONE, ""
        for value in self._suppressed:
            found = value.at(text, p, closed)
            if found == OPEN:
                return "", OPEN, ""
            if found > end:
                entity, end, name = value.entity, found, value.name
        if _START.match(text, p):
            open_, other = self._recognize(view, p, closed)
            if open_:
                return "", OPEN, ""
            if other is not None and other[1] > end:
                entity, end, name = other if not name else (entity, other[1], name)
        # A value that must not be said again may stand inside: then the whole is such a value, to its farther end.
        inside = p + 1
        while self._suppressed and inside < end:
            for value in self._suppressed:
                found = value.at(text, inside, closed)
                if found == OPEN:
                    return "", OPEN, ""
                if found > NONE:
                    entity, end, name = value.entity, max(end, found), value.name
            inside += 1
        return entity, end, name

    def _recognize(self, view: _View, p: int, closed: bool) -> tuple[bool, tuple[str, int, str] | None]:
        """(whether it is not yet known, the best match)."""
        text, site = view.text, view.site(p)
        for group in self._by_first[_sort(text[p])]:
            best: tuple[int, bool, Recognizer] | None = None
            for recognizer in group:
                end = recognizer.at(text, p, site, closed)
                if end == OPEN:
                    return True, None
                if end == NONE:
                    continue
                entity = recognizer.entity
                if entity in ANNOUNCED and site.kinds.get(entity) is Strength.ASKED:
                    if end + 2 > len(text) and not closed:
                        return True, None
                    if not site.is_answer(entity, end):
                        continue
                rank = (end, entity in ANNOUNCED and site.question.entity is entity)
                if best is None or rank > best[:2]:
                    best = (*rank, recognizer)
            if best is not None:
                end, _, winner = best
                entity_name = str(winner.entity or _amount(view, site, end))
                return False, (entity_name, end, winner.name)
        return False, None


def _view(text: str, start: int, context: FindContext) -> _View:
    question = Question(context.question)
    if not context.left or start >= LEFT_CHARS:
        return _View(text, 0, len(context.left), question)
    left = context.left[-_CONTEXT_CHARS:]
    return _View(left + text, len(left), len(context.left), question)


def _sort(char: str) -> str:
    if char.isdigit():
        return "d"
    if char.isupper():
        return "u"
    return "l" if char.isalpha() else "s"


def _amount(view: _View, site: Site, end: int) -> Entity:
    return Entity.UTILITY_BILL if _FOR_UTILITIES.match(view.text, end, end + 48) else site.amount()
