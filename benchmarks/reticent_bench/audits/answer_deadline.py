"""One budget of time for a whole HTTP answer: connecting, sending, and waiting for its head and each of its parts."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable, Iterable
from time import monotonic
from typing import Any

import httpcore
import httpx

_Left = Callable[[type[httpcore.TimeoutException]], float]
"""Gives the seconds that are left, or raises what it is given."""


class AnswerDeadline(httpx.HTTPTransport):
    """Takes the read timeout of a request as the time of its whole answer.

    The timeouts of httpx are those of single waits, and every wait begins anew.
    An answer is read in the thread that asked for it.
    """

    def __init__(self) -> None:
        super().__init__(trust_env=False)
        self._asked = threading.local()
        # A pool takes its network at construction, and httpx constructs it.
        self._pool._network_backend = _Network(self._pool._network_backend, self._left)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self._asked.until = monotonic() + request.extensions["timeout"]["read"]
        return super().handle_request(request)

    def _left(self, late: type[httpcore.TimeoutException]) -> float:
        left = float(self._asked.until) - monotonic()
        if left <= 0:
            raise late("The answer takes too long.")
        return left


class _Network(httpcore.NetworkBackend):
    """Connects, and waits no longer than is left."""

    def __init__(self, inner: httpcore.NetworkBackend, left: _Left) -> None:
        self._inner, self._left = inner, left

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        left = self._left(httpcore.ConnectTimeout)
        return _Stream(self._inner.connect_tcp(host, port, left, local_address, socket_options), self._left)


class _Stream(httpcore.NetworkStream):
    """A connection on which no wait is longer than what is left."""

    def __init__(self, inner: httpcore.NetworkStream, left: _Left) -> None:
        self._inner, self._left = inner, left

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, self._left(httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, self._left(httpcore.WriteTimeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        left = self._left(httpcore.ConnectTimeout)
        return _Stream(self._inner.start_tls(ssl_context, server_hostname, left), self._left)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)
