"""Where recorded values are in an answer: as it stands, in plain characters, and in what else it may stand for."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from reticent_detectors.finder.coded_text import CodedText
from reticent_detectors.finder.loose_text import LooseText
from reticent_detectors.finder.number_text import NumberText
from reticent_detectors.finder.plain_text import PlainText, plain_form_of
from reticent_detectors.finder.recorded import RECORDED, RecordedValues
from reticent_detectors.finder.recorded_lookup import Hit
from reticent_detectors.finder.recorded_parts import REACH
from reticent_detectors.spans import FindContext, Scan, Span

_PART, _PART_CHARS = re.compile(r"[0-9@]"), 64
"""What a value has that is half in plain text and half in the code after it, and how far before the code. Names that
are written so are not found."""


class RecordedScan:
    """Reads a growing answer in several ways, codes within codes too. A value may begin before the answer.

    Args:
        left: what stands before the answer.
    """

    def __init__(self, left: str) -> None:
        self._left = left[-REACH:]
        self._plain, self._numbers = PlainText(), NumberText()
        self._chain = LooseText(), CodedText(), LooseText(), CodedText()
        self._ordinary, self._seen, self._makers = Scan(None, 0), "", tuple[object, ...]()
        # How far each reading has no value, whatever follows, and the text of which that was said.
        self._read, self._frontiers = "", dict[tuple[int, int], int]()
        self._kept = dict[tuple[int, object], Any]()  # of each reading and reader, what the reader keeps

    def __repr__(self) -> str:
        return f"RecordedScan({self._plain!r}, {', '.join(map(repr, self._chain))})"

    @classmethod
    def of(cls, context: FindContext) -> RecordedScan:
        """Gives what was read of a context's answer so far."""
        scan = context.read.get("recorded")
        if not isinstance(scan, RecordedScan):
            scan = context.read["recorded"] = RecordedScan(context.left)
        return scan

    def known(self, answer: str, start: int, *makers: object) -> Scan:
        """Gives what the last scan for other values said from `start` on, if it was of the same answer and finder."""
        scan = self._ordinary
        same = len(makers) == len(self._makers) and all(map(operator.is_, makers, self._makers))
        if same and answer.startswith(self._seen):
            if scan.span is None and scan.frontier >= start:
                return scan
            if scan.span is not None and scan.span.answer_start >= start:
                return scan
        return Scan(None, start)

    def keep(self, answer: str, scan: Scan, *makers: object) -> None:
        """Keeps what a scan for other values said, which more text does not change."""
        self._ordinary, self._seen, self._makers = scan, answer[: scan.frontier], makers

    def next_span(self, recorded: RecordedValues, answer: str, start: int, closed: bool) -> Scan:
        """Gives the next recorded value from `start` on, or how far there is none."""
        before = len(self._left)
        source = self._left + answer if before else answer
        begins = start + before if start else 0
        found: Hit | None = None
        frontier = len(source)
        for hit in self._hits(recorded, source, begins, closed, before):
            if isinstance(hit, int):
                frontier = min(frontier, hit)
            elif found is None or (hit.start, -hit.end) < (found.start, -found.end):
                found = hit
        if found is None or frontier <= found.start:
            return Scan(None, max(start, frontier - before))
        parts = tuple((start - before, end - before) for start, end in found.parts)
        span = Span(found.kind, found.start - before, found.end - before, RECORDED, parts=parts)
        return Scan(span, span.end)

    def _hits(self, recorded: RecordedValues, source: str, begins: int, closed: bool, before: int) -> list[Hit | int]:
        """Gives each reading's next value that ends within the answer, or how far there is none, in the source."""
        if not source.startswith(self._read):
            self._frontiers, self._kept = {}, {}
        self._read = source
        hits: list[Hit | int] = self._behind(0, recorded, source, begins, closed, before)
        for number, texts in enumerate(self._read_texts(source, closed), 1):
            if texts[-1].is_source:
                continue
            is_code = texts[-1].is_prefix and texts[-1] is not self._numbers
            if isinstance(texts[-1], LooseText) and len(texts[-1].text) < len(texts[-2].text if texts[1:] else source):
                is_code = False  # what stands at the end may join the last word to the next
            if is_code and _PART.search(texts[-1].text, max(0, len(texts[-1].text) - _PART_CHARS)) is None:
                hits.append(_in_source(len(texts[-1].text), texts))
                continue
            first, left = begins, before
            for text in texts:
                first, left = text.offset(first), text.offset(left)
            for hit in self._behind(number, recorded, texts[-1].text, first, closed, left):
                hits.append(_in_source(hit, texts))
        return hits

    def _read_texts(self, source: str, closed: bool) -> Iterator[tuple[PlainText, ...]]:
        """Yields the readings, each with those on which it is based before it.

        Where one reads a text as it stands, and the one before it did, those after them would do so, too.
        """
        plain = _read(self._plain, source, closed)
        yield (plain,)
        yield plain, _read(self._numbers, plain.text, closed)
        texts = tuple[PlainText, ...]()
        for reading in self._chain:
            texts = (*texts, _read(reading, source, closed))
            yield texts
            if len(texts) > 1 and texts[-1].is_source and texts[-2].is_source:
                return
            source = texts[-1].text

    def _behind(
        self, number: int, recorded: RecordedValues, text: str, begins: int, closed: bool, before: int
    ) -> list[Hit | int]:
        """Gives a reading's next value that ends behind `before`, by each way to look for one."""
        hits, scans = list[Hit | int](), list[Callable[[str, int, bool], Hit | int]](recorded.scans)
        for reader in recorded.readers:
            reading: Any = self._kept.get((number, reader))
            if reading is None:
                reading = self._kept[number, reader] = reader.reading()
            scans.append(partial(reader.scan, reading=reading.copy() if closed else reading))
        for way, scan in enumerate(scans):
            hit = scan(text, max(begins, self._frontiers.get((number, way), 0)), closed)
            while isinstance(hit, Hit) and hit.end <= before:
                hit = scan(text, hit.end, closed)
            if not closed:
                self._frontiers[number, way] = hit if isinstance(hit, int) else hit.start
            hits.append(hit)
        return hits


