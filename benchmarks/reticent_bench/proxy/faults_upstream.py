"""A model server whose answers hold planted values, and that fails in the way that a request asks for.

    python -m reticent_bench.proxy.faults_upstream PORT

A request's `fault` says how its answer fails, and `at` after how many chunks. `GET /closed` gives the answers that
clients left, and when: nanoseconds by `x-request-id`, on the machine's monotonic clock, which all processes share.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import struct
import sys
import time
from collections.abc import Iterator
from typing import Any

from reticent_bench.proxy.load_upstream import WORDS, event

PLANTED = "zq{}zq@zqzq.com"
"""No word of the prose has one of its letters."""
PIECE_CHARS = 5
_WIDE_BYTES = 200_000
_HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
_HTML = b"<html>" + PLANTED.format(0).encode() + b"</html>"


def pieces(chunks: int) -> Iterator[str]:
    """What an answer says, chunk by chunk: a planted value behind every few words, cut anywhere."""
    text = ""
    while len(text) < chunks * PIECE_CHARS:
        text += f"{''.join(WORDS[:6])}Write to {PLANTED.format(len(text))} now. "
    return (text[at * PIECE_CHARS : (at + 1) * PIECE_CHARS] for at in range(chunks))


class Server:
    """The server's state: who left, and when."""

    def __init__(self) -> None:
        self.closed: dict[str, int] = {}

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while head := await reader.readuntil(b"\r\n\r\n"):
                lines = head.decode("latin-1").split("\r\n")
                headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
                path = lines[0].split(" ")[1]
                body = await reader.readexactly(int(headers.get("content-length", 0)))
                if not path.endswith("/completions"):
                    said = json.dumps(self.closed if path == "/closed" else {}).encode()
                    writer.write(_whole(said, "application/json"))
                else:
                    await self._watched(reader, writer, headers["x-request-id"], json.loads(body))
                await writer.drain()
        writer.close()

    async def _watched(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, name: str, body: dict[str, Any]
    ) -> None:
        """An answer, for as long as somebody is there; who asks for another meanwhile is none of ours."""
        answering = asyncio.ensure_future(self._stream(writer, name, body))
        leaving = asyncio.ensure_future(reader.read(1))
        await asyncio.wait({answering, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not answering.done() or isinstance(answering.exception(), ConnectionError):
            self.closed[name] = time.monotonic_ns()
        leaving.cancel()
        answering.cancel()
        await asyncio.gather(answering, leaving, return_exceptions=True)
        writer.close()  # the next one comes on a connection of its own
        raise ConnectionError

    async def _stream(self, writer: asyncio.StreamWriter, name: str, body: dict[str, Any]) -> None:
        fault, at = body.get("fault"), body.get("at", 0)
        if fault == "HTML":
            writer.write(_whole(_HTML, "text/html"))
            return
        writer.write(_HEAD + event(name, {"role": "assistant", "content": ""}))
        for number, text in enumerate(pieces(int(body["max_tokens"]))):
            await asyncio.sleep(float(body.get("pause", 0)))
            if fault is not None and number == at:
                await _fail(writer, name, fault, text)
                return
            writer.write(event(name, {"content": text}))
            if body.get("wide"):  # a comment of many blanks, which costs nothing to judge and fills what holds it
                writer.write(_chunk(b":" + b" " * _WIDE_BYTES + b"\n\n"))
            await writer.drain()
        writer.write(event(name, {}, "stop") + b"e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n")
        await writer.drain()


async def _fail(writer: asyncio.StreamWriter, name: str, fault: str, text: str) -> None:
    data = f'data: {{"id": "chatcmpl-{name}", "choices": [{{"index": 0, "delta": {{"content": "{text}€'.encode()
    match fault:
        case "silence":
            await asyncio.sleep(60)
        case "reset":
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()
            return
        case "cut frame":
            writer.write(_chunk(data[:-20]) + b"0\r\n\r\n")
        case "cut character":
            writer.write(_chunk(data[:-1]) + b"0\r\n\r\n")
    await writer.drain()


def _chunk(data: bytes) -> bytes:
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


def _whole(said: bytes, kind: str) -> bytes:
    return f"HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {len(said)}\r\n\r\n".encode() + said


async def serve(port: int) -> None:
    """Serves until it is killed."""
    server = await asyncio.start_server(Server().answer, "127.0.0.1", port, limit=1 << 20)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1])))
