"""Computes SelfCheckGPT-lite: whether samples give the same value (Manakul et al. 2023).

The original measures how far each of N answers, sampled at temperature 1, supports the answer. It uses BERTScore,
questions or an entailment model. Personal data are strings, so edit distance replaces them here.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reticent_detectors.baselines.evidence import Floats


def edit_distance(a: str, b: str) -> int:
    """Returns the Levenshtein distance: the fewest insertions, deletions and substitutions of characters."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (x != y))
    return row[-1]


def likeness(a: str, b: str) -> float:
    """Returns 1 - edit distance / length of the longer string: 1 for equal strings, 0 if they share nothing."""
    longer = max(len(a), len(b))
    return 1.0 - edit_distance(a, b) / longer if longer else 1.0


def most_alike(value: str, others: Sequence[str]) -> tuple[int, float]:
    """Returns the index of the most similar of a sample's values, of which there must be one, and its similarity."""
    alike = [likeness(value, other) for other in others]
    best = alike.index(max(alike))
    return best, alike[best]


def self_check(agreement: NDArray[np.floating]) -> Floats:
    """Returns the mean similarity [S] over the samples, from [S, N]. A sample without a value of the kind counts 0."""
    mean: Floats = np.asarray(agreement, np.float64).mean(1)
    return mean
