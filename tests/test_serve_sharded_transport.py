"""Small pools of connections: requests are spread over them, and a connection serves again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest

from reticent.serve.transport.sharded_transport import ShardedTransport


@asynccontextmanager
async def server(opened: list[int], slow: bool = False) -> AsyncIterator[str]:
    """A server that counts its connections and answers everything with two letters, the second one late if `slow`."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        opened.append(1)
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\na")
                await writer.drain()
                await asyncio.sleep(30 if slow else 0)
                writer.write(b"b")
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    listening = await asyncio.start_server(answer, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/"
    finally:
        listening.close()


def test_connections_serve_again() -> None:
    async def ask() -> tuple[int, str]:
        opened: list[int] = []
        async with server(opened) as url, httpx.AsyncClient(transport=ShardedTransport(40), trust_env=False) as client:
            for _ in range(3):
                texts = await asyncio.gather(*[client.get(url) for _ in range(20)])
                assert {each.text for each in texts} == {"ab"}
            return len(opened), repr(client._transport)

    opened, shown = asyncio.run(ask())
    assert 5 <= opened <= 20 and shown == "ShardedTransport(5, 0 open)"


@pytest.mark.parametrize("way", ["left", "cancelled", "refused"])
def test_however_a_request_ends_its_place_is_free(way: str) -> None:
    async def ask() -> str:
        opened: list[int] = []
        pools = ShardedTransport(16)
        async with server(opened, slow=True) as url, httpx.AsyncClient(transport=pools, trust_env=False) as client:
            if way == "left":
                async with client.stream("GET", url) as response:
                    assert await anext(response.aiter_raw()) == b"a" and repr(pools) == "ShardedTransport(2, 1 open)"
            elif way == "cancelled":
                asking = asyncio.ensure_future(client.get(url))
                await asyncio.sleep(0.2)
                assert repr(pools) == "ShardedTransport(2, 1 open)"
                asking.cancel()
                await asyncio.wait({asking})
            else:
                with pytest.raises(httpx.ConnectError):
                    await client.get("http://127.0.0.1:1/")
            return repr(pools)

    assert asyncio.run(ask()) == "ShardedTransport(2, 0 open)"


def test_requests_are_spread_over_the_pools() -> None:
    async def ask() -> list[int]:
        opened: list[int] = []
        pools = ShardedTransport(24)
        async with server(opened, slow=True) as url, httpx.AsyncClient(transport=pools, trust_env=False) as client:
            asking = [asyncio.ensure_future(client.get(url)) for _ in range(24)]
            while len(opened) < 24:
                await asyncio.sleep(0.01)
            spread = list(pools._open)
            for each in asking:
                each.cancel()
            await asyncio.wait(asking)
            return spread

    assert asyncio.run(asyncio.wait_for(ask(), 20)) == [8, 8, 8]
