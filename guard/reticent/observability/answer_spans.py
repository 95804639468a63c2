"""Gives each guarded answer an OpenTelemetry span, where the application has set a tracer provider.

The GenAI semantic conventions have no guardrail yet (1.44.0). Names follow the draft of
open-telemetry/semantic-conventions-genai#427 at its commit f5e3733: the operation `apply_guardrail`, the attributes
`gen_ai.guardrail.*`, and an event `gen_ai.guardrail.result` for each decision. The draft has such a span for remote
services alone; ours has its name and the kind `INTERNAL`. What it has no name for is `reticent.*`.

A span holds what an observation holds: counts, lengths, seconds, digests and random ids, and no text. Only a span that
is sampled is filled in. The further answers to one request are children of the first one's span, and so is what an
upstream does for them. A span's parent is the current span, or in a proxy else the one that the client names.

Nothing is imported here: whoever sets a provider has imported `opentelemetry.trace`. Without one nothing happens.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from math import isfinite
from typing import TYPE_CHECKING

from reticent._version import __version__
from reticent.observability.observers import Observation, Outcome

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.trace import Span, Tracer, TracerProvider
    from opentelemetry.util.types import AttributeValue

    from reticent.core.stream_types import SpanRecord

    Attributes = dict[str, AttributeValue]

Header = tuple[bytes, bytes]

OPERATION = "apply_guardrail"
COMPONENT = "Reticent"
NAME = f"{OPERATION} {COMPONENT}"
EVENT = "gen_ai.guardrail.result"
_PROVIDER = "reticent"
_HEADER = b"traceparent"
"""All that is taken and passed on of W3C trace context: ids. `tracestate` is free text."""
_AT_START: Mapping[str, str] = {
    "gen_ai.operation.name": OPERATION,
    "gen_ai.provider.name": _PROVIDER,
    "gen_ai.guardrail.component.name": COMPONENT,
    "gen_ai.guardrail.source": "output",
}
_OFF: ContextVar[bool] = ContextVar("reticent_spans_off", default=False)
_LOGGER = logging.getLogger(__name__)


class AnswerSpans:
    """Ends a span for each answer to one request. It is an observer, and lives as long as the request."""

    def __init__(self, tracer: Tracer) -> None:
        from opentelemetry import trace
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        self._tracer, self._began = tracer, time.time_ns()
        self._first: Span | None = tracer.start_span(NAME, attributes=_AT_START, start_time=self._began)
        self.recording = self._first.is_recording()
        """Whether the span is sampled."""
        self._context: Context = trace.set_span_in_context(self._first)
        named: dict[str, str] = {}
        TraceContextTextMapPropagator().inject(named, self._context)
        self._parent = named.get(_HEADER.decode())

    def __repr__(self) -> str:
        return f"AnswerSpans(recording={self.recording})"

    def on_answer(self, observation: Observation) -> None:
        """Ends the span of an answer: the one that is open, or one more from the request's beginning on."""
        span, self._first = self._first, None
        if span is None and not self.recording:
            return
        if span is None:
            span = self._tracer.start_span(NAME, self._context, attributes=_AT_START, start_time=self._began)
        try:
            if span.is_recording():
                _fill_in(span, observation)
        finally:
            span.end()

    def in_place_of(self, headers: list[Header]) -> list[Header]:
        """Gives a client's headers with the first answer's span in place of the client's, in `traceparent`."""
        if self._parent is None:
            return headers
        return [*(each for each in headers if each[0].lower() != _HEADER), (_HEADER, self._parent.encode())]


def open_spans(unsampled: bool = False) -> tuple[AnswerSpans, ...]:
    """Opens the span of a request that begins now. Gives its observer, or none where no tracer provider is set.

    It never raises: what a provider, a sampler or a processor raises is logged by its class.

    Args:
        unsampled: whether a span that is not sampled is given as well, for an upstream that has to be told so.
    """
    try:
        provider = _provider()
        if provider is None:
            return ()
        spans = AnswerSpans(provider.get_tracer(_PROVIDER, __version__))
        return (spans,) if unsampled or spans.recording else ()
    except Exception as error:  # its text may hold anything
        _LOGGER.warning("a span could not be opened (%s); the answer was not touched", type(error).__name__)
        return ()


