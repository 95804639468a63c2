"""The proxy over real sockets: routes, keys, headers, errors, clients that leave, upstreams that fail."""

from __future__ import annotations

import contextlib
import json
import logging
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import serve_golden as golden
from serve_golden import EMAIL, IBAN, request_body
from serve_upstream import STRICT, Running, Script, Scripted, proxied, reply, says, stream_head, until

from reticent.serve.transport.sharded_transport import ShardedTransport
from reticent.serve.wire.sse import KEEP_ALIVE


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
    limits = {"limits.read_seconds": None, "upstream.read_seconds": 1, "limits.keep_alive_seconds": 0.2}
    with proxied(server.url, **limits, **{"limits.body_bytes": 20_000, "limits.headers": 30}) as proxy:
        yield proxy


def completion(content: str) -> bytes:
    message = {"role": "assistant", "content": content, "refusal": None}
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
    usage = {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}
    top = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1732200000, "model": "small"}
    return json.dumps({**top, "choices": [choice], "usage": usage}, indent=1).encode()


def error_of(response: httpx.Response) -> dict[str, Any]:
    error = response.json()["error"]
    assert set(error) == {"message", "type", "param", "code"}
    assert "\n" not in error["message"]
    return dict(error)


# What passes, and how


def test_a_harmless_answer_is_byte_equal_whole_and_streamed(upstream: Scripted, running: Running) -> None:
    body = completion("The sky is blue.")
    upstream.script = says(reply(body, request_id="abc-1", x_ratelimit_remaining_tokens="42", x_secret="1"))
    got = running.post(request_body())
    assert (got.status_code, got.content) == (200, body)
    assert (got.headers["request-id"], got.headers["x-ratelimit-remaining-tokens"]) == ("abc-1", "42")
    assert "x-secret" not in got.headers
    stream = golden.ollama(golden.HARMLESS)
    upstream.script = says(stream_head(cache_control="max-age=9"), stream[:333], 0.01, stream[333:])
    got = running.post(request_body(stream=True))
    assert (got.status_code, got.content) == (200, stream)
    assert got.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert (got.headers["cache-control"], got.headers["x-accel-buffering"]) == ("no-cache", "no")
    assert "content-length" not in got.headers
    assert until(lambda: running.count("requests_total", outcome="passed") == 2)
    assert until(lambda: running.count("inflight_streams") == 0)
    assert running.count("client_disconnects_total") == 0


def test_a_long_prompt_is_judged_beside_the_loop_and_gives_the_same(upstream: Scripted, running: Running) -> None:
    stream = golden.ollama(golden.leaking(EMAIL))
    upstream.script = says(stream_head(), stream)
    typed = [{"role": "user", "content": "word " * 3_500 + EMAIL}]
    answer = running.post(request_body(stream=True, messages=typed)).content
    assert answer.replace(KEEP_ALIVE, b"") == stream
    typed[0]["content"] = "word " * 3_500
    assert golden.said(running.post(request_body(stream=True, messages=typed)).content) == (
        "You can use <EMAIL_ADDRESS>, which is it."
    )


def test_what_goes_upstream(upstream: Scripted, running: Running) -> None:
    upstream.script = says(reply(completion("Yes.")))
    raw = b'{"model": "a", "model": "small", "messages": [{"role": "user", "content": "\\u00fc?"}], "odd": {"x": [1]}}'
    headers = {"authorization": "Bearer k-1", "openai_organization": "o", "x_request_id": "r", "traceparent": "t"}
    assert running.post(
        raw, content_type="application/json; charset=utf-8", cookie="c=1", accept_encoding="gzip", **headers
    ).is_success
    asked = upstream.asked[0]
    assert (asked.method, asked.path) == ("POST", "/v1/chat/completions")
    assert asked.json == {"model": "small", "messages": [{"role": "user", "content": "\u00fc?"}], "odd": {"x": [1]}}
    wanted = {"accept-encoding": "identity", "content-type": "application/json"}
    sent = {name.replace("_", "-"): value for name, value in headers.items()} | wanted
    assert {name: asked.headers.get(name) for name in sent} == sent
    assert "cookie" not in asked.headers


def test_a_value_is_redacted_whole_and_streamed(upstream: Scripted, running: Running) -> None:
    upstream.script = says(reply(completion(f"Write to {EMAIL}, please.")))
    got = running.post(request_body()).json()
    assert got["choices"][0]["message"]["content"] == "Write to <EMAIL_ADDRESS>, please."
    assert (got["choices"][0]["finish_reason"], got["usage"]["total_tokens"]) == ("stop", 3)
    stream = golden.vllm(golden.leaking(EMAIL))
    upstream.script = says(
        stream_head(), *(step for at in range(0, len(stream), 700) for step in (stream[at : at + 700], 0.002))
    )
    out = running.post(request_body(stream=True)).content
    assert not golden.leaked(out, EMAIL)
    assert golden.said(out) == "You can use <EMAIL_ADDRESS>, which is it."


