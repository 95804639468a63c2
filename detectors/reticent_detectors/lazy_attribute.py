"""Attributes that are computed at their first use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class lazy_attribute(Generic[T]):
    """Works like `functools.cached_property`, without the lock that Python 3.11 has for all objects of a class.

    With that lock, whoever computes an attribute of one request has those of all others wait. Without it two threads
    may compute an attribute of a shared object at once; the last result stays.
    """

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute, self._name = compute, compute.__name__
        self.__doc__ = compute.__doc__

    @overload
    def __get__(self, owner: None, kind: type) -> lazy_attribute[T]: ...
    @overload
    def __get__(self, owner: object, kind: type) -> T: ...
    def __get__(self, owner: Any, kind: type) -> Any:
        if owner is None:
            return self
        value = owner.__dict__[self._name] = self._compute(owner)
        return value
