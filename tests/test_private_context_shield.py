"""The context shield: at the boundary of an agreement, its budget, its failures and its documentation."""

from __future__ import annotations

import inspect
import itertools
import json
import math
import random
import subprocess
import sys
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.stats import beta, norm

from reticent.private_context import (
    Accountant,
    BudgetSpent,
    ContextShield,
    Messages,
    delta_of,
    few_shot_messages,
    mu_of,
    read_label,
)
from reticent_detectors.errors import InputError

ROOT = Path(__file__).resolve().parent.parent
DELTA = 1e-5
CANARY = "Rivers run uphill."


def examples(count: int = 20) -> list[tuple[str, str]]:
    return [(f"Text number {number}.", "no") for number in range(count)]


def leaker(holders: Sequence[str]) -> Callable[[Messages], str]:
    """Says yes if an example is among `holders`, as a model that is asked for it does; else no."""
    return lambda messages: "yes" if any(text in messages[0]["content"] for text in holders) else "no"


def boundary(position: int, agreeing: int, present: bool) -> list[tuple[str, str]]:
    """Ten subsets of two; `agreeing` of them hold a text that makes them answer yes, as the canary does."""
    rows = [(f"Agreeing {n}." if n < agreeing else f"Text number {n}.", "no") for n in range(20)]
    if present:
        rows[position] = (CANARY, "yes")
    return rows


def guesses(epsilon: float, runs: int, answer: Callable[[list[tuple[str, str]], int], str | None]) -> int:
    """How many coin flips an attacker guesses from `answer` at the boundary: five of ten agree, six are wanted."""
    coins = random.Random(int(epsilon * 10))
    right = 0
    for run in range(runs):
        present = coins.random() < 0.5
        right += (answer(boundary(5, 5, present), run) == "yes") == present
    return right


def test_a_plain_agreement_gives_a_canary_away_at_the_boundary() -> None:
    ask = leaker(["Agreeing", CANARY])

    def answer(rows: list[tuple[str, str]], _: int) -> str | None:
        votes = [ask(few_shot_messages("", rows[part::10], "Is it there?")) for part in range(10)]
        return "yes" if votes.count("yes") >= 6 else None

    assert guesses(1.0, 200, answer) == 200


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 4.0, 8.0])
def test_the_shield_is_within_its_epsilon_at_the_boundary(epsilon: float) -> None:
    runs, ask, shields = 3000, leaker(["Agreeing", CANARY]), []

    def answer(rows: list[tuple[str, str]], run: int) -> str | None:
        shield = ContextShield(
            rows, ("yes", "no"), ask, Accountant(epsilon), questions=1, agreement=6, seed_for_tests=run
        )
        shields.append(shield)
        return shield.answer("Is it there?")

    right = guesses(epsilon, runs, answer)
    low, high = beta.ppf([0.0005, 0.9995], [right, right + 1], [runs - right + 1, runs - right])
    ceiling = norm.cdf(mu_of(epsilon, DELTA) / 2)
    assert shields[0].ceiling == pytest.approx(ceiling, abs=1e-6)
    assert beta.ppf(0.025, right, runs - right + 1) <= ceiling
    # What five and six votes of yes beside five and four of no release, exactly:
    p, q = (shields[0].release_probabilities(votes)[0] for votes in ([6, 4], [5, 5]))
    assert low <= 0.5 + (p - q) / 2 <= high
    print(f"epsilon {epsilon}: audited {right / runs:.3f}, ceiling {ceiling:.3f}")


def test_utility_at_the_stated_epsilons() -> None:
    # All ten, or eight of ten, subsets vote right. Two labels, threshold 5.5, one answer.
    shares = {}
    for epsilon in (0.5, 1.0, 4.0, 8.0):
        shield = ContextShield(examples(), ("yes", "no"), leaker([]), Accountant(epsilon), questions=1)
        shares[epsilon] = [shield.release_probabilities(votes)[0] for votes in ([10, 0], [8, 2])]
        print(f"epsilon {epsilon}: right {shares[epsilon][0]:.3f} of 10 to 0, {shares[epsilon][1]:.3f} of 8 to 2")
    for votes, column in zip(([10, 0], [8, 2]), zip(*shares.values(), strict=True), strict=True):
        assert list(column) == sorted(column)
        for epsilon, share in zip(shares, column, strict=True):
            sigma = math.sqrt(2) / brentq(lambda m, e=epsilon: delta_of(e, m) - DELTA, 0.01, 20)
            exact, _ = quad(
                lambda x, s=sigma, v=votes: norm.pdf(x, v[0], s) * norm.cdf(x, v[1], s), 5.5, votes[0] + 12 * sigma
            )
            assert share == pytest.approx(exact, abs=1e-6)
    assert shares[8.0][0] > 0.99 and shares[0.5][0] < 0.75


def test_every_example_is_in_exactly_one_subset_and_each_is_asked_once() -> None:
    asked: list[str] = []

    def ask(messages: Messages) -> str:
        asked.append(messages[0]["content"])
        assert messages[1]["content"] == "Input: What now?\nLabel:"
        return "no"

    shield = ContextShield(examples(23), ("yes", "no"), ask, Accountant(8.0), questions=1, subsets=5)
    shield.answer("What now?")
    assert len(asked) == 5
    assert [sum(f"Text number {n}." in text for text in asked) for n in range(23)] == [1] * 23
    assert sorted(text.count("Input:") for text in asked) == [4, 4, 5, 5, 5]


