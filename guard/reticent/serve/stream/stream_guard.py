"""Guards a response: takes the upstream's bytes and the time, and gives what the client may see.

    guard = StreamGuard(reader)
    for piece in upstream:
        send(guard.feed(piece, now=clock()))
        if guard.done:
            break                                 # no more is wanted: close the upstream
    send(guard.finish(now=clock()))               # always, however the stream ended

Every stream has at most one error, and ends as its API format requires: chat and text completions in one `[DONE]`.

A `Reader` and its `Queue` read and write a format's events.
"""

from __future__ import annotations

from itertools import chain

from reticent.policy.policy import OnBlock
from reticent.serve.stream.pending_frames import Frame
from reticent.serve.stream.reader import Reader
from reticent.serve.wire import errors
from reticent.serve.wire.errors import ApiError
from reticent.serve.wire.frameless import frameless
from reticent.serve.wire.sse import DONE, DONE_EVENT, Event, FrameError, SseReader, parse_json, to_json

LONG_EVENT_BYTES = 1 << 9
"""Bytes above which an event takes long to judge."""
_LONG_HELD_BYTES = 1 << 14
_LONG_PROMPT_CHARS = 1 << 14


class StreamGuard:
    """Judges one stream.

    Args:
        reader: reads its frames.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader, self._queue = reader, reader.queue
        self._events = SseReader(reader.request.bounds.frame_bytes)
        views = reader.request.views
        self._is_costly = (
            reader.request.needs_thread
            or sum(len(view.user) + len(view.operator) for view in views) > _LONG_PROMPT_CHARS
        )
        self._finds_by_states = reader.request.finds_by_states
        self._ended = self._failed = False
        self._unread: bytes | None = None
        self._done: bytes | None = None
        self._usage_until: float | None = None
        self.broken = False
        """Says whether the upstream broke off before its end."""
        self.frames = 0
        """Number of frames with JSON that came."""
        self.fault: FrameError | None = None
        """Error that kept the stream from being read on."""

    def __repr__(self) -> str:
        return f"StreamGuard(frames={self.frames}, waiting={len(self._queue)}, done={self.done})"

    @property
    def saw_end(self) -> bool:
        """Says whether the upstream sent the end of the stream."""
        return self._done is not None

    @property
    def takes_long(self) -> bool:
        """Says whether judging takes a while.

        It does if an event is long, or if much is held, as a tool call is until its end. Where a detector computes for
        a while or waits for a server, or where the prompts are long, in which the first value is looked up, only an
        event that differs from its template in nothing but its text takes no while, up to a value in it. Where words
        are tagged by states, every event takes a while.
        """
        unread = len(self._events.rest)
        is_read_anew = self._is_costly and (self._finds_by_states or not self._reader.has_template)
        return is_read_anew or self.waits or unread > LONG_EVENT_BYTES or self._queue.held_bytes > _LONG_HELD_BYTES

    @property
    def waits(self) -> bool:
        """Says whether something that came waits for a call that may take long."""
        return self._unread is not None or self._reader.waits

    @property
    def done(self) -> bool:
        """Says whether nothing more is wanted from the upstream."""
        return self._is_done()

    def _is_done(self) -> bool:
        return self._ended or self._failed or self.fault is not None or self._done is not None

    @property
    def deadline(self) -> float | None:
        """Gives the time at which `expire` has to be called, or None."""
        times = [*self._reader.deadlines, *([] if self._usage_until is None else [self._usage_until])]
        return min(times, default=None)

    def feed(self, data: bytes, now: float, may_take_long: bool = True) -> bytes:
        """Takes bytes of the upstream. Gives what the client may see.

        If it may not take long, it stops before what does, and `waits`. Then a call that may has to follow.
        """
        if self.done:
            return b""
        may_take_long = may_take_long or self.waits or not self._is_costly
        first, self._unread = self._unread, None
        out, waits = [], self._reader.waits  # whether a templated event waits to be judged
        try:
            self._reader.settle()
            if (deadline := self.deadline) is not None and now >= deadline:
                out.append(self.expire(now))  # what other choices hold is due although the stream never rests
                if self._is_done():
                    return b"".join(out)
            for raw in chain(() if first is None else (first,), self._events.split(data)):
                if self._reader.take_templated(raw, now):
                    self.frames += 1
                    waits = may_take_long
                    if not waits and (self._flush(out, now, may_judge=False) or self._reader.waits):
                        break
                    continue
                if not may_take_long:
                    self._unread = raw
                    break
                if waits and self._flush(out, now):
                    break
                waits = False
                self._take(self._events.event(raw), now)
                if self._flush(out, now):
                    break
            else:
                if waits:
                    self._flush(out, now)
        except FrameError as error:
            frameless(error)
            self.fault = error
        return b"".join(out)

    def _flush(self, out: list[bytes], now: float, may_judge: bool = True) -> bool:
        """Collects what may leave now. Says whether nothing more is wanted. Raises FrameError."""
        self._reader.flush_templated(now, may_judge)
        out.append(self._release(now))
        self._queue.check()
        return self._is_done()

    def expire(self, now: float) -> bytes:
        """Decides text that has been held for too long."""
        if self.done:
            return b""
        self._reader.expire(now)
        out = self._release(now)
        if self._usage_until is not None and now >= self._usage_until:
            self._ended = True
        return out

    def finish(self, now: float, fault: ApiError | None = None) -> bytes:
        """Ends the stream. Held text is judged as text that was cut short, never released unjudged.

        Args:
            now: the time in seconds.
            fault: why the upstream was not read to its end, or None.
        """
        if self._done is None and self._events.rest.strip() == b"data: [DONE]":
            self._done = DONE_EVENT
        unfinished = not self._reader.over and not self._failed
        self._reader.finish(now)
        out = self._release(now)
        if self._failed:
            error = b""
        elif self.fault is not None:
            error = self._queue.error(errors.unreadable())
        elif self._queue.blocked and self._reader.request.policy.on_block is OnBlock.ERROR:
            error = self._queue.error(errors.blocked())
        elif fault is not None and unfinished and not self._ended:
            error = self._queue.error(fault)
        elif unfinished and self._done is None and not self._ended:
            self.broken = True
            error = self._queue.error(errors.broken_off())
        else:
            error = self._queue.closing()
        return out + error + (self._done or self._queue.end)

    def _take(self, event: Event, now: float) -> None:
        if event.data is None and event.other.startswith("error "):  # how an older llama.cpp sends an error
            event = wrap_error_event(event)
        if event.data is None:
            if self._reader.metadata.allows_event(event):
                self._queue.push(Frame(event.raw))
            return
        if event.data.strip() == DONE:
            self._done = event.raw if not event.other and event.name in ("", "done") else DONE_EVENT
            return
        if not event.data.strip():
            return
        self.frames += 1
        frame = self._reader.frame(event, now)
        self._queue.push(frame)
        self._failed = self._failed or frame.failed

    def _release(self, now: float) -> bytes:
        out = self._queue.pop_ready()
        reader = self._reader
        if self._queue.blocked and reader.request.policy.on_block is OnBlock.ERROR:
            self._ended = True
        elif reader.over and any(choice.ended for choice in reader.choices.values()) and not self.done:
            wait = reader.request.bounds.usage_wait_seconds
            if not reader.parsed.include_usage or self._queue.usage_shown or wait <= 0:
                self._ended = True
            elif self._usage_until is None:
                self._usage_until = now + wait
        return out


def wrap_error_event(event: Event) -> Event:
    """Rewrites an error that came in a field of its own, so that every client reads it. Raises FrameError."""
    error, _ = parse_json(event.other.removeprefix("error "))
    wrapped = error if isinstance(error, dict) and "error" in error else {"error": error}
    return Event(b"", to_json(wrapped).decode())
