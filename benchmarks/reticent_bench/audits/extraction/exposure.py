"""Rank and exposure of canaries (Carlini et al. 2019, "The Secret Sharer"; PrivLM-Bench, appendix B.2).

Px is the log-perplexity of a sentence in bits: minus the sum of log2 of its tokens' probabilities.
The rank of a canary is the number of candidates of its kind whose Px is at most its own. Its exposure is
log2 |R| - log2 rank, with |R| candidates. The pooled rank saturates: if all inserted canaries are memorised, they
share the first ranks among themselves. The rank among those not inserted does not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from reticent_detectors.errors import InputError

Floats = NDArray[np.float64]


def ranks(bits: Floats) -> NDArray[np.int64]:
    """Rank of each candidate [n] by its log-perplexity in bits [n]; ties count against it."""
    return np.searchsorted(np.sort(bits), bits, side="right")


def exposures(bits: Floats) -> Floats:
    """Exposure of each candidate in bits [n], between 0 and log2 n."""
    return np.asarray(np.log2(len(bits)) - np.log2(ranks(bits)))


def held_out_exposures(bits: Floats, inserted: NDArray[np.bool_]) -> Floats:
    """Exposure of each inserted candidate in bits [inserted], ranked among those that were not inserted and itself."""
    others = np.sort(bits[~inserted])
    rank = 1 + np.searchsorted(others, bits[inserted], side="right")
    return np.asarray(np.log2(len(others) + 1) - np.log2(rank))


def exposed(bits: Floats, inserted: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether each inserted candidate is likelier than all that were not inserted [inserted]."""
    return np.asarray(bits[inserted] < bits[~inserted].min())


def chance_of_exposure(inserted: int, others: int) -> float:
    """Expected share of inserted candidates that are exposed if nothing was learned: 1 / (others + 1).

    The inserted ones before the first other in a random order are inserted / (others + 1) on average.
    """
    return 1 / (others + 1) if inserted else float("nan")


@dataclass(frozen=True, slots=True)
class QuadraticFit:
    """A least-squares parabola through points, with the 95 % band of its mean."""

    x: Floats
    y: Floats
    low: Floats
    high: Floats


def fit_quadratic(x: Floats, y: Floats, places: int = 50) -> QuadraticFit:
    """Fits y = a + b x + c x^2 to points [n], as the paper does over repetitions.

    Returns:
        The fit at `places` equidistant x, with the 95 % confidence band of the mean (Student's t, n - 3 degrees).

    Raises:
        InputError: there are fewer than four points, or fewer than three distinct x.
    """
    if len(x) < 4 or len(np.unique(x)) < 3:
        raise InputError(f"Expected at least 4 points at 3 distinct places to fit a parabola, got {len(x)}.")
    scale = float(np.abs(x).max()) or 1.0
    design = np.vander(x / scale, 3)
    coefficients, *_ = np.linalg.lstsq(design, y, rcond=None)
    freedom = len(x) - 3
    variance = float(((y - design @ coefficients) ** 2).sum()) / freedom
    inverse = np.linalg.inv(design.T @ design)
    grid = np.linspace(float(x.min()), float(x.max()), places)
    rows = np.vander(grid / scale, 3)
    middle = rows @ coefficients
    half = float(student.ppf(0.975, freedom)) * np.sqrt(variance * np.einsum("ij,jk,ik->i", rows, inverse, rows))
    return QuadraticFit(grid, middle, middle - half, middle + half)
