"""The figures that every report uses."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import beta, binomtest
from sklearn.metrics import roc_auc_score

from reticent_detectors.errors import InputError

Scores = NDArray[np.float64]
Flags = NDArray[np.bool_]
Weights = NDArray[np.int64]
_EPSILON = 1e-12


class Interval(NamedTuple):
    """An estimate with the ends of its 95 % interval."""

    value: float
    low: float
    high: float


def auroc(scores: Scores, positive: Flags) -> float:
    """Area under the ROC curve; NaN if a class is missing."""
    if positive.all() or not positive.any():
        return float("nan")
    return float(roc_auc_score(positive, scores))


def share(hits: int, count: int, looks: int = 1) -> Interval:
    """A share with its 95 % Clopper-Pearson interval; "at most x" means its upper end.

    Args:
        hits, count: of the share.
        looks: how many shares are looked at together, such as those whose best is shown. Their intervals all hold at
            once in 95 % of cases (Bonferroni).
    """
    if count == 0:
        return Interval(float("nan"), 0.0, 1.0)
    tail = 0.025 / looks
    low = 0.0 if hits == 0 else float(beta.ppf(tail, hits, count - hits + 1))
    high = 1.0 if hits == count else float(beta.ppf(1 - tail, hits + 1, count - hits))
    return Interval(hits / count, low, high)


def clustered_share(hits: Sequence[bool] | Flags, groups: Sequence[str]) -> Interval:
    """A share of rows with Clopper-Pearson ends for as many draws as there are groups, such as people [rows].

    The rows of one group are taken as fully dependent, so the interval is too wide rather than too narrow. With one row
    a group it is `share`.

    Raises:
        InputError: there are more or fewer groups than rows.
    """
    if len(hits) != len(groups):
        raise InputError(f"Expected as many groups as rows, got {len(groups)} and {len(hits)}.")
    count = len(set(groups))
    if not count:
        return share(0, 0)
    value = float(np.mean(hits))
    effective = value * count
    low = share(math.floor(effective + _EPSILON), count).low
    high = share(math.ceil(effective - _EPSILON), count).high
    return Interval(value, low, high)


def fewer(before: int, after: int) -> Interval:
    """Share by which hits fell: 1 - after / before, of as many trials on both sides. Exact 95 % interval.

    Given all hits of both sides, those after are binomial. Without a hit before there is nothing to lower: NaN.
    """
    if before == 0:
        return Interval(float("nan"), float("-inf"), 1.0)
    parts = share(after, before + after)
    return Interval(1 - after / before, *(1 - p / (1 - p) if p < 1 else float("-inf") for p in (parts.high, parts.low)))


def difference(first: Interval, second: Interval) -> Interval:
    """First - second of two independent estimates, from their own intervals (Newcombe, 1998, method 10)."""
    value = first.value - second.value
    low = value - math.hypot(first.value - first.low, second.high - second.value)
    high = value + math.hypot(first.high - first.value, second.value - second.low)
    return Interval(value, low, high)


def wilson(hits: int, count: int) -> Interval:
    """A share with its 95 % Wilson score interval; narrower than `share`'s, and right on average only."""
    if count == 0:
        return Interval(float("nan"), 0.0, 1.0)
    found = binomtest(hits, count).proportion_ci(method="wilson")
    return Interval(hits / count, float(found.low), float(found.high))


def recall_at(scores: Scores, positive: Flags, rate: float) -> float:
    """Recall at the threshold that lets at most `rate` of these negatives through."""
    negatives = np.sort(scores[~positive])[::-1]
    if not len(negatives) or not positive.any():
        return float("nan")
    allowed = int(np.floor(rate * len(negatives)))
    threshold = negatives[allowed] if allowed < len(negatives) else -np.inf
    return float((scores[positive] > threshold).mean())


def balanced_accuracy(decided: Flags, positive: Flags) -> float:
    """Mean of the recalls of both classes, of decisions made with a frozen threshold."""
    if positive.all() or not positive.any():
        return float("nan")
    return float((decided[positive].mean() + (~decided[~positive]).mean()) / 2)


def best_balanced_accuracy(scores: Scores, positive: Flags) -> float:
    """The best that any threshold reaches: an upper bound that flatters a baseline, never used for ours."""
    if positive.all() or not positive.any():
        return float("nan")
    order = np.argsort(-scores)
    hits = positive[order].cumsum() / positive.sum()
    misses = (~positive[order]).cumsum() / (~positive).sum()
    return float(((hits + 1 - misses) / 2).max())


