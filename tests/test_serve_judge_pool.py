"""The threads that judge: whose time counts, what a judge that hangs costs, and that nobody waits for it at the end."""

from __future__ import annotations

import asyncio
import contextvars
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable

import pytest

from reticent.serve.transport.judge_pool import JudgePool
from reticent.serve.transport.judging import JudgeHangs, Judging, NoJudge

LONG = 30.0
ROOM = contextvars.ContextVar("ROOM", default="none")


class Blocked:
    """A judge that does not come to its end before it is let."""

    def __init__(self) -> None:
        self.begun, self.free = threading.Event(), threading.Event()

    def __call__(self) -> str:
        self.begun.set()
        assert self.free.wait(LONG)
        return "late"


def run(scenario: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(LONG):
            await scenario()

    asyncio.run(bounded())


async def given_up(pool: JudgePool, judge: Blocked) -> None:
    """Submits a judge that hangs, and gives it up as soon as it has begun."""
    judging = pool.submit(judge)
    assert await asyncio.to_thread(judge.begun.wait, LONG)
    with pytest.raises(JudgeHangs):
        await judging.result(0.0, LONG)


def test_a_call_gives_its_result_or_raises_its_error_in_its_own_context() -> None:
    async def scenario() -> None:
        pool = JudgePool(2)
        ROOM.set("mine")
        assert await pool.submit(ROOM.get).result(LONG, LONG) == "mine"
        with pytest.raises(ZeroDivisionError):
            await pool.submit(lambda: 1 // 0).result(LONG, LONG)
        pool.close()

    run(scenario)


def test_waiting_for_a_thread_is_no_judging() -> None:
    async def scenario() -> None:
        pool, first, second = JudgePool(1), Blocked(), Blocked()
        blocked, waits = pool.submit(first), pool.submit(second)
        waiting = asyncio.ensure_future(waits.result(1.0, LONG))
        assert not (await asyncio.wait({waiting}, timeout=1.5))[0]  # longer than it may judge
        first.free.set()
        assert await asyncio.to_thread(second.begun.wait, LONG)
        second.free.set()
        assert (await waiting, await blocked.result(LONG, LONG)) == ("late", "late")
        assert waits.waited_seconds >= 1.4 > blocked.waited_seconds
        pool.close()

    run(scenario)


def test_the_wait_for_a_thread_has_a_bound_of_its_own_and_the_call_is_never_begun() -> None:
    async def scenario() -> None:
        pool, first, begun = JudgePool(1), Blocked(), list[bool]()
        blocked = pool.submit(first)
        assert await asyncio.to_thread(first.begun.wait, LONG)
        with pytest.raises(NoJudge):
            await pool.submit(lambda: begun.append(True)).result(LONG, 0.01)
        first.free.set()
        await blocked.result(LONG, LONG)
        assert await pool.submit(lambda: "next").result(LONG, LONG) == "next"
        assert (begun, pool.hanging) == ([], 0)
        pool.close()

    run(scenario)


def test_judges_that_hang_are_replaced_and_when_all_hang_calls_fail_at_once() -> None:
    async def scenario() -> None:
        pool, judges = JudgePool(2), [Blocked() for _ in range(4)]
        for judge in judges[:2]:
            await given_up(pool, judge)
        assert await pool.submit(lambda: "replaced").result(LONG, LONG) == "replaced"
        await given_up(pool, judges[2])
        last = pool.submit(judges[3])
        assert await asyncio.to_thread(judges[3].begun.wait, LONG)
        waits = pool.submit(lambda: "never")
        with pytest.raises(JudgeHangs):
            await last.result(0.0, LONG)
        assert pool.hanging == 4
        with pytest.raises(NoJudge):
            await waits.result(LONG, LONG)
        with pytest.raises(NoJudge):
            pool.submit(lambda: "never")
        judges[0].free.set()  # a thread that comes back serves again
        while pool.hanging == 4:
            await asyncio.sleep(0)
        assert await pool.submit(lambda: "back").result(LONG, LONG) == "back"
        for judge in judges:
            judge.free.set()
        while pool.hanging:
            await asyncio.sleep(0)
        pool.close()

    run(scenario)


def test_no_more_threads_than_asked_for_and_in_order() -> None:
    async def scenario() -> None:
        pool, judges, order = JudgePool(3), [Blocked() for _ in range(3)], list[int]()
        busy = [asyncio.ensure_future(pool.submit(judge).result(LONG, LONG)) for judge in judges]
        for judge in judges:
            assert await asyncio.to_thread(judge.begun.wait, LONG)

        def note(number: int) -> Callable[[], None]:
            return lambda: order.append(number)

        waiting: list[Judging[None]] = [pool.submit(note(number)) for number in range(5)]
        assert waiting[2].drop()
        judges[0].free.set()
        for number, each in enumerate(waiting):
            if number != 2:
                await each.result(LONG, LONG)
        with pytest.raises(asyncio.CancelledError):
            await waiting[2].result(LONG, LONG)
        assert order == [0, 1, 3, 4]
        assert not waiting[0].drop()
        for judge in judges:
            judge.free.set()
        await asyncio.gather(*busy)
        pool.close()

    run(scenario)


def test_closing_fails_what_waits_and_takes_no_more() -> None:
    async def scenario() -> None:
        pool, first = JudgePool(1), Blocked()
        blocked = pool.submit(first)
        assert await asyncio.to_thread(first.begun.wait, LONG)
        waits = pool.submit(lambda: "never")
        pool.close()
        for judging in (waits.result(LONG, LONG),):
            with pytest.raises(NoJudge):
                await judging
        with pytest.raises(NoJudge):
            pool.submit(lambda: "never")
        first.free.set()
        assert await blocked.result(LONG, LONG) == "late"

    run(scenario)


def test_a_process_ends_although_a_judge_hangs() -> None:
    script = """
import asyncio, threading
from reticent.serve.transport.judge_pool import JudgePool
from reticent.serve.transport.judging import JudgeHangs

async def main():
    pool, begun = JudgePool(1), threading.Event()
    judging = pool.submit(lambda: (begun.set(), threading.Event().wait()))
    await asyncio.to_thread(begun.wait)
    try:
        await judging.result(0.0, 1.0)
    except JudgeHangs:
        print("given up")
    pool.close()

asyncio.run(main())
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout.strip()) == (0, "given up")
