"""Decides which judge goes on when several have much to do: one at a time, of the owner who had least lately.

The interpreter carries out one thread at a time, so costly judges beside one another only slow each other, the quick
ones, and the event loop. A judge is quick as long as its answer's `Budget` lasts. Then it needs the turn, which it
offers to the others between its steps, and it lets quick ones pass. So harmless text waits for no costly text, whoever
sends that.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import Protocol

_CREDIT_SECONDS = 0.02
_SHARE = 0.1
_BLOCKED_SECONDS = 0.25
_QUICK_SECONDS, _LOOK_SECONDS = 0.02, 0.0005
_HALF_LIFE_SECONDS = 10.0
_MOST_DOUBLINGS = 64.0


class Budget:
    """Processor time that judging one answer may take without a turn: 20 ms at once, and a tenth of the time."""

    def __init__(self) -> None:
        self._credit, self._last = _CREDIT_SECONDS, time.monotonic()

    def __repr__(self) -> str:
        return f"Budget({self._credit:.4f} s)"

    def left(self) -> float:
        """Gives what is left now, in seconds."""
        now = time.monotonic()
        self._credit = min(_CREDIT_SECONDS, self._credit + _SHARE * (now - self._last))
        self._last = now
        return self._credit

    def spend(self, seconds: float) -> None:
        """Notes processor time that was taken."""
        self._credit = max(self._credit - seconds, -_CREDIT_SECONDS)


class Call(Protocol):
    """A call of a judge that needs a turn."""

    @property
    def owner(self) -> Hashable: ...
    @property
    def ends_early(self) -> bool: ...
    @property
    def spent_seconds(self) -> float: ...
    @property
    def turn(self) -> threading.Event: ...


class JudgeTurns:
    """Gives the turn to one costly call at a time.

    Args:
        quick: says whether quick calls wait or run.
    """

    def __init__(self, quick: Callable[[], bool]) -> None:
        self._quick = quick
        self._lock = threading.Lock()
        self._holder: Call | None = None
        self._seen = 0.0  # when the holder last was between two steps
        self._waiting = list[Call]()
        # Seconds of each owner, those of now counting double after each half-life.
        self._spent = dict[Hashable, float]()
        self._since = time.monotonic()

    def __repr__(self) -> str:
        return f"JudgeTurns(waiting={len(self._waiting)}, taken={self._holder is not None})"

    def charge(self, owner: Hashable, seconds: float) -> None:
        """Notes the processor time of a call."""
        with self._lock:
            doublings = (time.monotonic() - self._since) / _HALF_LIFE_SECONDS
            if doublings > _MOST_DOUBLINGS:
                faded = {each: spent * 2.0**-doublings for each, spent in self._spent.items()}
                self._spent = {each: spent for each, spent in faded.items() if spent > 1e-6}
                self._since, doublings = time.monotonic(), 0.0
            self._spent[owner] = self._spent.get(owner, 0.0) + seconds * 2.0**doublings

    def spent(self, owner: Hashable) -> float:
        """Gives what an owner had lately, in a unit that all owners share."""
        return self._spent.get(owner, 0.0)

    def needs_wait(self, call: Call) -> bool:
        """Says whether `wait` would wait for another costly call. Gives the turn to whoever is next."""
        with self._lock:
            if self._holder is call:
                self._seen = time.monotonic()
                rival = min(self._waiting, key=self._rank, default=None)
                if rival is None or self._rank(call) <= self._rank(rival):
                    return False
                self._waiting.append(call)
                self._give(rival)
                return True
            self._queue(call)
            return self._holder is not call

    def wait(self, call: Call) -> None:
        """Waits until a call has its turn, or has to end."""
        while not call.ends_early:
            with self._lock:
                if self._holder is call:
                    return
                call.turn.clear()
                if call not in self._waiting:  # the turn was given, and taken over before this thread came to run
                    self._queue(call)
            if call.turn.wait(_BLOCKED_SECONDS):
                continue
            with self._lock:
                late = time.monotonic() - self._seen > _BLOCKED_SECONDS
                # Who has the turn and waits for something else than the processor loses it.
                if late and self._holder is not None and call is min(self._waiting, key=self._rank, default=None):
                    self._give(call)

    def let_pass(self) -> None:
        """Waits a little while quick calls are about."""
        ends = time.monotonic() + _QUICK_SECONDS
        while self._quick() and time.monotonic() < ends:
            time.sleep(_LOOK_SECONDS)

    def leave(self, call: Call) -> None:
        """Notes that a call has ended."""
        with self._lock:
            with suppress(ValueError):
                self._waiting.remove(call)
            if self._holder is call:
                self._holder = None
                if self._waiting:
                    self._give(min(self._waiting, key=self._rank))

    def _queue(self, call: Call) -> None:
        """Has a call wait, and gives the turn if nobody has it. Called under the lock."""
        self._waiting.append(call)
        if self._holder is None:
            self._give(min(self._waiting, key=self._rank))

    def _give(self, call: Call) -> None:
        """Gives the turn to a call that waits. Called under the lock."""
        self._waiting.remove(call)
        self._holder, self._seen = call, time.monotonic()
        call.turn.set()

    def _rank(self, call: Call) -> tuple[float, float]:
        return self.spent(call.owner), call.spent_seconds
