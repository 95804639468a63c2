"""Cross-fits an ensemble: one network for each fold of the people and phrasings.

Each network holds out another part of the rows. Together they learn from all rows, and every row has a network that
never saw it, which calibrates the ensemble. A row's held-out score is a mean over fewer networks than a guard's score,
so thresholds stop slightly less than promised. scikit-learn's `CalibratedClassifierCV` does the same with one network
per fold.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reticent_detectors.collection.shards import FeatureTable
from reticent_detectors.detector.calibration import logit_of
from reticent_detectors.detector.ensemble import Ensemble
from reticent_detectors.detector.held_out_calibration import calibrate, check_table
from reticent_detectors.detector.second_look import without_name_swap
from reticent_detectors.detector.splits import held_rows, split_rows
from reticent_detectors.detector.training import Epoch, TrainedDetector, train
from reticent_detectors.detector.training_config import IGNORED, POSITIVE, TrainingConfig
from reticent_detectors.errors import InputError
from reticent_detectors.features.derived_features import derive
from reticent_detectors.long_runs.progress import Advance, unseen

LEAST_OF_A_CLASS = 10
"""Held-out rows of each class that a network's calibration needs."""


@dataclass(frozen=True)
class TrainedEnsemble:
    """The trained networks of all folds, and their ensemble."""

    network: Ensemble
    members: tuple[TrainedDetector, ...]

    @property
    def config(self) -> TrainingConfig:
        return self.members[0].config

    @property
    def data_digest(self) -> str:
        return self.members[0].data_digest

    @property
    def seconds(self) -> float:
        return sum(member.seconds for member in self.members)

    @property
    def validation_loss(self) -> float:
        """Mean of the members' validation losses."""
        return float(np.mean([member.validation_loss for member in self.members]))

    def logits(self, table: FeatureTable) -> NDArray[np.float32]:
        """Returns the logits [rows] of a table, by all members."""
        return self.network.logits(derive(table.features, table.labels["entity"], self.network.options.entities))

    def held_out(
        self,
        table: FeatureTable,
        *,
        ignore: frozenset[str] = IGNORED,
        include_mixed: bool = False,
        name_swap: bool = True,
    ) -> tuple[FeatureTable, NDArray[np.float32]]:
        """Returns every row that a member held out, with the mean of those members' calibrated logits.

        See `TrainedDetector.held_out`.
        """
        check_table(table, self.data_digest)
        total, count = np.zeros(table.rows), np.zeros(table.rows, np.int64)
        scales = zip(self.network.slope.tolist(), self.network.intercept.tolist(), strict=True)
        for member, (slope, intercept) in zip(self.members, scales, strict=True):
            rows = held_rows(member.split, table.labels, ignore, include_mixed)
            part = table.select(rows)
            if not name_swap:
                part = replace(part, features=without_name_swap(part.features))
            total[rows] += slope * member.logits(part) + intercept
            count[rows] += 1
        held = np.flatnonzero(count)
        return table.select(held), (total[held] / count[held]).astype(np.float32)

    def summary(self) -> dict[str, Any]:
        """Summarises the training for the bundle's manifest: the shared settings, then those of each network.

        No data.
        """
        shared = {key: value for key, value in self.config.to_json().items() if key not in ("fold", "groups")}
        own = [
            {"fold": member.config.fold, **member.summary(), "validation_loss": round(member.validation_loss, 4)}
            for member in self.members
        ]
        options = self.network.options
        return {
            "config": shared,
            "network": {"layers": options.layers, "ranks": options.ranks, "entities": list(options.entities)},
            "networks": [
                {"groups": each["network"]["groups"]}
                | {key: value for key, value in each.items() if key not in ("config", "network", "data_digest")}
                for each in own
            ],
            "parameters": sum(each["parameters"] for each in own),
            "data_digest": self.data_digest,
            "seconds": round(self.seconds, 1),
        }


def cross_fit(
    table: FeatureTable,
    configs: Sequence[TrainingConfig],
    *,
    folder: str | os.PathLike[str] | None = None,
    progress: Advance = unseen,
) -> TrainedEnsemble:
    """Trains one network for each of the settings, calibrates each on its held-out rows, and joins them.

    With few people, a fold may hold no row of a class. It is left out unless it is the first. With a `folder`, an
    interrupted run continues. `progress` is called after every epoch with the epochs of all networks; networks that
    stop early skip some. Raises the errors of `train`, and InputError without settings.
    """
    if not configs:
        raise InputError("cross-fitting needs the settings of at least one network")
    members, scales = list[TrainedDetector](), list[tuple[float, float]]()
    chosen = trainable(table, configs)
    total, before = sum(config.epochs for _, config in chosen), 0
    for at, (number, config) in enumerate(chosen, 1):
        work = None if folder is None else member_folder(Path(folder), number)

        def after_epoch(epoch: int, curve: Epoch, done: int = before, network: int = at) -> None:
            note = f"network {network}/{len(chosen)}, validation loss {curve.validation_loss:.4f}"
            progress("train", done + epoch + 1, total, note)

        member = train(table, config, folder=work, after_epoch=after_epoch)
        before += config.epochs
        own = calibrate(member, table, include_mixed=True)
        members.append(member)
        scales.append((own.slope, own.intercept - logit_of(own.fitted_prevalence)))
    return TrainedEnsemble(Ensemble([member.network for member in members], scales).eval(), tuple(members))


def trainable(table: FeatureTable, configs: Sequence[TrainingConfig]) -> list[tuple[int, TrainingConfig]]:
    """Returns the settings for which `cross_fit` trains a network, with their numbers."""
    first = configs[0].fold if configs else 0
    return [
        (number, config)
        for number, config in enumerate(configs)
        if config.fold == first or holds_both_classes(table, config)
    ]


def member_folder(folder: Path, number: int) -> Path:
    """Returns the folder in which a network keeps its checkpoint."""
    return folder / f"member-{number:02d}"


def clear_members(folder: Path) -> None:
    """Removes the checkpoints of `cross_fit` from a folder, and the folder if it is then empty."""
    for member in folder.glob("member-[0-9][0-9]"):
        shutil.rmtree(member)
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()


def holds_both_classes(table: FeatureTable, config: TrainingConfig) -> bool:
    """Whether a network with these settings can be trained, stopped and calibrated on the rows."""
    split = split_rows(table.labels, config)
    positive = np.isin(table.labels["label"], sorted(POSITIVE))
    judged = held_rows(split, table.labels, IGNORED, True)
    needs = ((split.train, 1), (split.validation, 1), (judged, LEAST_OF_A_CLASS))
    return all(min(positive[rows].sum(), (~positive[rows]).sum()) >= least for rows, least in needs)
