"""Names of tasks, scorers and metrics in inspect-ai's registry."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def as_reticent(function: Callable[P, T]) -> Callable[P, T]:
    """Names a function as one of the package `reticent`.

    inspect puts the top package of a function before its name, and looks for an entry point of that name. Ours is
    called as the distribution, whichever of its packages a function is in.
    """
    function.__module__ = "reticent"
    return function
