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


def spread(holders: Iterable[Holder], suppressed: list[Suppressed]) -> None:
    """Adds to `suppressed` what the holders' machines were stopped at, and tells all of it to every one of them."""
    holders = tuple(holders)
    for holder in holders:
        for value in holder.machine.suppressed[holder.known :]:
            if value not in suppressed:
                suppressed.append(value)
    for holder in holders:
        for value in suppressed:
            holder.machine.suppress(value)
        holder.known = len(holder.machine.suppressed)
