"""Reading ahead: what came together is one piece, who leaves does not wait for the rest; slices, and where they run."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import cast

import pytest

from reticent.serve.stream.stream_guard import StreamGuard
from reticent.serve.transport.loop_or_thread import Slices, slice_end
from reticent.serve.transport.read_ahead import ReadAhead


async def nothing() -> None:
    """Closes nothing."""


def test_what_came_together_is_one_piece() -> None:
    async def pieces() -> AsyncIterator[bytes]:
        yield b"a"
        yield b"b"
        await asyncio.sleep(0.05)
        yield b"c"

    async def read() -> list[bytes | None]:
        async with ReadAhead(pieces(), nothing) as read_ahead:
            return [await read_ahead.next(1.0) for _ in range(3)]

    assert asyncio.run(read()) == [b"ab", b"c", None]


def test_no_more_is_read_ahead_than_is_taken() -> None:
    came = []

    async def pieces() -> AsyncIterator[bytes]:
        for number in range(100):
            came.append(number)
            yield b"x" * 4096

    async def read() -> None:
        async with ReadAhead(pieces(), nothing) as read_ahead:
            assert await read_ahead.next(1.0) == b"x" * 16384
            assert len(came) == 4

    asyncio.run(read())


def test_whoever_leaves_does_not_wait_for_what_comes_meanwhile() -> None:
    more = asyncio.Event()

    async def pieces() -> AsyncIterator[bytes]:
        yield b"x" * 10_000
        await more.wait()
        yield b"x" * 10_000

    async def close() -> None:
        more.set()
        await asyncio.sleep(0.05)

    async def leave() -> None:
        async with ReadAhead(pieces(), close):
            await asyncio.sleep(0.05)

    begun = time.monotonic()
    asyncio.run(leave())
    assert time.monotonic() - begun < 1.0


@pytest.mark.parametrize(
    ("piece", "size", "end"),
    [
        (b"x" * 400 + b"\n\n" + b"y" * 400, 256, 402),  # the event that it would cut
        (b"x" * 254 + b"\n\n" + b"y" * 400, 256, 256),  # none is cut
        (b"x" * 255 + b"\n\n" + b"y" * 400, 256, 257),
        (b"x" * 2000 + b"\n\n", 256, 256),  # its end is not near
        (b"x" * 400 + b"\r\n\r\n" + b"y" * 400, 256, 256),
        (b"x" * 100, 256, 256),
    ],
)
def test_a_slice_cuts_no_short_event(piece: bytes, size: int, end: int) -> None:
    assert slice_end(piece, 0, size) == slice_end(b"z" * 10 + piece, 10, size) - 10 == end


class Reading:
    """A guard of a stream that takes so many seconds of processor time for each slice."""

    done = takes_long = waits = False

    def __init__(self, *seconds: float) -> None:
        self._seconds = [*seconds, *[0.0] * 2000]
        self.read = list[bytes]()

    def feed(self, data: bytes, now: float, may_take_long: bool = True) -> bytes:
        self.read.append(data)
        ends = time.thread_time() + self._seconds.pop(0)
        while time.thread_time() < ends:
            pass
        return data


def calls(slices: Slices, count: int) -> list[bool]:
    """Judges a short piece so many times. Says which calls may be made on the event loop."""
    cheap = list[bool]()
    for _ in range(count):
        cheap.append(slices.are_cheap)
        slices.at = 0
        slices.feed(b"x" * 10, 0.0)
    return cheap


def test_after_a_costly_call_a_stream_needs_a_thread_until_its_calls_are_cheap_in_the_mean() -> None:
    cheap = calls(Slices(cast(StreamGuard, Reading(0.0, 0.003, 0.0, 0.003, 0.0095, *[0.0] * 8))), 13)
    assert cheap[:5] == [True] * 5 and not any(cheap[5:7]) and cheap[-1]


def test_a_call_ends_where_judging_begins_to_take_long_so_that_a_thread_does_it() -> None:
    reading = Reading()
    slices = Slices(cast(StreamGuard, reading))
    feed = reading.feed

    def grow(data: bytes, now: float, may_take_long: bool = True) -> bytes:
        reading.takes_long = True
        return feed(data, now)

    reading.feed = grow  # type: ignore[method-assign]
    assert slices.are_cheap
    piece = b"x" * 5000
    assert slices.feed(piece, 0.0) == piece[: slices.at] and slices.at < 1000
    assert not slices.are_cheap
    assert slices.feed(piece, 0.0) == piece[len(reading.read[0]) :]
