"""Computes the Gaussian mechanism: how much noise a privacy guarantee needs, and what the guarantee bounds.

A mechanism adds noise N(0, sigma^2) to each coordinate of a value. Replacing one private example moves the value by at
most Delta in the L2 norm. Its privacy parameter is mu = Delta / sigma, the inverse of the noise multiplier z.
Everything follows from mu: it is the parameter of Gaussian differential privacy (Dong, Roth, Su 2022, section 2).
"""

from __future__ import annotations

import math

from reticent_detectors.errors import InputError

MOST_EPSILON = 500.0
"""exp(epsilon) overflows above about 700."""
LEAST_DELTA = 1e-12
"""Below, the difference of two probabilities has lost its digits."""


def normal_cdf(x: float) -> float:
    """Computes Phi(x), the probability that a standard normal variable is at most x, also exactly in the lower tail."""
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


def delta_of(epsilon: float, mu: float) -> float:
    """Computes the least delta for which the mechanism is (epsilon, delta)-differentially private.

    `delta = Phi(mu / 2 - epsilon / mu) - exp(epsilon) Phi(-mu / 2 - epsilon / mu)` (Balle and Wang 2018, theorem 8).
    """
    if mu == 0.0:
        return 0.0
    ratio = epsilon / mu
    return normal_cdf(mu / 2 - ratio) - math.exp(epsilon) * normal_cdf(-mu / 2 - ratio)


def mu_of(epsilon: float, delta: float) -> float:
    """Computes the largest mu = Delta / sigma for which the mechanism is (epsilon, delta)-differentially private.

    Algorithm 1 of Balle and Wang (2018), solved for mu by bisection. The result is never above the exact root by more
    than the rounding of `delta_of`.

    Raises:
        InputError: epsilon is not in (0, 500], or delta is not in [1e-12, 0.5).
    """
    _check(epsilon, delta)
    low, high = 0.0, 1.0
    while delta_of(epsilon, high) <= delta:
        low, high = high, 2 * high
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if delta_of(epsilon, middle) <= delta else (low, middle)
    return low


def epsilon_of(mu: float, delta: float) -> float:
    """Computes the least epsilon for which a mechanism with this mu is (epsilon, delta)-differentially private.

    Raises:
        InputError: mu is negative, delta is not in [1e-12, 0.5), or epsilon would be above 500.
    """
    if not mu >= 0.0:
        raise InputError(f"mu: expected a number of at least 0, got {mu}; it is Delta / sigma.")
    _check(1.0, delta)
    if delta_of(0.0, mu) <= delta:
        return 0.0
    low, high = 0.0, MOST_EPSILON
    if delta_of(high, mu) > delta:
        raise InputError(f"mu: expected one whose epsilon is at most {MOST_EPSILON:g}, got {mu}; add more noise.")
    while low < (middle := (low + high) / 2) < high:
        low, high = (low, middle) if delta_of(middle, mu) <= delta else (middle, high)
    return high


def noise_scale(epsilon: float, delta: float, sensitivity: float) -> float:
    """Computes the least standard deviation sigma of the noise, in the unit of `sensitivity` (the L2 distance Delta).

    Raises:
        InputError: epsilon or delta is out of range (see `mu_of`), or the sensitivity is not above 0.
    """
    if not 0.0 < sensitivity < math.inf:
        raise InputError(f"sensitivity: expected a number above 0, got {sensitivity}.")
    return sensitivity / mu_of(epsilon, delta)


def accuracy_ceiling(mu: float) -> float:
    """Computes the best accuracy of guesses whether one example was replaced, at even odds: Phi(mu / 2).

    It is reached by the attacker who knows everything else and sees the noisy value itself.
    """
    return normal_cdf(mu / 2)


def _check(epsilon: float, delta: float) -> None:
    if not 0.0 < epsilon <= MOST_EPSILON:
        raise InputError(f"epsilon: expected a number above 0 and at most {MOST_EPSILON:g}, got {epsilon}.")
    if not LEAST_DELTA <= delta < 0.5:
        raise InputError(f"delta: expected a number from {LEAST_DELTA:g} to below 0.5, got {delta}; 1e-5 is usual.")
