"""Collects what the page shows of an answer: for each span offsets, lengths, numbers, fixed words, never its text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import Any

from reticent.core.stream_types import OffsetMapping, SpanRecord
from reticent.observability.answer_watch import SpanMeasurement
from reticent.observability.decision_log import decision_rows
from reticent.observability.decision_sentences import ACTIONS, sentences
from reticent.observability.observers import Observation
from reticent.policy.verdict import Action

_SHOWN = (
    "id", "entity", "origin", "action", "reason", "would", "tier", "probability", "threshold", "cue", "base", "chars",
    "fragment", "held_chars", "held_tokens",
)  # fmt: skip
"""Fields of the decision log that the page gets. None of them can hold a text of the answer."""
_NANO = 1e-9
_UNGUARDED = "Here every value passes, so that both answers can be compared."


class AnswerDetails:
    """Follows one answer, and gives its details when it is over. It is an `AnswerWatch`.

    Args:
        base: name of the base to ask.
        reads_layers: whether the detector reads layers below the last.
        guards: whether the answer is guarded. In the unguarded half every value passes.
    """

    def __init__(self, base: str, reads_layers: bool, guards: bool = True) -> None:
        self.base, self._reads_layers, self._guards = base, reads_layers, guards
        self._measured: dict[tuple[str, int, int], SpanMeasurement] = {}
        self._observation: Observation | None = None
        self._mappings: list[OffsetMapping] = []
        self._open: list[SpanRecord] = []

    def __repr__(self) -> str:
        return f"AnswerDetails({self.base!r}, {len(self._measured)} spans)"

    def on_span(self, measurement: SpanMeasurement) -> None:
        """Takes what was measured of a value."""
        self._measured[measurement.entity, measurement.start, measurement.end] = measurement

    def on_release(self, mappings: Sequence[OffsetMapping], records: Sequence[SpanRecord]) -> None:
        """Takes what leaves now, and the values that were decided since."""
        self._mappings += mappings
        self._open += records

    def new_spans(self, shown: int) -> list[dict[str, object]]:
        """Gives kind, origin, action and characters of the values that were shown since the last call."""
        spans, waiting = list[dict[str, object]](), list[SpanRecord]()
        released = self._mappings[-1].end if self._mappings else 0
        for each in self._open:
            at = shown_at(each.start, each.end, self._mappings)
            if at is None or each.end > released or at[1] > shown:
                waiting.append(each)
                continue
            origin, action = str(each.origin), str(each.action)
            spans.append({"entity": each.entity, "origin": origin, "action": action, "at": at})
        self._open = waiting
        return spans

    def on_answer(self, observation: Observation) -> None:
        """Takes the observation of the finished answer."""
        self._observation = observation

    def details(self, shown: int) -> dict[str, object]:
        """Gives the details of an answer of which so many characters are shown, in plain types."""
        observation = self._observation
        if observation is None:
            return {"spans": []}
        report = observation.report
        mappings = () if report.blocked else self._mappings  # a blocked answer shows another text
        return {
            "request": observation.request_id,
            "outcome": str(observation.outcome),
            "guard_ms": _milliseconds(observation.stage_seconds),
            "most_held_tokens": report.most_held_tokens,
            "failures": dict(report.failures),
            "reads_layers": self._reads_layers,
            "spans": [self._span(row, mappings, shown) for row in decision_rows(observation, "")],
        }

    def _span(self, row: Mapping[str, Any], mappings: Sequence[OffsetMapping], shown: int) -> dict[str, object]:
        measured = self._measured.get((row["entity"], row["start"], row["end"]))
        numbers: dict[str, object] = {"cost_ms": None, "tokens": [], "layers": []}
        if measured is not None:
            base: Sequence[float | None] = measured.base or [None] * len(measured.log_probabilities)
            numbers = {
                "cost_ms": _milliseconds(measured.stage_seconds),
                "tokens": [
                    [_number(own), _number(other)] for own, other in zip(measured.log_probabilities, base, strict=False)
                ],
                "layers": [[_number(each) for each in token] for token in measured.layers],
            }
        passed = ACTIONS[Action.ALLOW]
        says = [each if self._guards or not each.startswith(passed) else _UNGUARDED for each in sentences(row)]
        at = shown_at(row["start"], row["end"], mappings)
        at = None if at is None or at[1] > shown else at
        return {**{name: row[name] for name in _SHOWN}, "at": at, **numbers, "says": says}


def shown_at(start: int, end: int, mappings: Sequence[OffsetMapping]) -> list[int] | None:
    """Gives the characters of the released text that stand for `start` to `end` of the answer.

    None: nothing of it was released, and nothing in its place.
    """
    places = list(_places(start, end, mappings))
    return [places[0][0], places[-1][1]] if places else None


def _places(start: int, end: int, mappings: Sequence[OffsetMapping]) -> Iterator[tuple[int, int]]:
    released = 0
    for mapping in mappings:
        first, last = max(start, mapping.start), min(end, mapping.end)
        if first < last and mapping.length:
            if mapping.replaced:
                yield released, released + mapping.length
            else:
                yield released + first - mapping.start, released + last - mapping.start
        released += mapping.length


def _milliseconds(seconds: Mapping[str, float]) -> dict[str, float]:
    return {str(stage): round(1000 * max(each, 0.0), 3) for stage, each in seconds.items() if each > _NANO}


def _number(value: float | None) -> float | None:
    """Rounds a number for the page. None stays None, and so becomes what JSON cannot hold."""
    return None if value is None or not isfinite(value) else round(value, 3)
