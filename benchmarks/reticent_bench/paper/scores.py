"""Figures of a method over its seeds, and differences between methods with intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reticent_bench.paper.detectors import Detectors, describe
from reticent_bench.paper.hosted import Hosted
from reticent_bench.paper.variants import Variant
from reticent_bench.report.metrics import (
    Flags,
    Interval,
    Scores,
    Weights,
    auroc,
    balanced_accuracy,
    bootstrap,
    recall_at,
    weighted_auroc,
    weighted_balanced_accuracy,
    weighted_recall_at,
)  # fmt: skip
from reticent_bench.report.row_parts import EVEN, Thresholds, best_threshold
from reticent_detectors.errors import InputError

ACCURACY, AUROC = "balanced accuracy", "auroc"
HEADS = {ACCURACY: "balanced accuracy", AUROC: "AUROC"}
RATE = 0.05
RECALL = f"recall at {RATE:.0%} false positives"


class Method(NamedTuple):
    """Scores [rows] for each seed, or one without seeds, with frozen thresholds for each seed or for all.

    `hard` selects the thresholds for hard rows. Without thresholds the best one on the rows at hand is taken, which
    flatters the method.
    """

    scores: tuple[Scores, ...]
    thresholds: tuple[Thresholds, ...] | None = (EVEN,)
    hard: bool = False

    def on(self, part: Flags, hard: bool = False) -> Method:
        return Method(tuple(scores[part] for scores in self.scores), self.thresholds, hard)

    def decided(self, positive: Flags) -> list[Flags]:
        """Who counts as remembered, for each seed."""
        if self.thresholds is None:
            return [scores >= best_threshold(scores, positive) for scores in self.scores]
        each = self.thresholds * (len(self.scores) if len(self.thresholds) == 1 else 1)
        frozen = [threshold.hard if self.hard else threshold.easy for threshold in each]
        return [scores >= threshold for scores, threshold in zip(self.scores, frozen, strict=True)]


def methods(
    detectors: Detectors,
    host: Hosted,
    variants: Mapping[str, Variant],
    notes: list[str],
    on: Hosted | None = None,
) -> dict[str, Method]:
    """The host's detectors on the test rows of `on`; of one that cannot be trained on these rows `notes` says why."""
    found = {}
    for name, variant in variants.items():
        try:
            thresholds = tuple(detector.thresholds for detector in detectors.of(host, variant))
            found[name] = Method(detectors.scores(host, variant, on), thresholds)
        except InputError as error:
            notes.append(f"{host.name}, {describe(variant)}: {error}")
    return found


def over_seeds(values: Sequence[float]) -> Interval:
    """The mean, with the least and the most of the seeds."""
    return Interval(float(np.mean(values)), min(values), max(values))


def figures(method: Method, positive: Flags) -> dict[str, Interval]:
    """Each figure's mean over the seeds with its least and its most; NaN where a class is missing."""
    if positive.all() or not positive.any():
        return dict.fromkeys((ACCURACY, AUROC, RECALL), Interval(*[float("nan")] * 3))
    return {
        ACCURACY: over_seeds([balanced_accuracy(decided, positive) for decided in method.decided(positive)]),
        AUROC: over_seeds([auroc(scores, positive) for scores in method.scores]),
        RECALL: over_seeds([recall_at(scores, positive, RATE) for scores in method.scores]),
    }


def weighted(method: Method, positive: Flags, metric: str) -> Callable[[Weights], float]:
    """A figure's mean over the seeds, of rows that count as often as their weights [rows] say."""
    each: list[Callable[[Weights], float]]
    if metric == ACCURACY:
        each = [weighted_balanced_accuracy(decided, positive) for decided in method.decided(positive)]
    elif metric == AUROC:
        each = [weighted_auroc(scores, positive) for scores in method.scores]
    else:
        each = [weighted_recall_at(scores, positive, RATE) for scores in method.scores]
    return lambda weight: sum(figure(weight) for figure in each) / len(each)


def differences(
    ours: Method, others: Mapping[str, Method], positive: Flags, people: NDArray[Any], metrics: Sequence[str]
) -> dict[str, dict[str, Interval]]:
    """Ours minus each other one, by name and metric: mean over the seeds, with a 95 % interval from draws of people."""
    if positive.all() or not positive.any():
        return {}
    mine = [weighted(ours, positive, metric) for metric in metrics]
    its = {name: [weighted(other, positive, metric) for metric in metrics] for name, other in others.items()}

    def drawn(weight: Weights) -> list[float]:
        here = [figure(weight) for figure in mine]
        return [m - figure(weight) for each in its.values() for m, figure in zip(here, each, strict=True)]

    found = iter(bootstrap(drawn, people))
    return {name: {metric: next(found) for metric in metrics} for name in its}
