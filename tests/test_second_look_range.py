"""Where a detector that compares names is asked twice."""

from __future__ import annotations

import numpy as np
import pytest

from reticent_detectors.detector.second_look import RATES, find_second_look_range, with_second_look, without_name_swap

ONE_IN_A_THOUSAND = 0.001


def _rows(seed: int, apart: float, rows: int = 2000) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """First and second logits that part by so much in the middle, and hardly at the ends."""
    rng = np.random.default_rng(seed)
    positive = rng.random(rows) < 0.6
    first = np.where(positive, 2.0, -2.0) + 2.0 * rng.standard_normal(rows)
    second = first + apart * rng.standard_normal(rows) / (1 + first**2)
    return first, second, positive


def _changed(
    first: np.ndarray, second: np.ndarray, positive: np.ndarray, second_look_range: tuple[float, float]
) -> float:
    """The largest share of decisions that differ from those with every second look."""
    thresholds = [np.quantile(second[~positive], 1 - rate) for rate in RATES]
    combined = with_second_look(first, second, second_look_range)
    return max(float(np.mean((combined >= t) != (second >= t))) for t in thresholds)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("apart", [0.5, 3.0])
def test_the_range_is_the_narrowest_that_changes_few_decisions(seed: int, apart: float) -> None:
    rows = _rows(seed, apart, 400)
    low, high = find_second_look_range(*rows)
    assert _changed(*rows, (low, high)) <= ONE_IN_A_THOUSAND
    first = np.sort(rows[0])
    edges = [first[0] - 1, *((first[1:] + first[:-1]) / 2), first[-1] + 1]
    asked = int(((rows[0] >= low) & (rows[0] <= high)).sum())
    assert asked > 1
    for begin, end in zip(edges, edges[asked - 1 :], strict=False):  # one second look fewer, anywhere
        assert _changed(*rows, (begin, end)) > ONE_IN_A_THOUSAND


@pytest.mark.parametrize("changing", [1, 2])
def test_of_a_thousand_rows_one_may_keep_a_decision_that_changes(changing: int) -> None:
    """Strangers at 0 to 99 and remembered values at 1000 to 1899; some of these fall to -1 at a second look."""
    positive = np.arange(1000) >= 100
    first = np.where(positive, 900.0, 0.0) + np.arange(1000.0)
    second = first.copy()
    second[[500, 700][:changing]] = -1.0
    low, high = find_second_look_range(first, second, positive)
    assert ((first >= low) & (first <= high)).sum() == changing - 1


def test_nothing_is_asked_twice_where_nothing_changes() -> None:
    first, _, positive = _rows(0, 0.0)
    low, high = find_second_look_range(first, first, positive)
    assert not ((first >= low) & (first <= high)).any()


def test_everything_is_asked_twice_where_everything_may_change() -> None:
    _, second, positive = _rows(0, 0.0)
    low, high = find_second_look_range(-second, second, positive)
    assert ((-second >= low) & (-second <= high)).mean() > 0.9 and np.isfinite([low, high]).all()


def test_looked() -> None:
    first, second = np.array([-3.0, -1.0, 0.0, 1.0, 3.0]), np.arange(5.0)
    assert with_second_look(first, second, (-1.0, 1.0)).tolist() == [-3.0, 1.0, 2.0, 3.0, 3.0]


def test_unasked_rows_are_as_if_nobody_were_named() -> None:
    features = {"token_prob": np.ones((3, 3), np.float32), "renamed": np.ones((3, 13), np.float32)}
    cleared = without_name_swap(features)
    assert not cleared["renamed"].any() and cleared["renamed"].shape == (3, 13)
    assert cleared["token_prob"] is features["token_prob"] and features["renamed"].all()
