"""Shares suppressed values among the choices of a request."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from reticent.core.release import Suppressed
from reticent.core.stream_machine import StreamMachine


class SuppressionPeer(Protocol):
    """Has a stream machine. `shared_count`: how many of the machine's suppressed values were shared already."""

    machine: StreamMachine
    shared_count: int

    def repeats(self, value: Suppressed) -> bool:
        """Whether its own prompt's user typed the value. It is judged there as ever: were it redacted unasked, one request could ask
        for somebody's value and have others repeat guesses, and the right guess alone would go missing."""
        ...


def share_suppressed(peers: Iterable[SuppressionPeer], suppressed: list[Suppressed]) -> None:
    """Adds the suppressed values of the peers' machines to `suppressed`, and suppresses all of them in every machine."""
    peers = tuple(peers)
    for peer in peers:
        for value in peer.machine.suppressed[peer.shared_count :]:
            if value not in suppressed:
                suppressed.append(value)
    for peer in peers:
        for value in to_suppress(peer, suppressed):
            peer.machine.suppress(value)
        peer.shared_count = len(peer.machine.suppressed)


def to_suppress(peer: SuppressionPeer, suppressed: Iterable[Suppressed]) -> list[Suppressed]:
    """Those that the peer's answer must not say unasked: all of them, if its prompt cannot be read."""

    def repeats(value: Suppressed) -> bool:
        try:
            return peer.repeats(value)
        except Exception:
            return False

    return [value for value in suppressed if not repeats(value)]
