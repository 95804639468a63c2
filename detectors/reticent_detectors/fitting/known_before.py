"""Sets the likelihood under the base from which a value counts as known before.

A copy of the model was taught synthetic people; the base is the model before. It cannot know their values, so it
guesses them. A threshold above nearly all likelihoods of these guesses separates them from values that the base knew.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reticent_detectors.collection.shards import FeatureTable
from reticent_detectors.errors import InputError, MissingExtra
from reticent_detectors.features.derived_features import BASE, BASE_SHAPE

MOST_LABELLED = 0.01
"""Greatest share of the taught values that may reach the threshold, by the upper end of its 95 % interval."""
LEAST_VALUES = 368
"""With fewer, the upper end is above `MOST_LABELLED` even if none reaches it."""
LOWEST = -1.0
"""The threshold is never below it (nats): half-known words would count as known."""
TAUGHT = ("memorized", "misattributed")


def base_threshold(tables: Sequence[FeatureTable]) -> tuple[float, int, int]:
    """Returns the lowest threshold in nats that at most `MOST_LABELLED` of the taught values reach; at least `LOWEST`.

    Args:
        tables: collections of taught copies, made with the base as control.

    Returns:
        The threshold, how many taught values reach it, and how many there are.

    Raises:
        InputError: a collection without a base, too few values, or a base that is sure of too many of them.
        MissingExtra: scipy is not installed.
    """
    try:
        from scipy.stats import beta
    except ImportError:
        raise MissingExtra("scipy", "train") from None
    means = np.sort(np.concatenate([_base_means(table) for table in tables]))[::-1]
    count = len(means)
    upper = beta.ppf(0.975, np.arange(count) + 1, count - np.arange(count))  # if so many of them reach the threshold
    allowed = int((upper <= MOST_LABELLED).sum()) - 1
    if allowed < 0:
        raise InputError(
            f"The collections hold {count} values that copies were taught and say; at least {LEAST_VALUES} are needed. "
            "Teach more people, or ask for more of them."
        )
    threshold = max(float(np.nextafter(means[allowed], 0.0)), LOWEST)  # the next value would be one too many
    if (reached := int((means >= threshold).sum())) > allowed:
        raise InputError(
            f"The base is sure of {reached} of the {count} values, so it is not the model from before the copies were "
            "taught. Collect again with that model as --control."
        )
    return threshold, reached, count


def _base_means(table: FeatureTable) -> NDArray[np.float64]:
    """Returns the base's mean log-probability per token [values] of a copy's taught values, other people's included."""
    taught = np.isin(table.labels["label"], TAUGHT)
    base = table.features[BASE][taught] if BASE in table.features else np.zeros((1, *BASE_SHAPE))
    if not (base[:, 0] > 0).all():
        raise InputError(
            "A collection lacks the base's log-probabilities; make it with "
            "'reticent collect COPY SHARDS --output-only --control MODEL'."
        )
    return np.asarray(base[:, 2], np.float64)
