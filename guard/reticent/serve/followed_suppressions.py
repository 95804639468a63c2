"""Follows the suppression store of the settings while a proxy runs, so that no request waits for the file."""

from __future__ import annotations

import logging
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from reticent.observability.metrics import Metrics
from reticent.observability.observers import WireStage
from reticent.policy.options import FailMode
from reticent.serve.settings import SuppressionSettings
from reticent.suppressions.watched import LOOK_SECONDS, Suppressions

_LOGGER = logging.getLogger(__name__)


def open_suppressions(settings: SuppressionSettings | None, metrics: Metrics) -> Suppressions | None:
    """Open the store of the settings, if there is one. Raises InputError if it or its key cannot be read."""
    if settings is None:
        return None
    failed = partial(metrics.failed, WireStage.SUPPRESSIONS, FailMode.OPEN)
    return Suppressions.open(settings.store, settings.key_file, failed, metrics.suppresses)


@asynccontextmanager
async def follow(suppressions: Suppressions | None) -> AsyncIterator[None]:
    """Take up changes of a store while the body runs, also where nobody asks."""
    if suppressions is None:
        yield
        return
    ended = threading.Event()
    # A thread of its own: those of the event loop may all be waiting for something.
    thread = threading.Thread(target=_look_again, args=(suppressions, ended), name="suppressions", daemon=True)
    with suppressions.followed():
        thread.start()
        try:
            yield
        finally:
            ended.set()


def _look_again(suppressions: Suppressions, ended: threading.Event) -> None:
    while not ended.wait(LOOK_SECONDS):
        try:
            suppressions.look()
        except Exception as error:  # whose text may hold anything
            _LOGGER.error("a look at the suppression store failed (%s); the next one follows", type(error).__name__)
