"""Who has a place: bodies that are read, open requests by key, and connections."""

from __future__ import annotations

import asyncio
import logging
import resource
import socket
import time
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn
from serve_upstream import Running, Scripted, proxied, reply, until

from reticent.serve import connections
from reticent.serve.app import create_app
from reticent.serve.connections import BoundedProtocol, RareAcceptFailures, prepare
from reticent.serve.transport.body_reading import BodyReading
from reticent.serve.transport.open_requests import OpenRequests
from reticent.serve.wire.errors import ApiError

HEAD = "POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
BODY = b'{"model": "m", "messages": [{"role": "user", "content": "Hello."}]}'
SAYS = (
    b'{"object": "chat.completion", "choices": [{"index": 0, "message": {"content": "Hi."}, "finish_reason": "stop"}]}'
)


@pytest.fixture
def upstream() -> Iterator[Scripted]:
    scripted = Scripted()
    scripted.script = lambda asked: iter([reply(SAYS)])
    yield scripted
    scripted.close()


def begin(running: Running, sent: bytes = BODY[:1], key: str = "") -> socket.socket:
    """A request whose body does not end."""
    connection = socket.create_connection(("127.0.0.1", running.port), 10)
    authorization = f"authorization: Bearer {key}\r\n" if key else ""
    connection.sendall(f"{HEAD}{authorization}content-length: {len(BODY)}\r\n\r\n".encode() + sent)
    return connection


def test_bodies_that_have_not_come_take_no_place(upstream: Scripted) -> None:
    with proxied(upstream.url, **{"limits.inflight": 2}) as running:
        dripping = [begin(running) for _ in range(8)]
        time.sleep(0.2)
        assert running.post(BODY).status_code == 200
        for each in dripping:
            each.close()


def test_the_body_that_began_first_gives_way(upstream: Scripted) -> None:
    with proxied(upstream.url, **{"limits.reading": 2}) as running:
        dripping = [begin(running) for _ in range(2)]
        time.sleep(0.2)
        assert running.post(BODY).status_code == 200
        assert dripping[0].recv(64).startswith(b"HTTP/1.1 408")
        dripping[1].sendall(BODY[1:])
        assert dripping[1].recv(64).startswith(b"HTTP/1.1 200")
        for each in dripping:
            each.close()


def test_what_has_come_of_all_bodies_is_bounded() -> None:
    async def places() -> None:
        reading = BodyReading(8, 100)
        async with asyncio.timeout(60) as second, asyncio.timeout(60) as third:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(60) as first:
                    with reading.place(first), reading.place(second):
                        reading.came(first, 60)
                        reading.came(second, 60)
                        await asyncio.sleep(1)
            with reading.place(third):
                reading.came(third, 500)  # alone it may be longer; its own bound is another
            assert not second.expired() and not third.expired()
        assert repr(reading) == "BodyReading(0 bodies, 0 bytes)"

    asyncio.run(places())


def test_one_key_cannot_take_all_places(upstream: Scripted) -> None:
    upstream.script = lambda asked: iter([reply(SAYS)] if b"Hello" in asked.body else [2.0, reply(SAYS)])
    keys = [{"key": "greedy-key-1"}, {"key": "modest-key-1"}]
    slow = BODY.replace(b"Hello", b"Sleep")
    with proxied(upstream.url, **{"limits.inflight": 4, "keys": keys}) as running:
        open_now = [begin(running, slow, "greedy-key-1") for _ in range(4)]
        time.sleep(0.5)
        refused = [each.recv(64) for each in open_now[2:]]
        assert all(each.startswith(b"HTTP/1.1 429") for each in refused)
        assert running.post(BODY, authorization="Bearer greedy-key-1").status_code == 429
        assert running.post(BODY, authorization="Bearer modest-key-1").status_code == 200
        for each in open_now:
            each.close()


def test_places_by_count_and_key() -> None:
    places = OpenRequests(most=3, per_key=2, body_bytes=1 << 20)
    with places.place(1, 10), places.place(1, 10):
        with pytest.raises(ApiError), places.place(1, 10):
            pass
        with places.place(2, 10), pytest.raises(ApiError) as error, places.place(3, 10):
            pass
        assert error.value.headers["retry-after"]
    assert repr(places) == "OpenRequests(0 of 3, 0 bytes)"


def test_large_bodies_are_bounded_and_take_no_place_from_small_ones() -> None:
    places, large = OpenRequests(most=40, per_key=20, body_bytes=1 << 20), 300 << 10
    with places.place(1, 2 << 20):  # alone it may be longer
        with pytest.raises(ApiError), places.place(2, large):
            pass
        with places.place(1, 1000), places.place(2, 1000):
            pass
    with places.place(1, large):
        with pytest.raises(ApiError), places.place(1, large):  # more than half is not for one key
            pass
        with places.place(2, large), places.place(3, large):
            with pytest.raises(ApiError), places.place(4, large):
                pass
            with places.place(1, 1 << 16), places.place(4, 1 << 16):
                pass
    assert repr(places) == "OpenRequests(0 of 40, 0 bytes)"


