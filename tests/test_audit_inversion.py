"""Known truths of the inversion audit, on a toy vocabulary."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from reticent_bench.audits.inversion.attack import Bench, counts_of
from reticent_bench.audits.inversion.audit import (
    BLIND,
    CONTROL,
    HASHES,
    SHAPE,
    SURFACES,
    VECTORS,
    Seen,
    alike,
    audit_surfaces,
    audit_vectors,
    shuffled,
)
from reticent_bench.audits.inversion.figures import attacker_figures, difference
from reticent_bench.audits.inversion.lookup import looked_up
from reticent_bench.audits.inversion.records import Record, Value, Vectors, split_by_person
from reticent_bench.audits.inversion.report import make_report
from reticent_bench.audits.inversion.settings import DecoderSettings, InversionSettings
from reticent_bench.audits.inversion.shape import shape_vectors
from reticent_bench.audits.inversion.vector_file import VectorFile
from reticent_detectors.errors import InputError

WORDS = ("ka", "lo", "mi", "nu", "po", "ra", "se", "ti")
TOY = DecoderSettings(width=64, layers=1, heads=2, steps=200, batch=64, rate=4e-3, vocabulary=290, longest=8)
SHORT, LEAST = replace(TOY, steps=80), replace(TOY, steps=3)
SETTINGS = InversionSettings(TOY, trainings=1, attack_share=0.8, rounds=200)


def toy_records(count: int = 900) -> list[Record]:
    """Texts of three to five words in the order of the alphabet; the value is the second one."""
    rng = np.random.default_rng(4)
    out = []
    for row in range(count):
        words = [WORDS[place] for place in sorted(rng.integers(0, len(WORDS), rng.integers(3, 6)))]
        start = len(words[0]) + 1
        out.append(Record(" ".join(words), f"p{row // 4}", (Value("WORD", start, start + len(words[1])),)))
    return out


def bags(records: list[Record]) -> Vectors:
    """How often each word is in each text: a bag-of-tokens embedding."""
    return np.array([[record.text.split().count(word) for word in WORDS] for record in records], np.float32)


class Log:
    """An attempt log in memory, which counts what is asked."""

    def __init__(self) -> None:
        self.kept: dict[str, Any] = {}
        self.asked = 0

    def attempt(self, key: str, ask: Any) -> Any:
        if key not in self.kept:
            self.kept[key] = ask()
            self.asked += 1
        return self.kept[key]


def bench(records: list[Record], settings: InversionSettings = SETTINGS) -> Bench:
    return Bench.of(records, split_by_person(records, settings.attack_share, settings.seed), settings)


def test_a_bag_of_tokens_is_inverted() -> None:
    records = toy_records()
    on = bench(records)
    outcome = on.decoded(on.codec.bags([record.text for record in records]), 0)
    found = attacker_figures(counts_of([outcome]), [str(person) for person in outcome["people"]])
    assert found.f1.value >= 0.95
    assert found.f1.value > micro_f1_of_constant(on) + 0.2


def micro_f1_of_constant(on: Bench) -> float:
    outcome = on.constant()
    return attacker_figures(counts_of([outcome]), [str(person) for person in outcome["people"]]).f1.value


@pytest.mark.parametrize("kind", ["random", "shuffled"])
def test_vectors_that_say_nothing_are_worth_what_the_blind_attacker_has(kind: str) -> None:
    records = toy_records(400)
    rng = np.random.default_rng(2)
    vectors = bags(records)
    vectors = rng.normal(size=vectors.shape).astype(np.float32) if kind == "random" else rng.permutation(vectors)
    settings = InversionSettings(SHORT, trainings=3, attack_share=0.6)
    on = bench(records, settings)
    arms = [
        [on.decoded(vectors if seen else shuffled(vectors, on.sides, training), training) for training in range(3)]
        for seen in (True, False)
    ]
    people = [str(person) for person in arms[0][0]["people"]]
    above = difference(*(counts_of(arm) for arm in arms), people)
    assert above.f1.low <= 0 <= above.f1.high
    assert above.values.low <= 0 <= above.values.high


def test_an_audit_of_vectors_is_kept_and_read_again_without_training() -> None:
    records = toy_records(120)
    settings = InversionSettings(LEAST, trainings=1)
    log, target = Log(), VectorFile("toy.npz", bags(records))
    found = audit_vectors(target, records, log.attempt, settings)
    asked = log.asked
    assert set(found.counts) == {"constant", BLIND, SHAPE, CONTROL, VECTORS} and asked == 6
    assert found.counts[VECTORS].shape == (1, found.texts["test"], 5)
    report = make_report(found, settings)
    assert set(report.figures) == {"f1", "values-recovered", "f1-above-blind", "values-above-blind"}
    again = audit_vectors(VectorFile("toy.npz", np.zeros((1, 1), np.float32)), records, log.attempt, settings)
    assert log.asked == asked and make_report(again, settings) == report
    # Nothing of a text is kept.
    assert not [word for word in WORDS if f'"{word}' in repr(log.kept)]


def test_a_planted_leak_of_the_value_is_found() -> None:
    records = toy_records(500)
    sides = split_by_person(records, 0.75, 0)
    values = [record.value_texts()[0] for record in records]
    leak = np.array([[value == word for word in WORDS] for value in values], np.float32)
    on = Bench.of(records, sides, InversionSettings(SHORT, counted="values", trainings=1))
    shape = shape_vectors(records, ("WORD",))
    outcomes = [on.decoded(np.concatenate([shape, leak], 1), 0), on.decoded(shape, 0)]
    people = [str(person) for person in outcomes[0]["people"]]
    above = difference(*(counts_of([outcome]) for outcome in outcomes), people)
    assert above.f1.low > 0 and above.values.low > 0


def test_equal_hashes_tell_values_that_the_attacker_knows() -> None:
    records = toy_records(200)
    sides = split_by_person(records, 0.75, 0)
    on = Bench.of(records, sides, InversionSettings(LEAST, counted="values", trainings=1))
    keys = [{0: f"h{record.value_texts()[0]}"} for record in records]
    nothing = [[] for _ in sides.test]
    known = on.outcome(*looked_up(on, nothing, keys))
    assert known["recovered"] == known["values"] == [1] * len(sides.test)
    assert known["common"] == known["true"]
    unknown = on.outcome(*looked_up(on, nothing, [{0: f"h{row}"} for row in range(len(records))]))
    assert not any(unknown["said"])


def test_the_audit_of_surfaces_names_what_tells_more() -> None:
    records = toy_records(120)
    sides = split_by_person(records, 0.75, 0)
    rng = np.random.default_rng(9)
    vectors = {name: rng.normal(size=(len(records), 4)).astype(np.float32) for name in SURFACES}
    keys = [{0: f"h{record.value_texts()[0]}"} for record in records]
    settings = InversionSettings(LEAST, counted="values", trainings=1)
    seen = Seen(records, sides, vectors, keys, beside_shape=True)
    found = audit_surfaces("toy", lambda: seen, Log().attempt, settings)
    report = make_report(found, settings)
    assert f"{HASHES}-values-above-shape" in report.figures
    verdicts = [sentence for sentence in report.sentences if "Keyed hashes:" in sentence]
    assert verdicts == ["**Keyed hashes: tells the attacker more than the shape does.**"]
    # After three steps no decoder has learned anything, and the page says so.
    assert next(sentence for sentence in report.sentences if "too weak" in sentence).startswith("**The control is not")
    assert "Report: nothing was found, by an attacker that is too weak to show more." in report.sentences
    assert [table.title for table in report.tables] == ["Attackers", "Data", "What the guard's surfaces hold"]


def test_surfaces_change_places_only_among_texts_alike_in_shape() -> None:
    records = [Record("x" * (10 + row % 7), f"p{row}", (Value("AB"[row % 2], 0, 1 + row % 3),)) for row in range(60)]
    sides = split_by_person(records, 0.5, 0)
    groups = alike(records, sides)
    assert sorted(row for group in groups for row in group) == list(range(60))
    assert all(len({records[row].values[0].kind for row in group}) == 1 and len(group) <= 8 for group in groups)
    assert all(set(group) <= set(sides.attack) or set(group) <= set(sides.test) for group in groups)
    kinds = np.array([[record.values[0].kind == "A"] for record in records], np.float32)
    assert np.array_equal(shuffled(kinds, groups, 1), kinds)  # what the shape says stays
    numbers = np.arange(60, dtype=np.float32)[:, None]
    moved = shuffled(numbers, groups, 1)
    assert sorted(moved[:, 0]) == list(range(60)) and (moved != numbers).mean() > 0.5


def test_nothing_is_trained_where_there_is_no_text() -> None:
    found = audit_surfaces("toy", lambda: None, Log().attempt, SETTINGS)
    assert not found.counts and not found.people
    report = make_report(found, SETTINGS)
    assert set(report.figures.values()) == {None}
    assert len(report.figures) == 2 * (len(SURFACES) + 1)


def test_settings_that_fit_no_decoder_are_refused() -> None:
    with pytest.raises(InputError, match="heads"):
        DecoderSettings(width=65, heads=2)
    with pytest.raises(InputError, match="training"):
        InversionSettings(trainings=0)
