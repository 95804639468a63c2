"""Chains lines by hashes, so that none can be edited, removed, inserted or moved unnoticed.

Each line is a JSON object with sorted keys and no spaces. `n` counts from 0, `prev` is the hash of the line before (the
first has `GENESIS`), and `hash`, always last, is

    blake2b(the line without its `,"hash":"..."`, key=key, digest_size=32)

A changed line needs a new hash, and so does every later line, which takes the key. Without a key anybody who can write
the file can do that, so the chain shows accidents and carelessness only. `<path>.head` keeps the number of lines and
the last hash, itself under the key, so that lines missing at the end are noticed as well.

Not covered: somebody who kept old copies of both the log and its head, and puts them back. Send the head elsewhere now
and then. The locks are those of flock, which Windows does not have. The module uses the standard library alone.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from reticent.key_files import LEAST_KEY_BYTES, MOST_KEY_BYTES, is_key
from reticent_detectors.errors import InputError

GENESIS = "0" * 64
"""`prev` of the first line."""
MOST_CUT_BYTES = 1 << 20
"""Most bytes behind the last whole line that may be a line cut short by a crash."""

_HASH_FIELD = b',"hash":"'
_SUFFIX_BYTES = len(_HASH_FIELD) + 64 + len(b'"}')
_HEAD_BYTES = 256
_ENCODE = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False).encode

Visit = Callable[[int, Mapping[str, Any], bool], None]
"""Takes a line's number in the file (from 1), its fields, and whether its hash fits them."""


class Line(NamedTuple):
    """Holds a line whose hash fits its content."""

    n: int
    prev: str
    hash: str
    fields: Mapping[str, Any]


class Head(NamedTuple):
    """Holds the content of the head file: the number of chained lines, and the last one's hash."""

    lines: int
    hash: str


class Problem(StrEnum):
    """Names what happened to a log."""

    EDITED = "edited"
    DELETED = "deleted"
    INSERTED = "inserted"
    REORDERED = "reordered"
    TRUNCATED = "truncated"
    HEAD = "head"


_MEANING = {
    Problem.EDITED: "line {line} was edited or replaced, or the log was written with another key",
    Problem.DELETED: "lines are missing before line {line}",
    Problem.INSERTED: "line {line} was inserted",
    Problem.REORDERED: "line {line} stands before lines that it came after",
    Problem.TRUNCATED: "lines are missing at the end, from line {line} on",
    Problem.HEAD: "the head file was edited, is damaged or belongs to another log",
}


@dataclass(frozen=True, slots=True)
class Verification:
    """Holds the result of checking a log.

    `lines`: number of chained lines that hold, counted from the first.
    `recovered`: number of those that mark where a crash was repaired.
    `line`: number of the first bad line in the file, from 1.
    `end_checked`: whether there was a head, which tells whether lines are missing at the end.
    `unfinished_bytes`: size of a last line that is being written or was cut short. The next writer marks it.
    """

    lines: int
    recovered: int
    problem: Problem | None
    line: int | None
    end_checked: bool
    unfinished_bytes: int

    @property
    def holds(self) -> bool:
        """Says whether nothing is wrong, as far as it could be checked."""
        return self.problem is None

    @property
    def message(self) -> str:
        """Describes the result in a sentence or two."""
        if self.problem is not None:
            return f"The chain is broken: {_MEANING[self.problem].format(line=self.line)}."
        sentences = [f"The chain holds over {self.lines} line{'' if self.lines == 1 else 's'}."]
        if not self.end_checked:
            sentences.append("Whether lines are missing at its end is not checkable: there is no head file.")
        if self.recovered:
            sentences.append(f"Marks of repairs among them: {self.recovered}.")
        if self.unfinished_bytes:
            sentences.append("The last line was cut short; the next writer marks it.")
        return " ".join(sentences)


# ---- one line, one head ----------------------------------------------------------------------------------------------


