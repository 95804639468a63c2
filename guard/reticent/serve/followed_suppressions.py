"""Follows the suppression store of the settings while a proxy runs, so that no request waits for the file."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from reticent.observability.metrics import Metrics
from reticent.observability.observers import WireStage
from reticent.policy.options import FailMode
from reticent.serve.settings import SuppressionSettings
from reticent.suppressions.watched import LOOK_SECONDS, Suppressions


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
    with suppressions.followed():
        following = asyncio.create_task(_look_again(suppressions))
        try:
            yield
        finally:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)


async def _look_again(suppressions: Suppressions) -> None:
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        await asyncio.to_thread(suppressions.look)
