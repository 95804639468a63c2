"""Holds what the whole process shares: what is served now, metrics, threads, and the way to the upstream."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import httpx
from prometheus_client import CollectorRegistry

from reticent.observability.answer_watch import AnswerWatch
from reticent.observability.metrics import Metrics
from reticent.observability.observers import Observer, Route, WireStage
from reticent.policy.options import FailMode
from reticent.policy.policy import DEFAULT, Policy
from reticent.policy.verdict import Origin, Tier
from reticent.records.index import RecordsIndex
from reticent.serve.api.api_format import ApiFormat, ChoicesFormat
from reticent.serve.followed_suppressions import open_suppressions
from reticent.serve.judging.detector_protocols import Detector, digest_of_all
from reticent.serve.judging.engine_states import StateSource
from reticent.serve.judging.served_base import ServedBase, TokenTexts, load_base
from reticent.serve.queued_observer import open_decision_log
from reticent.serve.settings import Settings
from reticent.serve.snapshot import Caller, Snapshot, SnapshotInputs, load_detector
from reticent.serve.span_export import SpanExport
from reticent.serve.transport.body_reading import BodyReading
from reticent.serve.transport.client import Client, ClientGone
from reticent.serve.transport.exchange import Exchange, ProxyMetrics
from reticent.serve.transport.judge_pool import JudgePool
from reticent.serve.transport.notification import OpenAnswers
from reticent.serve.transport.open_requests import OpenRequests
from reticent.serve.transport.upstream import Upstream
from reticent.serve.wire.errors import ApiError
from reticent.serve.wire.parsed_request import ParsedRequest
from reticent.suppressions.watched import Suppressions
from reticent_detectors.errors import CaptureError, InputError

_END_SECONDS = 5.0
"""Longest wait at the server's end for the judging of its open answers, in seconds."""
_LOG_SECONDS = 10.0
LoadModel = Callable[[Policy, RecordsIndex | None, tuple[Observer, ...], Suppressions | None], "LocalModel"]


class Runnable(Protocol):
    """Can be run, as a request can."""

    async def run(self) -> None:
        """Carries the request out. The client gets one answer or one error."""
        ...


class LocalModel(Protocol):
    """Answers by a model in this process, in place of an upstream."""

    name: str

    @property
    def tier(self) -> Tier:
        """Gives the strongest tier of its verdicts."""
        ...

    @property
    def about(self) -> str:
        """Describes in one line what its guard can and cannot tell."""
        ...

    @property
    def digest(self) -> str:
        """Gives the digest of its bundle."""
        ...

    @property
    def prevalence(self) -> float:
        """Gives the share of memorised spans that its probabilities assume, 0 to 1."""
        ...

    @property
    def reads_layers(self) -> bool:
        """Says whether its detector reads layers below the last."""
        ...

    @property
    def bases(self) -> tuple[str, ...]:
        """Names the bases that a watched answer may ask, its own first."""
        ...

    def request_schemas(self, route: Route) -> Mapping[str, Any]:
        """Gives the JSON schemas of the request fields that it reads."""
        ...

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
    ) -> Runnable:
        """Makes an exchange with it, counted and logged as usual unless metrics and observers are given.

        `watch` follows a streamed answer, and its details are one more event behind it.
        """
        ...

    def check(self, parsed: ParsedRequest, api_format: ChoicesFormat, policy: Policy) -> None:
        """Raises ApiError for a request that it would not take."""
        ...

    def close(self) -> None:
        """Ends the model."""
        ...