def seal(fields: Mapping[str, Any], key: bytes) -> tuple[bytes, str]:
    """Makes a line with its newline. Returns it and its hash. `fields` hold `n` and `prev`."""
    body = _ENCODE(fields).encode()
    digest = blake2b(body, key=key, digest_size=32).hexdigest()
    return b'%s,"hash":"%s"}\n' % (body[:-1], digest.encode()), digest


def unseal(raw: bytes, key: bytes) -> Line | None:
    """Reads the line in `raw` (without newline), or gives None if its hash does not fit."""
    body, suffix = raw[:-_SUFFIX_BYTES] + b"}", raw[-_SUFFIX_BYTES:]
    digest = blake2b(body, key=key, digest_size=32).hexdigest()
    if suffix != b'%s%s"}' % (_HASH_FIELD, digest.encode()):
        return None
    try:
        fields = json.loads(body)
        return Line(int(fields["n"]), str(fields["prev"]), digest, fields)
    except (ValueError, KeyError, TypeError):
        return None


def piece_hash(piece: bytes, key: bytes) -> str:
    """Computes the hash of a cut piece, newline included, that a `recovered` line accounts for."""
    return blake2b(b"piece" + piece, key=key, digest_size=32).hexdigest()


def head_path(path: Path) -> Path:
    """Gives the path of a log's head."""
    return path.with_name(path.name + ".head")


def head_bytes(head: Head, key: bytes) -> bytes:
    """Writes a head file's content, which always has the same size."""
    mac = blake2b(b"head%d,%s" % (head.lines, head.hash.encode()), key=key, digest_size=32).hexdigest()
    return _ENCODE({**head._asdict(), "mac": mac}).encode().ljust(_HEAD_BYTES - 1) + b"\n"


def read_head(path: Path, key: bytes) -> Head | bool:
    """Reads the head of the log at `path`. Gives False if there is none, True if it is damaged or edited."""
    try:
        raw = head_path(path).read_bytes()
    except FileNotFoundError:
        return False
    try:
        fields = json.loads(raw)
        head = Head(int(fields["lines"]), str(fields["hash"]))
        return head if raw == head_bytes(head, key) else True
    except (ValueError, KeyError, TypeError):
        return True


def checked_key(key: bytes | None) -> bytes:
    """Gives the key as blake2b takes it, empty for None.

    Raises:
        InputError: the key does not have 16 to 64 bytes.
    """
    if key is not None and not is_key(key):
        raise InputError(
            f"The key of a decision log must have {LEAST_KEY_BYTES} to {MOST_KEY_BYTES} bytes, got {len(key)}."
        )
    return key or b""


@contextmanager
def locked(path: Path, flags: int, kind: int) -> Iterator[int]:
    """Opens a file descriptor of `path` under a lock of `kind` (flock).

    It opens the file anew each time, because a lock belongs to one opening. So threads keep each other out as processes
    do, and a fork shares nothing. It unlocks explicitly, because a fork may keep a copy of the descriptor open.
    """
    descriptor = os.open(path, flags | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, kind)
        try:
            yield descriptor
        finally:
            fcntl.flock(descriptor, fcntl.LOCK_UN)
    finally:
        os.close(descriptor)


# ---- the whole log ---------------------------------------------------------------------------------------------------


def verify(path: str | os.PathLike[str], key: bytes | None = None, visit: Visit | None = None) -> Verification:
    """Checks a decision log from its first line, and finds the first line that does not hold.

    Writers may go on meanwhile. Lines that they write after the call began are not read.

    Args:
        path: the log.
        key: the key that it was written with.
        visit: called with the number, the fields and the validity of every line that is a JSON object.

    Raises:
        InputError: the key has another size.
        OSError: the log cannot be read.
    """
    file, walk = Path(path), _Walk(checked_key(key))
    with locked(file, os.O_RDONLY, fcntl.LOCK_SH) as log:
        size, walk.head = os.fstat(log).st_size, read_head(file, walk.key)
    with open(file, "rb") as lines:
        number = 0
        while size > 0 and (raw := lines.readline(size)):
            size, number = size - len(raw), number + 1
            line = walk.take(number, raw)
            if visit is not None and (fields := line.fields if line else _parse_object(raw)) is not None:
                visit(number, fields, line is not None)
    return walk.result(number)


