"""A server is asked a few requests at a time, and one by one where it wants that."""

from __future__ import annotations

import json
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpcore
import httpx
import pytest
from serve_upstream import ReceivedRequest, reply
from serve_upstream import Scripted as Upstream

from reticent_bench.audits import answer_deadline, served_target
from reticent_bench.audits.answer_deadline import AnswerDeadline
from reticent_bench.audits.rounds import GatheredTarget, side_by_side
from reticent_bench.audits.served_target import AT_ONCE, Overloaded, ServedTarget, TargetUnavailable
from reticent_bench.audits.target import Prompt, Sampling


class Scripted:
    """A server that counts how many requests it has at the same time."""

    def __init__(self, status: Callable[[int, str], int] = lambda open_now, prompt: 200) -> None:
        self.most, self.asked, self.timeouts = 0, list[str](), set[float]()
        self._open, self._lock, self._status = 0, threading.Lock(), status

    def __call__(self, request: httpx.Request) -> httpx.Response:
        body = json.loads(request.content)
        prompt = str(body["prompt"])
        with self._lock:
            self._open += 1
            open_now = self._open
            self.most = max(self.most, open_now)
            self.asked.append(prompt)
            self.timeouts.add(request.extensions["timeout"]["read"])
        time.sleep(0.02 if prompt.endswith("0") else 0.005)
        status = self._status(open_now, prompt)
        with self._lock:
            self._open -= 1
        return httpx.Response(status, json={"choices": [{"text": f"{prompt}:{body.get('seed')}", **self._echo(body)}]})

    def _echo(self, body: dict[str, Any]) -> dict[str, Any]:
        if not body.get("echo"):
            return {}
        words = body["prompt"].split(" ")
        starts = [sum(len(word) + 1 for word in words[:n]) for n in range(len(words))]
        return {"logprobs": {"text_offset": starts, "token_logprobs": [None, *(-float(len(w)) for w in words[1:])]}}


def target(server: Scripted, **options: Any) -> ServedTarget:
    made = ServedTarget("http://127.0.0.1:9", "m", timeout_seconds=10, transport=httpx.MockTransport(server), **options)
    server.asked.clear()
    server.most = 0
    return made


PROMPTS: list[Prompt] = [f"p{n}" for n in range(11)]


def test_answers_and_scores_keep_their_order_and_a_few_are_asked_at_a_time() -> None:
    server = Scripted()
    with target(server) as asked:
        assert asked.generate(PROMPTS, 3, Sampling(1.0, seed=5)) == [f"p{n}:{5 + n}" for n in range(11)]
        assert 1 < server.most <= AT_ONCE
        scored = asked.scores([("a ", "b" * n) for n in range(1, 8)])
        assert [score.log_probs.tolist() for score in scored] == [[-float(n)] for n in range(1, 8)]
        assert server.timeouts == {10.0, 10.0 * AT_ONCE}  # one that waits for three others has the time of four


@pytest.mark.parametrize("status", [429, 503])
def test_a_server_that_answers_one_at_a_time_is_asked_one_by_one(status: int) -> None:
    server = Scripted(lambda open_now, prompt: 200 if open_now == 1 else status)
    with target(server) as asked:
        assert asked.generate(PROMPTS, 3) == [f"p{n}:{n}" for n in range(11)]
        server.most, before = 0, len(server.asked)
        assert asked.generate(PROMPTS, 3) == [f"p{n}:{n}" for n in range(11)]
        assert (server.most, len(server.asked) - before) == (1, 11)


def test_a_server_that_is_overloaded_by_one_request_is_unavailable() -> None:
    with target(Scripted(lambda open_now, prompt: 429 if prompt.startswith("p") else 200)) as asked:
        with pytest.raises(Overloaded, match="status 429"):
            asked.generate(PROMPTS, 3)
        with pytest.raises(TargetUnavailable, match="less busy"):
            asked.generate(PROMPTS[:1], 3)


def test_a_server_that_fails_is_not_asked_for_another_name_or_key() -> None:
    server = Scripted(lambda open_now, prompt: 500 if prompt == "p1" else 200)
    with target(server) as asked, pytest.raises(TargetUnavailable, match="status 500; its log says why"):
        asked.generate(PROMPTS, 3)


def test_the_first_error_in_order_is_raised_and_the_rest_is_not_asked() -> None:
    codes = {"p2": 401, "p3": 500}
    server = Scripted(lambda open_now, prompt: codes.get(prompt, 200))
    before = threading.active_count()
    with target(server) as asked, pytest.raises(TargetUnavailable, match="status 401"):
        asked.generate([f"p{n}" for n in range(60)], 3)
    assert len(server.asked) < 60
    assert threading.active_count() == before


def never(asked: ReceivedRequest) -> Iterator[bytes]:
    """Answers the questions that find out what a server offers, and no other one."""
    if b"p0" in asked.body or b"p1" in asked.body:
        GAVE_UP.wait(60)
    yield reply(json.dumps({"choices": [{"text": "a"}]}).encode())


