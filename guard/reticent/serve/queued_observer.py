"""Puts the decision log behind a queue, so that no stream waits for the disk.

One thread writes, in the order of the answers. `on_answer` never waits. A request waits for `room` before it gives up
its place among the open ones, as long as the log is being written. So requests come no faster than their decisions are
written. Beyond that the queue has as much room again. Answers that find no place in it, and those that cannot be
written, are counted. `close` writes everything in the queue. An answer that ends after that is written at once.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from reticent.key_files import read_key
from reticent.observability.decision_log import DecisionLog
from reticent.observability.observers import Observation, Observer
from reticent.serve.settings import DecisionLogSettings
from reticent_detectors.errors import InputError

_LOGGER = logging.getLogger(__name__)
_ROOM = 4096
_STILL_SECONDS = 1.0
"""Seconds without a write after which the log is not waited for."""
_LOOK_SECONDS = 0.02


class QueuedObserver:
    """Passes observations to another observer, in a thread.

    Args:
        log: writes the observations.
        lost: called for each answer whose decisions could not be written.
        room: number of answers that may wait before requests do.
    """

    def __init__(self, log: Observer, lost: Callable[[], None], room: int = _ROOM) -> None:
        self._log, self._lost, self._room = log, lost, room
        self._queue: queue.Queue[Observation | None] = queue.Queue(2 * room)
        self._taken = 0
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closed = False

    def __repr__(self) -> str:
        return f"QueuedObserver(waiting={self._queue.qsize()})"

    def on_answer(self, observation: Observation) -> None:
        """Notes an answer without waiting. It may be called from any thread, even an event loop's."""
        with self._lock:
            if not self._closed:
                self._enqueue(observation)
                return
        self._write(observation)

    async def wait_for_room(self) -> None:
        """Returns when few enough answers wait, or when the log makes no progress."""
        taken, since = self._taken, time.monotonic()
        while self._queue.qsize() > self._room and time.monotonic() - since < _STILL_SECONDS:
            await asyncio.sleep(_LOOK_SECONDS)
            if self._taken != taken:
                taken, since = self._taken, time.monotonic()

    def close(self, seconds: float) -> None:
        """Writes what waits. Returns when it is written, or after so many seconds."""
        with self._lock:
            self._closed, thread = True, self._thread
        if thread is None:
            return
        with suppress(queue.Full):
            self._queue.put(None, timeout=seconds)
        thread.join(seconds)
        if thread.is_alive():
            _LOGGER.error("the decision log did not write %d answers in time", self._queue.qsize())

    def _enqueue(self, observation: Observation) -> None:
        if self._thread is None:  # not before: threads do not survive a fork
            self._thread = threading.Thread(target=self._run, name="decisions", daemon=True)
            self._thread.start()
        try:
            self._queue.put_nowait(observation)
        except queue.Full:
            _LOGGER.error("the decisions of an answer found no place in the queue of the decision log")
            self._lost()

    def _run(self) -> None:
        while (observation := self._queue.get()) is not None:
            self._taken += 1
            self._write(observation)

    def _write(self, observation: Observation) -> None:
        try:
            self._log.on_answer(observation)
        except Exception as error:  # its text may hold anything
            _LOGGER.error("the decision log raised %s; the answer had left", type(error).__name__)
            self._lost()


def open_decision_log(settings: DecisionLogSettings, lost: Callable[[], None]) -> QueuedObserver:
    """Opens the decision log of the settings behind a queue. Raises InputError if log or key cannot be opened."""
    key = None if settings.key_file is None else read_key(settings.key_file)
    try:
        log = DecisionLog(settings.path, key, settings.fsync)
    except OSError as error:
        raise InputError(
            f"The decision log {str(settings.path)!r} cannot be opened ({error.strerror}); "
            "expected a file that this process may write, in a folder that is there."
        ) from None
    return QueuedObserver(log, lost)
