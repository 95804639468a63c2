"""Decides when a long run saves: often enough that an interruption loses at most five minutes of work."""

from __future__ import annotations

import time
from collections.abc import Callable

Clock = Callable[[], float]
"""Returns the seconds since any fixed moment. It never decreases."""
LEAST_SECONDS, MOST_SECONDS = 240.0, 300.0


class SaveTimer:
    """Decides after each step of a run whether to save.

    Saves 4 minutes after the last save, or earlier if another step as long as the last one would exceed 5 minutes.
    After a single step longer than 5 minutes it saves as well.

    Args:
        clock: the time in seconds.
    """

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._saved = self._last = clock()

    def due(self) -> bool:
        """Returns whether to save after the step that just ended. If so, it counts the time from here."""
        now = self._clock()
        elapsed, step = now - self._saved, now - self._last
        self._last = now
        if elapsed < LEAST_SECONDS and elapsed + step <= MOST_SECONDS:
            return False
        self._saved = now
        return True
