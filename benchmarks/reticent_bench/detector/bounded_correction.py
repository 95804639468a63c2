"""Adds further features to a logit, by no more than a bound: logit + b * tanh((v @ z + c) / b).

z are standardised features, and v has a ridge. So a bound says how far a logit may move, not how steeply. The bound is
chosen on groups that are left out once each, such as models. With a bound of 0 the features are not used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from reticent_bench.report.metrics import Flags, auroc

BOUNDS = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0)
"""Bounds to choose from, in logits."""
RIDGE = 0.1
"""Weight of half the squared slopes beside the mean log-loss."""
LEAST_GAIN = 0.001
"""A bound above 0 has to gain so much mean AUROC on the groups that are left out."""
LIMIT = 5.0
"""Standardised features are clipped here."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Correction:
    """A bounded correction of F features; `mean`, `deviation` and `slopes` are [F]. A bound of 0 corrects nothing."""

    bound: float
    mean: Numbers
    deviation: Numbers
    slopes: Numbers
    constant: float

    def __call__(self, features: Numbers) -> Numbers:
        """Returns the corrections [n] of features [n, F]; NaN counts as the mean of the rows learned from."""
        if not self.bound:
            return np.zeros(len(features))
        inner = standardised(features, self.mean, self.deviation) @ self.slopes + self.constant
        return np.asarray(self.bound * np.tanh(inner / self.bound), np.float64)


@dataclass(frozen=True)
class Rows:
    """Rows to learn from: features [n, F], logits [n], classes [n], how much each counts [n]."""

    features: Numbers
    logits: Numbers
    positive: Flags
    count: Numbers

    def select(self, rows: Flags) -> Rows:
        return Rows(self.features[rows], self.logits[rows], self.positive[rows], self.count[rows])


@dataclass(frozen=True)
class Chosen:
    """The correction of the chosen bound, and by bound the mean AUROC on groups that were left out."""

    correction: Correction
    held_out: dict[float, float]


def standardised(features: Numbers, mean: Numbers, deviation: Numbers) -> Numbers:
    """Returns (features - mean) / deviation [n, F], clipped to `LIMIT`; 0 where a feature is NaN."""
    return np.clip(np.nan_to_num((features - mean) / deviation, nan=0.0), -LIMIT, LIMIT)


def fit(rows: Rows, bound: float) -> Correction:
    """Fits a correction of this bound to the log-loss of the corrected logits."""
    mean, deviation = _scale(rows.features, rows.count)
    width = len(mean)
    if not bound:
        return Correction(0.0, mean, deviation, np.zeros(width), 0.0)
    z = standardised(rows.features, mean, deviation)
    sign, weight = np.where(rows.positive, 1.0, -1.0), rows.count / rows.count.sum()

    def loss(point: Numbers) -> tuple[float, Numbers]:
        bent = np.tanh((z @ point[:-1] + point[-1]) / bound)
        margin = sign * (rows.logits + bound * bent)
        value = weight @ np.logaddexp(0.0, -margin) + RIDGE / 2 * (point[:-1] @ point[:-1])
        back = -weight * sign * np.exp(-np.logaddexp(0.0, margin)) * (1.0 - bent**2)
        return float(value), np.append(z.T @ back + RIDGE * point[:-1], back.sum())

    found = minimize(loss, np.zeros(width + 1), jac=True, method="L-BFGS-B", options={"maxiter": 200})
    return Correction(bound, mean, deviation, found.x[:-1], float(found.x[-1]))


def choose(rows: Rows, groups: NDArray[np.str_], copies: NDArray[np.str_], bounds: Sequence[float] = BOUNDS) -> Chosen:
    """Chooses the bound by leaving each group out once, and fits its correction to all rows.

    The best bound is chosen, and of equal ones the smallest. It is 0 unless the best gains `LEAST_GAIN`.

    Args:
        rows: rows to learn from; each logit is of a score that did not see the row's group.
        groups: [n], the group of each row, such as its model.
        copies: [n], the copy of each row. AUROC is measured on each copy, and counts alike in each group.
        bounds: increasing, from 0.
    """
    found: dict[float, list[float]] = {bound: [] for bound in bounds}
    for group in np.unique(groups):
        own = groups == group
        if not _both(rows.positive[~own]):
            continue
        for bound in bounds:
            correction = fit(rows.select(~own), bound)
            areas = [
                auroc(rows.logits[at] + correction(rows.features[at]), rows.positive[at])
                for copy in np.unique(copies[own])
                if _both(rows.positive[at := own & (copies == copy)])
            ]
            found[bound] += [float(np.mean(areas))] if areas else []
    held_out = {bound: float(np.mean(areas)) for bound, areas in found.items() if areas}
    best = max(held_out, key=lambda bound: (held_out[bound], -bound), default=0.0)
    if not held_out or held_out[best] < held_out[0.0] + LEAST_GAIN:
        best = 0.0
    return Chosen(fit(rows, best), held_out)


def _both(positive: Flags) -> bool:
    return bool(positive.any() and not positive.all())


def _scale(features: Numbers, count: Numbers) -> tuple[Numbers, Numbers]:
    """Returns weighted mean and deviation [F]; NaN is left out. A feature that never varies gets a deviation of 1."""
    there = np.isfinite(features)
    weight = there * count[:, None]
    total = np.maximum(weight.sum(0), 1e-12)
    values = np.where(there, features, 0.0)
    mean = (weight * values).sum(0) / total
    deviation = np.sqrt((weight * np.where(there, features - mean, 0.0) ** 2).sum(0) / total)
    return mean, np.where(deviation < 1e-5, 1.0, deviation)
