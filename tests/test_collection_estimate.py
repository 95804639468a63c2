"""What a collection says before it starts: the prompts of the run itself, timed by asking a few."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_host import PLAN, SHORT
from typer.testing import CliRunner

from reticent.commands import calibrate as calibrate_command
from reticent.commands import collect as collect_command
from reticent_detectors.collection.collect import Collector, collect, collector
from reticent_detectors.collection.estimate import estimate_collection
from reticent_detectors.collection.plan import Group, plan_groups
from reticent_detectors.collection.shards import ShardReader, ShardWriter
from reticent_detectors.errors import InputError, ShardError
from reticent_detectors.host import memory
from reticent_detectors.host.load import load_host
from reticent_detectors.host.train import train_host
from reticent_detectors.synth.cast import cast
from reticent_detectors.synth.recipes import TINY


class FakeQuestions:
    """Stands in for a host: prose takes 3 seconds, other prompts 0.01, and every second prompt gives a row."""

    def __init__(self) -> None:
        self.now, self.groups = 0.0, list[Group]()

    def __call__(self, group: Group, number: int) -> tuple[dict[str, Any], list[Any]]:
        self.groups.append(group)
        self.now += sum(3.0 if prompt.kind == "prose" else 0.01 for prompt in group.prompts)
        rows = len(group.prompts) // 2
        return {"length": np.zeros((rows, 1), np.float32)}, [None] * rows

    def made(self, settings: dict[str, Any]) -> Collector:
        groups = plan_groups(cast(TINY), replace(PLAN, echoes=600, menus=2))
        return Collector(groups, settings, self, 40.0)


def test_each_kind_counts_for_its_prompts(tmp_path: Path) -> None:
    asked = FakeQuestions()
    made = asked.made({})
    estimate = estimate_collection("collect", made, tmp_path / "s", {}, "cpu", clock=lambda: asked.now)
    prompts = [prompt for group in made.groups for prompt in group.prompts]
    expected = sum(3.0 if prompt.kind == "prose" else 0.01 for prompt in prompts)
    assert estimate.total == len(prompts) and estimate.done == 0
    assert estimate.seconds == pytest.approx(expected, rel=0.05)  # but for a few prompts that are rare
    assert estimate.disk["features before compression"] == pytest.approx(100 * len(prompts) / 2, rel=0.1)
    sizes = {group.prompts[0].kind: len(group.prompts) for group in asked.groups}
    assert sizes["prose"] == 32 and sizes["echo"] == 128  # quick ones are asked again in a batch of the run's size
    assert "menu" not in sizes
    assert not (tmp_path / "s").exists()


def test_what_is_stored_is_not_counted_again(tmp_path: Path) -> None:
    asked = FakeQuestions()
    made = asked.made({"host": "abc"})
    with pytest.raises(KeyboardInterrupt), ShardWriter(tmp_path / "s", made.settings) as writer:
        writer.append({}, [], cursor=len(made.groups) - 1)
        raise KeyboardInterrupt
    estimate = estimate_collection("collect", made, tmp_path / "s", {}, "cpu", clock=lambda: asked.now)
    assert estimate.total - estimate.done == len(made.groups[-1].prompts)
    with pytest.raises(ShardError, match="other settings"):
        estimate_collection("collect", asked.made({"host": "xyz"}), tmp_path / "s", {}, "cpu")


@pytest.fixture(scope="module")
def host(tmp_path_factory: Any) -> Path:
    return train_host(SHORT, tmp_path_factory.mktemp("hosts") / "tiny")


def test_the_commands_say_it_and_write_nothing(host: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reticent_detectors.collection.estimate.PROMPTS_PER_KIND", (2,))
    command = [str(host), str(tmp_path / "shards"), "--asked-only", "--output-only", "--people", "0.5", "--plan"]
    result = CliRunner().invoke(collect_command.app, command)
    assert result.exit_code == 0, (result.output, result.exception)
    assert result.stdout.startswith("collect: ") and "Nothing was started" in result.output
    result = CliRunner().invoke(calibrate_command.app, [str(host), str(tmp_path / "bundle"), "--people", "5", "--plan"])
    assert result.exit_code == 0, (result.output, result.exception)
    assert result.stdout.startswith("calibrate: ") and "Nothing was started" in result.output
    assert not list(tmp_path.iterdir())


def test_the_plan_is_of_the_prompts_that_the_run_asks(
    host: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Group, "answer_tokens", 24)  # this host ends no answer
    model, tokenizer = load_host(host)
    plan = replace(
        PLAN, people=0.5, train_phrasings=1, test_phrasings=1, sampled_phrasings=0, writers=0, echoes=3, menus=0
    )
    with collector(model, tokenizer, cast(SHORT), plan=plan) as made:
        planned = estimate_collection("collect", made, tmp_path / "s", {"weights": model}, "cpu")
    seen: list[tuple[int, int]] = []
    collect(model, tokenizer, cast(SHORT), tmp_path / "s", plan=plan, progress=lambda *done: seen.append(done))
    assert seen[-1] == (planned.total, planned.total)
    rows = ShardReader(tmp_path / "s").load()
    size = sum(array[0].nbytes / (1 if name not in ("inter", "intra") else 2) for name, array in rows.features.items())
    assert made.row_bytes == size


def test_rows_are_stored_by_time_and_too_little_disk_is_said_first(
    host: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Group, "answer_tokens", 24)  # this host ends no answer
    model, tokenizer = load_host(host)
    plan = replace(
        PLAN, people=0.5, train_phrasings=1, test_phrasings=1, sampled_phrasings=1, writers=0, echoes=3, menus=0
    )

    def parts(folder: Path, step: float) -> int:
        collect(model, tokenizer, cast(SHORT), folder, plan=plan, clock=count(0, step).__next__)
        return len(list(folder.glob("part-*.parquet")))

    assert parts(tmp_path / "quick", 0.1) == 1 < parts(tmp_path / "slow", 120.0)
    quick, slow = (ShardReader(tmp_path / name).load() for name in ("quick", "slow"))
    assert quick.digest == slow.digest
    monkeypatch.setattr(memory, "free_disk", lambda folder: 100)
    with pytest.raises(InputError, match="The collection needs about"):
        parts(tmp_path / "none", 0.1)


@pytest.mark.parametrize(
    ("output_only", "names", "position", "read_under"),
    [(False, None, "pooled", 4), (False, 0, "pooled", 0), (True, None, "output", 0), (True, 3, "output", 3)],
)
def test_other_names_are_read_by_default_unless_the_output_alone_is_stored(
    output_only: bool, names: int | None, position: str, read_under: int
) -> None:
    spec = collect_command.feature_spec(output_only, names)
    assert (spec.position, spec.names) == (position, read_under)
    assert ("renamed" in spec.shapes(2)) == (read_under > 0)