@pytest.mark.parametrize("kind", ["whole", "stream", "redact"])
def test_under_monitor_nothing_is_changed_and_the_counters_say_what_would_have_been(
    upstream: Scripted, kind: str
) -> None:
    rules = {"EMAIL_ADDRESS": {"unknown": "redact"}, "PHONE_NUMBER": {"unknown": "block"}}
    watch = {"monitor": True, "entities": rules, "hold": {"max_seconds": 60}}
    stream = golden.ollama(golden.leaking(EMAIL))
    text = f"Write to {EMAIL} or call {golden.PHONE}."
    upstream.script = says(stream_head(), stream) if kind == "stream" else says(reply(completion(text)))
    with proxied(upstream.url, policy="watch", policies={"watch": watch}) as running:
        body = {"text": text} if kind == "redact" else request_body(stream=kind == "stream")
        got = running.post(body, "/v1/redact" if kind == "redact" else "/v1/chat/completions")
        assert (EMAIL if kind != "stream" else stream.decode()) in got.text
        assert until(lambda: running.count("requests_total", outcome="passed") == 1)
        mail = {"entity": "EMAIL_ADDRESS", "origin": "unknown", "tier": "text"}
        assert running.count("spans_total", action="allow", **mail) == 1
        assert running.count("spans_total", action="redact") == running.count("spans_total", action="block") == 0
        assert running.count("monitored_spans_total", action="redact", **mail) == 1
        assert running.count("monitored_spans_total", action="block", entity="PHONE_NUMBER") == (kind != "stream")
        outcome = "redacted" if kind == "stream" else "blocked"
        route = "redact" if kind == "redact" else "chat_completions"
        assert running.count("monitored_answers_total", outcome=outcome, route=route) == 1
        assert running.count("monitored_answers_total") == 1


def test_routes_without_generated_text_pass_untouched(upstream: Scripted, running: Running) -> None:
    upstream.script = lambda asked: iter([reply(f'{{"at":  "{asked.method} {asked.path}"}}'.encode(), status=200)])
    for method, path in [("GET", "/v1/models"), ("GET", "/v1/models/org/small-1.5"), ("POST", "/v1/embeddings")]:
        content = b'{"input":  "x"}' if method == "POST" else b""
        got = running.client.request(method, path, content=content)
        assert (got.status_code, got.text) == (200, f'{{"at":  "{method} {path}"}}')
        assert upstream.asked[-1].body == content
    for method, path in [("GET", "/health"), ("GET", "/version"), ("POST", "/tokenize"), ("POST", "/detokenize")]:
        assert running.client.request(method, path).status_code == 200


CLOSED = [
    "/v1/responses/",
    "/v1//responses",
    "/v1/responses/resp_1",
    "/v1/responses/resp_1/input_items",
    "/v1/responses/compact",
    "/v1/messages/",
    "/v1/messages/batches",
    "/v1/messages/count_tokens/",
    "/v1/conversations",
    "/invocations",
    "/inference/v1/generate",
    "/generate",
    "/completion",
    "/api/chat",
    "/v1/audio/transcriptions",
    "/v1/chat/completions/",
    "//v1/chat/completions",
    "/v1//chat/completions",
    "/v1/./chat/completions",
    "/v1/%2e/chat/completions",
    "/v1/x/%2e%2e/chat/completions",
    "/v1/x/../chat/completions",
    "/V1/chat/completions",
    "/v1/chat/completions;x",
    "/v1/models/../chat/completions",
    "/v1/models/%2e%2e/chat/completions",
    "/v1/models/",
    "/metrics",
    "/docs",
    "/",
    "*",
]


@pytest.mark.parametrize("path", CLOSED)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_every_other_route_is_closed(upstream: Scripted, running: Running, method: str, path: str) -> None:
    with socket.create_connection(("127.0.0.1", running.port)) as raw:  # a client would tidy the path up
        raw.sendall(
            (
                f"{method} {path} HTTP/1.1\r\n"
                f"host: 127.0.0.1\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
            ).encode()
        )
        answer = b"".join(iter(lambda: raw.recv(65536), b""))
    assert answer.split(b" ", 2)[1] in (b"403", b"400")
    assert upstream.asked == []


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "OPTIONS", "HEAD"])
def test_a_guarded_route_has_one_method(upstream: Scripted, running: Running, method: str) -> None:
    got = running.client.request(method, "/v1/chat/completions")
    assert (got.status_code, got.headers["allow"]) == (405, "POST")
    assert upstream.asked == []
    if method != "HEAD":
        assert error_of(got)["code"] == "method_not_allowed"


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/openapi.json", "/v1/models", "/v1/models/small", "/health"])
def test_what_is_got_is_there_for_a_probe(upstream: Scripted, running: Running, path: str) -> None:
    upstream.script = says(reply(b'{"object":  "list"}'))
    got, probed = running.client.get(path), running.client.head(path)
    assert (probed.status_code, probed.content) == (200, b"")
    assert {name: probed.headers[name] for name in ("content-type", "content-length")} == {
        name: got.headers[name] for name in ("content-type", "content-length")
    }
    assert {asked.method for asked in upstream.asked} <= {"GET"}


