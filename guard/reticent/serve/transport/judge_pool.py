"""Runs judging in threads of its own pool, so that no other work waits for judging.

    pool = JudgePool(threads=8)
    judging = pool.submit(judge)
    result = await judging.result(seconds=60.0, wait_seconds=300.0)

The owner who had least processor time lately is served first, and takes no more than three quarters of the threads. A
call that takes long waits for its turn between its steps (`judge_turns`), and another thread serves in its place. So
whoever has much to judge delays nobody else. Quick calls are carried out by one thread, one after the other, as waking
another one costs more than most of them. Others help when a call waits some milliseconds.

A shutdown does not wait for a judge that hangs. A judge's time counts from when its thread begins, without the waits
for its turn. All waits are bounded and measured apart. A judge that takes too long is given up. Its thread is replaced,
up to once for each thread of the pool, and serves again if the judge does end. If all threads hang, calls fail at once.

A judge in Python holds the interpreter's lock for a switch interval at a time. The event loop needs that lock for every
step, so the pool makes the interval short.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from reticent.serve.transport.judge_turns import Budget, JudgeTurns
from reticent.serve.transport.judging import Judging, NoJudge, Outcome

_LOGGER = logging.getLogger(__name__)
_Result = TypeVar("_Result")
_SWITCH_SECONDS = 0.0005
"""Longest time that a judge keeps the interpreter's lock from others; Python's own is 0.005."""
_STILL_SECONDS = 0.004
"""Time without a call taken after which whoever waits has one more thread woken."""


class JudgePool:
    """Carries out calls in threads: of each owner in the order in which they came, and of all owners in turn.

    Threads start when they are needed. Nobody waits for their end.

    Args:
        threads: number of threads that serve at a time. As many more may hang. Costly calls have threads of their
            own, of which one works at a time.
    """

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._most_each = threads - threads // 4
        self._work = threading.Condition()
        # An owner whose call was taken goes to the end.
        self._waiting: dict[Hashable, deque[Judging[Any]]] = {}
        self._running = Counter[Hashable]()
        self._alive = self._idle = self._hanging = self._costly = self._quick = 0
        self._turns = JudgeTurns(lambda: self._quick > 0 or bool(self._waiting))
        self._outcomes = defaultdict[asyncio.AbstractEventLoop, deque[Callable[[], None]]](deque)
        self._took = 0.0  # when a thread last took a call
        self._woken = False  # whether one was woken since
        self._closed = False

    def __repr__(self) -> str:
        return f"JudgePool(threads={self._alive}, waiting={self._count_waiting()}, hanging={self._hanging})"

    @property
    def hanging(self) -> int:
        """Counts the threads in which a judge hangs."""
        return self._hanging

    def submit(
        self, judge: Callable[[], _Result], owner: Hashable = None, budget: Budget | None = None
    ) -> Judging[_Result]:
        """Puts a call into the queue.

        Args:
            judge: what is called.
            owner: whose call it is. None: nobody's but its own.
            budget: of the answer that it judges. None: the call's own.

        Raises:
            NoJudge: every thread hangs, or the pool is closed.
        """
        judging = Judging(self, judge, owner, Budget() if budget is None else budget)
        with self._work:
            if self._closed:
                raise NoJudge
            self._waiting.setdefault(judging.owner, deque()).append(judging)
            if self._quick == 0 and not self._woken:
                self._wake()
            if self._alive == 0:
                self._remove(judging)
                raise NoJudge
        return judging

    def hurry(self) -> None:
        """Has one more thread serve if none took a call just now, as all may wait for something else."""
        with self._work:
            if time.monotonic() - self._took > _STILL_SECONDS:
                self._wake()

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
            self._release(judging)
            judging.give_up()
            self._alive -= 1
            self._hanging += 1
            self._grow()
            if self._alive == 0 and not self._may_grow:
                self._refuse()
            hanging = self._hanging
        _LOGGER.error("a judge took too long and its thread was given up; %d hang now", hanging)
        return True

    def take_turn(self, judging: Judging[Any]) -> None:
        """Waits until a call that has taken long may go on, in its thread. From then on another thread serves."""
        with self._work:
            if judging.given_up:
                return
            if not judging.costly:
                judging.costly = True
                self._costly += 1
                self._release_thread(judging)
                self._wake()
        began, judging.pausing = time.monotonic(), True
        if self._turns.needs_wait(judging):
            self._turns.wait(judging)
        self._turns.let_pass()
        with self._work:
            judging.resume(time.monotonic() - began)

    @property
    def _serving(self) -> int:
        """Counts the threads that serve or may serve. Costly calls have theirs beside them."""
        return self._alive - self._costly

    @property
    def _may_grow(self) -> bool:
        return self._serving < self._threads and self._serving + self._hanging < 2 * self._threads

    @property
    def _too_many(self) -> bool:
        """Whether threads of costly calls came back, so that more than enough serve."""
        return self._serving > self._threads

    def _grow(self) -> None:
        """Starts a thread if one is needed. Called under the lock."""
        if self._count_waiting() > self._idle and self._may_grow:
            if self._alive == 0:
                sys.setswitchinterval(min(_SWITCH_SECONDS, sys.getswitchinterval()))
            self._alive += 1
            threading.Thread(target=self._serve, name="reticent-judge", daemon=True).start()

    def _wake(self) -> None:
        """Has a thread look for a call. Called under the lock."""
        if self._waiting:
            self._woken = True
            self._grow()
            self._work.notify()

    def _refuse(self) -> None:
        """Fails the calls that wait. Called under the lock."""
        for calls in self._waiting.values():
            for judging in calls:
                self._deliver(judging, Outcome(None, NoJudge()))
        self._waiting.clear()

    def _deliver(self, judging: Judging[Any], outcome: Outcome[Any]) -> None:
        """Gives an outcome to the event loop, which is woken once for all that are there when it looks."""
        with self._work:  # of several threads exactly one finds its own outcome alone, and wakes the loop
            outcomes = self._outcomes[judging.loop]
            outcomes.append(partial(judging.settle, outcome))
            if len(outcomes) > 1:
                return
        with suppress(RuntimeError):  # the loop has ended
            judging.loop.call_soon_threadsafe(_settle_all, outcomes)

    def _count_waiting(self) -> int:
        return sum(map(len, self._waiting.values()))

    def _remove(self, judging: Judging[Any]) -> None:
        """Takes a call out of the queue. Called under the lock."""
        calls = self._waiting[judging.owner]
        calls.remove(judging)
        if not calls:
            del self._waiting[judging.owner]

    def _release(self, judging: Judging[Any]) -> None:
        """Notes that a call has ended or hangs. Called under the lock."""
        if judging.costly:
            self._costly -= 1
        else:
            self._release_thread(judging)

    def _release_thread(self, judging: Judging[Any]) -> None:
        """Notes that a call is no longer one of the quick ones. Called under the lock."""
        self._quick -= 1
        self._running[judging.owner] -= 1
        if not self._running[judging.owner]:
            del self._running[judging.owner]

    def _due(self) -> Judging[Any] | None:
        """Gives the call that is next, of the owner who had least lately. Called under the lock."""
        free = [each for each in self._waiting if self._running[each] < self._most_each]
        owner = min(free, key=lambda each: (self._turns.spent(each), self._running[each]), default=None)
        return None if owner is None else self._waiting[owner][0]

    def _serve(self) -> None:
        while self._serve_next():
            pass

    def _serve_next(self) -> bool:
        """Carries out the next call. Says whether the thread goes on, which keeps nothing of a call meanwhile."""
        judging = self._next()
        if judging is None:
            return False
        outcome = judging.run()
        if judging.costly:
            self._turns.leave(judging)
        if judging.has_owner:
            self._turns.charge(judging.owner, judging.spent_seconds)
        with self._work:
            judging.ended = True
            if judging.given_up:  # nothing waits for its outcome
                self._hanging -= 1
                if self._closed or self._serving >= self._threads:
                    return False
                self._alive += 1
                return True
            self._release(judging)
        self._deliver(judging, outcome)
        return True

    def _next(self) -> Judging[Any] | None:
        """Gives the next call, or None when the thread has to end."""
        with self._work:
            self._idle += 1
            while (judging := self._due()) is None and not self._closed and not self._too_many:
                self._work.wait()
            self._idle -= 1
            if judging is None:
                self._alive -= 1
                self._woken = False
                self._wake()
                return None
            self._remove(judging)
            if judging.owner in self._waiting:
                self._waiting[judging.owner] = self._waiting.pop(judging.owner)
            self._running[judging.owner] += 1
            self._quick += 1
            self._woken = False
            judging.begun = self._took = time.monotonic()
            return judging


def _settle_all(outcomes: deque[Callable[[], None]]) -> None:
    """Settles all outcomes. Each stays until it is settled, so that who adds one meanwhile need not wake the loop."""
    while outcomes:
        outcomes[0]()
        outcomes.popleft()
