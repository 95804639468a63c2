"""Logs decisions without values: one JSON object for each decided span, chained to the one before.

    log = DecisionLog("decisions.jsonl", key=read_key("log.key"))     # hand it to the guard as an observer
    verify("decisions.jsonl", key=read_key("log.key")).holds

A line has these fields:

- its kind (`decision`), the ids of decision and request, the choice, and the time (UTC);
- entity, origin, action, reason and tier, and the action that monitoring prevented (`would`);
- probability, threshold and cue, and the base model's mean log-probability per token (`base`, nats);
- the span's place in the answer (`start`, `end`, in characters; `start` is below 0 if it is in the prompt), its length,
  and whether it was cut short (`fragment`);
- the characters and tokens that were held back for it, and the digests of policy and bundle.

`decision_chain` says how lines are chained and what that proves. Several threads and processes may write to one file.

A line that a crash cut short is kept. The next writer puts a line of the kind `recovered` behind it, with its size and
hash. Lines of that kind also report a missing head file.

Not covered: rotation (stop the writers, move log and head together, begin a new log). On a full disk the observer
fails, which is counted and logged, and the answer leaves without its lines. After a power cut, unless `fsync` is on,
lines that the head counts may be missing. A writer then refuses to go on with the file.
"""

from __future__ import annotations

import errno
import fcntl
import logging
import os
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from reticent.key_files import read_key
from reticent.observability.decision_chain import (
    GENESIS,
    MOST_CUT_BYTES,
    Head,
    Verification,
    checked_key,
    head_bytes,
    head_path,
    locked,
    piece_hash,
    read_head,
    seal,
    unseal,
    verify,
)
from reticent.observability.observers import Observation
from reticent_detectors.errors import InputError

__all__ = ["DecisionLog", "Verification", "read_key", "verify"]


_FULL = (errno.ENOSPC, errno.EDQUOT)
_LOGGER = logging.getLogger(__name__)


class _Tail(NamedTuple):
    """Describes the end of a log: its size in bytes, its number of chained lines, the last one's hash."""

    size: int
    lines: int
    hash: str


class _Repair(NamedTuple):
    """Holds what has to be written first: bytes that end a cut line, and lines that report what was found."""

    before: bytes
    rows: Sequence[Mapping[str, Any]]


