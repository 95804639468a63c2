"""A guarded response: the upstream's bytes and the time go in, what the client may see comes out.

    guard = StreamGuard(reader)
    for piece in upstream:
        send(guard.feed(piece, now=clock()))
        if guard.done:
            break                                 # nothing more is wanted: close the upstream
    send(guard.finish(now=clock()))               # always, however it ended

Every stream ends in one `[DONE]`, and says at most one error before it.
"""

from __future__ import annotations

from reticent.policy import OnBlock
from reticent.serve import errors
from reticent.serve.dialect import FILTERED
from reticent.serve.errors import Refusal
from reticent.serve.frames import FrameQueue, settle
from reticent.serve.response import Frame, ResponseReader
from reticent.serve.sse import DONE, DONE_EVENT, Event, FrameError, SseReader, parse_json, to_json


class StreamGuard:
    """Judges one stream.

    Args:
        reader: reads its frames.
    """

    def __init__(self, reader: ResponseReader) -> None:
        self._reader, self._queue = reader, FrameQueue(reader)
        self._events = SseReader(reader.request.bounds.frame_bytes)
        self._ended = self._failed = False
        self._done: bytes | None = None
        self._usage_until: float | None = None
        self.broken = False
        """Whether the upstream broke off before its end."""
        self.frames = 0
        """Frames with JSON that came."""
        self.fault: FrameError | None = None
        """Why the stream could not be read on."""

    def __repr__(self) -> str:
        return f"StreamGuard(frames={self.frames}, waiting={len(self._queue)}, done={self.done})"

    @property
    def waits(self) -> bool:
        """Whether anything is held back."""
        return len(self._queue) > 0

    @property
    def done(self) -> bool:
        """Whether nothing more is wanted from the upstream."""
        return self._is_done()

    def _is_done(self) -> bool:
        return self._ended or self._failed or self.fault is not None or self._done is not None

    @property
    def deadline(self) -> float | None:
        """When `expire` has to be called, or None."""
        times = [*self._reader.deadlines, *([] if self._usage_until is None else [self._usage_until])]
        return min(times, default=None)

    def feed(self, data: bytes, now: float) -> bytes:
        """Takes bytes of the upstream's."""
        if self.done:
            return b""
        out = []
        if (deadline := self.deadline) is not None and now >= deadline:
            out.append(self.expire(now))  # what other choices hold is due although the stream never rests
        try:
            for event in self._events.feed(data):
                self._take(event, now)
                out.append(self._leave(now))
                self._queue.check()
                if self._is_done():
                    break
        except FrameError as error:
            self.fault = error
        return b"".join(out)

    def expire(self, now: float) -> bytes:
        """Lets time pass: what has been held for too long is decided."""
        if self.done:
            return b""
        self._reader.expire(now)
        out = self._leave(now)
        if self._usage_until is not None and now >= self._usage_until:
            self._ended = True
        return out

    def finish(self, now: float, fault: Refusal | None = None) -> bytes:
        """Ends the stream, however it ended. Held text is judged as one that was cut short, never flushed.

        Args:
            now: the time.
            fault: why the upstream was not read to its end, if it was not.
        """
        if self._done is None and self._events.rest.strip() == b"data: [DONE]":
            self._done = DONE_EVENT
        unfinished = not self._reader.over and not self._failed
        self._reader.finish(now)
        out = self._leave(now)
        if self._failed:
            error = b""
        elif self.fault is not None:
            error = errors.unreadable().event()
        elif self._queue.blocked and self._reader.request.policy.on_block is OnBlock.ERROR:
            error = errors.blocked().event()
        elif fault is not None and unfinished and not self._ended:
            error = fault.event()
        elif unfinished and self._done is None and not self._ended:
            self.broken = True
            error = errors.broken_off().event()
        else:
            error = self._usage()
        return out + error + (self._done or DONE_EVENT)

    def _usage(self) -> bytes:
        """The usage chunk that the client asked for, where we did not wait for the upstream's."""
        ended = any(choice.ended for choice in self._reader.choices.values())
        if not (ended and self._reader.asked.include_usage) or self._queue.usage_shown:
            return b""
        return self._queue.chunk([], usage=self._reader.usage)

    def _take(self, event: Event, now: float) -> None:
        if event.data is None and event.other.startswith("error "):  # an older llama.cpp's way to tell an error
            event = told_error(event)
        if event.data is None:
            if not self._passes(event):
                return
            self._queue.push(Frame(event.raw))
            return
        if event.data.strip() == DONE:
            self._done = event.raw if not event.other and event.name in ("", "done") else DONE_EVENT
            return
        if not event.data.strip():
            return
        self.frames += 1
        frame = self._reader.read(event.raw, event.data, now)
        if not event.raw or not self._passes(event):
            frame.changed = True
        self._queue.push(frame)
        if frame.body is not None and frame.body.get("error") is not None:
            self._failed = True

    def _passes(self, event: Event) -> bool:
        """Whether all that an event has beside its data may be shown."""
        asides = self._reader.asides
        return not event.odd and asides.passes("event", event.name) and asides.passes("comment", event.other)

    def _leave(self, now: float) -> bytes:
        out = self._queue.leave()
        reader = self._reader
        if self._queue.blocked and reader.request.policy.on_block is OnBlock.ERROR:
            self._ended = True
        elif reader.over and any(choice.ended for choice in reader.choices.values()) and not self.done:
            wait = reader.request.bounds.usage_wait_seconds
            if not reader.asked.include_usage or self._queue.usage_shown or wait <= 0:
                self._ended = True
            elif self._usage_until is None:
                self._usage_until = now + wait
        return out


def told_error(event: Event) -> Event:
    """An error that came in a field of its own, as every client reads it. Raises FrameError."""
    error, _ = parse_json(event.other.removeprefix("error "))
    wrapped = error if isinstance(error, dict) and "error" in error else {"error": error}
    return Event(b"", to_json(wrapped).decode())


def guard_whole(reader: ResponseReader, raw: bytes, now: float) -> bytes:
    """What may be shown of a whole answer: its own bytes if nothing was changed.

    Raises:
        FrameError: it cannot be read.
        Refusal: the policy blocked it and asks for an error.
    """
    frame = reader.read(raw, raw, now)
    if frame.body is None or not frame.entries:
        raise FrameError("Expected choices.")
    reader.finish(now)
    policy = reader.request.policy
    for entry in frame.entries:
        frame.changed = settle(entry) or frame.changed
        if not entry.choice.ended:
            continue
        entry.value["finish_reason"] = FILTERED
        if entry.choice.blocked and policy.on_block is OnBlock.ERROR:
            raise errors.blocked()
        if entry.choice.blocked and policy.on_block is OnBlock.REPLACE:
            reader.dialect.replace(entry, policy.block_text)
    if frame.changed:
        frame.body["choices"] = [entry.value for entry in frame.entries]
        return to_json(frame.body)
    return raw
