"""Runs judging on the event loop, where it waits for what it asks the upstream without blocking the loop.

    judging = LoopJudging(judge)                       # runs until the judge ends or waits
    result = await judging.result(seconds=60.0)

    answers = result_of(ask_upstream(), loop, 10.0)    # in the judge, however deep

A thread for each piece of text costs little processor time and much waiting: while the loop is busy, Python lets a
thread run only after 5 ms. The judge runs in a greenlet, so that it can wait although it is no coroutine.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeVar

from greenlet import getcurrent, greenlet

from reticent.serve.transport.judge_pool import JudgeHangs

_Result = TypeVar("_Result")
_RUNNING = set[asyncio.Task[Any]]()
"""Judges that wait, those that were given up too. An event loop itself keeps no task alive."""


class _Judge(greenlet):
    """Marks a greenlet that can wait."""


def can_wait() -> bool:
    """Says whether the caller is judging on the event loop, and so must use `wait_for`."""
    return isinstance(getcurrent(), _Judge)


def wait_for(awaited: Coroutine[Any, Any, _Result]) -> _Result:
    """Gives what a coroutine returns, to a judge on the event loop. Raises what it raises."""
    current = getcurrent()
    if not isinstance(current, _Judge) or current.parent is None:
        awaited.close()
        raise RuntimeError("Only a judge that runs on the event loop can wait for a coroutine.")
    found: _Result = current.parent.switch(awaited)
    return found


def result_of(awaited: Coroutine[Any, Any, _Result], loop: asyncio.AbstractEventLoop, seconds: float) -> _Result:
    """Gives what a coroutine returns to a judge, on the event loop or in a thread, within so many seconds.

    Args:
        awaited: the coroutine.
        loop: the event loop that runs it for a thread.
        seconds: how long it may take.

    Raises:
        TimeoutError: it took longer.
        RuntimeError: the caller is on the event loop and no judge there, so it would wait for itself.
        Exception: whatever the coroutine raises.
    """
    if can_wait():
        return wait_for(_within(awaited, seconds))
    if asyncio._get_running_loop() is not None:
        awaited.close()
        raise RuntimeError("The event loop cannot wait for itself; expected a judge that can.")
    asked = asyncio.run_coroutine_threadsafe(awaited, loop)
    try:
        return asked.result(seconds)
    except TimeoutError:
        asked.cancel()
        raise


class LoopJudging(Generic[_Result]):
    """Follows one call on the event loop. It begins at once.

    Raises whatever the judge raises before it waits.
    """

    waited_seconds = 0.0
    """Seconds that it has waited to begin."""

    def __init__(self, judge: Callable[[], _Result]) -> None:
        self._judge = _Judge(judge)
        self._judge.gr_context = contextvars.copy_context()
        self._left: Any = self._judge.switch()  # the result, or what it waits for
        self._rest: asyncio.Task[_Result] | None = None
        if not self.ended:
            self._rest = asyncio.ensure_future(self._drive())
            _RUNNING.add(self._rest)
            self._rest.add_done_callback(_forget)

    def __repr__(self) -> str:
        return f"LoopJudging(ended={self.ended})"

    @property
    def ended(self) -> bool:
        """Says whether the judge came to its end."""
        return bool(self._judge.dead)

    def drop(self) -> bool:
        """Takes the call back unless it has begun, which it has."""
        return False

    async def result(self, seconds: float, wait_seconds: float = 0.0) -> _Result:
        """Gives what the judge returns.

        Args:
            seconds: how long it may wait in all.
            wait_seconds: has no effect, as nothing else has to end first.

        Raises:
            JudgeHangs: the judge took too long. It still works on its data.
            Exception: whatever the judge raises.
        """
        if self._rest is not None:
            await asyncio.wait({self._rest}, timeout=seconds)
            if not self._rest.done():
                raise JudgeHangs
            return self._rest.result()
        result: _Result = self._left
        return result

    async def _drive(self) -> _Result:
        """Waits for what the judge waits for, until it ends."""
        while not self.ended:
            try:
                found = await self._left
            except BaseException as error:
                self._left = self._judge.throw(error)
            else:
                self._left = self._judge.switch(found)
        result: _Result = self._left
        return result


async def _within(awaited: Coroutine[Any, Any, _Result], seconds: float) -> _Result:
    async with asyncio.timeout(seconds):  # unlike wait_for, it never loses a cancellation (Python 3.11)
        return await awaited


def _forget(task: asyncio.Task[Any]) -> None:
    _RUNNING.discard(task)
    if not task.cancelled():
        task.exception()  # of a judge that was given up, whose outcome nobody wants
