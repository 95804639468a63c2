"""Spreads the connections to one server over several small pools.

For each request, httpcore looks at every connection of its pool, and for every idle one at all of them again: with 64
streams at once that took 40 % of the processor. Here each request goes to the pool with the fewest open ones.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

import httpx

_EACH = 8
"""Most connections in one pool."""


class ShardedTransport(httpx.AsyncBaseTransport):
    """Sends each request by the pool with the fewest open ones.

    Args:
        connections: the most that may be open.
    """

    def __init__(self, connections: int) -> None:
        verify, limits = httpx.create_ssl_context(trust_env=False), httpx.Limits(max_connections=_EACH)
        self._pools = [
            httpx.AsyncHTTPTransport(verify=verify, trust_env=False, limits=limits)
            for _ in range(-(-connections // _EACH))
        ]
        self._open = [0] * len(self._pools)

    def __repr__(self) -> str:
        return f"ShardedTransport({len(self._pools)}, {sum(self._open)} open)"

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Sends a request by the pool with the fewest open ones."""
        chosen = self._open.index(min(self._open))
        self._open[chosen] += 1
        try:
            response = await self._pools[chosen].handle_async_request(request)
        except BaseException:
            self._open[chosen] -= 1
            raise
        assert isinstance(response.stream, httpx.AsyncByteStream)
        response.stream = _Counted(response.stream, lambda: self._closed(chosen))
        return response

    async def aclose(self) -> None:
        """Closes all connections."""
        for pool in self._pools:
            await pool.aclose()

    def _closed(self, pool: int) -> None:
        self._open[pool] -= 1


class _Counted(httpx.AsyncByteStream):
    """Carries a response's bytes, and calls back when it is closed."""

    def __init__(self, stream: httpx.AsyncByteStream, closed: Callable[[], None]) -> None:
        self._stream, self._closed, self._is_closed = stream, closed, False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._stream:
            yield piece

    async def aclose(self) -> None:
        try:
            await self._stream.aclose()
        finally:
            if not self._is_closed:
                self._is_closed = True
                self._closed()
