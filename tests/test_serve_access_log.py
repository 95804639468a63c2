"""What is logged: a line for each request, a warning for each upstream that fails, and nothing that anybody wrote."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest
import serve_golden as golden
from serve_golden import request_body
from serve_upstream import Script, Scripted, proxied, reply, says, stream_head, until
from test_serve_command import serving
from test_serve_request_ids import whole

from reticent.serve.config import load
from reticent_detectors.errors import InputError

SECRET = "jane-roe-555-0100"
LINE = re.compile(r"(\w+) (\S+) (\d{3}|-) (\d+) ms request=([0-9a-f]{32})")


@pytest.fixture
def upstream() -> Iterator[Scripted]:
    scripted = Scripted()
    yield scripted
    scripted.close()


def lines(caplog: pytest.LogCaptureFixture, name: str) -> list[logging.LogRecord]:
    return [record for record in caplog.records if record.name == f"reticent.serve.{name}"]


REQUESTS: dict[tuple[str, str], tuple[str, int]] = {
    ("GET", f"/v1/models?key={SECRET}"): ("GET /v1/models", 200),
    ("GET", f"/v1/models/{SECRET}"): ("GET /v1/models/{name:path}", 200),
    ("GET", f"/{SECRET}"): ("GET other", 403),
    ("GET", "/v1/models/%2e%2e/x%0a2"): ("GET other", 403),
    ("DELETE", "/v1/redact"): ("DELETE /v1/redact", 405),
    (f"X-{SECRET}", "/healthz"): ("other /healthz", 405),
    ("GET", "/healthz"): ("GET /healthz", 200),
    ("POST", "/v1/redact"): ("POST /v1/redact", 400),
}


def test_each_request_is_a_line_without_anything_that_a_client_wrote(
    upstream: Scripted, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "reticent")
    with proxied(upstream.url) as running:
        got = [
            running.client.request(method, path, headers={"x-api-key": SECRET, "x-request-id": SECRET})
            for method, path in REQUESTS
        ]
        assert until(lambda: len(lines(caplog, "access")) == len(REQUESTS))
    for record, response, (route, status) in zip(lines(caplog, "access"), got, REQUESTS.values(), strict=True):
        found = LINE.fullmatch(record.getMessage())
        assert found is not None and record.levelno == logging.INFO, record.getMessage()
        assert (f"{found[1]} {found[2]}", int(found[3])) == (route, status) == (route, response.status_code)
        assert found[5] == response.headers["x-request-id"]
    assert SECRET not in caplog.text


def test_a_request_without_a_key_has_its_line(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "reticent")
    with proxied("http://127.0.0.1:1", keys=[{"key": "k-123456"}]) as running:
        running.post(request_body(), authorization=f"Bearer {SECRET}")
        assert until(lambda: bool(lines(caplog, "access")))
    assert lines(caplog, "access")[0].getMessage().startswith("POST /v1/chat/completions 401 ")
    assert SECRET not in caplog.text


def test_a_client_that_leaves_has_its_line(upstream: Scripted, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "reticent")
    upstream.script = says(stream_head(), golden.ollama(golden.HARMLESS)[:400], 30.0)
    with proxied(upstream.url) as running:
        with running.client.stream("POST", "/v1/chat/completions", json=request_body(stream=True)) as response:
            assert response.status_code == 200  # and leaves
        assert until(lambda: bool(lines(caplog, "access")))
    assert lines(caplog, "access")[0].getMessage().startswith("POST /v1/chat/completions 200 ")


def test_the_default_level_writes_no_line_for_a_request(upstream: Scripted, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "reticent")
    with proxied(upstream.url) as running:
        running.client.get("/healthz")
    assert not lines(caplog, "access")


ERROR = b'{"error": {"message": "jane-roe-555-0100", "type": "jane-roe-555-0100"}}'
BEGUN = golden.ollama(golden.HARMLESS)[:400]
FAILURES: dict[str, tuple[Script, str, str]] = {
    "a 404": (says(reply(ERROR, status=404)), "upstream_status", "404"),
    "a 500": (says(reply(ERROR, status=500)), "upstream_status", "500"),
    "an error that is no JSON": (says(reply(SECRET.encode(), "text/plain", 503)), "upstream_status", "503"),
    "a redirect": (says(reply(ERROR, status=302)), "upstream_unreadable", "302"),
    "another kind of body": (says(reply(SECRET.encode(), "text/html")), "upstream_unreadable", "200"),
    "no JSON": (says(reply(SECRET.encode())), "upstream_unreadable", "200"),
    "nothing": (says(), "upstream_broken", "-"),
    "no HTTP": (says(SECRET.encode()), "upstream_broken", "-"),
    "silence": (says(5.0), "upstream_timeout", "-"),
}
STREAMED: dict[str, tuple[Script, str, str]] = {
    "a stream that breaks off": (says(stream_head(), BEGUN), "upstream_broken", "200"),
    "a broken frame": (says(stream_head(), BEGUN, b"data: {jane-roe-555-0100\n\n"), "upstream_unreadable", "200"),
    "a silent stream": (says(stream_head(), BEGUN, 5.0), "upstream_timeout", "200"),
    "a stream with status 500": (says(reply(ERROR, "text/event-stream", 500)), "upstream_status", "500"),
}


def warning(caplog: pytest.LogCaptureFixture) -> str:
    assert until(lambda: bool(lines(caplog, "upstream")))
    (record,) = lines(caplog, "upstream")
    assert record.levelno == logging.WARNING
    assert SECRET not in caplog.text and record.exc_info is None
    return record.getMessage()


@pytest.mark.parametrize("name", [*FAILURES, *STREAMED])
def test_an_upstream_that_fails_is_a_warning_without_its_text(
    name: str, upstream: Scripted, caplog: pytest.LogCaptureFixture
) -> None:
    upstream.script, kind, status = (FAILURES | STREAMED)[name]
    with proxied(upstream.url, **{"upstream.read_seconds": 0.3}) as running:
        got = running.post(request_body(stream=name in STREAMED))
        said = warning(caplog)
    assert f"kind={kind} status={status} route=/v1/chat/completions request={got.headers['x-request-id']}" in said


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/embeddings"])
def test_an_upstream_that_is_not_there_is_a_warning(path: str, caplog: pytest.LogCaptureFixture) -> None:
    with proxied("http://127.0.0.1:1") as running:
        got = running.post({**request_body(), "input": "x"}, path)
        said = warning(caplog)
    wanted = f"stage=connect kind=upstream_unreachable status=- route={path} request={got.headers['x-request-id']}"
    assert wanted in said


PASSED: dict[str, tuple[Script, str, str]] = {
    **{name: FAILURES[name] for name in ("a 404", "a 500", "nothing", "silence")},
    "a stream": (says(reply(SECRET.encode(), "text/event-stream")), "upstream_unreadable", "200"),
}


@pytest.mark.parametrize("name", PASSED)
def test_a_passed_route_warns_as_well(name: str, upstream: Scripted, caplog: pytest.LogCaptureFixture) -> None:
    upstream.script, kind, status = PASSED[name]
    with proxied(upstream.url, **{"upstream.read_seconds": 0.3}) as running:
        got = running.client.get(f"/v1/models/{SECRET}")
        said = warning(caplog)
    wanted = f"kind={kind} status={status} route=/v1/models/{{name}} request={got.headers['x-request-id']}"
    assert wanted in said


@pytest.mark.parametrize("stream", [False, True])
def test_what_goes_well_or_is_the_clients_mistake_is_no_warning(
    stream: bool, upstream: Scripted, caplog: pytest.LogCaptureFixture
) -> None:
    stream_bytes = golden.ollama(golden.HARMLESS)
    upstream.script = says(stream_head(), stream_bytes) if stream else says(reply(whole("Fine.")))
    with proxied(upstream.url) as running:
        running.post(request_body(stream=stream))
        assert running.post(b"{").status_code == 400
        assert running.client.get("/nowhere").status_code == 403
    assert not lines(caplog, "upstream")


# As a process


def printed(upstream: Scripted, *arguments: str) -> str:
    upstream.script = says(reply(ERROR, status=500))
    with serving(upstream.url, *arguments) as (process, port):
        import httpx

        with httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False) as client:
            client.get(f"/{SECRET}?q={SECRET}", headers={"x-api-key": SECRET})
            client.post("/v1/chat/completions", json=request_body())
        process.terminate()
        process.wait(20)
        assert process.stderr is not None
        return process.stderr.read()


@pytest.mark.parametrize("arguments", [(), ("--log-level", "info"), ("--log-level", "debug"), ("--log-level", "error")])
def test_the_command_writes_as_much_as_it_is_told(upstream: Scripted, arguments: tuple[str, ...]) -> None:
    said = printed(upstream, *arguments)
    level = arguments[-1] if arguments else "warning"
    access = re.findall(r"^\S+ \S+ INFO reticent\.serve\.access: (.*)$", said, re.M)
    assert [LINE.fullmatch(line) is not None for line in access[-2:]] == [True] * 2 * (level in ("info", "debug"))
    warned = re.findall(r"^\S+ \S+ WARNING reticent\.serve\.upstream: .*status=500.*$", said, re.M)
    assert len(warned) == (level != "error")
    assert SECRET not in said and "Traceback" not in said


def test_workers_write_as_much_as_they_are_told(upstream: Scripted) -> None:
    said = printed(upstream, "--log-level", "info", "--workers", "2")
    assert "POST /v1/chat/completions 500" in said and "kind=upstream_status status=500" in said
    assert SECRET not in said


@pytest.mark.parametrize("level", ["trace", "loud", "INFO", 20])
def test_another_level_is_refused(level: Any) -> None:
    with pytest.raises(InputError, match="log_level"):
        load(environ={}, overrides={"upstream.url": "http://127.0.0.1:1", "log_level": level})
