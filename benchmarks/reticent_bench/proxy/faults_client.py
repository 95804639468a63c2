"""One streamed request over a bare socket, its client's misbehaviour if it has one, and what it got to see."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import time
import uuid
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import h11

_PLANTED = re.compile(rb"[zq@][zq@0-9]+")
"""Of the planted values, from their second character on: one letter behind an announcement is a word to the finder."""


class End(StrEnum):
    """How a stream ended for its client."""

    WHOLE = "whole"
    ERROR = "error"  # one error in OpenAI's shape, and the end of the stream behind it if it had begun
    CUT = "cut off"
    LEFT = "left"  # the client did
    WRONG = "wrong"  # a second error or end, or anything behind it


@dataclass
class Seen:
    """A request and what came of it."""

    name: str = field(default_factory=lambda: uuid.uuid4().hex)
    end: End = End.CUT
    code: str | int | None = None
    status: int = 0
    redacted: int = 0
    leaked: int = 0
    left: int = 0
    """When the client left, in nanoseconds."""


async def ask(
    port: int, body: dict[str, Any], leave_after: int | None = None, way: str = "", patience: float = 30.0
) -> Seen:
    """Sends one request.

    Args:
        port: the proxy's.
        body: beside the model, the messages and `stream`.
        leave_after: pieces of the response after which the client acts by `way`.
        way: `closes`, `half-closes` or `stops reading`.
        patience: seconds.
    """
    seen, raw = Seen(), bytearray()
    said = {"model": "small", "stream": True, "messages": [{"role": "user", "content": "Tell me."}], **body}
    content = json.dumps(said).encode()
    headers = [("host", "faults"), ("x-request-id", seen.name), ("content-length", str(len(content)))]
    connection = h11.Connection(h11.CLIENT)
    opened = socket.socket()
    opened.setblocking(False)
    if way == "stops reading":
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    ended = False
    try:
        async with asyncio.timeout(patience):
            await asyncio.get_running_loop().sock_connect(opened, ("127.0.0.1", port))
            reader, writer = await asyncio.open_connection(sock=opened, limit=1 << 12)
            head = connection.send(h11.Request(method="POST", target="/v1/chat/completions", headers=headers))
            writer.write((head or b"") + (connection.send(h11.Data(data=content)) or b""))
            connection.send(h11.EndOfMessage())
            count = 0
            while not ended:
                if count == leave_after:
                    seen.left = time.monotonic_ns()
                    if way == "closes":
                        break
                    if way == "half-closes":
                        writer.write_eof()
                    else:
                        await asyncio.sleep(patience)
                piece = await reader.read(1 << 12)
                count += 1
                connection.receive_data(piece)
                while True:
                    event = connection.next_event()
                    if isinstance(event, h11.Response):
                        seen.status = event.status_code
                    elif isinstance(event, h11.Data):
                        raw += event.data
                    else:
                        ended = isinstance(event, h11.EndOfMessage)
                        break
    except (OSError, h11.ProtocolError, TimeoutError):
        pass
    finally:
        opened.close()
    _judge(seen, bytes(raw), ended)
    return seen


def _judge(seen: Seen, raw: bytes, ended: bool) -> None:
    """What the client got, and how much of planted values."""
    if seen.status != 200:
        text, errors, rest = "", [raw] if seen.status else [], b""
        ended = ended and seen.status > 0
    else:
        frames, _, rest = raw.partition(b"data: [DONE]\n\n")
        events = [
            json.loads(each[6:]) for each in frames.split(b"\n\n") if each.startswith(b"data: {") and each[-1:] == b"}"
        ]
        text = "".join(c["delta"].get("content") or "" for each in events for c in each.get("choices", ()))
        errors = [json.dumps(each).encode() for each in events if "error" in each]
        ended = ended and b"data: [DONE]\n\n" in raw
        if errors and "error" not in events[-1]:
            rest += b"text behind an error"
    seen.redacted = text.count("<EMAIL_ADDRESS>")
    seen.leaked = max(sum(map(len, _PLANTED.findall(each))) for each in (raw, text.encode()))
    if errors:
        seen.code = json.loads(errors[0])["error"]["code"]
    if seen.left:
        seen.end = End.LEFT
    elif not ended:
        seen.end = End.CUT
    elif rest or len(errors) > 1:
        seen.end = End.WRONG
    else:
        seen.end = End.ERROR if errors else End.WHOLE
