"""Estimates what training a detector's networks will take, by an epoch of each sort of network."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from reticent_detectors.collection.shards import FeatureTable
from reticent_detectors.detector.cross_fit import member_folder, trainable
from reticent_detectors.detector.training import stored_epochs, train
from reticent_detectors.detector.training_config import TrainingConfig
from reticent_detectors.errors import InputError
from reticent_detectors.host.memory import peak_bytes
from reticent_detectors.long_runs.estimate import Estimate
from reticent_detectors.long_runs.save_timer import Clock

STATES = 4
"""Copies of the weights that a checkpoint holds: the network, the best one, and Adam's two moments."""


def estimate_training(
    table: FeatureTable,
    configs: Sequence[TrainingConfig],
    folder: Path,
    memory: Mapping[str, float],
    clock: Clock = time.perf_counter,
) -> Estimate:
    """Estimates `cross_fit`. Trains an epoch of each sort of network twice, and times the second one.

    Args:
        table, configs, folder: the arguments of `cross_fit`.
        memory: bytes of other objects in memory, by name.
        clock: time in seconds.

    Raises:
        InputError: `configs` is empty, or as `train` raises it.
    """
    if not configs:
        raise InputError("cross-fitting needs the settings of at least one network")
    sorts: dict[frozenset[str], tuple[float, int]] = {}
    done = total = 0
    seconds = size = 0.0
    for number, config in trainable(table, configs):
        if config.groups not in sorts:
            train(table, replace(config, epochs=1))
            start = clock()
            network = train(table, replace(config, epochs=1)).network
            sorts[config.groups] = clock() - start, sum(parameter.numel() for parameter in network.parameters())
        seconds_each, weights = sorts[config.groups]
        size += STATES * 4 * weights
        stored = min(config.epochs, stored_epochs(member_folder(folder, number)))
        done, total = done + stored, total + config.epochs
        seconds += (config.epochs - stored) * seconds_each
    rows = sum(array.nbytes for array in table.features.values())
    return Estimate(
        "train",
        "epoch",
        done,
        total,
        seconds,
        f"{len(sorts)} epochs of {table.rows:,} rows",
        {"rows": rows, **memory},
        peak_bytes("cpu"),
        {"checkpoints, until the bundle is written": size},
        most=True,
        note=f"{len(trainable(table, configs))} networks; each stops where it no longer gets better",
    )
