"""Answers the queries of the judge about one value, by the model, the detector and the base."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from reticent.core.judge import BaseQuery, OtherPeopleQuery, PrecedingText, Query, Reply, ScoreQuery
from reticent.huggingface.batch_scoring import BaseScoreRequest, ScoreRequest, ScoreResult, ScoringSteps, StateSource
from reticent.huggingface.model_call_context import ModelCallContext
from reticent.observability.observers import TimedStage, WireStage
from reticent_detectors.errors import CaptureError
from reticent_detectors.features.cue import PromptIndex

if TYPE_CHECKING:
    from reticent_detectors.capture.base_model import BaseReader


class SpanReading(NamedTuple):
    """Holds the ids of a value, and what the model read before them.

    Args:
        prompt: ids of the prompt. If `is_masked`, they lack the list of candidates from which the value was chosen.
        earlier: ids of the answer before the value.
        before: ids of both, in order.
        ids: ids of the value.
        states: gives the states of its tokens, of the running answer or of a pass without the list.
        positions, row: the value's position among these states.
        is_masked: whether the prompt was read without a list.
        is_aligned: whether the model's cache holds the ids before the value from its first column on.
    """

    prompt: Sequence[int]
    earlier: Sequence[int]
    before: Sequence[int]
    ids: Sequence[int]
    states: StateSource | None
    positions: range
    row: int
    is_masked: bool
    is_aligned: bool

    def __repr__(self) -> str:
        return f"SpanReading(<{len(self.ids)} tokens>)"


@dataclass
class SpanTimes:
    """Seconds that judging a value took.

    Attributes:
        stages: seconds by stage.
        away_seconds: seconds in which other sessions were judged.
    """

    stages: dict[str, float] = field(
        default_factory=lambda: dict.fromkeys((TimedStage.POLICY, TimedStage.LENS, TimedStage.DETECTOR), 0.0)
    )
    away_seconds: float = 0.0

    @contextmanager
    def stage(self, stage: TimedStage) -> Iterator[None]:
        """Adds the seconds of the block to a stage."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.stages[stage] += time.perf_counter() - started


class SpanQueries:
    """Answers queries about one value.

    Args:
        call: what the answers of the call share.
        entity: the kind of the value.
        reading: ids and states of the value.
        prompt: gives the index of the whole prompt.
        times: takes the seconds.
        note_failure: counts a failure of a stage.
    """

    def __init__(
        self,
        call: ModelCallContext,
        entity: str,
        reading: SpanReading,
        prompt: Callable[[], PromptIndex],
        times: SpanTimes,
        note_failure: Callable[[str, BaseException], None],
    ) -> None:
        self._call, self._entity, self.reading, self._prompt = call, entity, reading, prompt
        self.times, self._note_failure = times, note_failure
        self.base: Sequence[float] = ()
        """Log-probabilities of the value's tokens under the base, in nats. Empty if it was not asked."""

    def __repr__(self) -> str:
        return f"SpanQueries({self._entity}, {self.reading!r})"

    def reply(self, query: Query) -> ScoringSteps[Reply]:
        """Answers a query of the judge. Raises CaptureError if the detector cannot score."""
        if isinstance(query, ScoreQuery):
            return Reply(probability=(yield from self._score(query)))
        if isinstance(query, BaseQuery):
            self.base = yield from self._score_by_base()
            return Reply(base=self.base)
        if isinstance(query, OtherPeopleQuery):
            return Reply(others=(yield from self._score_others()))
        with self.times.stage(TimedStage.POLICY):
            decode = self._call.model.tokenizer.decode
            masked = (
                PromptIndex(decode(self.reading.prompt, skip_special_tokens=True)) if self.reading.is_masked else None
            )
            answer = decode(self.reading.earlier, skip_special_tokens=True)
            return Reply(text=PrecedingText(self._prompt() if masked is None else masked, answer))

    def _score(self, query: ScoreQuery) -> ScoringSteps[float]:
        """Requests the detector's probability. Raises CaptureError if there is none."""
        reading = self.reading
        if reading.states is None:
            raise CaptureError("A span was judged before any state was recorded.")
        beginning = reading.states.beginning(reading.row) if reading.is_aligned else None
        request = ScoreRequest(
            reading.states,
            reading.positions,
            reading.row,
            self._entity,
            reading.before,
            beginning,
            query.second_looks,
            query.base,
        )
        result = yield from self._request_score(request)
        if result.probability is None:
            raise CaptureError(f"The span was not scored ({result.error}).")
        return result.probability

    def _request_score(self, request: ScoreRequest | BaseScoreRequest) -> ScoringSteps[ScoreResult]:
        """Yields a request, and counts only its own share of the time until the result."""
        started = time.perf_counter()
        try:
            result = yield request
        finally:
            self.times.away_seconds += time.perf_counter() - started
        for stage, seconds in result.seconds.items():
            self.times.stages[stage] += seconds
            self.times.away_seconds -= seconds
        return result

    def _score_by_base(self) -> ScoringSteps[Sequence[float]]:
        """Requests log-probabilities under the base. Returns none and counts a failure if it cannot be read.

        Where the model is its own base, its own pass already gives them.
        """
        base = self._call.base
        if base is None:
            return ()
        if base.is_host and not self.reading.is_masked and self.reading.states is not None:
            with self.times.stage(TimedStage.LENS):
                try:
                    (states,) = self.reading.states.spans([(self.reading.positions, self.reading.row)])
                    return states.log_probabilities
                except CaptureError as error:
                    self._note_failure(WireStage.BASE, error)
                    return ()
        return (yield from self._read_by(base, self.reading.before, self.reading.ids))

    def _score_others(self) -> ScoringSteps[Sequence[Sequence[float]] | None]:
        """Requests log-probabilities under the base with other people's names. Gives None if it cannot be read."""
        base = self._call.base_model
        if base is None:
            return None
        try:
            with self.times.stage(TimedStage.LENS):
                texts = self._call.model.rename(self.reading.before, len(self.reading.ids))
        except Exception as error:
            self._note_failure(WireStage.BASE, error)
            return None
        others = list[Sequence[float]]()
        for text in texts:
            # A separate reader, because the call's reader continues from the original text.
            other = yield from self._read_by(base.open(), text, self.reading.ids)
            if not other:
                return None
            others.append(other)
        return others

    def _read_by(self, base: BaseReader, before: Sequence[int], ids: Sequence[int]) -> ScoringSteps[Sequence[float]]:
        """Requests log-probabilities of ids behind others.

        If the base cannot be read, counts a failure and gives none.
        """
        result = yield from self._request_score(BaseScoreRequest(base, before, ids))
        if result.error is not None:
            self._note_failure(WireStage.BASE, CaptureError(f"The base was not asked ({result.error})."))
        return result.base
