"""Decides which bodies may be read on, before a request counts as open.

A body that is being read takes no place of a request. If too many are read at a time, or too much of them waits in
memory, the one that began first gives way. Ordinary bodies come within milliseconds, so that is one that drips.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class BodyReading:
    """Bounds the bodies that are read at a time, on one event loop.

    Args:
        bodies: their number.
        waiting_bytes: what has come of all of them.
    """

    def __init__(self, bodies: int, waiting_bytes: int) -> None:
        self._bodies, self._waiting_bytes = bodies, waiting_bytes
        self._came: dict[asyncio.Timeout, int] = {}
        self._total = 0

    def __repr__(self) -> str:
        return f"BodyReading({len(self._came)} bodies, {self._total} bytes)"

    @contextmanager
    def place(self, limit: asyncio.Timeout) -> Iterator[None]:
        """Takes a place until the block is left. `limit` is the body's time, which ends if it has to give way."""
        self._came[limit] = 0
        self._make_room()
        try:
            yield
        finally:
            self._total -= self._came.pop(limit, 0)

    def came(self, limit: asyncio.Timeout, size_bytes: int) -> None:
        """Notes a piece of a body."""
        if limit in self._came:
            self._came[limit] += size_bytes
            self._total += size_bytes
            self._make_room()

    def _make_room(self) -> None:
        while len(self._came) > 1 and (len(self._came) > self._bodies or self._total > self._waiting_bytes):
            oldest = next(iter(self._came))
            self._total -= self._came.pop(oldest)
            if not oldest.expired():
                oldest.reschedule(0.0)  # at once
