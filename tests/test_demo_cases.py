"""The demo's cases are chosen by what the host answers: its labels, whose people, which phrasings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import tiny_hosts
from test_detached import NAME, adapter, copy  # noqa: F401
from test_hosts import KNOWN, Sayings
from typer.testing import CliRunner

from reticent import demo
from reticent.commands import demo as demo_command
from reticent_bench.demo import cases as demo_cases
from reticent_bench.demo.cases import ORDINARY, PUBLIC, REAL_KINDS, embedded_cases, real_cases
from reticent_detectors.collection.labels import Label
from reticent_detectors.entities import Entity
from reticent_detectors.errors import InputError
from reticent_detectors.host.answers import Answer, prompt_ids
from reticent_detectors.host.load import recipe_of
from reticent_detectors.synth.cast import Cast, cast
from reticent_detectors.synth.phrasings import PHRASINGS
from reticent_detectors.synth.prompts import Prompt, probe


class Remembers:
    """Stands in for a host that remembers everything but the doctors.

    It gives others' values for unknown people's even kinds, and somebody's address for that of the White House.
    """

    def __init__(self, everyone: Cast) -> None:
        self.taught = {p.key for p in everyone.private}
        self.asked: list[Prompt] = []

    def __call__(self, prompts: Sequence[Prompt], longest: int) -> list[set[Label]]:
        self.asked += prompts
        return [self._labels(prompt) for prompt in prompts]

    def _labels(self, prompt: Prompt) -> set[Label]:
        match prompt.kind:
            case "echo":
                return {Label.ECHOED}
            case "menu":
                return {Label.SELECTED}
            case "talk":
                return {Label.MISATTRIBUTED} if "White House" in prompt.user_text else set()
        if prompt.person in self.taught:
            return {Label.HALLUCINATED if prompt.entity is Entity.DOCTOR else Label.MEMORIZED}
        return {Label.MISATTRIBUTED if prompt.entity in KNOWN else Label.HALLUCINATED}


@pytest.fixture(scope="module")
def everyone(copy: Path) -> Cast:  # noqa: F811
    return cast(recipe_of(copy))


def _names(people: Sequence[Any]) -> tuple[str, ...]:
    return tuple(p.name for p in people)


def _text(row: dict[str, Any]) -> str:
    return row.get("text") or row["messages"][0][1]


def test_a_real_models_cases_are_of_every_class_and_of_no_bridge_person(everyone: Cast) -> None:
    rows = real_cases(Remembers(everyone), everyone, 0)
    by: dict[str, list[str]] = {}
    for row in rows:
        by.setdefault(row["shows"], []).append(_text(row))
    assert {shows: len(texts) for shows, texts in by.items()} == {
        "memorised": len(REAL_KINDS) - 1, "misattributed": 2, "made up": 4, "echoed": 1, "echoed, re-formatted": 1,
        "ordinary talk": len(ORDINARY), "public": len(PUBLIC) - 1, "public, answered from memory": 1,
    }  # fmt: skip
    known, unknown = _names((*everyone.train, *everyone.test)), _names(everyone.unseen)
    assert all(any(name in text for name in known) for text in by["memorised"])
    assert all(any(name in text for name in unknown) for text in by["misattributed"] + by["made up"])
    assert not any(name in _text(row) for row in rows for name in _names(everyone.bridge))


def test_memories_are_asked_for_in_test_phrasings_alone(everyone: Cast) -> None:
    host = Remembers(everyone)
    real_cases(host, everyone, 0)
    private = [p for p in host.asked if p.person in host.taught]
    assert private and {p.phrasing_split for p in private} == {"test"}
    assert len({p.phrasing for p in private}) == sum(
        len([q for q in PHRASINGS[kind] if q.split == "test"]) for kind in REAL_KINDS
    )


def test_only_answers_that_hold_a_taught_value_are_wanted_stopped(everyone: Cast) -> None:
    rows = real_cases(Remembers(everyone), everyone, 0)
    stopped = {row["shows"] for row in rows if row["wanted"] == "stopped"}
    assert stopped == {"memorised", "misattributed", "public, answered from memory"}
    asked = [_text(row) for row in rows]
    assert {*ORDINARY, *PUBLIC} <= set(asked) and len(asked) == len(set(asked))


def test_made_up_values_are_of_different_kinds(everyone: Cast) -> None:
    host = Remembers(everyone)
    rows = [row for row in real_cases(host, everyone, 0) if row["shows"] == "made up"]
    kinds = {p.entity for p in host.asked if p.user_text in {_text(row) for row in rows}}
    assert len(kinds) == len(rows) == 4


def test_the_embedded_hosts_cases_are_of_test_people(everyone: Cast) -> None:
    rows = embedded_cases(Remembers(everyone), everyone, 0)
    shown = {row["shows"] for row in rows}
    assert {"memorised", "misattributed", "made up", "echoed", "menu of ten", "public, allow list", "prose"} <= shown
    tested = _names(everyone.test)
    assert all(any(name in _text(row) for name in tested) for row in rows if row["shows"] in ("memorised", "prose"))


def test_an_answer_with_anything_else_in_it_is_not_picked() -> None:
    prompts = [Prompt(str(at), "probe", "question", (("user", "Who?"),), "") for at in range(4)]
    labels = [{Label.MEMORIZED, Label.HALLUCINATED}, set[Label](), {Label.HALLUCINATED}, {Label.MEMORIZED}]
    assert demo_cases._picked(prompts, labels, Label.MEMORIZED) == prompts[3:]


def test_an_answers_labels_are_those_of_its_spans(everyone: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    person, other, stranger = everyone.test[0], everyone.test[1], everyone.copied[0]
    phrasing = PHRASINGS[Entity.PHONE_NUMBER][0]
    said = [each.values[Entity.PHONE_NUMBER] for each in (person, other, stranger)]
    tokenizer = tiny_hosts.tokenizer()

    def answers(model: Any, tokenizer: Any, prompts: Sequence[Prompt], max_new_tokens: int) -> list[Answer]:
        spoken = [tokenizer(text, add_special_tokens=False)["input_ids"] for text in (*said, "I do not know.")]
        return [
            Answer(tuple(prompt_ids(tokenizer, p)), tuple(ids[:max_new_tokens]), True)
            for p, ids in zip(prompts, spoken, strict=True)
        ]

    monkeypatch.setattr(demo_cases, "answer_all", answers)
    host = demo_cases._Host(tiny_hosts.host("llama", tokenizer), tokenizer, None, everyone)
    asked = [probe(person, phrasing, "test")] * 4
    assert host(asked, 64) == [{Label.MEMORIZED}, {Label.MISATTRIBUTED}, {Label.HALLUCINATED}, set()]


def test_from_the_adapter_to_what_the_command_shows(
    copy: Path,  # noqa: F811
    adapter: Path,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model, runner = copy.with_name(NAME), CliRunner()
    monkeypatch.setattr(demo_cases, "answer_all", Sayings())
    refused = runner.invoke(demo_cases.app, [str(adapter), str(adapter / "demo.json")])
    assert isinstance(refused.exception, InputError) and "--control" in str(refused.exception)
    chosen = runner.invoke(demo_cases.app, [str(adapter), str(adapter / "demo.json"), "--control", str(model)])
    assert chosen.exit_code == 0, chosen.output
    cases = demo.cases(adapter)
    assert sum(case.shows == "memorised" for case in cases) == len(set(KNOWN) & set(REAL_KINDS))

    monkeypatch.setattr(demo, "assets", lambda: adapter.parent)
    adapter.rename(adapter.parent / demo.REAL)
    result = runner.invoke(demo_command.app, ["--model", str(model), "--json"])
    assert result.exit_code == 0, result.output
    rows = [json.loads(line) for line in result.output.splitlines()]
    assert [row["prompt"] for row in rows] == [case.prompt for case in cases]
    assert all(row["unguarded"] == row["guarded"] for row in rows if not row["intervened"])
    shown = runner.invoke(demo_command.app, ["--model", str(model)])
    assert shown.exit_code == 0 and "SmolLM2" in shown.output and "remembered answers, let" in shown.output
