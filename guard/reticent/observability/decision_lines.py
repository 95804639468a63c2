"""Reads decision logs line by line: plain, rotated and compressed by gzip.

A line that is no decision as this version writes them is told by its number alone, as it may hold anything. Marks of
repairs are passed over, and so is a last line without an end, which is being written.

Not covered: whether the lines are those that were written. `decision_chain.verify` checks that.
"""

from __future__ import annotations

import gzip
import sys
import zlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, BinaryIO, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from reticent.observability.observers import Route
from reticent.policy.rules import KindName
from reticent.policy.verdict import Action, Origin, Reason, Tier

STANDARD_INPUT = "-"
MOST_LINE_BYTES = 1 << 14
"""Longest line that is read. Ours have less than a kilobyte."""
_GZIP = b"\x1f\x8b"
_HEAD = ".head"
_LAST = datetime.max.replace(tzinfo=UTC)

OpenLog = BinaryIO | gzip.GzipFile

Id = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{1,64}$")]
Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{0,128}$")]
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
    time: AwareDatetime
    entity: KindName
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


def open_log(name: str) -> OpenLog:
    """Opens a log, plain or gzip by its content; `-` is the standard input, which is plain. Raises OSError."""
    if name == STANDARD_INPUT:
        return sys.stdin.buffer
    with open(name, "rb") as file:
        compressed = file.read(2) == _GZIP
    return gzip.open(name) if compressed else open(name, "rb")


def in_order(names: Sequence[str]) -> list[str]:
    """Gives the logs among these files, each once, in the order of their first decisions. The standard input is last.

    Heads, which a pattern such as `decisions.jsonl*` names as well, are left out. Raises OSError.
    """
    paths = {Path(name).resolve(): name for name in names if name != STANDARD_INPUT and not name.endswith(_HEAD)}
    ordered = sorted(paths.values(), key=_begins)
    return [*ordered, STANDARD_INPUT] if STANDARD_INPUT in names else ordered


def _begins(name: str) -> datetime:
    with open_log(name) as log:
        return next((line.time for _, line in read_decisions(log) if line is not None), _LAST)
