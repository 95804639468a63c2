"""Calibrates a trained detector on its held-out rows, and finds the range of its second look."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from reticent_detectors.collection.shards import FeatureTable
from reticent_detectors.detector.calibration import Calibration, fit_calibration
from reticent_detectors.detector.second_look import find_second_look_range, with_second_look
from reticent_detectors.detector.training_config import IGNORED, POSITIVE, TrainingConfig
from reticent_detectors.errors import InputError


class Trained(Protocol):
    """Describes a trained detector, of one network or of several."""

    @property
    def network(self) -> Any: ...

    @property
    def config(self) -> TrainingConfig: ...

    @property
    def data_digest(self) -> str: ...

    @property
    def validation_loss(self) -> float: ...

    def logits(self, table: FeatureTable) -> NDArray[np.float32]: ...

    def held_out(
        self, table: FeatureTable, *, ignore: frozenset[str] = ..., include_mixed: bool = ..., name_swap: bool = ...
    ) -> tuple[FeatureTable, NDArray[np.float32]]: ...

    def summary(self) -> dict[str, Any]: ...


def calibrate(
    detector: Trained,
    table: FeatureTable,
    *,
    prevalence: float = 0.5,
    ignore: frozenset[str] = IGNORED,
    include_mixed: bool = False,
    second_look_range: tuple[float, float] | None = None,
) -> Calibration:
    """Fits calibration and thresholds on the detector's held-out rows of the table that it was trained on.

    Rows with a label in `ignore` are left out. `include_mixed` adds held-out people under phrasings that training saw:
    about three times the rows, slightly easier than new ones. With a `second_look_range`, only rows whose first logit
    is in it get a second look.
    """
    held, logits = held_out_as_guarded(detector, table, second_look_range, ignore=ignore, include_mixed=include_mixed)
    positive = np.isin(held.labels["label"], sorted(POSITIVE))
    return fit_calibration(logits, positive, held.labels["entity"], prevalence=prevalence)


def held_out_as_guarded(
    detector: Trained,
    table: FeatureTable,
    second_look_range: tuple[float, float] | None,
    *,
    ignore: frozenset[str] = IGNORED,
    include_mixed: bool = True,
) -> tuple[FeatureTable, NDArray[np.float32]]:
    """Returns the held-out rows and the logits of a guard, which takes a second look only in `second_look_range`."""
    held, logits = detector.held_out(table, ignore=ignore, include_mixed=include_mixed)
    if second_look_range is None:
        return held, logits
    _, first = detector.held_out(table, ignore=ignore, include_mixed=include_mixed, name_swap=False)
    return held, with_second_look(first, logits, second_look_range).astype(np.float32)


def second_look_range_of(detector: Trained, table: FeatureTable) -> tuple[float, float] | None:
    """Finds the range of first logits that need a second look.

    Returns None if the detector has no name-swap features, or was trained to need them always.
    """
    if "renamed" not in detector.network.inputs or not detector.config.name_swap_dropout:
        return None
    held, second = detector.held_out(table, include_mixed=True)
    _, first = detector.held_out(table, include_mixed=True, name_swap=False)
    positive = np.isin(held.labels["label"], sorted(POSITIVE))
    return find_second_look_range(first, second, positive)


def check_table(table: FeatureTable, digest: str) -> None:
    """Raises InputError unless the table has this digest."""
    if table.digest != digest:
        raise InputError("expected the table that the detector was trained on; its held-out rows are meant")
