"""The OpenAPI description: it says what the proxy takes, for whom, and Schemathesis finds nothing else by asking."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import serve_events as events
import serve_golden as golden
from serve_upstream import ReceivedRequest, Running, Scripted, proxied, reply, stream_head

from reticent.demo import assets
from reticent.serve.app import GUARDED, PASSED
from reticent.serve.config import load
from reticent.serve.proxy import Proxy
from reticent.serve.verdicts.contracts import CONTRACTS

CHAT = "/v1/chat/completions"


def fine(asked: ReceivedRequest) -> Iterator[bytes | float]:
    """A model server that has nothing to find fault with, and a harmless answer to everything."""
    if asked.method == "GET" or asked.path not in {dialect.path for dialect in GUARDED}:
        return iter([reply(b'{"object": "list", "data": []}')])
    if asked.json.get("stream"):
        return iter([stream_head(), STREAMED[asked.path]])
    return iter([reply(json.dumps(WHOLE[asked.path]).encode())])


def completion(kind: str, choice: dict[str, Any]) -> dict[str, Any]:
    top = {"id": "cmpl-1", "object": kind, "created": 1732200000, "model": "small"}
    return {**top, "choices": [{"index": 0, "finish_reason": "stop", "logprobs": None, **choice}]}


WHOLE: dict[str, Any] = {
    CHAT: completion("chat.completion", {"message": {"role": "assistant", "content": "Fine."}}),
    "/v1/completions": completion("text_completion", {"text": "Fine."}),
    "/v1/responses": events.response([events.message("Fine.")], "completed"),
    "/v1/messages": events.begun(content=[{"type": "text", "text": "Fine."}], stop_reason="end_turn"),
}
STREAMED = {
    CHAT: golden.ollama(golden.HARMLESS),
    "/v1/completions": golden.compact(WHOLE["/v1/completions"]) + b"data: [DONE]\n\n",
    "/v1/responses": events.responses_openai(["Fine", "."]),
    "/v1/messages": events.messages_anthropic(["Fine", "."]),
}


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    upstream = Scripted()
    upstream.script = fine
    with proxied(upstream.url) as proxy:
        yield proxy
    upstream.close()


@pytest.fixture(scope="module")
def hosted() -> Iterator[Running]:
    pytest.importorskip("torch")
    from reticent.hosted.hosted_model import HostedModel

    model = {f"model.{name}": assets() / name for name in ("host", "bundle")}
    settings = load(environ={}, overrides={"model.path": model.pop("model.host"), **model, "model.new_tokens": 2})
    loading = settings.model
    assert loading is not None
    running = Running(
        Proxy(
            settings,
            local_model=lambda *shared: HostedModel.load(loading, *shared),
        )
    )
    yield running
    running.close()


def request(described: dict[str, Any], path: str = CHAT) -> dict[str, Any]:
    body: dict[str, Any] = described["paths"][path]["post"]["requestBody"]
    return dict(body["content"]["application/json"]["schema"]["properties"])


def test_all_open_routes_are_described_and_no_other(running: Running) -> None:
    described = running.client.get("/openapi.json").json()
    own = {("GET", "/healthz"), ("GET", "/readyz"), ("GET", "/openapi.json")}
    assert {(method.upper(), path) for path, each in described["paths"].items() for method in each} == {
        *PASSED,
        *own,
        *(("POST", dialect.path) for dialect in GUARDED),
        *(("POST", contract.path) for contract in CONTRACTS),
    }
    assert (described["openapi"], described["security"], described["components"]) == ("3.1.0", [], {})


def test_each_key_is_shown_what_it_may_ask_for() -> None:
    keys = [
        {"key": "clinic-key", "policy": "strict"},
        {"key": "audit-key-1", "policy": "strict", "allow": ["logprobs"], "may_choose": ["default"]},
    ]
    with proxied("http://127.0.0.1:9", keys=keys) as proxy:
        assert proxy.client.get("/openapi.json").status_code == 401
        described = [
            request(proxy.client.get("/openapi.json", headers={"x-api-key": str(key["key"])}).json()) for key in keys
        ]
    flag, nothing = {"type": ["boolean", "null"]}, {"enum": [None, False, "", [], {}]}
    assert [each["logprobs"] for each in described] == [{"allOf": [flag, nothing]}, flag]
    assert [each["logit_bias"] for each in described] == [nothing, nothing]
    assert [each["reticent"]["properties"]["policy"]["enum"] for each in described] == [[""], ["", "default"]]


# Schemathesis

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,\
response_schema_conformance,negative_data_rejection,positive_data_acceptance,missing_required_header,ignored_auth"
"""All but those of methods (one that is not open is a closed door: 403) and of what is made and deleted."""


def asked_by_schemathesis(
    port: int, examples: int, folder: Path, phases: str = "examples,coverage,fuzzing"
) -> subprocess.CompletedProcess[str]:
    """Runs in a process of its own, which keeps its plugin and hooks out of this one, and in a folder for its files."""
    pytest.importorskip("schemathesis")
    options = ["--checks", CHECKS, "--max-examples", str(examples), "--seed", "5", "--no-color", "--no-shrink"]
    options += ["--continue-on-failure", "--generation-database", "none", "--phases", phases]
    command = [sys.executable, "-m", "schemathesis.cli", "run", f"http://127.0.0.1:{port}/openapi.json", *options]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=240, cwd=folder)


def test_schemathesis_finds_nothing(running: Running, tmp_path: Path) -> None:
    done = asked_by_schemathesis(running.port, 8, tmp_path)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


def test_schemathesis_finds_nothing_in_front_of_a_model_in_the_process(hosted: Running, tmp_path: Path) -> None:
    done = asked_by_schemathesis(hosted.port, 10, tmp_path, "fuzzing")  # what is taken in is read by the same code
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
