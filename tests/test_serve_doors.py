"""Routes of real servers: each is guarded, known to carry no generated text, or refused."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from http.client import HTTPConnection
from urllib.parse import unquote

import pytest
import serve_golden as golden
import serve_recorded
from serve_golden import EMAIL
from serve_upstream import Running, Scripted, proxied, reply, says

from reticent.serve.app import GUARDED, PASSED

OPEN = {*PASSED, *(("POST", dialect.path) for dialect in GUARDED)}
UNLISTED = [
    ("POST", "/v1/engines/copilot-codex/completions"),  # llama-cpp-python
    ("GET", "/metrics"), ("GET", "/docs"), ("POST", "/invocations"), ("GET", "/tokenizer_info"),
    ("GET", "/v1/realtime"), ("POST", "/server_info"), ("POST", "/collective_rpc"),  # vLLM
    ("POST", "/completion"), ("POST", "/infill"), ("GET", "/slots"),
    ("POST", "/apply-template"), ("GET", "/props"),  # llama.cpp
    ("POST", "/generate"), ("POST", "/generate_stream"),
    ("GET", "/get_server_info"), ("POST", "/encode"),  # SGLang, TGI
    ("POST", "/api/generate"), ("POST", "/api/chat"), ("GET", "/api/tags"),  # Ollama
]  # fmt: skip
"""Doors that servers do not describe, or open only where an option allows it."""
OPERATIONS = sorted(
    {
        *(
            (method, path)
            for engine in serve_recorded.ENGINES
            for method, path in serve_recorded.head(engine)["operations"]
        ),
        *UNLISTED,
    }
)


@pytest.fixture(scope="module")
def guarded() -> Iterator[tuple[Running, Scripted]]:
    upstream = Scripted()
    upstream.script = says(reply(f'{{"text": "{EMAIL}"}}'.encode()))
    with proxied(upstream.url) as running:
        yield running, upstream
    upstream.close()


def variants(path: str) -> list[str]:
    """Other ways to write a path that a server or a gateway might take for the same."""
    return [
        f"/{path}", f"{path}/", path.replace("/v1/", "/v1//"), f"/.{path}", f"/x/..{path}", f"/x/%2e%2e{path}",
        path.replace("/", "%2f", 2).replace("%2f", "/", 1), path.upper(), f"{path};x", f"{path}%00", f"{path}%20",
        f"{path}\\",
    ]  # fmt: skip


def raw(port: int, method: str, path: str, body: bytes) -> tuple[int, bytes]:
    """Status and body; the path goes out as it stands, which few clients do."""
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request(method, path, body, {"content-type": "application/json"})
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def test_the_recordings_have_the_doors_that_the_guard_is_for() -> None:
    assert {engine: len(serve_recorded.head(engine)["operations"]) > 5 for engine in serve_recorded.ENGINES} == {
        "llama-cpp": True,
        "vllm": True,
    }
    assert set(OPERATIONS) >= {("POST", "/v1/chat/completions"), ("POST", "/v1/completions")}


@pytest.mark.parametrize(("method", "path"), OPERATIONS, ids=[" ".join(each) for each in OPERATIONS])
def test_an_operation_is_open_or_refused_in_every_spelling(
    guarded: tuple[Running, Scripted], method: str, path: str
) -> None:
    running, upstream = guarded
    path = re.sub(r"\{\w+\}", "abc", path)
    body = golden.request_body() | {"prompt": golden.QUESTION, "input": golden.QUESTION, "max_tokens": 9}
    for spelt in (path, *variants(path)):
        if (method, unquote(spelt)) in PASSED:
            continue
        before = [asked.path for asked in upstream.asked]
        status, answer = raw(running.port, method, spelt, json.dumps(body).encode())
        assert EMAIL.encode() not in answer
        if (method, unquote(spelt)) in OPEN:  # guarded, and asked for upstream by its own name
            before.append(unquote(spelt))
        else:
            assert status in (400, 403), spelt
        assert [asked.path for asked in upstream.asked] == before, spelt


@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE"])
def test_another_method_is_another_door(guarded: tuple[Running, Scripted], method: str) -> None:
    running, upstream = guarded
    for opened, path in sorted(OPEN):
        if opened == method or (opened, method) == ("GET", "HEAD"):
            continue
        before = len(upstream.asked)
        response = running.client.request(method, path, json=golden.request_body())
        assert (response.status_code in (403, 405), len(upstream.asked)) == (True, before), path


def test_a_door_that_asks_for_a_websocket_is_refused(guarded: tuple[Running, Scripted]) -> None:
    running, upstream = guarded
    before = len(upstream.asked)
    headers = {
        "connection": "Upgrade",
        "upgrade": "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": "x" * 22 + "==",
    }
    for path in ("/v1/realtime", "/v1/chat/completions", "/v1/responses"):
        assert running.client.get(path, headers=headers).status_code in (403, 405)
    assert len(upstream.asked) == before
