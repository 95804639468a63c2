"""The figures of an attack on many targets: each shadow is the target once, with the others as its shadows.

A target is left out of its own shadows, and so is its twin, which saw exactly the other half. Then each record has as
many shadows that saw it as others, and the attack on models that learned nothing is at 0.5 without bias.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm, rankdata
from scipy.stats import t as student

from reticent_bench.audits.membership.figures import FEWEST_NON_MEMBERS, AttackFigures, Null
from reticent_bench.audits.membership.lira import lira
from reticent_bench.report.metrics import Interval, Weights, weighted_auroc, weighted_recall_at
from reticent_detectors.errors import InputError

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


def lira_scores(confidences: Floats, trained_on: Flags, statistic: str) -> Floats:
    """Online LiRA with one variance, of each shadow as the target [shadows, records].

    Args:
        confidences: probability of the true class [shadows, records].
        trained_on: whether the shadow was trained on the record; rows 2i and 2i + 1 are complementary.
        statistic: a key of `lira.STATISTICS`.

    Raises:
        InputError: the rows are not complementary pairs, or there are fewer than two pairs.
    """
    check_pairs(trained_on)
    out = np.empty(confidences.shape)
    for target in range(len(confidences)):
        first = target - target % 2
        others = np.r_[0:first, first + 2 : len(confidences)]
        out[target] = lira(confidences[others], trained_on[others], confidences[target], statistic=statistic)
    return out


def check_pairs(trained_on: Flags) -> None:
    """Checks that rows come in complementary pairs, at least two of them, of which each holds half of the records.

    Raises:
        InputError: they do not.
    """
    shadows, records = trained_on.shape
    is_paired = shadows >= 4 and shadows % 2 == 0 and (trained_on[0::2] != trained_on[1::2]).all()
    if not is_paired or (trained_on.sum(axis=1) * 2 != records).any():
        raise InputError("Expected at least two pairs of shadows, each trained on the two halves of the records.")


def shuffled(trained_on: Flags, seed: int) -> Flags:
    """The same halves with the records' places permuted: a control without any signal [shadows, records]."""
    return trained_on[:, np.random.default_rng([seed, 21]).permutation(trained_on.shape[1])]


def measure_targets(
    attack: str,
    source: str,
    scores: Floats,
    member: Flags,
    *,
    rounds: int = 400,
    null_rounds: int = 1000,
    seed: int = 0,
) -> AttackFigures:
    """Figures of the scores of one attack: means over the targets.

    Intervals draw records and pairs of targets with replacement, and are widened for the small number of pairs by
    Student's t. Shadows that targets share are not drawn anew.

    Args:
        attack: its name.
        source: its paper.
        scores: higher for members [targets, records].
        member: whether the target was trained on the record, in complementary pairs [targets, records].
        rounds: draws for each interval.
        null_rounds: permutations of the halves for the null distribution.
        seed: of both.

    Raises:
        InputError: shapes disagree or a score is not finite.
    """
    if scores.shape != member.shape or not np.isfinite(scores).all():
        raise InputError(f"Expected a finite score of each target and record, got {scores.shape} for {member.shape}.")
    check_pairs(member)
    others = scores.shape[1] // 2
    rates = [rate for rate, fewest in FEWEST_NON_MEMBERS.items() if others >= fewest]
    rows = list(zip(scores, member, strict=True))
    figures = [[weighted_auroc(*row) for row in rows]]
    figures += [[weighted_recall_at(*row, rate) for row in rows] for rate in rates]
    auc, *found = _intervals(figures, scores.shape[1], rounds, seed)
    at = dict(zip(rates, found, strict=True))
    null = _null(scores, member, null_rounds, seed)
    return AttackFigures(
        attack, source, auc, max(auc.value, 1 - auc.value), null, at.get(0.01), at.get(0.001), above_blind=None
    )


def each_auc(scores: Floats, member: Flags) -> Floats:
    """AUC of each target [targets]."""
    ones = np.ones(scores.shape[1], dtype=np.int64)
    return np.array([weighted_auroc(*row)(ones) for row in zip(scores, member, strict=True)])


def _intervals(figures: list[list[Callable[[Weights], float]]], records: int, rounds: int, seed: int) -> list[Interval]:
    """Each figure's mean over targets, with an interval over draws of records and of pairs of targets."""
    rng = np.random.default_rng([seed, 22])
    pairs = len(figures[0]) // 2

    def means(weight: Weights, drawn: NDArray[np.int64]) -> list[float]:
        places = np.concatenate([2 * drawn, 2 * drawn + 1])
        return [_mean(each, weight, places) for each in figures]

    values = means(np.ones(records, dtype=np.int64), np.arange(pairs))
    draws = [
        means(np.bincount(rng.integers(0, records, records), minlength=records), rng.integers(0, pairs, pairs))
        for _ in range(rounds)
    ]
    ends = np.nanpercentile(np.array(draws), [2.5, 97.5], axis=0)
    wider = _wider(pairs)
    return [
        Interval(value, *(min(1.0, max(0.0, value + wider * (float(end) - value))) for end in each))
        for value, each in zip(values, ends.T, strict=True)
    ]


def _wider(pairs: int) -> float:
    """By how much a bootstrap over few pairs is too narrow: it divides by n, not n - 1, and knows no Student's t."""
    return float(student.ppf(0.975, pairs - 1) / norm.ppf(0.975) * np.sqrt(pairs / (pairs - 1)))


def _mean(each: list[Callable[[Weights], float]], weight: Weights, places: NDArray[np.int64]) -> float:
    """Mean over drawn targets; one that is drawn several times is computed once."""
    different, counts = np.unique(places, return_counts=True)
    return float(np.average([each[place](weight) for place in different], weights=counts))


def _null(scores: Floats, member: Flags, rounds: int, seed: int) -> Null:
    """max(AUC, 1 - AUC) of the mean over targets, with random halves of each pair."""
    rng = np.random.default_rng([seed, 23])
    ranks = rankdata(scores, axis=1)
    records = scores.shape[1]
    half = records // 2
    least = half * (half + 1) / 2
    found = np.empty(rounds)
    for place in range(rounds):
        areas = []
        for pair in range(0, len(scores), 2):
            chosen = rng.permutation(records)
            sums = ranks[pair, chosen[:half]].sum(), ranks[pair + 1, chosen[half:]].sum()
            areas += [(each - least) / (half * half) for each in sums]
        area = float(np.mean(areas))
        found[place] = max(area, 1 - area)
    return Null(float(found.mean()), float(np.percentile(found, 95)))
