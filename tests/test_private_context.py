"""Labels from private examples: noise, budget and the noisy threshold, against figures worked out by other means."""

from __future__ import annotations

import itertools
import math
import threading

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.stats import norm

from reticent.private_context import (
    Accountant,
    BudgetSpent,
    accuracy_ceiling,
    delta_of,
    epsilon_of,
    mu_of,
    noise_scale,
    release_probabilities,
    released,
    sensitivity,
)
from reticent_detectors.errors import InputError

DELTA = 1e-5
# Simpson's error is at most (18 / 180) h^4 max|f| with h = 18 / 400 and, for the normal density, max|f| = 1.2.
SIMPSON = 0.1 * (18 / 400) ** 4 * 1.2


# The mechanism


@pytest.mark.parametrize(("epsilon", "best"), [(1, 0.553), (2, 0.599), (4, 0.678), (8, 0.798)])
def test_the_best_accuracy_at_an_epsilon_is_known(epsilon: float, best: float) -> None:
    ceiling = accuracy_ceiling(mu_of(epsilon, DELTA))
    assert round(ceiling, 3) == best
    sigma = noise_scale(epsilon, DELTA, math.sqrt(2))
    assert ceiling == pytest.approx(norm.cdf(math.sqrt(2) / (2 * sigma)), abs=1e-12)


def test_the_accuracy_0_55_needs_a_noise_of_four_sensitivities() -> None:
    z = 1 / (2 * norm.ppf(0.55))
    assert round(z, 2) == 3.98
    assert accuracy_ceiling(1 / z) == pytest.approx(0.55, abs=1e-12)


def test_the_noise_at_epsilon_1_is_the_published_one() -> None:
    # sigma of the analytic Gaussian mechanism at epsilon 1, delta 1e-5, sensitivity 1.
    assert noise_scale(1.0, DELTA, 1.0) == pytest.approx(3.7306316348, abs=1e-9)


@pytest.mark.parametrize(("epsilon", "mu"), [(0.5, 0.3), (1.0, 1.0), (8.0, 1.7), (20.0, 4.0)])
def test_delta_is_the_integral_of_what_exceeds_epsilon(epsilon: float, mu: float) -> None:
    # delta = integral of max(0, p(x) - e^eps q(x)) for p = N(mu, 1), q = N(0, 1); they cross where mu x - mu^2/2 = eps.
    crossing = epsilon / mu + mu / 2
    expected, _ = quad(lambda x: norm.pdf(x - mu) - math.exp(epsilon) * norm.pdf(x), crossing, crossing + 30)
    assert delta_of(epsilon, mu) == pytest.approx(expected, rel=1e-6, abs=1e-13)


@pytest.mark.parametrize("epsilon", [1e-3, 0.1, 1.0, 8.0, 100.0, 500.0])
@pytest.mark.parametrize("delta", [1e-12, 1e-5, 0.1])
def test_mu_and_epsilon_are_inverse_and_never_promise_too_much(epsilon: float, delta: float) -> None:
    mu = mu_of(epsilon, delta)
    assert delta_of(epsilon, mu) <= delta
    assert delta_of(epsilon, mu * (1 + 1e-4)) > delta
    assert epsilon_of(mu, delta) == pytest.approx(epsilon, rel=1e-4)
    assert epsilon_of(0.0, delta) == 0.0


@pytest.mark.parametrize(
    ("epsilon", "delta"), [(0, DELTA), (-1, DELTA), (501, DELTA), (math.nan, DELTA), (1, 0), (1, 0.5)]
)
def test_an_epsilon_or_delta_out_of_range_is_refused(epsilon: float, delta: float) -> None:
    with pytest.raises(InputError, match="expected a number"):
        mu_of(epsilon, delta)
    with pytest.raises(InputError):
        noise_scale(1.0, DELTA, 0.0)
    with pytest.raises(InputError, match="more noise"):
        epsilon_of(1000.0, DELTA)


# The budget


def test_questions_compose_as_the_root_of_the_sum_of_squares() -> None:
    accountant = Accountant(4.0, DELTA)
    for _ in range(9):
        accountant.charge(0.1)
    # Nine mechanisms with mu 0.1 are one with mu 0.3. Its epsilon, by scipy's root finder and normal distribution:
    exact = brentq(lambda e: norm.cdf(0.15 - e / 0.3) - math.exp(e) * norm.cdf(-0.15 - e / 0.3) - DELTA, 1e-6, 10)
    assert accountant.spent_epsilon == pytest.approx(exact, rel=1e-6)
    assert accountant.spent == pytest.approx(0.09)


@pytest.mark.parametrize("questions", [1, 3, 1000])
def test_the_budget_lasts_for_the_questions_that_were_planned_and_no_further(questions: int) -> None:
    accountant = Accountant(2.0, DELTA)
    mu = accountant.mu_for(questions)
    for _ in range(questions):
        accountant.charge(mu)
    before = accountant.spent
    with pytest.raises(BudgetSpent, match="without private examples"):
        accountant.charge(mu)
    assert accountant.spent == before
    assert accountant.spent_epsilon == pytest.approx(2.0, rel=1e-6)
    assert accountant.spent_epsilon <= 2.0


