"""Logs failures of the judging path, without any text that may hold personal data."""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reticent_detectors.errors import ReticentError

_LOGGER = logging.getLogger(__name__)
_MOST_KINDS = 256
"""Most kinds of failures that one process warns of. Errors that differ only in numbers are one kind."""
_CONSEQUENCES = {
    "base": "the span is judged as if there was no base",
    "states": "the span is of unknown origin",
    "question": "each token of the value is asked about",
}
"""What happens after a failure of a stage without a fail mode."""
_logged_kinds = set[tuple[str, str]]()
_lock = threading.Lock()


def describe_error(error: BaseException) -> str:
    """Describes an error by its class and, if it is one of ours, its message, else by the place that raised it.

    The messages of our own errors hold no user text.
    """
    if isinstance(error, ReticentError):
        return f"{type(error).__name__}: {error}"
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    if place is None:
        return type(error).__name__
    return f"{type(error).__name__} at {Path(place.tb_frame.f_code.co_filename).name}:{place.tb_lineno}"


def log_failure(stage: str, error: BaseException) -> None:
    """Warns of a failure of `find`, `judge`, `redact` or `base` when its kind first occurs in this process.

    Later failures of the kind are logged for debugging only. Reports and metrics count all of them.
    """
    message = describe_error(error)
    kind = stage, re.sub(r"(?<![:\d])\d+", "#", message)  # the number of a line is kept
    with _lock:
        is_new = kind not in _logged_kinds and len(_logged_kinds) < _MOST_KINDS
        if is_new:
            _logged_kinds.add(kind)
        is_last = is_new and len(_logged_kinds) == _MOST_KINDS
    level = logging.WARNING if is_new else logging.DEBUG
    consequence = _CONSEQUENCES.get(stage, "the policy's fail mode decides")
    _LOGGER.log(level, "the stage '%s' failed, and %s: %s", stage, consequence, message)
    if is_last:
        _LOGGER.warning("no other failure is warned of in this process: there were %d different ones", _MOST_KINDS)


@contextmanager
def log_failures(stage: str) -> Iterator[None]:
    """Logs an error of the block and swallows it.

    It is for work done in advance, which would fail again when it counts.
    """
    try:
        yield
    except Exception as error:
        log_failure(stage, error)