class Proxy:
    """Holds everything that requests share, and nothing of any request.

    Args:
        settings: all settings.
        registry: registers the metrics. None makes one.
        local_model: loads the model in this process, for settings with one.
        shadow: loads the copy of the upstream's weights, for settings with one.
        base_texts: loads the tokenizer of a base that the upstream serves, for settings with one.
        transport: reaches the upstream, if not through sockets.
        states: hidden states that the upstream's engine keeps, for detectors that read them.
        inputs: what was read from the files that the settings name. None reads them.

    Raises:
        PolicyError, InputError: a policy, the records index, the suppression store, or a key cannot be read.
    """

    def __init__(
        self,
        settings: Settings,
        registry: CollectorRegistry | None = None,
        local_model: LoadModel | None = None,
        shadow: Callable[[], Detector] | None = None,
        base_texts: Callable[[Path], TokenTexts] | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        states: StateSource | None = None,
        inputs: SnapshotInputs | None = None,
    ) -> None:
        if (settings.shadow is None) != (shadow is None) or (settings.model is None) != (local_model is None):
            raise InputError("A model or a shadow in the settings needs what loads it; start it with 'reticent serve'.")
        self._shadow = None if shadow is None else shadow()
        self._states = states
        self._served_base = self._base(settings, base_texts)
        self.local_model: LocalModel | None = None
        self.suppressions: Suppressions | None = None
        self.snapshot = self.prepare(SnapshotInputs.read(settings) if inputs is None else inputs)
        """What is served now. A request keeps the one that it began with (`Caller.snapshot`)."""
        first = self.snapshot.callers[0].policy
        self.metrics = Metrics(CollectorRegistry() if registry is None else registry, first.thresholds.values())
        self.suppressions = self.snapshot.suppressions = open_suppressions(settings.suppressions, self.metrics)
        log, failed = settings.decision_log, partial(self.metrics.failed, WireStage.LOG, FailMode.OPEN)
        self._decision_log = None if log is None else open_decision_log(log, failed)
        logs = filter(None, [self._decision_log])
        self.observers: tuple[Observer, ...] = (self.metrics, *logs)
        if local_model is not None:
            self.local_model = local_model(first, self.records, self.observers, self.suppressions)
        self.upstream = None if settings.upstream is None else Upstream(settings.upstream, settings, transport)
        limits = settings.limits
        self._reading = BodyReading(limits.reading, limits.reading_bytes)
        self._places = OpenRequests(limits.inflight, settings.inflight_per_key, limits.inflight_bytes)
        self.judges = JudgePool(limits.judge_threads)
        self._open_answers = OpenAnswers()
        self.use(self.snapshot, time.time())
        # Last, as the provider that it sets stays when something fails.
        self._span_export = SpanExport() if settings.tracing else None

    def __repr__(self) -> str:
        return f"Proxy(tier={self.tier}, {self.snapshot!r}, open={self._places!r})"

    @property
    def settings(self) -> Settings:
        """Gives the settings that are served now."""
        return self.snapshot.settings

    @property
    def records(self) -> RecordsIndex | None:
        """Gives the index of training values that is served now."""
        return self.snapshot.records

    @property
    def detector(self) -> Detector | None:
        """Gives what judges the upstream's answers now, if anything does."""
        return self.snapshot.detector

    def _base(self, settings: Settings, base_texts: Callable[[Path], TokenTexts] | None) -> ServedBase | None:
        if settings.detector is None or (base := settings.detector.base) is None:
            return None
        return load_base(base, self._ask_upstream, base_texts, self._states)

    def _served_bundle(self, snapshot: Snapshot) -> tuple[str, float]:
        """Gives the digest of the bundle, one of all bundles, or none, and the prevalence that it assumes."""
        if self.local_model is not None:
            return self.local_model.digest, self.local_model.prevalence
        if snapshot.detector is not None:
            return digest_of_all(snapshot.detector), snapshot.detector.prevalence
        return "", 0.0

    def _ask_upstream(self, path: str, contents: Sequence[bytes], seconds: float) -> Sequence[bytes]:
        """Asks the upstream on behalf of a judge. Raises CaptureError."""
        if self.upstream is None:
            raise CaptureError("There is no upstream to ask.")
        return self.upstream.ask(path, contents, seconds)

    @property
    def tier(self) -> Tier:
        """Gives the strongest tier of its verdicts."""
        if self.local_model is not None:
            return self.local_model.tier
        if self.snapshot.detector is not None:
            return self.snapshot.detector.tier
        return Tier.TEXT if self.records is None else Tier.RECORDS

    @property
    def reads_states(self) -> bool:
        """Says whether a detector reads hidden states of the upstream's engine."""
        detector = self.snapshot.detector
        return detector is not None and any(each.reads_states for each in (detector, *detector.others))

    @property
    def about(self) -> str:
        """Describes in one line what this guard can and cannot tell, by which records and policies."""
        recorded = "" if self.records is None else f"; it stops the {len(self.records)} values of the records index"
        suppressed = "" if self.suppressions is None else f"; {len(self.suppressions.current())} suppressions"
        if self.local_model is not None:
            told = self.local_model.about + recorded
        elif (detector := self.snapshot.detector) is not None:
            told = f"tier {detector.tier}: {detector.about}{recorded}"
        else:
            told = self._about_texts
        names = sorted({key.policy for key in self.settings.keys} or {self.settings.policy})
        return f"{told}{suppressed}; {'policies' if len(names) > 1 else 'policy'} {', '.join(map(repr, names))}"

    @property
    def _about_texts(self) -> str:
        """Describes what can be told without a detector."""
        policies = [caller.policy for caller in self.snapshot.callers]
        actions = sorted({str(policy.rule(DEFAULT, Origin.UNKNOWN, Tier.TEXT).action) for policy in policies})
        unknown = f"what stands in neither prompt nor records is of unknown origin (action: {', '.join(actions)})"
        if self.records is None:
            return f"tier text: it cannot tell what the model remembers from what it makes up; {unknown}"
        values = len(self.records)
        return f"tier records: it stops the {values} values of the records index, exactly or re-spelled; {unknown}"

    def caller(self, headers: list[tuple[bytes, bytes]]) -> Caller:
        """Gives the caller by the request's headers. Raises ApiError for a missing or unknown key."""
        return self.snapshot.caller(headers)

    def prepare(self, inputs: SnapshotInputs) -> Snapshot:
        """Makes the snapshot of settings that differ in nothing but what can be reloaded.

        Raises:
            PolicyError, InputError: a policy does not fit its bundle, or a bundle needs what is not there.
        """
        detector = load_detector(inputs, self._served_base, self._states, self._ask_upstream)
        return Snapshot(inputs, self._shadow if detector is None else detector, self.suppressions)

    def use(self, snapshot: Snapshot, since: float) -> None:
        """Serves by this snapshot from now on. Requests that have begun keep theirs.

        Args:
            snapshot: as `prepare` made it.
            since: Unix time in seconds.
        """
        self.metrics.serves(snapshot.callers[0].policy.digest_hex, *self._served_bundle(snapshot))
        self._places.per_key = snapshot.settings.inflight_per_key
        self.snapshot, self.since = snapshot, since

    async def aclose(self) -> None:
        """Ends the open answers, closes the upstream or the model in this process, and writes the waiting decisions.

        It does not wait for a judge that hangs.
        """
        await self._open_answers.close(_END_SECONDS)
        self.judges.close()
        if self.upstream is not None:
            await self.upstream.aclose()
        for each in (self.local_model, self._shadow, self._span_export):
            if each is not None:
                await asyncio.to_thread(each.close)
        if self._decision_log is not None:
            await asyncio.to_thread(self._decision_log.close, _LOG_SECONDS)

    @asynccontextmanager
    async def slot(self, caller: Caller, size_bytes: int) -> AsyncIterator[None]:
        """Takes one of the places for open requests, and keeps it until the decision log has room.

        Raises ApiError if this caller finds no place for a request whose body is so long.
        """
        with ExitStack() as place:
            with self._counted():
                place.enter_context(self._places.place(caller.owner, size_bytes))
            with self.metrics.streaming():
                yield
                if self._decision_log is not None:
                    await self._decision_log.wait_for_room()

    async def take_body(self, client: Client) -> int:
        """Has the client's whole body come, before it takes a place. Gives its length. Raises ApiError, ClientGone."""
        with self._counted():
            return await client.hold_body(self.settings.limits.body_bytes, self._reading)

    @contextmanager
    def _counted(self) -> Iterator[None]:
        """Counts requests that are refused, and clients that leave, before an exchange would."""
        try:
            yield
        except ApiError:
            self.metrics.failed(WireStage.REQUEST)
            raise
        except ClientGone:
            self.metrics.disconnected()
            raise

    def exchange(
        self,
        client: Client,
        upstream: Upstream,
        api_format: ApiFormat,
        caller: Caller,
        headers: list[tuple[bytes, bytes]],
        metrics: ProxyMetrics | None = None,
        observers: tuple[Observer, ...] | None = None,
    ) -> Exchange:
        """Makes an exchange for a guarded route, counted and logged as usual unless metrics and observers are given."""
        return Exchange(
            client,
            upstream,
            api_format,
            lambda parsed: caller.snapshot.guard_request(caller, parsed, client.request_id),
            caller.allowed,
            headers,
            caller.snapshot.settings,
            self.metrics if metrics is None else metrics,
            self.observers if observers is None else observers,
            self.judges,
            self._open_answers,
            caller.owner,
        )
