"""The load of `hostile_tenants`, a process of its own: harmless streams, probes of `/healthz`, and hostile tenants.

    python -m reticent_bench.proxy.hostile_load PORT SECONDS HOSTILE

It ends by itself, and prints one JSON object. HOSTILE is 1, or 0 for the harmless part alone. A stream's delays are
relative to its least one: the server says word k at a fifth of a second times k. Its own part is reported as the
processor time that it took, and by how much its own timers were late (`lag`).
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import resource
import socket
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from reticent_bench.proxy.hostile_upstream import CHUNKS, PAUSE_SECONDS

STREAMS, PROBE_SECONDS, GRACE_SECONDS = 200, 0.25, 5.0
LATE_SECONDS, FIRST_SECONDS, PROBE_LIMIT_SECONDS = 1.0, 5.0, 10.0
HARMLESS_TENANTS, HOSTILE_TENANTS = 10, 20
_ASK = b'{"model":"small","stream":true,"messages":[{"role":"user","content":"Tell me about your day."}]}'
_TEXT = b'"content":"'


def harmless_key(number: int) -> str:
    """The key of a harmless tenant, each of whom has a tenth of the streams."""
    return f"harmless-tenant-{number % HARMLESS_TENANTS:02d}"


def hostile_key(number: int) -> str:
    """The key of a hostile tenant."""
    return f"hostile-tenant-{number:02d}"


def head(key: str, scenario: str, length: int) -> bytes:
    """The head of a request."""
    return (
        f"POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {key}\r\n"
        f"openai-scenario: {scenario}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n"
        "connection: close\r\n\r\n"
    ).encode()


def quantiles(values: list[float]) -> dict[str, float]:
    """Median, 99th percentile and largest, in milliseconds."""
    ordered = sorted(values) or [float("nan")]
    return {
        "p50 ms": 1000 * ordered[len(ordered) // 2],
        "p99 ms": 1000 * ordered[min(len(ordered) - 1, 99 * len(ordered) // 100)],
        "max ms": 1000 * ordered[-1],
    }


class Stream(asyncio.Protocol):
    """One harmless stream. `over` is done when the connection is."""

    def __init__(self, request: bytes) -> None:
        self._request, self._tail = request, b""
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.asked = time.monotonic()
        self.came: list[float] = []
        self.status, self.whole = b"", False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        now = time.monotonic()
        if not self.status:
            self.status = data[9:12]
        seen = self._tail + data
        for _ in range(seen.count(_TEXT) - self._tail.count(_TEXT)):
            self.came.append(now)
        self.whole = self.whole or b"data: [DONE]" in seen
        self._tail = seen[-12:]

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.over.done():
            self.over.set_result(None)

    @property
    def delays(self) -> list[float]:
        """How late each text was, beside the stream's most punctual one, in seconds. A text may have several words."""
        texts = self.came[1:]  # the first is the role's
        late = [came - PAUSE_SECONDS * number for number, came in enumerate(texts)]
        return [each - min(late) for each in late]


async def opened(stream: Stream, port: int) -> asyncio.Transport:
    """Asks for a stream. Raises OSError."""
    transport, _ = await asyncio.get_running_loop().create_connection(lambda: stream, "127.0.0.1", port)
    return transport


