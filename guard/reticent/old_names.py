"""Reads attributes under their old names, with a warning."""

from __future__ import annotations

from typing import Any
from warnings import warn


class OldName:
    """Gives an attribute or method of a class under its old name.

    Args:
        new: the name that it has now.
    """

    def __init__(self, new: str) -> None:
        self._new = self._old = new

    def __set_name__(self, owner: type, name: str) -> None:
        self._old = name

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        if instance is None:
            return self
        warn(f"{type(instance).__name__}.{self._old} is now {self._new}.", DeprecationWarning, stacklevel=2)
        return getattr(instance, self._new)
