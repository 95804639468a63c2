"""Joins the workers to their parent, which reads settings and files for all of them.

A worker serves what its parent sends through a pipe, and reads none of these files itself. So all workers serve the
same, and one that is started later serves it, too, whatever the files hold by then. A reload is prepared by every
worker before any serves it:

    worker ── hello ──▶ parent ── inputs ──▶ worker            at its start
    parent ── prepare, inputs ──▶ each ── version ──▶ parent   a reload: all, or none
    parent ── commit, since ──▶ each ── version ──▶ parent     each goes over to it at once

Between the first and the last commit some milliseconds pass. A worker that does not confirm is killed, and the one in
its place begins with the new version. The parent keeps what it sent, keys and all, in its memory.
"""

from __future__ import annotations

import logging
import os
import queue
import signal
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any

from reticent.serve.reloading import NotTakenUp, ParentGone, Reloader, ReloadResult, WorkerState
from reticent.serve.snapshot import Snapshot, SnapshotInputs

_LOGGER = logging.getLogger(__name__)
_PREPARE_SECONDS = 120.0
_COMMIT_SECONDS = 20.0
_BROKEN = (OSError, EOFError)


class WorkerLink:
    """Joins a worker to its parent, in the worker's process.

    Args:
        commands: on which the parent sends what to do, and gets each answer.
        requests: on which this worker asks the parent.
    """

    def __init__(self, commands: Connection, requests: Connection) -> None:
        self._commands, self._requests = commands, requests
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return "WorkerLink()"

    def receive_inputs(self) -> tuple[SnapshotInputs, float]:
        """Gives what to serve from the start, and the Unix time since when it is served."""
        self._commands.send(os.getpid())
        since: float = self._commands.recv()
        return SnapshotInputs.unpacked(self._commands.recv_bytes()), since

    def follow(self, build: Callable[[SnapshotInputs], Snapshot], use: Callable[[Snapshot, float], None]) -> None:
        """Does in a thread what the parent sends.

        Args:
            build: makes a snapshot.
            use: serves it since a time.
        """
        threading.Thread(target=self._follow, args=(build, use), name="reload", daemon=True).start()

    def _follow(self, build: Callable[[SnapshotInputs], Snapshot], use: Callable[[Snapshot, float], None]) -> None:
        prepared: Snapshot | None = None
        with suppress(*_BROKEN):
            while True:
                command, since = self._commands.recv()
                if command == "prepare":
                    prepared, answer = None, ""
                    try:
                        prepared = build(SnapshotInputs.unpacked(self._commands.recv_bytes()))
                        answer = prepared.version
                    except Exception as error:  # its text may hold anything
                        answer = type(error).__name__
                elif command == "commit" and prepared is not None:
                    use(prepared, since)
                    answer, prepared = prepared.version, None
                else:
                    prepared, answer = None, ""
                self._commands.send(answer)

    def reload(self) -> ReloadResult:
        """Has the parent reload for all workers. Blocks. Raises ParentGone."""
        result: ReloadResult = self._ask("reload")
        return result

    def workers(self) -> list[WorkerState]:
        """Gives what each worker serves. Blocks. Raises ParentGone."""
        states: list[WorkerState] = self._ask("workers")
        return states

    def _ask(self, what: str) -> Any:
        try:
            with self._lock:
                self._requests.send(what)
                return self._requests.recv()
        except _BROKEN:
            raise ParentGone(
                "The process that reloads for all workers has ended; start 'reticent serve' again."
            ) from None


