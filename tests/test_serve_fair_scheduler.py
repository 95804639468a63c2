"""Streams that are dear to judge pause, and harmless ones never do."""

from __future__ import annotations

import asyncio
import time

import pytest

from reticent.serve.transport.fair_scheduler import FairScheduler, StreamBudget


def seconds(pieces: list[float], streams: int = 1) -> float:
    """How long it takes streams to say what they spent on each of their pieces."""

    async def run() -> float:
        scheduler = FairScheduler()

        async def one() -> None:
            budget = StreamBudget(scheduler)
            for piece in pieces:
                if budget.charge(piece):
                    await budget.pause(piece)

        begun = time.monotonic()
        await asyncio.gather(*[one() for _ in range(streams)])
        return time.monotonic() - begun

    return asyncio.run(run())


def test_harmless_pieces_and_a_value_now_and_then_wait_for_nothing() -> None:
    assert seconds([0.0001] * 20_000) < 1.0
    assert seconds([0.0015] * 10) < 0.02


@pytest.mark.parametrize("streams", [1, 3])
def test_who_spends_on_and_on_pauses_and_all_such_streams_share_the_pause(streams: int) -> None:
    spent = 60 * 0.002 * streams
    assert seconds([0.002] * 60, streams) > 1.5 * (spent - streams * 0.03)
