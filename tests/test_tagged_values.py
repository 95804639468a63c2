"""Words without a form, in sentences of six languages: how many the shipped finder meets."""

from __future__ import annotations

from pathlib import Path

from finder_cuts import found
from test_finder_places import OPENINGS

from reticent_detectors.finder import SpanFinder
from reticent_detectors.spans import FindContext

ROWS = [
    line.split("\t")
    for line in (Path(__file__).parent / "tagged_values.tsv").read_text("utf-8").splitlines()
    if not line.startswith("#")
]
FINDER = SpanFinder()


def test_most_values_are_found_in_the_prose_of_their_language() -> None:
    right, missed = 0, list[str]()
    for kind, frame, value in ROWS:
        start, text = frame.index("{v}"), frame.replace("{v}", value)
        spans = [span for span in found(FINDER, text) if span.start < start + len(value) and start < span.end]
        right += any(span.entity == kind for span in spans)
        if not spans:
            missed.append(text)
    print(right, len(ROWS), missed)
    assert right >= 0.7 * len(ROWS)  # 42 of 57 when it was trained


ASKED = [
    ("Who is Jane Roe's doctor?", "Susan Webb"),
    ("Where does Jane Roe work?", "Globex Corporation"),
    ("What is Jane Roe's job?", "Senior accountant"),
    ("What is Jane Roe's diagnosis?", "asthma"),
]


def test_most_answers_to_a_question_are_found_however_they_are_introduced() -> None:
    met = [
        any(value in text[span.start : span.end] for span in found(FINDER, text, (), FindContext(question=question)))
        for question, value in ASKED
        for text in (opening.format(v=value) for opening in OPENINGS)
    ]
    print(sum(met), len(met))
    assert sum(met) >= 0.8 * len(met)
