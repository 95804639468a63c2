"""The model server behind `hostile_tenants`: says what a request's `openai-scenario` header names.

    python -m reticent_bench.proxy.hostile_upstream PORT

`prose` is a word each fifth of a second, 50 of them, on a schedule that does not drift. The others are answers that
cost much to judge, at once. Bodies are counted, not parsed, so that large ones do not delay other streams.
"""

from __future__ import annotations

import asyncio
import sys
import time

from reticent_bench.proxy.load_upstream import WORDS, event

PAUSE_SECONDS, CHUNKS = 0.2, 50
_HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
_END = event("s", {}, "stop") + b"e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n"
_PROSE = [event("s", {"content": WORDS[number % len(WORDS)]}) for number in range(CHUNKS)]
_ROW = "Ada Example,ada{0}@example.org,415-555-01{0:02d},12 Long Lane,1990-01-{1:02d}\n"


def _csv(least_chars: int) -> str:
    rows, size = ["name,mail,phone,street,born\n"], 0
    while size < least_chars:
        number = len(rows)
        rows.append(_ROW.format(number % 100, 1 + number % 28))
        size += len(rows[-1])
    return "".join(rows)


SCENARIOS: dict[str, list[str]] = {
    "bomb": ["My PIN is 7036. " + "((1 " * 300],
    "csv": [_csv(12_000)],
    "huge": [_csv(212_000)],
    "wide": ["a plain sentence without anything in it, " * 1500] * 40,
}


class Answering(asyncio.Protocol):
    """One connection, with as many requests as come, one after the other."""

    def __init__(self) -> None:
        self._data, self._left, self._scenario = b"", 0, ""
        self._task: asyncio.Task[None] | None = None
        self._room = asyncio.Event()
        self._room.set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        if self._task is not None:
            self._task.cancel()

    def pause_writing(self) -> None:
        self._room.clear()

    def resume_writing(self) -> None:
        self._room.set()

    def data_received(self, data: bytes) -> None:
        if self._left:
            self._take(len(data))
            return
        self._data += data
        head, blank, rest = self._data.partition(b"\r\n\r\n")
        if not blank:
            return
        self._data = b""
        headers = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:] if b": " in line)
        self._scenario = headers.get(b"openai-scenario", b"").decode()
        self._left = int(headers.get(b"content-length", b"0")) or len(rest)
        self._take(len(rest))

    def _take(self, size: int) -> None:
        self._left -= size
        if self._left <= 0:
            self._left = 0
            if self._scenario:
                self._task = asyncio.ensure_future(self._say(SCENARIOS.get(self._scenario)))
            else:
                self._transport.write(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n")

    async def _say(self, texts: list[str] | None) -> None:
        self._transport.write(_HEAD + event("s", {"role": "assistant", "content": ""}))
        if texts is None:
            begun = time.monotonic()
            for number, data in enumerate(_PROSE):
                await asyncio.sleep(max(0.0, begun + (number + 1) * PAUSE_SECONDS - time.monotonic()))
                self._transport.write(data)
        else:
            for text in texts:
                await self._room.wait()
                self._transport.write(event("s", {"content": text}))
        self._transport.write(_END)


async def serve(port: int) -> None:
    """Serves until it is killed."""
    server = await asyncio.get_running_loop().create_server(Answering, "127.0.0.1", port, backlog=1024)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1])))