class _Walk:
    """Goes through a log line by line. Of earlier lines it needs only a count and a hash."""

    def __init__(self, key: bytes) -> None:
        self.key = key
        self.head: Head | bool = False
        self._count, self._hash = 0, GENESIS
        self._recovered = self._unfinished = 0
        self._head_fits = True
        # About the first line that does not follow on: which one, the lines since then, and what came later.
        self._bad: int | None = None
        self._bad_line: Line | None = None
        self._since = bytearray()
        self._successor = self._copied = self._beyond = False

    def take(self, number: int, raw: bytes) -> Line | None:
        """Takes the next line of the file, and returns it if its hash fits."""
        if not raw.endswith(b"\n"):  # only the last one can
            self._unfinished = len(raw)
            return None
        line = unseal(raw[:-1], self.key)
        follows = line is not None and (line.n, line.prev) == (self._count, self._hash)
        if line is not None and follows and self._explains(line):
            self._bad, self._bad_line, self._since = None, None, bytearray()
            self._successor = self._copied = self._beyond = False
            self._recovered += line.fields.get("kind") == "recovered"
            self._count, self._hash = self._count + 1, line.hash
            if isinstance(self.head, Head) and self.head.lines == self._count:
                self._head_fits = self.head.hash == self._hash
        elif self._bad is None:
            self._bad, self._bad_line = number, line
            self._since += raw
        elif line is not None:
            self._successor |= follows and line.fields.get("what") != "line"  # such a line accounts for what was there
            self._copied |= self._bad_line is not None and line.hash == self._bad_line.hash
            self._beyond |= line.n > self._count
        if self._bad is not None and self._bad != number and len(self._since) <= MOST_CUT_BYTES:
            self._since += raw
        return line

    def _explains(self, line: Line) -> bool:
        """Says whether the line accounts for exactly what is between it and the last line that held, mostly nothing."""
        raw, fields = bytes(self._since), line.fields
        if fields.get("what") != "line":
            return not raw
        return fields.get("bytes") == len(raw) and fields.get("piece") == piece_hash(raw, self.key)

    def result(self, number: int) -> Verification:
        """Gives the result after the last line, which has this number."""
        problem, line = self._problem(), self._bad
        if problem is Problem.TRUNCATED:
            line = number + (0 if self._unfinished else 1)
        known = isinstance(self.head, Head)
        return Verification(self._count, self._recovered, problem, line, known, self._unfinished)

    def _problem(self) -> Problem | None:
        head = self.head
        if self._bad is not None:
            return self._what_happened()
        if head is True or not self._head_fits:
            return Problem.HEAD
        if isinstance(head, Head) and head.lines > self._count:
            return Problem.TRUNCATED
        return None

    def _what_happened(self) -> Problem:
        """Decides which problem explains what was seen."""
        bad, is_complete = self._bad_line, self.head == Head(self._count, self._hash)
        if bad is None:
            return Problem.INSERTED if self._successor or is_complete else Problem.EDITED
        if bad.n < self._count:  # a copy of a line that was there already
            return Problem.EDITED if self._beyond and not self._successor else Problem.INSERTED
        if self._successor:
            return Problem.INSERTED if self._copied else Problem.REORDERED
        missing = bad.n > self._count or bad.prev == self._hash  # an equal hash: it accounts for the piece
        return Problem.DELETED if missing else Problem.EDITED


def _parse_object(raw: bytes) -> Mapping[str, Any] | None:
    """Gives the fields of a line whose hash does not fit, if it is an object at all."""
    try:
        fields = json.loads(raw)
    except ValueError:
        return None
    return fields if isinstance(fields, dict) else None
