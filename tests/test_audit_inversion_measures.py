"""Measures of inversion: multisets, the best constant answer, values, intervals, and where texts come from."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from reticent_bench.audits.inversion.figures import attacker_figures, difference
from reticent_bench.audits.inversion.flat_rows import Columns, leaves, scaled
from reticent_bench.audits.inversion.measures import best_constant, micro, overlap, recovered
from reticent_bench.audits.inversion.records import Record, Value, split_by_person
from reticent_bench.audits.inversion.shape import kinds_of, shape_vectors
from reticent_bench.audits.inversion.vector_file import VectorFile, read_texts
from reticent_bench.report.metrics import difference as difference_of_shares
from reticent_bench.report.metrics import share
from reticent_detectors.errors import InputError


def test_overlap_counts_tokens_as_multisets() -> None:
    # true 1 1 2 3, said 1 1 1 3 4: in common 1 1 3
    found = overlap([1, 1, 2, 3], [1, 1, 1, 3, 4])
    assert found == (4, 5, 3, 0, 0)
    assert micro(found.true, found.said, found.common) == (3 / 5, 3 / 4, 2 / 3)
    # without one 1 and one 3 of the template: true 1 2, said 1 1 4, in common 1
    assert overlap([1, 1, 2, 3], [1, 1, 1, 3, 4], [3, 1]) == (2, 3, 1, 0, 0)
    assert micro(0, 0, 0) == (0, 0, 0)


def test_micro_scores_are_of_summed_counts() -> None:
    counts = np.array([[[4, 5, 3, 0, 0], [2, 0, 0, 0, 0]]], np.float64)
    found = attacker_figures(counts, ["a", "b"])
    assert (found.precision.value, found.recall.value, found.f1.value) == (3 / 5, 3 / 6, 6 / 11)
    assert np.isnan(found.values.value)


def test_nothing_recovered_of_five_people_leaves_a_half_open() -> None:
    counts = np.array([[[4, 5, 3, 2, 0]] * 10], np.float64)
    people = [str(number // 2) for number in range(10)]
    none = attacker_figures(counts, people).values
    assert none == share(0, 5) and none.high == pytest.approx(1 - 0.025 ** (1 / 5))
    every = counts.copy()
    every[..., 4] = 2
    assert attacker_figures(every, people).values == share(5, 5)
    assert difference(counts, counts, people).values == (0.0, -none.high, none.high)
    assert difference(every, counts, people).values.low > 0.2
    some = counts.copy()
    some[0, :3, 4] = 1
    assert attacker_figures(some, people).values.high < 0.52


@pytest.mark.parametrize("rows", [[[1, 1, 2], [1, 1, 3], [1, 4]], [[1, 2], [2, 3], [3, 1]], [[5], [6], [7, 7]]])
def test_the_best_constant_answer_is_the_best_of_all(rows: list[list[int]]) -> None:
    def f1(answer: list[int]) -> float:
        counts = [overlap(row, answer) for row in rows]
        return micro(*(sum(each[place] for each in counts) for place in range(3))).f1

    tokens = sorted({token for row in rows for token in row})
    every = [
        [token for token, count in zip(tokens, counts, strict=True) for _ in range(count)]
        for counts in product(range(3), repeat=len(tokens))
    ]
    assert f1(list(best_constant(rows))) == max(map(f1, every)) > 0


def test_a_value_is_recovered_whole_or_not_at_all() -> None:
    said = "Mara  LINDT has 6008 and 5551234."
    assert recovered(["mara lindt", "6008"], said) == 2
    assert recovered(["555", "ara Lindt", "60081", ""], said) == 0
    assert recovered(["$217"], "pays $217, no more") == 1


def test_a_difference_to_itself_is_zero_and_a_better_one_is_seen() -> None:
    rng = np.random.default_rng(0)
    people = [f"p{row // 2}" for row in range(120)]
    own = (
        np.stack([np.full(120, 6), np.full(120, 6), rng.integers(0, 4, 120), np.ones(120), np.zeros(120)], 1)[None]
        * 1.0
    )
    same = difference(own, own.copy(), people)
    assert (same.f1.value, same.values.value) == (0, 0)
    assert same.f1.low <= 0 <= same.f1.high
    better = own + np.array([0, 0, 1, 0, 1.0])
    assert difference(better, own, people).f1.low > 0
    assert difference(better, own, people).values == difference_of_shares(share(60, 60), share(0, 60))
    # Two trainings that differ widen the interval.
    apart = np.concatenate([own, better])
    wide = difference(apart, own, people).f1
    assert wide.low < wide.value < wide.high and wide.high - wide.low > 0.1


def test_the_shape_holds_kinds_offsets_and_lengths_alone() -> None:
    one = Record("Mara, 6008", "a", (Value("CARD", 6, 10),))
    other = Record("Jana: 9271", "b", (Value("CARD", 6, 10),))
    assert kinds_of([one]) == ("CARD",)
    vectors = shape_vectors([one, other, Record("x", "c")], ("CARD",))
    assert vectors[0].tolist() == vectors[1].tolist()
    assert vectors[0, :8].tolist() == [10, 1, 1, 0, 6, 10, 4, 1]
    assert not vectors[2, 2:].any()
    unknown = shape_vectors([Record("Mara, 6008", "a", (Value("PIN", 6, 10),))], ("CARD",))
    assert unknown[0, 2:4].tolist() == [0, 1]


def test_people_are_on_one_side() -> None:
    records = [Record("x", f"p{row % 12}") for row in range(60)]
    sides = split_by_person(records, 0.5, seed=1)
    people = [{records[row].person for row in side} for side in sides]
    assert not people[0] & people[1] and len(people[0]) == 6
    assert sorted((*sides.attack, *sides.test)) == list(range(60))
    with pytest.raises(InputError, match="5 people"):
        split_by_person(records, 0.9, seed=1)
    with pytest.raises(InputError, match="inside its text"):
        Record("x", "p", (Value("A", 0, 2),))


def test_rows_become_columns_that_the_attackers_side_has() -> None:
    rows = [
        {"spans": [{"probability": 0.5, "tier": "hidden", "id": "abc"}], "cut": False, "base": None},
        {"spans": [{"probability": 0.9, "tier": "text"}, {"probability": 0.1}], "cut": True},
    ]
    assert dict(leaves(rows[0])) == {
        "spans.count": 1, "spans.0.probability": 0.5, "spans.0.tier": "hidden", "spans.0.id": "abc", "cut": False,
    }  # fmt: skip
    columns = Columns.of(rows[:1], frozenset({"id"}))
    assert columns.numbers == ("cut", "spans.0.probability", "spans.count")
    vectors = columns.vectors(rows)
    assert vectors.tolist() == [[0, 0.5, 1, 1, 1, 1, 1], [1, pytest.approx(0.9), 2, 1, 1, 1, 0]]
    attack, test = scaled(vectors, vectors)
    assert attack.shape[1] < vectors.shape[1] and abs(attack.mean()) < 1e-6 and np.array_equal(attack, test)


def test_texts_and_vectors_are_read(tmp_path: Path) -> None:
    rows = [
        {"text": "6008 or 6008", "person": "a", "values": ["6008", "6008"], "kinds": ["CARD", "PIN"]},
        {"text": "Mara", "person": "b"},
    ]
    (tmp_path / "t.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    records = read_texts(tmp_path / "t.jsonl")
    assert records[0].values == (("CARD", 0, 4), ("PIN", 8, 12))
    assert "6008" not in repr(records[0])
    np.savez(tmp_path / "v.npz", vectors=np.ones((2, 3)))
    assert VectorFile.load(tmp_path / "v.npz", 2).encode(["", ""]).shape == (2, 3)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("x", "JSON object"),
        ('{"text": "Mara"}', "expected an object"),
        ('{"text": "Mara", "person": "a", "values": ["Jan"]}', "value 1 is not in the text"),
        ('{"text": "Mara", "person": "a", "values": "Mara"}', "lists of texts"),
        ('{"text": "Mara", "person": "a", "values": ["Mara"], "kinds": []}', "a kind for each"),
    ],
)
def test_a_line_that_is_no_text_is_named_by_its_number_alone(tmp_path: Path, row: str, message: str) -> None:
    (tmp_path / "t.jsonl").write_text(f"\n{row}\n")
    with pytest.raises(InputError, match=f"line 2.*{message}") as error:
        read_texts(tmp_path / "t.jsonl")
    assert "Mara" not in str(error.value) and "Jan" not in str(error.value)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"vectors": np.ones((3, 2))}, "shape"),
        ({"vectors": np.ones((2, 2), int)}, "floats"),
        ({"vectors": np.array([[1.0], [np.nan]])}, "not finite"),
        ({"a": np.ones((2, 2)), "b": np.ones((2, 2))}, "vectors"),
    ],
)
def test_vectors_that_do_not_fit_are_refused(tmp_path: Path, arrays: dict[str, np.ndarray], message: str) -> None:
    np.savez(tmp_path / "v.npz", **arrays)
    with pytest.raises(InputError, match=message):
        VectorFile.load(tmp_path / "v.npz", 2)
    (tmp_path / "w.npz").write_text("x")
    with pytest.raises(InputError, match=r"no \.npz"):
        VectorFile.load(tmp_path / "w.npz", 2)
