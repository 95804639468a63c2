"""Measures whether thresholds keep the rates that they are named for.

A model makes values up about strangers, and a bundle stops a share of them. The strangers have another seed than those
that `reticent calibrate` asks about. A copy that was taught people also gives values of other people. These are left
out, because they are not made up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reticent_bench.report.metrics import share
from reticent_bench.report.result import table as markdown
from reticent_detectors.bundle.format import Bundle
from reticent_detectors.collection.shards import FeatureTable
from reticent_detectors.errors import InputError
from reticent_detectors.scoring.scorer import OnnxScorer

RATES = (0.01, 0.05)
"""Shares of made-up values that thresholds are set for."""
MADE_UP = "hallucinated"


def measure(said: Mapping[str, tuple[Sequence[FeatureTable], Bundle]]) -> dict[str, Any]:
    """Measures the share of made-up values that reach the threshold for each of `RATES`, over all kinds and by kind.

    Args:
        said: by model's name, its values about strangers of one or more seeds (`host_calibration.ask_strangers`) and
            the bundle that judges them.

    Raises:
        InputError: a model made nothing up.

    Returns:
        Figures by model's name.
    """
    return {name: _rates(tables, bundle) for name, (tables, bundle) in said.items()}


def over_thresholds(table: FeatureTable, bundle: Bundle, rates: Sequence[float]) -> dict[float, NDArray[np.bool_]]:
    """Returns which rows [rows] a bundle would stop, by false-positive rate; each kind has its own threshold."""
    scorer, kinds = OnnxScorer(bundle), table.labels["entity"].astype(str)
    score, out = scorer.score(table.features, kinds), {}
    for rate in rates:
        limits = {kind: scorer.calibration.threshold(rate, kind) for kind in np.unique(kinds)}
        out[rate] = np.asarray(score >= np.array([limits[kind] for kind in kinds]), bool)
    return out


def _rates(tables: Sequence[FeatureTable], bundle: Bundle) -> dict[str, Any]:
    made_up = [table.select(table.labels["label"] == MADE_UP) for table in tables]
    made_up = [rows for rows in made_up if rows.rows]
    if not made_up:
        raise InputError("The model made no value up about anybody; ask it about more people (--people).")
    kinds = np.concatenate([rows.labels["entity"].astype(str) for rows in made_up])
    reached = [over_thresholds(rows, bundle, RATES) for rows in made_up]
    people = sum(len(np.unique(rows.labels["person_key"])) for rows in made_up)
    out: dict[str, Any] = {"values": len(kinds), "people": people, "rates": {}}
    for rate in RATES:
        over = np.concatenate([own[rate] for own in reached])
        out["rates"][f"{rate:g}"] = {
            "all": share(int(over.sum()), len(over)),
            "kinds": {k: share(int(over[kinds == k].sum()), int((kinds == k).sum())) for k in np.unique(kinds)},
        }
    return out


def render(figures: Mapping[str, Any]) -> str:
    """Renders the report as Markdown."""
    lines = [
        "# Rates that thresholds are named for, and what they stop\n",
        "Made-up values about strangers that no calibration asked about; 95 % Clopper-Pearson intervals.\n",
    ]
    heads = [f"asked for {rate:.0%}" for rate in RATES]
    rows = [
        [name, own["values"], own["people"], *(own["rates"][f"{rate:g}"]["all"] for rate in RATES)]
        for name, own in figures.items()
    ]
    lines.append(markdown(["model", "made-up values", "people", *heads], rows))
    for name, own in figures.items():
        kinds = sorted(own["rates"][f"{RATES[0]:g}"]["kinds"])
        by_kind = [[kind, *(own["rates"][f"{rate:g}"]["kinds"][kind] for rate in RATES)] for kind in kinds]
        lines.append(f"\n## {name}, by kind\n\n" + markdown(["kind", *heads], by_kind))
    return "\n".join(lines)
