"""The figures of an attack: how well its scores tell members from the rest, and what chance alone would give."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from reticent_bench.report.metrics import (
    Flags,
    Interval,
    Scores,
    Weights,
    bootstrap,
    paired_bootstrap,
    weighted_auroc,
    weighted_recall_at,
)
from reticent_detectors.errors import InputError

People = NDArray[np.str_]

FEWEST_NON_MEMBERS = {0.01: 100, 0.001: 10_000}
"""Non-members that a false-positive rate needs before a true-positive rate is stated at it."""


class Null(NamedTuple):
    """max(AUC, 1 - AUC) of an attack that knows nothing: mean and 95th percentile over random labels."""

    mean: float
    high: float


@dataclass(frozen=True, slots=True)
class AttackFigures:
    """A row of the report. Intervals draw whole people.

    Attributes:
        attack: its name.
        source: its paper.
        auc: area under the ROC curve, as it is.
        normalised_auc: max(AUC, 1 - AUC); above 0.5 even by chance, so it belongs beside `null`.
        null: what chance gives for `normalised_auc`.
        tpr_at_1_percent: true-positive rate at the last threshold whose false-positive rate is not above 1 %; None
            where it is not resolvable: with fewer than 100 non-members.
        tpr_at_01_percent: the same at 0.1 %; None with fewer than 10,000 non-members.
        above_blind: AUC less that of the blind text classifier; None where none was trained. Its interval leaves out
            the chance in the training of that classifier.
    """

    attack: str
    source: str
    auc: Interval
    normalised_auc: float
    null: Null
    tpr_at_1_percent: Interval | None
    tpr_at_01_percent: Interval | None
    above_blind: Interval | None


def measure(
    attack: str,
    source: str,
    scores: Scores,
    member: Flags,
    people: People,
    *,
    blind: Scores | None = None,
    rounds: int = 400,
    null_rounds: int = 1000,
    seed: int = 0,
) -> AttackFigures:
    """The figures of the scores of one attack.

    Args:
        attack: its name.
        source: its paper.
        scores: higher for members [rows].
        member: whether the row is a member [rows].
        people: key of the row's person [rows].
        blind: scores of the blind text classifier [rows].
        rounds: draws of people for each interval.
        null_rounds: permutations for the null distribution.
        seed: of both.

    Raises:
        InputError: shapes disagree, a score is not finite, a side is empty, or a person is on both sides.
    """
    check_sides(member, people)
    if scores.shape != member.shape or not np.isfinite(scores).all():
        raise InputError(
            f"Expected one finite score a row, got shape {scores.shape} for {len(member)} rows. Check the attack."
        )
    area = weighted_auroc(scores, member)
    others = int((~member).sum())
    rates = [rate for rate, fewest in FEWEST_NON_MEMBERS.items() if others >= fewest]
    recalls = [weighted_recall_at(scores, member, rate) for rate in rates]

    def figures(weight: Weights) -> list[float]:
        return [area(weight), *(recall(weight) for recall in recalls)]

    auc, *found = bootstrap(figures, people, rounds, seed)
    at = dict(zip(rates, found, strict=True))
    return AttackFigures(
        attack,
        source,
        auc,
        max(auc.value, 1 - auc.value),
        null_normalised_auc(scores, member, people, null_rounds, seed),
        at.get(0.01),
        at.get(0.001),
        None if blind is None else paired_bootstrap(scores, blind, member, people, rounds, seed),
    )


def check_sides(member: Flags, people: People) -> None:
    """Check that both sides have rows and share no person.

    Raises:
        InputError: shapes disagree, there is no member or no non-member, or a person is on both sides.
    """
    if member.shape != people.shape or member.ndim != 1:
        raise InputError(f"Expected a flag and a person a row, got {member.shape} and {people.shape}. Correct them.")
    if member.all() or not member.any():
        raise InputError(f"Expected members and non-members, got {len(member)} rows of one kind. Give both.")
    shared = np.intersect1d(people[member], people[~member])
    if len(shared):
        raise InputError(
            f"Expected each person among the members or among the others, got {len(shared)} on both sides. "
            f"Keep each person on one side."
        )


def null_normalised_auc(scores: Scores, member: Flags, people: People, rounds: int = 1000, seed: int = 0) -> Null:
    """max(AUC, 1 - AUC) over random labels: whole people change sides, so their windows stay together.

    With one row a person and no ties it follows `null_by_formula`.

    Args:
        scores: of the attack [rows].
        member: whether the row is a member [rows].
        people: key of the row's person, each on one side [rows].
        rounds: number of permutations.
        seed: of the permutations.
    """
    rng = np.random.default_rng(seed)
    names, first, index = np.unique(people, return_index=True, return_inverse=True)
    ranks = np.bincount(index, weights=rankdata(scores), minlength=len(names))
    rows = np.bincount(index, minlength=len(names)).astype(np.float64)
    chosen = member[first]
    found = np.empty(rounds)
    for i in range(rounds):
        mixed = rng.permutation(chosen)
        inside = float(rows[mixed].sum())
        won = float(ranks[mixed].sum()) - inside * (inside + 1) / 2
        area = won / (inside * (len(scores) - inside))
        found[i] = max(area, 1 - area)
    return Null(float(found.mean()), float(np.percentile(found, 95)))


def null_by_formula(members: int, others: int) -> Null:
    """The null distribution for independent rows without ties: normal approximation of the Mann-Whitney statistic.

    The AUC has mean 1/2 and variance (m + n + 1) / (12 m n). So the mean of max(AUC, 1 - AUC) is
    1/2 + deviation * sqrt(2 / pi), and the 95th percentile 1/2 + 1.96 deviation.
    """
    deviation = math.sqrt((members + others + 1) / (12 * members * others))
    return Null(0.5 + deviation * math.sqrt(2 / math.pi), 0.5 + 1.959964 * deviation)
