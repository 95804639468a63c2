"""Decides how much of a piece is judged at once: slices that are cheap together, and a costly one by itself.

A call into a thread costs more than a cheap slice does, so several are judged in one call. It ends after a costly
slice or a millisecond, so that what may leave leaves.
"""

from __future__ import annotations

import time

from reticent.serve.stream.stream_guard import StreamGuard

_LEAST_BYTES, _MOST_BYTES = 1 << 8, 1 << 10
_COSTLY_SECONDS = 0.0005
_CALL_SECONDS = 0.001


def slice_end(piece: bytes, at: int, size: int) -> int:
    """Gives the end of the slice of a piece that begins at a place: that of the event that it would cut, if near."""
    end = at + size
    blank = piece.find(b"\n\n", max(at, end - 2), at + _MOST_BYTES)
    return end if blank < 0 else blank + 2


class Slices:
    """Judges the pieces of one stream. Slices grow as long as they are cheap.

    An event cannot be sliced, so one that a slice can hold is not.
    """

    def __init__(self, guard: StreamGuard) -> None:
        self._guard, self._bytes = guard, _LEAST_BYTES
        self.at = 0
        """Place in the piece up to which it was judged."""

    def __repr__(self) -> str:
        return f"Slices(at={self.at}, bytes={self._bytes})"

    def feed(self, piece: bytes, now: float) -> bytes:
        """Judges a piece from `at` on, for a while. Gives what may leave."""
        guard, out = self._guard, list[bytes]()
        begun = before = time.thread_time()
        while self.at < len(piece) and not guard.done:
            end = len(piece) if guard.takes_long else slice_end(piece, self.at, self._bytes)
            part = piece[self.at : end]
            self.at += len(part)
            out.append(guard.feed(part, now))
            after = time.thread_time()
            spent, before = after - before, after
            if spent >= _COSTLY_SECONDS:
                self._bytes = _LEAST_BYTES
                break
            self._bytes = min(2 * self._bytes, _MOST_BYTES)
            if after - begun >= _CALL_SECONDS:
                break
        return b"".join(out)
