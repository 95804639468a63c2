"""Follows one call of a judge from the queue to its outcome: what counts as judging, and when it is given up."""

from __future__ import annotations

import asyncio
import contextvars
import threading
import time
from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from reticent.serve.transport.judge_turns import Budget
from reticent.serve.wire.frameless import frameless
from reticent_detectors.between_steps import STEP, GivenUp

_Result = TypeVar("_Result")
_STEP_SECONDS = 0.001
"""Processor time that a judge in a thread takes before it lets others have theirs."""
_ROUND_SECONDS = 0.1
"""Longest time that it waits for the event loop between two steps."""
_SOON_SECONDS = 0.005
"""Time within which nearly all calls begin."""


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


class Pool(Protocol):
    """What a call needs of the pool that carries it out."""

    def withdraw(self, judging: Judging[Any]) -> bool: ...
    def give_up(self, judging: Judging[Any]) -> bool: ...
    def take_turn(self, judging: Judging[Any]) -> None: ...
    def hurry(self) -> None: ...


class Judging(Generic[_Result]):
    """Follows one call from the queue to its outcome. `JudgePool.submit` makes it, in an event loop."""

    def __init__(self, pool: Pool, judge: Callable[[], _Result], owner: Hashable, budget: Budget) -> None:
        self._pool, self._budget = pool, budget
        self.owner: Hashable = object() if owner is None else owner
        self.has_owner = owner is not None
        # Who judges is let go of with the call: it leads to a whole request, as do the outcome and its traceback.
        self._call: tuple[Callable[[], _Result], contextvars.Context] | None = (judge, contextvars.copy_context())
        self.loop = asyncio.get_running_loop()
        self._outcome: asyncio.Future[Outcome[_Result]] = self.loop.create_future()
        self._waiter: asyncio.Future[None] | None = None
        self._submitted = time.monotonic()
        # What follows is written under the pool's lock.
        self.begun: float | None = None
        """Time at which a thread began, in seconds."""
        self.ended = False
        self.costly = self.pausing = False
        # What follows belongs to the thread.
        self.turn = threading.Event()
        self._round = threading.Event()
        self.spent_seconds = 0.0
        """Processor time that it took so far."""
        self._thread_began = self._due = self._free_seconds = 0.0
        self._given_up = self._stopped = False

    def __repr__(self) -> str:
        return f"Judging(begun={self.begun is not None}, ended={self.ended}, given_up={self.given_up})"

    @property
    def given_up(self) -> bool:
        """Says whether nobody waits for it any more, although its judge works."""
        return self._given_up

    def give_up(self) -> None:
        """Notes that nobody waits for it any more. Its judge ends at its next step."""
        self._given_up = True
        self.turn.set()

    def stop(self) -> None:
        """Has it end at its next step. Its outcome is the error GivenUp, or what it just found."""
        self._stopped = True
        self.turn.set()

    @property
    def ends_early(self) -> bool:
        """Says whether it has to end at its next step."""
        return self._given_up or self._stopped

    @property
    def waited_seconds(self) -> float:
        """Gives the seconds that it has waited for a thread, and for its turn, so far."""
        return (time.monotonic() if self.begun is None else self.begun) - self._submitted

    def resume(self, waited_seconds: float) -> None:
        """Notes that it waited for its turn, which is no judging. Called under the pool's lock."""
        assert self.begun is not None
        self.pausing = False
        self.begun += waited_seconds

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
        pause = _SOON_SECONDS
        while self.begun is None and not self._outcome.done() and seconds > pause:
            await self._wait(pause)
            if self.begun is None and not self._outcome.done():
                self._pool.hurry()
            seconds -= pause
            pause *= 2
        if not self._outcome.done():
            await self._wait(seconds)
        return self._outcome.done()

    async def _wait(self, seconds: float | None = None) -> None:
        """Waits for the outcome, so many seconds at most. It costs a fourth of `asyncio.wait`, which makes sets."""
        if self._outcome.done() or (seconds is not None and seconds <= 0.0):
            await asyncio.sleep(0)
            return
        self._waiter = waiter = self.loop.create_future()
        timer = None if seconds is None else self.loop.call_later(seconds, _end, waiter)
        try:
            await waiter
        finally:
            self._waiter = None
            if timer is not None:
                timer.cancel()

    async def outcome(self, seconds: float, wait_seconds: float) -> Outcome[_Result]:
        """Waits for the outcome, and gives it once.

        Args:
            seconds: how long it may judge.
            wait_seconds: how long it may wait for a thread, and for its turn.

        Raises CancelledError: the call was dropped.
        """
        patience = self._submitted + wait_seconds
        while not self._outcome.done():
            waits, begun = self.begun is None or self.pausing, self.begun
            ends = min(patience, time.monotonic() + seconds) if waits or begun is None else begun + seconds
            if await self.ends_within(max(0.0, ends - time.monotonic())):
                break
            now = time.monotonic()
            if self.begun is None or self.pausing:
                if now < patience:
                    continue
                if self.drop():
                    return Outcome(None, NoJudge())
            elif now < self.begun + seconds:
                continue
            if self._pool.give_up(self):
                return Outcome(None, JudgeHangs())
            await self._wait()
        outcome, self._outcome = self._outcome, self.loop.create_future()
        return outcome.result()

    def drop(self) -> bool:
        """Takes the call back unless a thread has begun it. Says whether it did."""
        dropped = self._pool.withdraw(self)
        if dropped:
            self._call = None
            self._outcome.cancel()
            self._end_wait()
        return dropped

    def run(self) -> Outcome[_Result]:
        """Judges, in a thread of the pool."""
        assert self._call is not None
        (judge, context), self._call = self._call, None
        context.run(STEP.set, self._step)
        self._thread_began = time.thread_time()
        self._due = self._thread_began + _STEP_SECONDS
        self._free_seconds = self._budget.left()
        try:
            return Outcome(context.run(judge), None)
        except BaseException as error:
            return Outcome(None, frameless(error))
        finally:
            self.spent_seconds = time.thread_time() - self._thread_began
            self._budget.spend(self.spent_seconds)

    def _step(self) -> None:
        """Waits for the event loop, and for its turn if it has taken long. Raises GivenUp."""
        if self.ends_early:
            raise GivenUp
        now = time.thread_time()
        if now >= self._due:
            self.spent_seconds = now - self._thread_began
            self.let_loop_pass()
            if self.spent_seconds >= self._free_seconds:
                self._pool.take_turn(self)
            self._due = time.thread_time() + _STEP_SECONDS
            if self.ends_early:
                raise GivenUp

    def let_loop_pass(self) -> None:
        """Waits until the event loop has done all that it had to do just now, in the judge's thread.

        A thread that computes takes the interpreter's lock whenever the loop reads or writes, and keeps it for a while.
        """
        self._round.clear()
        with suppress(RuntimeError):  # the loop has ended
            self.loop.call_soon_threadsafe(self._round.set)
            self._round.wait(_ROUND_SECONDS)

    def settle(self, outcome: Outcome[_Result]) -> None:
        """Takes the outcome, on the event loop."""
        if not self._outcome.done():
            self._outcome.set_result(outcome)
        self._end_wait()

    def _end_wait(self) -> None:
        if self._waiter is not None:
            _end(self._waiter)


def _end(waiter: asyncio.Future[None]) -> None:
    if not waiter.done():
        waiter.set_result(None)
