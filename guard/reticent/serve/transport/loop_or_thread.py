"""Decides how much of a piece is judged at once, and where: on the event loop as long as a stream's slices are cheap.

A call into a thread costs more than a cheap slice does, and several threads wait for one another. So several slices
are judged in one call, which ends after a costly slice or a millisecond. A stream needs no thread as long as its calls
take a millisecond in the mean: each brings one, and what a stream saves or owes is bounded.
"""

from __future__ import annotations

import time

from reticent.serve.stream.stream_guard import StreamGuard

_LEAST_BYTES, _MOST_BYTES = 1 << 8, 1 << 10
_COSTLY_SECONDS = 0.0005
_CALL_SECONDS = 0.001
_MOST_SAVED_SECONDS, _MOST_OWED_SECONDS = 0.005, 0.25


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
        self._saved_seconds = _MOST_SAVED_SECONDS
        self.at = 0
        """Place in the piece up to which it was judged."""

    def __repr__(self) -> str:
        return f"Slices(at={self.at}, bytes={self._bytes})"

    @property
    def are_cheap(self) -> bool:
        """Says whether the next call may be made on the event loop, with `here`."""
        return self._saved_seconds > 0 and not self._guard.takes_long

    def feed(self, piece: bytes, now: float, here: bool = False) -> bytes:
        """Judges a piece from `at` on, for a while. Gives what may leave.

        `here`: on the event loop, where the judge waits for nothing.
        """
        guard, out = self._guard, list[bytes]()
        begun = before = time.thread_time()
        takes_long = guard.takes_long
        while (self.at < len(piece) or guard.waits) and not guard.done and guard.takes_long == takes_long:
            end = len(piece) if takes_long else slice_end(piece, self.at, self._bytes)
            part = piece[self.at : end]
            self.at += len(part)
            out.append(guard.feed(part, now, may_take_long=not here))
            after = time.thread_time()
            spent, before = after - before, after
            if spent >= _COSTLY_SECONDS:
                self._bytes = _LEAST_BYTES
                break
            self._bytes = min(2 * self._bytes, _MOST_BYTES)
            if after - begun >= _CALL_SECONDS:
                break
        saved = self._saved_seconds + _CALL_SECONDS - (before - begun)
        self._saved_seconds = max(-_MOST_OWED_SECONDS, min(saved, _MOST_SAVED_SECONDS))
        return b"".join(out)
