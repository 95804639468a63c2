"""One guarded request, from the client's body to the last byte of the answer. It only carries; `guarded` decides."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

import httpx

from reticent.modes import Stage
from reticent.observe import Observation, Observer, Outcome, Route, WireStage, notify
from reticent.serve import errors
from reticent.serve.asking import asked_of, while_there
from reticent.serve.config import Settings
from reticent.serve.dialect import Asked, RouteDialect
from reticent.serve.errors import Refusal
from reticent.serve.fields import Permission, Plain, Walk
from reticent.serve.guarded import Reader, StreamGuard
from reticent.serve.intake import Intake
from reticent.serve.judging import ALTERNATIVES
from reticent.serve.request import GuardedRequest
from reticent.serve.sse import KEEP_ALIVE, FrameError, parse_json, to_json
from reticent.serve.told_error import copied, whole
from reticent.serve.turns import Purse, Turns
from reticent.serve.upstream import REFUSED, Upstream, WireFault, body_of, check_encoding, fault_of, returned
from reticent.serve.wire import JSON, STREAM, Client, ClientGone

_LOGGER = logging.getLogger(__name__)
_ERROR_BYTES = 1 << 16
_LONG_CHARS = 1 << 14
_LONG_EVENT_BYTES = 1 << 9
_LEAST_SLICE_BYTES, _MOST_SLICE_BYTES = 1 << 8, 1 << 10
_TURN_SECONDS = 0.0005
_HELD_SECONDS = 0.005
_LAST_BYTES_SECONDS = 0.005


class Figures(Protocol):
    """Who counts what only a proxy knows (`reticent.metrics.Metrics`)."""

    def failed(self, stage: WireStage) -> None: ...
    def unanswered(self, route: Route, stream: bool) -> None: ...
    def disconnected(self) -> None: ...
    def upstream(self, seconds: float, first_token_seconds: float | None = None) -> None: ...


class Exchange:
    """One request to a guarded route.

    Args:
        client: who asks.
        upstream: who answers.
        dialect: the route's.
        guarded: makes what the request's texts share, once it is known what is asked.
        allowed: what the client may ask for.
        headers: the client's.
        settings: bounds and times.
        figures: counts what goes wrong, and how long things take.
        observers: told of every answer.
        turns: shared by all streams.
    """

    def __init__(
        self,
        client: Client,
        upstream: Upstream,
        dialect: RouteDialect,
        guarded: Callable[[Asked], GuardedRequest],
        allowed: frozenset[Permission],
        headers: list[tuple[bytes, bytes]],
        settings: Settings,
        figures: Figures,
        observers: tuple[Observer, ...],
        turns: Turns,
    ) -> None:
        self._client, self._upstream, self._dialect, self._guarded = client, upstream, dialect, guarded
        self._allowed, self._headers, self._settings = allowed, headers, settings
        self._figures, self._observers = figures, observers
        self._purse = Purse(turns)
        self._reader: Reader | None = None
        self._asked_for: Asked | None = None
        self._failed = False
        self._hangs = False
        self._slice = _LEAST_SLICE_BYTES
        self._guard_seconds = 0.0
        self._feeds = 0
        self._added_first: float | None = None
        self._first_seconds: float | None = None
        self._first_came: float | None = None

    async def run(self) -> None:
        """Carries the request out. Whatever happens the client gets one answer or one error, and observers are told."""
        try:
            await self._run()
        except ClientGone:
            self._failed = True
            self._figures.disconnected()
        except BaseException:
            self._failed = True
            raise
        finally:
            self._tell()

    async def _run(self) -> None:
        try:
            asked = await asked_of(self._client, self._headers, self._dialect, self._allowed, self._settings)
        except Refusal as refusal:
            self._figures.failed(WireStage.REQUEST)
            await self._client.refuse(refusal)
            return
        self._asked_for = asked
        await while_there(self._client, self._work(asked))

    async def _work(self, asked: Asked) -> None:
        started = time.monotonic()
        try:
            try:
                await self._answer(asked, started)
            except WireFault as fault:
                self._fail(fault.stage)
                await self._last_word(fault.refusal)
            except Refusal as refusal:
                await self._last_word(refusal)
            except FrameError:
                self._fail(WireStage.FRAME)
                await self._last_word(errors.unreadable())
            except (ClientGone, asyncio.CancelledError):
                raise
            except Exception as error:  # its text may hold anything
                _LOGGER.error("a request failed with %s; its answer was withheld", type(error).__name__)
                self._fail(WireStage.FRAME)
                await self._last_word(errors.unreadable())
        finally:
            self._figures.upstream(time.monotonic() - started, self._first_seconds)

    def _fail(self, stage: WireStage) -> None:
        self._failed = True
        self._figures.failed(stage)

    async def _last_word(self, refusal: Refusal) -> None:
        """The error as a response or, in a stream that has begun, as its last frame."""
        if not self._client.started:
            await self._client.refuse(refusal)
        elif not self._client.ended and self._reader is not None:
            queue = self._reader.queue
            await self._client.send(queue.error(refusal) + queue.end, more=False)

    async def _answer(self, asked: Asked, started: float) -> None:
        request = self._guarded(asked)
        reader = self._dialect.reader(request, asked, self._allowed, self._settings.on_stopped_call)
        body, detector = asked.body, request.detector
        if detector is not None and detector.asks:
            body = self._dialect.telling(asked, ALTERNATIVES, detector.asks_ids)
        content = to_json(body)
        try:
            async with asyncio.timeout(self._settings.limits.stream_seconds) as limit:
                async with self._upstream.send("POST", self._dialect.path, self._headers, content) as response:
                    headers = returned(response.headers, reader.asides)
                    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
                    if response.status_code >= 400:
                        await self._error(response, reader, headers)
                        return
                    wanted = "text/event-stream" if asked.stream else "application/json"
                    if response.status_code != 200 or kind != wanted:
                        raise WireFault(WireStage.FRAME, errors.unreadable())
                    self._reader = reader
                    if asked.stream:
                        limit.reschedule(None)  # from here on the stream's own clock counts
                        await self._stream(response, reader, headers, started)
                    else:
                        await self._whole(response, reader, headers)
        except TimeoutError:
            raise WireFault(WireStage.UPSTREAM, errors.too_slow()) from None

    async def _whole(self, response: httpx.Response, reader: Reader, headers: list[tuple[bytes, bytes]]) -> None:
        raw = await body_of(response, self._settings.limits.answer_bytes)
        shown = await self._judged(True, lambda: reader.whole(raw, time.monotonic()))
        await self._client.respond(200, [JSON, *headers], shown)

    async def _judged(self, long: bool, judge: Callable[[], bytes]) -> bytes:
        """What may be shown. What may take long is judged in a thread, so that other streams go on meanwhile; one that is
        cancelled is waited for, since its state is read afterwards. Raises WireFault for one that hangs: nothing that it holds
        is touched again."""
        before = time.perf_counter()
        try:
            if not long:
                return judge()
            judging = asyncio.ensure_future(asyncio.to_thread(judge))
            try:
                await asyncio.wait({judging}, timeout=self._settings.limits.judge_seconds)
            except asyncio.CancelledError:
                await asyncio.wait({judging}, timeout=self._settings.limits.judge_seconds)
                self._hangs = not judging.done()
                raise
            if not judging.done():
                self._hangs = True
                raise WireFault(WireStage.JUDGE, errors.withheld())
            return judging.result()
        finally:
            self._guard_seconds += time.perf_counter() - before

    async def _error(self, response: httpx.Response, reader: Reader, headers: list[tuple[bytes, bytes]]) -> None:
        """Passes an upstream's error on, in the route's shape; what cannot be read is told in our words."""
        self._figures.failed(WireStage.UPSTREAM)
        if response.status_code == REFUSED and not self._upstream.passes_keys:
            _LOGGER.error("the model server refuses the key that it is sent (status %d)", REFUSED)
            raise Refusal(502, "The model server refuses the proxy before it.", code="upstream_refuses")
        told: dict[str, Any] = {}
        came: Any = None
        try:
            body, _ = parse_json(await body_of(response, _ERROR_BYTES))
            inner = body.get("error", body) if isinstance(body, dict) else None
            if isinstance(inner, dict):
                told = {name: inner.get(name) for name in ("message", "type", "param", "code")}
                came = copied(told)
                Walk(reader.asides, self._allowed, time.monotonic()).object(told, {}, Plain.ASIDE, "error")
            elif isinstance(inner, str) and reader.asides.passes("error", inner):
                told = {"message": inner}
        except (FrameError, WireFault):
            told = {}
        shown = self._dialect.voice.passed_on(**whole(told, came, reader.asides))
        await self._client.respond(response.status_code, [JSON, *headers], shown)

    async def _stream(
        self, response: httpx.Response, reader: Reader, headers: list[tuple[bytes, bytes]], started: float
    ) -> None:
        check_encoding(response)
        guard = StreamGuard(reader)
        await self._client.start(200, [*STREAM, *headers])
        fault: WireFault | None = None
        try:
            await self._pump(response, guard, started, _is_long(reader))
        except WireFault as error:
            fault = error
        except httpx.HTTPError as error:
            fault = fault_of(error)
        if self._hangs and fault is not None:
            raise fault
        refusal = None if fault is None else fault.refusal
        out = await self._judged(_is_long(reader), lambda: guard.finish(time.monotonic(), refusal))
        if fault is not None:
            self._fail(fault.stage)
        elif guard.fault is not None:
            self._fail(WireStage.FRAME)
        elif guard.broken:
            self._fail(WireStage.UPSTREAM)
        await self._client.send(out, more=False)

    async def _pump(self, response: httpx.Response, guard: StreamGuard, started: float, long: bool) -> None:
        """Carries the stream until it ends or nothing more is wanted. Raises WireFault, httpx.HTTPError, ClientGone."""
        ends = started + self._settings.limits.stream_seconds
        pause = self._settings.limits.keep_alive_seconds
        sent, came = time.monotonic(), 0
        async with Intake(response.aiter_raw(), response.aclose) as intake:
            while not guard.done:
                due = min(ends, sent + pause, ends if guard.deadline is None else guard.deadline)
                try:
                    piece = await intake.next(due - time.monotonic())
                except TimeoutError:
                    piece = b""
                now = time.monotonic()
                if piece is None:
                    return
                if piece:
                    came += len(piece)
                    if came > self._settings.limits.stream_bytes:
                        raise WireFault(WireStage.BOUND, errors.unreadable())
                    if self._first_came is None:
                        self._first_came = now
                        self._first_seconds = now - started
                    sent = await self._fed(guard, piece, long) or sent
                else:
                    out = await self._judged(long, partial(guard.expire, now))
                    if not out and now - sent >= pause:
                        out = KEEP_ALIVE
                    sent = await self._sent(out) or sent
                if now >= ends:
                    raise WireFault(WireStage.UPSTREAM, errors.too_slow())
            if guard.told_end:  # a response read to its very end leaves a connection that serves again
                with contextlib.suppress(TimeoutError):
                    await intake.next(_LAST_BYTES_SECONDS)

    async def _fed(self, guard: StreamGuard, piece: bytes, long: bool) -> float | None:
        """Judges a piece in slices and sends what may leave; when it last sent, if it did.

        After half a millisecond other streams have their turn, and a stream that is dear to judge pauses. Slices grow as long as
        they are cheap. An event cannot be sliced: a long one is judged in a thread.
        """
        sent, out, turn = None, b"", time.perf_counter()
        at, waits = 0, turn
        while at < len(piece):
            is_long = long or guard.unread > _LONG_EVENT_BYTES
            part = piece[at:] if is_long else piece[at : at + self._slice]
            at += len(part)
            before = time.perf_counter()
            out += await self._judged(is_long, partial(guard.feed, part, time.monotonic()))
            after = time.perf_counter()
            cheap = after - before < _TURN_SECONDS
            self._slice = min(2 * self._slice, _MOST_SLICE_BYTES) if cheap else _LEAST_SLICE_BYTES
            if guard.done:
                break
            if after - turn > _TURN_SECONDS:
                if after - waits > _HELD_SECONDS:
                    sent, out, waits = await self._sent(out) or sent, b"", after
                await self._purse.spent(after - before)
                await asyncio.sleep(0)
                turn = time.perf_counter()
        self._feeds += 1
        return await self._sent(out) or sent

    async def _sent(self, out: bytes) -> float | None:
        """Sends what may leave; when it was sent."""
        if not out:
            return None
        if self._added_first is None and self._first_came is not None:
            self._added_first = time.monotonic() - self._first_came
        await self._client.send(out, more=True)
        return time.monotonic()

    def _tell(self) -> None:
        """Tells the observers of every choice, also of those that did not come to their end."""
        if self._hangs or (reader := self._reader) is None:
            if self._asked_for is not None:
                self._figures.unanswered(self._dialect.route, self._asked_for.stream)
            return
        stream, request = reader.asked.stream, reader.request
        policy = request.policy
        reader.finish(time.monotonic())
        choices = sorted(reader.choices.items())
        for index, choice in choices:
            report = choice.report(reader.asides.reports if index == choices[0][0] else ())
            notify(
                self._observers,
                Observation(
                    request_id=request.id,
                    choice=index,
                    report=report,
                    outcome=Outcome.FAILED if self._failed and not choice.over else Outcome.of(report),
                    stage_seconds={"find": self._guard_seconds / len(choices)},
                    route=self._dialect.route,
                    stream=stream,
                    added_first_token_seconds=self._added_first if stream else None,
                    added_inter_chunk_seconds=self._guard_seconds / max(1, self._feeds) if stream else None,
                    policy=policy.digest_hex,
                    bundle="" if request.detector is None else request.detector.digest,
                    thresholds={r.entity: t for r in report.spans if (t := policy.threshold(r.entity)) is not None},
                    fail_modes={
                        stage: str(policy.fail_mode_of(stage)) for stage, _ in report.failures if stage in set(Stage)
                    },
                ),
            )


def _is_long(reader: Reader) -> bool:
    """Whether judging takes a while: something reads the texts, or the prompts are long, which the first value is looked up in."""
    return (
        reader.request.reads or sum(len(view.user) + len(view.operator) for view in reader.request.views) > _LONG_CHARS
    )
