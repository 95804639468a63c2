"""Carries one guarded request, from the client's body to the last byte of the answer. `StreamGuard` decides."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Hashable
from functools import partial
from typing import Protocol

import httpx

from reticent.observability.observers import Observer, WireStage
from reticent.serve.api.api_format import ApiFormat
from reticent.serve.judging.detector_protocols import ALTERNATIVES
from reticent.serve.judging.guarded_request import GuardedRequest
from reticent.serve.options import Permission
from reticent.serve.settings import Settings
from reticent.serve.stream.reader import Reader
from reticent.serve.stream.stream_guard import StreamGuard
from reticent.serve.stream.upstream_error import read_upstream_error, refuses_logprobs
from reticent.serve.transport.client import JSON, STREAM, Client, ClientGone
from reticent.serve.transport.failure_line import STATUS, warn_of_failure
from reticent.serve.transport.judge_calls import JudgeCalls
from reticent.serve.transport.judge_pool import JudgePool
from reticent.serve.transport.judging import JudgeHangs, NoJudge
from reticent.serve.transport.loop_or_thread import Slices
from reticent.serve.transport.notification import AnswerNotifier, AnswerTimes, OpenAnswers
from reticent.serve.transport.read_ahead import reading
from reticent.serve.transport.read_request import off_loop, read_request, until_disconnect
from reticent.serve.transport.request_id import HEADER
from reticent.serve.transport.upstream import (
    REFUSED,
    Upstream,
    WireFault,
    check_encoding,
    read_body,
    response_headers,
    to_wire_fault,
)
from reticent.serve.transport.upstream_clock import Paused, UpstreamClock
from reticent.serve.wire import errors
from reticent.serve.wire.errors import ApiError
from reticent.serve.wire.frameless import frameless
from reticent.serve.wire.parsed_request import ParsedRequest
from reticent.serve.wire.sse import KEEP_ALIVE, FrameError, to_json

_LOGGER = logging.getLogger(__name__)
_ERROR_BYTES = 1 << 16
_HELD_SECONDS = 0.005
_LEAST_PAUSE_SECONDS = 0.01
_LAST_BYTES_SECONDS = 0.005


class ProxyMetrics(Protocol):
    """Counts what only a proxy knows (`reticent.observability.metrics.Metrics`)."""

    def failed(self, stage: WireStage) -> None: ...
    def disconnected(self) -> None: ...
    def upstream(self, seconds: float, first_token_seconds: float | None = None) -> None: ...


class Exchange:
    """Carries out one request to a guarded route.

    Args:
        client: who asks.
        upstream: who answers.
        api_format: the route's.
        guard_request: makes what the request's texts share, once it is known what is asked.
        allowed: what the client may ask for.
        headers: the client's.
        settings: bounds and times.
        metrics: counts what goes wrong, and how long things take.
        observers: called for every answer.
        judges: the threads that judge, shared by all requests.
        open_answers: keeps it until its observers were called.
        owner: whose request it is; owners have their turn at judging. None: nobody's but its own.
    """

    def __init__(
        self,
        client: Client,
        upstream: Upstream,
        api_format: ApiFormat,
        guard_request: Callable[[ParsedRequest], GuardedRequest],
        allowed: frozenset[Permission],
        headers: list[tuple[bytes, bytes]],
        settings: Settings,
        metrics: ProxyMetrics,
        observers: tuple[Observer, ...],
        judges: JudgePool,
        open_answers: OpenAnswers,
        owner: Hashable = None,
    ) -> None:
        self._client, self._upstream = client, upstream
        self._api_format, self._guard_request = api_format, guard_request
        self._allowed, self._headers, self._settings = allowed, headers, settings
        self._metrics, self._open = metrics, open_answers
        self._times = AnswerTimes()
        self._notifier = AnswerNotifier(observers, api_format.route, self._times)
        self._request: GuardedRequest | None = None
        self._stream_requested = False
        self._reader: Reader | None = None
        self._failed = self._finished = self._adds_logprobs = False
        self._calls = JudgeCalls(judges, settings.limits, self._times, owner)
        self._clock = UpstreamClock()
        self._status: int | None = None
        """Status of the upstream's response, if one came."""
        self._first_seconds: float | None = None
        self._first_came: float | None = None

    async def run(self) -> None:
        """Carries the request out. Whatever happens the client gets one answer or one error, and observers are
        called.
        """
        self._open.add(self)
        try:
            await self._run()
        except ClientGone:
            self._failed = True
            self._metrics.disconnected()
        except BaseException:
            self._failed = True
            raise
        finally:
            if self._reader is None or self._calls.open or self._finished or self._calls.given_up:
                self._notify()
            else:  # goes on if this task is cancelled
                await asyncio.shield(asyncio.ensure_future(self._judge_rest()))

    def abandon(self) -> None:
        """Calls the observers now, with what has been decided so far."""
        self._failed = True
        self._notify()

    async def _judge_rest(self) -> None:
        """Judges what is still held after the client has left, and calls the observers."""
        assert self._reader is not None
        try:
            await self._run_judge(partial(self._finish, self._reader, self._clock.now))
        except WireFault as fault:
            self._fail(fault.stage, fault.api_error)
        except Exception as error:  # its text may hold anything
            _LOGGER.error("the end of an answer failed with %s", type(error).__name__)
            self._fail(WireStage.FRAME, errors.unreadable())
        finally:
            self._notify()

    @staticmethod
    def _finish(reader: Reader, now: float) -> bytes:
        reader.finish(now)
        return b""

    def _notify(self) -> None:
        """Calls the observers for every answer, even an unfinished one."""
        if self._request is not None:
            reader = None if self._calls.open else self._reader
            self._notifier.notify(self._request, self._stream_requested, reader, self._failed)
        self._open.discard(self)

    async def _run(self) -> None:
        try:
            parsed = await read_request(self._client, self._headers, self._api_format, self._allowed, self._settings)
            request = self._guard_request(parsed)
            self._request, self._stream_requested = request, parsed.stream
            self._headers = self._notifier.trace(self._headers)
        except ApiError as api_error:
            self._metrics.failed(WireStage.REQUEST)
            await self._client.send_error(api_error)
            return
        await until_disconnect(self._client, self._work(parsed, self._request))

    async def _work(self, parsed: ParsedRequest, request: GuardedRequest) -> None:
        started = time.monotonic()
        try:
            try:
                await self._answer(parsed, request, started)
            except WireFault as fault:
                self._fail(fault.stage, fault.api_error)
                await self._send_error(fault.api_error)
            except ApiError as api_error:
                await self._send_error(api_error)
            except FrameError:
                await self._fail_unreadable()
            except (ClientGone, asyncio.CancelledError):
                raise
            except Exception as error:  # its text may hold anything
                _LOGGER.error("a request failed with %s; its answer was withheld", type(error).__name__)
                await self._fail_unreadable()
        finally:
            self._metrics.upstream(time.monotonic() - started, self._first_seconds)

    async def _fail_unreadable(self) -> None:
        api_error = errors.unreadable()
        self._fail(WireStage.FRAME, api_error)
        await self._send_error(api_error)

    def _fail(self, stage: WireStage, api_error: ApiError) -> None:
        self._failed = True
        self._count_failure(stage, api_error.code)

    def _count_failure(self, stage: WireStage, kind: str) -> None:
        self._metrics.failed(stage)
        warn_of_failure(stage, kind, self._status, self._api_format.path, self._client.request_id)

    async def _send_error(self, api_error: ApiError) -> None:
        """Sends the error as a response or, in a stream that has begun, as its last frame."""
        if not self._client.started:
            await self._client.send_error(api_error)
        elif not self._client.ended and self._reader is not None:
            queue = self._reader.queue
            await self._client.send(queue.error(api_error) + queue.end, more=False)

    async def _answer(self, parsed: ParsedRequest, request: GuardedRequest, started: float) -> None:
        reader = self._api_format.reader(request, parsed, self._allowed, self._settings.on_stopped_call)
        body, detector = parsed.body, request.detector
        if detector is not None and detector.wants_logprobs:
            body = self._api_format.with_logprobs(parsed, ALTERNATIVES, detector.wants_token_ids)
            self._adds_logprobs = body is not parsed.body and parsed.alternatives is None
        headers_sent = self._headers
        if detector is not None and detector.reads_states:
            headers_sent = [each for each in self._headers if each[0].lower() != HEADER]
        content = await off_loop(parsed.body_bytes, lambda: to_json(body))
        try:
            async with asyncio.timeout(self._settings.limits.stream_seconds) as limit:
                async with self._upstream.send(
                    "POST", self._api_format.path, headers_sent, content, self._client.request_id
                ) as response:
                    self._status = response.status_code
                    headers = await self._headers_shown(response, reader, limit)
                    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
                    if response.status_code >= 400:
                        await self._pass_error(response, reader, headers, limit)
                        return
                    wanted = "text/event-stream" if parsed.stream else "application/json"
                    if response.status_code != 200 or kind != wanted:
                        raise WireFault(WireStage.FRAME, errors.unreadable())
                    self._reader = reader
                    if parsed.stream:
                        limit.reschedule(None)  # from here on the stream's own clock counts
                        await self._stream(response, reader, headers, started)
                    else:
                        await self._send_body(response, reader, headers, limit)
        except TimeoutError:
            raise WireFault(WireStage.UPSTREAM, errors.too_slow()) from None

    async def _headers_shown(
        self, response: httpx.Response, reader: Reader, limit: asyncio.Timeout
    ) -> list[tuple[bytes, bytes]]:
        """Gives the upstream's headers for the client. The time that judging them takes is not the upstream's."""
        shown: list[tuple[bytes, bytes]] = []

        def judge() -> bytes:
            shown.extend(response_headers(response.headers, reader.metadata))
            return b""

        with Paused(limit):
            await self._run_judge(judge)
        return shown

    async def _send_body(
        self, response: httpx.Response, reader: Reader, headers: list[tuple[bytes, bytes]], limit: asyncio.Timeout
    ) -> None:
        raw = await read_body(response, self._settings.limits.answer_bytes)
        limit.reschedule(None)  # the upstream has done its part
        shown = await self._run_judge(lambda: reader.judge_body(raw, self._clock.now))
        self._finished = True
        await self._client.respond(200, [JSON, *headers], shown)

    async def _run_judge(self, judge: Callable[[], bytes]) -> bytes:
        """Gives what may be shown. Raises WireFault if a judge hangs or is missing."""
        try:
            return await self._calls.run(judge, self._keep_alive, self._note_hang)
        except (JudgeHangs, NoJudge):
            raise WireFault(WireStage.JUDGE, errors.withheld()) from None

    def _note_hang(self) -> None:
        self._fail(WireStage.JUDGE, errors.withheld())

    async def _keep_alive(self) -> float:
        """Sends a sign of life if one is due, to a client who still reads a stream that has begun.

        Gives the seconds until the next one is due.
        """
        client, pause = self._client, self._settings.limits.keep_alive_seconds
        if not (self._stream_requested and client.started and not client.ended and not client.left):
            return pause
        if time.monotonic() - client.sent_at >= pause:
            await client.send(KEEP_ALIVE, more=True)
        return max(_LEAST_PAUSE_SECONDS, client.sent_at + pause - time.monotonic())

    async def _pass_error(
        self, response: httpx.Response, reader: Reader, headers: list[tuple[bytes, bytes]], limit: asyncio.Timeout
    ) -> None:
        """Passes an upstream's error on, in the route's format. One that cannot be read, or is ours, gets our words."""
        if response.status_code == REFUSED and not self._upstream.passes_keys:
            self._count_failure(WireStage.UPSTREAM, STATUS)
            _LOGGER.error("the model server refuses the key that it is sent (status %d)", REFUSED)
            raise ApiError(502, "The model server refuses the proxy before it.", code="upstream_refuses")
        try:
            raw = await read_body(response, _ERROR_BYTES)
        except WireFault:
            raw = b""
        limit.reschedule(None)  # the upstream has done its part
        if self._adds_logprobs and refuses_logprobs(response.status_code, raw):
            raise WireFault(WireStage.UPSTREAM, errors.no_logprobs())
        self._count_failure(WireStage.UPSTREAM, STATUS)

        def shown_error() -> bytes:
            return self._api_format.error_format.upstream_error(
                **read_upstream_error(raw, reader.metadata, self._allowed)
            )

        await self._client.respond(response.status_code, [JSON, *headers], await self._run_judge(shown_error))

    async def _stream(
        self, response: httpx.Response, reader: Reader, headers: list[tuple[bytes, bytes]], started: float
    ) -> None:
        check_encoding(response)
        guard = StreamGuard(reader)
        await self._client.start(200, [*STREAM, *headers])
        fault: WireFault | None = None
        try:
            await self._pump(response, guard, started)
        except WireFault as error:
            if self._calls.given_up:
                raise
            frameless(error)
            fault = error
        except httpx.HTTPError as error:
            fault = to_wire_fault(error)
        api_error = None if fault is None else fault.api_error
        out = await self._run_judge(lambda: guard.finish(self._clock.now, api_error))
        self._finished = True
        if fault is not None:
            self._fail(fault.stage, fault.api_error)
        elif guard.fault is not None:
            self._fail(WireStage.FRAME, errors.unreadable())
        elif guard.broken:
            self._fail(WireStage.UPSTREAM, errors.broken_off())
        await self._client.send(out, more=False)

    async def _pump(self, response: httpx.Response, guard: StreamGuard, started: float) -> None:
        """Carries the stream until it ends or nothing more is wanted. Raises WireFault, httpx.HTTPError, ClientGone."""
        ends = started + self._settings.limits.stream_seconds - time.monotonic()
        pause = self._settings.limits.keep_alive_seconds
        received, slices = 0, Slices(guard)
        async with reading(response) as read_ahead:
            while not guard.done:
                deadline = guard.deadline
                due = (ends if deadline is None else min(ends, deadline)) - self._clock.now
                piece = await self._clock.next_piece(
                    read_ahead, min(due, self._client.sent_at + pause - time.monotonic())
                )
                now = time.monotonic()
                if piece is None:
                    return
                if piece:
                    received += len(piece)
                    if received > self._settings.limits.stream_bytes:
                        raise WireFault(WireStage.BOUND, errors.unreadable())
                    if self._first_came is None:
                        self._first_came = now
                        self._first_seconds = now - started
                    await self._feed(guard, slices, piece)
                else:
                    out = await self._run_judge(partial(guard.expire, self._clock.now))
                    if not out and now - self._client.sent_at >= pause:
                        out = KEEP_ALIVE
                    await self._send(out)
                if self._clock.now >= ends:
                    raise WireFault(WireStage.UPSTREAM, errors.too_slow())
            if guard.saw_end:  # a response read to its very end leaves a connection that serves again
                with contextlib.suppress(TimeoutError):
                    await read_ahead.next(_LAST_BYTES_SECONDS)

    async def _feed(self, guard: StreamGuard, slices: Slices, piece: bytes) -> None:
        """Judges a piece, and sends what may leave, between its calls, too."""
        out, waits = b"", time.perf_counter()
        slices.at = 0
        while (slices.at < len(piece) or guard.waits) and not guard.done:
            here = slices.are_cheap
            judge = partial(slices.feed, piece, self._clock.now, here)
            out += self._calls.run_here(judge) if here else await self._run_judge(judge)
            if (after := time.perf_counter()) - waits > _HELD_SECONDS:
                await self._send(out)
                out, waits = b"", after
        self._times.pieces += 1
        await self._send(out)

    async def _send(self, out: bytes) -> None:
        """Sends what may leave."""
        if not out:
            return
        if self._times.first_token is None and self._first_came is not None:
            self._times.first_token = time.monotonic() - self._first_came
        await self._client.send(out, more=True)
