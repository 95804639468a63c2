"""What the finder keeps of a position at which it waits changes nothing that it finds."""

from __future__ import annotations

import pytest

from reticent_detectors.entities import Entity
from reticent_detectors.finder import Pattern, SpanFinder
from reticent_detectors.finder.engine import dispatch
from reticent_detectors.finder.engine.decisions import Decisions
from reticent_detectors.finder.engine.recognizers import may_match
from reticent_detectors.spans import FindContext

LETTERS = Pattern("letters", Entity.OTHER, "l", "ab+", tail=r"(?![a-z])", plain_word_starts="l")
DIGITS = Pattern("digits", Entity.OTHER, "d", r"\d{2,8}")


def test_another_text_is_read_anew() -> None:
    context, finder = FindContext(), SpanFinder((DIGITS,))
    assert finder.next_span("x 12", 2, context=context, closed=False).frontier == 2
    other = finder.next_span("x 1 34 ", 2, context=context, closed=False)
    assert other.span is not None
    assert (other.span.start, other.span.end) == (4, 6)


def test_another_finder_asks_its_own_recognisers() -> None:
    context = FindContext()
    assert SpanFinder((LETTERS,)).next_span("x ab", 2, context=context, closed=False).frontier == 2
    assert SpanFinder((DIGITS,)).next_span("x ab 12 ", 2, context=context, closed=False).frontier == 7


def test_what_no_text_can_change_stays_decided_in_the_same_text_alone() -> None:
    owner, decisions = object(), Decisions()
    decisions.follow("one two ", 0, 0, owner).final[0] = None
    decisions.closed[4] = decisions.begun[4] = None
    assert decisions.follow("one two ", 0, 0, owner).closed == {4: None}
    grown = decisions.follow("one two three", 4, 0, owner)
    assert (grown.final, grown.closed, grown.begun) == ({0: None}, {}, {})
    for text, offset, other in (("one too", 0, owner), ("one two three", 1, owner), ("one two three", 0, object())):
        decisions.follow("one two ", 0, 0, owner).final[0] = None
        assert decisions.follow(text, 4, offset, other).final == {}


def test_what_is_remembered_of_positions_is_bounded() -> None:
    owner, decisions, text = object(), Decisions(), "a " * 5000
    decisions.follow(text, 0, 0, owner).final.update(dict.fromkeys(range(0, 10_000, 2)))
    assert min(decisions.follow(text, 9000, 0, owner).final) == 9000


@pytest.mark.parametrize(
    ("head", "may"), [("2018 ", False), ("12, ", False), ("12.5", True)], ids=["a year", "a comma", "a decimal"]
)
def test_a_pattern_is_passed_that_no_such_number_begins(head: str, may: bool) -> None:
    decimal = Pattern("decimal", Entity.OTHER, "d", r"\d{1,4}\.\d+")
    assert decimal.may_begin_with(head) is may


def test_a_pattern_that_looks_back_is_never_passed() -> None:
    behind = Pattern("behind", Entity.OTHER, "d", r"(?<=no )\d{5}")
    assert behind.may_begin_with("12 x")
    assert may_match(behind._open, "12 x")


def test_what_is_remembered_of_words_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatch, "_MOST_REMEMBERED", 3)
    made = dispatch.Dispatch((LETTERS,))
    for before in ["of", "to", "in", "at", "on"]:
        assert made.at_word("ab", " ", before, "l") == ((LETTERS,), ())
    assert len(made._by_word) <= 3
