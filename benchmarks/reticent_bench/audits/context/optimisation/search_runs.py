"""The runs that a query is searched for on, and how well a query does there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from reticent_bench.audits.context import canary_runs
from reticent_bench.audits.context.attacks import Route, answer_score
from reticent_bench.audits.context.canaries import Canary
from reticent_bench.audits.context.canary_runs import Run
from reticent_bench.audits.context.prompts import Query
from reticent_bench.audits.context.questions import Attack, Questions
from reticent_bench.audits.context.settings import Settings
from reticent_bench.audits.resumable_attempts import Ask, Outcome
from reticent_bench.report.metrics import auroc
from reticent_detectors.errors import ReticentError

_SEARCH = 8


class CallsSpent(ReticentError):
    """The search has no calls left. It ends with what it found."""


class DetectionScore(NamedTuple):
    """How well scores of answers tell the two sorts of search runs apart: AUROC, or 1 minus it where that is more.

    Scores are compared by answers first; log-probabilities decide between queries whose answers do as well.

    Attributes:
        answer: by the answers alone; 0.5 tells nothing, 1 everything.
        log_probabilities: by the log-probabilities of the labels; 0.5 where the target scores no text.
    """

    answer: float
    log_probabilities: float


def search_runs(settings: Settings, runs: int) -> tuple[Run, ...]:
    """Balanced runs whose contexts no threshold and no accuracy is taken from."""
    first = 2 * max(settings.runs, settings.ensemble_contexts)
    rng = np.random.default_rng([settings.seed, _SEARCH])
    return canary_runs.halves(runs, max(1, runs // 2), settings.context_size, rng, first)


class Search:
    """Asks queries on the search runs and counts what that costs.

    A question that was asked before costs nothing. One whose answer an earlier run kept counts as it did then, so a
    continued search goes the same way.

    Args:
        questions: to the column that is searched.
        canary: in the examples and in each query.
        runs: how many search runs.
        calls: of all questions and proposals, at most.
    """

    def __init__(self, questions: Questions, canary: Canary, runs: int, calls: int) -> None:
        # L3 would ask its judge about each answer.
        alone = replace(questions.settings, defences=("none",))
        self._questions = Questions(questions.column, questions.task, alone, questions.attempt)
        self.task, self.canary, self.calls_left = questions.task, canary, calls
        self.runs = search_runs(questions.settings, runs)
        self.scores: dict[Query, DetectionScore] = {}
        self._known: dict[tuple[Query, int], Outcome] = {}

    def __repr__(self) -> str:
        return f"Search({len(self.scores)} queries, {self.calls_left} calls left)"

    @property
    def tried(self) -> int:
        """Different queries that were asked in at least one run."""
        return len({query for query, _ in self._known})

    def asked_everywhere(self) -> list[Query]:
        """The queries that were asked in all search runs."""
        asked = Counter(query for query, _ in self._known)
        return [query for query, count in asked.items() if count == len(self.runs)]

    @property
    def is_perfect(self) -> bool:
        """Whether the answers to a query tell all search runs apart."""
        return any(self.score(query).answer == 1.0 for query in self.asked_everywhere())

    def spend(self) -> None:
        """Counts a call.

        Raises:
            CallsSpent: there is none left.
        """
        if self.calls_left < 1:
            raise CallsSpent("The calls of the search are spent; raise --optimise-calls.")
        self.calls_left -= 1

    def outcome(self, query: Query, number: int) -> Outcome:
        """What came of a query in a search run.

        Raises:
            CallsSpent: it was not asked before, and there is no call left.
        """
        key = (query, number)
        if key not in self._known:
            self.spend()
            self._known[key] = self._questions.whole(Attack(self.canary, query), self.runs[number], "none")
        return self._known[key]

    def kept(self, key: str, ask: Ask) -> Outcome:
        """Spends a call on something else, such as a proposal. Its outcome is kept like an answer's.

        Raises:
            CallsSpent: there is no call left.
        """
        self.spend()
        return self._questions.kept(key, ask)

    def score(self, query: Query) -> DetectionScore:
        """The score of a query on all search runs.

        Raises:
            CallsSpent: there are too few calls for a query that was not asked before. None of them is made.
        """
        if query not in self.scores:
            missing = sum((query, number) not in self._known for number in range(len(self.runs)))
            if missing > self.calls_left:
                raise CallsSpent("The calls of the search are spent; raise --optimise-calls.")
            left = [run for number, run in enumerate(self.runs) if (query, number) not in self._known]
            attack = Attack(self.canary, query)
            self._questions.ask_all([self._questions.whole_task(attack, run, "none") for run in left])
            outcomes = [self.outcome(query, number) for number in range(len(self.runs))]
            scored = "log_probs" in outcomes[0]
            self.scores[query] = DetectionScore(
                self._folded(outcomes, "answer"), self._folded(outcomes, "log-probabilities") if scored else 0.5
            )
        return self.scores[query]

    def is_right(self, query: Query, number: int) -> bool:
        """Whether the answer says what it should: the canary's label or text if and only if the canary is there."""
        score = answer_score(self.outcome(query, number), self.task, "none", "answer")
        return (score > (0.0 if self.task.labels else 0.5)) == self.runs[number].present

    def _folded(self, outcomes: Sequence[Outcome], route: Route) -> float:
        scores = [answer_score(outcome, self.task, "none", route) for outcome in outcomes]
        area = auroc(np.array(scores, dtype=np.float64), canary_runs.is_present(self.runs))
        return max(area, 1.0 - area)
