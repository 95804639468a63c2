"""Finds the spans of a text that comes in pieces."""

from __future__ import annotations

from collections.abc import Iterable

from reticent_detectors.finder import SpanFinder
from reticent_detectors.spans import FindContext, Span


def found(finder: SpanFinder, text: str, cuts: Iterable[int], context: FindContext) -> list[Span]:
    """All spans of a text whose pieces end at `cuts`."""
    at, out = 0, list[Span]()
    for end in [*cuts, len(text)]:
        while True:
            scan = finder.next_span(text[:end], at, context=context, closed=end == len(text))
            at = scan.frontier
            if scan.span is None:
                break
            out.append(scan.span)
    return out