def test_a_page_of_another_origin_may_not_ask(upstream: Scripted, running: Running) -> None:
    for path in ("/v1/models", "/healthz", "/tokenize", "/v1/chat/completions"):
        for given in ({"origin": "http://x"}, {"host": "rebound.example"}, {"sec-fetch-site": "cross-site"}):
            got = running.client.options(path, headers={**given, "access-control-request-method": "POST"})
            assert got.status_code == 403
            assert not [name for name in got.headers if name.startswith("access-control")]
            assert running.client.post(path, headers=given, content=b"{}").status_code == 403
    assert running.post(request_body(), content_type="text/plain").status_code == 415
    assert upstream.asked == []


@pytest.mark.parametrize("settings", [{"open": True}, {"keys": [{"key": "some-key-1"}]}])
def test_who_is_let_in_by_the_settings_may_ask_under_any_name(upstream: Scripted, settings: dict[str, Any]) -> None:
    upstream.script = says(reply(completion("Yes.")))
    with proxied(upstream.url, **settings) as running:
        got = running.post(request_body(), host="proxy.example", content_type="text/plain", x_api_key="some-key-1")
        assert got.status_code == 200
        got = running.client.options("/v1/models", headers={"origin": "http://x", "x-api-key": "some-key-1"})
        assert (got.status_code, got.headers["allow"]) == (405, "GET, HEAD")


def test_a_path_that_decodes_to_a_guarded_route_is_guarded(upstream: Scripted, running: Running) -> None:
    upstream.script = says(reply(completion(f"It is {IBAN}.")))
    got = running.post(request_body(), path="/v1/chat%2Fcompletions?x=1")
    assert got.json()["choices"][0]["message"]["content"] == "It is <IBAN_CODE>."
    assert upstream.asked[0].path == "/v1/chat/completions"


# Connections to the upstream


def _open(running: Running) -> int:
    upstream = running.proxy.upstream
    assert upstream is not None
    pools = upstream._client._transport
    assert isinstance(pools, ShardedTransport) and repr(pools).endswith(f", {sum(pools._open)} open)")
    return sum(pools._open) + sum(len(each._pool._requests) for each in pools._pools)  # type: ignore[attr-defined]


@pytest.mark.parametrize("end", [b"", b"0\r\n\r\n"], ids=["closed", "chunked"])
def test_no_answer_keeps_a_connection(upstream: Scripted, running: Running, end: bytes) -> None:
    body = golden.vllm(golden.HARMLESS)
    head = stream_head() if not end else stream_head(transfer_encoding="chunked")
    upstream.script = says(head, b"%x\r\n%s\r\n" % (len(body), body) if end else body, 0.02, end)
    for _ in range(20):
        assert running.post(request_body(stream=True)).content == body
    assert until(lambda: _open(running) == 0)


def test_no_client_that_leaves_keeps_a_connection(upstream: Scripted, running: Running) -> None:
    frames = golden.vllm(["la "] * 40).split(b"\n\n")
    upstream.script = says(stream_head(), *[step for frame in frames for step in (frame + b"\n\n", 0.003)])
    for number in range(12):
        with running.client.stream("POST", "/v1/chat/completions", json=request_body(stream=True)) as response:
            pieces = response.iter_raw()
            for _ in range(1 + number):
                next(pieces)
    assert until(lambda: _open(running) == 0)


def test_a_connection_serves_again(running: Running) -> None:
    """The next answer comes over the connection of the one before."""
    body = golden.vllm(golden.HARMLESS)
    response = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: %d\r\n\r\n%s" % (len(body), body)
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        proxied(f"http://127.0.0.1:{listener.getsockname()[1]}") as proxy,
    ):
        taken = []

        def serve() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                taken.append(connection)
                threading.Thread(target=answer, args=(connection,), daemon=True).start()

        def answer(connection: socket.socket) -> None:
            with contextlib.suppress(OSError):
                while connection.recv(1 << 16):
                    connection.sendall(response)

        threading.Thread(target=serve, daemon=True).start()
        asked = 0
        while asked - len(taken) < 4 and asked < 60:  # a busy machine may come too late for an end now and then
            assert proxy.post(request_body(stream=True)).content == body
            asked += 1
        assert asked - len(taken) >= 4
        for connection in taken:
            connection.close()


# Bad requests

