"""Lets an error that is kept lead back to nothing: its tracebacks have frames, and those the texts of a request."""

from __future__ import annotations


def frameless(error: BaseException) -> BaseException:
    """Takes the tracebacks from an error, and from all errors behind it. Gives the error."""
    waiting, seen = [error], set[int]()
    while waiting:
        each = waiting.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        each.__traceback__ = None
        waiting += [other for other in (each.__cause__, each.__context__) if other is not None]
        if isinstance(each, BaseExceptionGroup):
            waiting += each.exceptions
    return error
