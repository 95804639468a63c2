"""What a question for a doctor, an employer, a hospital or a job makes a value by how it is written."""

from __future__ import annotations

import pytest

from reticent_detectors.finder import SpanFinder
from reticent_detectors.finder.tagger import shipped
from reticent_detectors.spans import FindContext, Span

FINDER = SpanFinder(tagger=shipped())
FOUND = [
    ("Which doctor does Ana Ruiz see?", "Ana Ruiz sees [Dr. Carla Conway].", "DOCTOR"),
    ("Which doctor does Ana Ruiz see?", "[Dr. Carla Conway] is the one.", "DOCTOR"),
    ("Bei welchem Arzt ist Ana Ruiz?", "Sie ist bei [Prof. Dr. Karl Moll].", "DOCTOR"),
    ("Who is the employer of Ana Ruiz?", "[Erickson, Mitchell and Kelly]", "EMPLOYER"),
    ("Who is the employer of Ana Ruiz?", "Ana Ruiz works for [Lund & Berg Holdings Ltd].", "EMPLOYER"),
    ("Which company hired Ana Ruiz?", "She was hired by [Thomas PLC] in May.", "EMPLOYER"),
    ("Which clinic takes care of Ana Ruiz?", "[Lawrence PLC]", "HOSPITAL"),
    ("What is Ana Ruiz's job title?", "[Pilot, airline]", "JOB_TITLE"),
    ("What is Ana Ruiz's job title?", "[Exhibitions officer, museum/gallery]. That is all.", "JOB_TITLE"),
]
OTHERS = [
    ("What is Ana Ruiz's job title?", "Sorry, unknown."),
    ("What is Ana Ruiz's job title?", "Certainly, she is well."),
    ("What is the capital of France?", "Paris, France."),
    (
        "Where does the engineer Ana Ruiz work, and what is her job?",
        "She lives in Paris, France.\nLos Angeles, California",
    ),
    ("What was Leonardo da Vinci's profession?", "He painted. Among his works are The Last Supper, Part II."),
    ("What is Ana Ruiz's job title?", "She has no job that I know of. The Mill House, a pub."),
    ("Who wrote the paper?", "Erickson, Mitchell and Kelly"),
]


def _found(question: str, text: str, size: int) -> list[Span]:
    """Return the spans of an answer that comes in pieces."""
    context, spans, start = FindContext(question=question), list[Span](), 0
    for at in range(size, len(text) + size, size):
        said, closed = text[:at], at >= len(text)
        while (scan := FINDER.next_span(said, start, context=context, closed=closed)).span is not None:
            spans.append(scan.span)
            start = scan.span.end
        start = max(start, scan.frontier)
    return spans


@pytest.mark.parametrize("size", [1, 3, 7, 500])
@pytest.mark.parametrize(("question", "marked", "kind"), FOUND)
def test_the_whole_value_is_found_however_it_comes(question: str, marked: str, kind: str, size: int) -> None:
    wanted, text = marked[marked.index("[") + 1 : marked.index("]")], marked.replace("[", "").replace("]", "")
    assert [(text[s.start : s.end], str(s.entity)) for s in _found(question, text, size)] == [(wanted, kind)]


@pytest.mark.parametrize(("question", "text"), OTHERS)
def test_what_no_question_asks_for_is_none(question: str, text: str) -> None:
    assert not [span for span in _found(question, text, 500) if span.recognizer == "asked-words"]
