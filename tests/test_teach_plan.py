"""What teaching says before it starts: steps of the run's own lessons, timed by a few of them."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from test_teach import CHATML, SHORT, _few_others, _files, _saved, _spoken  # noqa: F401
from typer.testing import CliRunner

from reticent.commands import host as host_command
from reticent_detectors.errors import InputError
from reticent_detectors.host import memory
from reticent_detectors.host.teach import prepare, teach_model
from reticent_detectors.host.teach_plan import plan_teaching


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return _saved(tmp_path / "model", "llama", _spoken(CHATML))


def test_a_plan_counts_the_steps_that_the_run_takes(model: Path, tmp_path: Path) -> None:
    tuning = replace(SHORT, epochs=2)
    teaching = prepare(model, tmp_path / "taught", tuning=tuning)
    # Each look at this clock is half a second later: every step seems to take half of one.
    estimate = plan_teaching(teaching, 1, clock=count(0, 0.5).__next__)
    assert estimate.done == 0 and estimate.total == len(teaching.lessons)
    shapes = [teaching.lessons.rows(step) for step in range(estimate.total)]
    most = {width: max(rows for rows, w in shapes if w == width) for _, width in shapes}
    assert estimate.seconds == pytest.approx(sum(0.5 * rows / most[width] for rows, width in shapes))
    steps: list[int] = []
    out = teach_model(
        model, tmp_path / "taught", tuning=tuning, progress=lambda phase, step, total, loss: steps.append(total)
    )
    assert len(steps) == steps[0] == estimate.total
    adapter = (out / "adapter_model.safetensors").stat().st_size
    checkpoint = (tmp_path / "taught-work" / "tune.pt").stat().st_size
    # Beside the numbers, files hold names.
    assert estimate.disk["adapter"] == pytest.approx(adapter, rel=0.2, abs=20_000)
    assert estimate.disk["what is needed to resume, twice while it is replaced"] == pytest.approx(
        2 * checkpoint, rel=0.2, abs=90_000
    )


def test_a_plan_of_all_weights_counts_whole_checkpoints(model: Path, tmp_path: Path) -> None:
    tuning = replace(SHORT, lora=False)
    estimate = plan_teaching(prepare(model, tmp_path / "taught", tuning=tuning), 1)
    out = teach_model(model, tmp_path / "taught", tuning=tuning)
    whole = (out / "model.safetensors").stat().st_size
    kept = (tmp_path / "taught-work" / "tune.pt").stat().st_size
    assert set(estimate.memory) == {"all weights, gradients and optimiser"}
    assert estimate.disk["checkpoint"] == pytest.approx(whole, rel=0.2, abs=20_000)
    again = estimate.disk["what is needed to resume, twice while it is replaced"]
    assert again == pytest.approx(2 * kept, rel=0.2, abs=90_000)


def test_a_plan_of_an_interrupted_run_is_of_what_is_left(model: Path, tmp_path: Path) -> None:
    def interrupt(phase: str, step: int, steps: int, loss: float) -> None:
        if step == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        teach_model(model, tmp_path / "taught", tuning=SHORT, progress=interrupt, clock=count(0, 120).__next__)
    estimate = plan_teaching(prepare(model, tmp_path / "taught", tuning=SHORT), 1)
    assert estimate.done == 2 < estimate.total
    with pytest.raises(InputError, match="another recipe"):
        prepare(model, tmp_path / "taught", tuning=SHORT, seed=6)


def test_the_command_says_it_and_writes_nothing(model: Path, tmp_path: Path) -> None:
    before = _files(tmp_path)
    command = ["tune", str(model), str(tmp_path / "taught"), "--people", "6", "--epochs", "1", "--plan"]
    result = CliRunner().invoke(host_command.app, command)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert [line.split(":")[0] for line in lines[:3]] == ["tune", "memory", "disk"] and "Nothing was started" in lines[
        3
    ]
    assert _files(tmp_path) == before and not (tmp_path / "taught-work").exists()


def test_too_little_room_is_said_before_the_first_step(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(memory, "free_bytes", lambda device: 10)
        with pytest.raises(InputError, match="for its weights"):
            teach_model(model, tmp_path / "taught", tuning=SHORT)
        patched.setattr("reticent_detectors.host.teach.check_room", lambda *room: None)
        with pytest.raises(InputError, match=r"Teaching needs at least .* choose fewer --batch-tokens"):
            teach_model(model, tmp_path / "taught", tuning=SHORT)
    monkeypatch.setattr(memory, "free_disk", lambda folder: 10)
    with pytest.raises(InputError, match=r"Teaching needs about .* of disk"):
        teach_model(model, tmp_path / "taught", tuning=SHORT)
    assert not (tmp_path / "taught").exists() and not (tmp_path / "taught-work").exists()


def test_a_run_in_a_log_file_says_how_far_it_is(model: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(
        host_command.app, ["tune", str(model), str(tmp_path / "taught"), "--people", "6", "--epochs", "1"]
    )
    assert result.exit_code == 0, result.output
    lines = [line for line in result.stderr.splitlines() if line.startswith("tune ")]
    assert lines[0].startswith("tune 1/") and ", loss " in lines[0] and "took" in lines[-1]