def test_a_spent_budget_asks_nothing() -> None:
    asked: list[Messages] = []

    def ask(messages: Messages) -> str:
        asked.append(messages)
        return "no"

    accountant = Accountant(1.0)
    shield = ContextShield(examples(), ("yes", "no"), ask, accountant, questions=2)
    other = ContextShield(examples(), ("yes", "no"), ask, accountant, questions=2)
    shield.answer("a")
    other.answer("b")
    assert len(asked) == 20
    with pytest.raises(BudgetSpent):
        shield.answer("c")
    assert len(asked) == 20


def test_a_failing_question_is_no_vote_and_reaches_the_operator_alone() -> None:
    def ask(messages: Messages) -> str:
        if CANARY in messages[0]["content"]:
            raise RuntimeError("a private word")
        return "no"

    errors: list[Exception] = []
    accountant = Accountant(500.0)
    shield = ContextShield(
        [(CANARY, "yes"), *examples(9)], ("yes", "no"), ask, accountant,
        questions=1, agreement=9, on_error=errors.append, seed_for_tests=1,
    )  # fmt: skip
    assert shield.sigma < 0.1
    assert shield.answer("a") == "no"  # nine of ten votes
    assert [type(error) for error in errors] == [RuntimeError]
    assert accountant.spent > 0
    with pytest.raises(BudgetSpent):
        shield.answer("a")


def test_noise_comes_from_the_operating_system_unless_a_test_asks_for_a_seed() -> None:
    shield = ContextShield(examples(), ("yes", "no"), leaker([]), Accountant(1.0), questions=1)
    assert type(shield._random) is random.SystemRandom
    tied = leaker([f"number {n}." for n in range(5)])

    def answers(seed: int | None) -> list[str | None]:
        of_seed = ContextShield(
            examples(), ("yes", "no"), tied, Accountant(1.0), questions=60, agreement=1, seed_for_tests=seed
        )
        return [of_seed.answer("a") for _ in range(60)]

    assert answers(3) == answers(3) != answers(4)
    assert answers(None) != answers(None)  # equal once in 2^60 times or so
    assert set(answers(3)) >= {"yes", "no"}


def test_answers_without_a_label_are_no_votes() -> None:
    def ask(messages: Messages) -> str:
        return "I cannot tell."

    shield = ContextShield(
        examples(), ("yes", "no"), ask, Accountant(500.0), questions=1, agreement=1, seed_for_tests=0
    )
    assert shield.answer("a") is None


@pytest.mark.parametrize(
    ("answer", "index"),
    [
        ("yes", 0), (" Yes.", 0), ("No, yes", 1), ("not sure", None), ("eyes", None), ("", None),
        ("It is no use", 1), ("no way", 2), ("NO WAY, no", 2),
    ],
)  # fmt: skip
def test_an_answer_is_read_for_the_label_that_it_names_first(answer: str, index: int | None) -> None:
    assert read_label(answer, ("yes", "no", "no way")) == index


@pytest.mark.parametrize(
    "wrong",
    [
        {"subsets": 0}, {"subsets": 21}, {"labels": ()}, {"labels": ("a", "A")}, {"labels": ("a", " ")},
        {"agreement": 0}, {"agreement": 11}, {"questions": 0},
    ],
)  # fmt: skip
def test_wrong_arguments_are_refused(wrong: dict[str, object]) -> None:
    arguments: dict[str, object] = {"labels": ("yes", "no"), "questions": 1, **wrong}
    with pytest.raises(InputError, match="expected"):
        ContextShield(examples(), ask=leaker([]), accountant=Accountant(1.0), **arguments)  # type: ignore[arg-type]
    shield = ContextShield(examples(), ("yes", "no"), leaker([]), Accountant(1.0), questions=1)
    for votes in ([1], [6, 5], [-1, 2]):
        with pytest.raises(InputError):
            shield.release_probabilities(votes)


def test_nothing_printed_holds_an_example() -> None:
    shield = ContextShield([(CANARY, "yes")] * 10, ("yes", "no"), leaker([]), Accountant(1.0), questions=1)
    assert repr(shield).startswith("ContextShield(subsets=10, labels=2, sigma=5.2")
    assert repr(shield.accountant) == "Accountant(epsilon=1.0, delta=1e-05, spent=0.0)"


def test_the_example_of_the_docstring_runs() -> None:
    lines = (inspect.getdoc(ContextShield) or "").splitlines()
    first = next(n for n, line in enumerate(lines) if line.startswith("    from reticent"))
    block = list(itertools.takewhile(lambda line: not line or line.startswith("    "), lines[first:]))
    code = [line for line in block if line.strip()]
    assert len(code) == 8
    names: dict[str, object] = {}
    exec(textwrap.dedent("\n".join(block)), names)
    assert names["answer"] in ("spam", "ham", None)
    accountant = names["accountant"]
    assert isinstance(accountant, Accountant) and 0 < accountant.spent_epsilon < 4


def test_the_docstring_says_what_it_cannot_do() -> None:
    text = " ".join((ContextShield.__doc__ or "").split())
    for limit in ("one example alone", "no answer for retrieval", "no amplification", "floating-point"):
        assert limit in text


def test_it_is_imported_without_heavy_modules() -> None:
    code = "import json, sys; import reticent.private_context; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    assert not {"torch", "scipy", "sklearn", "numpy"} & set(json.loads(done.stdout))
