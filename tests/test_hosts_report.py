"""The table over several hosts: what it costs to build them is said first, what is there is not built again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from reticent_bench.bench_command import app as bench
from reticent_bench.evaluate_command import app as evaluate
from reticent_bench.hosts import hosts_report
from reticent_detectors.errors import InputError
from reticent_detectors.host.tune import build_host
from reticent_detectors.synth.hosts import HostRecipe, recipe

NAMES = ("llama-tiny-p6-x1-e1", "llama-tiny-lora-p6-x1-e1")


def short(name: str) -> HostRecipe:
    chosen = recipe(name)
    assert isinstance(chosen, HostRecipe)
    return replace(chosen, base=replace(chosen.base, repeat_steps=2, base_steps=3))


@pytest.fixture(scope="module")
def runs(tmp_path_factory: Any) -> Path:
    folder: Path = tmp_path_factory.mktemp("runs")
    for name in NAMES:
        build_host(short(name), folder / name)
    return folder


def run(app: Any, *arguments: object) -> str:
    done = CliRunner().invoke(app, [str(a) for a in arguments])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.output


def test_a_public_host_is_paid_for_once() -> None:
    minutes = hosts_report.plan([short(name) for name in NAMES], "cpu")
    assert list(minutes) == list(NAMES)
    assert 0 < minutes[NAMES[1]] < minutes[NAMES[0]]


def test_the_table_has_a_line_for_each_host(runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def built(*arguments: Any, **options: Any) -> None:
        raise AssertionError("it was there already")

    monkeypatch.setattr(hosts_report, "build_host", built)
    measured = hosts_report.measured
    monkeypatch.setattr(hosts_report, "measured", lambda path, **o: measured(path, **(o | {"per_column": 8})))
    printed = run(bench, "hosts", runs, "--recipe", NAMES[0], "--recipe", NAMES[1], "--out", tmp_path)
    assert "together about 0 minutes" in printed
    rows = json.loads((tmp_path / "hosts.json").read_text())["hosts"]
    assert list(rows) == list(NAMES) and [rows[name]["method"] for name in NAMES] == ["full", "LoRA"]
    assert rows[NAMES[0]]["private people"] == 9 and rows[NAMES[0]]["control says"][0] == 0
    text = (tmp_path / "hosts.md").read_text()
    assert all(f"| {name} |" in text for name in NAMES) and "test-only" in text


def test_a_folder_that_is_missing_is_reported_first(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"There is no folder .*nope'; expected that of a host"):
        run(evaluate, tmp_path / "nope")


def test_several_hosts_are_evaluated_without_a_bundle(
    runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measure = hosts_report.host_report.measure
    monkeypatch.setattr(hosts_report.host_report, "measure", lambda *a, **o: measure(*a, **(o | {"per_column": 8})))
    run(evaluate, runs / NAMES[0], "--part", "host", "--beside", runs / NAMES[1], "--out", tmp_path, "--name", "t")
    assert (tmp_path / "t-host.md").exists()
    assert list(json.loads((tmp_path / "t-hosts.json").read_text())["hosts"]) == list(NAMES)
    with pytest.raises(InputError, match="bundle"):
        run(evaluate, runs / NAMES[0], "--part", "guard", "--out", tmp_path)


def test_a_demo_recipe_is_no_named_host(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="one go"):
        run(bench, "hosts", tmp_path, "--recipe", "demo")
