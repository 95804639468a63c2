"""Scores spans by a streaming linear probe: logistic regression on each token's state, and the extreme token decides.

Obeso et al. 2025, "Real-Time Detection of Hallucinated Entities in Long-Form Generation": a linear probe reads every
token during generation, and a span's score is the largest among its tokens. Their probe searches for made-up values.
Here a setting chooses the side whose largest logit counts. The tokens of a span share its label and its weight.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from reticent_detectors.baselines.evidence import Floats
from reticent_detectors.baselines.rows import Rows

STRENGTHS = (1e-4, 1e-2, 1.0)
"""Inverse strengths of the L2 penalty to try."""


class LinearProbe:
    """The probe of one layer."""

    def __init__(self, strength: float) -> None:
        self.model = LogisticRegression(C=strength, max_iter=1000, tol=1e-3)
        self.mean: NDArray[np.float32] = np.zeros(1, np.float32)
        self.scale: NDArray[np.float32] = np.ones(1, np.float32)

    def fit(
        self,
        states: NDArray[np.float32],
        tokens: NDArray[np.integer],
        positive: NDArray[np.bool_],
        weight: NDArray[np.float32],
    ) -> None:
        """Fits the probe to states [n, T, d] of spans with `tokens` [n] tokens each."""
        there = np.arange(states.shape[1]) < tokens[:, None]
        flat = states[there]
        self.mean, self.scale = flat.mean(0), flat.std(0) + 1e-6
        self.model.fit(
            (flat - self.mean) / self.scale,
            np.repeat(positive, tokens),
            np.repeat(weight / tokens, tokens),
        )

    def logits(self, states: NDArray[np.float32]) -> Floats:
        """Returns the logits [S, T] of states [S, T, d]. Larger means memorised."""
        direction = (self.model.coef_[0] / self.scale).astype(np.float32)
        offset = float(self.model.intercept_[0] - self.mean @ direction)
        return np.asarray(states @ direction + offset, np.float64)


def greatest(logits: Floats, tokens: NDArray[np.integer], side: str) -> Floats:
    """Returns a score [S] for each span: the largest logit of its tokens (`remembered`) or the smallest (`made up`)."""
    there = np.arange(logits.shape[1]) < tokens[:, None]
    if side == "remembered":
        return np.asarray(np.where(there, logits, -np.inf).max(1))
    return np.asarray(-np.where(there, -logits, -np.inf).max(1))


def linear_probe(rows: Rows) -> Iterator[tuple[str, Floats]]:
    """Yields the scores of all rows for each layer, penalty and side."""
    for layer, name in rows.state_layers():
        states = rows.column(name)
        tokens = rows.places(states.shape[1])
        for strength in STRENGTHS:
            probe = LinearProbe(strength)
            probe.fit(states[rows.train], tokens[rows.train], rows.positive[rows.train], rows.weight)
            logits = probe.logits(states)
            for side in ("remembered", "made up"):
                yield f"layer {layer + 1}, C {strength:g}, greatest {side}", greatest(logits, tokens, side)
