"""Decides which label a noisy count of votes releases, and computes how likely each release is.

Each label's count gets noise N(0, sigma^2). The label with the largest noisy count is released if that count reaches a
threshold, else none. Both steps read the noisy counts alone, so they cost no privacy beyond the counts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from reticent.private_context.gaussian import normal_cdf
from reticent_detectors.errors import InputError

_STEPS = 400  # even, for Simpson's rule
_REACH = 9.0  # standard deviations beyond which a normal variable weighs less than 1e-18


def sensitivity(labels: int) -> float:
    """Computes the largest L2 distance between the counts of neighbouring data sets, in votes.

    One replaced example changes one subset's vote: one count falls by 1 and another rises by 1, so sqrt(2).
    With a single label the vote is given or not, so 1.
    """
    return math.sqrt(2.0) if labels > 1 else 1.0


def released(noisy_counts: Sequence[float], threshold: float) -> int | None:
    """Finds the index of the largest noisy count [labels] if it is at least `threshold`, else None."""
    best = max(range(len(noisy_counts)), key=noisy_counts.__getitem__)
    return best if noisy_counts[best] >= threshold else None


def release_probabilities(counts: Sequence[float], sigma: float, threshold: float) -> tuple[float, ...]:
    """Computes the probability [labels + 1] that each label is released, then that none is, to about 1e-8.

    P(i) = integral over x >= threshold of phi((x - c_i) / sigma) / sigma times the product over j != i of
    Phi((x - c_j) / sigma), by Simpson's rule; P(none) = product over j of Phi((threshold - c_j) / sigma).

    Args:
        counts: votes without noise [labels].
        sigma: standard deviation of the noise, in votes.
        threshold: the least noisy count that is released; -inf releases always.

    Raises:
        InputError: there are no counts, or sigma is not above 0.
    """
    if not counts or not 0.0 < sigma < math.inf:
        raise InputError(f"expected one count at least and a sigma above 0, got {len(counts)} counts and {sigma}.")
    none = math.prod(normal_cdf((threshold - count) / sigma) for count in counts)
    return (*(_release_probability(counts, i, sigma, threshold) for i in range(len(counts))), none)


def _release_probability(counts: Sequence[float], i: int, sigma: float, threshold: float) -> float:
    low = max(threshold, counts[i] - _REACH * sigma)
    high = counts[i] + _REACH * sigma
    if low >= high:
        return 0.0
    others = [count for j, count in enumerate(counts) if j != i]
    step = (high - low) / _STEPS
    total = 0.0
    for k in range(_STEPS + 1):
        x = low + k * step
        weight = 1 if k in (0, _STEPS) else 4 if k % 2 else 2
        density = math.exp(-0.5 * ((x - counts[i]) / sigma) ** 2) / (sigma * math.sqrt(2.0 * math.pi))
        total += weight * density * math.prod(normal_cdf((x - count) / sigma) for count in others)
    return total * step / 3.0
