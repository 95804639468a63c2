"""Splits rows into those that a network learns from and those that judge it, and weighs them.

Rows of test people or of test-only phrasings are not used here. Some of the other people and phrasings are held out.
Training sees none of them. Validation sees held-out people under held-out phrasings alone. Rows that mix the two
(`mixed`) are unused unless the caller asks for them, to have more negatives for thresholds. Public facts and other rows
without a person are held out by their value, or else by their phrasing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reticent_detectors.collection.held_out import hash_share, person_share
from reticent_detectors.detector.training_config import NEGATIVE, POSITIVE, TrainingConfig
from reticent_detectors.errors import InputError


@dataclass(frozen=True)
class Split:
    """Row numbers.

    `validation` is held-out people under held-out phrasings, `mixed` the same people under the others.
    """

    train: NDArray[np.int64]
    validation: NDArray[np.int64]
    mixed: NDArray[np.int64]


def split_rows(labels: Mapping[str, NDArray[Any]], config: TrainingConfig) -> Split:
    """Holds out people, and phrasings within each entity and split; see the module's text."""
    usable = (
        np.isin(labels["label"], sorted(POSITIVE | NEGATIVE))
        & np.isin(labels["person_split"], ["train", "val"])
        & np.isin(labels["phrasing_split"], ["taught", "detector"])
    )
    person = np.where(labels["person_key"] != "", labels["person_key"], labels["value_key"])
    person = np.where(person != "", person, labels["phrasing_id"])
    held_person = usable & (labels["person_split"] == "val")
    if not held_person.any():
        first = config.fold * config.held_out_people
        chosen = {
            name
            for name in np.unique(person[usable])
            if first <= person_share(name, config.seed) < first + config.held_out_people
        }
        held_person = usable & np.isin(person, sorted(chosen))
    phrasing = np.array(
        [
            "\x1f".join(row)
            for row in zip(labels["entity"], labels["phrasing_split"], labels["phrasing_id"], strict=True)
        ]
    )
    # Without a person, each prompt may be its own phrasing (public facts). Such rows are held out by their value.
    phrased = (labels["phrasing_id"] != "") & (labels["person_key"] != "")
    held_names: set[str] = set()
    groups: dict[str, list[str]] = {}
    for name in np.unique(phrasing[usable & phrased]):
        groups.setdefault(name.rpartition("\x1f")[0], []).append(name)
    for names in groups.values():
        names.sort(key=lambda name: hash_share(config.seed, "phrasing", name))
        count = round(config.held_out_phrasings * len(names))
        held_names.update(names[(config.fold * count + at) % len(names)] for at in range(count))
    held_phrasing = usable & np.isin(phrasing, sorted(held_names))
    # Rows whose form has one phrasing, or none, cannot be split by phrasing. They are split by person alone.
    alone = np.array(
        sorted(prefix for prefix, names in groups.items() if not held_names.intersection(names)), dtype=str
    )
    prefix = np.array([name.rpartition("\x1f")[0] for name in phrasing])
    by_person = usable & (~phrased | np.isin(prefix, alone))
    return Split(
        train=np.flatnonzero(usable & ~held_person & (~held_phrasing | by_person)),
        validation=np.flatnonzero(held_person & (held_phrasing | by_person)),
        mixed=np.flatnonzero(held_person & ~held_phrasing & ~by_person),
    )


def row_weights(
    labels: Mapping[str, NDArray[Any]], rows: NDArray[np.int64], config: TrainingConfig
) -> NDArray[np.float32]:
    """Returns weights [n] with mean 1.

    Positives and negatives have the same total, overall or in each entity or host.
    """
    names = labels["label"][rows]
    weights = np.array([config.label_weight.get(name, 1.0) for name in names], dtype=np.float64)
    positive = np.isin(names, sorted(POSITIVE))
    cells = np.zeros(len(rows), dtype=int) if config.balance == "class" else labels[config.balance][rows]
    for cell in np.unique(cells):
        sides = [(cells == cell) & positive, (cells == cell) & ~positive]
        totals = [weights[side].sum() for side in sides]
        if config.balance == "host":  # if a host lacks a class, its other class weighs no more than elsewhere
            for side, total in zip(sides, totals, strict=True):
                weights[side] /= max(total, 1e-12)
        elif min(totals) > 0:
            for side, total in zip(sides, totals, strict=True):
                weights[side] *= sum(totals) / (2 * total)
    return np.asarray(weights / weights.mean(), dtype=np.float32)


def check_classes(labels: Mapping[str, NDArray[Any]], split: Split) -> None:
    """Raises InputError if the training rows or the validation rows are of one class."""
    for part, rows in (("training", split.train), ("validation", split.validation)):
        positive = np.isin(labels["label"][rows], sorted(POSITIVE))
        if not positive.any() or positive.all():
            raise InputError(
                f"{part} has {int(positive.sum())} positive and {int((~positive).sum())} negative rows, "
                "expected some of each; collect more people and at least 4 phrasings per entity"
            )


def held_rows(
    split: Split, labels: Mapping[str, NDArray[Any]], ignore: frozenset[str], include_mixed: bool
) -> NDArray[np.int64]:
    """Returns the numbers of the rows that may judge a network; see `held_out_calibration.calibrate`."""
    rows = np.concatenate([split.validation, split.mixed]) if include_mixed else split.validation
    return rows[~np.isin(labels["label"][rows], sorted(ignore))]
