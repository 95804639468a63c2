"""What the forms found in a growing answer, at each of its positions.

The scan goes on where the answer goes on. What only holds if the answer ends here is read by a copy of it.
"""

from __future__ import annotations

from bisect import bisect_left

from reticent_detectors.finder.forms import Asked, FormScan, Kinds
from reticent_detectors.finder.match_ends import NONE, OPEN
from reticent_detectors.spans import Span

LEFT_CHARS = 1024
"""How much of what stands before the answer is read, in characters."""
_SAME = 1024
_MOST_SPANS = 4096


class FormReading:
    """The values with a form in one answer; offsets are in characters of the answer, negative before it.

    Args:
        kinds: what is looked for.
        asked: what the user asked for.
        left: what stands before the answer.
        turn_chars: how much of it the model's turn is, in characters.
    """

    def __init__(self, kinds: Kinds, asked: Asked, left: str = "", turn_chars: int = 0) -> None:
        self.kinds, self.asked = kinds, asked
        self._left, self._turn_chars = left[-LEFT_CHARS:], turn_chars
        self._begin()

    def __repr__(self) -> str:
        return f"FormReading({self._scan!r}, {len(self._spans)} values)"

    def _begin(self) -> None:
        offset = len(self._left)
        self._scan = FormScan(self.kinds, self.asked, answer=offset - self._turn_chars)
        self._scan.feed(self._left)
        self._fed, self._tail = 0, ""
        self._spans = dict[int, Span]()
        self._starts = list[int]()
        self._floor = -offset
        self._ended: _Ended | None = None

    def follow(self, answer: str, start: int) -> FormReading:
        """Go on with an answer: with what is known if it only grew, else anew. It is asked from `start` on."""
        same = len(answer) >= self._fed and answer.startswith(self._tail, self._fed - len(self._tail))
        if not same or start < self._floor:
            self._begin()
        if len(answer) > self._fed:
            self._scan.feed(answer[self._fed :])
            self._fed, self._ended = len(answer), None
            self._tail = answer[-_SAME:]
            for span in self._scan.spans():
                self._starts.append(span.start - len(self._left))
                self._spans[self._starts[-1]] = span
        if len(self._spans) > _MOST_SPANS:
            self._spans = {at: span for at, span in self._spans.items() if at >= start}
            self._floor, self._starts = start, list(self._spans)
        return self

    def end_at(self, p: int, closed: bool) -> tuple[str, int, str] | int:
        """Return kind, end and recogniser of the value that begins at p; NONE; OPEN while more text decides."""
        if p < self.decided:
            span = self._spans.get(p)
        elif not closed:
            return OPEN
        else:
            span = self._whole().spans.get(p)
        return NONE if span is None else (span.entity, span.end - len(self._left), span.recognizer)

    def next_start(self, p: int, closed: bool) -> int | None:
        """Return where the next value begins at or after p, as far as it is decided; None if there is none."""
        at = bisect_left(self._starts, p)
        if at < len(self._starts):
            return self._starts[at]
        return min((start for start in self._whole().spans if start >= p), default=None) if closed else None

    @property
    def decided(self) -> int:
        """How far the answer is decided, in characters: no value found later begins before."""
        return self._scan.decided - len(self._left)

    def begun(self, p: int) -> str:
        """Return the kind of the value at p that the end of the answer cut short; "" for none."""
        return self._whole().scan.begun(p + len(self._left))

    def _whole(self) -> _Ended:
        """Return the scan of the answer as if it ended here."""
        if self._ended is None:
            scan = self._scan.copy()
            scan.feed("", closed=True)
            self._ended = _Ended(scan, {span.start - len(self._left): span for span in scan.spans()})
        return self._ended


class _Ended:
    """A scan of a text that has ended, and the values at its end."""

    __slots__ = ("scan", "spans")

    def __init__(self, scan: FormScan, spans: dict[int, Span]) -> None:
        self.scan, self.spans = scan, spans