def drips(asked: ReceivedRequest) -> Iterator[bytes]:
    """Sends a blank again and again, so that no single read takes long."""
    if b"p0" in asked.body or b"p1" in asked.body:
        yield b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n"
        while not GAVE_UP.wait(0.02):
            yield b" "
        return
    yield reply(json.dumps({"choices": [{"text": "a"}]}).encode())


def drips_its_head(asked: ReceivedRequest) -> Iterator[bytes]:
    """Sends the head of its answer slowly: whoever has waited for it has waited for four seconds."""
    if b"p0" in asked.body or b"p1" in asked.body:
        yield b"HTTP/1.1 200 OK\r\nx-waits: "
        for _ in range(200):
            if GAVE_UP.wait(0.02):
                return
            yield b"a"
        WAITED.set()
        body = json.dumps({"choices": [{"text": "a"}]}).encode()
        yield b"\r\ncontent-length: %d\r\nconnection: close\r\n\r\n%b" % (len(body), body)
        return
    yield reply(json.dumps({"choices": [{"text": "a"}]}).encode())


GAVE_UP, WAITED = threading.Event(), threading.Event()


@pytest.mark.parametrize("script", [never, drips, drips_its_head])
def test_a_server_that_never_ends_its_answer_ends_the_audit(
    script: Callable[[ReceivedRequest], Iterator[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Upstream()
    server.script = script
    GAVE_UP.clear()
    WAITED.clear()
    with ServedTarget(server.url, "m", timeout_seconds=30) as inner:
        monkeypatch.setattr(inner, "_timeout", 0.4)
        gathered = GatheredTarget(inner)
        with pytest.raises(TargetUnavailable, match="ReadTimeout"):
            side_by_side([lambda n=n: gathered.generate([f"p{n}"], 3) for n in range(2)])  # type: ignore[misc]
    assert not WAITED.is_set()
    assert not any(thread.name.startswith("audit") for thread in threading.enumerate())
    GAVE_UP.set()
    server.close()


class Waits(httpcore.NetworkStream):
    """A connection that remembers how long each wait may take."""

    def __init__(self) -> None:
        self.longest = list[float | None]()

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        self.longest.append(timeout)
        return b"a"

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self.longest.append(timeout)

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        self.longest.append(timeout)
        return self


class Network(httpcore.NetworkBackend):
    def __init__(self) -> None:
        self.stream = Waits()

    def connect_tcp(self, host: str, port: int, timeout: float | None = None, *_: Any) -> httpcore.NetworkStream:
        self.stream.longest.append(timeout)
        return self.stream


def test_all_waits_of_an_answer_share_one_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each wait gets what is left of ten seconds, and none begins when nothing is."""
    clock, network = [100.0], Network()
    monkeypatch.setattr(answer_deadline, "monotonic", lambda: clock[0])
    transport = AnswerDeadline()
    bounded = answer_deadline._Network(network, transport._left)
    transport._asked.until = 110.0
    stream = bounded.connect_tcp("127.0.0.1", 9, 10.0)
    for now, step in (
        (101.0, lambda: stream.start_tls(ssl.create_default_context(), None, 10.0)),
        (103.0, lambda: stream.write(b"a", 10.0)),
        (104.0, lambda: stream.read(1, 10.0)),
        (109.5, lambda: stream.read(1, 10.0)),
    ):
        clock[0] = now
        step()
    assert network.stream.longest == [10.0, 9.0, 7.0, 6.0, 0.5]
    clock[0] = 110.0
    for step, late in (
        (lambda: stream.read(1, 10.0), httpcore.ReadTimeout),
        (lambda: stream.write(b"a", 10.0), httpcore.WriteTimeout),
        (lambda: bounded.connect_tcp("127.0.0.1", 9, 10.0), httpcore.ConnectTimeout),
    ):
        with pytest.raises(late, match="too long"):
            step()
    assert len(network.stream.longest) == 5


@pytest.mark.parametrize(("spent", "left"), [(15.0, 5.0), (2.0, 10.0), (20.0, None)])
def test_what_is_asked_again_has_the_time_that_its_first_try_left(
    spent: float, left: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two at a time have 20 seconds, and one alone has 10."""
    clock, seen = [0.0], list[tuple[str, float]]()

    def server(request: httpx.Request) -> httpx.Response:
        prompt = str(json.loads(request.content)["prompt"])
        first = prompt == "p1" and not any(asked == "p1" for asked, _ in seen)
        seen.append((prompt, request.extensions["timeout"]["read"]))
        if first:
            clock[0] = spent
        return httpx.Response(503 if first else 200, json={"choices": [{"text": prompt}]})

    monkeypatch.setattr(served_target, "monotonic", lambda: clock[0])
    transport = httpx.MockTransport(server)
    with ServedTarget("http://127.0.0.1:9", "m", timeout_seconds=10, transport=transport, at_once=2) as asked:
        if left is None:
            with pytest.raises(TargetUnavailable, match="ReadTimeout"):
                asked.generate(["p0", "p1"], 3)
        else:
            assert asked.generate(["p0", "p1"], 3) == ["p0", "p1"]
        assert [longest for prompt, longest in seen if prompt == "p1"] == [20.0, *([] if left is None else [left])]
        clock[0] += 1000
        assert asked.generate(["p2"], 3) == ["p2"]
        assert seen[-1] == ("p2", 10.0)
