"""Runs the judge of one response, one call after another: in threads, or on the event loop if it is cheap."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Hashable

from reticent.serve.settings import Limits
from reticent.serve.transport.judge_pool import JudgePool
from reticent.serve.transport.judge_turns import Budget
from reticent.serve.transport.judging import JudgeHangs, Judging, NoJudge, Outcome
from reticent.serve.transport.notification import AnswerTimes

_SOON_SECONDS = 0.01


class JudgeCalls:
    """Calls the judge of one response, measures its time, and sends signs of life while it waits.

    Args:
        judges: the threads that judge, shared by all requests.
        limits: how long a judge may take, and the time between two signs of life.
        times: where the time is added.
        owner: whose response it is; who had least lately is served first.
    """

    def __init__(self, judges: JudgePool, limits: Limits, times: AnswerTimes, owner: Hashable) -> None:
        self._judges, self._limits, self._times, self._owner = judges, limits, times, owner
        self._budget = Budget()
        self.open = False
        """Says whether a judge works on its data or waits, so that nothing else may touch them."""
        self.given_up = False
        """Says whether a judge hung, was missing or was stopped, so that nothing more is judged."""

    def __repr__(self) -> str:
        return f"JudgeCalls(open={self.open}, given_up={self.given_up})"

    async def run(
        self, judge: Callable[[], bytes], keep_alive: Callable[[], Awaitable[float]], note_hang: Callable[[], None]
    ) -> bytes:
        """Gives what the judge returns, which runs in a thread.

        If this is cancelled, it waits for a judge that has begun, as its data are used later. A costly one is stopped.

        Args:
            judge: judges.
            keep_alive: sends a sign of life to the client if one is due, and gives the seconds until the next one.
            note_hang: called if a judge hangs whose call was cancelled.

        Raises JudgeHangs, NoJudge, and what the judge raises.
        """
        started = time.monotonic()
        try:
            judging: Judging[bytes] | None = None
            judging = self._judges.submit(judge, self._owner, self._budget)
            return (await self._follow(judging, keep_alive, note_hang)).get()
        except (JudgeHangs, NoJudge):
            self.given_up = True
            raise
        finally:
            waited = 0.0 if judging is None else judging.waited_seconds
            self._times.waiting += waited
            self._times.judging += time.monotonic() - started - waited

    def run_here(self, judge: Callable[[], bytes]) -> bytes:
        """Return what a judge returns that is cheap and waits for nothing, on the event loop. Raise what it raises."""
        started = time.perf_counter()
        try:
            return judge()
        finally:
            spent = time.perf_counter() - started
            self._times.judging += spent
            self._budget.spend(spent)

    async def _follow(
        self, judging: Judging[bytes], keep_alive: Callable[[], Awaitable[float]], note_hang: Callable[[], None]
    ) -> Outcome[bytes]:
        limits = self._limits
        self.open = True
        waiting = judging.outcome(limits.judge_seconds, limits.judge_wait_seconds)
        outcome: asyncio.Task[Outcome[bytes]] | None = None
        try:
            if await judging.ends_within(min(_SOON_SECONDS, limits.judge_seconds)):  # most do, and need no task
                found = await waiting
                self.open = False
                return found
            outcome = asyncio.ensure_future(waiting)
            while not (await asyncio.wait({outcome}, timeout=await keep_alive()))[0]:
                pass
        except BaseException:
            judging.drop()
            if judging.costly:  # nobody sees the answer, and others wait
                judging.stop()
                self.given_up = True
            outcome = asyncio.ensure_future(waiting) if outcome is None else outcome
            await asyncio.wait({outcome})
            if _hangs(outcome):
                note_hang()
            raise
        finally:
            if outcome is not None and outcome.done():
                self.open = _hangs(outcome)
        return outcome.result()


def _hangs(outcome: asyncio.Future[Outcome[bytes]]) -> bool:
    return not outcome.cancelled() and isinstance(outcome.result().error, JudgeHangs)
