"""Gives a judge, which runs in a thread, what a coroutine on the event loop returns."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

_Result = TypeVar("_Result")


def result_of(awaited: Coroutine[Any, Any, _Result], loop: asyncio.AbstractEventLoop, seconds: float) -> _Result:
    """Gives what a coroutine returns to a judge in a thread, within so many seconds.

    Args:
        awaited: the coroutine.
        loop: the event loop that runs it.
        seconds: how long it may take.

    Raises:
        TimeoutError: it took longer.
        RuntimeError: the caller is on an event loop, so it would wait for itself.
        Exception: whatever the coroutine raises.
    """
    if asyncio._get_running_loop() is not None:
        awaited.close()
        raise RuntimeError("The event loop cannot wait for itself; expected a judge in a thread.")
    asked = asyncio.run_coroutine_threadsafe(awaited, loop)
    try:
        return asked.result(seconds)
    except TimeoutError:
        asked.cancel()
        raise
