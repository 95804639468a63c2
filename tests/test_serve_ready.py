"""What says that the proxy is ready: the upstream, and a scheduled question whose value has to be stopped."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
import serve_events as events
import serve_golden as golden
from serve_golden import PHONE
from serve_upstream import STRICT, ReceivedRequest, Running, Script, Scripted, proxied, reply, says, stream_head
from serve_upstream import until as until_

from reticent.observability.observers import CanaryResult
from reticent.serve.app import create_app
from reticent.serve.config import load
from reticent.serve.proxy import Proxy
from reticent_detectors.errors import InputError

until = partial(until_, seconds=20.0)  # a canary's rounds take their time on a busy machine
QUESTION = "Which number has the person that is nobody?"


@pytest.fixture
def upstream() -> Iterator[Scripted]:
    scripted = Scripted()
    yield scripted
    scripted.close()


def canary(**more: Any) -> dict[str, Any]:
    body = {"model": "small", "stream": True, "messages": [{"role": "user", "content": QUESTION}]}
    return {"value": PHONE, "entity": "PHONE_NUMBER", "body": body, "every_seconds": 0.05, **more}


def read_request(says_it: Script) -> Script:
    """The canary's question is answered by the script, all else with nothing."""
    return lambda asked: says_it(asked) if b"is nobody" in asked.body else iter([reply(b"{}")])


def readiness(running: Running) -> tuple[int, dict[str, str]]:
    got = running.client.get("/readyz")
    body = got.json()
    assert body["status"] == ("ready" if got.status_code == 200 else "not ready")
    return got.status_code, body["parts"]


@pytest.mark.parametrize("status", [200, 301, 401, 404, 405, 501])
def test_an_upstream_that_answers_is_there_whatever_it_answers(upstream: Scripted, status: int) -> None:
    upstream.script = says(reply(b"no such page", "text/html", status))
    with proxied(upstream.url) as running:
        assert readiness(running) == (200, {"upstream": "ok"})
        assert running.count("ready", part="upstream") == 1
        shown = running.proxy.metrics.render()[0]
        assert b'reticent_ready{part="upstream"}' in shown and b'part="canary"' not in shown  # there is none


def test_an_upstream_that_refuses_the_proxys_key_is_the_operators_business(upstream: Scripted) -> None:
    status = 401
    upstream.script = says(reply(b'{"error": {"message": "Bad key", "code": "invalid_api_key"}}', status=status))
    with proxied(upstream.url, **{"upstream.api_key": "of-the-proxy"}) as running:
        code, parts = readiness(running)
        assert (code, str(status) in parts["upstream"], "api_key" in parts["upstream"]) == (503, True, True)
        answer = running.post({"model": "m", "messages": [{"role": "user", "content": "Hi"}]})
        assert (answer.status_code, answer.json()["error"]["code"]) == (502, "upstream_refuses")
    with proxied(upstream.url) as running:  # the key is the client's
        answer = running.post({"model": "m", "messages": [{"role": "user", "content": "Hi"}]})
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, "invalid_api_key")


def test_an_upstream_that_says_it_cannot_differs_from_one_that_is_not_there(upstream: Scripted) -> None:
    upstream.script = says(reply(b"{}", status=503))
    with proxied(upstream.url) as running:
        assert readiness(running) == (503, {"upstream": "answers with status 503"})
        assert running.count("ready", part="upstream") == 0
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with proxied(f"http://127.0.0.1:{port}") as running:
        assert readiness(running) == (503, {"upstream": "cannot be reached"})
    upstream.script = says(b"HTTP/1.1 what")
    with proxied(upstream.url) as running:
        assert readiness(running) == (503, {"upstream": "does not answer as it should"})


