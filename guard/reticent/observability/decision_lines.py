"""Reads decision logs line by line: plain, rotated and compressed by gzip.

A line that is no decision as this version writes them is told by its number alone, as it may hold anything. A kind
whose name is none (policies could once give any) is read as `OTHER`. Marks of repairs are passed over, and so is a last
line without an end, which is being written.

Not covered: whether the lines are those that were written. `decision_chain.verify` checks that.
"""

from __future__ import annotations

import gzip
import os
import re
import stat
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, BinaryIO, Literal

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from reticent.observability.observers import Route
from reticent.policy.verdict import Action, Origin, Reason, Tier
from reticent_detectors.entities import Entity
from reticent_detectors.errors import InputError

STANDARD_INPUT = "-"
MOST_LINE_BYTES = 1 << 14
"""Longest line that is read. Ours have less than a kilobyte."""
_GZIP = b"\x1f\x8b"
_HEAD = ".head"
_LAST = datetime.max.replace(tzinfo=UTC)
_KIND = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")

OpenLog = BinaryIO | gzip.GzipFile


def _kind(name: str) -> str:
    return name if _KIND.fullmatch(name) else str(Entity.OTHER)


def _in_utc(time: datetime) -> datetime:
    try:
        return time.astimezone(UTC)
    except OverflowError:
        raise ValueError("expected a time from the year 1 to 9999 in UTC") from None


Id = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{1,64}$")]
Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{0,128}$")]
Kind = Annotated[str, AfterValidator(_kind)]
Time = Annotated[AwareDatetime, AfterValidator(_in_utc)]
Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]


class DecisionLine(BaseModel):
    """Holds the fields of a decision that the decision log has of it (`observability.decision_log`)."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore", allow_inf_nan=False, hide_input_in_errors=True)

    kind: Literal["decision"]
    n: Count
    id: Id
    request: Id
    choice: Count
    route: Route
    time: Time
    entity: Kind
    origin: Origin
    action: Action
    reason: Reason
    would: Action | None
    tier: Tier
    probability: Share | None
    cue: Share | None
    base: float | None
    threshold: float | None
    start: int
    end: int
    chars: Count
    fragment: bool
    held_chars: Count
    held_tokens: Count
    policy: Digest
    bundle: Digest

    @property
    def wanted(self) -> Action:
        """Gives the action that the policy asked for, also where `monitor: true` prevented it."""
        return self.action if self.would is None else self.would


class _Repair(BaseModel):
    kind: Literal["recovered"]


def read_decisions(log: OpenLog) -> Iterator[tuple[int, DecisionLine | None]]:
    """Yields the number of each line, from 1, and its decision, or None for a line that cannot be read.

    Compressed data that ends early or is damaged counts as one such line, the last.
    """
    number = 0
    try:
        while raw := log.readline(MOST_LINE_BYTES):
            number += 1
            line = _decision(raw)
            ended = raw.endswith(b"\n")
            while not ended and (more := log.readline(MOST_LINE_BYTES)):  # too long to be one of ours
                line, ended = None, more.endswith(b"\n")
            if isinstance(line, _Repair) or (line is None and not ended):
                continue
            yield number, line
    except (EOFError, zlib.error, gzip.BadGzipFile):
        yield number + 1, None


def _decision(raw: bytes) -> DecisionLine | _Repair | None:
    for model in (DecisionLine, _Repair):
        try:
            return model.model_validate_json(raw)
        except ValidationError:
            continue
    return None


def logs_in_order(names: Sequence[str]) -> Iterator[tuple[str, OpenLog]]:
    """Opens each log once, and yields its name and its content, plain or unpacked.

    Files come in the order of their first decisions. After them come, as given, those that can be read only once (`-`,
    which is the standard input, and pipes); they are opened at their turn. Heads, which a pattern such as
    `decisions.jsonl*` names as well, are left out.

    Raises:
        InputError: there is no log among them, or a log is there twice.
        OSError: one cannot be opened.
    """
    paths = {_place(name): name for name in names if not name.endswith(_HEAD)}
    if not paths:
        raise InputError(
            "Expected a decision log; a file that ends with .head has only the length of one and its last hash."
        )
    streams = [name for name in paths.values() if _is_stream(name)]
    with ExitStack() as stack:
        files = [(name, stack.enter_context(_opened(name))) for name in paths.values() if name not in streams]
        firsts = {name: _first(log) for name, log in files}
        _refuse_copies(firsts)
        yield from sorted(files, key=lambda file: _LAST if (line := firsts[file[0]]) is None else line.time)
    for name in streams:
        with _opened(name) as log:
            yield name, log


def _place(name: str) -> Path:
    return Path(name) if name == STANDARD_INPUT else Path(name).resolve()


def _is_stream(name: str) -> bool:
    if name == STANDARD_INPUT:
        return True
    mode = os.stat(name).st_mode
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


@contextmanager
def _opened(name: str) -> Iterator[OpenLog]:
    standard = name == STANDARD_INPUT
    with open(0 if standard else name, "rb", closefd=not standard) as file:
        head = file.peek(len(_GZIP))[: len(_GZIP)]  # a pipe may give a single byte, with which no line of ours begins
        if not head or not _GZIP.startswith(head):
            yield file
            return
        with gzip.GzipFile(fileobj=file) as unpacked:
            yield unpacked


def _first(log: OpenLog) -> DecisionLine | None:
    """Gives the first decision of a file, and goes back to its beginning."""
    line = next((line for _, line in read_decisions(log) if line is not None), None)
    log.seek(0)
    return line


def _refuse_copies(firsts: Mapping[str, DecisionLine | None]) -> None:
    seen: dict[DecisionLine, str] = {}
    for name, line in firsts.items():
        if line is not None and (other := seen.setdefault(line, name)) != name:
            raise InputError(
                f"{other} and {name} begin with the same decision, so one is a copy of the other (as gzip makes it) "
                "and decisions would count twice. Name one of them."
            )
