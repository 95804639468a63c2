"""What a judge in a thread gets from the event loop: in time, too late, and from the loop itself."""

from __future__ import annotations

import asyncio

import pytest

from reticent.serve.transport.loop_result import result_of

LONG = 30.0


async def answer(value: str, after: asyncio.Event | None = None) -> str:
    if after is not None:
        await after.wait()
    return value


def test_a_judge_gets_a_result_in_time_in_a_thread() -> None:
    async def scenario() -> str:
        loop = asyncio.get_running_loop()

        def judge() -> str:
            with pytest.raises(TimeoutError):
                result_of(answer("never", asyncio.Event()), loop, 0.01)
            return result_of(answer("x"), loop, LONG)

        return await asyncio.to_thread(judge)

    assert asyncio.run(asyncio.wait_for(scenario(), LONG)) == "x"


def test_the_loop_cannot_wait_for_itself() -> None:
    async def scenario() -> None:
        with pytest.raises(RuntimeError, match="wait for itself"):
            result_of(answer("x"), asyncio.get_running_loop(), LONG)

    asyncio.run(scenario())
