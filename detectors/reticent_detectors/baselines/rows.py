"""Provides the rows on which baselines are fitted and chosen, split as in our own detector's training."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reticent_detectors.baselines.evidence import STATE


@dataclass(frozen=True)
class Rows:
    """All rows S of a collection. `column` reads a feature [S, ...] by its name when it is called."""

    column: Callable[[str], NDArray[np.float32]]
    names: frozenset[str]
    labels: Mapping[str, NDArray[Any]]
    positive: NDArray[np.bool_]
    train: NDArray[np.int64]
    weight: NDArray[np.float32]
    """Weights of the training rows, in their order."""

    @property
    def tokens(self) -> NDArray[np.int64]:
        """Number of tokens [S] of each span."""
        return np.asarray(self.labels["tokens"], np.int64)

    def places(self, kept: int) -> NDArray[np.int64]:
        """Returns how many states [S] of each span were kept, of at most `kept`."""
        return np.minimum(self.tokens, kept)

    def state_layers(self) -> list[tuple[int, str]]:
        """Returns the layers whose states were kept, from 0, with the features' names."""
        found = [(int(name.removeprefix(STATE)), name) for name in self.names if name.startswith(STATE)]
        return sorted(found)
