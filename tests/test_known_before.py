"""From which likelihood a base counts as having known a value: set by values that copies were taught."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from reticent_detectors.collection.shards import FeatureTable
from reticent_detectors.errors import InputError
from reticent_detectors.fitting.known_before import LEAST_VALUES, LOWEST, base_threshold


def collection(means: Sequence[float], label: str = "memorized", asked: float = 1.0) -> FeatureTable:
    base = np.array([[asked, mean, mean, mean] for mean in means], np.float32)
    return FeatureTable({"base_logprob": base}, {"label": np.full(len(means), label)}, {})


def test_at_most_one_in_a_hundred_reaches_it_by_the_upper_end() -> None:
    """Of 1,000 values 3 may: the upper end for 3 is 0.87 %, for 4 it is 1.02 %."""
    sure = [-0.1, -0.2, -0.3, -0.4, -0.5]
    threshold, reached, count = base_threshold([collection(sure + [-5.0] * 995)])
    assert (reached, count) == (3, 1000)
    assert float(np.float32(-0.4)) < threshold < -0.3


def test_what_is_made_up_says_nothing() -> None:
    rows = collection([-5.0] * 1000)
    made_up = collection([-0.1] * 100, "hallucinated")
    both = FeatureTable(
        {"base_logprob": np.concatenate([rows.features["base_logprob"], made_up.features["base_logprob"]])},
        {"label": np.concatenate([rows.labels["label"], made_up.labels["label"]])}, {},
    )  # fmt: skip
    assert base_threshold([both]) == (LOWEST, 0, 1000)


def test_copies_are_taken_together_and_other_peoples_values_count() -> None:
    one, other = collection([-5.0] * 200), collection([-0.9] * 8 + [-5.0] * 192, "misattributed")
    threshold, reached, count = base_threshold([one, other])
    assert threshold > -0.9 and (reached, count) == (0, 400)


def test_too_few_values_are_reported() -> None:
    assert base_threshold([collection([-5.0] * LEAST_VALUES)])[1] == 0
    with pytest.raises(InputError, match=rf"{LEAST_VALUES - 1} values .* at least {LEAST_VALUES}"):
        base_threshold([collection([-5.0] * (LEAST_VALUES - 1))])


def test_a_base_that_was_taught_as_well_is_reported() -> None:
    with pytest.raises(InputError, match="not the model from before"):
        base_threshold([collection([0.0] * 500)])


def test_a_collection_without_a_base_is_reported() -> None:
    with pytest.raises(InputError, match="--control MODEL"):
        base_threshold([collection([0.0] * 500, asked=0.0)])
    with pytest.raises(InputError, match="--control MODEL"):
        base_threshold([FeatureTable({}, {"label": np.full(3, "memorized")}, {})])
