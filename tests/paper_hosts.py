"""Hosts without weights, a recipe beside a collection each, for the tests of the paper's tables."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from reticent_bench.bench_command import app as bench
from reticent_bench.paper import detectors as module
from reticent_bench.paper import variants
from reticent_bench.paper.detectors import Detector
from reticent_bench.paper.held import RATES
from reticent_bench.paper.hosted import Hosted, hosted, outline
from reticent_bench.report.row_parts import EVEN
from reticent_detectors.collection.shards import FeatureTable, RowLabels, ShardWriter, keyed_hash
from reticent_detectors.detector.calibration import Calibration
from reticent_detectors.detector.defaults import default_config, ensemble_of
from reticent_detectors.detector.ensemble import Ensemble
from reticent_detectors.detector.network import DetectorNetwork, NetworkOptions
from reticent_detectors.detector.training_config import TrainingConfig
from reticent_detectors.features.features import FeatureSpec
from reticent_detectors.synth.hosts import HostRecipe, recipe

Rows = tuple[dict[str, np.ndarray[Any, Any]], list[RowLabels]]

LAYERS, RANKS, ROWS = 4, 4, 2400
KINDS = ("PHONE_NUMBER", "JOB_TITLE", "DOCTOR", "FLIGHT")
SPEC = FeatureSpec(k=RANKS, names=4)


def rows_of(seed: int) -> Rows:
    """Draws features. Remembered values differ in one element of each array; every second person is for testing."""
    rng = np.random.default_rng(seed)
    right = rng.random(ROWS) < 0.5
    person, phrasing = rng.integers(0, 80, ROWS), rng.integers(0, 8, ROWS)
    phrasing = np.where(person % 2, phrasing, phrasing % 6)
    features = {}
    for name, shape in SPEC.shapes(LAYERS).items():
        array = rng.normal(0.0, 1.0, (ROWS, int(np.prod(shape)))).astype(np.float32)
        array[:, 0] += np.where(right, 1.0, -1.0)
        features[name] = array.reshape(ROWS, *shape)
    features["token_prob"] = 1 / (1 + np.exp(-features["token_prob"]))
    labels = [
        RowLabels(
            entity=str(rng.choice(KINDS)),
            label="memorized" if right[i] else "hallucinated",
            person_split="test" if person[i] % 2 else "train",
            phrasing_split="taught" if phrasing[i] < 4 else "detector" if phrasing[i] < 6 else "test",
            phrasing_id=f"p-{phrasing[i]}",
            person_key=keyed_hash(bytes(16), f"person {person[i]}"),
            value_key=keyed_hash(bytes(16), f"value {i}"),
            form="form" if i % 20 == 0 else "question",
            first_prob=float(rng.random()),
            temperature=1.0 if i % 10 == 0 else 0.0,
            tokens=int(rng.integers(1, 30)),
            robust=bool(rng.random() < 0.7),
        )
        for i in range(ROWS)
    ]
    return features, labels


def write_runs(folder: Path, names: Iterable[str], rows: Callable[[int], Rows] = rows_of) -> Path:
    """Hosts that nobody can ask: a recipe beside a collection."""
    for seed, name in enumerate(names):
        (folder / name).mkdir()
        chosen = recipe(name)
        assert isinstance(chosen, HostRecipe)
        (folder / name / "recipe.json").write_text(json.dumps(chosen.to_json()))
        features, labels = rows(seed)
        with ShardWriter(folder / f"{name}-shards", {"host": name}) as writer:
            writer.append(features, labels, cursor=1)
    return folder


def read_runs(runs: Path, names: Iterable[str], cache: Path) -> list[Hosted]:
    """The hosts, with caches elsewhere."""
    return [replace(hosted(outline(runs, name), runs, False, print), cache=cache / name) for name in names]


def train_quickly(monkeypatch: pytest.MonkeyPatch) -> list[FeatureTable]:
    """Short trainings; the rows that each got."""
    seen: list[FeatureTable] = []
    run = module.cross_fit

    def short(groups: frozenset[str], **options: Any) -> TrainingConfig:
        return replace(default_config(groups, **options), epochs=3, batch=64)

    monkeypatch.setattr(module, "default_config", short)
    monkeypatch.setattr(variants, "ensemble_of", lambda config: ensemble_of(config)[:4])  # two of five folds
    monkeypatch.setattr(module, "cross_fit", lambda table, configs: (seen.append(table), run(table, configs))[1])
    return seen


def untrained(table: FeatureTable, configs: Any) -> Detector:
    """A detector of the right shape that learned nothing; one network stands for all."""
    known = table.features["topk_prob"]
    network = DetectorNetwork(NetworkOptions(known.shape[1], known.shape[2], configs[0].groups))
    return Detector(
        Ensemble([network], [(1.0, 0.0)]),
        Calibration(1.0, 0.0, 0.5, 0.5, {f"{rate:g}": 0.0 for rate in RATES}),
        None,
        EVEN,
        2.0,
        10,
        3,
    )


def run(*arguments: object) -> str:
    done = CliRunner().invoke(bench, ["paper", *(str(a) for a in arguments)])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.output
