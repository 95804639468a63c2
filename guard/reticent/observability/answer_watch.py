"""Defines what a watched answer reports of its values: decisions, times and log-probabilities, and no text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from reticent.core.stream_types import OffsetMapping, SpanRecord
from reticent.observability.observers import Observation


@dataclass(frozen=True, slots=True)
class SpanMeasurement:
    """Holds what was measured of a value that was judged, in numbers alone.

    Attributes:
        entity: its kind.
        start, end: its characters in the model's answer, as in `SpanRecord`.
        stage_seconds: time that judging it took, by stage.
        log_probabilities: of its T tokens, in nats. Empty if they were not read.
        base: log-probabilities of the same tokens under the base, in nats. Empty without a base.
        layers: log-probabilities of its tokens by the lens, [T][L] in nats. Empty if the detector reads no layers.
    """

    entity: str
    start: int
    end: int
    stage_seconds: Mapping[str, float]
    log_probabilities: Sequence[float] = ()
    base: Sequence[float] = ()
    layers: Sequence[Sequence[float]] = field(default=())


class AnswerWatch(Protocol):
    """Follows one answer of a model in this process. It is called from the model's thread until the answer is over.

    Attributes:
        base: name of the base to ask, of those that the model has.
    """

    base: str

    def on_span(self, measurement: SpanMeasurement) -> None:
        """Takes what was measured of a value, before its text is released or replaced."""
        ...

    def on_release(self, mappings: Sequence[OffsetMapping], records: Sequence[SpanRecord]) -> None:
        """Takes what leaves now, behind what left before, and the values that were decided since.

        Offsets are those of the model's whole answer.
        """
        ...

    def new_spans(self, shown: int) -> list[dict[str, object]]:
        """Gives the values that were shown since the last call, in plain types.

        Args:
            shown: characters of the released text that the client has so far.
        """
        ...

    def on_answer(self, observation: Observation) -> None:
        """Takes the observation of the finished answer."""
        ...

    def details(self, shown: int) -> dict[str, object]:
        """Gives what is sent behind an answer of so many characters, in plain types."""
        ...
