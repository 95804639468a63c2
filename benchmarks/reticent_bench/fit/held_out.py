"""Measures the fitted detector on people who were held out, beside the one that comes along and a plain likelihood."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from reticent.commands.new_bundle import RATES_SHOWN
from reticent_bench.detector.calibrated_rates import over_thresholds
from reticent_bench.report.metrics import Flags, Interval, Scores, share
from reticent_bench.report.row_parts import asked, easy_part, test_rows
from reticent_detectors.bundle.format import Bundle
from reticent_detectors.collection.shards import FeatureTable
from reticent_detectors.detector.calibration import threshold_at
from reticent_detectors.features.derived_features import BASE, derive
from reticent_detectors.features.features import FeatureSpec
from reticent_detectors.fitting.multi_host_pool import first_in_answer

RATES = tuple(map(float, RATES_SHOWN))
FITTED, DEFAULT, MEAN = "fitted detector", "default detector", "mean log-probability"
REMEMBERED, MADE_UP = "memorized", "hallucinated"


class Stopped(NamedTuple):
    """How many values of a sort reach a threshold."""

    hits: int
    values: int

    @property
    def interval(self) -> Interval:
        """Their share with its 95 % interval, as if the values were independent."""
        return share(self.hits, self.values)


def measure(table: FeatureTable, fitted: Bundle, default: Bundle, *, based: bool) -> dict[str, Any]:
    """Measures which values a copy's detector stops in greedy answers about people whom it never saw.

    Remembered values are of people whom the copy was taught; values are made up about them or about people whom it was
    not taught. Both detectors stop at their own thresholds. That of the mean log-probability is the one that a share of
    the values that were made up about other people reaches.

    Args:
        table: the whole collection of the copy.
        fitted: the copy's own bundle.
        default: the bundle that judges where none is named.
        based: whether the detectors may read the base, as in a guard that asks one.

    Returns:
        Numbers of people and of values, and by detector and rate how many `remembered` and `made up` values reach the
        threshold, as [hits, count].
    """
    rows = _with_output(table)
    kept = asked(rows) & easy_part(rows) & first_in_answer(rows)
    judged = rows.select(kept & test_rows(rows))
    learned = rows.select(kept & (rows.labels["person_split"] != "test"))
    labels, people = judged.labels["label"], judged.labels["person_key"]
    remembered = labels == REMEMBERED
    reached = {
        FITTED: _over(judged, fitted, based),
        DEFAULT: _over(judged, default, based),
        MEAN: _over_mean(_mean(judged), _mean(learned)[learned.labels["label"] == MADE_UP]),
    }
    return {
        "people": len(np.unique(people[remembered])),
        "remembered": int(remembered.sum()),
        "made up": int((~remembered).sum()),
        "stopped": {
            name: {
                f"{rate:g}": {"remembered": _stopped(over, remembered), "made up": _stopped(over, ~remembered)}
                for rate, over in by_rate.items()
            }
            for name, by_rate in reached.items()
        },
    }


def lines(figures: Mapping[str, Any]) -> Iterator[tuple[str, str, Stopped, Stopped]]:
    """Yields the rows of the table: detector, rate, remembered values and made-up values that are stopped."""
    for name, by_rate in figures["stopped"].items():
        for rate, own in by_rate.items():
            yield name, f"{float(rate):.0%}", Stopped(*own["remembered"]), Stopped(*own["made up"])


def _with_output(table: FeatureTable) -> FeatureTable:
    """Adds what the default detector reads to rows of all layers, which hold it in other arrays."""
    features, labels = table.features, table.labels
    if "token_logprob" in features:
        return table
    length = np.minimum(labels["tokens"], FeatureSpec().max_tokens)[:, None].astype(np.float32)
    return replace(table, features={**derive(features, labels["entity"], ()), "length": length})


def _over(rows: FeatureTable, bundle: Bundle, based: bool) -> dict[float, Flags]:
    """Returns which values [rows] reach a bundle's thresholds. A base may raise a score and never lowers it."""
    bare = replace(rows, features={**rows.features, BASE: np.zeros_like(rows.features[BASE])})
    over = over_thresholds(bare, bundle, RATES)
    if based:
        over = {rate: over[rate] | own for rate, own in over_thresholds(rows, bundle, RATES).items()}
    return over


def _over_mean(scores: Scores, made_up: Scores) -> dict[float, Flags]:
    return {rate: scores >= threshold_at(made_up, rate) for rate in RATES}


def _mean(rows: FeatureTable) -> Scores:
    return np.asarray(rows.features["token_logprob"][:, 0, 1], np.float64)


def _stopped(over: Flags, rows: Flags) -> list[int]:
    return [int(over[rows].sum()), int(rows.sum())]