@pytest.mark.parametrize(("keys", "given", "wanted"), [(0, None, 256), (1, None, 256), (3, None, 128), (3, 5, 5)])
def test_the_share_of_a_key(keys: int, given: int | None, wanted: int) -> None:
    from reticent.serve.config import load

    listed = [{"key": f"some-key-{number}"} for number in range(keys)]
    made = load(environ={}, overrides={"upstream.url": "http://x", "keys": listed, "limits.inflight_per_key": given})
    assert made.inflight_per_key == wanted


class Bounded(Running):
    """A proxy behind the protocol of `reticent serve`."""

    def __init__(self, proxy: Any, most: int) -> None:
        self._most = most
        super().__init__(proxy)

    def config(self) -> uvicorn.Config:
        return uvicorn.Config(
            create_app(self.proxy), host="127.0.0.1", port=0, http=BoundedProtocol, ws="none", log_level="warning",
            limit_concurrency=self._most, timeout_graceful_shutdown=1,
        )  # fmt: skip


@pytest.fixture
def bounded(upstream: Scripted, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bounded]:
    from reticent.serve.config import load
    from reticent.serve.proxy import Proxy

    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.6)
    running = Bounded(Proxy(load(environ={}, overrides={"upstream.url": upstream.url})), most=4)
    yield running
    running.close()


def closes(connection: socket.socket, drip: bytes, seconds: float) -> bool:
    """Says whether the server closes a connection on which bytes drip."""
    end = time.monotonic() + seconds
    connection.settimeout(0.1)
    try:
        while time.monotonic() < end:
            connection.sendall(drip)
            try:
                if not connection.recv(1 << 16):
                    return True
            except TimeoutError:
                continue
    except OSError:
        return True
    return False


def connect(running: Running) -> socket.socket:
    return socket.create_connection(("127.0.0.1", running.port), 10)


@pytest.mark.parametrize("begun", [b"", b"GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\nx-drip: "])
def test_a_head_that_drips_is_closed(bounded: Bounded, begun: bytes) -> None:
    with connect(bounded) as connection:
        connection.sendall(begun)
        assert closes(connection, b"a", 3)


def test_the_next_head_that_drips_is_closed(bounded: Bounded) -> None:
    with connect(bounded) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
        assert b"200 OK" in connection.recv(1 << 16)
        assert closes(connection, b"G", 3)


def test_the_rest_of_a_refused_body_is_not_waited_for(bounded: Bounded) -> None:
    with connect(bounded) as connection:
        connection.sendall(b"POST /nowhere HTTP/1.1\r\nhost: rebound.example\r\ncontent-length: 9999\r\n\r\n")
        assert b"403" in connection.recv(1 << 16)
        assert closes(connection, b"a", 3)


def test_a_body_that_comes_in_time_outlasts_the_heads_time(bounded: Bounded) -> None:
    with begin(bounded) as connection:
        for at in range(1, 11):
            time.sleep(0.1)
            connection.sendall(BODY[at : at + 1])
        connection.sendall(BODY[11:])
        assert connection.recv(64).startswith(b"HTTP/1.1 200")


def test_with_too_many_connections_the_longest_waiting_one_gives_way(bounded: Bounded) -> None:
    idle = [connect(bounded) for _ in range(4)]
    time.sleep(0.2)
    assert bounded.client.get("/healthz").status_code == 200
    assert idle[0].recv(1) == b""
    for each in idle:
        each.close()


def test_busy_connections_do_not_give_way(bounded: Bounded) -> None:
    busy = [begin(bounded) for _ in range(4)]
    time.sleep(0.2)
    with connect(bounded) as late, pytest.raises(OSError):
        late.sendall(b"GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
        if late.recv(64) == b"":
            raise ConnectionResetError
    for each in busy:
        each.sendall(BODY[1:])
        assert each.recv(64).startswith(b"HTTP/1.1 200")
        each.close()
    assert until(lambda: bounded.client.get("/healthz").status_code == 200)


def test_connections_stay_below_the_bound_of_open_files(monkeypatch: pytest.MonkeyPatch) -> None:
    set_to: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "setrlimit", lambda kind, limits: set_to.append(limits))
    for soft, hard, wanted, raised in (
        (256, 1 << 20, 1024, [(1408, 1 << 20)]),
        (256, 512, 128, [(512, 512)]),
        (100_000, 100_000, 1024, []),
        (64, 64, 16, []),
        (resource.RLIM_INFINITY, resource.RLIM_INFINITY, 1024, []),
    ):
        set_to.clear()
        monkeypatch.setattr(resource, "getrlimit", lambda kind, both=(soft, hard): both)
        assert prepare(1024, 256) == wanted, soft
        assert set_to == raised or (soft == hard and set_to == [(soft, hard)])


def test_that_connections_cannot_be_accepted_is_said_once_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    rare, now = RareAcceptFailures(), [1000.0]
    monkeypatch.setattr(connections.time, "monotonic", lambda: now[0])

    def passes(text: str) -> bool:
        record = logging.LogRecord("asyncio", logging.ERROR, "x", 1, text, (), (OSError, OSError(), None))
        passed = bool(rare.filter(record))
        assert record.exc_info is None or not text.startswith("socket") or not passed
        return passed

    line = "socket.accept() out of system resource\nsocket: <socket>"
    assert passes(line)
    assert not any(passes(line) for _ in range(2048))
    assert passes("another line")
    now[0] += 61
    assert passes(line)
