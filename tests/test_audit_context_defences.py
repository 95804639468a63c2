"""Defences with a stated epsilon under attack, on scripted subsets, against the ceiling Phi(1 / 2z)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import beta, norm
from test_audit_context import LABELS, Log, Scripted, classification, deaf, generation, leaker, stands_out

from reticent.private_context import release_probabilities
from reticent_bench.audits.context import mechanisms, utility, votes
from reticent_bench.audits.context.audit import ContextAudit, audit
from reticent_bench.audits.context.canaries import Canary
from reticent_bench.audits.context.canary_runs import Run
from reticent_bench.audits.context.ensembles import EnsembleResult
from reticent_bench.audits.context.questions import Attack, Column, Questions
from reticent_bench.audits.context.replay import replay
from reticent_bench.audits.context.settings import Settings
from reticent_bench.audits.context.task import Example, Task
from reticent_bench.audits.context.utility import Usefulness
from reticent_bench.audits.context.votes import Array, Votes
from reticent_bench.report.metrics import Interval, share
from reticent_detectors.errors import InputError

DELTA = 1e-5
RUNS = 3000
SETTINGS = Settings(
    canaries=(), ensemble_runs=RUNS, ensemble_contexts=5, calibration_runs=20, utility_items=0, draws=10_000
)


def phi_of_half_z(epsilon: float) -> float:
    """Phi(1 / 2z) by scipy: z solves the equation of the analytic Gaussian mechanism."""
    mu = brentq(
        lambda m: norm.cdf(m / 2 - epsilon / m) - math.exp(epsilon) * norm.cdf(-m / 2 - epsilon / m) - DELTA, 0.01, 20
    )
    return float(norm.cdf(mu / 2))


def sigma_of(epsilon: float, sensitivity: float) -> float:
    return sensitivity / (2 * float(norm.ppf(phi_of_half_z(epsilon))))


def within(value: float, right: Interval, runs: int) -> bool:
    """Whether the 99.9 % Clopper-Pearson interval of an audited accuracy covers a value."""
    hits = round(right.value * runs)
    low = beta.ppf(0.0005, hits, runs - hits + 1)
    high = beta.ppf(0.9995, hits + 1, runs - hits) if hits < runs else 1.0
    return bool(low <= value <= high)


def rows(found: ContextAudit, defence: str, view: str, worst_case: bool) -> list[EnsembleResult]:
    picked = [
        row for row in found.ensembles if (row.defence, row.figures.view, row.worst_case) == (defence, view, worst_case)
    ]
    assert picked
    return picked


@pytest.fixture(scope="module")
def leaked() -> ContextAudit:
    """Ten subsets of two; those with the canary vote for its label."""
    task = classification()
    return audit({"off": Scripted(leaker(task))}, task, replace(SETTINGS, worst_case=True), Log())


# Known truths


@pytest.mark.parametrize(("epsilon", "known"), [(1, 0.553), (2, 0.599), (4, 0.678), (8, 0.798)])
def test_the_ceiling_is_phi_of_1_by_2z(epsilon: float, known: float) -> None:
    assert round(mechanisms.ceiling(epsilon, DELTA), 3) == known == round(phi_of_half_z(epsilon), 3)
    assert mechanisms.ceiling(math.inf, DELTA) == 1.0


@pytest.mark.parametrize(("view", "worst_case"), [("histogram", False), ("histogram", True), ("label", True)])
def test_report_noisy_max_audits_at_its_ceiling(leaked: ContextAudit, view: str, worst_case: bool) -> None:
    found = rows(leaked, "Report-Noisy-Max", view, worst_case)
    assert [row.figures.epsilon for row in found] == [1.0, 2.0, 4.0, 8.0]
    for row in found:
        assert row.figures.runs == RUNS and row.contexts == 5 and row.utility is None
        assert row.figures.ceiling == pytest.approx(phi_of_half_z(row.figures.epsilon), abs=1e-9)
        assert row.figures.sigma == pytest.approx(sigma_of(row.figures.epsilon, math.sqrt(2)), rel=1e-6)
        assert within(row.figures.ceiling, row.figures.accuracy, RUNS)
        assert row.figures.holds
        print(f"{view} worst={worst_case} epsilon {row.figures.epsilon}: {row.figures.accuracy.value:.3f}")


@pytest.mark.parametrize(("epsilon", "known"), [(1, 0.526), (2, 0.508), (4, 0.500), (8, 0.500)])
def test_one_label_shows_less_of_one_vote_of_ten_the_larger_epsilon_is(
    leaked: ContextAudit, epsilon: float, known: float
) -> None:
    sigma = sigma_of(epsilon, math.sqrt(2))
    exact = 0.5 + (norm.cdf(-8 / (sigma * math.sqrt(2))) - norm.cdf(-10 / (sigma * math.sqrt(2)))) / 2
    assert round(exact, 3) == known
    ours = [release_probabilities(counts, sigma, -math.inf)[0] for counts in ([1, 9], [0, 10])]
    assert 0.5 + (ours[0] - ours[1]) / 2 == pytest.approx(exact, abs=1e-6)
    found = next(r for r in rows(leaked, "Report-Noisy-Max", "label", False) if r.figures.epsilon == epsilon)
    assert within(exact, found.figures.accuracy, RUNS)


def test_an_agreement_without_noise_gives_all_away_at_the_boundary(leaked: ContextAudit) -> None:
    for view in ("label", "histogram"):
        (row,) = rows(leaked, "k-of-m agreement", view, True)
        assert row.figures.accuracy == share(RUNS, RUNS)
        assert (row.figures.epsilon, row.figures.sigma, row.figures.ceiling) == (math.inf, 0.0, 1.0)
    (far,) = rows(leaked, "k-of-m agreement", "label", False)
    assert far.figures.accuracy.low <= 0.5 <= far.figures.accuracy.high


@pytest.mark.parametrize("worst_case", [False, True])
@pytest.mark.parametrize("view", ["label", "histogram"])
def test_the_shield_is_within_its_epsilon(leaked: ContextAudit, view: str, worst_case: bool) -> None:
    found = rows(leaked, "context shield", view, worst_case)
    assert [row.figures.epsilon for row in found] == [0.5, 1.0, 4.0, 8.0]
    for row in found:
        # At the ceiling itself a lower end of 95 % lies above it in 2.5 % of draws, so this is one of 99.9 %.
        lowest = share(round(row.figures.accuracy.value * RUNS), RUNS, looks=50).low
        assert lowest <= phi_of_half_z(row.figures.epsilon)
    if worst_case and view == "label":
        # Five votes against five, and the canary's makes six: what six and five release, exactly.
        for row in found:
            p, q = (release_probabilities(votes, row.figures.sigma, 5.5) for votes in ([6, 4], [5, 5]))
            best = 0.5 + sum(map(abs, np.subtract(p, q))) / 4
            assert 0.5 < best < row.figures.ceiling
            assert within(best, row.figures.accuracy, RUNS)
        assert found[-1].figures.accuracy.value > 0.7


def test_a_deaf_endpoint_gives_nothing_away_under_any_defence() -> None:
    task = classification()
    settings = replace(SETTINGS, ensemble_runs=400, worst_case=True)
    found = audit({"off": Scripted(deaf(task))}, task, settings, Log())
    assert len(found.ensembles) == 2 * 2 * (4 + 4 + 1)
    assert all(within(0.5, row.figures.accuracy, 400) for row in found.ensembles)
    assert all(row.figures.measured_epsilon.low < 0.3 for row in found.ensembles)


# Generation


def opposite(text: str) -> Array:
    """Texts about the canary at one end of the clipped ball, all others at the other end, both beyond the bound."""
    direction = np.zeros(8)
    direction[0] = 3.0 if text.startswith("yes") else -3.0
    return direction


WORDS = ("yes", "indeed", "surely", "certainly")


@pytest.fixture(scope="module")
def generated() -> ContextAudit:
    """Subsets with the canary answer all keywords, the others none."""
    task = generation()

    def says(system: str, user: str) -> str:
        return " ".join(WORDS) if stands_out(system) else "nothing"

    settings = replace(SETTINGS, embed=opposite, keywords=WORDS, keywords_released=2, worst_case=True, candidates=4)
    return audit({"off": Scripted(says)}, task, settings, Log())


@pytest.mark.parametrize(
    ("defence", "sensitivity"),
    [("Embedding-Space aggregation", 2 * 1.0 / 10), ("Keyword-Space aggregation", 1.0 * math.sqrt(4) / 10)],
)
def test_aggregated_texts_audit_at_their_ceiling(generated: ContextAudit, defence: str, sensitivity: float) -> None:
    for row in rows(generated, defence, "histogram", False):
        assert row.figures.sigma == pytest.approx(sigma_of(row.figures.epsilon, sensitivity), rel=1e-6)
        assert within(phi_of_half_z(row.figures.epsilon), row.figures.accuracy, RUNS)
        print(f"{defence} epsilon {row.figures.epsilon}: {row.figures.accuracy.value:.3f}")
    for row in rows(generated, defence, "label", False):
        assert row.figures.accuracy.low <= row.figures.ceiling
    assert "no context is known" in generated.not_measurable[0]


def test_embeddings_are_clipped_and_decoded_to_the_nearest_candidate() -> None:
    candidates = np.array([[1.0, 0.0], [0.0, 5.0], [0.0, 0.0]])
    ours = mechanisms.embedding_space(2.0, 2, candidates)
    answers = np.array([[[6.0, 0.0], [0.0, 1.0]], [[0.0, 0.0], [0.0, 2.0]]])
    # (6, 0) is clipped to (2, 0); the others are within the bound.
    assert ours.aggregate(answers).tolist() == [[1.0, 0.5], [0.0, 1.0]]
    assert ours.release(np.array([[1.0, 0.5], [0.4, 0.5]])).tolist() == [[1, 0, 0], [0, 1, 0]]
    assert ours.sensitivity == 2 * 2.0 / 2
    for bound, public in ((0.0, candidates), (1.0, np.empty((0, 2)))):
        with pytest.raises(InputError):
            mechanisms.embedding_space(bound, 2, public)


@pytest.mark.parametrize("epsilon", [1.0, 4.0])
def test_embeddings_at_the_bound_and_one_from_a_tie_reach_the_ceiling_by_their_candidate(epsilon: float) -> None:
    public = np.array([[1.0, 0.0], [-1.0, 0.0]])
    ours = mechanisms.embedding_space(1.0, 9, public)
    tie = made([[5, 4], [4, 5]], [True, False]).answers @ public
    known, tested = (Votes(np.array([True, False] * n), np.tile(tie, (n, 1, 1))) for n in (1, RUNS // 2))
    found = replay(ours, known, tested, epsilon, DELTA, "label", 10_000, np.random.default_rng(0))
    assert within(phi_of_half_z(epsilon), found.accuracy, RUNS)


def test_keywords_are_clipped_and_the_largest_released() -> None:
    ours = mechanisms.keyword_space(2.0, 2, 3, 2)
    assert ours.aggregate(np.array([[[5.0, 1.0, 0.0], [1.0, 0.0, 0.0]]])).tolist() == [[1.5, 0.5, 0.0]]
    assert ours.release(np.array([[0.1, 3.0, 0.2]])).tolist() == [[0, 1, 1]]
    assert ours.sensitivity == pytest.approx(2.0 * math.sqrt(3) / 2)
    assert mechanisms.keyword_space(1.0, 2, 1, 5).release(np.array([[0.3]])).tolist() == [[1]]
    with pytest.raises(InputError):
        mechanisms.keyword_space(1.0, 2, 0, 1)


@pytest.mark.parametrize("seed", range(3))
def test_no_replaced_answer_moves_an_aggregate_further_than_its_sensitivity(seed: int) -> None:
    rng = np.random.default_rng(seed)
    public = rng.normal(size=(3, 4))
    for ours, scale in (
        (mechanisms.embedding_space(1.5, 5, public), 4.0),
        (mechanisms.keyword_space(2.0, 5, 4, 2), 9.0),
        (mechanisms.report_noisy_max(4), 0.0),
    ):
        furthest = 0.0
        for _ in range(300):
            one_hot = np.eye(5)[rng.integers(5, size=(2, 5))][:, :, :4]  # the fifth is no label
            answers = rng.normal(size=(2, 5, 4)) * scale if scale else one_hot
            answers[1, 1:] = answers[0, 1:]
            first, second = ours.aggregate(answers)
            furthest = max(furthest, float(np.linalg.norm(first - second)))
        assert 0.6 * ours.sensitivity < furthest <= ours.sensitivity * (1 + 1e-12)


# Votes


class Recorded:
    """Questions of a task to a leaker, with what was asked."""

    def __init__(self, subsets: int = 10) -> None:
        task = classification()
        self.target = Scripted(leaker(task))
        self.log = Log()
        settings = replace(SETTINGS, subsets=subsets)
        self.questions = Questions(Column("off", self.target, self.target), task, settings, self.log)
        self.attack = Attack(Canary("hexadecimal", "ab" * 16, LABELS[0]), "if-then-explicit")


def test_the_canary_changes_the_vote_of_its_own_subset_alone() -> None:
    recorded = Recorded()
    runs = [Run(0, position, present) for position in range(20) for present in (False, True)]
    found = votes.collect(recorded.questions, recorded.attack, runs, votes.one_hot(2))
    assert found.answers.shape == (40, 10, 2)
    assert repr(found) == "Votes(runs=40, subsets=10)"
    for row, run in zip(found.answers, runs, strict=True):
        says = np.flatnonzero(row[:, 0]).tolist()
        assert says == ([run.position % 10] if run.present else [])
        assert row.sum() == 10
    # Ten questions without the canary and twenty with it, however many runs.
    assert recorded.log.asked == recorded.log.calls == 30


@pytest.mark.parametrize(("subsets", "holders", "least"), [(9, 4, 4), (10, 5, 5)])
def test_a_worst_case_is_one_vote_away(subsets: int, holders: int, least: int) -> None:
    recorded = Recorded()
    runs = [Run(1, position, present) for position in range(20) for present in (False, True)]
    found = votes.collect_worst_case(recorded.questions, recorded.attack, runs, votes.one_hot(2), subsets, holders)
    counts = found.answers.sum(axis=1)
    assert found.answers.shape == (40, subsets, 2)
    assert counts[~found.present].tolist() == [[least, subsets - least]] * 20
    assert counts[found.present].tolist() == [[least + 1, subsets - least - 1]] * 20
    with pytest.raises(InputError, match="holders"):
        votes.collect_worst_case(recorded.questions, recorded.attack, runs, votes.one_hot(2), 4, 4)


def test_an_answer_without_a_label_is_no_vote() -> None:
    assert votes.one_hot(3)({"label": -1}) == [0, 0, 0]
    assert votes.one_hot(3)({"label": 2}) == [0, 0, 1]


def test_votes_by_likelihood_are_the_likeliest_label() -> None:
    task = classification()
    settings = replace(SETTINGS, votes="likelihood", ensemble_runs=60)
    found = audit({"off": Scripted(leaker(task), scores_text=True)}, task, settings, Log())
    (row,) = rows(found, "k-of-m agreement", "histogram", False)
    assert row.figures.accuracy == share(60, 60)


# Replays and utility


def made(counts: Sequence[Sequence[int]], present: Sequence[bool]) -> Votes:
    answers = [[[1.0, 0.0]] * a + [[0.0, 1.0]] * b for a, b in counts]
    return Votes(np.array(present), np.array(answers))


def test_an_attacker_learns_the_direction_from_calibration_runs() -> None:
    # The canary takes a vote from its label: fewer of them mean that it is there.
    known = made([[4, 1], [5, 0]], [True, False])
    tested = made([[4, 1], [5, 0], [5, 0]], [True, False, True])
    ours = mechanisms.report_noisy_max(2)
    found = replay(ours, known, tested, math.inf, DELTA, "histogram", 200, np.random.default_rng(0))
    assert found.accuracy == share(2, 3)
    assert found.measured_epsilon.value == pytest.approx(math.log(2), abs=1e-4)


def test_an_attacker_looks_at_what_differs_and_not_at_what_is_large() -> None:
    # Both have the same projection onto the votes with the canary: (1, 1) and (2, 0) onto (1, 1).
    known = made([[1, 1], [2, 0]], [True, False])
    ours = mechanisms.report_noisy_max(2)
    found = replay(ours, known, known, math.inf, DELTA, "histogram", 200, np.random.default_rng(0))
    assert found.accuracy == share(2, 2)


def test_a_defence_that_says_less_noise_than_it_needs_does_not_hold() -> None:
    known = made([[5, 4], [4, 5]] * 5, [True, False] * 5)
    tested = made([[5, 4], [4, 5]] * 1500, [True, False] * 1500)
    cheat = replace(mechanisms.report_noisy_max(2), sensitivity=math.sqrt(2) / 2)
    found = replay(cheat, known, tested, 1.0, DELTA, "label", 10_000, np.random.default_rng(0))
    assert found.accuracy.low > found.ceiling and not found.holds
    honest = replay(
        mechanisms.report_noisy_max(2), known, tested, 1.0, DELTA, "label", 10_000, np.random.default_rng(0)
    )
    assert honest.holds


def test_utility_of_labels_is_what_the_noise_leaves() -> None:
    # Every subset votes right for 400 held-out examples, half of each label.
    labels = [LABELS[n % 2] for n in range(440)]
    pool = tuple(Example(f"Remark {n} is {label}.", label) for n, label in enumerate(labels))
    task = Task("remarks", "Label each remark.", pool[:40], LABELS, pool[40:])

    def reads(system: str, user: str) -> str:
        return user.partition("\nLabel:")[0].split()[-1].strip(".") if user.startswith("Input:") else LABELS[0]

    settings = replace(SETTINGS, ensemble_runs=4, utility_items=400, draws=100, views=("label",))
    found = audit({"off": Scripted(reads)}, task, settings, Log())
    assert found.utility[0].undefended.value == 1.0 and found.utility[0].resolvable and found.utility[0].floor == 0.5
    for row in rows(found, "context shield", "label", False):
        exact = release_probabilities([10, 0], sigma_of(row.figures.epsilon, math.sqrt(2)), 5.5)[0]
        assert row.utility is not None and within(exact, row.utility, 400)
        print(f"shield, epsilon {row.figures.epsilon}: utility {row.utility.value:.3f}")
    for row in rows(found, "Report-Noisy-Max", "label", False):
        exact = float(norm.cdf(10 / (sigma_of(row.figures.epsilon, math.sqrt(2)) * math.sqrt(2))))
        assert row.utility is not None and within(exact, row.utility, 400)


def test_utility_of_texts_is_that_of_the_nearest_public_answer() -> None:
    # Both items: the mean points along the first axis, where the public answer with score 0.8 is.
    useful = Usefulness(
        undefended=Interval(0.9, 0.85, 0.95),
        floor=0.5,
        answers=np.array([[[1.0, 0.0], [1.0, 0.2]]] * 2),
        truth=np.zeros(2, dtype=np.intp),
        candidates=np.array([[[0.0, 9.0], [0.5, 0.0]]] * 2),
        scores=np.array([[0.2, 0.8]] * 2),
    )
    ours = mechanisms.embedding_space(1.0, 2, np.eye(2))
    assert utility.of_texts(useful, ours, math.inf, DELTA, [0]) == pytest.approx((0.8, 0.8, 0.8))
    assert useful.resolvable and "Usefulness(items=2" in repr(useful)
    assert math.isnan(utility.mean([]).value)


def test_utility_of_texts_needs_more_than_the_public_answers_give() -> None:
    pool = generation(24)
    task = replace(pool, held_out=tuple(Example(f"A: At {n}?", f"They meet at {n}.") for n in range(8)))

    def notes(system: str, user: str) -> str:
        return f"They meet at {user.partition('At ')[2].partition('?')[0]}." if "Examples" in system else "No idea."

    settings = replace(SETTINGS, ensemble_runs=4, utility_items=8, draws=100, candidates=3)
    found = audit({"off": Scripted(notes)}, task, settings, Log())
    assert (found.utility[0].undefended.value, found.utility[0].floor) == (1.0, 0.0)
    measured = {row.defence: row.utility for row in found.ensembles}
    assert measured == {"Embedding-Space aggregation": (0.0, 0.0, 0.0), "Keyword-Space aggregation": None}
