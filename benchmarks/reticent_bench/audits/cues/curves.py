"""Hit rates by cue, and the excess of planted over held-out people.

    HR(tau) = mean(EM | cue <= tau)          LL(tau) = mean(LL | cue <= tau)        (Section 3.2)

A low cue is necessary for memorisation and not sufficient. People whose values the model never saw are hit as well
when a rule or chance gives their value away. The headline is therefore

    excess(tau) = HR_planted(tau) - HR_heldout(tau)

Its interval comes from a bootstrap over pairs of one planted and one held-out person (`rows.pairs`). Each draw takes
whole pairs with all their prompts, and computes both rates from the same draw.

A bootstrap gives no width to an arm without hits, or with nothing else. There the ends are those of the difference
of two intervals (Newcombe, 1998, method 10), the arm's own by Clopper-Pearson over people.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reticent_bench.audits.cues.rows import Row
from reticent_bench.report.metrics import Interval, Weights, bootstrap, clustered_share, difference

_EPSILON = 1e-12


@dataclass(frozen=True, slots=True)
class Point:
    """One threshold of a curve, for one arm.

    Attributes:
        tau: the threshold; rows with a cue up to it count.
        count, people: rows, and people among them.
        hit_rate: HR(tau); 95 % by `clustered_share`.
        scored, scored_people: rows with a likelihood, and people among them.
        log_likelihood: LL(tau) in nats, with a bootstrap over people; NaN if not measurable.
        per_token: the same per token.
    """

    tau: float
    count: int
    people: int
    hit_rate: Interval
    scored: int
    scored_people: int
    log_likelihood: Interval
    per_token: Interval


@dataclass(frozen=True, slots=True)
class Bin:
    """Rows whose cue is above `low` (from it, in the first bin) and up to `high`.

    `hit_rate` has 95 % Clopper-Pearson ends, by `clustered_share`.
    """

    low: float
    high: float
    count: int
    people: int
    hits: int
    hit_rate: Interval


@dataclass(frozen=True, slots=True)
class Excess:
    """Both arms at one threshold, and HR_planted(tau) - HR_heldout(tau) with its paired 95 % interval."""

    tau: float
    planted: Interval
    held_out: Interval
    excess: Interval


def points(
    rows: Sequence[Row], cues: NDArray[np.float64], taus: Sequence[float], rounds: int, seed: int
) -> list[Point]:
    """The curve of one arm.

    Args:
        rows: of planted or of held-out people alone.
        cues: by which they are ordered [rows].
        taus: thresholds.
        rounds: of the bootstrap.
        seed: of the bootstrap.
    """
    people = np.array([row.person for row in rows], dtype=np.str_)
    hits = np.array([row.target.exact for row in rows], dtype=bool)
    totals = _numbers([row.target.log_likelihood for row in rows])
    each = _numbers([row.target.per_token for row in rows])
    lls = zip(
        _means(totals, cues, taus, people, rounds, seed), _means(each, cues, taus, people, rounds, seed), strict=True
    )
    out = []
    for tau, (total, per_token) in zip(taus, lls, strict=True):
        chosen = cues <= tau + _EPSILON
        scored = chosen & np.isfinite(totals)
        out.append(
            Point(
                tau, int(chosen.sum()), len(set(people[chosen])),
                clustered_share(hits[chosen], people[chosen].tolist()), int(scored.sum()), len(set(people[scored])),
                total, per_token,
            )
        )  # fmt: skip
    return out


def bins(rows: Sequence[Row], cues: NDArray[np.float64], taus: Sequence[float]) -> list[Bin]:
    """The disjoint bins between the thresholds, for one arm; the last one ends at 1."""
    out = []
    for low, high, chosen in bin_masks(cues, taus):
        inside = [row for row, is_inside in zip(rows, chosen, strict=True) if is_inside]
        hits = [row.target.exact for row in inside]
        people = [row.person for row in inside]
        out.append(Bin(low, high, len(inside), len(set(people)), sum(hits), clustered_share(hits, people)))
    return out


def bin_masks(cues: NDArray[np.float64], taus: Sequence[float]) -> list[tuple[float, float, NDArray[np.bool_]]]:
    """Ends of each bin, and which rows are in it."""
    edges = [0.0, *(tau for tau in taus if 0 < tau < 1), 1.0]
    out = []
    for low, high in pairwise(edges):
        chosen = (cues <= high + _EPSILON) & ((cues > low + _EPSILON) | (low == 0.0))
        out.append((low, high, chosen))
    return out


def excesses(
    rows: Sequence[Row], cues: NDArray[np.float64], taus: Sequence[float], rounds: int, seed: int
) -> list[Excess]:
    """The excess at each threshold.

    Args:
        rows: of both arms.
        cues: of the rows [rows].
        taus: thresholds.
        rounds: of the bootstrap.
        seed: of the bootstrap.
    """
    hits = np.array([row.target.exact for row in rows], dtype=bool)
    planted = np.array([row.planted for row in rows], dtype=bool)
    people = np.array([row.person for row in rows], dtype=np.str_)
    groups = np.array([row.pair for row in rows], dtype=np.str_)
    chosen = cues[:, None] <= np.asarray(taus)[None, :] + _EPSILON  # [rows, taus]

    def figures(weight: Weights) -> list[float]:
        rates = [_ratio((weight * arm * hits) @ chosen, (weight * arm) @ chosen) for arm in (planted, ~planted)]
        return [float(x) for x in rates[0] - rates[1]]

    drawn = bootstrap(figures, groups, rounds, seed)
    out = []
    for place, tau in enumerate(taus):
        arms = []
        for arm in (planted, ~planted):
            inside = arm & chosen[:, place]
            arms.append(clustered_share(hits[inside], people[inside].tolist()))
        is_flat = any(not 0.0 < arm.value < 1.0 for arm in arms)
        out.append(Excess(tau, arms[0], arms[1], difference(*arms) if is_flat else drawn[place]))
    return out


def _means(
    values: NDArray[np.float64],
    cues: NDArray[np.float64],
    taus: Sequence[float],
    groups: NDArray[np.str_],
    rounds: int,
    seed: int,
) -> list[Interval]:
    """Mean of the finite values up to each threshold; NaN where there are none."""
    finite = np.isfinite(values)
    chosen = (cues[:, None] <= np.asarray(taus)[None, :] + _EPSILON) & finite[:, None]
    filled = np.where(finite, values, 0.0)
    if not finite.any():
        return [Interval(math.nan, math.nan, math.nan)] * len(taus)

    def figures(weight: Weights) -> list[float]:
        return [float(x) for x in _ratio((weight * filled) @ chosen, weight @ chosen)]

    return bootstrap(figures, groups, rounds, seed)


def _ratio(top: NDArray[Any], bottom: NDArray[Any]) -> NDArray[np.float64]:
    """Quotients; NaN where nothing was counted."""
    out = np.full(len(bottom), np.nan)
    np.divide(top, bottom, out=out, where=bottom > 0)
    return out


def _numbers(values: Sequence[float | None]) -> NDArray[np.float64]:
    return np.array([math.nan if value is None else value for value in values], dtype=np.float64)
