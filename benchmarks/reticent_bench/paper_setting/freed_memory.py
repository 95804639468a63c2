"""Gives freed memory back to the system, which the C library would keep for as long as the process runs.

A step of long rows takes several times the memory of a usual one, and a machine that is shared has other use for it.
"""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

MOST_BYTES = 6_000_000_000
"""Resident bytes above which freed memory goes back. Below, asking for it anew would cost more than it helps."""


def give_back(most_bytes: int = MOST_BYTES) -> bool:
    """Gives freed memory back if this process holds more. Returns whether it did. Does nothing beside Linux's glibc."""
    if sys.platform != "linux":
        return False
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is None or pages * os.sysconf("SC_PAGE_SIZE") <= most_bytes:
        return False
    trim(0)
    return True
