"""Judges on the event loop: they wait there without blocking it, and end, fail and are given up as in threads."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Awaitable, Callable

import pytest

from reticent.serve.transport.judge_pool import JudgeHangs
from reticent.serve.transport.loop_judging import LoopJudging, can_wait, result_of, wait_for

LONG = 30.0
ROOM = contextvars.ContextVar("ROOM", default="none")


def run(scenario: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(LONG):
            await scenario()

    asyncio.run(bounded())


async def answer(value: str, after: asyncio.Event | None = None) -> str:
    if after is not None:
        await after.wait()
    return value


def test_a_judge_that_asks_nothing_has_ended_at_once() -> None:
    async def scenario() -> None:
        judging = LoopJudging(lambda: (can_wait(), ROOM.get()))
        assert judging.ended and await judging.result(0.0) == (True, "here") and not judging.drop()
        assert not can_wait()

    ROOM.set("here")
    run(scenario)


def test_judges_wait_in_turn_and_the_loop_goes_on() -> None:
    async def scenario() -> None:
        gate = asyncio.Event()
        one = LoopJudging(lambda: wait_for(answer("a", gate)) + wait_for(answer("b")))
        other = LoopJudging(lambda: wait_for(answer("c")))
        assert not one.ended and await other.result(LONG) == "c"
        gate.set()
        assert await one.result(LONG) == "ab" and one.ended

    run(scenario)


def test_a_failure_reaches_the_judge_and_what_it_raises_the_caller() -> None:
    async def fail() -> str:
        raise ValueError("asked in vain")

    def recovers() -> str:
        with pytest.raises(ValueError, match="in vain"):
            wait_for(fail())
        return "recovered"

    async def scenario() -> None:
        assert await LoopJudging(recovers).result(LONG) == "recovered"
        with pytest.raises(ValueError, match="in vain"):
            await LoopJudging(lambda: wait_for(fail())).result(LONG)
        with pytest.raises(ZeroDivisionError):
            LoopJudging(lambda: 1 // 0)

    run(scenario)


def test_a_judge_that_waits_too_long_is_given_up_and_still_ends() -> None:
    async def scenario() -> None:
        gate, ends = asyncio.Event(), list[str]()
        judging = LoopJudging(lambda: ends.append(wait_for(answer("late", gate))))
        with pytest.raises(JudgeHangs):
            await judging.result(0.01)
        gate.set()
        while not judging.ended:
            await asyncio.sleep(0)
        assert ends == ["late"]

    run(scenario)


def test_whoever_ends_the_loop_ends_a_judge_that_waits() -> None:
    ended = list[str]()

    def judge() -> None:
        try:
            wait_for(answer("never", asyncio.Event()))
        finally:
            ended.append(ROOM.get())

    async def scenario() -> None:
        ROOM.set("of the caller")
        LoopJudging(judge)
        ROOM.set("later")
        await asyncio.sleep(0)

    run(scenario)
    assert ended == ["of the caller"], "cancelled, with the context in which it began"


def test_a_judge_gets_a_result_in_time_on_the_loop_and_in_a_thread() -> None:
    async def scenario() -> None:
        loop = asyncio.get_running_loop()

        def judge() -> str:
            with pytest.raises(TimeoutError):
                result_of(answer("never", asyncio.Event()), loop, 0.01)
            return result_of(answer("x"), loop, LONG)

        assert await LoopJudging(judge).result(LONG) == await asyncio.to_thread(judge) == "x"

    run(scenario)


def test_nobody_else_can_wait() -> None:
    async def scenario() -> None:
        with pytest.raises(RuntimeError, match="wait for itself"):
            result_of(answer("x"), asyncio.get_running_loop(), LONG)
        with pytest.raises(RuntimeError, match="event loop"):
            wait_for(answer("x"))

    run(scenario)
