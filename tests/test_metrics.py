"""The figures of the reports."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reticent_bench.detector.report import headline
from reticent_bench.report.metrics import auroc, balanced_accuracy, paired_bootstrap, recall_at, share
from reticent_bench.report.result import show, table


def test_auroc_against_counting_pairs() -> None:
    rng = np.random.default_rng(0)
    scores, positive = rng.normal(size=60), rng.random(60) < 0.4
    pairs = [(a > b) + 0.5 * (a == b) for a in scores[positive] for b in scores[~positive]]
    assert auroc(scores, positive) == pytest.approx(np.mean(pairs))
    assert math.isnan(auroc(scores, np.ones(60, dtype=bool)))


def test_clopper_pearson_against_known_values() -> None:
    assert share(0, 100).high == pytest.approx(0.0362, abs=1e-4)
    assert share(5, 100)[1:] == pytest.approx((0.0164, 0.1128), abs=1e-4)
    assert share(7, 7).high == 1.0


def test_recall_never_lets_more_negatives_through() -> None:
    scores = np.array([0.9, 0.8, 0.7, 0.7, 0.2, 0.1])
    positive = np.array([True, True, False, True, False, False])
    assert recall_at(scores, positive, 0.0) == pytest.approx(2 / 3)
    assert recall_at(scores, positive, 0.34) == 1.0


def test_balanced_accuracy() -> None:
    positive = np.array([True] * 10 + [False] * 90)
    assert balanced_accuracy(np.zeros(100, dtype=bool), positive) == 0.5
    assert balanced_accuracy(positive, positive) == 1.0


def test_bootstrap_of_a_clear_and_of_no_difference() -> None:
    rng = np.random.default_rng(1)
    positive = rng.random(400) < 0.5
    groups = np.array([f"p{i % 40}" for i in range(400)])
    good, noise = positive + rng.normal(size=400) * 0.3, rng.normal(size=400)
    assert paired_bootstrap(good, noise, positive, groups).low > 0.3
    none = paired_bootstrap(good, good, positive, groups)
    assert none == (0.0, 0.0, 0.0)


def test_what_was_not_measured_is_not_printed_as_a_number() -> None:
    assert show(float("nan")) == show(None) == "—"
    assert table(["a", "b"], [[1, 0.25]]) == "| a | b |\n| --- | --- |\n| 1 | 0.250 |\n"


@pytest.mark.parametrize(
    ("interval", "says"),
    [((0.02, 0.01, 0.03), "beats"), ((0.01, -0.01, 0.03), "No clear"), ((-0.01, -0.02, 0.0), "NOT")],
)
def test_the_first_line_says_where_token_probabilities_are_as_good(interval: tuple[float, ...], says: str) -> None:
    figures = {"comparisons": {"taught": {"best token score": {"auroc difference": interval}}}}
    assert says in headline(figures)