@contextmanager
def in_trace_of(headers: Iterable[Header]) -> Iterator[None]:
    """Has the spans inside follow the one that a client names in `traceparent`, unless one of this process is current.

    Nothing else that a client sends (`tracestate`, `baggage`) is taken or passed on.
    """
    if _provider() is None:
        yield
        return
    from opentelemetry import context, trace
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    if trace.get_current_span().get_span_context().is_valid:
        yield
        return
    named = {name.decode(): value.decode("latin-1") for name, value in headers if name == _HEADER}
    token = context.attach(TraceContextTextMapPropagator().extract(named))
    try:
        yield
    finally:
        context.detach(token)


@contextmanager
def without_spans() -> Iterator[None]:
    """Has no span opened inside, for a question that is no client's."""
    token = _OFF.set(True)
    try:
        yield
    finally:
        _OFF.reset(token)


def _provider() -> TracerProvider | None:
    if "opentelemetry.trace" not in sys.modules or _OFF.get():
        return None
    from opentelemetry import trace

    provider = trace.get_tracer_provider()
    return None if isinstance(provider, trace.ProxyTracerProvider | trace.NoOpTracerProvider) else provider


def _fill_in(span: Span, observation: Observation) -> None:
    from opentelemetry.trace import StatusCode

    for record in observation.report.spans:
        span.add_event(EVENT, _of_decision(record))
    span.set_attributes(_of_answer(observation))
    if observation.outcome == Outcome.FAILED:
        span.set_attribute("error.type", "_OTHER")
        span.set_status(StatusCode.ERROR)


def _of_answer(observation: Observation) -> Attributes:
    report = observation.report
    return _known(
        {
            "gen_ai.guardrail.policy.id": observation.policy or None,
            "gen_ai.guardrail.result.type": "outcome",
            "gen_ai.guardrail.result.value": str(observation.outcome),
            "reticent.request.id": observation.request_id,
            "reticent.choice": observation.choice,
            "reticent.route": str(observation.route),
            "reticent.stream": observation.stream,
            "reticent.bundle": observation.bundle or None,
            "reticent.decisions": len(report.spans),
            "reticent.decisions.stopped": sum(record.action.stops for record in report.spans),
            "reticent.decisions.would_stop": report.would_stop,
            "reticent.overflows": report.overflows,
            "reticent.second_looks.taken": report.second_looks_taken,
            "reticent.second_looks.skipped": report.second_looks_skipped,
            "reticent.held.chars": report.most_held_chars,
            "reticent.held.tokens": report.most_held_tokens,
            "reticent.held.seconds": report.most_held_seconds,
            "reticent.added.first_token.seconds": observation.added_first_token_seconds,
            "reticent.added.inter_chunk.seconds": observation.added_inter_chunk_seconds,
            **{f"reticent.stage.{stage}.seconds": seconds for stage, seconds in observation.stage_seconds.items()},
            **{f"reticent.failures.{stage}": count for stage, count in report.failures},
        }
    )


def _of_decision(record: SpanRecord) -> Attributes:
    decision, verdict = record.decision, record.decision.verdict
    return _known(
        {
            "gen_ai.guardrail.result.type": "action",
            "gen_ai.guardrail.result.value": str(decision.action),
            "gen_ai.guardrail.result.reason": str(decision.reason),
            "gen_ai.guardrail.risk.category": str(record.entity),
            "gen_ai.guardrail.risk.score": verdict.probability,
            "reticent.decision.id": record.decision_id or None,
            "reticent.origin": str(verdict.origin),
            "reticent.tier": str(verdict.tier),
            "reticent.would": None if decision.monitored_action is None else str(decision.monitored_action),
            "reticent.fragment": record.fragment,
            "reticent.held.chars": record.held_chars,
            "reticent.held.tokens": record.held_tokens,
            "reticent.held.seconds": record.held_seconds,
        }
    )


def _known(values: Mapping[str, str | float | None]) -> Attributes:
    """Gives the values that are there and, where they are numbers, finite."""
    return {
        name: value
        for name, value in values.items()
        if value is not None and not (isinstance(value, float) and not isfinite(value))
    }
