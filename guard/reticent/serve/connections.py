"""Decides which connections may stay open: uvicorn's protocol with limits that uvicorn does not offer.

uvicorn bounds the bytes of a request's head (`h11_max_incomplete_event_size`) and the silence between two requests
(`timeout_keep_alive`), but not the time in which a head has to come. Its `limit_concurrency` answers 503 and keeps the
connection. Here

- a head has to come within some seconds, whatever drips in meanwhile, and so has the rest of a body that was refused,
- a client that takes nothing is cut off, even if its request has ended (its last bytes wait in the transport),
- connections are bounded, below the process's bound of open files. With one too many, the one that has waited longest
  for a head gives way. If all of them are busy, the new one is closed.

`accept` of a process without free file descriptors fails for every waiting client, each second, and asyncio logs each
failure with a traceback. `prepare` raises the bound of open files as far as it may, and lets such a line pass once a
minute.
"""

from __future__ import annotations

import asyncio
import logging
import resource
import time
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0
"""Longest time for a request's head."""
TAKE_SECONDS = 60.0
"""Longest time that a client may take nothing while bytes wait for it. An open request's own bound is shorter."""
_LEAST, _OTHER_FILES = 16, 128
_ACCEPT = "socket.accept() out of system resource"
_PAUSE_SECONDS = 60.0


def prepare(connections: int, upstream_connections: int) -> int:
    """Makes room for connections in this process. Gives how many there may be, as far as open files allow."""
    needed = connections + upstream_connections + _OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    if soft != unlimited and soft < needed:
        soft = needed if hard == unlimited else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    logger = logging.getLogger("asyncio")
    if not any(isinstance(each, RareAcceptFailures) for each in logger.filters):
        logger.addFilter(RareAcceptFailures())
    if soft == unlimited:
        return connections
    return max(_LEAST, min(connections, soft - upstream_connections - _OTHER_FILES))


class RareAcceptFailures(logging.Filter):
    """Lets asyncio's line about connections that cannot be accepted pass once a minute."""

    def __init__(self) -> None:
        super().__init__()
        self._next = 0.0

    def filter(self, record: logging.LogRecord) -> bool:
        """Says whether a line is logged."""
        if not str(record.msg).startswith(_ACCEPT):
            return True
        now = time.monotonic()
        if now < self._next:
            return False
        self._next = now + _PAUSE_SECONDS
        record.exc_info, record.msg, record.args = None, f"{_ACCEPT}: too few file descriptors (ulimit -n).", ()
        return True


class BoundedProtocol(H11Protocol):
    """Serves one connection. `limit_concurrency` of uvicorn's settings is the number of connections."""

    def __init__(self, config: Any, server_state: Any, app_state: Any, _loop: Any = None) -> None:
        super().__init__(config=config, server_state=server_state, app_state=app_state, _loop=_loop)
        self._most, self.limit_concurrency = config.limit_concurrency, None  # no 503 of uvicorn's
        self._waiting: dict[BoundedProtocol, None] = server_state.__dict__.setdefault("reticent_waiting", {})
        self._deadline: asyncio.TimerHandle | None = None
        self._stuck: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._note_wait()
        if self._most is not None and len(self.connections) > self._most:
            longest = next(iter(self._waiting))  # this one, if all others are busy
            longest.cut()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._note_wait()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._note_wait()
        self._note_end()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._note_end()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_wait()
        self._end_stuck()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._note_stuck()

    def resume_writing(self) -> None:
        super().resume_writing()
        if not self.transport.is_closing():
            self._end_stuck()

    def cut(self) -> None:
        """Ends the connection, whatever waits."""
        self._end_wait()
        self.connections.discard(self)
        self.transport.abort()

    def _note_wait(self) -> None:
        """Starts or ends the time in which the client has to send a head, or the rest of what was answered already."""
        answered = self.cycle is not None and self.cycle.response_complete
        state = self.conn.their_state
        if not (state is h11.IDLE or (answered and state is h11.SEND_BODY)):
            self._end_wait()
        elif self._deadline is None:
            self._waiting[self] = None
            self._deadline = self.loop.call_later(HEAD_SECONDS, self.cut)

    def _note_end(self) -> None:
        """Has a transport that is being closed end in time, although bytes wait in it."""
        if self.transport.is_closing() and self.transport.get_write_buffer_size():
            self._note_stuck()

    def _note_stuck(self) -> None:
        if self._stuck is None:
            self._stuck = self.loop.call_later(TAKE_SECONDS, self.transport.abort)

    def _end_stuck(self) -> None:
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None

    def _end_wait(self) -> None:
        self._waiting.pop(self, None)
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
