"""Spans of guarded answers: what they say and do not say, whose children they are, and where they go."""

from __future__ import annotations

import json
import math
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
import serve_golden as golden
import yaml
from opentelemetry import trace
from provided_spans import (
    ALWAYS_OFF,
    Exporter,
    ExportTraceServiceRequest,
    ReadableSpan,
    Sampler,
    attributes,
    ident,
    parent,
    provided,
)
from serve_golden import EMAIL, request_body
from serve_upstream import STRICT, Scripted, proxied, reply, says, stream_head, until
from test_guard_metrics import OVERFLOW, PASSED, STOPPED, observation, span
from test_serve_command import ROOT, command, environment
from test_serve_ready import canary, read_request
from test_serve_request_ids import whole

from reticent.observability import answer_spans
from reticent.observability.answer_spans import EVENT, NAME, in_trace_of, open_spans, without_spans
from reticent.observability.observers import Outcome, Route, TimedStage
from reticent.policy.verdict import Action, Decision, Origin, Reason, Tier, Verdict
from reticent.serve.config import load
from reticent.serve.proxy import Proxy
from reticent.serve.span_export import SpanExport
from reticent_detectors.errors import InputError, MissingExtra

TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
TRACEPARENT = f"00-{TRACE}-{PARENT}-01"
WORDS = {str(each) for words in (Action, Origin, Outcome, Reason, Route, Tier) for each in words}
WORDS |= {"outcome", "action", "output", "reticent", "Reticent", "apply_guardrail", "_OTHER", "PHONE_NUMBER"}


@pytest.fixture
def spans() -> Iterator[Exporter]:
    with provided() as exporter:
        yield exporter


@pytest.fixture
def upstream() -> Iterator[Scripted]:
    scripted = Scripted()
    yield scripted
    scripted.close()


def only(exporter: Exporter) -> ReadableSpan:
    assert until(lambda: len(exporter.get_finished_spans()) > 0)
    (finished,) = exporter.get_finished_spans()
    return finished


# ---- what a span says ------------------------------------------------------------------------------------------------


def test_a_span_has_the_answers_figures_and_an_event_for_each_decision(spans: Exporter) -> None:
    seen = observation(
        span("PHONE_NUMBER", STOPPED),
        span("PHONE_NUMBER", replace(OVERFLOW, verdict=Verdict(Origin.UNKNOWN, math.nan, 0.0, Tier.TEXT))),
        span("PHONE_NUMBER", replace(PASSED, monitored_action=Action.BLOCK)),
        failures=(("judge", 2),),
        policy="aa11",
        bundle="bb22",
        stage_seconds={TimedStage.FIND: 0.5},
    )
    for each in open_spans():
        each.on_answer(seen)
    finished = only(spans)
    assert (finished.name, finished.kind, parent(finished)) == (NAME, trace.SpanKind.INTERNAL, "")
    assert finished.status.status_code is trace.StatusCode.UNSET
    assert attributes(finished) == {
        "gen_ai.operation.name": "apply_guardrail",
        "gen_ai.provider.name": "reticent",
        "gen_ai.guardrail.component.name": "Reticent",
        "gen_ai.guardrail.source": "output",
        "gen_ai.guardrail.policy.id": "aa11",
        "gen_ai.guardrail.result.type": "outcome",
        "gen_ai.guardrail.result.value": "redacted",
        "reticent.request.id": "ab" * 16,
        "reticent.choice": 0,
        "reticent.route": "generate",
        "reticent.stream": False,
        "reticent.bundle": "bb22",
        "reticent.decisions": 3,
        "reticent.decisions.stopped": 2,
        "reticent.decisions.would_stop": 1,
        "reticent.overflows": 1,
        "reticent.second_looks.taken": 1,
        "reticent.second_looks.skipped": 3,
        "reticent.held.chars": 30,
        "reticent.held.tokens": 9,
        "reticent.held.seconds": 0.25,
        "reticent.stage.find.seconds": 0.5,
        "reticent.failures.judge": 2,
    }
    assert [event.name for event in finished.events] == [EVENT] * 3
    stopped, overflow, monitored = (dict(event.attributes or {}) for event in finished.events)
    assert stopped == {
        "gen_ai.guardrail.result.type": "action",
        "gen_ai.guardrail.result.value": "redact",
        "gen_ai.guardrail.result.reason": "rule",
        "gen_ai.guardrail.risk.category": "PHONE_NUMBER",
        "gen_ai.guardrail.risk.score": 0.97,
        "reticent.decision.id": "0123456789abcdef",
        "reticent.origin": "memorized",
        "reticent.tier": "hidden",
        "reticent.fragment": False,
        "reticent.held.chars": 12,
        "reticent.held.tokens": 5,
        "reticent.held.seconds": 0.25,
    }
    assert overflow["gen_ai.guardrail.result.reason"] == "overflow" and "gen_ai.guardrail.risk.score" not in overflow
    assert (monitored["gen_ai.guardrail.result.value"], monitored["reticent.would"]) == ("allow", "block")