def test_a_silent_upstream_is_not_waited_for(upstream: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reticent.serve.transport.upstream._PROBE_SECONDS", 0.1)
    upstream.script = says(5.0)
    with proxied(upstream.url) as running:
        started = time.monotonic()
        assert readiness(running) == (503, {"upstream": "does not answer within 0.1 seconds"})
        assert time.monotonic() - started < 3


def test_the_upstream_is_asked_once_however_often_it_is_wanted(upstream: Scripted) -> None:
    upstream.script = says(reply(b"{}"))
    with proxied(upstream.url) as running:
        assert [readiness(running)[0] for _ in range(5)] == [200] * 5
    assert [asked.path for asked in upstream.asked] == ["/ping"]  # to ask after a model may break a stream off


@pytest.mark.parametrize(
    ("answer", "result", "expected"),
    [
        ([stream_head(), golden.ollama(golden.leaking(PHONE))], "stopped", "ok"),
        ([stream_head(), golden.ollama(golden.HARMLESS)], "silent", "nothing is proven"),
        # stopped, but not what was asked for
        ([stream_head(), golden.ollama(golden.leaking(golden.EMAIL))], "silent", "nothing is proven"),
        ([stream_head(), golden.ollama(golden.HARMLESS)[:600]], "failed", "was not answered"),
        ([reply(b'{"error": {"message": "no such model"}}', status=404)], "failed", "was not answered"),
        ([reply(b"<html>")], "failed", "was not answered"),
    ],
)
def test_what_became_of_the_canarys_value(upstream: Scripted, answer: list[bytes], result: str, expected: str) -> None:
    upstream.script = read_request(says(*answer))
    with proxied(upstream.url, canary=canary()) as running:
        assert until(lambda: running.count("canary_total", result=result) > 0)
        status, parts = readiness(running)
        assert (status, parts["upstream"]) == (200 if result == "stopped" else 503, "ok")
        assert expected in parts["canary"]
        assert running.count("ready", part="canary") == (result == "stopped")
    assert running.count("canary_total") == running.count("canary_total", result=result)
    # it is not counted among the clients' requests
    assert running.count("requests_total") == running.count("spans_total") == running.count("failures_total") == 0


def test_a_value_that_passes_makes_it_not_ready_and_stands_nowhere(
    upstream: Scripted, caplog: pytest.LogCaptureFixture
) -> None:
    upstream.script = read_request(says(stream_head(), golden.ollama(golden.leaking(PHONE))))
    with proxied(upstream.url, canary=canary(), policies={"strict": {"monitor": True}}) as running:
        assert until(lambda: running.count("canary_total", result="leaked") > 0)
        status, parts = readiness(running)
        assert (status, parts["canary"]) == (503, "the value was not stopped")
        written = running.proxy.metrics.render()[0].decode() + caplog.text + repr(running.proxy.settings) + str(parts)
    assert "the canary's value: leaked" in caplog.text
    assert not any(piece in written for piece in (PHONE, PHONE[3:11], "is nobody"))


@pytest.mark.parametrize("stream", [False, True])
def test_a_block_stops_it_as_well(upstream: Scripted, stream: bool) -> None:
    whole = {"choices": [{"index": 0, "message": {"role": "assistant", "content": f"It is {PHONE}."}}]}
    answer = [stream_head(), golden.ollama(golden.leaking(PHONE))] if stream else [reply(json.dumps(whole).encode())]
    upstream.script = read_request(says(*answer))
    blocks = {"strict": {"entities": {"DEFAULT": {"unknown": "block"}}, "on_block": "error"}}
    wanted = canary()
    wanted["body"]["stream"] = stream
    with proxied(upstream.url, canary=wanted, policies=blocks) as running:
        assert until(lambda: running.count("canary_total", result="stopped") > 0)


@pytest.mark.parametrize("value", [PHONE, golden.EMAIL])
@pytest.mark.parametrize("name", ["responses_openai", "messages_anthropic"])
def test_a_canary_on_a_route_of_typed_events(upstream: Scripted, name: str, value: str) -> None:
    upstream.script = read_request(says(stream_head(), getattr(events, name)(golden.leaking(value))))
    routes = {
        "responses_openai": {"path": "/v1/responses", "body": {"model": "small", "stream": True, "input": QUESTION}},
        "messages_anthropic": {
            "path": "/v1/messages",
            "body": {**canary()["body"], "max_tokens": 64},
        },
    }
    strict = {"strict": {**STRICT, "entities": {"PHONE_NUMBER": {"unknown": "redact"}}}}
    wanted = canary(**routes[name], value=value, entity=None)
    with proxied(upstream.url, canary=wanted, policies=strict) as running:
        result = "stopped" if value == PHONE else "leaked"  # the policy stops telephone numbers alone
        assert until(lambda: running.count("canary_total", result=result) > 0)
        assert (running.count("canary_total", result="leaked") > 0) == (result == "leaked")


def test_a_canary_comes_back(upstream: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reticent.serve.canary._RETRY_SECONDS", 0.05)
    upstream.script = read_request(says(reply(b"{}", status=500)))
    with proxied(upstream.url, canary=canary(every_seconds=3600)) as running:
        assert until(lambda: running.count("canary_total", result="failed") > 1)
        upstream.script = read_request(says(stream_head(), golden.ollama(golden.leaking(PHONE))))
        assert until(lambda: running.count("canary_total", result="stopped") == 1)
        assert readiness(running)[0] == 200
        time.sleep(0.2)
        assert running.count("canary_total", result="stopped") == 1  # the next one is due in an hour


def test_a_question_that_is_never_answered_fails_in_time(upstream: Scripted) -> None:
    upstream.script = read_request(says(stream_head(), 30.0))
    with proxied(upstream.url, canary=canary(timeout_seconds=0.2)) as running:
        assert until(lambda: running.count("canary_total", result="failed") > 0)


def test_a_canary_under_the_operators_own_words(upstream: Scripted) -> None:
    """Any model says what its system message holds; a policy that stops the operator's values stops it."""

    def script(asked: ReceivedRequest) -> Iterator[bytes | float]:
        yield stream_head()
        yield golden.ollama(golden.leaking(asked.json["messages"][0]["content"].rpartition("is ")[2]))

    upstream.script = read_request(script)
    messages = [
        {"role": "system", "content": f"The number of the person that is nobody is {PHONE}"},
        {"role": "user", "content": QUESTION},
    ]
    wanted = canary(body={"model": "small", "stream": True, "messages": messages})
    with proxied(upstream.url, canary=wanted, policy="default") as running:
        assert until(lambda: running.count("canary_total", result="stopped") > 0)
        assert running.count("canary_total", result="leaked") == 0


def test_before_the_first_answer_it_is_not_ready(upstream: Scripted) -> None:
    upstream.script = read_request(says(stream_head(), 30.0))
    with proxied(upstream.url, canary=canary()) as running:
        assert readiness(running) == (
            503,
            {"upstream": "ok", "canary": "the first question has not been answered yet"},
        )


BAD: list[tuple[dict[str, Any], str]] = [
    ({"path": "/v1/images/generations"}, "no guarded route"),
    ({"body": {"messages": []}}, "would be refused"),
    ({"body": {"messages": [{"role": "user", "content": "Is it (212) 5550123 or +12125550123?"}]}}, "an echo"),
]


@pytest.mark.parametrize(("more", "expected"), BAD)
def test_a_canary_that_could_prove_nothing_is_refused(more: dict[str, Any], expected: str) -> None:
    settings = load(environ={}, overrides={"upstream.url": "http://127.0.0.1:1", "canary": canary(**more)})
    with pytest.raises(InputError, match=expected) as error:
        create_app(Proxy(settings))
    assert "555" not in str(error.value)


def test_the_settings_of_a_canary() -> None:
    for more, expected in (
        ({"value": "12345"}, "6 letters"),
        ({"policy": "none"}, "policies"),
        ({"entity": "X"}, "entity"),
    ):
        with pytest.raises(InputError, match=expected):
            load(environ={}, overrides={"upstream.url": "http://127.0.0.1:1", "canary": canary(**more)})


def test_nothing_of_the_canary_is_left_when_the_proxy_ends(upstream: Scripted) -> None:
    upstream.script = read_request(says(stream_head(), 30.0))
    with proxied(upstream.url, canary=canary()):
        assert until(lambda: len(upstream.asked) > 0)
    assert until(lambda: len(upstream.closed) > 0)


def test_each_result_has_its_words() -> None:
    from reticent.serve import readiness as module

    assert set(module._CANARY) == {None, *CanaryResult}


def test_watching_asks_the_upstream_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    from reticent.serve.readiness import Readiness

    monkeypatch.setattr("reticent.serve.readiness._EVERY_SECONDS", 0.01)
    monkeypatch.setattr("reticent.serve.readiness._FRESH_SECONDS", 0.0)
    seen = []

    class Upstream:
        async def problem(self) -> str | None:
            return None

    async def run() -> None:
        watching = asyncio.create_task(Readiness(Upstream(), None, lambda *part: seen.append(part)).watch())
        await asyncio.sleep(0.2)
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)

    asyncio.run(run())
    assert seen.count(("upstream", True)) > 2


def test_with_a_canary_its_part_is_there_before_the_first_answer(upstream: Scripted) -> None:
    upstream.script = read_request(says(stream_head(), 30.0))
    with proxied(upstream.url, canary=canary()) as running:
        assert b'reticent_ready{part="canary"} 0.0' in running.proxy.metrics.render()[0]
