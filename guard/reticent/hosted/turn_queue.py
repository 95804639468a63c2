"""Queues tasks of which one is served at a time."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class TurnQueue:
    """Queues tasks. One has its turn, the others wait in the order in which they came."""

    def __init__(self) -> None:
        self._busy = False
        self._waiting: deque[asyncio.Future[None]] = deque()

    def __repr__(self) -> str:
        return f"TurnQueue({len(self._waiting)} waiting)"

    @asynccontextmanager
    async def turn(self, next_one: bool = False) -> AsyncIterator[None]:
        """Waits for a turn, and keeps it while the body runs. `next_one` waits for the present turn alone."""
        if self._busy:
            mine = asyncio.get_running_loop().create_future()
            (self._waiting.appendleft if next_one else self._waiting.append)(mine)
            try:
                await mine
            except asyncio.CancelledError:
                if mine.done() and not mine.cancelled():
                    self._pass_on()  # its turn came while it was cancelled
                raise
        self._busy = True
        try:
            yield
        finally:
            self._pass_on()

    def _pass_on(self) -> None:
        while self._waiting:
            if not (first := self._waiting.popleft()).done():
                first.set_result(None)
                return
        self._busy = False
