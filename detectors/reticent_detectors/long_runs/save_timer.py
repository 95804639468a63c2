"""When a long run saves: often enough that an interruption loses at most five minutes of work."""

from __future__ import annotations

import time
from collections.abc import Callable

Clock = Callable[[], float]
"""Seconds since any fixed moment; never goes back."""
LEAST_SECONDS, MOST_SECONDS = 240.0, 300.0


class SaveTimer:
    """Says after each step of a run whether to save now.

    It is time once 4 minutes passed since the last save, and earlier if another step as long as the last one would pass 5 minutes.
    A single step longer than 5 minutes is saved after itself.

    Args:
        clock: the time in seconds.
    """

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._saved = self._last = clock()

    def due(self) -> bool:
        """Whether to save after the step that ended just now; if so, the time is counted anew from here."""
        now = self._clock()
        elapsed, step = now - self._saved, now - self._last
        self._last = now
        if elapsed < LEAST_SECONDS and elapsed + step <= MOST_SECONDS:
            return False
        self._saved = now
        return True