class Load:
    """All of it, against one port, until its end."""

    def __init__(self, port: int, seconds: float) -> None:
        self._port, self._end = port, time.monotonic() + seconds
        self.ends: Counter[str] = Counter()
        self.delays: list[float] = []
        self.firsts: list[float] = []
        self.late = 0
        self.probes: list[float] = []
        self.lag: list[float] = []
        self.hostile: Counter[str] = Counter()

    @property
    def going(self) -> bool:
        """Says whether there is time left."""
        return time.monotonic() < self._end

    async def harmless(self, number: int) -> None:
        """Asks for one stream after another."""
        await asyncio.sleep(2.0 * number / STREAMS)
        request = head(harmless_key(number), "prose", len(_ASK)) + _ASK
        longest = CHUNKS * PAUSE_SECONDS
        while time.monotonic() < self._end - longest - GRACE_SECONDS:
            stream = Stream(request)
            try:
                transport = await asyncio.wait_for(opened(stream, self._port), 10)
            except OSError:
                self.ends["no connection"] += 1
                await asyncio.sleep(0.5)
                continue
            await asyncio.wait({stream.over}, timeout=longest + GRACE_SECONDS + LATE_SECONDS)
            transport.abort()
            self._note(stream)
            if stream.status != b"200":
                await asyncio.sleep(0.5)

    def _note(self, stream: Stream) -> None:
        if stream.status != b"200":
            self.ends[f"status {stream.status.decode() or 'none'}"] += 1
            return
        self.ends["whole" if stream.whole else "cut, or not whole in time"] += 1
        self.delays += stream.delays
        first = stream.came[0] - stream.asked if stream.came else FIRST_SECONDS
        self.firsts.append(first)
        self.late += stream.whole and (max(stream.delays, default=0.0) > LATE_SECONDS or first > FIRST_SECONDS)

    async def probe(self) -> None:
        """Asks for `/healthz` at a steady pace, whether earlier probes were answered or not."""
        asking = set[asyncio.Task[None]]()
        while self.going:
            asking.add(asyncio.ensure_future(self._probe()))
            await asyncio.sleep(PROBE_SECONDS)
        await asyncio.wait(asking)

    async def _probe(self) -> None:
        begun, good = time.monotonic(), False
        with contextlib.suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
            async with asyncio.timeout(PROBE_LIMIT_SECONDS):
                reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
                writer.write(b"GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n")
                good = (await reader.readuntil(b"\r\n")).startswith((b"HTTP/1.1 200", b"HTTP/1.1 404"))
                writer.close()
        self.probes.append(time.monotonic() - begun if good else PROBE_LIMIT_SECONDS)

    async def watch_itself(self) -> None:
        """Notes by how much a timer of this process is late."""
        while self.going:
            due = time.monotonic() + 0.05
            await asyncio.sleep(0.05)
            self.lag.append(max(0.0, time.monotonic() - due))

    # ---- hostile tenants ---------------------------------------------------------------------------------------------

    async def costly(self, key: str, scenario: str, body: bytes = _ASK, pause: float = 0.2) -> None:
        """Has answers judged that cost much, two at a time."""

        async def one() -> None:
            while self.going:
                stream = Stream(head(key, scenario, len(body)) + body)
                with contextlib.suppress(OSError):
                    transport = await opened(stream, self._port)
                    await asyncio.wait({stream.over}, timeout=min(30.0, max(0.1, self._end - time.monotonic())))
                    transport.abort()
                self.hostile[f"{scenario}: {stream.status.decode() or 'no answer'}"] += 1
                await asyncio.sleep(pause)

        await asyncio.gather(one(), one())

    async def dripping(self, first: bytes, name: str) -> None:
        """Holds 100 connections, each with a byte a second after its first ones, and makes each anew that is closed."""
        loop, held = asyncio.get_running_loop(), list[socket.socket]()
        while self.going:
            while len(held) < 100:
                connection = socket.socket()
                connection.setblocking(False)
                try:
                    async with asyncio.timeout(1.0):
                        await loop.sock_connect(connection, ("127.0.0.1", self._port))
                        await loop.sock_sendall(connection, first)
                except (OSError, TimeoutError):
                    connection.close()
                    break
                held.append(connection)
                self.hostile[f"{name}: begun"] += 1
            await asyncio.sleep(1.0)
            for connection in tuple(held):
                try:
                    connection.send(b"a")
                    with contextlib.suppress(BlockingIOError):
                        if not connection.recv(1 << 12):
                            raise ConnectionResetError
                except BlockingIOError:
                    continue
                except OSError:
                    held.remove(connection)
                    connection.close()
                    self.hostile[f"{name}: closed"] += 1
        for connection in held:
            connection.close()

    async def aborting(self, key: str) -> None:
        """Begins streams and resets them, ten a second."""
        request = head(key, "prose", len(_ASK)) + _ASK
        while self.going:
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", self._port)
                writer.write(request)
                await asyncio.sleep(0.1)
                writer.transport.abort()
                self.hostile["aborts"] += 1

    async def not_reading(self, key: str) -> None:
        """Keeps ten wide streams that nobody reads, each anew after five seconds."""
        loop, request = asyncio.get_running_loop(), head(key, "wide", len(_ASK)) + _ASK
        while self.going:
            held = list[socket.socket]()
            for _ in range(10):
                connection = socket.socket()
                connection.setblocking(False)
                with contextlib.suppress(OSError, TimeoutError):
                    async with asyncio.timeout(1.0):
                        await loop.sock_connect(connection, ("127.0.0.1", self._port))
                        await loop.sock_sendall(connection, request)
                        self.hostile["slow readers"] += 1
                held.append(connection)
            await asyncio.sleep(5.0)
            for connection in held:
                connection.close()

    def tenants(self) -> Iterator[Awaitable[None]]:
        """Yields the 20 hostile tenants."""
        keys = map(hostile_key, itertools.count())
        words = b"a plain word and another one, " * 63_000
        picture = (
            b'{"type":"image_url","image_url":{"url":"data:image/png;base64,' + b"QUJD" * ((2 << 20) - 100) + b'"}}'
        )
        large = (_ASK.replace(b"Tell", words + b"Tell"), _ASK.replace(b'"Tell me about your day."', b"[%s]" % picture))
        for scenario in ("bomb", "bomb", "bomb", "bomb", "csv", "csv", "csv", "huge"):
            yield self.costly(next(keys), scenario)
        for _ in range(3):
            yield self.dripping(b"GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\nx-drip: ", "slow heads")
        for _ in range(3):
            yield self.dripping(head(next(keys), "prose", 4000) + b"{", "slow bodies")
        for body in (*large, large[0]):
            yield self.costly(next(keys), "prose", body, pause=1.0)
        for _ in range(2):
            yield self.aborting(next(keys))
        yield self.not_reading(next(keys))


async def run(port: int, seconds: float, hostile: bool) -> dict[str, Any]:
    """Carries the load out, and gives its figures. The hostile tenants come after three seconds."""
    load, cpu = Load(port, seconds), time.process_time()

    async def begin_later(tenant: Awaitable[None]) -> None:
        await asyncio.sleep(3.0)
        await tenant

    parts: list[Awaitable[None]] = [load.harmless(number) for number in range(STREAMS)]
    parts += [load.probe(), load.watch_itself()]
    parts += [begin_later(tenant) for tenant in (load.tenants() if hostile else ())]
    begun = time.monotonic()
    failed = [each for each in await asyncio.gather(*parts, return_exceptions=True) if each is not None]
    return {
        "streams": load.ends,
        "late streams": load.late,
        "chunk delay": quantiles(load.delays),
        "first text": quantiles(load.firsts),
        "healthz": quantiles(load.probes),
        "own lag": quantiles(load.lag),
        "own processor share": (time.process_time() - cpu) / (time.monotonic() - begun),
        "hostile": dict(sorted(load.hostile.items())),
        "failures of the load itself": [repr(each)[:200] for each in failed],
    }


def _main(call: Callable[..., Any] = asyncio.run) -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, hard) if hard > 0 else 8192, hard))
    print(json.dumps(call(run(int(sys.argv[1]), float(sys.argv[2]), sys.argv[3] == "1"))))


if __name__ == "__main__":
    _main()
