"""The id of a request: in every response's headers, the same in the decision log, and nobody's but the proxy's."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import serve_golden as golden
from serve_golden import EMAIL, request_body
from serve_upstream import STRICT, Running, Scripted, proxied, reply, says, stream_head, until
from test_explain import run as explain
from test_serve_event_routes import answer

from reticent.serve.app import create_app
from reticent.serve.config import load
from reticent.serve.proxy import Proxy

ID = re.compile(r"[0-9a-f]{32}")


@pytest.fixture
def upstream() -> Iterator[Scripted]:
    scripted = Scripted()
    yield scripted
    scripted.close()


def id_of(response: httpx.Response) -> str:
    values = response.headers.get_list("x-request-id")
    assert len(values) == 1 and ID.fullmatch(values[0]), values
    return str(values[0])


def whole(text: str) -> bytes:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    return json.dumps({"id": "c-1", "object": "chat.completion", "model": "small", "choices": [choice]}).encode()


ASKED: dict[str, tuple[str, str, dict[str, Any]]] = {
    "a body that is no JSON": ("POST", "/v1/chat/completions", {"content": b"{"}),
    "a closed route": ("POST", "/v1/images/generations", {"content": b"{}"}),
    "no such route": ("GET", "/nowhere/at/all", {}),
    "another method": ("DELETE", "/v1/chat/completions", {}),
    "too many headers": ("GET", "/v1/models", {"headers": {f"x-{n}": "1" for n in range(99)}}),
    "another origin's page": ("POST", "/v1/models", {"headers": {"origin": "http://elsewhere.example"}}),
    "passed": ("GET", "/v1/models", {}),
    "a model": ("GET", "/v1/models/small", {}),
    "passed, with a body": ("POST", "/v1/embeddings", {"content": b'{"input": "x"}'}),
    "passed, without one": ("POST", "/v1/embeddings", {"content": b"{"}),
    "redacted text": ("POST", "/v1/redact", {"content": b'{"text": "x"}'}),
    "no text to redact": ("POST", "/v1/redact", {"content": b"{}"}),
    "alive": ("GET", "/healthz", {}),
    "ready": ("GET", "/readyz", {}),
    "the schema": ("GET", "/openapi.json", {}),
    "a head": ("HEAD", "/healthz", {}),
}


def test_every_response_has_an_id_of_its_own(upstream: Scripted) -> None:
    seen = set()
    with proxied(upstream.url) as running:
        for method, path, given in ASKED.values():
            seen.add(id_of(running.client.request(method, path, **given)))
        upstream.script = says(reply(whole("Fine.")))
        seen.add(id_of(running.post(request_body())))
        upstream.script = says(stream_head(), golden.ollama(golden.HARMLESS))
        seen.add(id_of(running.post(request_body(stream=True))))
        for route in ("responses", "messages"):
            upstream.script = says(reply(answer(route, "Fine.")))
            seen.add(id_of(running.post(b"{}", f"/v1/{route}")))
        for status in (404, 500):
            upstream.script = says(reply(b"{}", status=status))
            seen.add(id_of(running.post(request_body())))
    assert len(seen) == len(ASKED) + 6
    with proxied("http://127.0.0.1:1", keys=[{"key": "k-123456"}]) as running:
        for headers in ({}, {"authorization": "Bearer k-123456"}):
            got = running.post(request_body(), **headers)
            assert got.status_code in (401, 502)
            id_of(got)


@pytest.mark.parametrize("kind", ["whole", "stream", "redact"])
def test_it_is_the_id_of_the_decision_log(kind: str, upstream: Scripted, tmp_path: Path) -> None:
    log = tmp_path / "decisions.jsonl"
    with proxied(upstream.url, decision_log={"path": str(log)}) as running:
        if kind == "redact":
            got = running.post({"text": f"Write to {EMAIL}."}, "/v1/redact")
        elif kind == "stream":
            upstream.script = says(stream_head(), golden.ollama(golden.leaking(EMAIL)))
            got = running.post(request_body(stream=True))
        else:
            upstream.script = says(reply(whole(f"Write to {EMAIL}.")))
            got = running.post(request_body())
        assert until(lambda: b'"decision"' in log.read_bytes())
    (row,) = (json.loads(line) for line in log.read_text().splitlines())
    assert row["request"] == id_of(got)
    said = explain(log, id_of(got), key=False)
    assert said.exit_code == 0 and "EMAIL_ADDRESS" in said.output


MALFORMED = {
    "too long": b"a" * 129,
    "spaces": b"call 555-0100",
    "empty": b"",
    "letters of others": "id-\u00fc".encode("latin-1"),
    "a quote": b'a"b',
    "a brace": b"${x}",
}


def test_a_clients_own_id_goes_upstream_and_nowhere_else(
    upstream: Scripted, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    log = tmp_path / "decisions.jsonl"
    caplog.set_level(logging.DEBUG, "reticent")
    upstream.script = says(reply(whole(f"Write to {EMAIL}."), x_request_id="theirs-1"))
    with proxied(upstream.url, decision_log={"path": str(log)}) as running:
        got = running.post(request_body(), x_request_id="mine-1")
        assert until(lambda: b'"decision"' in log.read_bytes())
        passed = running.client.get("/v1/models", headers={"x-request-id": "mine-1"})
    assert "mine-1" not in id_of(got) + id_of(passed) + log.read_text() + caplog.text
    assert "theirs-1" not in str(got.headers) + caplog.text
    assert [each.headers["x-request-id"] for each in upstream.asked] == ["mine-1"] * 2


@pytest.mark.parametrize("given", MALFORMED.values(), ids=MALFORMED)
def test_an_id_that_could_hold_anything_is_replaced_by_ours(given: bytes, upstream: Scripted) -> None:
    upstream.script = says(reply(whole("Fine.")))
    with proxied(upstream.url) as running:
        headers = [(b"x-request-id", given)]
        got = running.client.post("/v1/chat/completions", json=request_body(), headers=headers)
        assert got.status_code == 200
        id_of(running.client.get("/v1/models", headers=headers))
    assert upstream.asked[0].headers["x-request-id"] == id_of(got)


def test_without_one_the_upstream_gets_ours(upstream: Scripted) -> None:
    upstream.script = says(reply(whole("Fine.")))
    with proxied(upstream.url) as running:
        ids = [id_of(running.post(request_body())), id_of(running.client.get("/v1/models"))]
    assert [each.headers["x-request-id"] for each in upstream.asked] == ids


def test_a_fault_of_our_own_has_an_id_too_and_shows_nothing_else(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("call 555-0100")

    proxy = Proxy(load(environ={}, overrides={"upstream.url": "http://127.0.0.1:1", "policies": {"strict": STRICT}}))
    app = create_app(proxy)
    assert app is not None
    monkeypatch.setattr("reticent.serve.app.describe_api", broken)
    running = Running(proxy)
    try:
        got = running.client.get("/openapi.json")
    finally:
        running.close()
    assert got.status_code == 500
    assert got.json()["error"]["code"] == "internal_error"
    assert "555" not in got.text + caplog.text
    assert id_of(got) in caplog.text and "RuntimeError" in caplog.text
