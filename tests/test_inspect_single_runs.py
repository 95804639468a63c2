"""The context audit's runs one at a time, as inspect-ai's epochs ask them. inspect-ai is not needed here."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reticent_bench.audits.context import tasks
from reticent_bench.audits.context.audit import make_canaries
from reticent_bench.audits.context.questions import Attack
from reticent_bench.audits.context.settings import Settings
from reticent_bench.audits.target import GREEDY, Prompt, Sampling, TokenScores
from reticent_bench.inspect_tasks.single_runs import SingleRuns

SETTINGS = Settings(canaries=("hexadecimal",), context_size=6, subsets=2, calibration_runs=4, defences=("none",))
EPOCHS = range(1, 61)


class Scripted:
    """Says the rare label where the canary is among the examples, or always the frequent one, or the reverse."""

    name, scores_text = "scripted", False

    def __init__(self, canary: str, there: str, missing: str) -> None:
        self.canary, self.there, self.missing, self.asked = canary, there, missing, 0

    def generate(self, prompts: Sequence[Prompt], max_new_tokens: int, sampling: Sampling = GREEDY) -> list[str]:
        self.asked += len(prompts)
        return [self.there if self.canary in prompt[0].content else self.missing for prompt in prompts]  # type: ignore[union-attr]

    def scores(self, pairs: Sequence[tuple[Prompt, str]]) -> list[TokenScores]:
        raise AssertionError("inspect scores no text")


def single_runs() -> SingleRuns:
    task = tasks.made_up(24, 0).task
    canary = make_canaries(task, SETTINGS)["hexadecimal"]
    return SingleRuns(task, SETTINGS, Attack(canary, "if-then-explicit"), "none")


def target(one: SingleRuns, leaks: bool, swapped: bool = False) -> Scripted:
    rare, frequent = one.task.labels[one.task.rare], one.task.labels[one.task.frequent]
    labels = (frequent, rare) if swapped else (rare if leaks else frequent, frequent)
    return Scripted(one.attack.canary.text, *labels)


def test_a_leaker_is_always_guessed_rightly_even_if_it_swaps_its_labels() -> None:
    for swapped in (False, True):
        one = single_runs()
        says = target(one, True, swapped)
        outcomes = [one.ask(says, "m", epoch) for epoch in EPOCHS]
        assert all(outcome["right"] for outcome in outcomes)
        assert sum(outcome["present"] for outcome in outcomes) == len(EPOCHS) // 2
        assert says.asked == len(EPOCHS) + SETTINGS.calibration_runs


def test_a_deaf_model_is_always_guessed_absent() -> None:
    one = single_runs()
    outcomes = [one.ask(target(one, False), "m", epoch) for epoch in EPOCHS]
    assert not any(outcome["guessed"] for outcome in outcomes)
    assert all(outcome["right"] != outcome["present"] for outcome in outcomes)


def test_each_model_is_calibrated_once() -> None:
    one = single_runs()
    first, second = target(one, True), target(one, True, swapped=True)
    assert one.ask(first, "a", 1)["right"] and one.ask(second, "b", 1)["right"] and one.ask(first, "a", 2)["right"]
    assert (first.asked, second.asked) == (SETTINGS.calibration_runs + 2, SETTINGS.calibration_runs + 1)


def test_epochs_have_contexts_and_positions_of_their_own() -> None:
    runs = [single_runs().run_of(epoch) for epoch in EPOCHS]
    assert runs == [single_runs().run_of(epoch) for epoch in EPOCHS]
    assert [run.context for run in runs] == list(range(60))
    assert len(np.unique([run.position for run in runs])) == SETTINGS.context_size
