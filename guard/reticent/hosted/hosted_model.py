"""Serves the model in this process: loads it with its guard, and answers one request at a time in its own thread."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import torch
from transformers import StoppingCriteria

from reticent.guard import Guard
from reticent.hosted.exchange import HostedExchange
from reticent.hosted.generation_job import ChoiceEvent, GenerationJob
from reticent.hosted.loading import load_model, read_prompts
from reticent.hosted.sampling import read_sampling, request_schemas
from reticent.hosted.stop_strings import StopStrings
from reticent.hosted.turn_queue import TurnQueue
from reticent.huggingface.answer import Answer
from reticent.huggingface.call_options import Trial
from reticent.observability.answer_watch import AnswerWatch
from reticent.observability.observers import Observer, Route
from reticent.policy.policy import OnBlock, Policy
from reticent.policy.thresholds import bundle_summary
from reticent.policy.verdict import Tier
from reticent.records.index import RecordsIndex
from reticent.serve.api.api_format import ChoicesFormat
from reticent.serve.proxy import Proxy
from reticent.serve.settings import ModelSettings
from reticent.serve.snapshot import Caller
from reticent.serve.transport.client import Client
from reticent.serve.transport.exchange import ProxyMetrics
from reticent.serve.wire.errors import ApiError
from reticent.serve.wire.parsed_request import ParsedRequest
from reticent.suppressions.watched import Suppressions
from reticent_detectors.bundle.format import read_public_key
from reticent_detectors.capture.base_model import BaseKind, BaseModel
from reticent_detectors.host.base_sources import NO_BASE, base_about, base_of

OWN_BASE = "own"
"""Names of the base that the model was loaded with, and of none."""


class HostedModel:
    """Serves a guarded model behind a queue.

    Args:
        guard: the detector and its observers.
        model, tokenizer: the host.
        name: what clients call it.
        queue: how many requests may wait.
        new_tokens: the most tokens of an answer.
        base: the model before private tuning, as for `Guard.wrap`.

    Raises:
        BundleMismatch, UnsupportedHost, TokenizerMismatch: the bundle was made for another host, or this one cannot be
            guarded.
    """

    def __init__(
        self,
        guard: Guard,
        model: Any,
        tokenizer: Any,
        name: str,
        queue: int = 64,
        new_tokens: int = 1024,
        base: str | None = None,
    ) -> None:
        self.name, self.guard = name, guard
        self._guarded = guard.wrap(model, tokenizer, base=base)
        self._tokenizer, self._queue, self._new_tokens = tokenizer, queue, new_tokens
        self._context = self._guarded.adapter.context
        own = self._guarded.base
        self._bases: dict[str, BaseModel | None] = {NO_BASE: None}
        if own is not None:
            self._bases[BaseKind.SELF if own.is_host else OWN_BASE] = own
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="reticent-host")
        self._reading = ThreadPoolExecutor(1, thread_name_prefix="reticent-prompts")
        self._turn_queue, self._waiting = TurnQueue(), 0

    @classmethod
    def load(
        cls,
        settings: ModelSettings,
        policy: Policy,
        records: RecordsIndex | None = None,
        observers: Sequence[Observer] = (),
        suppressions: Suppressions | None = None,
    ) -> HostedModel:
        """Loads weights, tokenizer and bundle.

        Raises:
            InputError: a file cannot be read, or the device or the number type is unknown.
            ReticentError: as for `HostedModel` and `Guard.load`.
        """
        key = None if settings.trusted_key is None else read_public_key(settings.trusted_key)
        guard = Guard.load(
            settings.bundle,
            policy,
            records=records,
            suppressions=suppressions,
            observers=observers,
            trusted_key=key,
        )
        model, tokenizer = load_model(
            settings.path, settings.device, settings.dtype, settings.threads, settings.adapter
        )
        name = settings.name or settings.path.resolve().name
        return cls(guard, model, tokenizer, name, settings.queue, settings.new_tokens, settings.base_model)

    def __repr__(self) -> str:
        return f"HostedModel({self.name!r}, waiting={self._waiting})"

    @property
    def tier(self) -> Tier:
        """Gives the strongest tier of its verdicts."""
        return self.guard.tier

    @property
    def digest(self) -> str:
        """Gives the digest of the bundle."""
        return self.guard.bundle.digest

    @property
    def prevalence(self) -> float:
        """Gives the policy's prevalence, else the bundle's."""
        return self.guard.scorer.calibration.prevalence

    @property
    def reads_layers(self) -> bool:
        """Says whether its detector reads layers below the last."""
        return self._guarded.score.reads_layers

    @property
    def bases(self) -> tuple[str, ...]:
        """Names the bases that a watched answer may ask, its own first."""
        own = self._guarded.base
        if own is None:
            return NO_BASE, BaseKind.SELF
        return (BaseKind.SELF, NO_BASE) if own.is_host else (OWN_BASE, NO_BASE, BaseKind.SELF)

    def request_schemas(self, route: Route) -> dict[str, Any]:
        """Gives the JSON schemas of the request fields that it reads."""
        return request_schemas(route)

    @property
    def about(self) -> str:
        """Describes in one line what this guard can and cannot tell, with the bundle's figures."""
        return (
            f"tier {self.tier}: it tells what the model remembers from what it was told, infers or makes up "
            f"({bundle_summary(self.guard.bundle)}); it cannot judge yes and no; {base_about(self._guarded.base)}"
        )

    def exchange(
        self,
        client: Client,
        api_format: ChoicesFormat,
        caller: Caller,
        headers: list[tuple[bytes, bytes]],
        proxy: Proxy,
        metrics: ProxyMetrics | None = None,
        observers: tuple[Observer, ...] | None = None,
        watch: AnswerWatch | None = None,
    ) -> HostedExchange:
        """Makes an exchange with it, counted and logged as usual unless metrics and observers are given."""
        metrics = proxy.metrics if metrics is None else metrics
        return HostedExchange(client, self, api_format, caller, headers, proxy.settings, metrics, observers, watch)

    def check(self, parsed: ParsedRequest, api_format: ChoicesFormat, policy: Policy) -> None:
        """Raises ApiError for a request that it would not take."""
        self.make_job(parsed, api_format.route, policy)

    def close(self) -> None:
        """Begins nothing more, and takes the hooks off the model."""
        self._reading.shutdown(wait=False, cancel_futures=True)
        self._worker.shutdown(wait=True, cancel_futures=True)
        self._guarded.close()

    def make_job(
        self, parsed: ParsedRequest, route: Route, policy: Policy, observers: tuple[Observer, ...] | None = None
    ) -> GenerationJob:
        """Prepares a request. Its answers go to these observers in place of the guard's own, if there are any.

        Raises:
            ApiError: the request names another model, asks for something that this server does not do, or has a prompt
                that is empty or longer than the host's context.
        """
        if parsed.model not in ("", self.name):
            raise ApiError(404, "There is no such model here; GET /v1/models names it.", code="model_not_found")
        wanted = read_sampling(parsed.body)
        prompts = tuple(tuple(ids) for ids in read_prompts(parsed, self._tokenizer))
        longest = max(map(len, prompts))
        if longest >= self._context:
            raise ApiError(
                400,
                f"The prompt has {longest} tokens, and this model reads {self._context} with its answer.",
                code="context_length_exceeded",
                param="messages" if route is Route.CHAT_COMPLETIONS else "prompt",
            )
        most = min(self._new_tokens if wanted.most is None else wanted.most, self._new_tokens, self._context - longest)
        return GenerationJob(parsed, route, policy, prompts, wanted, most, observers)

    async def prepare(
        self, parsed: ParsedRequest, route: Route, policy: Policy, observers: tuple[Observer, ...] | None
    ) -> GenerationJob:
        """Prepares a request in a thread, as a long prompt takes a while. One thread reads all prompts in order."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._reading, lambda: self.make_job(parsed, route, policy, observers))

    async def answer(self, job: GenerationJob, on_event: Callable[[ChoiceEvent], None], seconds: float) -> list[Answer]:
        """Answers a request when its turn comes.

        The operator's own question is next. There is one at a time, asked again when it has been answered. So a
        waiting request has its turn before the next such question.

        Args:
            job: the request.
            on_event: called with everything that may be shown, in the event loop's thread.
            seconds: the most that the host may take for it, without waiting.

        Raises:
            ApiError: too many requests wait.
            Blocked, ReticentError: as `GuardedModel.generate` raises them.

        If the caller is cancelled, the host stops at its next token.
        """
        own = job.observers is not None
        if not own and self._waiting > self._queue:
            raise ApiError(
                429, "Too many requests wait for the model; try again.", code="overloaded", headers={"retry-after": "1"}
            )
        self._waiting += not own
        loop, stop = asyncio.get_running_loop(), threading.Event()

        def emit(event: ChoiceEvent) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(on_event, event)

        try:
            async with self._turn_queue.turn(next_one=own):
                context = contextvars.copy_context()  # has the client's span
                return await loop.run_in_executor(self._worker, context.run, self._run, job, emit, stop, seconds)
        finally:
            stop.set()
            self._waiting -= not own

    def _run(
        self, job: GenerationJob, emit: Callable[[ChoiceEvent], None], stop: threading.Event, seconds: float
    ) -> list[Answer]:
        if stop.is_set():
            return []
        sink = _ReleasedText(emit, job.sampling.stop, stop, job.watch) if job.streams else None
        options: dict[str, Any] = {
            **job.sampling.options,
            "max_new_tokens": job.new_tokens,
            "max_time": seconds,
            "stopping_criteria": [_StopRequested(stop)],
            # Compiling would take most of a request's time. Torch before 2.13 replays CUDA graphs on the main thread
            # alone.
            "disable_compile": True,
        }
        if job.parsed.stream:
            for index in range(len(job.rows)):
                emit(ChoiceEvent(index))
        trial, observers = None, job.observers
        if (watch := job.watch) is not None:
            trial = Trial(watch, self._base(watch.base))
            observers = (*(self.guard.observers if observers is None else observers), watch)
        with _seeded(job.sampling.seed):
            answers = self._guarded.answers(
                job.rows,
                job.views,
                streamer=sink,
                policy=job.policy,
                route=job.route,
                observers=observers,
                trial=trial,
                request_id=job.request_id,
                **options,
            )
        for index, answer in enumerate(answers):
            self._emit_end(index, answer, job, sink, emit)
        return answers

    def _base(self, name: str) -> BaseModel | None:
        """Gives one of `bases`. The model as its own base is made when it is first asked for."""
        if name not in self._bases:
            self._bases[name] = base_of(name, self._guarded.model, self._guarded.adapter, self._tokenizer)
        return self._bases[name]

    def _emit_end(
        self,
        index: int,
        answer: Answer,
        job: GenerationJob,
        sink: _ReleasedText | None,
        emit: Callable[[ChoiceEvent], None],
    ) -> None:
        if sink is not None and not answer.report.blocked:
            met, text = sink.stops.met, sink.stops.finish()
        elif sink is not None:  # what was released has been sent; its replacement has not
            met, text = False, answer.text if job.policy.on_block is OnBlock.REPLACE else ""
        else:
            stops = StopStrings(job.sampling.stop)
            text = stops.feed(answer.text) + stops.finish()
            met = stops.met
        emit(ChoiceEvent(index, text, "stop" if met else answer.finish_reason, len(answer.ids)))


class _ReleasedText:
    """Takes released text. A stop text ends the answer."""

    def __init__(
        self,
        emit: Callable[[ChoiceEvent], None],
        stops: Sequence[str],
        stop: threading.Event,
        watch: AnswerWatch | None,
    ) -> None:
        self._emit, self.stops, self._stop, self._watch = emit, StopStrings(stops), stop, watch
        self._shown = 0

    def on_finalized_text(self, text: str, stream_end: bool = False) -> None:
        if shown := self.stops.feed(text):
            self._shown += len(shown)
            spans = () if self._watch is None else self._watch.new_spans(self._shown)
            self._emit(ChoiceEvent(0, shown, spans=spans))
        if self.stops.met:
            self._stop.set()


class _StopRequested(StoppingCriteria):
    """Ends the answer when no more of it is wanted."""

    def __init__(self, stop: threading.Event) -> None:
        self._stop = stop

    def __call__(self, input_ids: torch.Tensor, scores: Any, **kwargs: Any) -> torch.Tensor:
        return torch.full((len(input_ids),), self._stop.is_set(), device=input_ids.device)


@contextlib.contextmanager
def _seeded(seed: int | None) -> Iterator[None]:
    """Draws from a seed of the request's own, if it has one."""
    if seed is None:
        yield
        return
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        yield
