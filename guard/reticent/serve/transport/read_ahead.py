"""Reads the bytes of a response ahead, for a caller that does not always wait for the next."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Self

import httpx

from reticent.serve.wire.frameless import frameless

_LAST_SECONDS = 2.0
_MOST_BYTES = 1 << 14
"""Most bytes that are read ahead. One piece may go beyond."""
AHEAD = "reticent.ahead"
"""Name of a response's extension: what holds its bytes, for a response whose bytes are put there as they come."""


class Ahead:
    """Holds the bytes that came of a response, until they are taken. Those that came together are one piece."""

    def __init__(self) -> None:
        self._ahead = bytearray()
        self._waiter: asyncio.Future[None] | None = None
        self._room = asyncio.Event()
        self._error: Exception | None = None
        self._ended = self._over = False

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self._ahead)} bytes ahead)"

    @property
    def is_empty(self) -> bool:
        """Says whether all that came was taken."""
        return not self._ahead

    @property
    def ended(self) -> bool:
        """Says whether no more will come."""
        return self._ended

    async def put(self, piece: bytes) -> None:
        """Adds what came, and waits for room if there is much."""
        self._ahead += piece
        self._wake()
        if len(self._ahead) >= _MOST_BYTES and not self._over:
            self._room.clear()
            await self._room.wait()

    def end(self, error: Exception | None = None) -> None:
        """Notes that no more will come, with the reason if it is an error."""
        self._ended, self._error = True, error
        self._wake()

    def let_go(self) -> None:
        """Lets a waiting `put` go on, as nobody takes more."""
        self._over = True
        self._room.set()

    async def next(self, seconds: float | None) -> bytes | None:
        """Gives all bytes that have come, at least one, or None at the end.

        Raises:
            TimeoutError: nothing came in time.
            Exception: whatever the reading raised, once.
        """
        if not (self._ahead or self._ended):
            await self._wait(seconds)
            if not (self._ahead or self._ended):
                await asyncio.sleep(0)  # what came while the loop was late came in time
                if not (self._ahead or self._ended):
                    raise TimeoutError
        if self._ahead:
            piece = bytes(self._ahead)
            self._ahead.clear()
            self._room.set()
            return piece
        error, self._error = self._error, None
        if error is None:
            return None
        try:
            raise error
        finally:
            del error  # its traceback has this frame

    async def _wait(self, seconds: float | None) -> None:
        """Waits for news. It costs a third of what an event in `asyncio.timeout` does."""
        loop = asyncio.get_running_loop()
        self._waiter = loop.create_future()
        timer = None if seconds is None else loop.call_later(max(0.0, seconds), self._wake)
        try:
            await self._waiter
        finally:
            self._waiter = None
            if timer is not None:
                timer.cancel()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


class ReadAhead(Ahead):
    """Reads ahead in a task of its own. A wait given up loses nothing, and bytes that came together are one piece.

    The task is not cancelled when the `async with` block is left. An HTTP client that is cancelled while it closes a
    connection loses the connection. So the response is closed, and the reading ends with it.

    Args:
        pieces: the pieces to read.
        close: closes their source, so that a waiting `next` wakes. It may be called during reading.
    """

    def __init__(self, pieces: AsyncIterator[bytes], close: Callable[[], Awaitable[None]]) -> None:
        super().__init__()
        self._pieces, self._close = pieces, close

    async def __aenter__(self) -> Self:
        self._reading = asyncio.ensure_future(self._read())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.let_go()
        await asyncio.shield(self._close())
        reading = self._reading
        del self._reading  # its traceback has this object, and a cycle would keep what was read
        if not (await asyncio.wait({reading}, timeout=_LAST_SECONDS))[0]:
            reading.cancel()
            await asyncio.wait({reading})

    async def _read(self) -> None:
        try:
            async for piece in self._pieces:
                await self.put(piece)
                if self._over:
                    return
        except Exception as error:
            frameless(error)
            self.end(error)
        else:
            self.end()


@asynccontextmanager
async def reading(response: httpx.Response) -> AsyncIterator[Ahead]:
    """Gives what holds a response's bytes as they come. Closes the response."""
    ahead: Ahead | None = response.extensions.get(AHEAD)
    if ahead is None:
        async with ReadAhead(response.aiter_raw(), response.aclose) as read_ahead:
            yield read_ahead
        return
    try:
        yield ahead
    finally:
        await asyncio.shield(response.aclose())