class _Member:
    """Speaks with one worker, in the parent's process. Each call waits in a queue of its own."""

    def __init__(self, links: WorkerLinks) -> None:
        self._links = links
        self._commands, self._requests = Pipe(), Pipe()
        self.state: WorkerState | None = None
        """What the worker serves, once it has begun."""
        self.has_left = False
        self._waiting: queue.SimpleQueue[tuple[str, float, bytes, Future[str]] | None] = queue.SimpleQueue()
        for run in (self._command, self._answer):
            threading.Thread(target=run, name="worker-link", daemon=True).start()

    def __repr__(self) -> str:
        return f"_Member({self.state})"

    @property
    def ends(self) -> tuple[Connection, Connection]:
        """Gives the worker's ends of both pipes."""
        return self._commands[1], self._requests[1]

    def close_ends(self) -> None:
        """Closes the worker's ends here, so that its death is seen."""
        for end in self.ends:
            end.close()

    def ask(self, command: str, since: float = 0.0, packed: bytes = b"") -> Future[str]:
        """Sends a command. Gives the version with which the worker answers; it fails where the worker has ended."""
        answer: Future[str] = Future()
        self._waiting.put((command, since, packed, answer))
        return answer

    def _command(self) -> None:
        connection = self._commands[0]
        with suppress(*_BROKEN):
            process = connection.recv()
            self._links._joins(self, process, connection)
        while (asked := self._waiting.get()) is not None:
            command, since, packed, answer = asked
            try:
                connection.send((command, since))
                if packed:
                    connection.send_bytes(packed)
                answer.set_result(connection.recv())
            except _BROKEN as error:  # the next ones fail as well, until `_answer` has seen the worker's end
                answer.set_exception(error)
        connection.close()

    def _answer(self) -> None:
        connection = self._requests[0]
        with suppress(*_BROKEN):
            while True:
                connection.send(self._links._answer(connection.recv()))
        connection.close()
        self._links._leaves(self)
        self._waiting.put(None)  # after it has left, so that nothing is asked of it any more


class WorkerLinks:
    """Holds what the workers serve, and makes the link of each.

    A pickle of it is the link of a new worker: the process that starts workers pickles what each gets.

    Args:
        packed: what is served, as `SnapshotInputs.packed` gives it.
        version: of it.
    """

    def __init__(self, packed: bytes, version: str) -> None:
        self._packed, self._version, self._since = packed, version, time.time()
        self._lock = threading.Lock()
        self._members: list[_Member] = []
        self._started: list[_Member] = []
        self.reloader: Reloader | None = None

    def __repr__(self) -> str:
        return f"WorkerLinks({len(self._members)})"

    def __reduce__(self) -> tuple[Any, ...]:
        member = _Member(self)
        self._started.append(member)
        return WorkerLink, member.ends

    def note_started(self) -> None:
        """Closes the workers' ends of their links, after they were started."""
        while self._started:
            self._started.pop().close_ends()

    def take_up(self, inputs: SnapshotInputs, snapshot: Snapshot) -> None:
        """Has every worker serve this, or none. Raises NotTakenUp."""
        packed, version = inputs.packed(), snapshot.version
        with self._lock:
            members = list(self._members)
            answers = _answers([each.ask("prepare", packed=packed) for each in members], _PREPARE_SECONDS)
            if wrong := [answer for answer in answers if answer not in (version, None)]:
                for each in members:
                    each.ask("drop")
                raise NotTakenUp(f"A worker could not make it ready ({wrong[0] or 'it did not answer in time'}).")
            self._packed, self._version, self._since = packed, version, time.time()
            answers = _answers([each.ask("commit", self._since) for each in members], _COMMIT_SECONDS)
            for each, answer in zip(members, answers, strict=True):
                if each.state is None:
                    continue
                if answer == version:
                    each.state = WorkerState(each.state.process, version, self._since)
                elif answer is not None:
                    _LOGGER.error(
                        "worker %d did not go over to version %s and is replaced", each.state.process, version
                    )
                    with suppress(ProcessLookupError):
                        os.kill(each.state.process, signal.SIGKILL)

    def _joins(self, member: _Member, process: int, connection: Connection) -> None:
        """Sends a worker what to serve. It waits for a reload that runs."""
        with self._lock:
            if member.has_left:
                return
            connection.send(self._since)
            connection.send_bytes(self._packed)
            member.state = WorkerState(process, self._version, self._since)
            self._members.append(member)

    def _leaves(self, member: _Member) -> None:
        with self._lock:
            member.has_left = True
            if member in self._members:
                self._members.remove(member)

    def _answer(self, asked: str) -> ReloadResult | list[WorkerState]:
        """Answers a worker's question."""
        if asked == "workers":
            return [each.state for each in tuple(self._members) if each.state is not None]
        assert self.reloader is not None
        return self.reloader.reload("POST /admin/reload")


def _answers(asked: Sequence[Future[str]], seconds: float) -> list[str | None]:
    """Waits for answers: a version or what failed, empty for one that did not come, None for a worker that ended."""
    end, out = time.monotonic() + seconds, list[str | None]()
    for each in asked:
        try:
            out.append(each.result(max(0.0, end - time.monotonic())))
        except TimeoutError:
            out.append("")
        except _BROKEN:
            out.append(None)
    return out
