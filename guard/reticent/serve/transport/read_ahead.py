"""Reads the bytes of a response ahead, for a caller that does not always wait for the next."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from types import TracebackType
from typing import Self

from reticent.serve.wire.frameless import frameless

_LAST_SECONDS = 2.0
_MOST_BYTES = 1 << 14
"""Most bytes that are read ahead. One piece may go beyond."""


class ReadAhead:
    """Reads ahead in a task of its own. A wait given up loses nothing, and bytes that came together are one piece.

    The task is not cancelled when the `async with` block is left. An HTTP client that is cancelled while it closes a
    connection loses the connection. So the response is closed, and the reading ends with it.

    Args:
        pieces: the pieces to read.
        close: closes their source, so that a waiting `next` wakes. It may be called during reading.
    """

    def __init__(self, pieces: AsyncIterator[bytes], close: Callable[[], Awaitable[None]]) -> None:
        self._pieces, self._close = pieces, close
        self._ahead = bytearray()
        self._news, self._room = asyncio.Event(), asyncio.Event()
        self._error: Exception | None = None
        self._ended = self._over = False

    def __repr__(self) -> str:
        return f"ReadAhead({len(self._ahead)} bytes ahead)"

    async def __aenter__(self) -> Self:
        self._reading = asyncio.ensure_future(self._read())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over = True
        self._room.set()  # a waiting `_read` may go on
        await asyncio.shield(self._close())
        reading = self._reading
        del self._reading  # its traceback has this object, and a cycle would keep what was read
        if not (await asyncio.wait({reading}, timeout=_LAST_SECONDS))[0]:
            reading.cancel()
            await asyncio.wait({reading})

    async def next(self, seconds: float) -> bytes | None:
        """Gives all bytes that have come, at least one, or None at the end.

        Raises:
            TimeoutError: nothing came in time.
            Exception: whatever the reading raised, once.
        """
        if not (self._ahead or self._ended):
            self._news.clear()
            try:
                async with asyncio.timeout(max(0.0, seconds)):
                    await self._news.wait()
            except TimeoutError:
                await asyncio.sleep(0)  # what came while the loop was late came in time
                if not (self._ahead or self._ended):
                    raise
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

    async def _read(self) -> None:
        try:
            async for piece in self._pieces:
                self._ahead += piece
                self._news.set()
                if len(self._ahead) >= _MOST_BYTES and not self._over:
                    self._room.clear()
                    await self._room.wait()
                if self._over:
                    return
        except Exception as error:
            frameless(error)
            self._error = error
        self._ended = True
        self._news.set()
