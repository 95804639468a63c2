"""Scores the spans of all rows of a generation step in one batch."""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from reticent.core.failure_log import describe_error
from reticent.observability.observers import TimedStage
from reticent_detectors.errors import InputError
from reticent_detectors.scoring.state_scorer import ReadSpan

if TYPE_CHECKING:
    from reticent_detectors.capture import SpanStates
    from reticent_detectors.capture.base_model import BaseReader
    from reticent_detectors.capture.beginning import Beginning
    from reticent_detectors.scoring.state_scorer import LookBudget, StateScorer

_T = TypeVar("_T")


class StateSource(Protocol):
    """Gives a session the states of its tokens: a ring while generating, a reading afterwards."""

    compile_seconds: float
    """Seconds that compiling the model took. The bound on held seconds does not count them."""

    def spans(self, wanted: Sequence[tuple[Sequence[int], int]]) -> list[SpanStates]:
        """Gives the states at predictive positions of a row, for several spans."""
        ...

    def beginning(self, row: int) -> Beginning | None:
        """Gives what the model has read of a row, in columns from 0 on; None where nothing is kept."""
        ...


class ScoreRequest(NamedTuple):
    """Asks for the detector's probability of a span."""

    states: StateSource
    positions: Sequence[int]
    row: int
    entity: str
    before: Sequence[int]
    """Ids before the span: prompt and answer."""
    beginning: Beginning | None = None
    """Holds what the model has read of these ids."""
    budget: LookBudget | None = None
    """Limits the cost of a second look."""
    base: Sequence[float] = ()
    """Log-probabilities of the span's tokens under the base, in nats. Empty if the base was not asked."""

    def __repr__(self) -> str:
        return f"ScoreRequest({self.entity}, <{len(self.positions)} tokens>)"


class BaseScoreRequest(NamedTuple):
    """Asks for the log-probabilities of a value under the base."""

    reader: BaseReader
    before: Sequence[int]
    """Ids before the value: prompt and answer."""
    value: Sequence[int]

    def __repr__(self) -> str:
        return f"BaseScoreRequest(<{len(self.value)} tokens>)"


@dataclass(frozen=True, slots=True)
class ScoreResult:
    """Holds the probability of a span, or why there is none. `seconds` is its share of the batch's time, by stage."""

    probability: float | None
    error: str | None = None
    """Describes the error, which itself would keep the states alive through its traceback."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    base: Sequence[float] = field(default=(), repr=False)
    """Log-probabilities of the value's tokens under the base, in nats, where it was asked."""


ScoringSteps = Generator[ScoreRequest | BaseScoreRequest, ScoreResult, _T]


def run_batched(steps: Sequence[ScoringSteps[_T]], score: StateScorer) -> list[_T]:
    """Runs all steps to their end and returns their results. Requests of the same round are scored in one batch.

    If one raises, this raises too, and closes the others where they are.
    """
    done: dict[int, _T] = {}
    results: dict[int, ScoreResult | None] = dict.fromkeys(range(len(steps)))
    try:
        while results:
            requests: dict[int, ScoreRequest | BaseScoreRequest] = {}
            for number, result in results.items():
                try:
                    requests[number] = next(steps[number]) if result is None else steps[number].send(result)
                except StopIteration as end:
                    done[number] = end.value
            spans = {number: request for number, request in requests.items() if isinstance(request, ScoreRequest)}
            values = {number: request for number, request in requests.items() if isinstance(request, BaseScoreRequest)}
            results = dict(zip(spans, _score(list(spans.values()), score), strict=True)) if spans else {}
            results |= zip(values, _score_by_base(list(values.values())), strict=True)
    finally:
        for step in steps:
            step.close()
    return [done[number] for number in range(len(steps))]


def _score(
    requests: Sequence[ScoreRequest], score: StateScorer, spent_before: Mapping[str, float] | None = None
) -> list[ScoreResult]:
    """Scores each request. If a batch fails, scores its halves, so that one bad span stops no other.

    `spent_before`: seconds of the batches that failed before, by stage.
    """
    spent: dict[str, float] = (
        {TimedStage.LENS: 0.0, TimedStage.DETECTOR: 0.0} if spent_before is None else dict(spent_before)
    )
    try:
        probabilities = score(_read(requests, spent), spent)
        if len(probabilities) != len(requests):
            raise InputError(f"Expected a probability for each of {len(requests)} spans, got {len(probabilities)}.")
        share = _share(spent, 1, len(requests))
        return [ScoreResult(probability, seconds=share) for probability in probabilities]
    except Exception as error:
        if len(requests) == 1:
            return [ScoreResult(None, describe_error(error), spent)]
    # Outside the handler, whose traceback keeps the memory of the batch.
    middle = len(requests) // 2
    halves = requests[:middle], requests[middle:]
    return [result for half in halves for result in _score(half, score, _share(spent, len(half), len(requests)))]


def _score_by_base(requests: Sequence[BaseScoreRequest]) -> list[ScoreResult]:
    """Reads each value under the base: those of one call in one pass, or one by one where that fails."""
    results: dict[int, ScoreResult] = {}
    by_reader: dict[int, list[int]] = {}
    for number, request in enumerate(requests):
        by_reader.setdefault(id(request.reader), []).append(number)
    for numbers in by_reader.values():
        results |= zip(numbers, _read_base([requests[number] for number in numbers]), strict=True)
    return [results[number] for number in range(len(requests))]


def _read_base(requests: Sequence[BaseScoreRequest]) -> list[ScoreResult]:
    started = time.perf_counter()
    try:
        found = requests[0].reader.log_probabilities([(request.before, request.value) for request in requests])
        share: dict[str, float] = {TimedStage.LENS: (time.perf_counter() - started) / len(requests)}
        return [ScoreResult(None, seconds=share, base=each.tolist()) for each in found]
    except Exception as error:
        if len(requests) == 1:
            return [ScoreResult(None, describe_error(error), {TimedStage.LENS: time.perf_counter() - started})]
    return [result for request in requests for result in _read_base([request])]


def _share(spent: Mapping[str, float], part: int, count: int) -> dict[str, float]:
    return {stage: seconds * part / count for stage, seconds in spent.items()}


def _read(requests: Sequence[ScoreRequest], spent: dict[str, float]) -> list[ReadSpan]:
    started = time.perf_counter()
    try:
        by_source: dict[int, list[int]] = {}
        for number, request in enumerate(requests):
            by_source.setdefault(id(request.states), []).append(number)
        states: dict[int, SpanStates] = {}
        for numbers in by_source.values():
            wanted = [(requests[number].positions, requests[number].row) for number in numbers]
            states |= zip(numbers, requests[numbers[0]].states.spans(wanted), strict=True)
        return [
            ReadSpan(states[number], request.entity, request.before, request.beginning, request.budget, request.base)
            for number, request in enumerate(requests)
        ]
    finally:
        spent[TimedStage.LENS] += time.perf_counter() - started