def _read(reading: PlainText, source: str, closed: bool) -> PlainText:
    if closed:
        return reading.closed(source)
    reading.read(source)
    return reading


def _in_source(hit: Hit | int, texts: tuple[PlainText, ...]) -> Hit | int:
    """Return a hit in the last of some texts, or how far there is none, as one in what the first is a reading of."""
    for text in reversed(texts):
        if isinstance(hit, int):
            hit = text.source_start(hit)
        else:
            parts = tuple((text.source_start(start), text.source_end(end)) for start, end in hit.parts)
            hit = Hit(hit.kind, text.source_start(hit.start), text.source_end(hit.end), parts)
    return hit


def merged(ordinary: Scan, recorded: Scan, values: RecordedValues, answer: str) -> Scan:
    """Gives the first of two scans' spans. Another value ends where a recorded one begins in it.

    If the records hold all of the other value, it counts as a recorded one.
    """
    span, other = ordinary.span, recorded.span
    if other is None:
        if span is None or recorded.frontier < span.end:
            return Scan(None, min(recorded.frontier, ordinary.frontier if span is None else span.answer_start))
        return ordinary
    if span is None:
        # Another value may begin where it does, and be longer.
        return recorded if ordinary.frontier > other.answer_start else ordinary
    if span.end <= other.start:
        return ordinary
    covers = 0 <= span.start <= other.start and span.end >= other.end
    if covers and values.holds(plain_form_of(answer[span.start : span.end]), span.entity):
        return Scan(replace(span, recognizer=RECORDED), span.end)
    if span.start < other.start and other.start > span.answer_start:
        cut = Span(span.entity, span.start, other.start, span.recognizer)
        return Scan(cut, cut.end)
    return recorded
