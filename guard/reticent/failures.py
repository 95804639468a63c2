"""What is said of a failure of the judging path: why, and never with a text that may hold anything."""

from __future__ import annotations

import logging
import threading
import traceback
from pathlib import Path

from reticent_detectors.errors import ReticentError

_LOGGER = logging.getLogger(__name__)
_MOST = 256
"""Different failures that are warned of in one process."""
_told = set[tuple[str, str]]()
_telling = threading.Lock()


def described(error: BaseException) -> str:
    """The error's class, with its message if it is one of ours, which hold no user text, else with the place that raised it."""
    if isinstance(error, ReticentError):
        return f"{type(error).__name__}: {error}"
    frames = traceback.extract_tb(error.__traceback__)
    return (
        f"{type(error).__name__} at {Path(frames[-1].filename).name}:{frames[-1].lineno}"
        if frames
        else type(error).__name__
    )


def log_failure(stage: str, error: BaseException) -> None:
    """Warns of a failure of `find`, `judge` or `redact` when it first occurs in this process; of the same again, says so in debugging alone.

    All are counted in reports and metrics.
    """
    said = stage, described(error)
    with _telling:
        new = said not in _told and len(_told) < _MOST
        if new:
            _told.add(said)
    level = logging.WARNING if new else logging.DEBUG
    _LOGGER.log(level, "the stage %r failed, and the policy's fail mode decides: %s", *said)
