"""Asks vLLM's worker for the hidden states of a value, from the API process."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from reticent.serve.judging.detectors import StateFeatures
from reticent.serve.judging.token_alignment import AnswerName
from reticent.serve.transport.loop_judging import result_of
from reticent_detectors.errors import CaptureError, InputError

SECONDS = 30.0
"""Longest time that the engine may take to answer a question about one value."""
WORKER = "reticent.integrations.vllm_worker.GuardWorker"


class EngineClient(Protocol):
    """Reaches the workers of an engine, as vLLM's client in the API process does."""

    async def collective_rpc(self, method: str, timeout: float | None = None, args: tuple[Any, ...] = ()) -> Any:
        """Calls a method of each worker, between two steps. Gives the results by rank."""
        ...


class EngineStates:
    """Reaches the states that `GuardWorker` keeps. It is attached to an engine before the first request."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._engine: EngineClient | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def __repr__(self) -> str:
        return f"EngineStates(attached={self._engine is not None})"

    async def attach(self, engine: EngineClient | None) -> None:
        """Attaches an engine. Raises InputError: its workers keep no states."""
        try:
            assert engine is not None
            async with asyncio.timeout(self._seconds):
                await engine.collective_rpc("reticent_shape")
        except Exception:  # whatever the engine raises for an unknown method
            raise InputError(f"A bundle reads hidden states: start vLLM with --worker-cls {WORKER}.") from None
        self._engine, self._loop = engine, asyncio.get_running_loop()

    def features(
        self,
        answer: AnswerName,
        places: Sequence[int],
        ids: Sequence[int],
        options: Mapping[str, Any],
        wanted: Collection[str],
    ) -> StateFeatures | None:
        """Gives the features of a value (`StateSource.features`).

        Raises:
            CaptureError: the engine does not answer, or fails.
        """
        arguments = (tuple(answer), list(places), list(ids), dict(options), list(wanted))
        found = self._ask("reticent_features", arguments)
        if found is None:
            return None
        arrays = {
            name: np.frombuffer(raw, np.float32).reshape(shape) for name, (shape, raw) in found["features"].items()
        }
        return StateFeatures([float(each) for each in found["nats"]], arrays)

    def behaviour(self, answer: AnswerName) -> Mapping[str, Any] | None:
        """Gives `StateSource.behaviour`. Raises CaptureError: the engine does not answer, or fails."""
        return self._ask("reticent_behaviour", (tuple(answer),))

    def _ask(self, method: str, arguments: tuple[Any, ...]) -> dict[str, Any] | None:
        """Asks the first rank, from a judge on the event loop or in a thread."""
        if self._engine is None or self._loop is None:
            raise CaptureError("No engine is attached.")
        try:
            found = result_of(self._call(self._engine, method, arguments), self._loop, self._seconds)
        except TimeoutError:
            raise CaptureError(f"The engine did not answer within {self._seconds:g} seconds.") from None
        if found is not None and "fault" in found:
            raise CaptureError(f"The worker failed with {found['fault']}.")
        return found

    @staticmethod
    async def _call(engine: EngineClient, method: str, arguments: tuple[Any, ...]) -> dict[str, Any] | None:
        found: dict[str, Any] | None = (await engine.collective_rpc(method, args=arguments))[0]
        return found
