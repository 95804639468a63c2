"""How long something takes, by the processor's clock."""

from __future__ import annotations

import time
import timeit
from collections.abc import Callable


def cpu_seconds(call: Callable[[], object], *, repeat: int = 2) -> float:
    """Takes the least of some runs, as other processes slow single ones down. `timeit` switches off the collector."""
    return min(timeit.repeat(call, timer=time.process_time, number=1, repeat=repeat))


def slowness() -> float:
    """How much longer this processor takes now than one that adds a thousand squares in 40 us; at least 1."""
    return max(1.0, cpu_seconds(lambda: sum(number * number for number in range(1000)), repeat=50) / 40e-6)
