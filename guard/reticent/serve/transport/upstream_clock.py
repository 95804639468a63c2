"""Counts the seconds that an upstream keeps one response waiting. What we take to judge is no silence of it."""

from __future__ import annotations

import asyncio
import time

from reticent.serve.transport.read_ahead import Ahead


class UpstreamClock:
    """The clock of one response, by which held text, the stream and the wait for its usage have their deadlines."""

    def __init__(self) -> None:
        self.now = 0.0
        """Seconds waited so far."""

    def __repr__(self) -> str:
        return f"UpstreamClock({self.now:.3f} s)"

    async def next_piece(self, read_ahead: Ahead, seconds: float) -> bytes | None:
        """Gives what came, b"" if nothing did in time, or None at the end; and counts how long that took."""
        seconds, before = max(0.0, seconds), time.monotonic()
        try:
            return await read_ahead.next(seconds)
        except TimeoutError:
            return b""
        finally:
            self.now += min(seconds, time.monotonic() - before)


class Paused:
    """Stops a time limit while something of our own is done: `with Paused(limit)`."""

    def __init__(self, limit: asyncio.Timeout) -> None:
        self._limit, self._ends = limit, limit.when()

    def __enter__(self) -> None:
        self._before = asyncio.get_running_loop().time()
        self._limit.reschedule(None)

    def __exit__(self, *error: object) -> None:
        if self._ends is not None:
            self._limit.reschedule(self._ends + asyncio.get_running_loop().time() - self._before)
