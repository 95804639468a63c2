"""Attempts that do not depend on one another, cut into blocks that are asked side by side and kept whole.

Which attempts are in a block follows from the audit's plan alone. So an audit that continues asks the blocks that an
uninterrupted one would have asked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, Protocol, runtime_checkable

BLOCK = 24
"""Attempts of a block, and threads that wait for their answers."""

KeyedAsk = tuple[str, Callable[[], dict[str, Any]]]
"""The key of an attempt, and what makes it."""


@runtime_checkable
class BlockAttempt(Protocol):
    """An `Attempt` that also takes many at once."""

    def __call__(self, key: str, ask: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """The outcome of one attempt."""
        ...

    def attempts(self, tasks: Sequence[KeyedAsk]) -> list[dict[str, Any]]:
        """The outcomes of attempts that do not depend on one another, in their order."""
        ...


def in_blocks(
    attempt: Callable[[str, Callable[[], dict[str, Any]]], dict[str, Any]], tasks: Sequence[KeyedAsk]
) -> list[dict[str, Any]]:
    """The outcomes of attempts that do not depend on one another, in their order.

    Args:
        attempt: what an audit is given. A plain function is called for one after the other.
        tasks: in the order of the plan. A key may be there more than once.
    """
    if isinstance(attempt, BlockAttempt):
        return attempt.attempts(tasks)
    return [attempt(key, ask) for key, ask in tasks]


def cut(tasks: Sequence[KeyedAsk], done: Collection[str]) -> list[list[KeyedAsk]]:
    """Blocks of at most `BLOCK` attempts, each key once and those of `done` left out."""
    left: dict[str, Callable[[], dict[str, Any]]] = {}
    for key, ask in tasks:
        if key not in done:
            left.setdefault(key, ask)
    rows = list(left.items())
    return [rows[first : first + BLOCK] for first in range(0, len(rows), BLOCK)]
