"""How long an audit takes, by batches of what it will ask: on targets whose speed is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from reticent_bench.audits import estimate
from reticent_bench.audits.estimate import estimate_seconds
from reticent_bench.audits.planning import Plan, PlanningTarget
from reticent_bench.audits.rounds import GatheredTarget
from reticent_bench.audits.target import GREEDY, Prompt, Sampling, TokenScores


class Timed:
    """A target that takes 1 second for a batch, 0.1 for each new token of it, and 2 for a text to score."""

    name, scores_text = "timed", True

    def __init__(self, most_tokens: int = 1000) -> None:
        self.now, self.asked, self._most = 0.0, list[tuple[int, int]](), most_tokens
        self.scored = list[int]()

    def generate(self, prompts: Sequence[Prompt], max_new_tokens: int, sampling: Sampling = GREEDY) -> list[str]:
        self.asked.append((len(prompts), max_new_tokens))
        self.now += 1 + 0.1 * min(max_new_tokens, self._most)
        return [""] * len(prompts)

    def scores(self, pairs: Sequence[tuple[Prompt, str]]) -> list[TokenScores]:
        self.now += 2.0 * len(pairs)
        self.scored.append(len(pairs))
        return [TokenScores((), *[np.zeros(0)] * 3) for _ in pairs]


@pytest.fixture
def timed(monkeypatch: pytest.MonkeyPatch) -> Timed:
    target = Timed()
    monkeypatch.setattr(estimate.time, "perf_counter", lambda: target.now)
    return target


def planned(target: Any, lengths: Sequence[int], prompt: str = "Hello") -> Plan:
    """A plan of as many attempts of one answer as there are lengths."""
    plan = Plan()
    asked = GatheredTarget(PlanningTarget(target, plan, len))
    plan.attempts(
        [(str(n), lambda n=n: {"n": len(asked.generate([prompt], lengths[n]))}) for n in range(len(lengths))]  # type: ignore[misc]
    )
    return plan


def test_batches_cost_their_time_and_not_that_of_single_questions(timed: Timed) -> None:
    seconds = estimate_seconds(planned(timed, [60] * 240))
    assert timed.asked == [(1, 1), (24, 10), (24, 2)]
    assert seconds == pytest.approx(10 * (1 + 0.1 * 60))
    one_by_one = planned(timed, [60])
    for _ in range(9):
        GatheredTarget(PlanningTarget(timed, one_by_one, len)).generate(["Hello"], 60)
    assert estimate_seconds(one_by_one) == pytest.approx(10 * (1 + 0.1 * 60))


def test_each_length_of_answers_is_measured(timed: Timed) -> None:
    assert estimate_seconds(planned(timed, [*[2] * 24, *[5] * 24, *[300] * 24])) == pytest.approx(1.2 + 1.5 + 31.0)
    assert timed.asked == [(1, 1), (24, 2), (24, 5), (24, 10), (24, 2)]


def test_long_prompts_and_servers_are_measured_by_fewer_of_them(timed: Timed) -> None:
    estimate_seconds(planned(timed, [60] * 48, "x" * 3072))
    assert timed.asked == [(1, 1), (2, 10), (2, 2)]
    timed.asked.clear()
    timed.at_once = 4  # type: ignore[attr-defined]
    estimate_seconds(planned(timed, [60] * 48))
    assert timed.asked == [(1, 1), (8, 10), (8, 2)]


def test_long_prompts_with_short_answers_are_read_once(timed: Timed) -> None:
    estimate_seconds(planned(timed, [8] * 48, "x" * 6144))
    assert timed.asked == [(1, 1), (1, 8)]


def test_texts_to_score_are_counted_and_a_plan_of_nothing_takes_no_time(timed: Timed) -> None:
    assert estimate_seconds(planned(timed, [])) == 0
    plan = Plan()
    asked = PlanningTarget(timed, plan, len)
    for number in range(50):
        asked.scores([("", f"text {number}"), ("", "another")])
    asked.scores([("x" * 5000, "a"), ("x" * 5000, "b"), ("y" * 5000, "c")])
    assert [(shape.texts, len(shape.pairs)) for shape in plan.scored.values()] == [(100, 2), (3, 3)]
    assert estimate_seconds(plan) == pytest.approx(206)
    # The third text has another prompt, which no longer fits.
    assert timed.scored == [2, 2]
