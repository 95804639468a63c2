"""A host as the tables see it: rows to learn from, rows of test people, their baselines."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from reticent_bench.detector.baseline_scores import Scored, score_baselines
from reticent_bench.report.metrics import Flags
from reticent_bench.report.row_parts import RIGHT, Thresholds, easy_part, hard_part, public_rows, test_rows
from reticent_detectors.collection.shards import INDEX, FeatureTable, ShardReader
from reticent_detectors.errors import InputError
from reticent_detectors.host.load import recipe_of
from reticent_detectors.synth.hosts import HostRecipe
from reticent_detectors.synth.recipes import Recipe


@dataclass(frozen=True)
class Outline:
    """What the tables' detectors follow from: of a host that is there, or of one that is still to be built."""

    name: str
    recipe: Recipe | HostRecipe
    layers: int
    ranks: int
    features: frozenset[str]

    @property
    def architecture(self) -> str:
        return (self.recipe.base if isinstance(self.recipe, HostRecipe) else self.recipe).architecture


@dataclass(frozen=True)
class Hosted:
    """A host with its collection.

    Attributes:
        learned: rows of people who are not for testing.
        rows: asked-for values of test people.
        facts: answers to the public questions that are for testing.
        cache: folder of what was trained.
        folder: the host itself.
        device: on which the host is asked.
    """

    outline: Outline
    learned: FeatureTable
    rows: FeatureTable
    baselines: Mapping[str, Scored]
    cache: Path
    folder: Path
    facts: FeatureTable
    device: str = "cpu"

    @property
    def name(self) -> str:
        return self.outline.name

    @cached_property
    def right(self) -> Flags:
        return np.isin(self.rows.labels["label"], RIGHT)

    @cached_property
    def easy(self) -> Flags:
        return easy_part(self.rows)

    @cached_property
    def hard(self) -> Flags:
        return hard_part(self.rows)


def outline(runs: Path, name: str) -> Outline:
    """Of the host `runs/name` with the collection `runs/name-shards`."""
    shapes = ShardReader(shards_of(runs, name)).shapes
    layers, ranks = shapes["topk_prob"]
    return Outline(name, recipe_of(runs / name), layers, ranks, frozenset(shapes))


def hosted(
    outlined: Outline, runs: Path, with_baselines: bool, say: Callable[[str], None], device: str = "cpu"
) -> Hosted:
    """Reads the collection. Wanted baselines are fitted, or read back, if the collection holds what they need."""
    name = outlined.name
    reader, cache = ShardReader(shards_of(runs, name)), runs / f"{name}-paper"
    table = reader.load()
    tested = test_rows(table)
    baselines = _baselines(reader, tested, cache, say) if with_baselines else {}
    # Test people never reach training, calibration or thresholds.
    learned = table.select(table.labels["person_split"] != "test")
    facts = table.select(public_rows(table) & (table.labels["person_split"] == "test"))
    return Hosted(outlined, learned, table.select(tested), baselines, cache, runs / name, facts, device)


def shards_of(runs: Path, name: str) -> Path:
    return runs / f"{name}-shards"


def _baselines(reader: ShardReader, tested: Flags, cache: Path, say: Callable[[str], None]) -> dict[str, Scored]:
    """Scores of the test rows alone, kept by the digest of the collection's index."""
    digest = hashlib.sha256((reader.folder / INDEX).read_bytes()).hexdigest()[:32]
    path = cache / f"baselines-{digest}.npz"
    if not path.exists():
        found = score_baselines(reader, say)
        write_arrays(
            path,
            {name: scored.scores[tested] for name, scored in found.items()},
            {
                n: [s.threshold, s.thresholds, s.setting, s.validation_auroc, s.validation_rows]
                for n, s in found.items()
            },
        )
    arrays, about = read_arrays(path)
    return {
        name: Scored(arrays[name], threshold, Thresholds(*each), *rest)
        for name, (threshold, each, *rest) in about.items()
    }


def write_arrays(path: Path, arrays: Mapping[str, Any], about: Mapping[str, Any]) -> None:
    """An .npz of arrays and of what JSON says about them, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".tmp")
    with open(temporary, "wb") as file:
        np.savez(file, about=np.array(json.dumps(about)), **{f"array {name}": array for name, array in arrays.items()})
    temporary.replace(path)


def read_arrays(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """What `write_arrays` wrote. Raises InputError for a file that is none of its."""
    try:
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as kept:
            about = json.loads(str(kept["about"]))
            return {name.removeprefix("array "): kept[name] for name in kept.files if name != "about"}, about
    except (OSError, ValueError, KeyError, zipfile.BadZipFile):
        raise InputError(f"{path} is cut short or was edited; delete it, and it is made again.") from None
