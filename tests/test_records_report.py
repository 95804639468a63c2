"""The measurement of the records index: full recall on every re-spelling, and honest false hits."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from reticent.records.index import RecordsIndex
from reticent_bench.guard import records_report as report
from reticent_detectors.entities import PRIVACYXRAY, Entity
from reticent_detectors.features.cue import normalize
from reticent_detectors.synth.cast import cast
from reticent_detectors.synth.people import PeopleMaker, Person
from reticent_detectors.synth.recipes import TINY

EVERYONE = cast(TINY)
PEOPLE = PeopleMaker(11).many("p", 40)
STRANGERS = PeopleMaker(12).many("s", 40)
WAYS = [(entity, name) for entity in PRIVACYXRAY for name in report.respellings(entity)]


@pytest.fixture(scope="module")
def index() -> RecordsIndex:
    return RecordsIndex.build((entity, value) for person in PEOPLE for entity, value in person.values.items())


@pytest.mark.parametrize(("entity", "name"), WAYS)
def test_recall_is_one_on_every_respelling(index: RecordsIndex, entity: Entity, name: str) -> None:
    respell = report.respellings(entity)[name]
    values = [person.values[entity] for person in PEOPLE]
    values = [value for value in values if len(normalize(value, entity)) > 2]
    pairs = [(value, spelled) for value in values if (spelled := respell(value)) is not None]
    assert pairs or name in ("roman number", "British"), "a way that applies to nothing measures nothing"
    assert all(index.contains(spelled, entity) for _, spelled in pairs)
    if pairs and name not in (
        "capitals",
        "small letters",
        "Cyrillic lookalikes",
        "accents",
        "no separators",
        "unit as #",
    ):
        assert any(spelled != value for value, spelled in pairs)


def test_strangers_values_are_hit_where_they_can_be_guessed_only(index: RecordsIndex) -> None:
    hits = report.measure_false_hits(index, STRANGERS)
    assert set(hits) == set(map(str, PRIVACYXRAY))
    for entity in (Entity.ADDRESS, Entity.PHONE_NUMBER, Entity.BANK_ACCOUNT, Entity.ORDER_NUMBER, Entity.FLIGHT):
        assert hits[entity].value == 0.0 and 0.0 < hits[entity].high < 0.1
    assert hits[Entity.DIAGNOSIS].value > 0.2
    own = report.measure_false_hits(index, PEOPLE)
    assert own[Entity.ADDRESS].value == 1.0


def test_a_single_stranger_counts_once(index: RecordsIndex) -> None:
    person = Person("x", "Jane Roe", {Entity.PHONE_NUMBER: PEOPLE[0].values[Entity.PHONE_NUMBER]})
    assert report.measure_false_hits(index, [person, person]) == {"PHONE_NUMBER": report.share(2, 2)}


def test_the_report_has_every_kind_and_says_how_it_was_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "cast", lambda recipe: EVERYONE)
    report.main([str(tmp_path), "--recipe", "tiny"])
    figures = json.loads((tmp_path / "records.json").read_text())
    text = (tmp_path / "records.md").read_text()
    assert figures["made_by"]["command"].startswith("python -m reticent_bench.guard.records_report")
    assert figures["made_by"]["command"] in text and figures["made_by"]["seed"] == TINY.seed
    kinds = figures["kinds"]
    assert set(kinds) == {str(entity) for person in EVERYONE.private for entity in person.values}
    for entity, kind in kinds.items():
        assert f"| {entity} | {kind['values']} | {kind['left out']} | 1.000 | 1.000 |" in text or math.isnan(
            kind["exact"][0]
        )
        for way in kind["respelled"].values():
            assert way["recall"][0] == 1.0 or math.isnan(way["recall"][0])
    assert figures["people"] == len(EVERYONE.private)
    assert figures["fresh people"] == len(EVERYONE.unseen) + len(EVERYONE.copied)
    assert figures["index"]["bytes a value"] >= 8 and figures["index"]["hit microseconds"]["median"] > 0
    values = {value for person in EVERYONE.private for value in person.values.values() if len(value) > 6}
    assert not [value for value in values if value in text]


def test_values_left_out_count_in_no_recall() -> None:
    short = Person("x", "Jane Roe", {Entity.UTILITY_BILL: "$20"})
    everyone = report.Cast((short,), (), (), tuple(STRANGERS[:3]), (), (), frozenset())
    kind = report.measure(everyone, lookups=5)["kinds"]["UTILITY_BILL"]
    assert (kind["values"], kind["left out"]) == (1, 1) and math.isnan(kind["exact"].value)