BAD = [
    (b"{", 400, "invalid_json"),
    (b"[]", 400, "invalid_type"),
    (b"\xff", 400, "invalid_json"),
    (b"[" * 10_000, 400, "invalid_json"),
    (b'{"messages": "x"}', 400, "invalid_type"),
    (b'{"messages": []}', 400, "invalid_type"),
    (b'{"messages": [1]}', 400, "invalid_type"),
    (b'{"messages": [{"content": "x"}]}', 400, "invalid_type"),
    (b'{"messages": [{"role": "user", "content": 7}]}', 400, "invalid_type"),
    (json.dumps(request_body(stream="yes")).encode(), 400, "invalid_type"),
    (json.dumps(request_body(n=0)).encode(), 400, "invalid_value"),
    (json.dumps(request_body(n=10_000)).encode(), 400, "invalid_value"),
    (json.dumps(request_body(n=True)).encode(), 400, "invalid_value"),
    (json.dumps(request_body(model=["x"])).encode(), 400, "invalid_type"),
    (json.dumps(request_body(stream=True, stream_options=7)).encode(), 400, "invalid_type"),
    (json.dumps(request_body(stream_options={"include_usage": 1})).encode(), 400, "invalid_type"),
    (json.dumps(request_body(top_logprobs=101)).encode(), 400, "not_allowed"),
    (json.dumps(request_body(logprobs=True)).encode(), 400, "not_allowed"),
    (json.dumps(request_body(logit_bias={"50256": -100})).encode(), 400, "not_allowed"),
    (json.dumps(request_body(vllm_xargs={"processor": [1]})).encode(), 400, "not_allowed"),
    (json.dumps(request_body(guided_regex="[0-9]+")).encode(), 400, "not_allowed"),
    (json.dumps(request_body(store=True)).encode(), 400, "not_allowed"),
    (json.dumps(request_body(logprob_token_ids=[0, 5])).encode(), 400, "not_allowed"),
    (json.dumps(request_body(response_format={"type": "structural_tag", "format": {}})).encode(), 400, "not_allowed"),
    (json.dumps(request_body(response_format={"type": ["text"]})).encode(), 400, "not_allowed"),
    (json.dumps(request_body(pad="x" * 30_000)).encode(), 413, "too_large"),
]


@pytest.mark.parametrize(("body", "status", "code"), BAD)
def test_a_bad_request_gets_one_error_and_never_goes_upstream(
    upstream: Scripted, running: Running, body: bytes, status: int, code: str
) -> None:
    before = running.count("failures_total", stage="request")
    got = running.post(body)
    assert (got.status_code, error_of(got)["code"]) == (status, code)
    assert upstream.asked == []
    assert running.count("failures_total", stage="request") == before + 1


COMPLETION_PROMPTS = [
    ({"prompt": 7}, "invalid_type"),
    ({"prompt": []}, "invalid_type"),
    ({"prompt": [1, 2]}, "not_allowed"),
    ({"prompt": [[1]]}, "not_allowed"),
    ({"prompt": "x", "echo": True}, "not_allowed"),
    ({"prompt": "x", "logprobs": 0}, "not_allowed"),
    ({"prompt": ["x"] * 9, "n": 2}, "invalid_value"),
    ({"prompt": "x", "best_of": 99}, "invalid_value"),
    ({"prompt": "x", "suffix": 1}, "invalid_type"),
]


@pytest.mark.parametrize(("body", "code"), COMPLETION_PROMPTS)
def test_a_bad_completion_request(upstream: Scripted, running: Running, body: dict[str, Any], code: str) -> None:
    assert error_of(running.post(body, path="/v1/completions"))["code"] == code
    assert upstream.asked == []


def test_a_compressed_body_and_too_many_headers_are_refused(upstream: Scripted, running: Running) -> None:
    assert running.post(b"x", content_encoding="gzip").status_code == 415
    got = running.client.get("/v1/models", headers=[(f"x-{number}", "1") for number in range(40)])
    assert (got.status_code, error_of(got)["code"]) == (431, "too_many_headers")
    assert upstream.asked == []


# Upstreams that fail