def weighted_auroc(scores: Scores, positive: Flags) -> Callable[[Weights], float]:
    """AUROC of rows that count as often as their weights [rows] say, sorted once for many weights."""
    order = np.argsort(scores, kind="stable")
    ordered, right = scores[order], positive[order]
    ties = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))

    def figure(weight: Weights) -> float:
        mine = weight[order]
        hits, misses = np.add.reduceat(mine * right, ties), np.add.reduceat(mine * ~right, ties)
        pairs = float(hits.sum()) * float(misses.sum())
        won = (hits * (misses.cumsum() - misses / 2)).sum()
        return float(won / pairs) if pairs else float("nan")

    return figure


def weighted_recall_at(scores: Scores, positive: Flags, rate: float) -> Callable[[Weights], float]:
    """`recall_at` of rows that count as often as their weights [rows] say, sorted once for many weights."""
    rights, wrongs = np.flatnonzero(positive), np.flatnonzero(~positive)
    rights, wrongs = rights[np.argsort(-scores[rights])], wrongs[np.argsort(-scores[wrongs])]
    above = np.searchsorted(-scores[rights], -scores[wrongs], side="left")

    def figure(weight: Weights) -> float:
        hits, misses = np.append(0, weight[rights].cumsum()), weight[wrongs].cumsum()
        if not len(misses) or not misses[-1] or not hits[-1]:
            return float("nan")
        at = int(np.searchsorted(misses, np.floor(rate * misses[-1]), side="right"))
        return float(hits[above[at] if at < len(above) else -1] / hits[-1])

    return figure


def weighted_balanced_accuracy(decided: Flags, positive: Flags) -> Callable[[Weights], float]:
    """`balanced_accuracy` of rows that count as often as their weights [rows] say."""
    sides = [(positive, decided & positive), (~positive, ~decided & ~positive)]

    def figure(weight: Weights) -> float:
        totals = [float(weight[side].sum()) for side, _ in sides]
        if not min(totals):
            return float("nan")
        return sum(float(weight[right].sum()) / total for (_, right), total in zip(sides, totals, strict=True)) / 2

    return figure


def bootstrap(
    figures: Callable[[Weights], Sequence[float]], groups: NDArray[np.str_], rounds: int = 400, seed: int = 0
) -> list[Interval]:
    """Each of the `figures` of weighted rows with a 95 % interval; whole groups (people) are drawn with replacement.

    The value is that of weights of one. Draws in which a figure is not finite are left out of its interval.
    """
    rng = np.random.default_rng(seed)
    names, index = np.unique(groups, return_inverse=True)
    values = figures(np.ones(len(groups), dtype=np.int64))
    draws = np.array(
        [
            figures(np.bincount(rng.integers(0, len(names), len(names)), minlength=len(names))[index])
            for _ in range(rounds if len(names) else 0)
        ]
    ).reshape(-1, len(values))
    out = []
    for value, drawn in zip(values, draws.T, strict=True):
        finite = drawn[np.isfinite(drawn)]
        low, high = np.percentile(finite, [2.5, 97.5]) if len(finite) else (np.nan, np.nan)
        out.append(Interval(value, float(low), float(high)))
    return out


def paired_bootstrap(
    ours: Scores, other: Scores, positive: Flags, groups: NDArray[np.str_], rounds: int = 400, seed: int = 0
) -> Interval:
    """Difference in AUROC, ours - other, with a 95 % interval; whole groups (people) are drawn with replacement."""
    mine, its = weighted_auroc(ours, positive), weighted_auroc(other, positive)
    return bootstrap(lambda weight: [mine(weight) - its(weight)], groups, rounds, seed)[0]


class Headroom(NamedTuple):
    """Errors of another score that ours leaves.

    Attributes:
        closed: share of the other's distance to AUROC 1.0 that ours closes, (ours - other) / (1 - other).
        misses, misses_ours: 1 - recall at the false-positive rate.
        cut: share by which ours has fewer misses.
    """

    closed: Interval
    misses: Interval
    misses_ours: Interval
    cut: Interval


def headroom(ours: Scores, other: Scores, positive: Flags, groups: NDArray[np.str_], rate: float) -> Headroom:
    """All on the same draws of people; NaN where the other score makes no error."""
    areas = [weighted_auroc(scores, positive) for scores in (other, ours)]
    recalls = [weighted_recall_at(scores, positive, rate) for scores in (other, ours)]

    def figures(weight: Weights) -> list[float]:
        its, mine = (1.0 - area(weight) for area in areas)
        missed, missed_ours = (1.0 - recall(weight) for recall in recalls)
        return [share_less(its, mine), missed, missed_ours, share_less(missed, missed_ours)]

    return Headroom(*bootstrap(figures, groups))


def share_less(before: float, after: float) -> float:
    """By which share `after` is less."""
    return (before - after) / before if before > 0 else float("nan")
