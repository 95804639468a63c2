"""Trains the networks of one host on its own collection, and writes their bundle."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reticent_detectors.bundle.build_bundle import build_bundle
from reticent_detectors.bundle.format import Bundle
from reticent_detectors.capture import HostAdapter
from reticent_detectors.collection.shards import FeatureTable
from reticent_detectors.detector.cross_fit import cross_fit
from reticent_detectors.detector.held_out_calibration import Trained
from reticent_detectors.detector.training_config import TrainingConfig
from reticent_detectors.errors import ShardError
from reticent_detectors.fitting.averaged_with_universal import join
from reticent_detectors.long_runs.progress import Advance, unseen


def training_rows(table: FeatureTable) -> FeatureTable:
    """Returns the rows without those of test people, who never reach training, calibration or thresholds."""
    return table.select(table.labels["person_split"] != "test")


def describe_host(model: Any, tokenizer: Any, table: FeatureTable) -> dict[str, Any]:
    """Returns fingerprint and behaviour print of the host, as in the manifest of `Bundle`.

    Raises:
        ShardError: the table was collected from another host.
        UnsupportedHost, TokenizerMismatch: the host cannot be guarded.
    """
    adapter = HostAdapter.attach(model, tokenizer)
    fingerprint = adapter.fingerprint(tokenizer)
    if table.settings["host"] != fingerprint:
        raise ShardError(
            "The collection is of another host; expected the same weights, number type and tokenizer as when it was "
            "made."
        )
    return {"fingerprint": fingerprint, "behaviour": adapter.behaviour_print()}


def train_own(
    out: str | os.PathLike[str],
    table: FeatureTable,
    configs: Sequence[TrainingConfig],
    host: dict[str, Any],
    *,
    folder: Path,
    universal: Bundle | None = None,
    prevalence: float = 0.5,
    thorough: bool = False,
    overwrite: bool = False,
    progress: Advance = unseen,
) -> tuple[Bundle, Trained]:
    """Trains networks on a host's `training_rows`, and writes them as a bundle.

    Args:
        out: folder for the bundle.
        table: the rows.
        configs: settings of each network, see `cross_fit`.
        host: what `describe_host` returns.
        folder: folder for checkpoints, from which an interrupted run goes on.
        universal: a bundle whose scores are averaged with theirs.
        prevalence, thorough, overwrite: see `build_bundle`.
        progress: takes the epochs.

    Raises:
        InputError: rows of a class are missing, or `out` exists.
        BundleError: the exported graph and the networks give different logits.
    """
    trained = cross_fit(table, configs, folder=folder, progress=progress)
    detector: Trained = trained if universal is None else join(trained, universal, table)
    bundle = build_bundle(out, detector, table, host, prevalence=prevalence, thorough=thorough, overwrite=overwrite)
    return bundle, detector
