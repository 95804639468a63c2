"""The finder on random texts of its own words and marks: cuts change nothing, nothing raises.

`RETICENT_EXAMPLES=20000 pytest tests/test_finder_fuzz.py` tries more examples, other ones each time.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_finder import FINDER, STRUCTURED, offline, online

from reticent_detectors import finder
from reticent_detectors.spans import FindContext

EXAMPLES = int(os.environ.get("RETICENT_EXAMPLES", "80"))
FUZZ = settings(
    max_examples=EXAMPLES,
    derandomize="RETICENT_EXAMPLES" not in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
    deadline=None,
)
# fmt: off
CODES = ["65653", "4827", "C4J9K2T1", "123-45-6789", "943 476 5919", "12.345.678-9", "AB123456C", "784005756682823302",
         "hunter2", "Xk9!pQ2w", "3f9a77bc", "**** 7036", "7 May 1988", "jane dot roe at example dot com",
         "4 6 8 7 4 9 1", "four six eight", "192.168.2.44", "2001:db8::1", "aa:bb:cc:dd:ee:ff", "NDY4Nzg5", "٤٥٦",
         "４６８", "ﬁ", "İstanbul", "straße", "ǅ", "漢字", "\u200b", "\u0301", "\ud7ff", "\x00", "\u202e", "Jo Day",
         "Jean-Luc Picard", "Type 2 diabetes", "Gregory PLC", "M-KT 4821", "AB12 CDE", "48.13743, 11.57549",
         "48°08′15″N", "gay", "a lesbian", "armed robbery", "vol", "dass Jo Day", "convicted", "verurteilt wegen",
         "gay and bilingual", "trade mark attorney", '{"a": "405", "b": "931", "c": "9589"}',
         '{"405": {"931": "9589"}}', "[4, 0, 5, 9", '"x": "Plumber"', "What is Jane Roe's phone number?",
         "Who is Jane Roe's doctor?", "What is her job?", "post office clerk", "vol à main armée",
         "possession of a firearm", "-33.8688, 151.2093"]
MARKS = [", ", ". ", ": ", "; ", "! ", "? ", "’s ", "'s ", " (", ") ", " [", "] ", " - ", " – ", " = ", "\n", "\n\n",
         "\r\n", "\t", "\u00a0", "\u2028", "\u3000", "\n- ", "\n1. ", "\n# ", "| ", " |\n| --- | --- |\n| ", ' "', '" ',
         " “", "” ", " «", "» ", " „", "“ ", "```\n", "</", "0", "7", "42", *"\"'`*_{}<>=/\\-+&@%#$€,.:…ªº"]
# fmt: on


def _words() -> Iterator[str]:
    """All words that the finder's modules hold: of tables, phrases and patterns."""
    for path in sorted(Path(finder.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                is_table = re.fullmatch(r"[^\\[\](){}*+^$]*", node.value)
                yield from re.split(r"[\s/|?]+" if is_table else r"[\W_]+", node.value)


WORDS = sorted({word for word in _words() if 0 < len(word) <= 24})
PIECES = st.one_of(
    st.sampled_from(WORDS),
    st.sampled_from(WORDS).map(str.capitalize),
    st.sampled_from(CODES + [value for values in STRUCTURED.values() for value in values]),
    st.integers(0, 10**18).map(str),
)
SEPARATED = st.tuples(PIECES, st.one_of(st.just(" "), st.sampled_from(MARKS))).map("".join)
TEXTS = st.lists(SEPARATED, min_size=1, max_size=14).map(lambda pieces: "".join(pieces)[:220])
NOTHING_OR_TEXT = st.one_of(st.just(""), TEXTS)
CONTEXTS = st.builds(
    lambda left, question, earlier, model_chars: FindContext(question=question, earlier=earlier).behind(
        left, model_chars
    ),
    NOTHING_OR_TEXT,
    NOTHING_OR_TEXT,
    NOTHING_OR_TEXT,
    st.sampled_from([0, 0, 20, 200]),
)


@given(text=TEXTS, context=CONTEXTS, step=st.integers(1, 9))
@FUZZ
def test_text_of_the_finders_own_words_may_come_in_any_pieces(text: str, context: FindContext, step: int) -> None:
    whole = offline(text, context)
    assert online(text, range(1, len(text)), context) == whole
    assert online(text, range(step, len(text), step), context) == whole


@given(text=TEXTS, context=CONTEXTS, step=st.integers(1, 24))
@FUZZ
def test_text_of_the_finders_own_words_may_end_anywhere(text: str, context: FindContext, step: int) -> None:
    for end in range(0, len(text) + 1, step):
        open_ = FINDER.next_span(text[:end], 0, context=context, closed=False)
        closed = FINDER.next_span(text[:end], 0, context=context, closed=True)
        fragment = FINDER.fragment(text[:end], open_.frontier, context=context)
        for span in (open_.span, closed.span, fragment):
            assert span is None or (span.start < span.end <= end and span.answer_start < span.end)
        if open_.span is not None:
            assert closed.span == open_.span
