"""Loads full collections for the ablation: what a token score reads, name-swap figures and inner layers by depth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reticent_bench.detector.inner_statistics import ARRAYS as INNER_ARRAYS
from reticent_bench.detector.inner_statistics import inner_statistics, last_layer_statistics, name_swap_statistics
from reticent_detectors.collection.shards import FeatureTable, ShardReader
from reticent_detectors.errors import InputError
from reticent_detectors.features.derived_features import BASE, BASE_SHAPE, derive
from reticent_detectors.features.features import FeatureSpec
from reticent_detectors.fitting.token_score_bundle import ARRAYS

NAME_SWAP, INNER, LAST = "name swap", "inner layers", "last layer"
PARTS = (NAME_SWAP, INNER, LAST)
"""Arrays of a prepared table beside those of a token score, [rows, figures]."""
SAME_VALUE = ("person_key", "phrasing_id", "form", "temperature", "entity", "value_key", "tokens", "chars", "fragment")
"""Labels that agree where two collections of one copy hold the same value of the same answer."""
SAME_PROBABILITY = 0.02
"""The first token's probability may differ by so much between two readings of one answer."""
LEAST_SHARE = 0.5
"""A second collection has to hold so many of the values of the first."""


def model_names(given: Sequence[str]) -> dict[str, str]:
    """Reads options NAME=FOLDER: the model's name by the name of the folder. Raises InputError for another form."""
    out = {}
    for option in given:
        name, equals, folder = option.partition("=")
        if not (name and equals and folder):
            raise InputError(f"Expected --model NAME=FOLDER, got {option!r}.")
        out[Path(folder).name] = name
    return out


def load(
    folders: Sequence[Path], models: Mapping[str, str] | None = None, bases: Sequence[Path] = ()
) -> dict[str, FeatureTable]:
    """Loads collections, by the names of their folders.

    Args:
        folders: full collections, each of another copy.
        models: the model's name by the name of a copy's folder; the shape of a model names the others.
        bases: collections of the same copies with a base, made with `--output-only`.

    Raises:
        InputError: a collection lacks inner layers or other names, or folders do not belong together.
    """
    names = [folder.name for folder in folders]
    if same := sorted(name for name, count in Counter(names).items() if count > 1):
        raise InputError(
            f"Two collections have folders of one name, {same[0]}; rename one, for the tables name copies by them."
        )
    tables = {folder.name: prepared(folder) for folder in folders}
    for copy, model in (models or {}).items():
        if copy not in tables:
            raise InputError(f"--model names the folder {copy}, which is none of the collections {', '.join(tables)}.")
        tables[copy] = _named(tables[copy], model)
    for folder in bases:
        table = ShardReader(folder).load((BASE,))
        weights = table.settings["host"]["weights_sha256"]
        own = [name for name, each in tables.items() if each.settings["host"]["weights_sha256"] == weights]
        if not own:
            raise InputError(f"{folder} is of none of the given copies; expected a collection of one of them.")
        tables[own[0]] = with_base(tables[own[0]], table)
    return tables


def prepared(folder: Path) -> FeatureTable:
    """Loads one collection with the arrays of a token score and `PARTS`.

    A base that was not stored is one that was not asked. Raises InputError if inner layers or other names are missing.
    """
    reader = ShardReader(folder)
    if set(INNER_ARRAYS) - set(reader.shapes):
        raise InputError(
            f"{folder} holds no inner layers; collect it again with 'reticent collect' without --output-only."
        )
    if "renamed" not in reader.shapes:
        raise InputError(f"{folder} holds no other names; collect it again with 'reticent collect --names 4'.")
    stored = [name for name in (*INNER_ARRAYS, "renamed", *ARRAYS) if name in reader.shapes]
    return reduced(reader.load(stored))


def reduced(table: FeatureTable) -> FeatureTable:
    """Reduces a full collection to the arrays of a token score and `PARTS`."""
    features: dict[str, NDArray[Any]] = derive(table.features, (), ())
    most = FeatureSpec.of(table.settings["features"]).max_tokens
    length = np.clip(table.labels["tokens"], 1, most)[:, None]
    vocabulary = int(table.settings["host"]["vocab_size"])
    kept = {
        "length": length.astype(np.float32),
        BASE: np.zeros((table.rows, *BASE_SHAPE), np.float32),
        **{name: features[name] for name in ARRAYS if name in features},
        NAME_SWAP: name_swap_statistics(features["renamed"]),
        INNER: inner_statistics(features, vocabulary),
        LAST: last_layer_statistics(features, vocabulary),
    }
    return replace(table, features=kept)


def with_base(table: FeatureTable, other: FeatureTable) -> FeatureTable:
    """Takes the base's log-probabilities from another collection of the same copy; rows without are left out.

    Raises:
        InputError: fewer than `LEAST_SHARE` of the rows are found, or none of the other collection has a base.
    """
    asked = other.features[BASE][:, 0] > 0
    if not asked.any():
        raise InputError("The collection with the base has none; collect it again with --control.")
    place = {key: row for row, key in enumerate(_keys(other)) if asked[row]}
    found = np.array([place.get(key, -1) for key in _keys(table)])
    first, its = table.labels["first_prob"], other.labels["first_prob"][found]
    same = (found >= 0) & (np.abs(first - its) <= SAME_PROBABILITY)
    if same.mean() < LEAST_SHARE:
        raise InputError(
            f"The collection with the base holds {same.mean():.0%} of the copy's values; "
            "collect it with the same options and --output-only."
        )
    kept = table.select(same)
    return replace(kept, features={**kept.features, BASE: other.features[BASE][found[same]]})


def _keys(table: FeatureTable) -> list[tuple[Any, ...]]:
    """Returns what tells the values of a collection apart: `SAME_VALUE`, and how many equal ones came before."""
    before = Counter[tuple[Any, ...]]()
    out = []
    for key in zip(*(table.labels[name].tolist() for name in SAME_VALUE), strict=True):
        out.append((*key, before[key]))
        before[key] += 1
    return out


def _named(table: FeatureTable, model: str) -> FeatureTable:
    return replace(table, settings={**table.settings, "host": {**table.settings["host"], "model": model}})
