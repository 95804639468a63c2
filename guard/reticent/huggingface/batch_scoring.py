"""Spans of several answers at a time: what all rows of a step wait for is scored in one batch."""

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
    """Where a run finds the states of its tokens: a ring while generating, a reading afterwards."""

    compile_seconds: float
    """Seconds in which the host was being compiled: the guard waits for nothing then, so the bound on what is held does not count them."""

    def spans(self, wanted: Sequence[tuple[Sequence[int], int]]) -> list[SpanStates]:
        """States at predictive positions of a row, for several spans."""
        ...

    def beginning(self, row: int) -> Beginning | None:
        """What the host has read of a row, in columns from 0 on; None where nothing is kept."""
        ...


class ScoreRequest(NamedTuple):
    """A span of which a run wants to know what the detector says."""

    states: StateSource
    positions: Sequence[int]
    row: int
    entity: str
    before: Sequence[int]
    """Ids of all that stands before the span."""
    beginning: Beginning | None = None
    """What the host has read of these ids."""
    budget: LookBudget | None = None
    """What a second look may cost."""
    base: Sequence[float] = ()
    """The base's log-probabilities of the span's tokens, if it was asked."""

    def __repr__(self) -> str:
        return f"ScoreRequest({self.entity}, <{len(self.positions)} tokens>)"


class BaseScoreRequest(NamedTuple):
    """A value of which a run wants to know how likely the base finds it."""

    reader: BaseReader
    before: Sequence[int]
    """Ids of all that stands before the value."""
    value: Sequence[int]

    def __repr__(self) -> str:
        return f"BaseScoreRequest(<{len(self.value)} tokens>)"


@dataclass(frozen=True, slots=True)
class ScoreResult:
    """The probability of a span, or why there is none; `seconds`, by stage, are its share of what the batch took."""

    probability: float | None
    error: str | None = None
    """In words: the error itself would hold the states, by the frames that it came through."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    base: Sequence[float] = field(default=(), repr=False)
    """The base's log-probabilities of the value's tokens, where it was asked."""


ScoringSteps = Generator[ScoreRequest | BaseScoreRequest, ScoreResult, _T]


def run_batched(steps: Sequence[ScoringSteps[_T]], score: StateScorer) -> list[_T]:
    """Carries all steps to their end, and returns what they return. What they ask for at the same time is scored together.

    If one raises, so does this, and the others are closed: their machines stand where they asked.
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
    """What the detector says of each. What it cannot be asked of one span stops no other: they are asked in halves then.

    `spent_before`: the seconds of batches that failed before, by stage.
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
    # Not in the handler, which holds what the batch took of the memory.
    middle = len(requests) // 2
    halves = requests[:middle], requests[middle:]
    return [result for half in halves for result in _score(half, score, _share(spent, len(half), len(requests)))]


def _score_by_base(requests: Sequence[BaseScoreRequest]) -> list[ScoreResult]:
    """What the base finds of each value, those of one call in one pass; where that fails, one by one."""
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
