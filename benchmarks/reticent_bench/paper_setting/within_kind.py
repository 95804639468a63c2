"""The protocol's two measures: AUROC within kinds, and balanced accuracy at a threshold from elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from reticent_bench.paper_setting.protocol import THRESHOLDS
from reticent_bench.report.metrics import Weights, weighted_auroc

_LEAST = int(THRESHOLDS["least_of_each_class_for_a_kind"])
Scores: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]


def within_kind(scores: Scores, right: Flags, kind: NDArray[np.str_]) -> float:
    """Return the mean of the kinds' AUROC, weighted by their rows; kinds with few rows of a class are left out."""
    return weighted_within_kind(scores, right, kind)(np.ones(len(right), dtype=np.int64))


def weighted_within_kind(scores: Scores, right: Flags, kind: NDArray[np.str_]) -> Callable[[Weights], float]:
    """Return the same of rows that count as often as their weights [n] say, sorted once for many weights."""
    parts = []
    for name in np.unique(kind):
        own = np.flatnonzero(kind == name)
        if min(right[own].sum(), (~right[own]).sum()) >= _LEAST:
            parts.append((own, weighted_auroc(scores[own], right[own])))

    def figure(weight: Weights) -> float:
        found = [(auroc(weight[own]), float(weight[own].sum())) for own, auroc in parts]
        found = [(value, rows) for value, rows in found if np.isfinite(value)]
        total = sum(rows for _, rows in found)
        return sum(value * rows for value, rows in found) / total if total else float("nan")

    return figure


def best_threshold(scores: Scores, right: Flags) -> float:
    """Return the threshold of the best balanced accuracy; a score above it counts as right."""
    order = np.argsort(scores, kind="stable")
    ordered, own = scores[order], right[order]
    hits = own.sum() - own.cumsum()  # right ones above each row
    misses = (~own).sum() - (~own).cumsum()
    figures = hits / max(1, own.sum()) - misses / max(1, (~own).sum())
    figures[np.append(ordered[1:] == ordered[:-1], False)] = -np.inf  # equal scores are on one side
    return float(ordered[int(figures.argmax())])