def test_every_word_of_a_span_is_one_of_ours_a_digest_or_an_id(spans: Exporter) -> None:
    for action in Action:
        for origin in Origin:
            for reason in Reason:
                decision = Decision(action, Verdict(origin, 0.5, 0.0, Tier.TEXT), reason=reason)
                for each in open_spans():
                    each.on_answer(observation(span("PHONE_NUMBER", decision), policy="aa", bundle="bb"))
    for finished in spans.get_finished_spans():
        for said in (attributes(finished), *(event.attributes or {} for event in finished.events)):
            for value in said.values():
                assert not isinstance(value, str) or value in WORDS or re.fullmatch("[0-9a-f]+", value), value


def test_a_failed_answer_is_an_error_without_words(spans: Exporter) -> None:
    for each in open_spans():
        each.on_answer(observation(outcome=Outcome.FAILED))
    finished = only(spans)
    assert finished.status.status_code is trace.StatusCode.ERROR and finished.status.description is None
    assert attributes(finished)["error.type"] == "_OTHER"


def test_further_answers_are_children_of_the_first(spans: Exporter) -> None:
    (opened,) = open_spans()
    for choice in range(3):
        opened.on_answer(replace(observation(), choice=choice))
    first, *others = spans.get_finished_spans()
    assert parent(first) == "" and {parent(other) for other in others} == {ident(first)}
    assert {other.start_time for other in others} == {first.start_time}
    assert [attributes(each)["reticent.choice"] for each in (first, *others)] == [0, 1, 2]


def test_nothing_is_made_of_what_is_not_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("a span that is not sampled was filled in")

    monkeypatch.setattr(answer_spans, "_fill_in", fail)
    with provided(ALWAYS_OFF) as exporter:
        assert open_spans() == ()  # so no observation is made for it
        (opened,) = open_spans(unsampled=True)
        for _ in range(2):
            opened.on_answer(observation(span("PHONE_NUMBER", STOPPED)))
        ((name, value),) = opened.in_place_of([(b"traceparent", b"other")])
    assert name == b"traceparent" and not int(value[-2:], 16) & trace.TraceFlags.SAMPLED  # as the upstream is told
    assert exporter.get_finished_spans() == ()


def test_without_a_provider_there_are_no_spans() -> None:
    assert open_spans() == ()
    with provided(), without_spans():
        assert open_spans() == ()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trace, "get_tracer_provider", trace.NoOpTracerProvider)
        assert open_spans() == ()


