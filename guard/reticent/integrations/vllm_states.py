"""Asks vLLM's worker for the hidden states of a value, from the API process."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from reticent.core.failure_log import describe_error
from reticent.serve.judging.detector_protocols import StateFeatures
from reticent.serve.judging.token_alignment import AnswerName, Token
from reticent.serve.transport.loop_result import result_of
from reticent_detectors.errors import CaptureError, InputError

SECONDS = 30.0
"""Longest time that the engine may take to answer a question about one value."""
WORKER = "reticent.integrations.vllm_worker.GuardWorker"
"""The worker that keeps states of answers and of the guard's questions."""
QUESTION_WORKER = "reticent.integrations.vllm_worker.QuestionWorker"
"""The worker that keeps states of the guard's questions alone."""


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
        self._mark: str | None = None

    def __repr__(self) -> str:
        return f"EngineStates(attached={self._engine is not None})"

    async def attach(self, engine: EngineClient | None, of_answers: bool = True) -> None:
        """Attaches an engine.

        Args:
            engine: reaches its workers.
            of_answers: whether states of answers are read, and not those of questions alone.

        Raises:
            InputError: its workers do not keep these states.
        """
        try:
            assert engine is not None
            async with asyncio.timeout(self._seconds):
                about = (await engine.collective_rpc("reticent_about"))[0]
        except Exception:  # whatever the engine raises for an unknown method
            about = None
        if of_answers and not (about and about["keeps_answers"]):
            raise InputError(f"A bundle reads hidden states: start vLLM with --worker-cls {WORKER}.")
        if about is None:
            raise InputError("vLLM's worker does not answer a question about its states: leave --worker-cls out.")
        self._engine, self._loop, self._mark = engine, asyncio.get_running_loop(), str(about["mark"])

    @property
    def mark(self) -> str | None:
        """Gives `StateSource.mark`."""
        return self._mark

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
        found = _checked(self._ask("reticent_features", arguments))
        if found is None:
            return None
        arrays = {
            name: np.frombuffer(raw, np.float32).reshape(shape) for name, (shape, raw) in found["features"].items()
        }
        return StateFeatures([float(each) for each in found["nats"]], arrays)

    def log_probabilities(
        self, answers: Sequence[AnswerName], ids: Sequence[int], seconds: float
    ) -> list[list[Token] | None]:
        """Gives `StateSource.log_probabilities`. Raises CaptureError: the engine does not answer, or fails."""
        arguments = ([tuple(answer) for answer in answers], list(ids))
        found = self._ask("reticent_log_probabilities", arguments, seconds)
        return [None if _checked(each) is None else _tokens(each) for each in found]

    def behaviour(self, answer: AnswerName) -> Mapping[str, Any] | None:
        """Gives `StateSource.behaviour`. Raises CaptureError: the engine does not answer, or fails."""
        return _checked(self._ask("reticent_behaviour", (tuple(answer),)))

    def _ask(self, method: str, arguments: tuple[Any, ...], seconds: float | None = None) -> Any:
        """Asks the first rank, from a judge on the event loop or in a thread, within so many seconds or its own."""
        seconds = self._seconds if seconds is None else seconds
        if self._engine is None or self._loop is None:
            raise CaptureError("No engine is attached.")
        try:
            return result_of(self._call(self._engine, method, arguments), self._loop, seconds)
        except TimeoutError:
            raise CaptureError(f"The engine did not answer within {seconds:g} seconds.") from None
        except Exception as error:  # whatever the engine raises
            raise CaptureError(f"The engine could not be asked: {describe_error(error)}") from error

    @staticmethod
    async def _call(engine: EngineClient, method: str, arguments: tuple[Any, ...]) -> Any:
        return (await engine.collective_rpc(method, args=arguments))[0]


def _checked(found: dict[str, Any] | None) -> dict[str, Any] | None:
    """Gives what a worker found. Raises CaptureError: it failed."""
    if found is not None and "fault" in found:
        raise CaptureError(f"The worker failed with {found['fault']}.")
    return found


def _tokens(found: Mapping[str, Sequence[float]]) -> list[Token]:
    """Gives a value's tokens as a worker tells of them."""
    pairs = zip(found["nats"], found["rivals"], strict=True)
    return [Token(None, float(own), float(rival), at) for at, (own, rival) in enumerate(pairs)]
