"""Computes Min-K% Prob: the mean log-probability of the least likely tokens.

Shi et al. 2024, "Detecting Pretraining Data from Large Language Models".
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reticent_detectors.baselines.evidence import Floats

SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)


def min_k(scores: NDArray[np.floating], tokens: NDArray[np.integer], share: float) -> Floats:
    """Returns the mean [S] of each span's lowest token scores: floor(share n) of its n tokens, but at least one.

    The original takes the floor alone. So a span with fewer than 1/share tokens has an empty mean.

    Args:
        scores: [S, T], log-probabilities for Min-K%. Entries behind a span's end are ignored.
        tokens: [S] tokens of each span, at least 1; those beyond T are ignored.
        share: share of the tokens.
    """
    counted = np.minimum(tokens, scores.shape[1])
    kept = np.maximum(1, np.floor(share * counted + 1e-9).astype(int))
    place = np.arange(scores.shape[1])
    ordered = np.sort(np.where(place < counted[:, None], np.asarray(scores, np.float64), np.inf), axis=1)
    mean: Floats = np.where(place < kept[:, None], ordered, 0.0).sum(1) / kept
    return mean
