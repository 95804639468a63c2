"""Holds what the whole process shares: policies, keys, records, metrics, and the way to the upstream."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import httpx
from prometheus_client import CollectorRegistry

from reticent.observability.answer_watch import AnswerWatch
from reticent.observability.metrics import Metrics
from reticent.observability.observers import Observer, Route, WireStage
from reticent.policy.finder_cache import FinderCache
from reticent.policy.options import FailMode
from reticent.policy.policy import DEFAULT, Policy
from reticent.policy.thresholds import base_threshold, thresholds
from reticent.policy.verdict import Origin, Tier
from reticent.records.index import RecordsIndex
from reticent.serve.api.api_format import ApiFormat, ChoicesFormat, refuse_spoilt_logprobs
from reticent.serve.api.response_formats import asks_for_numbers
from reticent.serve.judging.detector_protocols import Detector, digest_of_all
from reticent.serve.judging.engine_states import StateSource
from reticent.serve.judging.guarded_request import GuardedRequest
from reticent.serve.judging.policies_with_thresholds import BoundPolicies
from reticent.serve.judging.served_base import TokenTexts
from reticent.serve.options import Permission
from reticent.serve.queued_observer import open_decision_log
from reticent.serve.settings import Settings
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
from reticent_detectors.bundle.format import Bundle
from reticent_detectors.errors import CaptureError, InputError

_END_SECONDS = 5.0
"""Longest wait at the server's end for the judging of its open answers, in seconds."""
_LOG_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Caller:
    """Holds the policy and permissions of an API key, and the policies that its requests may name in its place."""

    policy: Policy
    allowed: frozenset[Permission] = field(default=frozenset())
    choices: Mapping[str, Policy] = field(default_factory=dict)

    def policy_of(self, name: str) -> Policy:
        """Gives the policy that a request names, or its own for no name. Raises ApiError if it may not choose it."""
        if not name:
            return self.policy
        if name not in self.choices:
            raise ApiError(
                403, "The operator has not allowed this policy for this API key.", code="not_allowed", param="reticent"
            )
        return self.choices[name]


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

    Raises:
        PolicyError, InputError: a policy, or the records index or its key, cannot be read.
    """

    def __init__(
        self,
        settings: Settings,
        registry: CollectorRegistry | None = None,
        local_model: Callable[[Policy, RecordsIndex | None, tuple[Observer, ...]], LocalModel] | None = None,
        shadow: Callable[[], Detector] | None = None,
        base_texts: Callable[[Path], TokenTexts] | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        states: StateSource | None = None,
    ) -> None:
        self.settings = settings
        self._detector: Detector | None = None
        self._span_export = SpanExport() if settings.tracing else None
        if (settings.shadow is None) != (shadow is None) or (settings.model is None) != (local_model is None):
            raise InputError("A model or a shadow in the settings needs what loads it; start it with 'reticent serve'.")
        if shadow is not None:
            self._detector = shadow()
        elif settings.detector is not None:
            # It brings onnxruntime, which texts and records do not need.
            from reticent.serve.judging.served_detector import load_detector

            self._detector = load_detector(settings.detector, self._ask_upstream, base_texts, states)
        policies = BoundPolicies(settings.policy_objects())
        if self._detector is not None:
            policies = BoundPolicies.by(policies, self._detector)
        elif settings.model is not None:  # its guard binds them as well; here they are checked before anybody asks
            judged_by = Bundle.load(settings.model.bundle)
            base = base_threshold(judged_by)
            policies = BoundPolicies(
                policies, lambda p: p.with_thresholds(thresholds(judged_by, p.prevalence, p.false_positives), base)
            )
        self._keys = [
            (key.key.get_secret_value().encode(), _caller(policies, key.policy, key.may_choose, key.allow))
            for key in settings.keys
        ]
        self._open = _caller(policies, settings.policy, settings.may_choose, settings.allow)
        self._policies, self._finders = policies, FinderCache()
        self.records = None
        if settings.records is not None:
            self.records = RecordsIndex.open(settings.records.index, settings.records.key_file)
        callers = [caller for _, caller in self._keys] or [self._open]
        edges = callers[0].policy.thresholds.values()
        self.metrics = Metrics(CollectorRegistry() if registry is None else registry, edges)
        for caller in callers:
            self._finders.of(caller.policy).warm()
        log, failed = settings.decision_log, partial(self.metrics.failed, WireStage.LOG, FailMode.OPEN)
        self._decision_log = None if log is None else open_decision_log(log, failed)
        self.observers: tuple[Observer, ...] = (
            (self.metrics,) if self._decision_log is None else (self.metrics, self._decision_log)
        )
        self.local_model = None if local_model is None else local_model(callers[0].policy, self.records, self.observers)
        self.metrics.serves(callers[0].policy.digest_hex, *self._served_bundle())
        self.upstream = None if settings.upstream is None else Upstream(settings.upstream, settings, transport)
        limits = settings.limits
        self._reading = BodyReading(limits.reading, limits.reading_bytes)
        self._places = OpenRequests(limits.inflight, settings.inflight_per_key, limits.inflight_bytes)
        self.judges = JudgePool(settings.limits.judge_threads)
        self._open_answers = OpenAnswers()

    def __repr__(self) -> str:
        return f"Proxy(tier={self.tier}, keys={len(self._keys)}, open={self._places!r})"

    def _served_bundle(self) -> tuple[str, float]:
        """Gives the digest of the bundle, one of all bundles, or none, and the prevalence that it assumes."""
        if self.local_model is not None:
            return self.local_model.digest, self.local_model.prevalence
        if self._detector is not None:
            return digest_of_all(self._detector), self._detector.prevalence
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
        if self._detector is not None:
            return self._detector.tier
        return Tier.TEXT if self.records is None else Tier.RECORDS

    @property
    def reads_states(self) -> bool:
        """Says whether a detector reads hidden states of the upstream's engine."""
        detector = self._detector
        return detector is not None and any(each.reads_states for each in (detector, *detector.others))

    @property
    def about(self) -> str:
        """Describes in one line what this guard can and cannot tell, by which records and policies."""
        recorded = "" if self.records is None else f"; it stops the {len(self.records)} values of the records index"
        if self.local_model is not None:
            told = self.local_model.about + recorded
        elif self._detector is not None:
            told = f"tier {self._detector.tier}: {self._detector.about}{recorded}"
        else:
            told = self._about_texts
        names = sorted({key.policy for key in self.settings.keys} or {self.settings.policy})
        return f"{told}; {'policies' if len(names) > 1 else 'policy'} {', '.join(map(repr, names))}"

    @property
    def _about_texts(self) -> str:
        """Describes what can be told without a detector."""
        callers = [caller for _, caller in self._keys] or [self._open]
        actions = sorted({str(caller.policy.rule(DEFAULT, Origin.UNKNOWN, Tier.TEXT).action) for caller in callers})
        unknown = f"what stands in neither prompt nor records is of unknown origin (action: {', '.join(actions)})"
        if self.records is None:
            return f"tier text: it cannot tell what the model remembers from what it makes up; {unknown}"
        values = len(self.records)
        return f"tier records: it stops the {values} values of the records index, exactly or re-spelled; {unknown}"

    def caller(self, headers: list[tuple[bytes, bytes]]) -> Caller:
        """Gives the caller by the request's headers. Raises ApiError for a missing or unknown key."""
        if not self._keys:
            return self._open
        given = []
        for name, value in headers:
            if name == b"authorization" and value[:7].lower() == b"bearer ":
                given.append(value[7:].strip())
            elif name == b"x-api-key":
                given.append(value.strip())
        found = None
        for key, caller in self._keys:  # all of them, so that the time taken gives nothing away
            for each in given:
                if hmac.compare_digest(key, each):
                    found = caller
        if found is None:
            raise ApiError(
                401,
                "A known API key is needed: send it as 'Authorization: Bearer KEY' or as 'x-api-key: KEY'.",
                code="invalid_api_key",
                headers={"www-authenticate": "Bearer"},
            )
        return found

    def guard_request(self, caller: Caller, parsed: ParsedRequest, request_id: str | None = None) -> GuardedRequest:
        """Makes what the texts of one request share. Its id is drawn if none is given.

        Raises ApiError for a policy that the request may not choose, a model that the detector was not made for, or a
        field that changes the log-probabilities which a detector reads, of this request or of others.
        """
        detector = None if self._detector is None else self._detector.of(parsed.model)
        if self._detector is not None and self._detector.wants_logprobs:
            refuse_spoilt_logprobs(parsed.body)
        judge = None if detector is None else detector.open(parsed)
        policy = self._policies.under(detector, caller.policy_of(parsed.policy))
        finder, bounds = self._finders.of(policy), self.settings.limits.bounds
        numbers_stay = asks_for_numbers(parsed.body)
        return GuardedRequest(
            policy, finder, parsed.views, self.records, bounds, detector, judge, numbers_stay, request_id
        )

    async def aclose(self) -> None:
        """Ends the open answers, closes the upstream or the model in this process, and writes the waiting decisions.

        It does not wait for a judge that hangs.
        """
        await self._open_answers.close(_END_SECONDS)
        self.judges.close()
        if self.upstream is not None:
            await self.upstream.aclose()
        for each in (self.local_model, self._detector, self._span_export):
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
                place.enter_context(self._places.place(id(caller), size_bytes))
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

    def caller_with_policy(self, policy: str | None) -> Caller:
        """Makes a caller with the policy of this name. None takes that of the first key, or of everybody."""
        if policy is None:
            return self._keys[0][1] if self._keys else self._open
        return Caller(self._policies[policy])

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
            lambda parsed: self.guard_request(caller, parsed, client.request_id),
            caller.allowed,
            headers,
            self.settings,
            self.metrics if metrics is None else metrics,
            self.observers if observers is None else observers,
            self.judges,
            self._open_answers,
            id(caller) if self._keys else None,
        )


def _caller(
    policies: Mapping[str, Policy], own: str, choices: frozenset[str], allowed: frozenset[Permission]
) -> Caller:
    return Caller(policies[own], allowed, {name: policies[name] for name in choices})
