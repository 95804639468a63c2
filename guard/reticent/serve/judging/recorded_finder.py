"""Finds recorded values that begin in one part of an answer and end in another, and recorded values alone.

Everything else in a part is found by the finder of its own text. What a value has in another part was shown already,
so only its piece in this part is a span. A text is held while a value that began before it may go on in it.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import NamedTuple

from reticent.core.stream_machine import Finder
from reticent.serve.judging.answer_parts import AnswerPart, Neighbours
from reticent_detectors.finder.recorded import RECORDED, RecordedValues
from reticent_detectors.finder.recorded_parts import REACH
from reticent_detectors.finder.recorded_scan import RecordedScan
from reticent_detectors.spans import FindContext, Scan, Span

_WINDOW = 2 * REACH
"""Characters of a part in which a value that began before it has ended."""


class RecordedFinder:
    """Finds recorded values and nothing else, in texts that are complete; none: what is given is None."""

    def __init__(self, values: RecordedValues | None) -> None:
        self._values = values

    def __repr__(self) -> str:
        return "RecordedFinder()"

    def next_span(self, text: str, start: int, *, context: FindContext, closed: bool) -> Scan:
        """Finds the next recorded value."""
        if not closed:
            return Scan(None, start)
        if self._values is None:
            return Scan(None, len(text))
        return RecordedScan.of(context).next_span(self._values, text, start, closed)

    def fragment(self, text: str, start: int, *, context: FindContext) -> Span | None:
        """Finds nothing, as a part of a recorded value is none."""
        return None

    def with_suppressed(self, entity: str, value: str) -> RecordedFinder:
        """Gives itself: what another text was stopped at is found by the finder of the whole text."""
        return self


class _Reading(NamedTuple):
    """Holds what was read of a part behind a text: the text, and how much of the part was stopped before."""

    before: str
    cut: int
    scan: RecordedScan


class PartFinder:
    """Finds what another finder does, and recorded values that reach from a part into another.

    Args:
        inner: finds the spans of the part's own text.
        values: the recorded values.
        part: the part.
    """

    def __init__(self, inner: Finder, values: RecordedValues, part: AnswerPart) -> None:
        self._inner, self._values, self._part = inner, values, part
        self._readings: dict[int, _Reading] = {}
        self._over: set[tuple[str, int]] = set()  # what no value reaches over from, whatever follows
        self.wholes: dict[tuple[int, int], str] = {}
        """The whole values, by the places of their pieces in this part."""
        self._cuts: list[int] = [0]

    def __repr__(self) -> str:
        return f"PartFinder({self._inner!r})"

    def next_span(self, text: str, start: int, *, context: FindContext, closed: bool) -> Scan:
        """Finds the next span."""
        own = self._inner.next_span(text, start, context=context, closed=closed)
        neighbours = self._part.neighbours(closed)
        if not neighbours:
            return own
        other = self._crossing(neighbours, text, start, closed)
        if other is None:
            return own
        return Scan(None, start) if other.span is None else self._joined(own.span, other.span)

    def fragment(self, text: str, start: int, *, context: FindContext) -> Span | None:
        """Finds the first value that the end of the text may have cut short."""
        own = self._inner.fragment(text, start, context=context)
        neighbours = self._part.neighbours(True)
        other = self._crossing(neighbours, text, start, True) if neighbours else None
        return own if other is None or other.span is None else self._joined(own, other.span).span

    def decided_without_tagger(self, text: str, start: int, *, context: FindContext) -> int:
        """Return how far a text is decided if the tagger does not wait; not at all beside another part's pieces."""
        hastily = getattr(self._inner, "decided_without_tagger", None)
        if hastily is None or self._part.neighbours(True):
            return start
        decided: int = hastily(text, start, context=context)
        return decided

    def with_suppressed(self, entity: str, value: str) -> PartFinder:
        """Gives a finder that also finds `value` anywhere."""
        finder = copy.copy(self)
        finder._inner = self._inner.with_suppressed(entity, value)
        return finder

    def _joined(self, own: Span | None, other: Span) -> Scan:
        """Gives the first of two spans. One of the text's own is cut where the other begins, or goes into it."""
        if own is None or own.start >= other.end:
            return Scan(other, other.end)
        if own.end <= other.start:
            return Scan(own, own.end)
        if own.answer_start < other.start and own.recognizer != RECORDED:
            cut = Span(own.entity, own.start, other.start, own.recognizer)
            return Scan(cut, cut.end)
        start, end = min(own.answer_start, other.start), max(own.end, other.end)
        both = Span(other.entity, start, end, RECORDED, fragment=True)
        self.wholes[start, end] = self.wholes[other.start, other.end]
        self._cuts.append(end)
        return Scan(both, end)

    def _crossing(self, neighbours: list[Neighbours], text: str, start: int, closed: bool) -> Scan | None:
        """Gives the next piece of a value that reaches into or out of the text, or an empty scan if it may have one."""
        cut = max(each for each in self._cuts if each <= start)
        found: tuple[int, int, str, str] | None = None
        is_open = False
        for number, beside in enumerate(neighbours):
            for hit in self._hits(number, beside, text, cut, closed):
                if hit is None:
                    is_open = True
                elif hit[1] > start and (found is None or (max(hit[0], start), -hit[1]) < (found[0], -found[1])):
                    found = max(hit[0], start), *hit[1:]
        if found is None or (is_open and not closed and found[0] > start):
            return Scan(None, start) if is_open else None
        begin, end, kind, whole = found
        self.wholes[begin, end] = whole
        self._cuts.append(end)
        return Scan(Span(kind, begin, end, RECORDED, fragment=True), end)

    def _hits(
        self, number: int, beside: Neighbours, text: str, cut: int, closed: bool
    ) -> Iterator[tuple[int, int, str, str] | None]:
        """Yields pieces of values in the text with their kinds and the whole values; None: there may be one."""
        before, behind, begun = beside.before, beside.behind, "" if cut else beside.begun
        if before and len(text) - cut <= _WINDOW + REACH and (before, cut) not in self._over:
            yield from self._from_before(number, before, begun, text, cut, closed)
        if behind:
            yield from self._up_to_behind(before, begun, behind, text, cut)

    def _from_before(
        self, number: int, before: str, begun: str, text: str, cut: int, closed: bool
    ) -> Iterator[tuple[int, int, str, str] | None]:
        reading = self._readings.get(number)
        left = (before + begun)[-REACH:]
        if reading is None or reading.before != before or reading.cut != cut:
            reading = self._readings[number] = _Reading(before, cut, RecordedScan(left))
        window, closed = text[cut : cut + _WINDOW], closed or len(text) > cut + _WINDOW
        scan = reading.scan.next_span(self._values, window, 0, closed)
        span = scan.span
        if span is not None and span.start < -len(begun):
            yield cut, cut + span.end, span.entity, (left + window)[len(left) + span.start : len(left) + span.end]
        elif span is None and scan.frontier == 0 and not closed:
            yield None
        elif not closed:
            self._over.add((before, cut))

    def _up_to_behind(
        self, before: str, begun: str, behind: str, text: str, cut: int
    ) -> Iterator[tuple[int, int, str, str]]:
        at = max(cut, len(text) - REACH)
        left = (before + begun)[-REACH:] if at == cut else ""
        source, size, first = f"{left}{text[at:]}{behind}", len(left) + len(text) - at, 0
        scan = RecordedScan("")
        while (span := scan.next_span(self._values, source, first, True).span) is not None:
            if len(left) < span.end and span.start < size < span.end:
                begin = at + max(0, span.start - len(left))
                yield begin, len(text), span.entity, source[span.start : span.end]
            first = span.end
