"""Checks whether the proxy can do its work: the upstream answers, and what has to be stopped is stopped.

{"status": "not ready", "parts": {"upstream": "ok", "canary": "the value was not stopped"}}
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Protocol

from reticent.observability.observers import CanaryResult, ReadinessCheck
from reticent.serve.canary import Canary

OK = "ok"
_FRESH_SECONDS = 2.0
_EVERY_SECONDS = 15.0
_CANARY = {
    None: "the first question has not been answered yet",
    CanaryResult.STOPPED: OK,
    CanaryResult.LEAKED: "the value was not stopped",
    CanaryResult.SILENT: "the model did not say the value, so nothing is proven",
    CanaryResult.FAILED: "the question was not answered",
}


class Probed(Protocol):
    """Can be asked whether it answers, as an upstream can."""

    async def problem(self) -> str | None: ...


class Readiness:
    """Says which parts are ready. It asks the upstream at most every two seconds, however often it is asked itself.

    Args:
        upstream: is asked whether it answers. None for a model in this process.
        canary: the scheduled question, if there is one.
        on_state: called with every part that was checked.
    """

    def __init__(
        self, upstream: Probed | None, canary: Canary | None, on_state: Callable[[ReadinessCheck, bool], None]
    ) -> None:
        self._upstream, self._canary, self._on_state = upstream, canary, on_state
        self._lock = asyncio.Lock()
        self._seen: tuple[float, str] = (float("-inf"), "")
        for part, wanted in ((ReadinessCheck.UPSTREAM, upstream), (ReadinessCheck.CANARY, canary)):
            if wanted is not None:
                on_state(part, False)

    def __repr__(self) -> str:
        return f"Readiness(canary={self._canary})"

    async def parts(self) -> dict[ReadinessCheck, str]:
        """Says what is wrong with each part, or `OK`."""
        found: dict[ReadinessCheck, str] = {}
        if self._upstream is not None:
            found[ReadinessCheck.UPSTREAM] = await self._state(self._upstream)
        if self._canary is not None:
            found[ReadinessCheck.CANARY] = _CANARY[self._canary.result]
        for part, state in found.items():
            self._on_state(part, state == OK)
        return found

    async def _state(self, upstream: Probed) -> str:
        async with self._lock:
            if time.monotonic() - self._seen[0] >= _FRESH_SECONDS:
                problem = await upstream.problem()
                self._seen = (time.monotonic(), OK if problem is None else problem)
            return self._seen[1]

    @asynccontextmanager
    async def watched(self) -> AsyncIterator[None]:
        """Asks the canary's question and checks the parts while the body runs."""
        watching = asyncio.create_task(self.watch())
        try:
            yield
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)

    async def watch(self) -> None:
        """Asks the question and checks the parts until it is cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._look())
            if self._canary is not None:
                tasks.create_task(self._canary.watch())

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(_EVERY_SECONDS)
            await self.parts()