def test_what_was_spent_before_counts() -> None:
    first = Accountant(2.0)
    first.charge(first.mu_for(2))
    second = Accountant(2.0, spent=first.spent)
    second.charge(first.mu_for(2))
    with pytest.raises(BudgetSpent):
        second.charge(first.mu_for(2))


def test_threads_cannot_spend_more_than_there_is() -> None:
    accountant = Accountant(1.0)
    mu, paid = accountant.mu_for(50), []

    def ask() -> None:
        for _ in range(20):
            try:
                accountant.charge(mu)
            except BudgetSpent:
                continue
            paid.append(1)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(paid) == 50


@pytest.mark.parametrize("mu", [0.0, -1.0, math.inf, math.nan])
def test_a_charge_that_is_none_is_refused(mu: float) -> None:
    with pytest.raises(InputError):
        Accountant(1.0).charge(mu)
    with pytest.raises(InputError):
        Accountant(1.0, spent=-1.0)
    with pytest.raises(InputError):
        Accountant(1.0).mu_for(0)


# The noisy threshold


def test_release_probabilities_against_closed_forms() -> None:
    # One label: it is released if c + noise >= T. Two labels without threshold: the larger noisy count wins.
    assert release_probabilities([7], 2.0, 5.5) == pytest.approx([norm.cdf(0.75), norm.cdf(-0.75)], abs=SIMPSON)
    first = norm.cdf((6 - 4) / (1.5 * math.sqrt(2)))
    assert release_probabilities([6, 4], 1.5, -math.inf) == pytest.approx([first, 1 - first, 0.0], abs=SIMPSON)


@pytest.mark.parametrize("counts", [[10, 0], [5, 5, 0], [0, 0], [3, 4, 2, 1]])
@pytest.mark.parametrize("sigma", [0.2, 1.0, 9.0])
def test_release_probabilities_add_up_to_1(counts: list[int], sigma: float) -> None:
    assert sum(release_probabilities(counts, sigma, 5.5)) == pytest.approx(1.0, abs=len(counts) * SIMPSON)


def test_release_probabilities_against_drawing() -> None:
    rng = np.random.default_rng(0)
    counts, sigma, threshold = [5, 4, 1], 2.0, 4.5
    noisy = np.array(counts) + sigma * rng.standard_normal((200_000, 3))
    drawn = [released(row, threshold) for row in noisy.tolist()]
    shares = [drawn.count(label) / len(drawn) for label in (0, 1, 2, None)]
    assert release_probabilities(counts, sigma, threshold) == pytest.approx(shares, abs=0.005)  # 4 standard errors


def test_the_largest_count_is_released_if_it_reaches_the_threshold() -> None:
    assert released([1.0, 5.5, 5.4], 5.5) == 1
    assert released([1.0, 5.4], 5.5) is None
    with pytest.raises(InputError):
        release_probabilities([], 1.0, 0.0)
    with pytest.raises(InputError):
        release_probabilities([1], 0.0, 0.0)


def neighbours(labels: int, subsets: int) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """All pairs of counts between which one subset changes its vote; a subset may cast none."""
    pairs = []
    for others in itertools.product(range(subsets), repeat=labels):
        if sum(others) > subsets - 1:
            continue
        votes = [tuple(count + (index == vote) for index, count in enumerate(others)) for vote in range(labels + 1)]
        pairs += list(itertools.permutations(votes, 2))
    return pairs


@pytest.mark.parametrize(("labels", "subsets"), [(1, 6), (2, 5), (3, 3)])
@pytest.mark.parametrize("epsilon", [0.5, 1.0, 4.0, 8.0])
def test_no_neighbouring_votes_give_more_away_than_is_promised(labels: int, subsets: int, epsilon: float) -> None:
    mu = mu_of(epsilon, DELTA)
    sigma = sensitivity(labels) / mu
    pairs, best = neighbours(labels, subsets), []
    for threshold in (-math.inf, subsets / 2, subsets - 0.5):
        known = {c: release_probabilities(c, sigma, threshold) for c in {count for pair in pairs for count in pair}}
        for p, q in ((known[a], known[b]) for a, b in pairs):
            best.append(0.5 + sum(map(abs, np.subtract(p, q))) / 4)
            assert (
                sum(max(0.0, a - math.exp(epsilon) * b) for a, b in zip(p, q, strict=True)) <= DELTA + labels * SIMPSON
            )
    assert 0.51 < max(best) <= accuracy_ceiling(mu) + SIMPSON


def test_a_tie_that_one_vote_breaks_reaches_the_ceiling() -> None:
    mu = mu_of(4.0, DELTA)
    sigma = sensitivity(2) / mu
    with_canary, without = (release_probabilities(c, sigma, -math.inf) for c in ([3, 2], [2, 3]))
    assert 0.5 + (with_canary[0] - without[0]) / 2 == pytest.approx(accuracy_ceiling(mu), abs=SIMPSON)
