"""Runs a span finder over texts: whole, or token by token as a model writes them."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from reticent_bench.finder.score import Gold
from reticent_detectors.entities import GENERAL
from reticent_detectors.finder import SpanFinder, recognizers, tagger
from reticent_detectors.spans import FindContext, StateTags

Find = Callable[[str, str], list[Gold]]
"""(text, question) -> spans."""
NOTHING = FindContext()
_TOKEN = re.compile(r"\s?[^\W\d_]{1,6}|\s?\d{1,3}|\s?[\s\S]")


def full_finder() -> SpanFinder:
    """Every recogniser, those of names, places and dates as well."""
    return SpanFinder(recognizers(GENERAL), tagger=tagger.shipped())


def default_finder() -> SpanFinder:
    """Gives what is found unless a policy asks for more."""
    return SpanFinder()


def find(
    finder: SpanFinder, text: str, question: str = "", left: str = "", states: StateTags | None = None
) -> list[Gold]:
    """Return the spans of a whole text, which continues `left`; `states`: what its writer's states say of its words."""
    context, frontier = FindContext(left, question, states=states), 0
    spans: list[Gold] = []
    while True:
        scan = finder.next_span(text, frontier, context=context, closed=True)
        frontier = scan.frontier
        if scan.span is None:
            return spans
        if scan.span.end > 0:
            spans.append(Gold(scan.span.entity, scan.span.answer_start, scan.span.end))


def finding(finder: SpanFinder) -> Find:
    return lambda text, question: find(finder, text, question)


def tokens(text: str) -> Iterator[str]:
    """Pieces of about 4 characters, a blank in front of its word, as subword tokenizers cut."""
    for match in _TOKEN.finditer(text):
        yield match[0]


@dataclass(slots=True)
class Streamed:
    """What a stream cost: a figure for every token.

    `held_chars` counts the characters that were generated but not yet decided; `microseconds` is process time.
    """

    held_chars: list[int]
    microseconds: list[float]
    spans: list[Gold]


def stream(
    finder: SpanFinder,
    pieces: Iterable[str],
    start: str = "",
    clock: Callable[[], int] = time.process_time_ns,
    context: FindContext = NOTHING,
) -> Streamed:
    """Feeds a text token by token, after `start`, which is decided first and not counted."""
    out = Streamed([], [], [])
    text, frontier = start, 0
    while start:
        scan = finder.next_span(text, frontier, context=context, closed=False)
        frontier = scan.frontier
        if scan.span is None:
            break
    for piece in pieces:
        text += piece
        began = clock()
        while True:
            scan = finder.next_span(text, frontier, context=context, closed=False)
            frontier = scan.frontier
            if scan.span is None:
                break
            out.spans.append(Gold(scan.span.entity, scan.span.start, scan.span.end))
        out.microseconds.append((clock() - began) / 1000)
        out.held_chars.append(len(text) - frontier)
    return out
