"""How an attacker decides, and what the share of right decisions says about epsilon (ContextLeak, section 3.1)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reticent_bench.report.metrics import Flags, Interval, Scores, share
from reticent_detectors.errors import InputError


@dataclass(frozen=True, slots=True)
class Cut:
    """A threshold: a score above it means "present" if `above`, else a score at or below it does."""

    threshold: float
    above: bool

    def decide(self, scores: Scores) -> Flags:
        """Whether the canary is guessed to be there [runs]."""
        over: NDArray[np.bool_] = scores > self.threshold
        return over if self.above else ~over


def fit_cut(scores: Scores, present: Flags) -> Cut:
    """The cut with the best mean of both classes' recalls. Scores that tell nothing apart are always "absent".

    Raises:
        InputError: a class is missing.
    """
    if present.all() or not present.any():
        raise InputError("calibration runs: expected some with and some without the canary, got one sort only.")
    levels, index = np.unique(scores, return_inverse=True)
    with_canary = np.bincount(index[present], minlength=len(levels)).cumsum() / present.sum()
    without = np.bincount(index[~present], minlength=len(levels)).cumsum() / (~present).sum()
    gain = without - with_canary  # of "present above the level" over guessing, at each level
    best = int(np.abs(gain).argmax())
    if gain[best] == 0.0:
        return Cut(math.inf, True)
    following = levels[min(best + 1, len(levels) - 1)]
    return Cut(float((levels[best] + following) / 2), bool(gain[best] > 0))


def accuracy(cut: Cut, scores: Scores, present: Flags) -> Interval:
    """The share of runs in which the decision is right."""
    return share(int((cut.decide(scores) == present).sum()), len(present))


def empirical_epsilon(accuracy: Interval, delta: float = 0.0) -> Interval:
    """Epsilon that an accuracy implies: log((a - delta) / (1 - a)), at least 0.

    An (epsilon, delta)-private release lets no attacker be right more often than (exp(epsilon) + delta) /
    (1 + exp(epsilon)). With delta 0 this is the paper's log(a / (1 - a)). The lower end is the one-sided
    Clopper-Pearson bound at 97.5 %; after 1,000 runs that are all right it is 5.60. The value may be infinite.
    """
    return Interval(*(_epsilon(end, delta) for end in accuracy))


def _epsilon(accuracy: float, delta: float) -> float:
    if math.isnan(accuracy):
        return math.nan
    if accuracy >= 1.0:
        return math.inf
    return max(0.0, math.log((accuracy - delta) / (1.0 - accuracy))) if accuracy > delta else 0.0
