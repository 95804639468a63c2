"""Nobody waits because of another one's text: turns, threads, judges that were given up, and whose silence counts."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any, cast

import pytest

from reticent.core.stream_machine import StreamMachine
from reticent.prompt.echo import EchoIndex
from reticent.serve.settings import Limits
from reticent.serve.transport.judge_calls import JudgeCalls
from reticent.serve.transport.judge_pool import JudgePool
from reticent.serve.transport.judge_turns import Budget, JudgeTurns
from reticent.serve.transport.judging import JudgeHangs
from reticent.serve.transport.notification import AnswerTimes
from reticent.serve.transport.read_ahead import ReadAhead
from reticent.serve.transport.upstream_clock import Paused, UpstreamClock
from reticent_detectors.between_steps import STEP, GivenUp, between_steps
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


def work(seconds: float, ended: Callable[[], bool] = lambda: False) -> None:
    """Takes processor time in steps of a tenth of a millisecond."""
    ends = time.thread_time() + seconds
    while time.thread_time() < ends and not ended():
        sum(range(2000))
        between_steps()


def test_quick_calls_do_not_wait_for_costly_ones_of_any_owner() -> None:
    async def scenario() -> list[float]:
        pool, over, took = JudgePool(2), threading.Event(), list[float]()
        costly = [pool.submit(lambda: work(LONG, over.is_set), f"owner-{number % 4}") for number in range(12)]
        await asyncio.sleep(0.5)  # all have threads, and all but one wait for their turn
        for number in range(40):
            begun = time.monotonic()
            await pool.submit(lambda: work(0.0002), f"harmless-{number % 2}").result(LONG, LONG)
            took.append(time.monotonic() - begun)
        over.set()
        for each in costly:
            await each.result(LONG, LONG)
        pool.close()
        return sorted(took)

    took = asyncio.run(asyncio.wait_for(scenario(), LONG))
    assert took[len(took) // 2] < 0.02 and took[-1] < 0.5


def test_costly_calls_have_their_turn_whose_owner_had_least() -> None:
    async def scenario() -> tuple[float, float]:
        pool, over = JudgePool(4), threading.Event()
        spent = Counter[str]()

        def costly(owner: str) -> None:
            begun = time.thread_time()
            work(LONG, over.is_set)
            spent[owner] += round(1000 * (time.thread_time() - begun))

        calls = [pool.submit(partial(costly, owner), owner) for owner in ("many", "many", "many", "one")]
        await asyncio.sleep(1.5)
        over.set()
        for each in calls:
            await each.result(LONG, LONG)
        pool.close()
        return spent["many"], spent["one"]

    many, one = asyncio.run(asyncio.wait_for(scenario(), LONG))
    assert one > 0.1 * many  # all of one owner's calls together, as their time counts once they have ended


def test_the_wait_for_a_turn_is_no_judging() -> None:
    async def scenario() -> float:
        pool, begun = JudgePool(1), time.monotonic()
        calls = [pool.submit(partial(work, 0.3)) for _ in range(6)]
        await asyncio.gather(*(each.result(1.2, LONG) for each in calls))
        pool.close()
        return time.monotonic() - begun

    assert asyncio.run(asyncio.wait_for(scenario(), LONG)) > 1.5


def test_the_wait_for_a_turn_has_the_bound_of_all_waits() -> None:
    async def scenario() -> None:
        pool, over = JudgePool(1), threading.Event()
        first = pool.submit(lambda: work(LONG, over.is_set), "patient")
        await pool.submit(partial(work, 0.5), "had much").result(LONG, LONG)
        with pytest.raises(JudgeHangs):
            await pool.submit(partial(work, LONG), "had much").result(LONG, 0.5)
        over.set()
        await first.result(LONG, LONG)
        pool.close()

    asyncio.run(asyncio.wait_for(scenario(), LONG))


def test_who_waits_for_something_else_than_the_processor_loses_the_turn() -> None:
    async def scenario() -> None:
        pool, answered = JudgePool(2), threading.Event()

        def asks() -> None:
            work(0.1)
            answered.wait(LONG)

        asking = pool.submit(asks)
        await asyncio.sleep(0.3)
        await pool.submit(partial(work, 0.1)).result(LONG, LONG)
        answered.set()
        await asking.result(LONG, LONG)
        pool.close()

    asyncio.run(asyncio.wait_for(scenario(), LONG))


def test_a_costly_judge_whose_client_has_left_ends() -> None:
    async def scenario() -> None:
        pool, ended = JudgePool(1), threading.Event()
        calls = JudgeCalls(pool, Limits(), AnswerTimes(), "me")

        def judge() -> bytes:
            try:
                work(LONG)
            finally:
                ended.set()
            return b""

        async def pause() -> float:
            return LONG

        answering = asyncio.ensure_future(calls.run(judge, pause, lambda: None))
        await asyncio.sleep(0.3)
        answering.cancel()
        with pytest.raises(asyncio.CancelledError):
            await answering
        assert ended.is_set() and calls.given_up and not calls.open and pool.hanging == 0
        pool.close()

    asyncio.run(asyncio.wait_for(scenario(), LONG))


def test_reading_one_prompt_holds_up_no_other() -> None:
    read, go_on = threading.Event(), threading.Event()

    def wait() -> None:
        read.set()
        go_on.wait(LONG)

    def origin() -> object:
        return EchoIndex("Her name is Jo Day. " * 40, "", SpanFinder()).origin("Jo Day", Entity.PERSON)

    def paused() -> None:
        STEP.set(wait)
        origin()

    reading = threading.Thread(target=paused)
    reading.start()
    try:
        assert read.wait(LONG)
        other = threading.Thread(target=origin)
        other.start()
        other.join(5.0)
        assert not other.is_alive()
    finally:
        go_on.set()
        reading.join(LONG)


class SlowDeque(deque[Any]):
    """Gives way to other threads behind each `append`, as the interpreter may."""

    def append(self, each: Any) -> None:
        super().append(each)
        time.sleep(0.002)


def test_no_outcome_is_lost_where_several_judges_end_at_once() -> None:
    async def scenario() -> None:
        pool = JudgePool(8)
        pool._outcomes[asyncio.get_running_loop()] = SlowDeque()
        for _ in range(20):
            together = threading.Barrier(4)
            calls = [pool.submit(partial(together.wait, LONG)) for _ in range(4)]
            await asyncio.gather(*(each.result(LONG, LONG) for each in calls))
        pool.close()

    asyncio.run(asyncio.wait_for(scenario(), LONG))


class Costly:
    """A call that needs a turn."""

    def __init__(self) -> None:
        self.owner, self.ends_early, self.spent_seconds, self.turn = "me", False, 1.0, threading.Event()


@pytest.mark.parametrize("leaves_first", [False, True])
def test_whose_turn_was_taken_before_it_could_begin_has_another_one(leaves_first: bool) -> None:
    turns, first, second, third = JudgeTurns(lambda: False), Costly(), Costly(), Costly()
    assert not turns.needs_wait(first)
    assert turns.needs_wait(second)
    turns.leave(first)  # the second has the turn now, and its thread does not come to run
    assert turns.needs_wait(third)
    turns._seen -= LONG
    turns.wait(third)
    if leaves_first:
        turns.leave(third)
    waiting = threading.Thread(target=turns.wait, args=(second,))
    waiting.start()
    time.sleep(0.1)
    turns.leave(third)
    waiting.join(LONG)
    second.ends_early = True  # or this thread would stay
    assert turns._holder is second


def test_an_answer_may_spend_a_little_at_once_and_a_tenth_of_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    budget = Budget()
    assert budget.left() == pytest.approx(0.02)
    budget.spend(0.03)
    assert budget.left() == pytest.approx(-0.01)
    now[0] += 0.2
    assert budget.left() == pytest.approx(0.01)
    now[0] += 60.0
    assert budget.left() == pytest.approx(0.02)


def test_nothing_is_judged_on_the_event_loop() -> None:
    async def scenario() -> None:
        pool, loop_thread = JudgePool(2), threading.current_thread()
        calls = JudgeCalls(pool, Limits(), AnswerTimes(), "me")
        where = list[threading.Thread]()

        def judge() -> bytes:
            where.append(threading.current_thread())
            return b"shown"

        async def pause() -> float:
            return LONG

        assert await calls.run(judge, pause, lambda: None) == b"shown"
        assert where[0] is not loop_thread
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
    def end() -> None:
        raise GivenUp

    index = EchoIndex("word " * 4000, "", SpanFinder(()))
    token = STEP.set(end)
    try:
        with pytest.raises(GivenUp):
            index.origin("Jo Day", Entity.DOCTOR)
    finally:
        STEP.reset(token)


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


def compute(seconds: float) -> None:
    """Computes for so many seconds of processor time, in steps."""
    ends = time.thread_time() + seconds
    while time.thread_time() < ends:
        between_steps()


def test_a_judge_in_a_thread_waits_for_the_event_loop_between_its_steps() -> None:
    async def scenario() -> int:
        pool, rounds = JudgePool(2), 0
        judging = pool.submit(lambda: compute(0.05), "a")
        while not await judging.ends_within(0.0):
            compute(0.01)
            rounds += 1
        pool.close()
        return rounds

    assert asyncio.run(asyncio.wait_for(scenario(), LONG)) > 20  # in five the two would have had as much each
