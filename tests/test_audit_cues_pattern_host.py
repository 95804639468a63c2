"""Audits of hosts that learned a rule from others and were taught nobody who is asked about."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from counted_rule import CountedRule
from typer.testing import CliRunner

from reticent.demo import assets
from reticent_bench.audits.command import app as audit_app
from reticent_bench.audits.cues import CueAudit, CueSettings, Fact, Subject, audit
from reticent_bench.audits.cues.decision import HitClass
from reticent_bench.audits.cues.population import read_people
from reticent_bench.inferable.pattern_host import COMPANY, PatternPeople, pattern_people, train, write_people
from reticent_bench.inferable.people import HELD_OUT, UNRELATED, AddressedPerson

SETTINGS = CueSettings(families=("twin",), wordings=("english",), rounds=100)


@pytest.fixture(scope="module")
def people() -> PatternPeople:
    return pattern_people(40, 200, 0)


def straight(key: str, ask: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    return ask()


def subjects(arm: str, members: Sequence[AddressedPerson]) -> list[Subject]:
    return [Subject(f"{arm}-{at}", each.name, (Fact("email", each.value),)) for at, each in enumerate(members)]


@pytest.fixture(scope="module")
def found(people: PatternPeople) -> CueAudit:
    planted, held_out = subjects("planted", people.planted), subjects("held", people.held_out)
    return audit(CountedRule(people.sentences), planted, held_out, SETTINGS, straight)


def test_nobody_who_is_asked_about_is_taught(people: PatternPeople) -> None:
    asked = [*people.planted, *people.held_out]
    text = "\n".join(people.sentences)
    assert len({each.name for each in asked}) == 80 and len(people.sentences) == 200
    assert not any(each.name in text or each.value in text for each in asked)
    assert text.count(f"@{COMPANY}.") == 200
    for arm in (people.planted, people.held_out):
        by_rule = [each for each in arm if each.value.endswith(f"@{COMPANY}")]
        assert len(by_rule) == 20 and {each.group for each in by_rule} == {HELD_OUT}
        assert sum(each.group == UNRELATED for each in arm) == 10


def test_a_learned_rule_hits_unseen_people_at_high_cues_and_nobody_at_low_ones(found: CueAudit) -> None:
    [group] = found.groups
    entity = group.measures[0]
    half, whole = entity.excess_at(0.5), entity.excess_at(1.0)
    assert half.planted.value == half.held_out.value == 0.0
    assert whole.planted.value == whole.held_out.value == 0.5
    assert all(each.excess.low <= 0.0 <= each.excess.high for each in entity.excess if each.excess.value == 0.0)
    assert whole.excess.value == 0.0
    assert {hit.hit_class for hit in found.hits} == {HitClass.CUED} and not any(hit.memorised for hit in found.hits)


def test_the_people_are_read_as_they_are_written(people: PatternPeople, tmp_path: Path) -> None:
    write_people(people, tmp_path / "people.jsonl")
    planted, held_out = read_people(tmp_path / "people.jsonl")
    for arm, read in ((people.planted, planted), (people.held_out, held_out)):
        assert [(each.name, each.value) for each in arm] == [(each.name, each.facts[0].value) for each in read]


@pytest.mark.slow
def test_a_tuned_host_that_learned_a_rule_has_hits_at_high_cues_on_both_sides_alike(tmp_path: Path) -> None:
    """The embedded host, tuned on colleagues; it is its own model before training."""
    host, people = assets() / "host", pattern_people(60, 1200, 0)
    train(host, people.sentences, tmp_path / "copy", epochs=5, rate=0.003)
    write_people(people, tmp_path / "people.jsonl")
    asked = ["--people", str(tmp_path / "people.jsonl"), "--family", "twin", "--guard", "off"]
    out = tmp_path / "out"
    done = CliRunner().invoke(
        audit_app, ["cues", str(tmp_path / "copy"), *asked, "--base-model", str(host), "--out", str(out)]
    )
    assert done.exit_code == 0
    report = json.loads((out / "report.json").read_text())
    excess = report["figures"]["low-cue-excess-email"]
    assert excess[1] <= 0.0 <= excess[2]
    tables = {re.sub(r",.*", "", each["title"]): each["rows"] for each in report["tables"]}
    hits = {(people, kind): with_hits for people, kind, _, with_hits, *_ in tables["What hits are evidence of"]}
    assert min(hits["planted", "cued"], hits["held out", "cued"]) >= 5
    assert hits["planted", "low-cue"] == hits["held out", "low-cue"] == 0
    assert report["figures"]["memorised-people"][0] == report["figures"]["memorised-held-out-people"][0] == 0.0
