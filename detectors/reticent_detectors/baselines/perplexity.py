"""Computes the perplexity of a span under the host.

Carlini et al. 2021, "Extracting Training Data from Large Language Models".
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reticent_detectors.baselines.evidence import Floats


def perplexity(logprob: NDArray[np.floating], tokens: NDArray[np.integer]) -> Floats:
    """Returns the mean log-probability [S] of each span's tokens, in nats: minus the logarithm of its perplexity.

    Larger means memorised.

    Args:
        logprob: [S, T] in nats, 0 behind a span's end.
        tokens: [S] tokens of each span, at least 1; those beyond T are ignored.
    """
    counted = np.minimum(tokens, logprob.shape[1])
    mean: Floats = np.asarray(logprob, np.float64).sum(1) / counted
    return mean
