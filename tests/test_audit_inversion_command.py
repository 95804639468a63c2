"""`reticent audit inversion` as a user runs it, on vectors from a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reticent.cli import main
from reticent.demo import assets
from reticent_bench.audits.inversion import command_parts
from reticent_bench.audits.inversion.people import prompts_of_recipe
from reticent_bench.audits.inversion.settings import DecoderSettings, InversionSettings
from reticent_detectors.errors import InputError
from reticent_detectors.host.load import recipe_of
from reticent_detectors.synth.cast import cast

HOST = str(assets() / "host")
NAMES = ("Mara", "Jan", "Ines", "Tom", "Lea", "Noor", "Pia", "Ugo")


def run(*arguments: str) -> int:
    """The exit code of a command line."""
    try:
        return main(["audit", "inversion", *arguments])
    except SystemExit as ended:
        return int(ended.code or 0)


def report(folder: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((folder / "report.json").read_text())
    return read


@pytest.fixture
def given(tmp_path: Path) -> list[str]:
    """Texts of forty people, with a random vector each."""
    rng = np.random.default_rng(0)
    rows = []
    for row in range(80):
        number = f"030 555 {rng.integers(1000, 9999)}"
        rows.append(
            {"text": f"{NAMES[row % 8]} has {number}", "person": f"p{row // 2}", "values": [number], "kinds": ["PHONE"]}
        )
    (tmp_path / "t.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    np.savez(tmp_path / "v.npz", vectors=rng.normal(size=(80, 5)))
    short = ["--steps", "3", "--trainings", "1"]
    return ["--embeddings", str(tmp_path / "v.npz"), "--texts", str(tmp_path / "t.jsonl"), *short]


def test_vectors_of_a_file_are_audited_and_the_audit_is_read_again(tmp_path: Path, given: list[str]) -> None:
    out = tmp_path / "a"
    assert run(*given, "--out", str(out)) == 0
    first = report(out)
    assert set(first["figures"]) == {"f1", "values-recovered", "f1-above-blind", "values-above-blind"}
    size = (out / "attempts.jsonl").stat().st_size
    assert run(*given, "--out", str(out), "--fail-above", "f1-above-blind=-1") == 1
    assert (out / "attempts.jsonl").stat().st_size == size  # nothing was trained again
    assert first | {"provenance": {}} == report(out) | {"provenance": {}}
    kept = "".join(
        (out / name).read_text() for name in ("attempts.jsonl", "report.html", "report.md", "report.json", "junit.xml")
    )
    assert "Mara" not in kept and "030 555" not in kept
    assert run(*given, "--out", str(out), "--seed", "1") == 2  # other settings


def test_a_plan_trains_nothing_and_a_spent_budget_is_incomplete(
    tmp_path: Path, given: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*given, "--plan", "--out", str(tmp_path / "p")) == 0
    assert "4 attackers are trained, 3 steps each" in capsys.readouterr().err
    assert not (tmp_path / "p").exists()
    assert run(*given, "--max-calls", "10", "--out", str(tmp_path / "b")) == 3
    assert report(tmp_path / "b")["complete"] is False
    assert run(*given, "--max-calls", "100", "--out", str(tmp_path / "b")) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "--embeddings"),
        ([HOST, "--embeddings", "v.npz"], "--embeddings"),
        (["--embeddings", "v.npz"], "--texts"),
        ([HOST, "--source", "air"], "--source"),
        ([HOST, "--texts", "t.jsonl"], "--texts"),
        (["http://127.0.0.1:1"], "folder of a model"),
    ],
)
def test_bad_input_exits_two_and_says_what_to_do(
    tmp_path: Path,
    arguments: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(*arguments) == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_plan_counts_what_is_done_once_for_a_training_and_not_for_its_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]

    def trained(*given: Any) -> None:
        now[0] += (60 if now[0] == 0 else 2) + 0.1 * given[4].steps

    monkeypatch.setattr(command_parts, "train_inverter", trained)
    monkeypatch.setattr(command_parts.time, "perf_counter", lambda: now[0])
    settings = InversionSettings(DecoderSettings(steps=300))
    assert command_parts.training_seconds(["Mara lives in Berne."] * 8, settings) == pytest.approx(2 + 0.1 * 300)


def test_a_host_that_was_taught_twelve_people_is_tested_on_five_of_them() -> None:
    """The adapter of `make demo-llm`: two test people, and ten others. The attacker asks about strangers, too."""
    folder = assets() / "smollm2"
    everybody = cast(recipe_of(folder))
    attack, test = prompts_of_recipe(folder, 20, 100, 2, 0)
    people = [{prompt.person for prompt in side} for side in (attack, test)]
    taught = {person.key for person in (*everybody.train, *everybody.bridge, *everybody.test)}
    assert (len(taught), len(people[0]), len(people[1])) == (12, 20, 5)
    assert {person.key for person in everybody.test} <= people[1] <= taught and not people[0] & people[1]
    assert len(people[0] & taught) == 7 and (len(attack), len(test)) == (40, 10)
    with pytest.raises(InputError, match="4 people to learn from and 5 to test on"):
        prompts_of_recipe(folder, 4, 5, 2, 0)


def test_a_host_with_enough_people_is_tested_on_its_test_people_alone() -> None:
    everybody = cast(recipe_of(HOST))
    attack, test = prompts_of_recipe(Path(HOST), 300, 100, 1, 0)
    assert {prompt.person for prompt in test} <= {person.key for person in everybody.test}
    assert {prompt.person for prompt in attack} <= {person.key for person in (*everybody.train, *everybody.bridge)}
