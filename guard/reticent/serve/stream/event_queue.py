"""Queues typed events. An event leaves when every text in it has been decided, and events leave in their order.

An unchanged event leaves as the bytes that came. If a block or a redaction ended the answer, events of our own close
what is open and say so. Nothing of the upstream's follows.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Any, Protocol

from reticent.policy.policy import OnBlock
from reticent.serve.judging.choice import Choice
from reticent.serve.judging.guarded_request import GuardedRequest
from reticent.serve.stream.frame_queue import settle
from reticent.serve.stream.pending_frames import EventFrame, Frame
from reticent.serve.stream.pending_parts import TextPart
from reticent.serve.stream.transcript import TranscriptCallPart, WithheldPart
from reticent.serve.wire.error_formats import ErrorFormat
from reticent.serve.wire.errors import ApiError
from reticent.serve.wire.sse import FrameError, to_event


class ClientView(Protocol):
    """Tracks what a client has seen of an answer, and ends the answer there."""

    error_format: ErrorFormat
    number: int | None
    """Number of the last event, if a stream's events are numbered."""

    def note(self, frame: EventFrame) -> None:
        """Notes an event that leaves, as it leaves."""
        ...

    def is_last(self, frame: EventFrame) -> bool:
        """Says whether an event carries how the answer ended."""
        ...

    def closing_events(self, instead: str | None) -> Iterable[dict[str, Any]]:
        """Gives the events that end the answer, with this text at its end if there is one."""
        ...


class EventQueue:
    """Queues the events of one stream that wait for a decision.

    Args:
        choice: the answer that the events carry.
        request: what its texts share.
        client_view: knows what the client has seen.
    """

    end = b""
    usage_shown = True
    """True, as the event with the end of an answer carries the usage."""

    def __init__(self, choice: Choice, request: GuardedRequest, client_view: ClientView) -> None:
        self._choice, self._request, self._client_view = choice, request, client_view
        self._frames: deque[Frame] = deque()
        self._bytes = 0
        self._named = True

    def __repr__(self) -> str:
        return f"EventQueue({len(self._frames)} events, {self._bytes} bytes)"

    @property
    def blocked(self) -> bool:
        """Says whether the answer was blocked and has ended."""
        return self._choice.ended and self._choice.blocked

    @property
    def held_bytes(self) -> int:
        """Counts the bytes that wait."""
        return self._bytes

    def __len__(self) -> int:
        return len(self._frames)

    def push(self, frame: Frame) -> None:
        """Takes an event."""
        if not frame.dropped:
            self._frames.append(frame)
            self._bytes += len(frame.raw)

    def check(self) -> None:
        """Raises FrameError if more waits than may be held."""
        if self._bytes > self._request.bounds.held_bytes:
            raise FrameError("More events wait than may be held.")

    def pop_ready(self) -> bytes:
        """Gives the bytes that may leave now."""
        out = []
        while self._frames and self._frames[0].ready:
            frame = self._frames.popleft()
            self._bytes -= len(frame.raw)
            if not self._choice.ended:
                out.append(frame.raw if frame.body is None else self._write_frame(frame))
        return b"".join(out)

    def error(self, api_error: ApiError) -> bytes:
        """Writes the event of an error."""
        number = self._client_view.number
        return self._client_view.error_format.event(api_error, None if number is None else number + 1)

    def closing(self) -> bytes:
        """Gives nothing, as the event with the answer's end has everything promised."""
        return b""

    def _write_frame(self, frame: Any) -> bytes:
        choice = self._choice
        self._named = frame.name != "" or not frame.raw
        changed = False
        for entry in frame.entries:
            changed = settle(entry) or changed
        parts = [part for entry in frame.entries for part in entry.parts]
        texts = [part for part in parts if isinstance(part, TextPart)]
        is_empty = changed and texts and not any(part.has_text for part in texts)
        withheld = any(isinstance(part, TranscriptCallPart | WithheldPart) and part.ends for part in parts)
        out = b""
        if not is_empty and not withheld and not (choice.ended and self._client_view.is_last(frame)):
            self._client_view.note(frame)
            out = self._serialize(frame.body, frame.kind) if changed or frame.changed else frame.raw
        return out + self._closing_events() if choice.ended else out

    def _closing_events(self) -> bytes:
        policy = self._request.policy
        instead = policy.block_text if self.blocked and policy.on_block is OnBlock.REPLACE else None
        if self.blocked and policy.on_block is OnBlock.ERROR:
            return b""
        return b"".join(self._serialize(body, body["type"]) for body in self._client_view.closing_events(instead))

    def _serialize(self, body: dict[str, Any], kind: str) -> bytes:
        return to_event(body, kind if self._named else "")
