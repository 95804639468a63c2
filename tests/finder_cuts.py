"""Finds the spans of a text that comes in pieces, and counts how many are those that were expected."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from reticent_detectors.entities import Entity
from reticent_detectors.finder import SpanFinder
from reticent_detectors.spans import FindContext, Span

NOTHING = FindContext()


def found(finder: SpanFinder, text: str, cuts: Iterable[int] = (), context: FindContext = NOTHING) -> list[Span]:
    """All spans of a text that arrives in pieces that end at `cuts`, and is then complete."""
    spans, frontier = list[Span](), 0
    for cut, closed in [*((cut, False) for cut in cuts), (len(text), True)]:
        while True:
            scan = finder.next_span(text[:cut], frontier, context=context, closed=closed)
            assert frontier <= scan.frontier <= cut
            frontier = scan.frontier
            if scan.span is None:
                break
            assert scan.span.end == frontier
            spans.append(scan.span)
    return spans


def recall_and_precision(
    rows: Iterable[tuple[str, Sequence[str]]], entity: Entity, read: Callable[[str], Sequence[tuple[str, str]]]
) -> tuple[float, float]:
    """Of exact values of a kind. A text without values counts against precision alone."""
    hits = wanted = spans = 0
    for text, values in rows:
        read_values = [value for kind, value in read(text) if kind == entity]
        hits += sum(value in read_values for value in values)
        wanted += len(values)
        spans += len(read_values)
    return hits / wanted, hits / max(spans, 1)
