"""Shares suppressed values among the choices of a request."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from reticent.core.stream_machine import StreamMachine
from reticent.core.stream_types import Suppressed


class SuppressionPeer(Protocol):
    """Has a stream machine. `shared_count` counts the machine's suppressed values that were shared already."""

    machine: StreamMachine
    shared_count: int

    def repeats(self, value: Suppressed) -> bool:
        """Says whether the user of its own prompt typed the value, so that it is judged there as usual.

        If it was redacted without judging, one request could ask for somebody's value and have others repeat guesses.
        Then the right guess alone would be missing.
        """
        ...


def share_suppressed(peers: Iterable[SuppressionPeer], suppressed: list[Suppressed]) -> None:
    """Adds the values that the peers' machines suppress to `suppressed`, and has every machine suppress all of them."""
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
    """Gives the values that the peer's answer must not repeat. If its prompt cannot be read, that is all of them."""

    def repeats(value: Suppressed) -> bool:
        try:
            return peer.repeats(value)
        except Exception:
            return False

    return [value for value in suppressed if not repeats(value)]
