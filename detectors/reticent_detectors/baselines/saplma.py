"""Scores spans by SAPLMA: a perceptron on the state at the statement's last token.

Azaria & Mitchell 2023, "The Internal State of an LLM Knows When It's Lying". As in the paper: hidden layers of 256, 128
and 64 ReLU units, one layer of the host, Adam, and five passes in batches of 32. The statement is the span, and its
last token is the last one of the value. The training rows standardise the states.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from sklearn.neural_network import MLPClassifier

from reticent_detectors.baselines.evidence import Floats
from reticent_detectors.baselines.rows import Rows

HIDDEN = (256, 128, 64)
PASSES = 5


class Saplma:
    """The classifier of one layer."""

    def __init__(self, seed: int = 0) -> None:
        self.classifier = MLPClassifier(HIDDEN, alpha=0.0, batch_size=32, random_state=seed)
        self.mean: NDArray[np.float32] = np.zeros(1, np.float32)
        self.scale: NDArray[np.float32] = np.ones(1, np.float32)

    def fit(self, states: NDArray[np.float32], positive: NDArray[np.bool_], weight: NDArray[np.float32]) -> None:
        """Fits the classifier to states [n, d] of spans, which are memorised (`positive`) or not."""
        self.mean, self.scale = states.mean(0), states.std(0) + 1e-6
        for _ in range(PASSES):
            self.classifier.partial_fit((states - self.mean) / self.scale, positive, weight, classes=[False, True])

    def scores(self, states: NDArray[np.float32]) -> Floats:
        """Returns the probability [S] that each span is memorised."""
        out: Floats = self.classifier.predict_proba((states - self.mean) / self.scale)[:, 1].astype(np.float64)
        return out


def saplma(rows: Rows) -> Iterator[tuple[str, Floats]]:
    """Yields the scores of all rows by each layer's classifier."""
    for layer, name in rows.state_layers():
        states = rows.column(name)
        last = states[np.arange(len(states)), rows.places(states.shape[1]) - 1]
        probe = Saplma()
        probe.fit(last[rows.train], rows.positive[rows.train], rows.weight)
        yield f"layer {layer + 1}", probe.scores(last)
