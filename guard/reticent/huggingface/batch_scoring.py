"""Spans of several answers at a time: what all rows of a step wait for is scored in one batch."""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from reticent.core.failure_log import described
from reticent.observability.observers import TimedStage
from reticent_detectors.errors import InputError
from reticent_detectors.scoring.state_scorer import ReadSpan

if TYPE_CHECKING:
    from reticent_detectors.capture import SpanStates
    from reticent_detectors.capture.base_model import BaseReader
    from reticent_detectors.capture.beginning import Beginning
    from reticent_detectors.scoring.state_scorer import LookBudget, StateScorer

_T = TypeVar("_T")


class States(Protocol):
    """Where a run finds the states of its tokens: a ring while generating, a reading afterwards."""

    waited: float
    """Seconds in which the host was being compiled: the guard waits for nothing then, so the bound on what is held does not count them."""

    def spans(self, wanted: Sequence[tuple[Sequence[int], int]]) -> list[SpanStates]:
        """States at predictive positions of a row, for several spans."""
        ...

    def beginning(self, row: int) -> Beginning | None:
        """What the host has read of a row, in columns from 0 on; None where nothing is kept."""
        ...


class Asked(NamedTuple):
    """A span of which a run wants to know what the detector says."""

    states: States
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
        return f"Asked({self.entity}, <{len(self.positions)} tokens>)"


class BaseAsked(NamedTuple):
    """A value of which a run wants to know how likely the base finds it."""

    reader: BaseReader
    before: Sequence[int]
    """Ids of all that stands before the value."""
    value: Sequence[int]

    def __repr__(self) -> str:
        return f"BaseAsked(<{len(self.value)} tokens>)"


@dataclass(frozen=True, slots=True)
class Told:
    """The probability of a span, or why there is none; `seconds`, by stage, are its share of what the batch took."""

    probability: float | None
    error: str | None = None
    """In words: the error itself would hold the states, by the frames that it came through."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    base: Sequence[float] = field(default=(), repr=False)
    """The base's log-probabilities of the value's tokens, where it was asked."""


Asking = Generator[Asked | BaseAsked, Told, _T]


def in_rounds(steps: Sequence[Asking[_T]], score: StateScorer) -> list[_T]:
    """Carries all steps to their end, and returns what they return. What they ask for at the same time is scored together.

    If one raises, so does this, and the others are closed: their machines stand where they asked.
    """
    done: dict[int, _T] = {}
    told: dict[int, Told | None] = dict.fromkeys(range(len(steps)))
    try:
        while told:
            asked: dict[int, Asked | BaseAsked] = {}
            for number, answer in told.items():
                try:
                    asked[number] = next(steps[number]) if answer is None else steps[number].send(answer)
                except StopIteration as end:
                    done[number] = end.value
            spans = {number: one for number, one in asked.items() if isinstance(one, Asked)}
            values = {number: one for number, one in asked.items() if isinstance(one, BaseAsked)}
            told = dict(zip(spans, _score(list(spans.values()), score), strict=True)) if spans else {}
            told |= zip(values, _ask_base(list(values.values())), strict=True)
    finally:
        for step in steps:
            step.close()
    return [done[number] for number in range(len(steps))]


def _score(asked: Sequence[Asked], score: StateScorer, lost: Mapping[str, float] | None = None) -> list[Told]:
    """What the detector says of each. What it cannot be asked of one span stops no other: they are asked in halves then.

    `lost`: the seconds of batches that failed before, by stage.
    """
    spent: dict[str, float] = {TimedStage.LENS: 0.0, TimedStage.DETECTOR: 0.0} if lost is None else dict(lost)
    try:
        probabilities = score(_read(asked, spent), spent)
        if len(probabilities) != len(asked):
            raise InputError(f"Expected a probability for each of {len(asked)} spans, got {len(probabilities)}.")
        share = _share(spent, 1, len(asked))
        return [Told(probability, seconds=share) for probability in probabilities]
    except Exception as error:
        if len(asked) == 1:
            return [Told(None, described(error), spent)]
    # Not in the handler, which holds what the batch took of the memory.
    middle = len(asked) // 2
    halves = asked[:middle], asked[middle:]
    return [told for half in halves for told in _score(half, score, _share(spent, len(half), len(asked)))]


def _ask_base(asked: Sequence[BaseAsked]) -> list[Told]:
    """What the base finds of each value, those of one call in one pass; where that fails, one by one."""
    told: dict[int, Told] = {}
    of_reader: dict[int, list[int]] = {}
    for number, one in enumerate(asked):
        of_reader.setdefault(id(one.reader), []).append(number)
    for numbers in of_reader.values():
        told |= zip(numbers, _read_base([asked[number] for number in numbers]), strict=True)
    return [told[number] for number in range(len(asked))]


def _read_base(asked: Sequence[BaseAsked]) -> list[Told]:
    started = time.perf_counter()
    try:
        found = asked[0].reader.log_probabilities([(one.before, one.value) for one in asked])
        share: dict[str, float] = {TimedStage.LENS: (time.perf_counter() - started) / len(asked)}
        return [Told(None, seconds=share, base=each.tolist()) for each in found]
    except Exception as error:
        if len(asked) == 1:
            return [Told(None, described(error), {TimedStage.LENS: time.perf_counter() - started})]
    return [told for one in asked for told in _read_base([one])]


def _share(spent: Mapping[str, float], part: int, whole: int) -> dict[str, float]:
    return {stage: seconds * part / whole for stage, seconds in spent.items()}


def _read(asked: Sequence[Asked], spent: dict[str, float]) -> list[ReadSpan]:
    started = time.perf_counter()
    try:
        of_source: dict[int, list[int]] = {}
        for number, one in enumerate(asked):
            of_source.setdefault(id(one.states), []).append(number)
        read: dict[int, SpanStates] = {}
        for numbers in of_source.values():
            wanted = [(asked[number].positions, asked[number].row) for number in numbers]
            read |= zip(numbers, asked[numbers[0]].states.spans(wanted), strict=True)
        return [
            ReadSpan(read[number], one.entity, one.before, one.beginning, one.budget, one.base)
            for number, one in enumerate(asked)
        ]
    finally:
        spent[TimedStage.LENS] += time.perf_counter() - started
