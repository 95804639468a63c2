"""Measurements that go on where they stopped, and keep no answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from reticent.demo import assets
from reticent.guard import Guard
from reticent_bench import evaluate_plan
from reticent_bench.evaluate_command import app as evaluate
from reticent_bench.guard import bench as guard_bench
from reticent_bench.guard import prompts as guard_prompts
from reticent_bench.guard.bench import Bench
from reticent_bench.hosts import host_report
from reticent_bench.report import resumed_parts
from reticent_bench.report.resumed_parts import Parts
from reticent_detectors.host.load import load_host, recipe_of
from reticent_detectors.synth.cast import cast
from reticent_detectors.synth.prompts import Prompt, probes

HOST, BUNDLE = assets() / "host", assets() / "bundle"


def _squares(asked: list[int]) -> Any:
    def each(part: Sequence[int], number: int) -> list[Any]:
        asked.extend(part)
        return [(item * item, number) for item in part]

    return each


def test_a_part_that_is_kept_is_not_worked_on_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resumed_parts, "PART", 4)
    asked: list[int] = []

    def interrupt(name: str, done: int, total: int, note: str = "") -> None:
        if done >= 8:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Parts(tmp_path / "work", "a", interrupt).over("squares", range(10), _squares(asked))
    seen: list[tuple[str, int, int]] = []
    again = Parts(tmp_path / "work", "a", lambda name, done, total, note="": seen.append((name, done, total)))
    (tmp_path / "work").joinpath("half.tmp").write_text("[")  # whatever is half written does not count
    out = again.over("squares", range(10), _squares(asked))
    assert out == Parts().over("squares", range(10), _squares([])) == [[i * i, i // 4] for i in range(10)]
    assert asked == list(range(10)) and seen[-1] == ("squares", 10, 10)
    assert again.over("others", range(2), _squares([])) == [[0, 0], [1, 0]]
    (tmp_path / "work" / "half.tmp").unlink()
    again.clear()
    assert not (tmp_path / "work").exists()
    Parts().clear()


def test_results_under_another_stamp_are_removed(tmp_path: Path) -> None:
    Parts(tmp_path, "a").over("squares", range(3), _squares([]))
    (tmp_path / "notes.txt").write_text("mine")
    asked: list[int] = []
    other = Parts(tmp_path, "b")
    other.over("squares", range(3), _squares(asked))
    assert asked == [0, 1, 2] and len([path for path in tmp_path.iterdir() if path.is_dir()]) == 1
    other.clear()
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_measurements_that_share_a_folder_leave_none_behind(tmp_path: Path) -> None:
    work = tmp_path / "work"
    both = [Parts(work, "a", name=name) for name in ("one", "two")]
    for parts in both:
        parts.over("squares", range(3), _squares([]))
    both[0].clear()
    asked: list[int] = []
    both[1].over("squares", range(3), _squares(asked))
    assert (asked, [path.name for path in work.iterdir()]) == ([], ["two"])
    both[1].clear()
    both[1].clear()
    assert not work.exists()


@pytest.fixture(scope="module")
def guarded() -> Any:
    return Guard.load(BUNDLE).wrap(*load_host(HOST))


def _bench(guarded: Any, kept: Parts) -> Bench:
    return Bench(guarded, cast(recipe_of(HOST)), None, progress=lambda line: None, parts=kept)


def test_a_guard_report_goes_on_and_ends_with_the_same_figures(
    guarded: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resumed_parts, "PART", 4)
    people = cast(recipe_of(HOST))
    first = people.test[0]
    person = replace(first, values=dict(list(first.values.items())[:3]))
    prompts = list(probes((*people.test[:2], *people.unseen[:2]), "test", 1, 0))[:10]
    monkeypatch.setattr(guard_bench, "TRIES", ((0.0, 1), (1.0, 1)))

    def figures(kept: Parts) -> list[Any]:
        bench = _bench(guarded, kept)
        robust = bench.robust_values([person])
        escape = bench.escape(robust)
        stopped = {label: dict(by) for label, by in bench.interventions("people", prompts, 1.0).items()}
        return [robust, escape, stopped]

    whole = figures(Parts())
    calls: list[int] = []
    ask = Bench.ask

    def counted(self: Bench, part: Sequence[Prompt], *options: Any, **named: Any) -> Any:
        calls.append(len(part))
        return ask(self, part, *options, **named)

    monkeypatch.setattr(Bench, "ask", counted)

    def interrupt(name: str, done: int, total: int, note: str = "") -> None:
        if (name, done) == ("people", 8):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        figures(Parts(tmp_path / "work", "stamp", interrupt))
    calls.clear()
    assert figures(Parts(tmp_path / "work", "stamp")) == whole and whole[0] and whole[2]
    assert calls == [2]  # the last part alone
    stored = b"".join(file.read_bytes() for file in (tmp_path / "work").rglob("*.json"))
    values = [value for person in people.test[:2] for value in person.values.values() if len(value) > 6]
    assert values and not [value for value in values if value.encode() in stored]


def test_the_host_table_goes_on(tmp_path: Path) -> None:
    model, tokenizer = load_host(HOST)
    people = cast(recipe_of(HOST))

    def measure(kept: Parts) -> dict[str, Any]:
        return host_report.measure(model, tokenizer, None, people, per_column=1, parts=kept)

    whole = measure(Parts())

    def interrupt(name: str, done: int, total: int, note: str = "") -> None:
        if name == "copied as typed":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measure(Parts(tmp_path, "stamp", interrupt))
    kept = len(list(tmp_path.rglob("*.json")))
    assert kept >= 4 and repr(measure(Parts(tmp_path, "stamp"))) == repr(
        whole
    )  # NaN, where nothing was asked, is not itself
    assert [column.name for column in host_report.questions(people, 1)] == list(whole["columns"])
    asked = [len(column.prompts) for column in host_report.questions(people, 1)]
    assert list(whole["questions"].values()) == asked and max(asked) == 1
    assert f"| questions | {' | '.join(map(str, asked))} |" in host_report.render(whole)


def test_the_command_plans_the_prompts_that_it_asks(
    guarded: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluate_plan, "ASKED", 2)
    monkeypatch.setattr(evaluate_plan, "STREAMED", 1)
    command = [
        str(HOST),
        str(BUNDLE),
        "--part",
        "host",
        "--out",
        str(tmp_path / "tables"),
        "--plan",
        "--questions",
        "3",
    ]
    result = CliRunner().invoke(evaluate, command)
    assert result.exit_code == 0, (result.output, result.exception)
    few = sum(len(column.prompts) for column in host_report.questions(cast(recipe_of(HOST)), 3))
    assert result.stdout.startswith(f"evaluate: {few} prompts") and "Nothing was started" in result.output
    assert not list(tmp_path.iterdir())
    people = cast(recipe_of(HOST))
    planned = evaluate_plan.estimate_evaluation(("host",), *load_host(HOST), None, people, None)
    assert planned.total == sum(len(column.prompts) for column in host_report.questions(people))
    bench = _bench(guarded, Parts())
    values = {(person.key, entity) for person in people.test for entity in person.values}
    asked = guard_prompts.sources(people, values)
    tries = len(values) * (5 + 20 + 10 + 10)
    planned = evaluate_plan.estimate_evaluation(("guard",), guarded.model, guarded.tokenizer, None, people, bench)
    assert planned.total == tries + sum(len(source.prompts) for source in asked)
