"""The proxy's decision log: one line for each decision, none lost when the proxy ends, none with a value."""

from __future__ import annotations

import asyncio
import json
import queue
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import serve_golden as golden
from serve_golden import EMAIL
from serve_upstream import Running, Scripted, proxied, says, stream_head, until
from test_guard_metrics import STOPPED, observation, span

from reticent.observability.decision_log import DecisionLog, verify
from reticent.observability.observers import Observation
from reticent.serve.config import load
from reticent.serve.proxy import Proxy
from reticent.serve.queued_observer import QueuedObserver
from reticent_detectors.errors import InputError

KEY = bytes(range(32))
SEEN = observation(span("PHONE_NUMBER", STOPPED))


@pytest.fixture
def upstream() -> Iterator[Scripted]:
    scripted = Scripted()
    yield scripted
    scripted.close()


def settings(folder: Path, **more: Any) -> dict[str, Any]:
    (folder / "log.key").write_text(KEY.hex())
    return {"path": str(folder / "log"), "key_file": str(folder / "log.key"), **more}


def test_every_decision_is_on_the_disk_when_the_proxy_has_ended(
    upstream: Scripted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = DecisionLog.on_answer

    def slowly(log: DecisionLog, observation: Observation) -> None:
        time.sleep(0.1)
        write(log, observation)

    monkeypatch.setattr(DecisionLog, "on_answer", slowly)
    upstream.script = says(stream_head(), golden.ollama(golden.leaking(EMAIL)))
    with proxied(upstream.url, decision_log=settings(tmp_path)) as running:
        for _ in range(20):
            running.post(golden.request_body(stream=True))
    counted = running.count("spans_total")
    found = verify(tmp_path / "log", KEY)
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert (found.holds, found.end_checked, found.lines, len(lines)) == (True, True, counted, 20)
    assert {(line["entity"], line["action"], line["route"]) for line in lines} == {
        ("EMAIL_ADDRESS", "redact", "chat_completions")
    }
    assert "jane" not in (tmp_path / "log").read_text()
    assert running.count("failures_total") == 0


def test_the_canary_is_not_logged(upstream: Scripted, tmp_path: Path) -> None:
    upstream.script = says(stream_head(), golden.ollama(golden.leaking(EMAIL)))
    canary = {"value": EMAIL, "body": golden.request_body(stream=True), "every_seconds": 0.02}
    with proxied(upstream.url, decision_log=settings(tmp_path), canary=canary) as running:
        time.sleep(0.3)
        assert running.count("canary_total", result="stopped") > 0
    assert (tmp_path / "log").read_text() == ""


def test_a_log_that_cannot_be_written_is_counted_and_the_answer_goes_out(upstream: Scripted, tmp_path: Path) -> None:
    upstream.script = says(stream_head(), golden.ollama(golden.leaking(EMAIL)))
    with proxied(upstream.url, decision_log=settings(tmp_path)) as running:
        (tmp_path / "log").write_text("edited\n")
        got = running.post(golden.request_body(stream=True))
        assert golden.said(got.content) == "You can use <EMAIL_ADDRESS>, which is it."
        running.post(golden.request_body(stream=True))
        running.proxy._decision_log.close(5)  # type: ignore[union-attr]
        assert running.count("failures_total", stage="log", mode="open") == 2
        assert running.count("requests_total", outcome="redacted") == 2


def test_a_log_that_does_not_fit_is_refused_at_the_start(tmp_path: Path) -> None:
    Path(tmp_path / "log").write_text("edited\n")
    overrides = {"upstream.url": "http://127.0.0.1:1", "decision_log": settings(tmp_path)}
    with pytest.raises(InputError, match="cannot be continued"):
        Proxy(load(environ={}, overrides=overrides))


class Slow:
    """Takes note when it is let."""

    def __init__(self) -> None:
        self.begun, self.go = threading.Event(), threading.Event()
        self.seen: list[Observation] = []

    def on_answer(self, observation: Observation) -> None:
        self.begun.set()
        assert self.go.wait(10)
        self.seen.append(observation)


def test_nobody_waits_for_a_slow_log_and_closing_writes_all() -> None:
    log, lost = Slow(), list[bool]()
    decisions = QueuedObserver(log, lambda: lost.append(True))
    for _ in range(100):
        decisions.on_answer(SEEN)
    assert log.seen == []
    log.go.set()
    decisions.close(5)
    assert (len(log.seen), lost) == (100, [])
    decisions.on_answer(SEEN)  # an answer that was cut off by the end
    assert len(log.seen) == 101


def test_who_tells_of_an_answer_never_waits_for_room() -> None:
    """The event loop lets the log go on, which it could not if it waited for it."""
    log, lost = Slow(), list[bool]()
    decisions = QueuedObserver(log, lambda: lost.append(True), room=2)
    for _ in range(4):
        decisions.on_answer(SEEN)
    log.go.set()
    decisions.close(5)
    assert (len(log.seen), lost) == (4, [])


def test_beyond_twice_the_room_decisions_are_lost_and_counted(caplog: pytest.LogCaptureFixture) -> None:
    log, lost = Slow(), list[bool]()
    decisions = QueuedObserver(log, lambda: lost.append(True), room=1)
    decisions.on_answer(SEEN)
    assert log.begun.wait(10)  # one is being written, two wait
    for _ in range(4):
        decisions.on_answer(SEEN)
    assert len(lost) == 2
    assert "found no place" in caplog.text
    decisions.close(0.1)
    assert "did not write 2 answers in time" in caplog.text
    log.go.set()


class Waits(queue.Queue[Observation | None]):
    """A full queue that notes how many seconds each caller would wait for a place, and makes nobody wait."""

    def __init__(self) -> None:
        super().__init__(1)
        super().put(None)
        self.seconds: list[float | None] = []

    def put(self, item: Observation | None, block: bool = True, timeout: float | None = None) -> None:
        self.seconds.append(timeout if block else 0.0)
        raise queue.Full


def test_a_full_queue_makes_nobody_wait() -> None:
    """The event loop calls `on_answer`, and stands still for as long as that waits."""
    log, lost = Slow(), list[bool]()
    decisions = QueuedObserver(log, lambda: lost.append(True))
    decisions._queue = full = Waits()
    log.go.set()
    for _ in range(3):
        decisions.on_answer(SEEN)
    assert (full.seconds, lost) == ([0.0] * 3, [True] * 3)


def test_requests_wait_for_room_while_the_log_is_written_and_the_event_loop_goes_on() -> None:
    async def scenario() -> None:
        log, lost = Slow(), list[bool]()
        decisions = QueuedObserver(log, lambda: lost.append(True), room=1)
        await decisions.wait_for_room()  # there is some
        decisions.on_answer(SEEN)
        assert log.begun.wait(10)
        for _ in range(2):
            decisions.on_answer(SEEN)
        waiting = asyncio.ensure_future(decisions.wait_for_room())
        for _ in range(10):
            await asyncio.sleep(0)
        assert not waiting.done()
        log.go.set()
        async with asyncio.timeout(10):
            await waiting
        await asyncio.to_thread(decisions.close, 5)
        assert (len(log.seen), lost) == (3, [])

    asyncio.run(scenario())


def test_a_log_that_stands_still_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reticent.serve.queued_observer._STILL_SECONDS", 0.05)

    async def scenario() -> None:
        log = Slow()
        decisions = QueuedObserver(log, lambda: None, room=1)
        for _ in range(3):
            decisions.on_answer(SEEN)
        async with asyncio.timeout(10):
            await decisions.wait_for_room()
        assert log.seen == []
        log.go.set()
        await asyncio.to_thread(decisions.close, 5)

    asyncio.run(scenario())


def test_an_answer_keeps_its_place_among_the_open_ones_until_the_log_has_room(
    upstream: Scripted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reticent.serve.queued_observer._STILL_SECONDS", 30.0)
    upstream.script = says(stream_head(), golden.ollama(golden.leaking(EMAIL)))
    log, lost = Slow(), list[bool]()
    with proxied(upstream.url, decision_log=settings(tmp_path), **{"limits.inflight": 2}) as running:
        proxy = running.proxy
        proxy._decision_log = QueuedObserver(log, lambda: lost.append(True), room=2)
        proxy.observers = (proxy.metrics, proxy._decision_log)
        answers = [running.post(golden.request_body(stream=True)) for _ in range(3)]  # one is being written, two wait
        answers += [post_apart(running) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [200] * 5
        assert post_apart(running).status_code == 429
        assert running.client.get("/healthz").status_code == 200
        log.go.set()
        assert until(lambda: running.count("inflight_streams") == 0)
        assert post_apart(running).status_code == 200
    assert (len(log.seen), lost) == (6, [])


def post_apart(running: Running) -> httpx.Response:
    """Asks over a connection of its own."""
    address = f"http://127.0.0.1:{running.port}/v1/chat/completions"
    return httpx.post(address, json=golden.request_body(stream=True), timeout=10, trust_env=False)


def test_a_proxy_without_a_log_has_no_thread_for_it() -> None:
    proxy = Proxy(load(environ={}, overrides={"upstream.url": "http://127.0.0.1:1"}))
    assert proxy.observers == (proxy.metrics,)
    before = set(threading.enumerate())
    QueuedObserver(Slow(), lambda: None).close(1)
    assert set(threading.enumerate()) <= before
