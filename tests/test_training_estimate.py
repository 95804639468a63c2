"""What training says before it starts, that it goes on by itself, and that it clears up."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import torch
from test_cross_fit import FULL, PLAIN, QUICK, table  # noqa: F401

from reticent_detectors.collection.shards import FeatureTable
from reticent_detectors.detector.cross_fit import clear_members, cross_fit, trainable
from reticent_detectors.detector.defaults import ensemble_of
from reticent_detectors.detector.training_estimate import estimate_training
from reticent_detectors.errors import InputError


def test_an_epoch_of_each_sort_counts_for_all_of_its_sort(table: FeatureTable, tmp_path: Path) -> None:  # noqa: F811
    configs = ensemble_of(replace(QUICK, groups=FULL, epochs=3))
    # Each look at this clock is two seconds later: an epoch seems to take as long.
    estimate = estimate_training(table, configs, tmp_path, {"host": 5.0}, clock=count(0, 2.0).__next__)
    assert estimate.total == 3 * len(trainable(table, configs)) and estimate.done == 0 and estimate.most
    assert estimate.seconds == 2.0 * estimate.total
    assert estimate.measured == f"2 epochs of {table.rows:,} rows" and estimate.memory["host"] == 5.0
    assert not list(tmp_path.iterdir())
    seen: list[tuple[int, int]] = []
    cross_fit(table, configs, folder=tmp_path, progress=lambda phase, done, total, note: seen.append((done, total)))
    assert seen == sorted(seen) and {total for _, total in seen} == {estimate.total}
    written = sum(file.stat().st_size for file in tmp_path.rglob("*.safetensors"))
    # Beside the numbers, files hold names, and the scales of the inputs.
    assert estimate.disk["checkpoints, until the bundle is written"] == pytest.approx(written, rel=0.2)
    assert estimate_training(table, configs, tmp_path, {}).done == len(seen)
    clear_members(tmp_path)
    assert not tmp_path.exists()


def test_what_else_is_in_the_folder_stays(table: FeatureTable, tmp_path: Path) -> None:  # noqa: F811
    cross_fit(table, ensemble_of(replace(QUICK, groups=PLAIN, epochs=1))[:1], folder=tmp_path)
    (tmp_path / "notes.txt").write_text("mine")
    clear_members(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["notes.txt"]
    with pytest.raises(InputError, match="at least one"):
        estimate_training(table, (), tmp_path, {})


def test_an_ensemble_killed_within_a_network_ends_with_the_same_weights(table: FeatureTable, tmp_path: Path) -> None:  # noqa: F811
    configs = ensemble_of(replace(QUICK, groups=PLAIN, epochs=3))[:2]
    whole = cross_fit(table, configs)

    def kill(phase: str, done: int, total: int, note: str) -> None:
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cross_fit(table, configs, folder=tmp_path, progress=kill)
    seen: list[Any] = []
    again = cross_fit(table, configs, folder=tmp_path, progress=lambda *report: seen.append(report[1]))
    assert seen == [6]
    for name, tensor in whole.network.state_dict().items():
        assert torch.equal(tensor, again.network.state_dict()[name]), name
