"""Runs judging in threads of its own pool, so that no other work waits for judging.

    pool = JudgePool(threads=8)
    judging = pool.submit(judge)
    result = await judging.result(seconds=60.0, wait_seconds=300.0)

Calls are taken in turn between owners, so that whoever has much to judge delays nobody else. An owner takes no more
than three quarters of the threads.

A shutdown does not wait for a judge that hangs. A judge's time counts from when its thread begins. The wait for a
thread is bounded and measured apart. A judge that takes too long is given up. Its thread is replaced, up to once for
each thread of the pool, and serves again if the judge does end. If all threads hang, calls fail at once.

A judge in Python holds the interpreter's lock for a switch interval at a time. The event loop needs that lock for every
step, so the pool makes the interval short.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import Any, Generic, NamedTuple, TypeVar

from reticent.given_up import STOPPED
from reticent.serve.wire.frameless import frameless

_LOGGER = logging.getLogger(__name__)
_Result = TypeVar("_Result")
_SWITCH_SECONDS = 0.0005
"""Longest time that a judge keeps the interpreter's lock from others; Python's own is 0.005."""


class JudgeHangs(Exception):
    """Says that a judge took too long. It still works on its data."""


class NoJudge(Exception):
    """Says that no thread took the call in time. Nothing was touched."""


class Outcome(NamedTuple, Generic[_Result]):
    """Holds what a judge returned, or why nothing came of the call."""

    value: _Result | None
    error: BaseException | None

    def __repr__(self) -> str:
        return f"Outcome(failed={self.error is not None})"

    def get(self) -> _Result:
        """Gives what the judge returned. Raises the error."""
        error = self.error
        if error is None:
            return self.value  # type: ignore[return-value]  # without an error it is there
        try:
            raise error
        finally:
            del self, error  # the error's traceback has this frame


class Judging(Generic[_Result]):
    """Follows one call from the queue to its outcome. `JudgePool.submit` makes it, in an event loop."""

    def __init__(self, pool: JudgePool, judge: Callable[[], _Result], owner: Hashable) -> None:
        self._pool, self.owner = pool, owner
        # Who judges is let go of with the call: it leads to a whole request, as do the outcome and its traceback.
        self._call: tuple[Callable[[], _Result], contextvars.Context] | None = (judge, contextvars.copy_context())
        self._loop = asyncio.get_running_loop()
        self._outcome: asyncio.Future[Outcome[_Result]] = self._loop.create_future()
        self._submitted = time.monotonic()
        # What follows is written under the pool's lock.
        self.begun: float | None = None
        """Time at which a thread began, in seconds."""
        self.ended = False
        self.spent_seconds = 0.0
        """Processor time that it took, once it has ended."""
        self._given_up = threading.Event()

    def __repr__(self) -> str:
        return f"Judging(begun={self.begun is not None}, ended={self.ended}, given_up={self.given_up})"

    @property
    def given_up(self) -> bool:
        """Says whether nobody waits for it any more, although its judge works."""
        return self._given_up.is_set()

    def give_up(self) -> None:
        """Notes that nobody waits for it any more. Its judge ends when it asks."""
        self._given_up.set()

    @property
    def waited_seconds(self) -> float:
        """Gives the seconds that it has waited for a thread so far."""
        return (time.monotonic() if self.begun is None else self.begun) - self._submitted

    async def result(self, seconds: float, wait_seconds: float) -> _Result:
        """Gives what the judge returns, as `outcome` does, once.

        Raises:
            JudgeHangs: the judge took too long.
            NoJudge: no thread took the call.
            CancelledError: the call was dropped.
            Exception: whatever the judge raises.
        """
        return (await self.outcome(seconds, wait_seconds)).get()

    async def ends_within(self, seconds: float) -> bool:
        """Waits so many seconds at most. Says whether the outcome is there."""
        await asyncio.wait({self._outcome}, timeout=seconds)
        return self._outcome.done()

    async def outcome(self, seconds: float, wait_seconds: float) -> Outcome[_Result]:
        """Waits for the outcome, and gives it once.

        Args:
            seconds: how long it may judge.
            wait_seconds: how long it may wait for a thread before.

        Raises CancelledError: the call was dropped.
        """
        patience = self._submitted + wait_seconds
        while not self._outcome.done():
            begun = self.begun
            ends = min(patience, time.monotonic() + seconds) if begun is None else begun + seconds
            await asyncio.wait({self._outcome}, timeout=max(0.0, ends - time.monotonic()))
            if self._outcome.done():
                break
            if begun is None:
                if time.monotonic() >= patience and self.drop():
                    return Outcome(None, NoJudge())
            elif self._pool.give_up(self):
                return Outcome(None, JudgeHangs())
            else:
                await asyncio.wait({self._outcome})
        outcome, self._outcome = self._outcome, self._loop.create_future()
        return outcome.result()

    def drop(self) -> bool:
        """Takes the call back unless a thread has begun it. Says whether it did."""
        dropped = self._pool.withdraw(self)
        if dropped:
            self._call = None
            self._outcome.cancel()
        return dropped

    def run(self) -> Outcome[_Result]:
        """Judges, in a thread of the pool."""
        assert self._call is not None
        (judge, context), self._call = self._call, None
        context.run(STOPPED.set, self._given_up.is_set)
        begun = time.thread_time()
        try:
            return Outcome(context.run(judge), None)
        except BaseException as error:
            return Outcome(None, frameless(error))
        finally:
            self.spent_seconds = time.thread_time() - begun

    def deliver(self, outcome: Outcome[_Result]) -> None:
        """Gives the outcome to the event loop."""
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(_settle, self._outcome, outcome)


class JudgePool:
    """Carries out calls in threads: of each owner in the order in which they came, and of all owners in turn.

    Threads start when they are needed. Nobody waits for their end.

    Args:
        threads: number of threads that judge at a time. As many more may hang.
    """

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._most_each = threads - threads // 4
        self._work = threading.Condition()
        # An owner whose call was taken goes to the end.
        self._waiting: dict[Hashable, deque[Judging[Any]]] = {}
        self._running = Counter[Hashable]()
        self._alive = self._idle = self._hanging = 0
        self._closed = False

    def __repr__(self) -> str:
        return f"JudgePool(threads={self._alive}, waiting={self._count_waiting()}, hanging={self._hanging})"

    @property
    def hanging(self) -> int:
        """Counts the threads in which a judge hangs."""
        return self._hanging

    def submit(self, judge: Callable[[], _Result], owner: Hashable = None) -> Judging[_Result]:
        """Puts a call into the queue.

        Args:
            judge: what is called.
            owner: whose call it is. None: nobody's but its own.

        Raises:
            NoJudge: every thread hangs, or the pool is closed.
        """
        judging = Judging(self, judge, object() if owner is None else owner)
        with self._work:
            if self._closed:
                raise NoJudge
            self._waiting.setdefault(judging.owner, deque()).append(judging)
            self._grow()
            if self._alive == 0:
                self._remove(judging)
                raise NoJudge
            self._work.notify()
        return judging

    def close(self) -> None:
        """Takes no more calls. Waiting calls fail, and threads end as soon as their judges do."""
        with self._work:
            self._closed = True
            self._refuse()
            self._work.notify_all()

    def withdraw(self, judging: Judging[Any]) -> bool:
        """Takes a call out of the queue. Says whether it was there."""
        with self._work:
            if judging not in self._waiting.get(judging.owner, ()):
                return False
            self._remove(judging)
            return True

    def give_up(self, judging: Judging[Any]) -> bool:
        """Counts a call's thread as hanging, and replaces it. False if the judge has just ended."""
        with self._work:
            if judging.ended:
                return False
            judging.give_up()
            self._release(judging)
            self._alive -= 1
            self._hanging += 1
            self._grow()
            if self._alive == 0 and not self._may_grow:
                self._refuse()
            hanging = self._hanging
        _LOGGER.error("a judge took too long and its thread was given up; %d hang now", hanging)
        return True

    @property
    def _may_grow(self) -> bool:
        return self._alive < self._threads and self._alive + self._hanging < 2 * self._threads

    def _grow(self) -> None:
        """Starts a thread if one is needed. Called under the lock."""
        if self._count_waiting() > self._idle and self._may_grow:
            if self._alive == 0:
                sys.setswitchinterval(min(_SWITCH_SECONDS, sys.getswitchinterval()))
            self._alive += 1
            threading.Thread(target=self._serve, name="reticent-judge", daemon=True).start()

    def _refuse(self) -> None:
        """Fails the calls that wait. Called under the lock."""
        for calls in self._waiting.values():
            for judging in calls:
                judging.deliver(Outcome(None, NoJudge()))
        self._waiting.clear()

    def _count_waiting(self) -> int:
        return sum(map(len, self._waiting.values()))

    def _remove(self, judging: Judging[Any]) -> None:
        """Takes a call out of the queue. Called under the lock."""
        calls = self._waiting[judging.owner]
        calls.remove(judging)
        if not calls:
            del self._waiting[judging.owner]

    def _release(self, judging: Judging[Any]) -> None:
        """Gives back an owner's share of the threads. Called under the lock."""
        self._running[judging.owner] -= 1
        if not self._running[judging.owner]:
            del self._running[judging.owner]
        if self._waiting:
            self._work.notify()

    def _due(self) -> Judging[Any] | None:
        """Gives the call that is next, of the owner with the fewest that run now. Called under the lock."""
        owner = min(self._waiting, key=lambda each: self._running[each], default=None)
        return None if owner is None or self._running[owner] >= self._most_each else self._waiting[owner][0]

    def _serve(self) -> None:
        while self._serve_next():
            pass

    def _serve_next(self) -> bool:
        """Carries out the next call. Says whether the thread goes on, which keeps nothing of a call meanwhile."""
        judging = self._next()
        if judging is None:
            return False
        outcome = judging.run()
        with self._work:
            judging.ended = True
            if judging.given_up:  # nothing waits for its outcome
                self._hanging -= 1
                if self._closed or self._alive >= self._threads:
                    return False
                self._alive += 1
                return True
            self._release(judging)
        judging.deliver(outcome)
        return True

    def _next(self) -> Judging[Any] | None:
        """Gives the next call, or None when the thread has to end."""
        with self._work:
            self._idle += 1
            while (judging := self._due()) is None and not self._closed:
                self._work.wait()
            self._idle -= 1
            if judging is None:
                self._alive -= 1
                return None
            self._remove(judging)
            if judging.owner in self._waiting:
                self._waiting[judging.owner] = self._waiting.pop(judging.owner)
            self._running[judging.owner] += 1
            judging.begun = time.monotonic()
            return judging


def _settle(future: asyncio.Future[Any], value: Any) -> None:
    if not future.done():
        future.set_result(value)
