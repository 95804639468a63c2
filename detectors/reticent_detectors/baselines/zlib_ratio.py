"""Compares a span's likelihood with how well its text compresses (zlib entropy, Carlini et al. 2021)."""

from __future__ import annotations

import zlib

import numpy as np
from numpy.typing import NDArray

from reticent_detectors.baselines.evidence import Floats


def compressed_bytes(text: str) -> int:
    """Returns the length of the text after zlib, in bytes."""
    return len(zlib.compress(text.encode()))


def zlib_ratio(mean_logprob: NDArray[np.floating], size: NDArray[np.floating]) -> Floats:
    """Returns the mean log-probability [S] divided by the compressed size: minus the original's log perplexity / size.

    Args:
        mean_logprob: [S] in nats.
        size: [S] bytes after zlib.
    """
    return np.asarray(mean_logprob, np.float64) / np.asarray(size, np.float64)
