"""Lets whoever has a text read have a say between its steps: to have the reading wait, or end.

    token = STEP.set(wait_for_my_turn)      # called between the steps of whatever is read in this context

A reading ends by an exception of the caller, which is no `Exception`, so that no fallback takes it for a failure.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar


def _go_on() -> None:
    pass


STEP: ContextVar[Callable[[], None]] = ContextVar("STEP", default=_go_on)
"""What is called between two steps. It takes no time if nothing is due."""


class GivenUp(BaseException):
    """Says that nobody waits for the result any more. What was not judged yet stays withheld."""


def between_steps() -> None:
    """Calls the caller's STEP. Whoever reads a long text does so before each step."""
    STEP.get()()
