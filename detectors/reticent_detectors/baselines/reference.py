"""Compares a span's likelihood under the host with that under a reference model that never saw the records.

Carlini et al. 2021; as a membership attack on fine-tuned hosts in PrivAuditor (Zhu et al. 2024), "MIA Reference".
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reticent_detectors.baselines.evidence import Floats
from reticent_detectors.baselines.perplexity import perplexity


def reference(
    logprob: NDArray[np.floating], control: NDArray[np.floating], tokens: NDArray[np.integer], total: bool = False
) -> Floats:
    """Returns the log-probability [S] under the host minus that under the control, in nats.

    Args:
        logprob, control: [S, T] in nats, 0 behind a span's end.
        tokens: [S] tokens of each span, at least 1.
        total: takes the sum over the span instead of the mean token.
    """
    difference = perplexity(logprob, tokens) - perplexity(control, tokens)
    return difference * np.minimum(tokens, logprob.shape[1]) if total else difference