HTML = b"<html>Gateway " + EMAIL.encode() + b"</html>"
BAD_ANSWERS: list[tuple[str, Script, int, str]] = [
    ("HTML", says(reply(HTML, "text/html")), 503, "upstream_unreadable"),
    ("HTML called JSON", says(reply(HTML)), 503, "upstream_unreadable"),
    ("a list", says(reply(b"[]")), 503, "upstream_unreadable"),
    ("no choices", says(reply(b'{"choices": []}')), 503, "upstream_unreadable"),
    ("choices as text", says(reply(b'{"choices": "x"}')), 503, "upstream_unreadable"),
    ("a choice as text", says(reply(b'{"choices": ["x"]}')), 503, "upstream_unreadable"),
    ("too many choices", says(reply(b'{"choices": [{"index": 0}, {"index": 1}]}')), 503, "upstream_unreadable"),
    ("compressed", says(reply(b"\x1f\x8b", content_encoding="gzip")), 503, "upstream_unreadable"),
    ("a redirect", says(reply(b"", status=307, location="http://127.0.0.1:1/")), 503, "upstream_unreadable"),
    ("a stream", says(reply(golden.ollama(["Hi"]), "text/event-stream")), 503, "upstream_unreadable"),
    ("cut short", says(reply(completion("Hi"))[:-40]), 502, "upstream_broken"),
    ("nothing", says(), 502, "upstream_broken"),
    ("slow", says(1.5), 504, "upstream_timeout"),
]


@pytest.mark.parametrize(
    ("script", "status", "code"), [row[1:] for row in BAD_ANSWERS], ids=[r[0] for r in BAD_ANSWERS]
)
def test_what_cannot_be_judged_is_withheld(
    upstream: Scripted, running: Running, script: Script, status: int, code: str
) -> None:
    upstream.script = script
    before = running.count("failures_total")
    got = running.post(request_body())
    assert (got.status_code, error_of(got)["code"]) == (status, code)
    assert got.headers.get("x-should-retry") == ("false" if status == 503 else None)
    assert EMAIL not in got.text
    assert running.count("failures_total") == before + 1


DRIP = [step for _ in range(8) for step in (b" ", 0.1)]


@pytest.mark.parametrize(("method", "path"), [("POST", "/v1/chat/completions"), ("GET", "/v1/models")])
def test_an_answer_that_drips_ends_in_time(upstream: Scripted, method: str, path: str) -> None:
    upstream.script = says(reply(b" " * 99)[:-99], *DRIP)
    with proxied(upstream.url, **{"limits.stream_seconds": 0.3}) as running:
        content = json.dumps(request_body()).encode() if method == "POST" else b""
        got = running.client.request(method, path, content=content)
        assert (got.status_code, error_of(got)["code"]) == (504, "upstream_timeout")
        assert running.count("failures_total", stage="upstream") == 1


def test_headers_need_not_be_ascii(upstream: Scripted, running: Running) -> None:
    upstream.script = says(reply(completion("Yes.")))
    name = "gr\u00fcn".encode()
    got = running.client.post("/v1/chat/completions", json=request_body(), headers={b"openai-project": name})
    assert got.status_code == 200
    assert upstream.asked[0].headers["openai-project"].encode("latin-1") == name


def test_an_absent_upstream() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with proxied(f"http://127.0.0.1:{port}") as running:
        got = running.post(request_body(stream=True))
        assert (got.status_code, error_of(got)["code"]) == (502, "upstream_unreachable")
        assert running.count("failures_total", stage="connect") == 1
        asked = {"route": "chat_completions", "stream": "true"}
        assert running.count("requests_total", outcome="failed", **asked) == running.count("requests_total") == 1
        assert running.client.get("/readyz").status_code == 503
        assert running.client.get("/healthz").status_code == 200


def test_an_upstreams_error_is_passed_on_without_values(upstream: Scripted, running: Running) -> None:
    error = {
        "error": {
            "message": "The maximum context length is 4096.",
            "type": "BadRequestError",
            "param": None,
            "code": 400,
        }
    }
    upstream.script = says(reply(json.dumps(error).encode(), status=400))
    got = running.post(request_body(stream=True))
    assert (got.status_code, got.json()) == (400, error)
    error["error"]["message"] = f"Cannot say {EMAIL} here."
    upstream.script = says(reply(json.dumps(error).encode(), status=500, retry_after="3"))
    got = running.post(request_body())
    assert (got.status_code, got.headers["retry-after"], EMAIL in got.text) == (500, "3", False)
    upstream.script = says(reply(HTML, "text/html", status=502))
    got = running.post(request_body())
    assert (got.status_code, error_of(got)["message"]) == (502, "The model server answered with an error.")
    upstream.script = says(reply(b'{"detail": "x", "message": "No such model.", "code": 404}', status=404))
    assert error_of(running.post(request_body()))["message"] == "No such model."


