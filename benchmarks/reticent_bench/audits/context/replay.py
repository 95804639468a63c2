"""Applies a defence to collected votes and attacks what it releases (ContextLeak, appendices A.3 and A.4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reticent_bench.audits.context.detection import accuracy, empirical_epsilon, fit_cut
from reticent_bench.audits.context.mechanisms import Mechanism, ceiling
from reticent_bench.audits.context.settings import View
from reticent_bench.audits.context.votes import Array, Votes
from reticent_bench.report.metrics import Interval


@dataclass(frozen=True, slots=True)
class Replay:
    """One defence at one epsilon under attack.

    Attributes:
        epsilon, delta: what the defence states.
        sigma: standard deviation of its noise.
        ceiling: the best accuracy that the statement allows, Phi(1 / 2z).
        view: what the attacker saw.
        runs: how many.
        accuracy: the share of right guesses.
        measured_epsilon: what that accuracy implies; it is far below `epsilon` even at the ceiling.
    """

    epsilon: float
    delta: float
    sigma: float
    ceiling: float
    view: View
    runs: int
    accuracy: Interval
    measured_epsilon: Interval

    @property
    def holds(self) -> bool:
        """Whether the lower end of the accuracy is within what the defence states."""
        return self.accuracy.low <= self.ceiling


def replay(
    mechanism: Mechanism,
    calibration: Votes,
    votes: Votes,
    epsilon: float,
    delta: float,
    view: View,
    draws: int,
    rng: np.random.Generator,
) -> Replay:
    """Attacks a defence whose noise is drawn once a run.

    The attacker projects what they see onto the difference of its means with and without the canary, and compares that
    with a threshold. Means and threshold come from `draws` releases of the calibration votes, which are other runs. For
    released items the projection orders them by how much more often the canary brings them about. For noisy values it
    is the likelihood ratio where votes without noise do not vary.
    """
    sigma = mechanism.sigma(epsilon, delta)
    known = mechanism.aggregate(calibration.answers)
    picked = rng.integers(len(known), size=draws)
    present = calibration.present[picked]
    seen = _seen(mechanism, known[picked], sigma, view, rng)
    # Of noisy values the means are known without the noise; what is released has means only under it.
    reference = _difference(known, calibration.present) if view == "histogram" else _difference(seen, present)
    cut = fit_cut(seen @ reference, present)
    attacked = _seen(mechanism, mechanism.aggregate(votes.answers), sigma, view, rng)
    right = accuracy(cut, attacked @ reference, votes.present)
    return Replay(
        epsilon=epsilon,
        delta=delta,
        sigma=sigma,
        ceiling=ceiling(epsilon, delta),
        view=view,
        runs=len(votes.present),
        accuracy=right,
        measured_epsilon=empirical_epsilon(right, delta),
    )


def _seen(mechanism: Mechanism, values: Array, sigma: float, view: View, rng: np.random.Generator) -> Array:
    noisy = values + sigma * rng.standard_normal(values.shape)
    return noisy if view == "histogram" else mechanism.release(noisy)


def _difference(values: Array, present: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> Array:
    difference: Array = values[present].mean(axis=0) - values[~present].mean(axis=0)
    return difference
