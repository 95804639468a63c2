"""Figures of attackers: micro scores with intervals, and paired differences between two of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reticent_bench.audits.inversion.measures import Overlap, micro
from reticent_bench.report.metrics import Interval, share
from reticent_bench.report.metrics import difference as independent_difference
from reticent_detectors.errors import InputError

Counts = NDArray[np.float64]
"""Of one attacker: [trainings, texts, 5], the fields of `Overlap`."""


class AttackerFigures(NamedTuple):
    """Figures of one attacker, over all its trainings."""

    precision: Interval
    recall: Interval
    f1: Interval
    values: Interval
    """Share of personal values that inverted texts hold whole; NaN where there is none."""


class Difference(NamedTuple):
    """One attacker less another, on the same texts."""

    f1: Interval
    values: Interval


def attacker_figures(counts: Counts, people: Sequence[str], rounds: int = 400, seed: int = 0) -> AttackerFigures:
    """Micro scores of an attacker.

    Args:
        counts: [trainings, texts, 5].
        people: of each text.
        rounds: draws for the intervals. Each draws people and, apart from them, trainings, with replacement.
        seed: of the draws.

    Draws give no width to a share of values that is 0 or 1. Its ends are then those of as many draws as there are
    people with values (Clopper-Pearson).

    Not covered: with one training the interval leaves out the chance in it.
    """
    precision, recall, f1, values = (_interval(drawn) for drawn in _draws(counts, people, rounds, seed, 0))
    return AttackerFigures(precision, recall, f1, _with_width(values, _with_values(counts, people)))


def difference(ours: Counts, other: Counts, people: Sequence[str], rounds: int = 400, seed: int = 0) -> Difference:
    """What our attacker has above another: both on the same draws of people, each on draws of its own trainings.

    Args:
        ours: [trainings, texts, 5].
        other: the same of the other attacker; its number of trainings may differ.
        people: of each text.
        rounds, seed: as for `attacker_figures`.
    """
    mine, its = _draws(ours, people, rounds, seed, 1), _draws(other, people, rounds, seed, 2)
    values = _interval(mine[3] - its[3])
    if values.low == values.high:
        count = _with_values(ours, people)
        values = independent_difference(*(_with_width(_interval(drawn[3]), count) for drawn in (mine, its)))
    return Difference(_interval(mine[2] - its[2]), values)


def _draws(counts: Counts, people: Sequence[str], rounds: int, seed: int, arm: int) -> NDArray[np.float64]:
    """Precision, recall, F1 and share of values [4, 1 + rounds]; the first column is of all texts and trainings."""
    if counts.ndim != 3 or counts.shape[1] != len(people) or counts.shape[2] != 5 or not counts.shape[0]:
        raise InputError(f"Expected counts of at least one training for {len(people)} texts, got {counts.shape}.")
    names, index = np.unique(np.array(people), return_inverse=True)
    by_person = np.zeros((counts.shape[0], len(names), 5))
    for training, own in enumerate(counts):
        np.add.at(by_person[training], index, own)
    draw, trainings = np.random.default_rng([seed, 0]), np.random.default_rng([seed, arm, 1])
    # Of n trainings n - 1 are drawn: n would give (n - 1) / n of the variance (Rao and Wu 1988), half of it for two.
    fewer = max(1, len(by_person) - 1)
    out = [_scores(by_person.sum((0, 1)))]
    for _ in range(rounds if len(names) else 0):
        weight = np.bincount(draw.integers(0, len(names), len(names)), minlength=len(names))
        used = np.bincount(trainings.integers(0, len(by_person), fewer), minlength=len(by_person))
        out.append(_scores(np.einsum("s,p,spc->c", used, weight, by_person)))
    return np.array(out).T


def _with_values(counts: Counts, people: Sequence[str]) -> int:
    """How many people have a personal value in a text."""
    values = counts[0, :, Overlap._fields.index("values")]
    return len({person for person, count in zip(people, values, strict=True) if count})


def _with_width(values: Interval, people: int) -> Interval:
    """A share of values with the ends of as many draws as there are people, where all draws agree."""
    if values.value not in (0.0, 1.0) or values.low != values.high:
        return values
    return share(round(values.value * people), people)


def _scores(total: NDArray[np.float64]) -> list[float]:
    true, said, common, values, recovered = total.tolist()
    return [*micro(true, said, common), recovered / values if values else float("nan")]


def _interval(drawn: NDArray[np.float64]) -> Interval:
    """The first as the value, and the middle 95 % of the finite others."""
    rest = drawn[1:][np.isfinite(drawn[1:])]
    low, high = np.percentile(rest, [2.5, 97.5]) if len(rest) else (np.nan, np.nan)
    return Interval(float(drawn[0]), float(low), float(high))
