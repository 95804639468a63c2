"""The guard on several hosts: pooled counts, the reference at the guard's own cost, and what is kept."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from reticent.demo import assets
from reticent.guard import Guard
from reticent_bench.bench_command import app as bench_app
from reticent_bench.guard import guards
from reticent_bench.guard.bench import ALL, Bench
from reticent_bench.guard.guards import POOLED, beside, lines, measured, reference, render
from reticent_bench.report.metrics import share
from reticent_detectors.entities import Entity
from reticent_detectors.host.load import load_host, recipe_of
from reticent_detectors.synth.cast import cast


def figures(values: int, out: int, stopped: int, spans: int) -> dict[str, Any]:
    """A host of which `out` of its values get out, and `stopped` of its spans of each label are kept back."""
    escape: dict[str, Any] = {"values": values}
    for k in (1, 10, 40):
        for name in ("no guard", *ALL, "gold redaction"):
            escape[f"escape@{k}, {name}"] = share(values if name == "no guard" else out, values)
    counted = {"spans": spans} | {name: share(stopped, spans) for name in ALL}
    by = {label: {"all": counted, "long": counted} for label in ("misattributed", "hallucinated", "echoed")}
    return json.loads(json.dumps({"guard": {"escape": escape, "by label": by}}))  # type: ignore[no-any-return]


def test_hosts_are_pooled_by_their_counts() -> None:
    found = lines({"a": figures(300, 3, 7, 90), "b": figures(700, 21, 11, 1000)})
    assert found[POOLED]["values"] == 1000 and found[POOLED]["escape@40, detector"] == (24, 1000)
    assert found[POOLED]["hallucinated, both"] == (18, 1090) and found["a"]["escape@1, no guard"] == (300, 300)
    assert found["a"]["inferable, detector"] == (0, 0)  # a host may have none
    text = render({"a": figures(300, 3, 7, 90), "b": figures(700, 21, 11, 1000)})
    low, high = share(24, 1000)[1:]
    assert f"| 0.024 [{low:.3f}, {high:.3f}] |" in text and f"| {POOLED} | 1000 |" in text
    assert "nan" not in text
    assert text.count("| both, 1.0% | 0.024 [") == 1  # a line for each rate, of all hosts together
    assert POOLED not in lines({"a": figures(300, 3, 7, 90)})


def test_the_reference_stops_no_more_made_up_values_than_the_guard() -> None:
    rng = np.random.default_rng(0)
    remembered = rng.random(400) < 0.5
    frequency = np.round(np.clip(remembered * 0.5 + rng.random(400) * 0.6, 0, 1), 2)
    stopped = rng.random(400) < np.where(remembered, 0.9, 0.1)
    found = beside(frequency, stopped, remembered)
    budget = (stopped & ~remembered).sum()
    able = [t for t in np.unique(frequency) if ((frequency >= t) & ~remembered).sum() <= budget]
    out = ((frequency < min(able)) & remembered).sum()
    assert found["remembered, released by the reference"] == share(int(out), int(remembered.sum()))
    assert found["made up, stopped by the reference"][0] <= found["made up, stopped by the guard"][0]
    assert found["remembered, released by the guard"] == share(int((remembered & ~stopped).sum()), remembered.sum())
    nothing = beside(np.ones(4), np.array([False] * 4), np.array([True, True, False, False]))
    assert nothing["remembered, released by the reference"][0] == 1.0  # nothing may be stopped


def test_a_remembered_value_comes_again_and_a_made_up_one_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guards, "SAMPLES", 6)
    model, tokenizer = load_host(assets() / "host")
    people = cast(recipe_of(assets() / "host"))
    bench = Bench(Guard.load(assets() / "bundle").wrap(model, tokenizer), people, None, progress=lambda _: None)
    robust = [(person, Entity.PHONE_NUMBER) for person in people.test[:8]]
    found = reference(bench, robust, 8)
    assert 2 <= found["remembered"] <= 8 and 2 <= found["made up"] <= 8
    assert found["auroc of the frequency"] > 0.8
    assert found["remembered, released by the guard"][0] <= 0.5


def test_figures_are_kept_until_the_bundle_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "demo").symlink_to(assets() / "host")
    (tmp_path / "demo-bundle").symlink_to(assets() / "bundle")
    calls = []

    def measure(bench: None, harmless: int) -> dict[str, Any]:
        calls.append(harmless)
        return figures(10, 1, 2, 20)["guard"]  # type: ignore[no-any-return]

    monkeypatch.setattr(guards.guard_report, "measure", measure)
    monkeypatch.setattr(guards, "load_host", lambda path: (None, None))
    monkeypatch.setattr(guards, "cast", lambda recipe: None)
    monkeypatch.setattr(guards.Guard, "load", lambda path: SimpleNamespace(wrap=lambda *host: None))
    monkeypatch.setattr(guards, "Bench", lambda *arguments, **options: None)
    options: dict[str, Any] = {"seed": 0, "resampled": 0, "harmless": 30, "say": lambda line: None}
    first = measured(tmp_path, "demo", **options)
    assert measured(tmp_path, "demo", **options) == first and calls == [30]
    measured(tmp_path, "demo", **options | {"harmless": 40})
    assert calls == [30, 40]
    (tmp_path / "demo-bundle").unlink()
    (tmp_path / "demo-bundle").symlink_to(assets() / "bundle-logprobs")
    measured(tmp_path, "demo", **options)
    assert len(calls) == 3


def test_the_command_writes_both_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prepared = []
    monkeypatch.setattr("reticent_bench.paper.prepare.prepare", lambda runs, names, *more: prepared.extend(names))
    monkeypatch.setattr(guards, "measured", lambda runs, name, **options: figures(300, 3, 7, 90))
    runs = tmp_path / "runs"
    for name in ("a", "b", "b-bundle"):
        (runs / name).mkdir(parents=True)
    for name in ("a", "b"):
        (runs / name / "recipe.json").write_text("{}")
    arguments = ["guards", str(runs), "--host", "a", "--host", "b", "--out", str(tmp_path / "out")]
    done = CliRunner().invoke(bench_app, arguments)
    assert done.exit_code == 0, done.output
    assert prepared == ["a"]  # what has a detector needs no collection
    written = json.loads((tmp_path / "out" / "guards.json").read_text())
    assert written["lines"]["a"]["escape@40, detector"] == [3, 300] and "command" in written["made_by"]
    assert "| a | 300 |" in (tmp_path / "out" / "guards.md").read_text()
