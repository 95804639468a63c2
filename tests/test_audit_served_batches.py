"""A server is asked a few requests at a time, and one by one where it wants that."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from serve_upstream import Asked, reply
from serve_upstream import Scripted as Upstream

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


def test_the_first_error_in_order_is_raised_and_the_rest_is_not_asked() -> None:
    codes = {"p2": 401, "p3": 500}
    server = Scripted(lambda open_now, prompt: codes.get(prompt, 200))
    before = threading.active_count()
    with target(server) as asked, pytest.raises(TargetUnavailable, match="status 401"):
        asked.generate([f"p{n}" for n in range(60)], 3)
    assert len(server.asked) < 60
    assert threading.active_count() == before


def never(asked: Asked) -> Iterator[bytes]:
    """Answers the questions that find out what a server offers, and no other one."""
    if b"p0" in asked.body or b"p1" in asked.body:
        GAVE_UP.wait(60)
    yield reply(json.dumps({"choices": [{"text": "a"}]}).encode())


def drips(asked: Asked) -> Iterator[bytes]:
    """Sends a blank again and again, so that no single read takes long."""
    if b"p0" in asked.body or b"p1" in asked.body:
        yield b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n"
        while not GAVE_UP.wait(0.02):
            yield b" "
        return
    yield reply(json.dumps({"choices": [{"text": "a"}]}).encode())


GAVE_UP = threading.Event()


@pytest.mark.parametrize("script", [never, drips])
def test_a_server_that_never_ends_its_answer_ends_the_audit(
    script: Callable[[Asked], Iterator[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Upstream()
    server.script = script
    GAVE_UP.clear()
    with ServedTarget(server.url, "m", timeout_seconds=30) as inner:
        monkeypatch.setattr(inner, "_timeout", 0.1)
        gathered = GatheredTarget(inner)
        with pytest.raises(TargetUnavailable, match="ReadTimeout"):
            side_by_side([lambda n=n: gathered.generate([f"p{n}"], 3) for n in range(2)])  # type: ignore[misc]
    assert not any(thread.name.startswith("audit") for thread in threading.enumerate())
    GAVE_UP.set()
    server.close()
