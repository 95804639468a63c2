"""Finds the range of first scores in which a second look is worth its cost.

A second look reads the text again under other names, which costs a forward pass for each name. A detector with the
feature `renamed` therefore scores first without it. Outside the range a second look would hardly change a decision, and
is skipped.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reticent_detectors.errors import InputError
from reticent_detectors.features.name_swap import NAME_SWAP_SHAPE

CHANGED = 0.001
"""Largest share of rows, at each threshold, whose decision may differ from that with all second looks."""
RATES = (0.01, 0.05, 0.08)
"""False-positive rates at whose thresholds decisions are compared."""

Logits = NDArray[np.floating[Any]]


def without_name_swap(features: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Copies features, with the name-swap features set to zero."""
    rows = len(next(iter(features.values())))
    return {**features, "renamed": np.zeros((rows, *NAME_SWAP_SHAPE), np.float32)}


def with_second_look(first: Logits, second: Logits, second_look_range: tuple[float, float]) -> Logits:
    """Takes the second logit where the first is in `second_look_range`, ends included; else the first."""
    low, high = second_look_range
    return np.where((first >= low) & (first <= high), second, first)


def find_second_look_range(first: Logits, second: Logits, positive: NDArray[np.bool_]) -> tuple[float, float]:
    """Finds the range of first logits for which the second is needed.

    Of all ranges that change few enough decisions, it is the one with the fewest second looks.

    Args:
        first, second: logits [n] of held-out rows, without and with other names.
        positive: [n] True for memorised values.

    Raises:
        InputError: the rows lack a class.
    """
    if positive.all() or not positive.any():
        raise InputError("Held-out rows of both classes are needed; collect more people and phrasings.")
    negatives = np.sort(second[~positive])
    thresholds = [float(np.quantile(negatives, 1 - rate)) for rate in RATES]
    order = np.argsort(first, kind="stable")
    ordered, after = first[order], second[order]
    # Decisions that change if the rows up to here keep their first logit, at each threshold.
    changes = np.stack([(ordered >= t) != (after >= t) for t in thresholds]).astype(np.int64)
    below = np.pad(changes.cumsum(1), ((0, 0), (1, 0)))
    rows, allowed = len(first), CHANGED * len(first)
    best = (0, rows)
    for low in range(rows + 1):
        if below[:, low].max() > allowed:
            break
        # The rows [low, high) get a second look.
        spare = allowed - below[:, low]
        tail = below[:, -1:] - below
        able = (tail <= spare[:, None]).all(0)
        high = max(low, int(np.argmax(able)))
        if high - low < best[1] - best[0]:
            best = (low, high)
    low, high = best
    if low == high:
        return float(ordered[0]) - 2.0, float(ordered[0]) - 1.0  # no second look
    ends = [-np.inf, *ordered, np.inf]
    return _between(ends[low], ends[low + 1]), _between(ends[high], ends[high + 1])


def _between(below: float, above: float) -> float:
    if np.isinf(below):
        return above - 1e9
    return below + 1e9 if np.isinf(above) else (below + above) / 2
