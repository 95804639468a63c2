"""How the choices of a request tell one another what any of them was stopped at (I5)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from reticent.release import Suppressed
from reticent.stream import StreamMachine


class Holder(Protocol):
    """Whoever has a stream machine. `known`: how many of the machine's suppressed values were told already."""

    machine: StreamMachine
    known: int

    def repeats(self, value: Suppressed) -> bool:
        """Whether its own prompt's user typed the value. It is judged there as ever: were it redacted unasked, one request could ask
        for somebody's value and have others repeat guesses, and the right guess alone would go missing."""
        ...


def spread(holders: Iterable[Holder], suppressed: list[Suppressed]) -> None:
    """Adds to `suppressed` what the holders' machines were stopped at, and tells all of it to every one of them."""
    holders = tuple(holders)
    for holder in holders:
        for value in holder.machine.suppressed[holder.known :]:
            if value not in suppressed:
                suppressed.append(value)
    for holder in holders:
        for value in to_suppress(holder, suppressed):
            holder.machine.suppress(value)
        holder.known = len(holder.machine.suppressed)


def to_suppress(holder: Holder, suppressed: Iterable[Suppressed]) -> list[Suppressed]:
    """Those that the holder's answer must not say unasked: all of them, if its prompt cannot be read."""

    def repeats(value: Suppressed) -> bool:
        try:
            return holder.repeats(value)
        except Exception:
            return False

    return [value for value in suppressed if not repeats(value)]