HEAD = stream_head()
START = golden.ollama(["Mail ", EMAIL[:9]]).partition(
    b'data: {"id":"chatcmpl-417","object":"chat.completion.chunk","created":1732200000,"model":"small",'
    b'"system_fingerprint":"fp_ollama","choices":[{"index":0,"delta":{"role":"assistant","content":""}'
)[0]
BAD_STREAMS: list[tuple[str, Script, str]] = [
    ("dies after the head", says(HEAD), "upstream_broken"),
    ("dies in a value", says(HEAD, START), "upstream_broken"),
    (
        "dies mid-frame",
        says(HEAD, START, b'data: {"choices": [{"index": 0, "delta": {"content": "rest'),
        "upstream_broken",
    ),
    ("dies in a chunk", says(stream_head(transfer_encoding="chunked"), b"ff\r\n" + START[:99]), "upstream_broken"),
    ("no JSON", says(HEAD, START, b"data: {oops}\n\n"), "upstream_unreadable"),
    ("no UTF-8", says(HEAD, START, b'data: {"a": "\xff"}\n\n'), "upstream_unreadable"),
    ("a text", says(HEAD, START, b'data: "jane"\n\n'), "upstream_unreadable"),
    ("a choice too many", says(HEAD, START, b'data: {"choices": [{"index": 3}]}\n\n'), "upstream_unreadable"),
    ("falls silent", says(HEAD, START, 1.5), "upstream_timeout"),
]


@pytest.mark.parametrize("word", ["server_error", "c1"])
def test_an_error_in_a_stream_is_that_of_a_whole_answer(upstream: Scripted, running: Running, word: str) -> None:
    error = {"error": {"message": f"Cannot say {EMAIL} here.", "type": word, "param": None, "code": word}}
    upstream.script = says(reply(json.dumps(error).encode(), status=500))
    whole = running.post(request_body())
    assert error_of(whole) == {**error["error"], "message": "The model server answered with an error."}
    upstream.script = says(HEAD, golden.ollama(["Hi "]).partition(b"\n\n")[0] + b"\n\n", golden.compact(error))
    got = running.post(request_body(stream=True))
    assert [frame for frame in golden.frames(got.content) if "error" in frame] == [whole.json()]
    for odd in (EMAIL, ["x", EMAIL]):
        upstream.script = says(HEAD, golden.compact({"error": odd}))
        got = golden.frames(running.post(request_body(stream=True)).content)
        assert [frame["error"]["message"] for frame in got] == ["The model server answered with an error."]


@pytest.mark.parametrize(("script", "code"), [row[1:] for row in BAD_STREAMS], ids=[row[0] for row in BAD_STREAMS])
def test_a_stream_that_fails_ends_in_one_error_and_done(
    upstream: Scripted, running: Running, script: Script, code: str
) -> None:
    upstream.script = script
    before = running.count("failures_total")
    got = running.post(request_body(stream=True))
    assert got.status_code == 200
    found = golden.frames(got.content)
    errors = [frame["error"] for frame in found if "error" in frame]
    assert [error["code"] for error in errors] == [code]
    assert found[-1] == {"error": errors[0]}
    assert EMAIL[:9] not in got.text
    assert got.content.endswith(b"data: [DONE]\n\n")
    assert running.count("failures_total") == before + 1


def test_a_stream_asked_for_but_not_given_is_an_error(upstream: Scripted, running: Running) -> None:
    upstream.script = says(reply(completion("Hi")))
    got = running.post(request_body(stream=True))
    assert (got.status_code, got.headers["x-should-retry"]) == (503, "false")


# Clients


@contextlib.contextmanager
def asking(running: Running, body: dict[str, Any]) -> Iterator[socket.socket]:
    content = json.dumps(body).encode()
    with socket.socket() as raw:
        raw.settimeout(5)
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 14)  # so that who takes nothing is soon seen
        raw.connect(("127.0.0.1", running.port))
        head = (
            f"POST /v1/chat/completions HTTP/1.1\r\n"
            f"host: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: {len(content)}\r\n\r\n"
        )
        raw.sendall(head.encode() + content)
        yield raw


@pytest.mark.parametrize("stream", [True, False])
def test_a_client_that_leaves_closes_the_upstream_within_a_second(
    upstream: Scripted, running: Running, stream: bool
) -> None:
    words = [" Mail", *[" now"] * 12]  # the tagger waits for eight
    frames = golden.ollama(words).split(b"\n\n")[: len(words)]
    long_start = b"\n\n".join([*frames, b""])
    upstream.script = says(*((HEAD, long_start) if stream else ()), 5.0, b"late")
    before = running.count("client_disconnects_total"), running.count("requests_total", outcome="failed")
    with asking(running, request_body(stream=stream)) as raw:
        assert until(lambda: bool(upstream.asked))
        if stream:
            assert b"Mail" in raw.recv(65536) + raw.recv(65536)
        time.sleep(0.05)
    left = time.monotonic()
    assert until(lambda: bool(upstream.closed), 2.0)
    assert upstream.closed[0] - left < 1.0
    assert until(lambda: running.count("client_disconnects_total") == before[0] + 1)
    if stream:  # its verdicts are counted
        assert until(lambda: running.count("requests_total", outcome="failed") == before[1] + 1)
    assert until(lambda: running.count("inflight_streams") == 0)


