"""Nobody waits because of another one's text: turns, threads, judges that were given up, and whose silence counts."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator
from typing import cast

import pytest

from reticent.core.stream_machine import StreamMachine
from reticent.given_up import STOPPED, GivenUp
from reticent.prompt.echo import EchoIndex
from reticent.serve.settings import Limits
from reticent.serve.transport.fair_scheduler import FairScheduler
from reticent.serve.transport.judge_calls import JudgeCalls
from reticent.serve.transport.judge_pool import JudgeHangs, JudgePool
from reticent.serve.transport.notification import AnswerTimes
from reticent.serve.transport.read_ahead import ReadAhead
from reticent.serve.transport.upstream_clock import Paused, UpstreamClock
from reticent_detectors.entities import Entity
from reticent_detectors.finder import SpanFinder
from reticent_detectors.spans import FindContext

LONG = 30.0


async def nothing() -> None:
    pass


def test_an_owner_with_much_to_judge_delays_nobody_else() -> None:
    async def scenario() -> None:
        pool, free = JudgePool(4), threading.Event()
        busy = [pool.submit(lambda: free.wait(LONG), "much") for _ in range(20)]
        assert await pool.submit(lambda: "other", "little").result(LONG, LONG) == "other"
        free.set()
        for each in busy:
            await each.result(LONG, LONG)
        pool.close()

    asyncio.run(asyncio.wait_for(scenario(), LONG))


def test_owners_have_their_turn() -> None:
    async def scenario() -> list[str]:
        pool, first, free, order = JudgePool(1), threading.Event(), threading.Event(), list[str]()

        def block() -> None:
            first.set()
            free.wait(LONG)

        calls = [pool.submit(block, "a")]
        assert await asyncio.to_thread(first.wait, LONG)
        calls += [pool.submit(lambda name=name: order.append(name), name[0]) for name in ("a1", "a2", "a3", "b1", "b2")]
        free.set()
        for each in calls:
            await each.result(LONG, LONG)
        pool.close()
        return order

    order = asyncio.run(asyncio.wait_for(scenario(), LONG))
    assert order.index("b1") < order.index("a2") and order.index("b2") < order.index("a3")


def test_nothing_is_judged_on_the_event_loop() -> None:
    async def scenario() -> None:
        pool, loop_thread = JudgePool(2), threading.current_thread()
        calls = JudgeCalls(pool, Limits(), AnswerTimes(), "me")
        where = list[threading.Thread]()

        def judge() -> bytes:
            where.append(threading.current_thread())
            sum(range(100_000))
            return b"shown"

        async def pause() -> float:
            return LONG

        assert await calls.run(judge, pause, lambda: None) == b"shown"
        assert where[0] is not loop_thread and calls.spent_seconds > 0.0
        pool.close()

    asyncio.run(asyncio.wait_for(scenario(), LONG))


def test_the_loop_goes_on_while_a_text_is_judged() -> None:
    async def scenario() -> float:
        pool, ends = JudgePool(2), time.monotonic() + 1.0

        def judge() -> int:
            count = 0
            while time.monotonic() < ends:
                count += 1
            return count

        judging = asyncio.ensure_future(pool.submit(judge).result(LONG, LONG))
        waits = list[float]()
        while not judging.done():
            before = time.monotonic()
            await asyncio.sleep(0.001)
            waits.append(time.monotonic() - before)
        pool.close()
        return sorted(waits)[len(waits) // 2]

    assert asyncio.run(asyncio.wait_for(scenario(), LONG)) < 0.02


def test_a_judge_that_was_given_up_ends() -> None:
    async def scenario() -> None:
        pool, ended = JudgePool(1), threading.Event()

        def judge() -> None:
            machine = StreamMachine(SpanFinder(()), FindContext(), None)
            try:
                while True:
                    list(machine.feed_steps("word ", 0.0))
                    time.sleep(0.001)
            finally:
                ended.set()

        with pytest.raises(JudgeHangs):
            await pool.submit(judge).result(0.05, LONG)
        assert await asyncio.to_thread(ended.wait, LONG)
        pool.close()

    asyncio.run(asyncio.wait_for(scenario(), LONG))


def test_the_reading_of_a_long_prompt_ends_with_the_judge() -> None:
    index = EchoIndex("word " * 4000, "", SpanFinder(()))
    token = STOPPED.set(lambda: True)
    try:
        with pytest.raises(GivenUp):
            index.origin("Jo Day", Entity.DOCTOR)
    finally:
        STOPPED.reset(token)


def test_what_came_while_the_loop_was_late_came_in_time() -> None:
    async def scenario() -> None:
        gate = asyncio.Event()

        async def pieces() -> AsyncIterator[bytes]:
            await gate.wait()
            yield b"piece"
            await asyncio.sleep(LONG)

        async with ReadAhead(pieces(), nothing) as ahead:
            waiting = asyncio.ensure_future(ahead.next(0.05))
            await asyncio.sleep(0.01)
            gate.set()
            time.sleep(0.1)  # the loop stands still beyond the time limit
            assert await waiting == b"piece"

    asyncio.run(asyncio.wait_for(scenario(), LONG))


def test_only_what_the_upstream_keeps_us_waiting_counts() -> None:
    class Upstream:
        async def next(self, seconds: float) -> bytes | None:
            await asyncio.sleep(min(seconds, 0.05))
            if seconds < 0.05:
                raise TimeoutError
            return b"piece"

    async def scenario() -> float:
        clock, upstream = UpstreamClock(), cast("ReadAhead", Upstream())
        assert await clock.next_piece(upstream, LONG) == b"piece"
        await asyncio.sleep(0.3)  # our own judging
        assert await clock.next_piece(upstream, 0.01) == b""
        async with asyncio.timeout(0.2) as limit:
            with Paused(limit):
                await asyncio.sleep(0.3)
        return clock.now

    assert 0.05 <= asyncio.run(asyncio.wait_for(scenario(), LONG)) < 0.25


def test_streams_of_one_owner_share_a_pause_and_others_do_not_wait_for_it() -> None:
    async def scenario() -> None:
        scheduler = FairScheduler()
        long = asyncio.ensure_future(scheduler.pause(LONG, "much"))
        await asyncio.sleep(0)
        await scheduler.pause(0.001, "little")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await scheduler.pause(0.001, "much")
        long.cancel()

    asyncio.run(asyncio.wait_for(scenario(), LONG))
