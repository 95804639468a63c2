"""Name a guarded model's class after the model's: pipelines tell by it which tasks a model is for."""

from __future__ import annotations

from typing import TypeVar, cast

T = TypeVar("T")


def named_after(model: object, guarded: type[T]) -> type[T]:
    """Return the subclass of `guarded` that has the name of the class of `model`. Nothing else differs."""
    same = {"__doc__": guarded.__doc__, "__module__": guarded.__module__}
    return cast("type[T]", type(type(model).__name__, (guarded,), same))
