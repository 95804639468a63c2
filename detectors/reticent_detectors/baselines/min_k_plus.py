"""Computes Min-K%++ (Zhang et al. 2025): Min-K% of log-probabilities that are normalised at each place."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reticent_detectors.baselines.evidence import Floats
from reticent_detectors.baselines.min_k import min_k

LEAST_DEVIATION = 1e-2
"""Smallest deviation to divide by. If the host is sure, mean and deviation vanish, and their quotient is rounding."""


def min_k_plus(
    logprob: NDArray[np.floating],
    mean: NDArray[np.floating],
    deviation: NDArray[np.floating],
    tokens: NDArray[np.integer],
    share: float,
) -> Floats:
    """Returns Min-K% [S] of (log p(x) - mu) / max(sigma, 0.01).

    mu and sigma are mean and deviation of log p(z) for z drawn from p. The original divides by sigma alone, which
    vanishes for memorised tokens.

    Args:
        logprob, mean, deviation: [S, T] in nats.
        tokens: [S] tokens of each span, at least 1.
        share: share of the tokens.
    """
    own, mu, sigma = (np.asarray(array, np.float64) for array in (logprob, mean, deviation))
    return min_k((own - mu) / np.maximum(sigma, LEAST_DEVIATION), tokens, share)
