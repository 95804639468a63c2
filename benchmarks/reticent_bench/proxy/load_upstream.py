"""A model server that only sends: ordinary prose, a word in each chunk, at a steady pace, over bare sockets.

A request with `values` gets an e-mail address in each chunk. A request with `says`, a list of texts, gets these, and
their number as `usage`.

    python -m reticent_bench.proxy.load_upstream PORT

It remembers when it sent each chunk, by the request's `x-request-id`. `GET /times/ID` gives nanoseconds of the
machine's monotonic clock, which all processes share.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from typing import Any

PROSE = (
    "We walked down to the river before the rain came, and nobody said a word about the boat. "
    "The bakery on the corner had just opened; warm bread was on every table, and somebody's dog slept under the "
    "bench. Later on we talked about books, about the weather in the mountains, and about how long it takes to learn "
    "to play the violin well. "
)
WORDS = [f"{word} " for word in PROSE.split()]
_HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"


def event(stream: str, delta: dict[str, str], reason: str | None = None) -> bytes:
    """One chunk of a chat completion, as an HTTP chunk."""
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
    top = {"id": f"chatcmpl-{stream}", "object": "chat.completion.chunk", "created": 1732200000, "model": "small"}
    return _chunked(f"data: {json.dumps({**top, 'choices': [choice]}, separators=(',', ':'))}\n\n".encode())


def _chunked(data: bytes) -> bytes:
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


class Server:
    """The server's state: when it sent what."""

    def __init__(self) -> None:
        self.times: dict[str, list[int]] = {}

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, with as many requests as come."""
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                lines = head.decode("latin-1").split("\r\n")
                headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
                path = lines[0].split(" ")[1]
                body = await reader.readexactly(int(headers.get("content-length", 0)))
                if path.startswith("/times/"):
                    self._tell(writer, self.times.pop(path.removeprefix("/times/"), []))
                elif path.endswith("/completions"):
                    await self._stream(writer, headers["x-request-id"], json.loads(body))
                else:
                    self._tell(writer, [])
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def _tell(self, writer: asyncio.StreamWriter, value: list[int]) -> None:
        said = json.dumps(value).encode()
        head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(said)}\r\n\r\n"
        writer.write(head.encode() + said)

    async def _stream(self, writer: asyncio.StreamWriter, stream: str, body: dict[str, Any]) -> None:
        says, pause = body.get("says"), float(body.get("pause", 0))
        chunks = int(body["max_tokens"]) if says is None else len(says)
        times = self.times[stream] = []
        writer.write(_HEAD + event(stream, {"role": "assistant", "content": ""}))
        begun = time.monotonic()
        for number in range(chunks):
            if pause:
                await asyncio.sleep(max(0.0, begun + (number + 1) * pause - time.monotonic()))
            text = f"Write to a{number}.b@example.com now. " if body.get("values") else WORDS[number % len(WORDS)]
            text = text if says is None else says[number]
            data = event(stream, {"content": text})
            times.append(time.monotonic_ns())
            writer.write(data)
            await writer.drain()
        writer.write(event(stream, {}, "stop"))
        if says is not None:
            usage = {"prompt_tokens": 9, "completion_tokens": chunks, "total_tokens": 9 + chunks}
            writer.write(_chunked(f"data: {json.dumps({'choices': [], 'usage': usage})}\n\n".encode()))
        writer.write(_chunked(b"data: [DONE]\n\n") + b"0\r\n\r\n")


async def serve(port: int) -> None:
    """Serves until it is killed."""
    server = await asyncio.start_server(Server().answer, "127.0.0.1", port, limit=1 << 20)
    print(f"ready on {server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1])))
