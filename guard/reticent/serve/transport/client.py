"""Wraps one client's ASGI connection: takes a bounded body, sends a response, and notes a disconnect."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

from reticent.serve.transport.body_reading import BodyReading
from reticent.serve.wire.error_formats import OPENAI, ErrorFormat
from reticent.serve.wire.errors import ApiError

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

JSON = (b"content-type", b"application/json")
STREAM = (
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache"),
    (b"x-accel-buffering", b"no"),
)


class ClientGone(Exception):
    """Says that the client went away, or takes no more data."""


class Client:
    """Wraps the client of one request.

    Args:
        receive, send: ASGI's.
        seconds: the longest that its whole body, or the taking of one piece of the response, may last.
        error_format: in which it gets errors.
        request_id: names the request in logs. None draws one.
        headers: of every response, besides its own.
    """

    def __init__(
        self,
        receive: Receive,
        send: Send,
        seconds: float,
        error_format: ErrorFormat = OPENAI,
        request_id: str | None = None,
        headers: Iterable[tuple[bytes, bytes]] = (),
    ) -> None:
        self._headers = tuple(headers)
        self.request_id = secrets.token_hex(16) if request_id is None else request_id
        self._receive, self._send, self._seconds, self._voice = receive, send, seconds, error_format
        self.started = False
        self.ended = False
        self.left = False
        self.sent_at = time.monotonic()
        """Time of the last piece that it took, in seconds."""
        self._held: bytearray | None = None

    async def hold_body(self, most_bytes: int, reading: BodyReading) -> int:
        """Reads the request's body for the next `body`. Gives its length in bytes. Raises as `body` does."""
        self._held = await self._read(most_bytes, reading)
        return len(self._held)

    async def body(self, most_bytes: int) -> bytearray:
        """Gives the request's body, once. Raises ClientGone, and ApiError for a body that is too long or too slow."""
        held, self._held = self._held, None
        return await self._read(most_bytes, BodyReading(1, most_bytes)) if held is None else held

    async def _read(self, most_bytes: int, reading: BodyReading) -> bytearray:
        try:
            # Unlike wait_for, it never loses a cancellation (Python 3.11).
            async with asyncio.timeout(self._seconds) as limit:
                with reading.place(limit):
                    return await self._pieces(most_bytes, reading, limit)
        except TimeoutError:
            raise ApiError(408, "The request's body did not come in time.", code="timeout") from None

    async def _pieces(self, most_bytes: int, reading: BodyReading, limit: asyncio.Timeout) -> bytearray:
        out = bytearray()
        while True:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                raise ClientGone
            piece = message.get("body", b"")
            reading.came(limit, len(piece))
            out += piece
            if len(out) > most_bytes:
                raise ApiError(413, f"A request may have {most_bytes} bytes.", code="too_large")
            if not message.get("more_body", False):
                return out

    async def gone(self) -> None:
        """Returns when the client has gone away. Call it after `body`."""
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self.left = True

    async def start(self, status: int, headers: Iterable[tuple[bytes, bytes]]) -> None:
        """Begins the response. Raises ClientGone."""
        self.started = True
        await self._send_message(
            {"type": "http.response.start", "status": status, "headers": [*headers, *self._headers]}
        )

    async def send(self, body: bytes, more: bool) -> None:
        """Sends a piece of the response, and waits until the client takes it. Raises ClientGone."""
        self.ended = not more
        await self._send_message({"type": "http.response.body", "body": body, "more_body": more})

    async def respond(self, status: int, headers: Iterable[tuple[bytes, bytes]], body: bytes) -> None:
        """Sends a whole response. Raises ClientGone."""
        await self.start(status, [*headers, (b"content-length", str(len(body)).encode())])
        await self.send(body, more=False)

    async def send_error(self, api_error: ApiError) -> None:
        """Sends the error as a response. Raises ClientGone."""
        more = [(name.encode(), value.encode()) for name, value in api_error.headers.items()]
        await self.respond(api_error.status, [JSON, *more], self._voice.body(api_error))

    async def _send_message(self, message: Message) -> None:
        try:
            async with asyncio.timeout(self._seconds):
                await self._send(message)
            self.sent_at = time.monotonic()
        except (TimeoutError, OSError):
            self.left = True
            raise ClientGone from None