def test_a_blocked_answer_closes_the_upstream(upstream: Scripted) -> None:
    policies = {"strict": {**STRICT, "entities": {"DEFAULT": {"unknown": "block"}}}}
    with proxied(upstream.url, policies=policies) as running:
        stream = golden.ollama(golden.leaking(IBAN))
        upstream.script = says(HEAD, stream.removesuffix(b"data: [DONE]\n\n"), 5.0, b"x")
        got = running.post(request_body(stream=True))
        assert golden.reasons(got.content) == ["content_filter"]
        assert until(lambda: bool(upstream.closed), 1.0)
        asked = {"outcome": "blocked", "stream": "true", "route": "chat_completions"}
        assert until(lambda: running.count("requests_total", **asked) == 1)


def test_a_silent_stream_is_kept_alive_while_text_is_held(upstream: Scripted, running: Running) -> None:
    held = golden.ollama(["I", " saw 21"]).split(b"\n\n")[:2]
    upstream.script = says(HEAD, b"\n\n".join([*held, b""]), 0.5, golden.ollama([" birds", " there."]))
    got = running.post(request_body(stream=True)).content
    assert 1 <= got.count(b": keep-alive\n\n") <= 3
    assert golden.said(got) == "I saw 21 birds there."


def test_what_is_held_too_long_is_decided(upstream: Scripted) -> None:
    policies = {"strict": {**STRICT, "hold": {"max_seconds": 0.2}}}
    with proxied(upstream.url, policies=policies) as running:
        upstream.script = says(HEAD, START, 5.0)
        with asking(running, request_body(stream=True)) as raw:
            got = b""
            while b"<UNDECIDED>" not in got:
                got += raw.recv(65536)
        assert EMAIL[:9].encode() not in got
        assert until(lambda: running.count("overflows_total") == 1)


def test_a_body_that_comes_too_slowly_is_refused(upstream: Scripted) -> None:
    with (
        proxied(upstream.url, **{"limits.client_seconds": 0.3}) as running,
        socket.create_connection(("127.0.0.1", running.port), timeout=5) as raw,
    ):
        raw.sendall(
            b"POST /v1/chat/completions HTTP/1.1\r\n"
            b"host: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{"
        )
        for _ in range(2):
            time.sleep(0.1)
            raw.sendall(b" ")
        assert raw.recv(65536).startswith(b"HTTP/1.1 408")
        assert upstream.asked == []


def test_only_so_many_requests_are_open_at_a_time(upstream: Scripted) -> None:
    with proxied(upstream.url, **{"limits.inflight": 1}) as running:
        upstream.script = says(HEAD, START, 5.0)
        with asking(running, request_body(stream=True)):
            assert until(lambda: bool(upstream.asked))
            got = running.post(request_body())
            assert (got.status_code, error_of(got)["code"], got.headers["retry-after"]) == (429, "overloaded", "1")
            assert running.count("failures_total", stage="request") == 1
        assert until(lambda: running.count("inflight_streams") == 0)


def test_what_nobody_foresaw_is_one_error_and_counted(upstream: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*given: Any) -> None:
        raise KeyError(EMAIL)

    with proxied(upstream.url) as running:
        monkeypatch.setattr(running.proxy, "exchange", fails)
        got = running.post(request_body())
        assert (got.status_code, error_of(got)["code"]) == (503, "upstream_unreadable")
        assert running.count("failures_total", stage="request") == 1
    assert upstream.asked == []


def test_a_reader_that_takes_nothing_is_cut_off(upstream: Scripted) -> None:
    line = b'data: {"choices": []' + b" " * 500_000 + b"}\n\n"
    upstream.script = says(HEAD, *([line] * 100))
    limits = {"limits.client_seconds": 0.3, "limits.frame_bytes": 1 << 20}
    with proxied(upstream.url, **limits) as running, asking(running, request_body(stream=True)):
        assert until(lambda: running.count("client_disconnects_total") == 1, 8.0)
        assert until(lambda: bool(upstream.closed))


# Keys


def test_two_keys_one_request_two_outcomes(upstream: Scripted) -> None:
    keys = [
        {"key": "strict-key-1", "policy": "strict", "allow": ["logprobs"]},
        {"key": "lenient-key-2", "policy": "default"},
    ]
    with proxied(upstream.url, keys=keys) as running:
        upstream.script = says(reply(completion(f"It is {IBAN}.")))
        ask = request_body(policy="default", guard={"policy": "default"})

        def content(key: str, **more: Any) -> str:
            got = running.post(ask | more, authorization=f"Bearer {key}", x_policy="default")
            return str(got.json()["choices"][0]["message"]["content"])

        assert content("strict-key-1") == "It is <IBAN_CODE>."
        assert content("strict-key-1", logprobs=True) == "It is <IBAN_CODE>."
        assert content("lenient-key-2") == f"It is {IBAN}."
        assert not [asked for asked in upstream.asked if "authorization" in asked.headers]
        upstream.asked.clear()
        refused = running.post(ask | {"logprobs": True}, authorization="Bearer lenient-key-2")
        assert error_of(refused)["code"] == "not_allowed"
        for headers in ({}, {"authorization": "Bearer nope-nope"}, {"authorization": "Basic strict-key-1"}):
            got = running.post(ask, **headers)
            assert (got.status_code, error_of(got)["code"]) == (401, "invalid_api_key")
        assert running.client.get("/v1/models").status_code == 401
        assert running.client.get("/healthz").status_code == 200
        assert upstream.asked == []