class DecisionLog:
    """Writes one line of JSON for each decided span, chained by hashes and without its value. It is an observer.

    Args:
        path: the log. It is made for its owner alone if it is missing, and continued if it is there.
        key: 16 to 64 bytes that only the writers and the auditor have. None chains without a key.
        fsync: whether to wait until the lines are on the disk.
        clock: gives seconds since 1970, for the lines' times.

    Raises:
        InputError: the key has another size, or the end of an existing log does not fit its chain or its head.
        OSError: the file cannot be opened. A full disk is logged only, as it is later on.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        key: bytes | None = None,
        fsync: bool = False,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.path = Path(path)
        self._key, self._fsync, self._clock = checked_key(key), fsync, clock
        self._tail: _Tail | None = None
        try:
            self._append([])
        except OSError as error:
            if error.errno not in _FULL:
                raise
            _LOGGER.error("the disk of the decision log is full; decisions are lost until there is room")

    def __repr__(self) -> str:
        return f"DecisionLog({str(self.path)!r}, keyed={bool(self._key)})"

    def on_answer(self, observation: Observation) -> None:
        """Writes the answer's decisions at once. An answer without spans writes nothing.

        Raises:
            InputError: somebody else changed the end of the file so that it no longer fits.
            OSError: the file cannot be written.
        """
        if observation.report.spans:
            self._append(decision_rows(observation, self._now()))

    def _now(self) -> str:
        return datetime.fromtimestamp(self._clock(), UTC).isoformat(timespec="milliseconds")

    def _append(self, rows: Sequence[Mapping[str, Any]]) -> None:
        with locked(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT, fcntl.LOCK_EX) as log:
            size = os.fstat(log).st_size
            tail, repair = self._tail, _Repair(b"", ())
            if tail is None or tail.size != size:  # the first time, somebody else wrote, or a write of ours failed
                tail, repair = self._examined(log, size)
            out, count, last = [repair.before], tail.lines, tail.hash
            for row in (*repair.rows, *rows):
                line, last = seal({**row, "n": count, "prev": last}, self._key)
                out.append(line)
                count += 1
            if data := b"".join(out):
                if os.write(log, data) != len(data):  # a full disk; the next writer finds a cut line
                    raise OSError("the decisions were written only in part: is the disk full?")
                if self._fsync:
                    os.fsync(log)
                self._write_head(Head(count, last))
            self._tail = _Tail(size + len(data), count, last)

    def _write_head(self, head: Head) -> None:
        """Overwrites the head in one write within one block. Its hash would show a torn write."""
        descriptor = os.open(head_path(self.path), os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            os.pwrite(descriptor, head_bytes(head, self._key), 0)
            if self._fsync:
                os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def _examined(self, log: int, size: int) -> tuple[_Tail, _Repair]:
        """Reads the end of a log that somebody else wrote. Returns it, and what has to be repaired.

        The bytes behind the last whole line count as cut short by a crash only if they hold no complete line, or if the
        head confirms that no line is missing. Otherwise an edited last line could count as a crash.
        """
        head = read_head(self.path, self._key)
        raw = os.pread(log, MOST_CUT_BYTES, max(0, size - MOST_CUT_BYTES))
        end, line = len(raw), None
        while end > 0 and line is None:
            start = raw.rfind(b"\n", 0, end - 1) + 1
            line = unseal(raw[start : end - 1], self._key) if raw[end - 1 : end] == b"\n" else None
            end = end if line else start
        tail = _Tail(size, line.n + 1, line.hash) if line else _Tail(size, 0, GENESIS)
        piece, before, found = raw[end:], b"", list[dict[str, Any]]()
        complete_line = unseal(piece, self._key)
        if complete_line is not None and (complete_line.n, complete_line.prev) == (
            tail.lines,
            tail.hash,
        ):  # all but its newline
            tail = _Tail(size, complete_line.n + 1, complete_line.hash)
            before = b"\n"
            found.append({"what": "newline"})
        elif piece:
            before = b"\n"
            found.append({"what": "line", "bytes": len(piece) + 1, "piece": piece_hash(piece + b"\n", self._key)})
        if not isinstance(head, Head):
            if b"\n" in piece or len(piece) == MOST_CUT_BYTES:
                raise self._refused("its last line does not fit its hash")
            if tail.lines or head:
                found.append({"what": "head"})
        elif head.lines > tail.lines or (head.lines == tail.lines and head.hash != tail.hash):
            raise self._refused(f"its head names line {head.lines} as the last one, which is missing or was edited")
        now = self._now()
        return tail, _Repair(before, [{"kind": "recovered", "time": now, **what} for what in found])

    def _refused(self, why: str) -> InputError:
        return InputError(
            f"{self.path} cannot be continued: {why}. Was it written with this key? 'reticent explain --verify' says "
            "more. Keep it as it is and log to a new file."
        )


def decision_rows(observation: Observation, now: str) -> list[dict[str, Any]]:
    """Gives the fields of each decision of an answer, without its place in the chain. `now` is the time (UTC)."""
    return [
        {
            "kind": "decision",
            "id": record.decision_id,
            "request": observation.request_id,
            "choice": observation.choice,
            "route": str(observation.route),
            "time": now,
            "entity": str(record.entity),
            "origin": str(record.decision.verdict.origin),
            "action": str(record.decision.action),
            "reason": str(record.decision.reason),
            "would": None if record.decision.monitored_action is None else str(record.decision.monitored_action),
            "tier": str(record.decision.verdict.tier),
            "probability": _number(record.decision.verdict.probability),
            "cue": _number(record.decision.verdict.cue),
            "base": _number(record.decision.verdict.base),
            "threshold": _number(observation.thresholds.get(record.entity)),
            "start": record.start,
            "end": record.end,
            "chars": record.end - record.start,
            "fragment": record.fragment,
            "held_chars": record.held_chars,
            "held_tokens": record.held_tokens,
            "policy": observation.policy,
            "bundle": observation.bundle,
        }
        for record in observation.report.spans
    ]


def _number(value: float | None) -> float | None:
    """Gives a number that JSON can hold, or None if it is not finite."""
    return None if value is None or not isfinite(value) else float(value)
