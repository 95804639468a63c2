"""Decides which requests may be open: how many in all, how many of a key, and how large their bodies are together.

The numbers are settings (`limits.inflight`, `limits.inflight_bytes`, `keys`). A request beyond them gets 429. A body
that is still being read has no place yet (`body_reading`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager

from reticent.serve.wire.errors import ApiError

_SMALL_BYTES = 1 << 16


class OpenRequests:
    """Counts the open requests, by key.

    Args:
        most: of all keys together.
        per_key: of one key.
        body_bytes: of all their large bodies together. One key may have its share of that. Small bodies are bounded by
            their number, so that large ones take no place from them.
    """

    def __init__(self, most: int, per_key: int, body_bytes: int) -> None:
        self._most, self._body_bytes = most, body_bytes
        self.per_key = per_key
        """Most of one key, from the next request on."""
        self._open: Counter[Hashable] = Counter()
        self._held: Counter[Hashable] = Counter()
        self._count = self._bytes = 0

    def __repr__(self) -> str:
        return f"OpenRequests({self._count} of {self._most}, {self._bytes} bytes)"

    @contextmanager
    def place(self, key: Hashable, size_bytes: int) -> Iterator[None]:
        """Takes a place until the block is left. Raises ApiError if there is none for this key.

        Args:
            key: identifies the client's key.
            size_bytes: of the request's body. One large body alone may be larger than all may be together.
        """
        size_bytes = size_bytes if size_bytes > _SMALL_BYTES else 0
        crowded = size_bytes > 0 and self._bytes > 0 and self._bytes + size_bytes > self._body_bytes
        if self._count >= self._most or crowded:
            raise _overloaded("Too many requests are open; try again.")
        held, key_bytes = self._held[key], self._body_bytes * self.per_key // self._most
        if self._open[key] >= self.per_key or (held and size_bytes and held + size_bytes > key_bytes):
            raise _overloaded("Too many requests of this API key are open; try again.")
        self._open[key] += 1
        self._held[key] += size_bytes
        self._count, self._bytes = self._count + 1, self._bytes + size_bytes
        try:
            yield
        finally:
            self._count, self._bytes = self._count - 1, self._bytes - size_bytes
            self._open[key] -= 1
            self._held[key] -= size_bytes
            if not self._open[key]:
                del self._open[key], self._held[key]


def _overloaded(message: str) -> ApiError:
    return ApiError(429, message, code="overloaded", headers={"retry-after": "1"})
