"""Whether anybody still waits for the answer that is being judged. Whoever does not, ends its judging with it."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar


def _never() -> bool:
    return False


STOPPED: ContextVar[Callable[[], bool]] = ContextVar("STOPPED", default=_never)
"""Says whether the caller has given this judging up. Whoever reads a long text asks between its steps."""


class GivenUp(Exception):
    """Says that nobody waits for the result any more. What was not judged yet stays withheld."""


def go_on() -> None:
    """Raises GivenUp if the caller has given this judging up."""
    if STOPPED.get()():
        raise GivenUp
