"""How long something takes, by the processor's clock."""

from __future__ import annotations

import time
import timeit
from collections.abc import Callable


def cpu_seconds(call: Callable[[], object], *, repeat: int = 3) -> float:
    """The least of some runs: what else goes on slows single ones down. `timeit` keeps the garbage collector out of them."""
    return min(timeit.repeat(call, timer=time.process_time, number=1, repeat=repeat))
