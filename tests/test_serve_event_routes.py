"""Responses and messages over real sockets: routes, keys, headers, errors in each route's shape, figures."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import serve_events as events
import serve_golden as golden
from serve_events import ALL, ASKS, frames, route_of, said
from serve_golden import EMAIL
from serve_upstream import STRICT, Running, Scripted, proxied, reply, says, stream_head, until


@pytest.fixture(scope="module")
def server() -> Iterator[Scripted]:
    upstream = Scripted()
    yield upstream
    upstream.close()


@pytest.fixture
def upstream(server: Scripted) -> Scripted:
    server.asked.clear()
    server.closed.clear()
    return server


@pytest.fixture(scope="module")
def running(server: Scripted) -> Iterator[Running]:
    with proxied(
        server.url,
        **{"upstream.read_seconds": 1, "limits.body_bytes": 20_000, "limits.headers": 30, "allow": ("cache",)},
    ) as proxy:
        yield proxy


def post(running: Running, route: str, headers: dict[str, str] | None = None, **more: Any) -> httpx.Response:
    return running.client.post(f"/v1/{route}", json={**ASKS[route], **more}, headers=headers)


def kind_of(route: str, response: httpx.Response) -> str:
    """The error's type, in the route's shape."""
    body = response.json()
    if route == "messages":
        assert (set(body), body["type"], set(body["error"])) == ({"type", "error"}, "error", {"type", "message"})
    else:
        assert (set(body), set(body["error"])) == ({"error"}, {"message", "type", "param", "code"})
    return str(body["error"]["type"])


def answer(route: str, text: str) -> bytes:
    if route == "messages":
        body = {**events.begun(), "content": [{"type": "text", "text": text}], "stop_reason": "end_turn"}
    else:
        body = events.response([events.message(text)], "completed", usage=events.USAGE)
    return json.dumps(body).encode()


@pytest.mark.parametrize("name", ALL)
def test_a_stream_passes_byte_equal_or_redacted(upstream: Scripted, running: Running, name: str) -> None:
    route, stream = route_of(name), ALL[name](golden.HARMLESS)
    before = running.count("requests_total", route=route, stream="true", outcome="passed")
    upstream.script = says(stream_head(), stream[:700], 0.01, stream[700:])
    got = post(running, route, stream=True)
    assert (got.status_code, got.content) == (200, stream)
    assert got.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert (upstream.asked[0].path, upstream.asked[0].json["stream"]) == (f"/v1/{route}", True)
    assert until(lambda: running.count("requests_total", route=route, stream="true", outcome="passed") == before + 1)
    upstream.script = says(stream_head(), ALL[name](golden.leaking(EMAIL)))
    assert said(post(running, route, stream=True).content) == "You can use <EMAIL_ADDRESS>, which is it."
    assert until(lambda: running.count("requests_total", route=route, stream="true", outcome="redacted") > 0)


@pytest.mark.parametrize("route", ASKS)
def test_a_whole_answer_passes_byte_equal_or_redacted(upstream: Scripted, running: Running, route: str) -> None:
    upstream.script = says(reply(answer(route, "Fine.")))
    got = post(running, route)
    assert (got.status_code, got.content) == (200, answer(route, "Fine."))
    upstream.script = says(reply(answer(route, f"Mail {EMAIL}.")))
    assert post(running, route).content.count(b"Mail <EMAIL_ADDRESS>.") == 1


def test_what_goes_upstream_and_comes_back(upstream: Scripted, running: Running) -> None:
    upstream.script = says(
        reply(answer("messages", "Fine."), request_id="req_011CSHoEeqs5C35K2UUqR7Fy",
              anthropic_ratelimit_tokens_remaining="9")
    )  # fmt: skip
    sent = {"x-api-key": "k-1", "anthropic-version": "2023-06-01", "anthropic-beta": "b-1", "authorization": "Bearer t"}
    got = post(running, "messages", {**sent, "cookie": "c=1"}, thinking={"type": "enabled", "budget_tokens": 1024})
    assert {name: upstream.asked[0].headers.get(name) for name in (*sent, "cookie")} == {**sent, "cookie": None}
    assert upstream.asked[0].json == {**ASKS["messages"], "thinking": {"type": "enabled", "budget_tokens": 1024}}
    assert got.headers["request-id"] == "req_011CSHoEeqs5C35K2UUqR7Fy"
    assert got.headers["anthropic-ratelimit-tokens-remaining"] == "9"
    upstream.script = says(reply(answer("responses", "Fine.")))
    post(running, "responses", temperature=0.5)
    assert upstream.asked[1].json == {**ASKS["responses"], "temperature": 0.5, "store": False}


def test_counting_tokens_passes_untouched(upstream: Scripted, running: Running) -> None:
    upstream.script = says(reply(b'{"input_tokens":  7}'))
    got = running.client.post("/v1/messages/count_tokens", content=b'{"messages":  []}')
    assert (got.status_code, got.content) == (200, b'{"input_tokens":  7}')
    assert (upstream.asked[0].path, upstream.asked[0].body) == ("/v1/messages/count_tokens", b'{"messages":  []}')


def test_keys_come_in_either_header_and_never_go_upstream(upstream: Scripted) -> None:
    strict = {"key": "strict-key-1", "policy": "strict"}
    with proxied(upstream.url, keys=[strict, {"key": "lenient-key-2", "policy": "default"}]) as running:
        upstream.script = says(reply(answer("messages", f"Mail {EMAIL}.")))
        for headers, shown in (
            ({"x-api-key": "strict-key-1"}, "<EMAIL_ADDRESS>"),
            ({"x-api-key": "lenient-key-2"}, EMAIL),
            ({"authorization": "Bearer strict-key-1"}, "<EMAIL_ADDRESS>"),
            ({"authorization": "Bearer strict-key-1", "x-api-key": "nope"}, "<EMAIL_ADDRESS>"),
        ):
            got = post(running, "messages", headers)
            assert got.json()["content"][0]["text"] == f"Mail {shown}."
        assert [each for each in upstream.asked if {"authorization", "x-api-key"} & set(each.headers)] == []
        upstream.asked.clear()
        for route, kind in (("messages", "authentication_error"), ("responses", "authentication_error")):
            got = post(running, route, {"x-api-key": "nope-nope"})
            assert (got.status_code, kind_of(route, got)) == (401, kind)
        assert upstream.asked == []


def test_the_upstreams_own_key_replaces_the_clients(upstream: Scripted) -> None:
    with proxied(upstream.url, **{"upstream.api_key": "up-key"}) as running:
        upstream.script = says(reply(answer("messages", "Hi.")))
        post(running, "messages", {"x-api-key": "mine", "authorization": "Bearer mine"})
        headers = upstream.asked[0].headers
        assert (headers["x-api-key"], headers["authorization"]) == ("up-key", "Bearer up-key")
        upstream.script = says(reply(answer("responses", "Hi.")))
        post(running, "responses", {"x-api-key": "mine"})
        assert "x-api-key" not in upstream.asked[1].headers


FORGED: list[tuple[str, dict[str, Any]]] = [
    ("responses", {"store": True}),
    ("responses", {"background": True}),
    ("responses", {"previous_response_id": "resp_1"}),
    ("responses", {"conversation": "conv_1"}),
    ("responses", {"top_logprobs": 5}),
    ("messages", {"logit_bias": {"1": 2}}),
    ("messages", {"stream": "yes"}),
]


@pytest.mark.parametrize(("route", "more"), FORGED)
def test_what_needs_a_permission_never_goes_upstream(
    upstream: Scripted, running: Running, route: str, more: dict[str, Any]
) -> None:
    got = post(running, route, **more)
    assert (got.status_code, kind_of(route, got)) == (400, "invalid_request_error")
    assert upstream.asked == []


DOORS: list[tuple[str, dict[str, Any], int, str]] = [
    ("POST", {"content": b"{"}, 400, "invalid_request_error"),
    ("POST", {"content": b"[]"}, 400, "invalid_request_error"),
    ("POST", {"content": b"{" + b" " * 30_000}, 413, "request_too_large"),
    ("POST", {"content": b"x", "headers": {"content-encoding": "gzip"}}, 415, "invalid_request_error"),
    ("POST", {"headers": [(f"x-{number}", "1") for number in range(40)]}, 431, "invalid_request_error"),
    ("GET", {}, 405, "invalid_request_error"),
    ("DELETE", {}, 405, "invalid_request_error"),
]


@pytest.mark.parametrize(("method", "more", "status", "kind"), DOORS)
def test_our_own_refusals_have_the_shape_of_the_route(
    upstream: Scripted, running: Running, method: str, more: dict[str, Any], status: int, kind: str
) -> None:
    got = running.client.request(method, "/v1/messages", **more)
    assert (got.status_code, kind_of("messages", got)) == (status, kind)
    got = running.client.request(method, "/v1/responses", **more)
    assert (got.status_code, got.json()["error"]["param"]) == (status, None)
    assert upstream.asked == []


def test_a_closed_route_names_the_guarded_ones(running: Running) -> None:
    got = running.client.get("/v1/responses/resp_1")
    assert (got.status_code, got.json()["error"]["code"]) == (403, "route_closed")
    for path in ("/v1/chat/completions", "/v1/completions", "/v1/responses", "/v1/messages"):
        assert f"POST {path}" in got.json()["error"]["message"]
    assert kind_of("messages", running.client.post("/v1/messages/batches")) == "permission_error"


@pytest.mark.parametrize("path", ["/healthcheck", "/health/ready", "/ping", "/live", "/status"])
def test_a_closed_route_that_may_ask_after_health_names_those_that_tell_it(running: Running, path: str) -> None:
    said = running.client.get(path)
    assert said.status_code == 403 and "GET /healthz" in said.text and "GET /readyz" in said.text
    assert "/healthz" not in running.client.get("/v1/responses/resp_1").text


@pytest.mark.parametrize("route", ASKS)
def test_what_cannot_be_judged_is_withheld(upstream: Scripted, running: Running, route: str) -> None:
    for script, status in (
        (says(reply(b"<html>" + EMAIL.encode(), "text/html")), 503),
        (says(reply(b'{"choices": []}')), 503),
        (says(), 502),
        (says(1.5), 504),
    ):
        upstream.script = script
        got = post(running, route)
        kind_of(route, got)
        assert (got.status_code, got.headers.get("x-should-retry")) == (status, "false" if status == 503 else None)
        assert EMAIL not in got.text


@pytest.mark.parametrize("route", ASKS)
def test_an_upstreams_error_is_passed_on_in_the_shape_of_the_route(
    upstream: Scripted, running: Running, route: str
) -> None:
    anthropic = {"type": "error", "error": {"type": "overloaded_error", "message": "Try later."}, "request_id": "r"}
    openai = {"error": {"type": "overloaded_error", "message": "Try later.", "param": None, "code": None}}
    for body in (anthropic, openai):
        upstream.script = says(reply(json.dumps(body).encode(), status=529, retry_after="2"))
        got = post(running, route)
        assert (got.status_code, got.headers["retry-after"], kind_of(route, got)) == (529, "2", "overloaded_error")
        assert got.json()["error"]["message"] == "Try later."
        leaky = json.dumps(body).replace("Try later.", f"Not {EMAIL}.").encode()
        upstream.script = says(reply(leaky, status=500))
        assert EMAIL not in post(running, route).text


@pytest.mark.parametrize("name", ALL)
def test_a_stream_that_dies_ends_in_one_error(upstream: Scripted, running: Running, name: str) -> None:
    stream = ALL[name](["Hi.", EMAIL[:9], "and"])
    upstream.script = says(stream_head(), stream[: stream.index(b"and")])
    before = running.count("requests_total", outcome="failed")
    got = post(running, route_of(name), stream=True)
    errors = [frame for frame in frames(got.content) if frame["type"] == "error"]
    assert [error["error"]["message"] for error in errors] == ["The model server broke off its answer."]
    assert EMAIL[:9] not in got.text
    assert until(lambda: running.count("requests_total", outcome="failed") > before)


@pytest.mark.parametrize("name", ALL)
def test_a_failure_of_our_own_withholds_the_answer(
    upstream: Scripted, running: Running, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError(EMAIL)

    route = route_of(name)
    monkeypatch.setattr("reticent.serve.stream.event_reader.EventWalk.read_delta", broken)
    monkeypatch.setattr("reticent.serve.stream.event_reader.EventWalk.read_full_text", broken)
    stream = ALL[name](golden.leaking(EMAIL))
    cut = stream.index(b"event:", 1)
    upstream.script = says(stream_head(), stream[:cut], 0.05, stream[cut:])
    got = post(running, route, stream=True)
    assert got.content.startswith(stream[:cut])
    last = frames(got.content)[-1]
    assert (last["type"], EMAIL[:6] in got.text) == ("error", False)
    if name == "responses_openai":
        assert last["sequence_number"] > frames(got.content)[-2]["sequence_number"]
    upstream.script = says(reply(answer(route, EMAIL)))
    got = post(running, route)
    kind_of(route, got)
    assert (got.status_code, EMAIL in got.text) == (503, False)


def test_a_blocked_stream_closes_the_upstream(upstream: Scripted) -> None:
    policies = {"strict": {**STRICT, "entities": {"DEFAULT": {"unknown": "block"}}}}
    with proxied(upstream.url, policies=policies) as running:
        for number, name in enumerate(("responses_openai", "messages_anthropic"), 1):
            route, stream = route_of(name), ALL[name](golden.leaking(EMAIL))
            head = stream[: stream.index(b'" it."')]
            upstream.script = says(stream_head(), head[: head.rindex(b"event:")], 5.0, b"x")
            out = post(running, route, stream=True).content
            assert frames(out)[-1]["type"] in ("response.incomplete", "message_stop")
            assert until(lambda number=number: len(upstream.closed) == number, 1.0)
            asked = {"outcome": "blocked", "stream": "true", "route": route}
            assert until(lambda asked=asked: running.count("requests_total", **asked) == 1)
