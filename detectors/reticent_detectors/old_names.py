"""Reads attributes, and takes arguments, under their old names, with a warning."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from inspect import getattr_static, isfunction
from operator import attrgetter
from typing import Any, TypeVar
from warnings import warn

F = TypeVar("F", bound=Callable[..., Any])


class OldName:
    """Gives an attribute or method of a class under its old name.

    Args:
        new: the name that it has now.
    """

    def __init__(self, new: str) -> None:
        self._new = self._old = new
        self._owner: type = object

    def __set_name__(self, owner: type, name: str) -> None:
        self._owner, self._old = owner, name

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        if instance is None:
            return self
        warn(f"{type(instance).__name__}.{self._old} is now {self._new}.", DeprecationWarning, stacklevel=2)
        if getattr_static(type(instance), self._old) is not self:  # `super()` in a class that overrides the old name
            return getattr_static(self._owner, self._new).__get__(instance, type(instance))
        return getattr(instance, self._new)


def old_arguments(**names: str) -> Callable[[F], F]:
    """Makes a function or a class take keyword arguments under their old names.

    Args:
        names: the new name of each old one. The old one wins where both are given, as by `dataclasses.replace`.
    """

    def decorate(target: Any) -> Any:
        if isinstance(target, type):
            target.__init__ = decorate(target.__init__)  # type: ignore[misc]
            return target

        @wraps(target)
        def call(*args: Any, **kwargs: Any) -> Any:
            for old in names.keys() & kwargs.keys():
                warn(f"The argument {old} is now {names[old]}.", DeprecationWarning, stacklevel=2)
                kwargs[names[old]] = kwargs.pop(old)
            return target(*args, **kwargs)

        return call

    return decorate


def offer_old_names(kind: type, names: Mapping[str, str]) -> None:
    """Lets the attributes of a class be read under their old names, too. `names` has the new name of each."""
    for old, new in names.items():
        if not hasattr(kind, old):
            setattr(kind, old, OldName(new))
            vars(kind)[old].__set_name__(kind, old)


def take_old_names(instance: object, names: Mapping[str, str]) -> None:
    """Gives the class of an object the new names of what it defines under old ones, and warns once a class.

    Its own old names override new ones that it inherits. What it overrides keeps its cost, for no call is wrapped.
    """
    kind = type(instance)
    for old, new in names.items():
        owner = next((vars(base) for base in kind.__mro__ if new in vars(base) or _defines(base, old)), None)
        if new in owner if owner is not None else hasattr(instance, new) or not hasattr(instance, old):
            continue
        warn(f"{kind.__name__}.{old} is now {new}.", DeprecationWarning, stacklevel=3)
        found = getattr_static(instance, old)
        setattr(kind, new, found if isfunction(found) else property(attrgetter(old)))


def _defines(kind: type, old: str) -> bool:
    return old in vars(kind) and not isinstance(vars(kind)[old], OldName)