def test_the_upstreams_own_key_replaces_the_clients(upstream: Scripted) -> None:
    with proxied(upstream.url, **{"upstream.api_key": "up-key"}) as running:
        upstream.script = says(reply(completion("Hi.")))
        running.post(request_body(), authorization="Bearer mine")
        assert upstream.asked[0].headers["authorization"] == "Bearer up-key"


def test_what_is_not_allowed_may_be_stripped_instead(upstream: Scripted) -> None:
    with proxied(upstream.url, strip=True) as running:
        upstream.script = says(reply(completion("Hi.")))
        assert running.post(request_body(logprobs=True, top_logprobs=5, seed=7)).is_success
        assert upstream.asked[0].json == request_body(seed=7)
        assert running.post(request_body(response_format={"type": "structural_tag"}, seed=7)).is_success
        assert upstream.asked[1].json == request_body(seed=7)
        plain = request_body(response_format={"type": "json_object"})
        assert running.post(plain).is_success and upstream.asked[2].json == plain


# Other doors


def test_no_value_in_logs_metrics_or_errors(
    upstream: Scripted, running: Running, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    ask = request_body(messages=[{"role": "user", "content": "My key word is xylophone-77"}])
    for script in (
        says(reply(completion(f"Mail {EMAIL}"))),
        says(reply(HTML)),
        says(reply(HTML, status=500)),
        says(reply(f'{{"choices": "{EMAIL}"}}'.encode())),
    ):
        upstream.script = script
        running.post(ask)
    for stream in (golden.ollama(golden.leaking(EMAIL)), b"data: " + EMAIL.encode() + b"\n\n", START):
        upstream.script = says(HEAD, stream)
        running.post({**ask, "stream": True})
    shown = capfd.readouterr()
    ours = [record.getMessage() for record in caplog.records if not record.name.startswith(("httpx", "httpcore"))]
    doors = [running.proxy.metrics.render()[0].decode(), shown.out, shown.err, *ours]
    for value in (EMAIL, "jane", "xylophone"):
        assert not [door for door in doors if value in door]


def test_a_failure_of_our_own_withholds_the_answer(
    upstream: Scripted, running: Running, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError(EMAIL)

    monkeypatch.setattr("reticent.serve.stream.chunk_reader.ChunkReader.read", broken)
    upstream.script = says(reply(completion(f"Mail {EMAIL}")))
    got = running.post(request_body())
    assert (got.status_code, got.headers["x-should-retry"], EMAIL in got.text) == (503, "false", False)
    upstream.script = says(HEAD, golden.ollama(golden.leaking(EMAIL)))
    got = running.post(request_body(stream=True))
    assert [frame["error"]["code"] for frame in golden.frames(got.content)] == ["upstream_unreadable"]
    assert [EMAIL in caplog.text, "RuntimeError" in caplog.text] == [False, True]


def test_ready_when_the_upstream_answers(upstream: Scripted, running: Running) -> None:
    upstream.script = says(reply(b"{}"))
    assert running.client.get("/readyz").status_code == 200


def test_requests_at_once_do_not_share_anything(upstream: Scripted, running: Running) -> None:
    def script(asked: Any) -> Iterator[bytes | float]:
        name = asked.json["messages"][0]["content"]
        yield HEAD
        yield from (
            step
            for piece in golden.ollama([f"{name} says ", EMAIL, " ok"]).split(b"\n\n")
            if piece
            for step in (piece + b"\n\n", 0.005)
        )

    upstream.script = script
    out: dict[str, str] = {}

    def ask(name: str, typed: str) -> None:
        messages = [{"role": "user", "content": name}, {"role": "user", "content": typed}]
        with httpx.Client(trust_env=False, timeout=10) as client:
            url = f"http://127.0.0.1:{running.port}/v1/chat/completions"
            out[name] = golden.said(client.post(url, json=request_body(messages=messages, stream=True)).content)

    threads = [
        threading.Thread(target=ask, args=(name, EMAIL if name == "Ann" else "-")) for name in ("Ann", "Bob", "Cy")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert out == {
        "Ann": f"Ann says {EMAIL} ok",
        "Bob": "Bob says <EMAIL_ADDRESS> ok",
        "Cy": "Cy says <EMAIL_ADDRESS> ok",
    }
