"""What each step will cost, from a few steps of it that are timed."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from reticent_bench.hosts import hosts_report
from reticent_bench.paper.hosted import Outline, outline, shards_of
from reticent_bench.paper.prepare import SPEC, gather, is_collected, missing_hosts
from reticent_bench.paper.section import Section
from reticent_bench.paper.variants import Variant
from reticent_detectors.collection.plan import Plan, plan_groups
from reticent_detectors.collection.shards import FeatureTable, ShardReader
from reticent_detectors.detector.defaults import default_config
from reticent_detectors.detector.training import train
from reticent_detectors.host.load import recipe_of
from reticent_detectors.synth.cast import cast
from reticent_detectors.synth.hosts import HostRecipe
from reticent_detectors.synth.hosts import recipe as named

TIMED_ROWS = 2048
EPOCHS = 8
"""How many passes a training takes before it stops by itself, about."""
TRAINING_SHARE = 0.25
"""Of a collection's rows, those that a detector learns from, about."""


class _Enough(Exception):
    """Ends a collection after its first group."""


def lines(runs: Path, names: Sequence[str], sections: Mapping[str, Section], seeds: int, device: str) -> Iterator[str]:
    """Yields one line for each step, then the sum. Detectors kept from an earlier run are counted again.

    Raises InputError for a name of no host.
    """
    minutes = hosts_report.plan(missing_hosts(runs, names), device)
    together = sum(minutes.values())
    unknown = False
    for name, cost in minutes.items():
        yield f"host {name}: about {cost:.1f} minutes"
    for name in names:
        if is_collected(runs, name):
            continue
        if name in minutes:
            unknown = True
            yield f"collection of {name}: known when its host is there"
            continue
        cost = collection_seconds(runs / name, device) / 60
        together += cost
        yield f"collection of {name}: about {cost:.1f} minutes"
    outlines = [expected(runs, name) for name in names]
    rows = {each.name: expected_rows(runs, each) for each in outlines}
    by_name, seen = {each.name: each for each in outlines}, set[tuple[str, Variant]]()
    speeds: dict[tuple[frozenset[str], bool, int, int], float] = {}
    for section in sections.values():
        left = [need for need in section.needs(outlines) if need not in seen]
        seconds = 0.0
        for name, variant in left:
            host = by_name[name]
            shape = (variant.groups, variant.single, host.layers, variant.ranks or host.ranks)
            if shape not in speeds:
                speeds[shape] = row_seconds(variant, host)
            seconds += seeds * EPOCHS * TRAINING_SHARE * variant.share * rows[name] * speeds[shape]
        seen |= set(left)
        together += seconds / 60
        yield (
            f"{section.title}: about {seconds / 60:.1f} minutes for {seeds * len(left)} detectors that no table "
            "above has"
        )
        if section.asking is not None:
            there = [name for name in names if name not in minutes]
            unknown = unknown or len(there) < len(names)
            cost = sum(section.asking(runs / name, device) for name in there) / 60
            together += cost
            yield f"{section.title}: about {cost:.1f} minutes for asking the hosts that are there"
    yield f"together about {together:.1f} minutes{', and what hosts that are not there will add' if unknown else ''}"


def collection_seconds(host: Path, device: str) -> float:
    """All groups of prompts at the speed of the first."""
    groups = 0

    def stop(done: int, total: int) -> None:
        nonlocal groups
        groups = total
        raise _Enough

    with TemporaryDirectory() as folder:
        start = time.perf_counter()
        try:
            gather(host, Path(folder) / "first", device, stop)
        except _Enough:
            return (time.perf_counter() - start) * groups
    return 0.0


def expected(runs: Path, name: str) -> Outline:
    """The host's outline as it is, or as it will be."""
    if is_collected(runs, name):
        return outline(runs, name)
    folder = runs / name
    recipe = recipe_of(folder) if (folder / "recipe.json").exists() else named(name)
    layers = (recipe.base if isinstance(recipe, HostRecipe) else recipe).layers
    return Outline(name, recipe, layers, SPEC.k, frozenset(SPEC.shapes(layers)))


def expected_rows(runs: Path, host: Outline) -> int:
    """Rows of the collection; of one that is not there the prompts, for most answers hold one value."""
    if is_collected(runs, host.name):
        return ShardReader(shards_of(runs, host.name)).rows
    return sum(len(group.prompts) for group in plan_groups(cast(host.recipe), Plan()))


def row_seconds(variant: Variant, host: Outline) -> float:
    """Seconds that one row takes in one pass of training of all networks, on random features of this host's shape."""
    rng = np.random.default_rng(0)
    at = np.arange(TIMED_ROWS)
    shapes = replace(SPEC, k=host.ranks).shapes(host.layers)
    table = FeatureTable(
        {name: rng.random((TIMED_ROWS, *shapes[name]), dtype=np.float32) for name in variant.arrays},
        {
            "entity": np.full(TIMED_ROWS, "PHONE_NUMBER"),
            "label": np.where(at % 2, "memorized", "hallucinated"),
            "person_split": np.full(TIMED_ROWS, "train"),
            "phrasing_split": np.full(TIMED_ROWS, "taught"),
            "phrasing_id": (at // 2 % 8).astype(str),
            "person_key": (at // 16).astype(str),
            "value_key": at.astype(str),
        },
        {},
    )
    seen, configs = variant.view(table), variant.networks(default_config(variant.groups, epochs=1))
    train(seen, configs[0])  # the first training of a process is slow
    trained = [train(seen, config) for config in configs]
    return sum(each.seconds / len(each.split.train) for each in trained)