def test_a_provider_that_raises_touches_no_answer(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(Sampler):
        def should_sample(self, *_: Any, **__: Any) -> Any:
            raise RuntimeError("call 555-0100")

        def get_description(self) -> str:
            return ""

    with provided(Broken()):
        assert open_spans() == ()
    assert "a span could not be opened (RuntimeError)" in caplog.text and "555-0100" not in caplog.text


def test_opentelemetry_is_imported_by_nobody_who_does_not_set_it_up() -> None:
    code = (
        "import sys\nfrom reticent.observability.answer_spans import open_spans\n"
        "print(open_spans(), [name for name in sys.modules if name.startswith('opentelemetry')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "() []\n"


# ---- whose child it is -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["whole", "stream", "redact"])
def test_a_proxys_span_stands_between_the_clients_and_the_upstreams(
    kind: str, upstream: Scripted, spans: Exporter
) -> None:
    headers = {"traceparent": TRACEPARENT, "tracestate": "user=joan", "baggage": "user=jane"}
    with proxied(upstream.url) as running:
        if kind == "redact":
            got = running.post({"text": f"Write to {EMAIL}."}, "/v1/redact", **headers)
        elif kind == "stream":
            upstream.script = says(stream_head(), golden.ollama(golden.leaking(EMAIL)))
            got = running.post(request_body(stream=True), **headers)
        else:
            upstream.script = says(reply(whole(f"Write to {EMAIL}.")))
            got = running.post(request_body(), **headers)
        finished = only(spans)
    assert got.status_code == 200 and EMAIL not in got.text
    assert finished.context is not None and f"{finished.context.trace_id:032x}" == TRACE
    assert parent(finished) == PARENT
    said = attributes(finished)
    assert said["reticent.request.id"] == got.headers["x-request-id"]
    assert (said["gen_ai.guardrail.result.value"], said["reticent.decisions.stopped"]) == ("redacted", 1)
    assert said["reticent.stream"] is (kind == "stream")
    exported = finished.to_json()
    assert EMAIL not in exported and "jane" not in exported and "joan" not in exported and "small" not in exported
    if kind != "redact":
        sent = upstream.asked[-1].headers
        assert sent["traceparent"] == f"00-{TRACE}-{ident(finished)}-01"
        assert "tracestate" not in sent and "baggage" not in sent


def test_without_a_provider_the_clients_span_goes_to_the_upstream_as_it_came(upstream: Scripted) -> None:
    upstream.script = says(reply(whole("Fine.")))
    with proxied(upstream.url) as running:
        assert running.post(request_body(), traceparent=TRACEPARENT, tracestate="user=joan").status_code == 200
    sent = upstream.asked[-1].headers
    assert sent["traceparent"] == TRACEPARENT and "tracestate" not in sent


@pytest.mark.parametrize("given", ["", "00-xyz", f"00-{'0' * 32}-{PARENT}-01", "call 555-0100"])
def test_a_traceparent_that_names_nothing_begins_a_trace(given: str, upstream: Scripted, spans: Exporter) -> None:
    upstream.script = says(reply(whole("Fine.")))
    with proxied(upstream.url) as running:
        assert running.post(request_body(), traceparent=given).status_code == 200
        finished = only(spans)
    assert parent(finished) == "" and "555-0100" not in finished.to_json()
    assert ident(finished) in upstream.asked[-1].headers["traceparent"]


def test_a_request_that_fails_and_a_request_that_is_refused(upstream: Scripted, spans: Exporter) -> None:
    with proxied("http://127.0.0.1:1") as running:
        assert running.post(b"{").status_code == 400
        assert running.post(request_body()).status_code == 502
        finished = only(spans)
    assert attributes(finished)["gen_ai.guardrail.result.value"] == "failed"


def test_the_canary_has_no_span(upstream: Scripted, spans: Exporter) -> None:
    upstream.script = read_request(says(stream_head(), golden.ollama(golden.leaking(golden.PHONE))))
    with proxied(upstream.url, canary=canary()) as running:
        assert until(lambda: running.count("canary_total", result="stopped") > 1, 20.0)
    assert spans.get_finished_spans() == ()


def test_a_span_of_this_process_comes_before_the_clients(spans: Exporter) -> None:
    with spans.application() as request, in_trace_of([(b"traceparent", TRACEPARENT.encode())]):
        for each in open_spans():
            each.on_answer(observation())
    ours = next(each for each in spans.get_finished_spans() if each.name == NAME)
    assert parent(ours) == request


# ---- where it goes ---------------------------------------------------------------------------------------------------


@contextmanager
def receiving() -> Iterator[tuple[str, list[Any]]]:
    """An OTLP receiver on loopback: its address, and the spans that came, with their resource."""
    came: list[Any] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            assert self.path == "/v1/traces" and self.headers["content-type"] == "application/x-protobuf"
            for group in ExportTraceServiceRequest.FromString(body).resource_spans:
                came.extend((group.resource, each) for scope in group.scope_spans for each in scope.spans)
            self.send_response(200)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Receiver)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", came
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


def test_serve_sends_its_spans_to_a_collector(upstream: Scripted, tmp_path: Path) -> None:
    """As a process, with nothing but the environment of OpenTelemetry. What waits at its end is sent as well."""
    upstream.script = says(reply(whole(f"Write to {EMAIL}.")))
    settings = {"upstream": {"url": upstream.url}, "policy": "strict", "policies": {"strict": STRICT}, "tracing": True}
    (tmp_path / "serve.yaml").write_text(yaml.safe_dump({**settings, "metrics_port": None, "port": 0}))
    with receiving() as (address, came):
        named = {"OTEL_EXPORTER_OTLP_ENDPOINT": address, "OTEL_RESOURCE_ATTRIBUTES": "deployment=test"}
        process = subprocess.Popen(
            command("serve", "--config", str(tmp_path / "serve.yaml")),
            stderr=subprocess.PIPE,
            text=True,
            env=environment(**named, OTEL_BSP_SCHEDULE_DELAY="60000"),
            cwd=ROOT,
        )
        try:
            assert process.stderr is not None
            found = re.search(r"http://127\.0\.0\.1:\d+", process.stderr.readline())
            assert found is not None
            with Served(found[0]) as client:
                assert client.ask(traceparent=TRACEPARENT) == 200
            assert came == []
            process.send_signal(signal.SIGTERM)
            process.wait(30)
            assert "Traceback" not in process.stderr.read()
        finally:
            process.kill()
            process.wait(10)
            process.stderr.close()
    ((resource, sent),) = came
    about = {each.key: each.value.string_value for each in resource.attributes}
    assert (about["service.name"], about["deployment"]) == ("reticent", "test")
    assert (sent.name, sent.trace_id.hex(), sent.parent_span_id.hex()) == (NAME, TRACE, PARENT)
    said = {each.key: each.value for each in sent.attributes}
    assert said["gen_ai.guardrail.result.value"].string_value == "redacted"
    (event,) = sent.events
    decided = {each.key: each.value for each in event.attributes}
    assert (event.name, decided["gen_ai.guardrail.risk.category"].string_value) == (EVENT, "EMAIL_ADDRESS")
    assert EMAIL.encode() not in sent.SerializeToString()


class Served:
    """A client of a process that begins to serve."""

    def __init__(self, address: str) -> None:
        import httpx

        self._client = httpx.Client(base_url=address, trust_env=False, timeout=30)
        assert until(self._is_alive, 30.0)

    def __enter__(self) -> Served:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def _is_alive(self) -> bool:
        import httpx

        try:
            return self._client.get("/healthz").status_code == 200
        except httpx.HTTPError:
            return False

    def ask(self, **headers: str) -> int:
        body = json.dumps(request_body())
        sent = {"content-type": "application/json", **headers}
        return self._client.post("/v1/chat/completions", content=body, headers=sent).status_code


def test_a_provider_of_the_application_is_left_as_it_is(spans: Exporter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace, "set_tracer_provider", lambda _: pytest.fail("another provider was set"))
    SpanExport().close()
    for each in open_spans():
        each.on_answer(observation())
    assert len(spans.get_finished_spans()) == 1  # it was not shut down either


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("OTEL_TRACES_EXPORTER", "zipkin", "asks for the exporter 'zipkin', which is not installed. There are: otlp"),
        *(
            (name, value, f"{name} is {said}")
            for name in ("OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL")
            for value, said in [
                ("http/xml", "'http/xml', expected http/protobuf or grpc"),
                ("grpc", "'grpc', which needs a package: pip install opentelemetry-exporter-otlp-proto-grpc"),
            ]
        ),
    ],
)
def test_an_environment_that_asks_for_what_is_not_there(
    name: str, value: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trace, "set_tracer_provider", lambda _: pytest.fail("a provider was set"))
    monkeypatch.setenv(name, value)
    with pytest.raises(InputError, match=re.escape(said)):
        SpanExport()


def test_a_proxy_that_fails_leaves_no_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace, "set_tracer_provider", lambda _: pytest.fail("a provider was set"))
    given = {"upstream.url": "http://127.0.0.1:1", "tracing": True}
    with pytest.raises(InputError, match="A model or a shadow"):
        Proxy(load(environ={}, overrides=given), shadow=lambda: pytest.fail("a shadow was loaded"))


def test_a_missing_exporter_of_the_extra_is_named_with_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reticent.serve.span_export.metadata.entry_points", lambda **_: ())
    with pytest.raises(MissingExtra, match=r"opentelemetry-exporter-otlp-proto-http is not installed.*,otel\]'"):
        SpanExport()


def test_a_missing_sdk_is_named_with_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(MissingExtra, match=r"opentelemetry-sdk is not installed.*,otel\]'"):
        SpanExport()
