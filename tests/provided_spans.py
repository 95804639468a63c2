"""A tracer provider as an application sets it, for tests of the spans that it gets; skips them without the SDK."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from opentelemetry import trace

pytest.importorskip("opentelemetry.sdk", reason="the extra otel, which dev brings, is not installed")

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.sampling import ALWAYS_OFF, Sampler

__all__ = ["ALWAYS_OFF", "ExportTraceServiceRequest", "ReadableSpan", "Sampler"]


class Exporter(InMemorySpanExporter):
    """Keeps spans."""

    @contextmanager
    def application(self) -> Iterator[str]:
        """A span of the application's, the current one for as long as the body runs: its id."""
        with trace.get_tracer_provider().get_tracer("application").start_as_current_span("request") as span:
            yield f"{span.get_span_context().span_id:016x}"


@contextmanager
def provided(sampler: Sampler | None = None) -> Iterator[Exporter]:
    """A tracer provider as an application sets it, for as long as the body runs."""
    exporter, provider = Exporter(), TracerProvider(sampler=sampler)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trace, "get_tracer_provider", lambda: provider)
        yield exporter
    provider.shutdown()


def attributes(finished: ReadableSpan) -> Mapping[str, Any]:
    assert finished.attributes is not None
    return finished.attributes


def parent(finished: ReadableSpan) -> str:
    return "" if finished.parent is None else f"{finished.parent.span_id:016x}"


def ident(finished: ReadableSpan) -> str:
    assert finished.context is not None
    return f"{finished.context.span_id:016x}"
