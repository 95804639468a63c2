"""Has the spans of `reticent serve` exported by OpenTelemetry's SDK, as its environment variables say.

`OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_TRACES_SAMPLER`, `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_BSP_*` and
`OTEL_SDK_DISABLED` are read by the SDK, `OTEL_TRACES_EXPORTER` (`otlp`, `console`, `none`),
`OTEL_EXPORTER_OTLP_TRACES_PROTOCOL` and `OTEL_EXPORTER_OTLP_PROTOCOL` here. A provider that is set already is left, and
spans go there.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from importlib import metadata
from typing import TYPE_CHECKING

from reticent._version import __version__
from reticent_detectors.errors import InputError, MissingExtra

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SpanExporter

_EXPORTERS = "opentelemetry_traces_exporter"
"""Group of the entry points by which exporters are found."""
_OTLP = {
    "http/protobuf": ("otlp_proto_http", "opentelemetry-exporter-otlp-proto-http"),
    "grpc": ("otlp_proto_grpc", "opentelemetry-exporter-otlp-proto-grpc"),
}
"""Name of each protocol's exporter, and the package that has it."""
_PROTOCOLS = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
"""Variables of the protocol. The first one that is set counts."""


class SpanExport:
    """Exports the process's spans until it is closed.

    Raises:
        MissingExtra: the SDK is not installed.
        InputError: the environment names an exporter or a protocol that is not there.
    """

    def __init__(self) -> None:
        try:
            from opentelemetry import trace
            from opentelemetry.sdk.resources import OTELResourceDetector, Resource
            from opentelemetry.sdk.trace import TracerProvider
            from opentelemetry.sdk.trace.export import BatchSpanProcessor
        except ModuleNotFoundError:
            raise MissingExtra("opentelemetry-sdk", "otel") from None
        self._provider: TracerProvider | None = None
        if not isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):
            return
        ours = Resource.create({"service.name": "reticent", "service.version": __version__})
        self._provider = TracerProvider(resource=ours.merge(OTELResourceDetector().detect()), shutdown_on_exit=False)
        for exporter in _exporters():
            self._provider.add_span_processor(BatchSpanProcessor(exporter))
        trace.set_tracer_provider(self._provider)

    def __repr__(self) -> str:
        return f"SpanExport(own={self._provider is not None})"

    def close(self) -> None:
        """Exports the spans that wait, within the time limits of the SDK."""
        if self._provider is not None:
            self._provider.shutdown()


def _exporters() -> Iterator[SpanExporter]:
    for named in (os.environ.get("OTEL_TRACES_EXPORTER") or "otlp").split(","):
        name = named.strip()
        if name == "none":
            continue
        if name == "otlp":
            yield _otlp()()
            continue
        found = metadata.entry_points(group=_EXPORTERS, name=name)
        if not found:
            there = sorted({point.name for point in metadata.entry_points(group=_EXPORTERS)})
            raise InputError(
                f"OTEL_TRACES_EXPORTER asks for the exporter {name!r}, which is not installed. "
                f"There are: otlp, none, {', '.join(there)}."
            )
        yield next(iter(found)).load()()


def _otlp() -> Callable[[], SpanExporter]:
    variable = next((name for name in _PROTOCOLS if os.environ.get(name)), None)
    protocol = "http/protobuf" if variable is None else os.environ[variable]
    if protocol not in _OTLP:
        raise InputError(f"{variable} is {protocol!r}, expected {' or '.join(_OTLP)}.")
    name, package = _OTLP[protocol]
    found = metadata.entry_points(group=_EXPORTERS, name=name)
    if not found and variable is None:
        raise MissingExtra(package, "otel")
    if not found:
        raise InputError(f"{variable} is {protocol!r}, which needs a package: pip install {package}")
    exporter: Callable[[], SpanExporter] = next(iter(found)).load()
    return exporter
