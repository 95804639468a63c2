"""Defines what reads a response, and what queues its frames.

`ChunkReader` and `FrameQueue` do so for answers in chunks with choices, `EventReader` and `EventQueue` for answers in
typed events.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from reticent.serve.judging.choice import Choice
from reticent.serve.judging.guarded_request import GuardedRequest
from reticent.serve.judging.metadata import MetadataJudge
from reticent.serve.stream.pending_frames import Frame
from reticent.serve.wire.errors import ApiError
from reticent.serve.wire.parsed_request import ParsedRequest
from reticent.serve.wire.sse import Event


class Queue(Protocol):
    """Queues the frames of one stream that wait for a decision, and writes them."""

    end: bytes
    """Last event of every stream, unless the upstream sends its own."""
    usage_shown: bool

    @property
    def blocked(self) -> bool:
        """Says whether a choice that has ended was blocked."""
        ...

    @property
    def held_bytes(self) -> int:
        """Counts the bytes that wait."""
        ...

    def __len__(self) -> int: ...

    def push(self, frame: Frame) -> None:
        """Takes a frame."""
        ...

    def check(self) -> None:
        """Raises FrameError if more waits than may be held."""
        ...

    def pop_ready(self) -> bytes:
        """Gives the bytes that may leave now."""
        ...

    def error(self, api_error: ApiError) -> bytes:
        """Writes the event of an error."""
        ...

    def closing(self) -> bytes:
        """Writes what else the client was promised, at the end of a stream without an error."""
        ...


class Reader(Protocol):
    """Reads the frames of one response."""

    request: GuardedRequest
    parsed: ParsedRequest
    metadata: MetadataJudge

    @property
    def queue(self) -> Queue:
        """Gives the queue of its stream."""
        ...

    @property
    def choices(self) -> Mapping[int, Choice]:
        """Gives the answers, by number."""
        ...

    @property
    def over(self) -> bool:
        """Says whether every answer has come to its end, or was ended."""
        ...

    @property
    def deadlines(self) -> Iterable[float]:
        """Gives the times at which held texts have to be decided."""
        ...

    def frame(self, event: Event, now: float) -> Frame:
        """Makes the frame of an event with data. Raises FrameError."""
        ...

    def take_templated(self, raw: bytes, now: float) -> bool:
        """Says whether it took an event that differs from an earlier one only in its text, and need not be read."""
        ...

    @property
    def has_template(self) -> bool:
        """Says whether `take_templated` may take an event."""
        ...

    def flush_templated(self, now: float, may_judge: bool = True) -> None:
        """Reads the texts of the events that `take_templated` took.

        `may_judge`: whether values are judged now. Else the first one waits for `settle`.
        """
        ...

    @property
    def waits(self) -> bool:
        """Says whether a value waits for `settle`, until which no more events may be taken."""
        ...

    def settle(self) -> None:
        """Judges the value that waits, if any."""
        ...

    def judge_body(self, raw: bytes, now: float) -> bytes:
        """Gives what may be shown of a whole answer. Raises FrameError, ApiError."""
        ...

    def expire(self, now: float) -> None:
        """Decides text that has been held for too long."""
        ...

    def finish(self, now: float) -> None:
        """Ends all answers. Those without a reason for their end were cut short."""
        ...
