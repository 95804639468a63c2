"""Keeps streams that are costly to judge from slowing the others down.

Harmless text costs a tenth of a millisecond a chunk, a value some ten times that. A stream may spend a little on
values at once, and a tenth of its time. A stream that goes on spending has to pause behind each costly piece. All such
streams of one owner share one pause, so that together they get a quarter of the processor, and no other owner waits.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Hashable
from weakref import WeakValueDictionary

_COSTLY_SECONDS = 0.0005
_CREDIT_SECONDS = 0.02
_SHARE = 0.1
_PAUSE = 3.0


class FairScheduler:
    """Schedules all streams of one event loop."""

    def __init__(self) -> None:
        self._pausing = WeakValueDictionary[Hashable, asyncio.Lock]()

    def __repr__(self) -> str:
        return f"FairScheduler(pausing={len(self._pausing)})"

    async def pause(self, seconds: float, owner: Hashable = None) -> None:
        """Waits as long as a stream of an owner must that spent so many seconds on one piece."""
        pausing = self._pausing.get(owner)  # whoever waits keeps it
        if pausing is None:
            pausing = self._pausing[owner] = asyncio.Lock()
        async with pausing:
            await asyncio.sleep(_PAUSE * seconds)


class StreamBudget:
    """Limits the seconds that one stream may spend.

    Args:
        scheduler: shared with the others.
        owner: whose stream it is.
    """

    def __init__(self, scheduler: FairScheduler, owner: Hashable = None) -> None:
        self._scheduler, self._owner, self._credit, self._last = scheduler, owner, _CREDIT_SECONDS, time.monotonic()

    def __repr__(self) -> str:
        return f"StreamBudget({self._credit:.4f} s)"

    def charge(self, seconds: float) -> bool:
        """Notes the seconds that judging one piece took. Says whether the stream has to pause for them."""
        if seconds < _COSTLY_SECONDS:
            return False
        now = time.monotonic()
        self._credit = min(_CREDIT_SECONDS, self._credit + _SHARE * (now - self._last)) - seconds
        self._last = now
        self._credit = max(self._credit, -_CREDIT_SECONDS)
        return self._credit < 0

    async def pause(self, seconds: float) -> None:
        """Pauses for so many seconds that were spent."""
        await self._scheduler.pause(seconds, self._owner)
