"""Detectors of the tables: trained in memory as `reticent train` does, calibrated, kept, and asked as a guard asks.

`RUNS/NAME-paper/DIGEST.npz` keeps a trained detector: weights, calibration and the range of doubt. The digest covers
the training's settings and all that it sees of its rows, and nothing else, so another table or run trains nothing
again. After a change of the code delete the folder. It also keeps the baselines' scores, by the digest of the
collection.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from reticent_bench.paper.hosted import Hosted, read_arrays, write_arrays
from reticent_bench.paper.variants import Variant
from reticent_bench.report.metrics import Scores
from reticent_bench.report.row_parts import Thresholds, thresholds_on
from reticent_detectors.collection.shards import FeatureTable
from reticent_detectors.detector.calibration import Calibration
from reticent_detectors.detector.cross_fit import cross_fit
from reticent_detectors.detector.defaults import default_config
from reticent_detectors.detector.ensemble import Ensemble
from reticent_detectors.detector.held_out_calibration import calibrate, held_out_as_guarded, second_look_range_of
from reticent_detectors.detector.second_look import with_second_look, without_name_swap
from reticent_detectors.detector.training_config import TrainingConfig
from reticent_detectors.errors import InputError
from reticent_detectors.features.derived_features import derive


@dataclass(frozen=True)
class Detector:
    """A trained ensemble with its calibration and the thresholds of balanced accuracy.

    `rows` and `people` count the training data of one network, on average; `seconds` is the time of training.
    """

    network: Ensemble
    calibration: Calibration
    second_look_range: tuple[float, float] | None
    thresholds: Thresholds
    seconds: float
    rows: int
    people: int

    def probabilities(self, table: FeatureTable) -> Scores:
        """Probability of each row as a guard computes it: read under other names only in doubt."""
        features = derive(table.features, table.labels["entity"], self.network.options.entities)
        logits = self.network.logits(features)
        if self.second_look_range is not None:
            logits = with_second_look(self.network.logits(without_name_swap(features)), logits, self.second_look_range)
        return self.calibration.probability(logits)


class Detectors:
    """Trains what is asked for, once, with the seeds 0 to `seeds` - 1."""

    def __init__(self, seeds: int, say: Callable[[str], None] = lambda line: None) -> None:
        self.seeds = seeds
        self.used: dict[tuple[str, Variant], float] = {}
        """What was asked for since this was last emptied, with the seconds of its training, whenever it was."""
        self._say = say
        self._trained: dict[tuple[str, Variant], tuple[Detector, ...]] = {}
        self._scores: dict[tuple[str, Variant, str], tuple[Scores, ...]] = {}

    def of(self, host: Hosted, variant: Variant) -> tuple[Detector, ...]:
        """One detector for each seed.

        Raises:
            InputError: the rows are too few, or the held-out ones contradict what was learned.
        """
        key = (host.name, variant)
        if key not in self._trained:
            table = variant.training_rows(host.learned)
            self._trained[key] = tuple(self._one(host, variant, table, seed) for seed in range(self.seeds))
        self.used[key] = sum(detector.seconds for detector in self._trained[key])
        return self._trained[key]

    def scores(self, host: Hosted, variant: Variant, on: Hosted | None = None) -> tuple[Scores, ...]:
        """Probabilities of the test rows of a host (the detector's own, if no other is given), for each seed."""
        on = on or host
        key = (host.name, variant, on.name)
        detectors = self.of(host, variant)
        if key not in self._scores:
            seen = variant.view(on.rows)
            self._scores[key] = tuple(detector.probabilities(seen) for detector in detectors)
        return self._scores[key]

    def _one(self, host: Hosted, variant: Variant, table: FeatureTable, seed: int) -> Detector:
        label = f"{host.name}: {describe(variant)}, seed {seed}"
        return kept_detector(
            host.cache, table, variant.networks(default_config(variant.groups, seed=seed)), label, self._say
        )


def kept_detector(
    folder: Path, table: FeatureTable, configs: Sequence[TrainingConfig], name: str, say: Callable[[str], None]
) -> Detector:
    """Reads the detector that `folder` keeps for these rows and settings.

    A missing one is trained, kept and announced.
    """
    content = json.dumps([[config.to_json() for config in configs], table.digest], sort_keys=True)
    path = folder / f"{hashlib.sha256(content.encode()).hexdigest()[:32]}.npz"
    if path.exists():
        return read_detector(path)
    detector = train_detector(table, configs)
    write_detector(path, detector)
    say(f"{name}: {detector.seconds:.1f} s")
    return detector


def train_detector(table: FeatureTable, configs: Sequence[TrainingConfig]) -> Detector:
    """Trains and calibrates a detector on these rows, with a network for each of the settings.

    Raises:
        InputError: there are test people among the rows.
    """
    if (table.labels["person_split"] == "test").any():
        raise InputError("A detector may not see test people; select the other rows first.")
    trained = cross_fit(table, configs)
    ends = second_look_range_of(trained, table)
    second_look_range = None if ends is None else (float(ends[0]), float(ends[1]))
    calibration = calibrate(trained, table, include_mixed=True, second_look_range=second_look_range)
    held, logits = held_out_as_guarded(trained, table, second_look_range)
    thresholds = thresholds_on(calibration.probability(logits), held)
    learned = [table.labels["person_key"][member.split.train] for member in trained.members]
    rows = round(float(np.mean([len(each) for each in learned])))
    people = round(float(np.mean([len(set(each.tolist()) - {""}) for each in learned])))
    return Detector(trained.network, calibration, second_look_range, thresholds, trained.seconds, rows, people)


def write_detector(path: Path, detector: Detector) -> None:
    about = {
        "network": detector.network.to_json(),
        "calibration": detector.calibration.to_json(),
        "doubt": detector.second_look_range,
        "thresholds": detector.thresholds,
        "seconds": detector.seconds,
        "rows": detector.rows,
        "people": detector.people,
    }
    write_arrays(path, {name: tensor.numpy() for name, tensor in detector.network.state_dict().items()}, about)


def read_detector(path: Path) -> Detector:
    """Raises InputError for a file that holds no detector."""
    arrays, about = read_arrays(path)
    network = Ensemble.from_json(about["network"])
    network.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()})
    network.eval()
    second_look_range = None if about["doubt"] is None else (float(about["doubt"][0]), float(about["doubt"][1]))
    calibration = Calibration.from_json(about["calibration"])
    thresholds = Thresholds(*about["thresholds"])
    return Detector(
        network, calibration, second_look_range, thresholds, about["seconds"], about["rows"], about["people"]
    )


def describe(variant: Variant) -> str:
    """One line for people."""
    plain = Variant(variant.groups, single=True)
    changed = [
        f"{name} {getattr(variant, name)}"
        for name in ("share", "layers", "ranks")
        if getattr(variant, name) != getattr(plain, name)
    ]
    changed += [] if variant.single else ["cross-fitted"]
    changed += [f"without {', '.join(sorted(variant.left_out))}"] if variant.left_out else []
    changed += ["right facts remembered"] if variant.facts else []
    return ", ".join(["+".join(sorted(variant.groups)), *changed])
