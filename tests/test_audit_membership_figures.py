"""Figures of an attack, what chance gives, and the blind text classifier."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from membership_host import passages
from numpy.typing import NDArray
from scipy.stats import norm

from reticent_bench.audits.membership.blind import blind_check, blind_scores
from reticent_bench.audits.membership.figures import (
    AttackFigures,
    check_sides,
    measure,
    null_by_formula,
    null_normalised_auc,
)
from reticent_detectors.errors import InputError


def keys(count: int, rows: int = 1) -> NDArray[np.str_]:
    return np.array([f"p{i // rows}" for i in range(count)])


def figures(members: NDArray[np.float64], others: NDArray[np.float64], rounds: int = 20) -> AttackFigures:
    scores = np.concatenate([members, others])
    member = np.arange(len(scores)) < len(members)
    return measure("loss", "a paper", scores, member, keys(len(scores)), rounds=rounds, null_rounds=20)


def spread(count: int, mean: float) -> NDArray[np.float64]:
    """Evenly spread quantiles of a Gaussian of deviation one."""
    return np.asarray(norm.ppf((np.arange(count) + 0.5) / count) + mean, dtype=np.float64)


def test_gaussians_one_sigma_apart() -> None:
    found = figures(spread(2000, 1.0), spread(2000, 0.0), rounds=100)
    assert found.auc.value == pytest.approx(norm.cdf(1 / math.sqrt(2)), abs=5e-4)
    assert round(found.auc.value, 3) == 0.760
    assert found.auc.low < 0.760 < found.auc.high
    # The deviation of the area is some 0.0075: the interval is 3.92 of them wide.
    assert found.auc.high - found.auc.low == pytest.approx(0.029, abs=0.008)
    assert found.tpr_at_1_percent is not None
    assert found.tpr_at_1_percent.value == pytest.approx(norm.cdf(1 - norm.ppf(0.99)), abs=0.004)
    assert figures(spread(2000, -1.0), spread(2000, 0.0)).normalised_auc == pytest.approx(0.760, abs=5e-4)


def test_true_positives_are_counted_at_the_last_threshold_below_the_limit() -> None:
    others = np.arange(1.0, 101.0)
    # One non-member of a hundred may pass: the threshold is above 99. Members at 98.5 need two.
    found = figures(np.array([99.5] * 3 + [98.5] * 7), others)
    assert found.tpr_at_1_percent is not None
    assert found.tpr_at_1_percent.value == pytest.approx(0.3)


def test_ties_do_not_pass_the_limit() -> None:
    found = figures(np.zeros(200), np.zeros(200))
    assert found.auc == (0.5, 0.5, 0.5)
    assert found.null == (0.5, 0.5)
    assert found.tpr_at_1_percent == (0.0, 0.0, 0.0)


def test_what_too_few_non_members_cannot_resolve() -> None:
    assert figures(spread(50, 1.0), spread(99, 0.0)).tpr_at_1_percent is None
    few, enough = figures(spread(50, 1.0), spread(9_999, 0.0)), figures(spread(50, 1.0), spread(10_000, 0.0))
    assert few.tpr_at_01_percent is None and few.tpr_at_1_percent is not None
    assert enough.tpr_at_01_percent is not None
    assert enough.tpr_at_01_percent.value == pytest.approx(norm.cdf(1 - norm.ppf(0.999)), abs=0.02)


def test_the_null_of_independent_rows_follows_the_formula() -> None:
    rng = np.random.default_rng(0)
    member = np.arange(350) < 150
    found = null_normalised_auc(rng.normal(size=350), member, keys(350), rounds=4000)
    # Mann-Whitney: the deviation is sqrt(351 / (12 * 150 * 200)) = 0.03122.
    assert null_by_formula(150, 200) == pytest.approx((0.5 + 0.03122 * 0.79788, 0.5 + 0.03122 * 1.95996), abs=1e-5)
    # The error of the mean of 4,000 draws is 0.03122 * 0.603 / sqrt(4000) = 0.0003.
    assert found.mean == pytest.approx(0.52491, abs=0.0012)
    assert found.high == pytest.approx(0.5612, abs=0.003)


def test_windows_of_one_person_change_sides_together() -> None:
    rng = np.random.default_rng(1)
    people = keys(400, rows=10)
    scores = np.repeat(rng.normal(size=40), 10)
    member = np.arange(400) < 200
    wide = null_normalised_auc(scores, member, people, rounds=500)
    # Forty people give as wide a null as forty rows, and not as narrow a one as 400.
    assert wide.high > null_by_formula(200, 200).high + 0.08
    assert wide.high == pytest.approx(null_by_formula(20, 20).high, abs=0.03)


@pytest.mark.parametrize(
    ("member", "people", "says"),
    [
        ([True, True], ["a", "b"], "one kind"),
        ([True, False], ["a", "a"], "both sides"),
        ([True, False], ["a"], "person a row"),
    ],
)
def test_sides_are_checked(member: list[bool], people: list[str], says: str) -> None:
    with pytest.raises(InputError, match=says):
        check_sides(np.array(member), np.array(people))


@pytest.mark.parametrize("scores", [np.array([0.1, math.nan]), np.array([math.inf, 0.0]), np.array([0.1])])
def test_scores_without_an_order_are_refused(scores: NDArray[np.float64]) -> None:
    with pytest.raises(InputError, match="finite score"):
        measure("loss", "a paper", scores, np.array([True, False]), np.array(["a", "b"]))


def blind(count: int, favourite: str = "", seed: int = 0) -> Any:
    found = [*passages("m", count, 2 * seed, favourite=favourite), *passages("n", count, 2 * seed + 1)]
    member, people = np.arange(2 * count) < count, np.array([p.person for p in found])
    return blind_check(blind_scores([p.text for p in found], member, people), member, people, rounds=50)


def test_texts_that_differ_are_called_biased() -> None:
    found = blind(60, favourite="zebra")
    assert found.verdict == "biased" and found.auc.low > 0.9


def test_texts_of_one_kind_are_near_chance_where_there_are_enough() -> None:
    found = blind(1000, seed=2)
    assert found.verdict == "near chance"
    assert found.auc.low <= 0.5 and found.auc.high <= 0.55
    assert blind(40).verdict == "undecided"


def test_the_interval_is_wider_than_one_of_independent_rows() -> None:
    rng = np.random.default_rng(3)
    scores, member = rng.normal(size=1000), np.arange(1000) < 500
    found = blind_check(scores, member, keys(1000), rounds=400)
    deviation = math.sqrt(1001 / (12 * 500 * 500))
    # 1.5 = sqrt(1 + 5 / 4) times 3.92 deviations.
    assert found.auc.high - found.auc.low == pytest.approx(1.5 * 3.92 * deviation, rel=0.15)


def test_a_person_is_never_on_both_sides_of_a_fold() -> None:
    rng = np.random.default_rng(4)
    words = [f"w{i}" for i in range(30)]
    # Each person has a word of their own, which would give the side away if a fold split the person.
    texts = [f"own{i // 4} {' '.join(rng.choice(words, 8))}" for i in range(240)]
    member = np.repeat(rng.permutation(np.arange(60) < 30), 4)
    found = blind_scores(texts, member, keys(240, rows=4))
    split = blind_scores(texts, member, keys(240))
    low, high = (blind_check(s, member, keys(240, rows=4), rounds=20).auc.value for s in (found, split))
    assert low < 0.65 and high > 0.9


def test_too_few_people_for_the_folds() -> None:
    with pytest.raises(InputError, match="5 people"):
        blind_scores(["a b"] * 8, np.arange(8) < 4, keys(8))


def test_twins_on_both_sides_make_the_blind_classifier_worse_than_chance() -> None:
    rng = np.random.default_rng(4)
    words = [[f"w{rng.integers(400)}" for _ in range(12)] for _ in range(60)]
    texts = [" ".join([*mine, f"x{side}{place}"]) for side in range(2) for place, mine in enumerate(words)]
    member = np.arange(120) < 60
    people = np.array([f"p{place}" for place in range(120)])
    found = blind_check(blind_scores(texts, member, people), member, people)
    assert found.verdict == "paired" and found.auc.high < 0.5
