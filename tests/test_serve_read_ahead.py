"""Reading ahead: what came together is one piece, who leaves does not wait for the rest, and where slices end."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator

import pytest

from reticent.serve.transport.read_ahead import ReadAhead
from reticent.serve.transport.slices import slice_end


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
