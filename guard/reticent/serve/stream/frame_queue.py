"""Queues frames. A frame leaves when every text in it has been decided, and frames leave in their order.

An unchanged frame leaves as the bytes that came. A changed one is written anew: each text gets its part of what was
released, log-probabilities and token ids of hidden text are removed, and the rest of the JSON stays. If a block or a
redaction ended a choice, a chunk of our own ends it at once, and its later frames are dropped.
"""

from __future__ import annotations

from collections import deque
from typing import Any, Protocol
from weakref import proxy

from reticent.policy.policy import OnBlock
from reticent.serve.judging.choice import Choice
from reticent.serve.judging.guarded_request import GuardedRequest
from reticent.serve.stream.chunk_format import FILTERED, ChunkFormat
from reticent.serve.stream.logprobs import settle_chat, settle_legacy
from reticent.serve.stream.pending_frames import Frame, TextFrame
from reticent.serve.stream.pending_parts import TextPart
from reticent.serve.stream.walk import Entry
from reticent.serve.wire.errors import ApiError
from reticent.serve.wire.parsed_request import ParsedRequest
from reticent.serve.wire.sse import DONE_EVENT, FrameError, to_event


class StreamState(Protocol):
    """Holds what a queue needs to know of its stream."""

    request: GuardedRequest
    parsed: ParsedRequest
    api_format: ChunkFormat
    choices: dict[int, Choice]
    """The choices that have come, by number."""
    envelope: dict[str, Any]
    """Fields that every chunk repeats."""
    usage: Any
    """The last usage that came."""


class FrameQueue:
    """Queues the frames of one stream that wait for a decision.

    Args:
        stream: what the frames' reader knows of the stream. The queue does not keep it alive.
    """

    end = DONE_EVENT
    """Last event of every stream."""

    def __init__(self, stream: StreamState) -> None:
        self._stream: StreamState = proxy(stream)  # which owns the queue; a cycle would keep the request
        self._frames: deque[Frame | TextFrame] = deque()
        self._bytes = 0
        self.usage_shown = False

    def __repr__(self) -> str:
        return f"FrameQueue({len(self._frames)} frames, {self._bytes} bytes)"

    @property
    def blocked(self) -> bool:
        """Says whether a choice that has ended was blocked."""
        return any(choice.ended and choice.blocked for choice in self._stream.choices.values())

    @property
    def held_bytes(self) -> int:
        """Counts the bytes that wait."""
        return self._bytes

    def __len__(self) -> int:
        return len(self._frames)

    def push(self, frame: Frame | TextFrame) -> None:
        """Takes a frame. Raises FrameError if more waits than may be held."""
        self._frames.append(frame)
        self._bytes += len(frame.raw)

    def check(self) -> None:
        """Raises FrameError if more waits than may be held."""
        if self._bytes > self._stream.request.bounds.held_bytes:
            raise FrameError("More frames wait than may be held.")

    def error(self, api_error: ApiError) -> bytes:
        """Writes the event of an error."""
        return api_error.event()

    def closing(self) -> bytes:
        """Gives the usage chunk that the client asked for, if we did not wait for the upstream's."""
        ended = any(choice.ended for choice in self._stream.choices.values())
        if not (ended and self._stream.parsed.include_usage) or self.usage_shown:
            return b""
        return self.chunk([], usage=self._stream.usage)

    def pop_ready(self) -> bytes:
        """Gives the bytes that may leave now."""
        out = []
        while self._frames and self._frames[0].ready:
            frame = self._frames.popleft()
            self._bytes -= len(frame.raw)
            written = frame.written()
            out.append(self._write_frame(frame.to_frame()) if written is None else written)
        return b"".join(out)

    def _write_frame(self, frame: Frame) -> bytes:
        body = frame.body
        if body is None or "choices" not in body or body["choices"] is None:
            return self._serialize(frame)
        ended: list[Entry] = []
        kept = []
        for entry in frame.entries:
            before = entry.choice.ended
            if before:
                frame.changed = frame.dropped = True
                continue
            changed = settle(entry)
            frame.changed = frame.changed or changed
            if entry.choice.ended:
                entry.value["finish_reason"] = None
                ended.append(entry)
            if changed and self._stream.api_format.is_empty(entry.value, entry.choice.begun):
                frame.dropped = True
                continue
            entry.choice.begun = True
            kept.append(entry.value)
        if frame.changed:
            body["choices"] = kept
        usage = (
            self._stream.parsed.include_usage
            and body.get("usage") is not None
            and not any(entry.choice.ended for entry in frame.entries)
        )
        own = b"".join(self._end_chunks(entry) for entry in ended)
        if not kept and frame.dropped and not usage:
            return own
        return self._serialize(frame) + own

    def _serialize(self, frame: Frame) -> bytes:
        if frame.body is not None and frame.body.get("usage") is not None and not frame.body.get("choices"):
            self.usage_shown = True
        return to_event(frame.body) if frame.changed else frame.raw

    def _end_chunks(self, entry: Entry) -> bytes:
        """Writes the chunks that end a choice: the policy's replacement text, if any, and the finish reason."""
        choice, policy = entry.choice, self._stream.request.policy
        out = b""
        if choice.blocked and policy.on_block is OnBlock.ERROR:
            return out
        if choice.blocked and policy.on_block is OnBlock.REPLACE:
            out = self.chunk([self._stream.api_format.chunk(choice.index, policy.block_text, None)])
        return out + self.chunk([self._stream.api_format.chunk(choice.index, None, FILTERED)])

    def chunk(self, choices: list[dict[str, Any]], **more: Any) -> bytes:
        """Writes a chunk of our own, in the stream's envelope."""
        return to_event({**self._stream.envelope, "choices": choices, **more})


def settle(entry: Entry) -> bool:
    """Writes what may be shown of an entry into it, and marks its choice as ended if it ends.

    Says whether anything changed.
    """
    choice = entry.choice
    changed = False
    for part in entry.parts:
        if choice.ended:
            part.blank()
            changed = True
        else:
            changed = part.settle() or changed
            choice.ended = part.ends
    texts = [part for part in entry.parts if isinstance(part, TextPart)]
    for holder, key, legacy in entry.logprobs:
        shown, differs = (settle_legacy if legacy else settle_chat)(holder[key], texts)
        if choice.ended and entry.parts and not texts:
            shown, differs = None, True
        if differs:
            holder[key] = shown
            changed = True
    if changed:
        for holder, key in entry.attached:
            holder[key] = None
    return changed
