"""What drops wrong proposals of the finder: what it reads, what it refuses, and how it is trained."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest
from finder_cuts import found
from hypothesis import given
from hypothesis import strategies as st

from reticent.policy.finder_cache import FinderCache
from reticent.policy.policy import Policy
from reticent_bench.finder.score import Gold
from reticent_bench.real_answers import check_training as training
from reticent_bench.real_answers.marked import Marked, parse, phrased, read_marked
from reticent_detectors.entities import Entity
from reticent_detectors.errors import InputError
from reticent_detectors.finder import SpanFinder, recognizers
from reticent_detectors.finder import span_check as module
from reticent_detectors.finder.span_check import BITS, LEFT_CHARS, SpanCheck, features, rows_of, shipped
from reticent_detectors.spans import FindContext, Span

BORN = "Her father was born in Germany in 1950, and was treated at Mercy General Hospital."


class Refusing:
    """Refuses chosen values of a kind, and remembers what it was asked."""

    def __init__(self, kind: str, *values: str) -> None:
        self.kind, self.values, self.asked = kind, values, list[tuple[str, str, int]]()

    def refuses(self, kind: str, recognizer: str, text: str, start: int, end: int, answer: int) -> bool:
        self.asked.append((kind, text[start:end], answer))
        return kind == self.kind and text[start:end] in self.values


def _found(finder: SpanFinder, text: str, pieces: list[int], left: str = "") -> list[Span]:
    """The spans of a text that comes in pieces which end at `pieces`."""
    return found(finder, text, pieces, FindContext(left, "Who is it?"))


def _kinds(finder: SpanFinder, text: str) -> dict[str, str]:
    return {text[span.start : span.end]: span.entity for span in _found(finder, text, [])}


def test_a_refused_proposal_leaves_the_place_to_others() -> None:
    check, both = Refusing("HOSPITAL", "Germany"), recognizers((Entity.LOCATION,))
    plain, checked = SpanFinder(both), SpanFinder(both, check=check)
    assert _kinds(plain, BORN)["Germany"] == "HOSPITAL" and _kinds(checked, BORN)["Germany"] == "LOCATION"
    assert _kinds(plain, BORN)["Mercy General Hospital"] == _kinds(checked, BORN)["Mercy General Hospital"]
    assert ("HOSPITAL", "Germany", 0) in check.asked
    # A value that must not be said again is found all the same.
    again = checked.with_suppressed("HOSPITAL", "Germany")
    assert _kinds(again, BORN)["Germany"] == "HOSPITAL"


@given(st.lists(st.integers(1, len(BORN) - 1), max_size=12), st.sampled_from(["", "Nurse: ", "x" * 300 + " "]))
def test_a_text_gives_the_same_spans_however_it_is_cut(cuts: list[int], left: str) -> None:
    class Halving:
        """Refuses half of all proposals, by what the check reads of them."""

        def refuses(self, kind: str, recognizer: str, text: str, start: int, end: int, answer: int) -> bool:
            rows = rows_of(kind, recognizer, text[max(answer, start - LEFT_CHARS) : start], text[start:end])
            return bool(rows.sum() % 2)

    finder = SpanFinder(recognizers((Entity.LOCATION, Entity.PERSON)), check=Halving())
    assert _found(finder, BORN, sorted(set(cuts)), left) == _found(finder, BORN, [], left)


def test_what_it_reads_is_the_value_and_words_of_the_answer_before_it() -> None:
    feature_set = set(features("HOSPITAL", "hospital", "She was born in ", "Germany"))
    assert {"k HOSPITAL", "l1 in", "HOSPITAL l1 in", "ll born in", "v germany", "vx X"} <= feature_set
    far = "one two three four five six "
    assert set(features("PIN", "pin", "near " + far, "12")) == set(features("PIN", "pin", far, "12"))
    numbers = set(features("PIN", "pin", "code 4711: ", "1234"))
    assert "l2 #4" in numbers and "v #4" in numbers and not any("4711" in each or "1234" in each for each in numbers)
    rows = rows_of("PIN", "pin", "code: ", "1234")
    assert rows.max() < 1 << BITS and len(set(rows.tolist())) == len(rows)


@given(
    st.sampled_from(["", "Where is it?", "and serve la in history what review", "list price of the war in 1945"]),
    st.text(max_size=40),
)
def test_nothing_that_a_client_writes_has_a_value_refused(question: str, left: str) -> None:
    check = shipped()
    said = "She paid $4,312.50 at Mercy General Hospital on 12 May 2024, and takes metformin 500 mg."
    for kind, value in (
        ("TRANSACTION_AMOUNT", "$4,312.50"),
        ("HOSPITAL", "Mercy General Hospital"),
        ("PRESCRIPTION", "metformin 500 mg"),
    ):
        start = said.index(value)
        for name in check.recognizers:
            alone = check.refuses(kind, name, said, start, start + len(value), 0)
            for before in (left, question):
                first = len(before) + start
                assert check.refuses(kind, name, before + said, first, first + len(value), len(before)) is alone


def test_half_a_pair_of_surrogates_stops_nothing() -> None:
    """A server may cut an emoji in two."""
    cut = "Great \ud83d\ude00! She paid $4,312.50 at Mercy General Hospital."
    assert "Mercy General Hospital" in _kinds(FinderCache().of(Policy()), cut)
    assert len(rows_of("HOSPITAL", "hospital", "\ud83d at ", "\ude00")) > 5


@pytest.mark.parametrize("left", ["", "Dr. Lee writes: "])
def test_the_shipped_check_gives_the_same_spans_however_a_text_is_cut(left: str) -> None:
    finder = FinderCache().of(Policy())
    text = f"{BORN} He paid $50 for electricity on 3 May 2024; tickets cost $12. The war ended on 8 May 1945."
    whole = _found(finder, text, [], left)
    assert len(whole) >= 3
    for cut in range(1, len(text)):
        assert _found(finder, text, [cut], left) == whole


def test_only_kinds_and_recognisers_that_it_knows_are_refused() -> None:
    check = SpanCheck(np.zeros(1 << BITS), -1.0, MappingProxyType({"HOSPITAL": 0.0}), frozenset({"hospital"}))
    assert check.refuses("HOSPITAL", "hospital", "in Rome", 3, 7, 0)
    assert not check.refuses("DOCTOR", "hospital", "in Rome", 3, 7, 0)
    assert not check.refuses("HOSPITAL", "somebody's own", "in Rome", 3, 7, 0)
    assert repr(check) == "SpanCheck(1 kinds)"


def test_the_shipped_check_tells_a_birthplace_from_a_hospital() -> None:
    finders = FinderCache()
    checked, all_ = (finders.of(Policy(check_spans=each)) for each in (True, False))
    assert checked is finders.of(Policy()) and all_ is not checked
    assert "Germany" in _kinds(all_, BORN) and "Germany" not in _kinds(checked, BORN)
    assert _kinds(checked, BORN)["Mercy General Hospital"] == "HOSPITAL"
    toured = "Call 415-555-0132 for tickets. Nikola Tesla was born in Budapest."
    assert set(_kinds(all_, toured)) - set(_kinds(checked, toured)) == {"Budapest"}
    assert finders.of(Policy.preset("sealed"))._matches.check is None


def test_marks_are_read_and_left_out() -> None:
    marked = parse("She is a [[JOB_TITLE|nurse]] at [[EMPLOYER|Hollis]].", "What is she?")
    assert marked.text == "She is a nurse at Hollis." and "nurse" not in repr(marked)
    assert marked.gold == (Gold("JOB_TITLE", 9, 14), Gold("EMPLOYER", 18, 24))
    with pytest.raises(InputError, match="unknown kind 'JOB'"):
        parse("a [[JOB|nurse]]")
    with pytest.raises(InputError, match="without its end"):
        parse("a [[JOB_TITLE|nurse]")


def test_wrong_lines_are_named(tmp_path: Path) -> None:
    file = tmp_path / "texts.jsonl"
    file.write_text('{"prompt": "What?", "answer": "A [[PIN|1234]]."}\n{"answer": 1}\n')
    with pytest.raises(InputError, match="line 2: expected prompt and marked answer"):
        read_marked([file])


def test_our_phrasings_are_marked_where_the_value_stands() -> None:
    texts = list(phrased(2, 0))
    assert len({gold.kind for text in texts for gold in text.gold}) == 16
    assert all(text.question or text.left for text in texts) and any(text.left for text in texts)
    assert sum(each.right for each in training.proposals(texts)) >= 0.99 * len(texts)


def test_a_check_learns_from_marked_texts_and_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["Hollis", "Brandt", "Mercer", "Delmont", "Okafor", "Petrov", "Lindqvist", "Amari", "Vance", "Castell"]
    places = ("Berlin", "Rome", "Lima", "Madrid")
    texts = [
        *(parse(f"{n} was treated at [[HOSPITAL|{house} Hospital]] last year.") for n in names for house in names),
        *(Marked("", f"{n} was born in {place} last year.", ()) for n in names for place in places),
    ]
    found = training.proposals(texts)
    assert {(each.kind, each.right) for each in found} >= {("HOSPITAL", True), ("HOSPITAL", False)}
    trained = training.train(found, len(texts))
    table = trained.table["HOSPITAL"]
    assert table["wrong refused"] == table["wrong"] == 40 and table["right refused"] <= 0.03 * table["right"]
    training.write_check(trained.check, tmp_path / "check.npz")
    monkeypatch.setattr(module, "files", lambda package: _Packed(tmp_path / "check.npz"))
    module.shipped.cache_clear()
    try:
        again = module.shipped()
    finally:
        module.shipped.cache_clear()
    born = "Ana Ruiz was born in Oslo."
    ours, its = (each.log_odds("HOSPITAL", "hospital", born[:21], "Oslo") for each in (trained.check, again))
    assert again.least == trained.check.least and its == pytest.approx(ours, abs=0.2)
    measured = training.cross_validated(texts, [], 1.0)
    assert measured["finder alone"]["recall"] == measured["with the check"]["recall"] == 1.0
    assert measured["finder alone"]["precision"] < 0.8 and measured["with the check"]["precision"] == 1.0
    page = training.render({"texts": {"written texts": 130}, "cross-validated": measured, "kinds": trained.table})
    assert f"| HOSPITAL | 100 | {table['right refused']} | 40 | 40 |" in page


class _Packed:
    """A package of one file."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def joinpath(self, *parts: str) -> Path:
        return self.file
