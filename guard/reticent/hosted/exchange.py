"""Carries one request to the model in this process, and answers in OpenAI's frames."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol

from reticent.hosted.generation_job import ChoiceEvent, GenerationJob
from reticent.huggingface.answer import Answer
from reticent.observability.answer_watch import AnswerWatch
from reticent.observability.observers import Observer, Route, WireStage
from reticent.policy.policy import Policy
from reticent.serve.api.api_format import ChoicesFormat
from reticent.serve.settings import Settings
from reticent.serve.snapshot import Caller
from reticent.serve.transport.client import JSON, STREAM, Client, ClientGone
from reticent.serve.transport.exchange import ProxyMetrics
from reticent.serve.transport.read_request import read_request, until_disconnect
from reticent.serve.wire import errors
from reticent.serve.wire.errors import ApiError
from reticent.serve.wire.parsed_request import ParsedRequest
from reticent.serve.wire.sse import DONE_EVENT, KEEP_ALIVE, to_event, to_json
from reticent_detectors.errors import Blocked, InputError

DETAILS = "reticent.details"
"""Name of the event with the details of a watched answer."""
SPANS = "reticent.spans"
"""Name of the event with the values that the text before it brought to their end, while the answer goes on."""
_LOGGER = logging.getLogger(__name__)


class QueuedModel(Protocol):
    """Answers jobs, one at a time."""

    name: str

    async def prepare(
        self, parsed: ParsedRequest, route: Route, policy: Policy, observers: tuple[Observer, ...] | None
    ) -> GenerationJob:
        """Makes the job of a request. Raises ApiError for a request that it does not take."""
        ...

    async def answer(
        self, job: GenerationJob, on_event: Callable[[ChoiceEvent], None], seconds: float
    ) -> Sequence[Answer]:
        """Answers a job when its turn comes, in so many seconds at most. Calls `on_event` in the event loop's thread.

        Raises:
            ApiError: too many jobs wait.
            Blocked, ReticentError: the guard blocked the answer, or could not judge it.
        """
        ...


class HostedExchange:
    """Carries out one request.

    Args:
        client: who asks.
        model: answers; its guard's observers are called for every answer.
        api_format: the route's.
        caller: whose key it has.
        headers: the client's.
        settings: bounds and times.
        metrics: counts what goes wrong.
        observers: called for its answers instead of the guard's own, for a question that is no client's request.
        watch: follows a streamed answer. Its values come among the text, and its details behind it.
    """

    def __init__(
        self,
        client: Client,
        model: QueuedModel,
        api_format: ChoicesFormat,
        caller: Caller,
        headers: list[tuple[bytes, bytes]],
        settings: Settings,
        metrics: ProxyMetrics,
        observers: tuple[Observer, ...] | None = None,
        watch: AnswerWatch | None = None,
    ) -> None:
        self._watch = watch
        self._client, self._model, self._api_format, self._caller = client, model, api_format, caller
        self._headers, self._settings, self._metrics, self._observers = headers, settings, metrics, observers
        self._chat = api_format.route is Route.CHAT_COMPLETIONS
        self._id = f"{'chatcmpl' if self._chat else 'cmpl'}-{secrets.token_hex(16)}"
        self._created = int(time.time())

    async def run(self) -> None:
        """Carries the request out. Whatever happens, the client gets one answer or one error."""
        try:
            try:
                parsed = await read_request(
                    self._client, self._headers, self._api_format, self._caller.allowed, self._settings
                )
                policy = self._caller.policy_of(parsed.policy)
                job = await self._model.prepare(parsed, self._api_format.route, policy, self._observers)
                job = replace(job, watch=self._watch if job.streams else None, request_id=self._client.request_id)
            except ApiError as api_error:
                self._metrics.failed(WireStage.REQUEST)
                await self._client.send_error(api_error)
                return
            await until_disconnect(self._client, self._work(job))
        except ClientGone:
            self._metrics.disconnected()

    async def _work(self, job: GenerationJob) -> None:
        try:
            await (self._stream(job) if job.parsed.stream else self._send_body(job))
        except Blocked:
            await self._send_error(errors.blocked())
        except ApiError as api_error:
            self._metrics.failed(WireStage.BOUND)
            await self._send_error(api_error)
        except InputError:
            await self._send_error(ApiError(400, "The model does not take this request.", code="invalid_value"))
        except (ClientGone, asyncio.CancelledError):
            raise
        except Exception as error:  # its text may hold anything
            name, request_id = type(error).__name__, self._client.request_id
            _LOGGER.error("the model failed with %s; its answer was withheld; request=%s", name, request_id)
            self._metrics.failed(WireStage.UPSTREAM)
            await self._send_error(errors.withheld())

    async def _send_error(self, api_error: ApiError) -> None:
        if not self._client.started:
            await self._client.send_error(api_error)
        else:
            await self._client.send(api_error.event() + DONE_EVENT, more=False)

    async def _send_body(self, job: GenerationJob) -> None:
        ends: dict[int, ChoiceEvent] = {}

        def collect(event: ChoiceEvent) -> None:
            ends[event.index] = event

        await self._model.answer(job, collect, self._settings.limits.stream_seconds)
        choices = [self._choice(end) for _, end in sorted(ends.items())]
        shown = self._envelope(self._api_format.chunk_object.removesuffix(".chunk"), choices)
        shown["usage"] = _usage(job, ends)
        await self._client.respond(200, [JSON], to_json(shown))

    def _choice(self, end: ChoiceEvent) -> dict[str, Any]:
        text: dict[str, Any] = (
            {"message": {"role": "assistant", "content": end.text}} if self._chat else {"text": end.text}
        )
        return {"index": end.index, **text, "logprobs": None, "finish_reason": end.finish_reason}

    async def _stream(self, job: GenerationJob) -> None:
        events: asyncio.Queue[ChoiceEvent] = asyncio.Queue()
        ends: dict[int, ChoiceEvent] = {}
        answering = asyncio.ensure_future(
            self._model.answer(job, events.put_nowait, self._settings.limits.stream_seconds)
        )
        started, shown = set[int](), 0
        try:
            while len(ends) < len(job.rows):
                event = await self._next(events, answering)
                if event is None:
                    await self._client.send(KEEP_ALIVE, more=True)
                    continue
                if not self._client.started:
                    await self._client.start(200, STREAM)
                if frames := self._frames(event, started):
                    await self._client.send(frames, more=True)
                shown += len(event.text)
                if event.finish_reason is not None:
                    ends[event.index] = event
            await answering
        finally:
            answering.cancel()
            await asyncio.gather(answering, return_exceptions=True)
        usage = b""
        if job.parsed.include_usage:
            usage = to_event({**self._envelope(self._api_format.chunk_object, []), "usage": _usage(job, ends)})
        details = b"" if job.watch is None else to_event(job.watch.details(shown), DETAILS)
        await self._client.send(usage + details + DONE_EVENT, more=False)

    async def _next(self, events: asyncio.Queue[ChoiceEvent], answering: asyncio.Future[Any]) -> ChoiceEvent | None:
        """Gives the next event, or None after a silence. Raises what the model raises."""
        pause = self._settings.limits.keep_alive_seconds
        getting = asyncio.ensure_future(events.get())
        try:
            await asyncio.wait({getting, answering}, timeout=pause, return_when=asyncio.FIRST_COMPLETED)
            if getting.done():
                return getting.result()
            if answering.done():
                answering.result()
                async with asyncio.timeout(1.0):
                    return await events.get()  # put there before it ended
        finally:
            getting.cancel()
        if not self._client.started:
            await self._client.start(200, STREAM)
        return None

    def _frames(self, event: ChoiceEvent, started: set[int]) -> bytes:
        out = b""
        if event.index not in started:
            started.add(event.index)
            first = self._api_format.chunk(event.index, "", None)
            if self._chat:
                first["delta"] = {"role": "assistant", "content": ""}
                out += self._chunk(first)
        if event.text:
            out += self._chunk(self._api_format.chunk(event.index, event.text, None))
        if event.spans:
            out += to_event({"spans": event.spans}, SPANS)
        if event.finish_reason is not None:
            out += self._chunk(self._api_format.chunk(event.index, None, event.finish_reason))
        return out

    def _chunk(self, choice: dict[str, Any]) -> bytes:
        return to_event(self._envelope(self._api_format.chunk_object, [choice]))

    def _envelope(self, kind: str, choices: list[dict[str, Any]]) -> dict[str, Any]:
        return {
            "id": self._id,
            "object": kind,
            "created": self._created,
            "model": self._model.name,
            "choices": choices,
        }


def _usage(job: GenerationJob, ends: dict[int, ChoiceEvent]) -> dict[str, int]:
    """Counts the tokens of the prompts, and of what is shown.

    Withheld tokens are not counted, as that would show their number.
    """
    prompt, completion = sum(map(len, job.prompts)), sum(end.tokens for end in ends.values())
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
