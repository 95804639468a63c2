"""What may not stall a stream, or the server's end: judges that wait, clients that leave, upstreams that die."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest
import serve_golden as golden
from serve_events import ASKS
from serve_golden import EMAIL, request_body
from serve_upstream import Running, Scripted, reply, says, stream_head, until

from reticent.observability.observers import Observation, Outcome
from reticent.policy.policy import Policy
from reticent.policy.verdict import Tier
from reticent.serve.config import load
from reticent.serve.judging.detector_protocols import ForEveryModel, SpanLocation, WithoutBase
from reticent.serve.proxy import Proxy
from reticent.serve.settings import ShadowSettings
from reticent.serve.stream import upstream_error
from reticent.serve.transport import read_request
from reticent.serve.transport.client import Client
from reticent.serve.transport.exchange import Exchange
from reticent.serve.transport.judge_calls import JudgeCalls
from reticent.serve.transport.judge_pool import JudgePool
from reticent.serve.transport.notification import AnswerTimes
from reticent.serve.wire.parsed_request import ParsedRequest

BROKEN_OFF = golden.ollama(["Write to ", EMAIL]).partition(b'"stop"')[0].rpartition(b"data:")[0]
"""A stream that ends inside its value."""


class Waits(ForEveryModel, WithoutBase):
    """A detector that lets a given number of judges wait until they are released."""

    tier, reads_text, wants_logprobs, wants_token_ids, digest, about, prevalence = (
        Tier.HIDDEN,
        True,
        False,
        False,
        "",
        "it waits",
        0.5,
    )
    needs_thread = True

    def __init__(self, blocked: int = 1) -> None:
        self.free = threading.Event()
        self.waiting = 0
        self._blocked, self._lock = blocked, threading.Lock()

    def with_thresholds(self, policy: Policy) -> Policy:
        return policy.with_thresholds({"DEFAULT": 0.5})

    def open(self, asked: ParsedRequest) -> Waits:
        return self

    def close(self) -> None:
        pass

    def probability(self, place: SpanLocation) -> float | None:
        with self._lock:
            if self.waiting >= self._blocked:
                return 0.0
            self.waiting += 1
        assert self.free.wait(60)
        return 0.0


class Seen:
    """An observer that keeps its observations."""

    def __init__(self) -> None:
        self.observations: list[Observation] = []

    def on_answer(self, observation: Observation) -> None:
        self.observations.append(observation)


@pytest.fixture
def upstream() -> Iterator[Scripted]:
    scripted = Scripted()
    scripted.script = says(stream_head(), golden.ollama(golden.leaking(EMAIL)))
    yield scripted
    scripted.close()


@contextmanager
def watched(upstream: Scripted, judge: Waits, folder: Path, **more: Any) -> Iterator[tuple[Running, Seen]]:
    """A proxy whose answers this detector judges, and the observer of its answers."""
    shadow = ShadowSettings(path=folder, bundle=Path(__file__).parent, models=("small",)).model_dump()
    settings = load(environ={}, overrides={"upstream.url": upstream.url, "shadow": shadow, **more})
    proxy, seen = Proxy(settings, shadow=lambda: judge), Seen()
    proxy.observers = (*proxy.observers, seen)
    running = Running(proxy)
    try:
        yield running, seen
    finally:
        judge.free.set()
        running.close()


def leave_inside_a_value(running: Running, upstream: Scripted) -> None:
    """Asks for a stream and closes the connection while its value is held back."""
    body = json.dumps(request_body(stream=True)).encode()
    with socket.create_connection(("127.0.0.1", running.port), timeout=10) as raw:
        raw.sendall(
            (
                b"POST /v1/chat/completions HTTP/1.1\r\n"
                b"host: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%s"
            )
            % (len(body), body)
        )
        got = b""
        while b"Write" not in got:
            got += raw.recv(65536)
    assert until(lambda: bool(upstream.closed))


def test_a_client_that_leaves_stalls_nobody(upstream: Scripted, tmp_path: Path) -> None:
    upstream.script = says(stream_head(), BROKEN_OFF, 20.0)
    judge = Waits()
    with watched(upstream, judge, tmp_path) as (running, seen):
        leave_inside_a_value(running, upstream)
        assert until(lambda: judge.waiting == 1)
        upstream.script = says(stream_head(), golden.ollama(golden.leaking(EMAIL)))
        assert golden.said(running.post(request_body(stream=True)).content).endswith("which is it.")
        assert until(lambda: len(seen.observations) == 1)
        assert (seen.observations[0].outcome, judge.free.is_set()) == (Outcome.PASSED, False)
        judge.free.set()
        assert until(lambda: len(seen.observations) == 2)
        left = seen.observations[1]
        assert (left.outcome, [record.entity for record in left.report.spans]) == (Outcome.FAILED, ["EMAIL_ADDRESS"])
        assert until(lambda: running.count("inflight_streams") == 0)
    assert len(seen.observations) == 2


@pytest.mark.parametrize("in_time", [True, False])
def test_an_answers_end_is_observed_once_when_the_server_ends_before_it_is_judged(
    upstream: Scripted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_time: bool
) -> None:
    monkeypatch.setattr("reticent.serve.proxy._END_SECONDS", 30.0 if in_time else 0.05)
    upstream.script = says(stream_head(), BROKEN_OFF, 20.0)
    judge = Waits()
    with watched(upstream, judge, tmp_path) as (running, seen):
        leave_inside_a_value(running, upstream)
        assert until(lambda: judge.waiting == 1)
        running._server.should_exit = True
        if in_time:
            assert until(lambda: running.proxy.judges._closed is False and not running._server.server_state.tasks, 10)
            assert seen.observations == []
            judge.free.set()
        running._thread.join(20)
        assert not running._thread.is_alive()  # and the judge still hangs, if it was not let
        assert [each.outcome for each in seen.observations] == [Outcome.FAILED]
        report = seen.observations[0].report  # empty, if a thread still works on what it would be made of
        assert (len(report.spans), report.generated_chars > 0) == (in_time, in_time)
        judge.free.set()
    assert len(seen.observations) == 1
    assert running.count("requests_total", outcome="failed") == 1


def test_judges_that_hang_leave_threads_for_others_and_do_not_keep_the_server_from_ending(
    upstream: Scripted, tmp_path: Path
) -> None:
    judge = Waits(blocked=8)
    limits = {"limits.judge_seconds": 0.5, "limits.judge_threads": 4}
    with watched(upstream, judge, tmp_path, **limits) as (running, seen):
        for _ in range(7):
            answer = running.post(request_body(stream=True))
            assert "jane" not in answer.text and "answer_withheld" in answer.text
        assert running.count("failures_total", stage="judge") == 7
        judge._blocked = 7
        assert golden.said(running.post(request_body(stream=True)).content).endswith("which is it.")
        judge._blocked = 8
        assert "answer_withheld" in running.post(request_body(stream=True)).text
        judge._blocked = 0  # no judge would wait now, but no thread is left
        answer = running.post(request_body(stream=True))
        assert "jane" not in answer.text and "answer_withheld" in answer.text
        assert running.client.get("/healthz").status_code == 200
        assert running.count("failures_total", stage="judge") == 9
        assert until(lambda: len(seen.observations) == 10)
        assert [each.outcome for each in seen.observations] == [
            *[Outcome.FAILED] * 7,
            Outcome.PASSED,
            *[Outcome.FAILED] * 2,
        ]
        running.close()
        assert not running._thread.is_alive()


def test_a_stream_is_kept_alive_while_it_is_judged(upstream: Scripted, tmp_path: Path) -> None:
    judge = Waits()
    with watched(upstream, judge, tmp_path, **{"limits.keep_alive_seconds": 0.05}) as (running, _):
        got = b""
        with running.client.stream("POST", "/v1/chat/completions", json=request_body(stream=True)) as answer:
            for piece in answer.iter_raw():
                got += piece
                if got.count(b": keep-alive\n\n") >= 2:
                    judge.free.set()
        assert golden.said(got).endswith("which is it.")
        assert got.count(b": keep-alive\n\n") >= 2


# Long requests


class Held:
    """A function that waits where what it is given is long, until it is let."""

    def __init__(self, function: Callable[..., Any], is_long: Callable[[Any], bool]) -> None:
        self.begun, self.free = threading.Event(), threading.Event()
        self._function, self._is_long = function, is_long

    def __call__(self, given: Any, *more: Any, **named: Any) -> Any:
        if self._is_long(given):
            self.begun.set()
            assert self.free.wait(60)
        return self._function(given, *more, **named)


@pytest.mark.parametrize(
    ("where", "is_long"),
    [
        ("transport.read_request.parse_json", lambda raw: len(raw) > read_request.INLINE_BYTES),
        ("transport.exchange.to_json", lambda body: len(str(body)) > read_request.INLINE_BYTES),
    ],
)
def test_a_long_request_is_read_and_written_beside_the_loop(
    upstream: Scripted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str, is_long: Callable[[Any], bool]
) -> None:
    module, _, name = where.rpartition(".")
    held = Held(getattr(sys.modules[f"reticent.serve.{module}"], name), is_long)
    monkeypatch.setattr(f"reticent.serve.{where}", held)
    long = {**request_body(), "stream": True, "metadata": {"note": "x" * read_request.INLINE_BYTES}}
    with watched(upstream, Waits(0), tmp_path) as (running, _), ThreadPoolExecutor(1) as pool:
        asked = pool.submit(httpx.post, f"http://127.0.0.1:{running.port}/v1/chat/completions", json=long, timeout=60)
        try:
            assert held.begun.wait(10)
            assert running.post(request_body(stream=True)).status_code == 200
            assert len(upstream.asked) == 1
        finally:
            held.free.set()
        assert golden.said(asked.result().content).endswith("which is it.")
        assert upstream.asked[1].json["metadata"] == long["metadata"]
        spoilt = json.dumps(long).encode()[:-1]
        assert running.post(spoilt).json()["error"]["code"] == "invalid_json"
        assert running.post({**long, "n": 0}).json()["error"]["param"] == "n"


def test_an_upstreams_error_is_judged_beside_the_loop(
    upstream: Scripted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = Held(upstream_error.error_arguments, lambda shown: True)
    monkeypatch.setattr("reticent.serve.stream.upstream_error.error_arguments", held)
    upstream.script = says(reply(json.dumps({"error": {"message": "x" * 60_000}}).encode(), status=400))
    with watched(upstream, Waits(0), tmp_path) as (running, _), ThreadPoolExecutor(1) as pool:
        asked = pool.submit(running.post, request_body())
        try:
            assert held.begun.wait(10)
            assert httpx.get(f"http://127.0.0.1:{running.port}/healthz", timeout=10).status_code == 200
        finally:
            held.free.set()
        assert asked.result().json()["error"]["message"] == "x" * 60_000


# Upstreams that die before they say anything


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("how", ["absent", "head", "status", "nothing"])
def test_an_answer_that_never_came_is_told_to_observers_and_counted(
    upstream: Scripted, tmp_path: Path, how: str, stream: bool
) -> None:
    head = (
        stream_head() if stream else b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n"
    )
    upstream.script = {
        "absent": says(),
        "head": says(head),
        "status": says(reply(b'{"error": {"message": "no"}}', status=500)),
        "nothing": says(head, b"data: [DONE]\n\n" if stream else b'{"choices": []}'),
    }[how]
    with watched(upstream, Waits(), tmp_path) as (running, seen):
        assert "choices" not in running.post(request_body(stream=stream)).text
        assert until(lambda: len(seen.observations) == 1)
        (observation,) = seen.observations
        assert (observation.outcome, observation.route, observation.stream) == (
            Outcome.FAILED,
            "chat_completions",
            stream,
        )
        assert (observation.report.spans, observation.report.generated_chars, len(observation.request_id)) == (
            (),
            0,
            32,
        )
        asked = {"outcome": "failed", "stream": str(stream).lower()}
        assert running.count("requests_total", **asked) == running.count("requests_total") == 1


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("route", ["completions", "responses", "messages"])
def test_on_every_route_an_answer_that_never_came_is_told_once(
    upstream: Scripted, tmp_path: Path, route: str, stream: bool
) -> None:
    body = {**(ASKS[route] if route in ASKS else request_body(route)), "model": "small", "stream": stream}
    head = (
        stream_head() if stream else b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n"
    )
    scripts = [says(), says(head), says(head, b"event: ping\ndata: {" if stream else b"{}")]
    with watched(upstream, Waits(), tmp_path) as (running, seen):
        for asked, script in enumerate(scripts, 1):
            upstream.script = script
            running.post(body, f"/v1/{route}")
            assert until(lambda asked=asked: len(seen.observations) == asked)
        for observation in seen.observations:
            assert (observation.outcome, observation.route, observation.stream) == (Outcome.FAILED, route, stream)
            assert (observation.report.spans, observation.report.generated_chars) == ((), 0)
        counted = {"outcome": "failed", "route": route, "stream": str(stream).lower()}
        assert running.count("requests_total", **counted) == running.count("requests_total") == len(scripts)


def test_a_request_that_is_refused_is_no_answer(upstream: Scripted, tmp_path: Path) -> None:
    with watched(upstream, Waits(), tmp_path) as (running, seen):
        refused = running.post({**request_body(), "reticent": {"policy": "none"}})
        assert refused.status_code == 403
        assert httpx.post(f"http://127.0.0.1:{running.port}/v1/chat/completions", json=[]).status_code == 400
        assert (seen.observations, running.count("requests_total"), upstream.asked) == ([], 0, [])
        assert running.count("failures_total", stage="request") == 2


def test_a_sign_of_life_is_due_from_the_last_byte_on_whatever_is_waited_for() -> None:
    """Three quarters of the pause pass before judging begins; the sign of life must not wait for another whole one."""
    sent: list[float] = []

    async def taking(message: Any) -> None:
        if message.get("body"):
            sent.append(time.monotonic())

    async def run() -> None:
        limits = load(environ={}, overrides={"upstream.url": "http://x", "limits.keep_alive_seconds": 0.4})
        client = Client(lambda: asyncio.Future(), taking, 5.0)  # type: ignore[arg-type]
        exchange = object.__new__(Exchange)
        exchange._client, exchange._settings, exchange._stream_requested = client, limits, True
        calls = JudgeCalls(JudgePool(1), limits.limits, AnswerTimes(), None)
        await client.start(200, [])
        await client.send(b"data", more=True)
        await asyncio.sleep(0.3)
        await calls.run(lambda: time.sleep(2.0) or b"", exchange._keep_alive, lambda: None)  # type: ignore[func-returns-value]

    asyncio.run(run())
    gaps = [later - earlier for earlier, later in pairwise(sent)]
    assert len(gaps) >= 4
    assert max(gaps) < 0.65
