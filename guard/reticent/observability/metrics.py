"""Offers the guard's metrics to Prometheus: an observer of finished answers, and what a proxy adds.

    metrics = Metrics()
    metrics.serves(policy=policy_digest, bundle=bundle_digest)
    ...                                       # give `metrics` to the guard as an observer
    body, content_type = metrics.render()     # the answer of GET /metrics

Every label has a closed set of values. No text of a user, a model or a found value can become a label. Values outside
the sets become `CUSTOM` (entities of the operator's own recognisers) or `other`. Latencies have vLLM's bucket edges, so
that panels overlay. There are finer edges below vLLM's first one, because a guard adds less time than a model takes.

Failures, canary and second looks start at 0 for each value, so that an alert on the first failure fires. Series with
several labels of many values (requests, spans, scores, stages) appear when they are first counted, as together they
would be thousands. An alert on the first one has to ask for a new series as well:
`increase(x[5m]) > 0 or (x unless x offset 5m)`.

Under a policy with `monitor: true` spans count as `allow`, which they were. What would have happened to them has
counters of its own.

The creation times of series are half of an exposition, and no panel needs them. `reticent serve` leaves them out, as
PROMETHEUS_DISABLE_CREATED_SERIES=true does elsewhere.

Scores drift when a detector meets other hosts, people or questions than it was calibrated on. Bundles hold no
histogram of scores to compare with. So the metrics give each entity's scores, to compare with those of an earlier
time. They also give the share of memorised values for which the bundle's probabilities are stated, which is their mean
while they hold.

If PROMETHEUS_MULTIPROC_DIR is set before prometheus_client is first imported, several processes share one exposition.
Empty the directory before they start, and call `prometheus_client.multiprocess.mark_process_dead` for a process that
ends. The library then shows no metrics of the process itself (memory, file descriptors).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import product
from typing import TYPE_CHECKING

from reticent._version import __version__
from reticent.observability.observers import (
    CanaryResult,
    LookResult,
    Observation,
    Outcome,
    ReadinessCheck,
    Route,
    TimedStage,
    WireStage,
)
from reticent.policy.options import FailMode, Stage
from reticent.policy.verdict import Action, Origin, Tier
from reticent_detectors.entities import UNDECIDED, Entity
from reticent_detectors.errors import InputError, MissingExtra

try:
    import prometheus_client
    from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
    from prometheus_client.multiprocess import MultiProcessCollector
    from prometheus_client.registry import Collector
except ImportError:
    raise MissingExtra("prometheus_client", "metrics") from None

if TYPE_CHECKING:
    from reticent.core.report import Report
    from reticent.core.stream_types import SpanRecord

CUSTOM = "CUSTOM"
"""Label for every entity that is none of ours."""
OTHER = "other"
"""Label for a route, stage, outcome or mode that is in no set."""

# vLLM's edges (vllm/v1/metrics/loggers.py) in seconds: time to first token, time per output token, whole request.
FIRST_TOKEN_EDGES = (
    *(0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0),
    *(20.0, 40.0, 80.0, 160.0, 640.0, 2560.0),
)
INTER_TOKEN_EDGES = (
    *(0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0),
    *(20.0, 40.0, 80.0),
)
REQUEST_EDGES = (
    *(0.3, 0.5, 0.8, 1.0, 1.5, 2.0, 2.5, 5.0, 10.0, 15.0, 20.0, 30.0, 40.0, 50.0, 60.0),
    *(120.0, 240.0, 480.0, 960.0, 1920.0, 7680.0),
)
# The guard's own time is below vLLM's first edges.
ADDED_FIRST_TOKEN_EDGES = (0.0001, 0.00025, 0.0005, *FIRST_TOKEN_EDGES)
ADDED_INTER_CHUNK_EDGES = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, *INTER_TOKEN_EDGES)
CHAR_EDGES = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1024, 2048)
"""Edges in characters. 1,024 is the default bound of the hold-back."""
SCORE_EDGES = tuple(tenth / 10 for tenth in range(11))
"""Edges of calibrated probabilities."""

_ENTITIES = frozenset({*map(str, Entity), UNDECIDED, CUSTOM})
_ROUTES = frozenset({*map(str, Route), OTHER})
_OUTCOMES = frozenset({*map(str, Outcome), OTHER})
_TIMED = frozenset({*map(str, TimedStage), OTHER})
_STAGES = frozenset({*map(str, Stage), *map(str, WireStage), OTHER})
_MODES = frozenset({*map(str, FailMode), OTHER})
_DIGEST = re.compile(r"[0-9a-f]{0,128}")


class Metrics:
    """Counts and times a process's answers for Prometheus. It is an observer: make one and share it between threads.

    Args:
        registry: registers the metrics. The default is Prometheus' own, which other exporters show as well.
        thresholds: probabilities, 0 to 1, that get edges of their own in the histogram of scores.

    Raises:
        InputError: the registry has these metrics already, or a threshold is no probability.
    """

    def __init__(self, registry: CollectorRegistry | None = None, thresholds: Iterable[float] = ()) -> None:
        self._registry = prometheus_client.REGISTRY if registry is None else registry
        self._build: tuple[str, str] | None = None
        self._own: list[Collector] = []
        edges = {*SCORE_EDGES, *(round(threshold, 2) for threshold in thresholds)}
        if not edges <= {edge for edge in edges if 0.0 <= edge <= 1.0}:
            raise InputError("A threshold of scores must lie between 0 and 1.")
        try:
            self._declare(self._registry, tuple(sorted(edges)))
        except ValueError as error:
            raise InputError(
                "This Prometheus registry has Reticent's figures already. Share one Metrics, or pass another registry."
            ) from error
        for pair in product(sorted(_STAGES), sorted(_MODES)):
            self._failures.labels(*pair)
        for result in CanaryResult:
            self._canary.labels(result.value)
        for look in LookResult:
            self._second_looks.labels(look.value)
        self.serves()

    def _declare(self, registry: CollectorRegistry, score_edges: tuple[float, ...]) -> None:
        def counter(name: str, help_text: str, *labels: str) -> Counter:
            return Counter(f"reticent_{name}", help_text, labels, registry=registry)

        def histogram(name: str, help_text: str, edges: tuple[float, ...], *labels: str) -> Histogram:
            return Histogram(f"reticent_{name}", help_text, labels, buckets=edges, registry=registry)

        self._requests = counter(
            "requests_total", "Answers finished; a request with n choices counts n.", "route", "stream", "outcome"
        )
        self._spans = counter("spans_total", "Spans decided.", "entity", "origin", "action", "tier")
        self._monitored_answers = counter(
            "monitored_answers_total", "Answers under monitor, by the outcome that it prevented.", "route", "outcome"
        )
        self._monitored_spans = counter(
            "monitored_spans_total",
            "Spans under monitor, by the action that it prevented.",
            *("entity", "origin", "action", "tier"),
        )
        self._stage_seconds = histogram(
            "stage_seconds", "The guard's own time for one answer, by stage.", ADDED_INTER_CHUNK_EDGES, "stage"
        )
        self._added_first = histogram(
            "added_ttft_seconds", "What the guard added to the time to the first token.", ADDED_FIRST_TOKEN_EDGES
        )
        self._added_chunk = histogram(
            "added_inter_chunk_seconds",
            "What the guard added between two pieces of text, as an answer's mean.",
            ADDED_INTER_CHUNK_EDGES,
        )
        self._held_chars = histogram("holdback_chars", "Characters held back at most, for one answer.", CHAR_EDGES)
        self._held_seconds = histogram(
            "holdback_seconds", "Longest time for which text was held back, for one answer.", ADDED_FIRST_TOKEN_EDGES
        )
        self._failures = counter(
            "failures_total", "Failures in the judging path, by stage and fail mode.", "stage", "mode"
        )
        self._overflows = counter("overflows_total", "Times that the hold-back met its bound.")
        self._second_looks = counter(
            "second_looks_total", "Doubtful spans, by whether the model was asked again under other names.", "result"
        )
        self._upstream = histogram("upstream_seconds", "Time of a whole upstream request.", REQUEST_EDGES)
        self._upstream_first = histogram(
            "upstream_ttft_seconds", "Time to the upstream's first token.", FIRST_TOKEN_EDGES
        )
        self._inflight = Gauge(
            "reticent_inflight_streams", "Streams open now.", registry=registry, multiprocess_mode="livesum"
        )
        self._disconnects = counter("client_disconnects_total", "Clients that went away before the end of an answer.")
        self._scores = histogram(
            "score", "Calibrated probability that a span is memorised, where a detector judged.", score_edges, "entity"
        )
        self._expected = Gauge(
            "reticent_score_prevalence",
            "Share of memorised spans for which the bundle's probabilities are stated; 0 where no detector judges.",
            registry=registry,
            multiprocess_mode="livemax",
        )
        self._canary = counter("canary_total", "Scheduled questions whose value has to be stopped.", "result")
        self._ready = Gauge(
            "reticent_ready",
            "1 for each part that is ready, 0 for one that is not; a part that is not wanted is left out.",
            ("part",),
            registry=registry,
            multiprocess_mode="livemin",
        )
        self._suppressed = Gauge(
            "reticent_suppression_entries",
            "Active entries of the suppression store, in the process that has fewest.",
            registry=registry,
            multiprocess_mode="livemin",
        )
        # An info metric does not work with several processes. A gauge that is 1 for what is served says the same.
        self._build_info = Gauge(
            "reticent_build_info",
            "1 for the version, policy and bundle that are served.",
            ("version", "policy", "bundle"),
            registry=registry,
            multiprocess_mode="livemax",
        )

    def __repr__(self) -> str:
        return "Metrics()"

    def on_answer(self, observation: Observation) -> None:
        """Counts a finished answer."""
        report = observation.report
        self._requests.labels(
            _bounded(observation.route, _ROUTES),
            "true" if observation.stream else "false",
            _bounded(observation.outcome, _OUTCOMES),
        ).inc()
        for record in report.spans:
            self._count_span(record)
        if (prevented := _prevented(report)) is not None:
            self._monitored_answers.labels(_bounded(observation.route, _ROUTES), prevented.value).inc()
        for stage, seconds in observation.stage_seconds.items():
            self._stage_seconds.labels(_bounded(stage, _TIMED)).observe(max(0.0, seconds))
        if observation.added_first_token_seconds is not None:
            self._added_first.observe(observation.added_first_token_seconds)
        if observation.added_inter_chunk_seconds is not None:
            self._added_chunk.observe(observation.added_inter_chunk_seconds)
        self._second_looks.labels(LookResult.TAKEN.value).inc(report.second_looks_taken)
        self._second_looks.labels(LookResult.SKIPPED.value).inc(report.second_looks_skipped)
        self._held_chars.observe(report.most_held_chars)
        self._held_seconds.observe(report.most_held_seconds)
        for stage, count in report.failures:
            mode = observation.fail_modes.get(stage, FailMode.CLOSED)
            self._failures.labels(_bounded(stage, _STAGES), _bounded(mode, _MODES)).inc(count)
        self._overflows.inc(report.overflows)

    def _count_span(self, record: SpanRecord) -> None:
        decision, entity = record.decision, _bounded(record.entity, _ENTITIES, CUSTOM)
        verdict = decision.verdict
        origin, tier = Origin(verdict.origin).value, Tier(verdict.tier).value
        self._spans.labels(entity, origin, Action(decision.action).value, tier).inc()
        if decision.monitored_action is not None:
            self._monitored_spans.labels(entity, origin, Action(decision.monitored_action).value, tier).inc()
        if verdict.probability is not None and 0.0 <= verdict.probability <= 1.0:
            self._scores.labels(entity).observe(verdict.probability)

    # Metrics of a proxy

    def upstream(self, seconds: float, first_token_seconds: float | None = None) -> None:
        """Counts a finished upstream request and, if it streamed, its time to the first token."""
        self._upstream.observe(max(0.0, seconds))
        if first_token_seconds is not None:
            self._upstream_first.observe(first_token_seconds)

    def failed(self, stage: WireStage, mode: FailMode = FailMode.CLOSED) -> None:
        """Counts a failure on the wire. What it touched was withheld, unless the mode says otherwise."""
        self._failures.labels(_bounded(stage, _STAGES), FailMode(mode).value).inc()

    @contextmanager
    def streaming(self) -> Iterator[None]:
        """Counts a stream as open for as long as the body runs, however it ends."""
        self._inflight.inc()
        try:
            yield
        finally:
            self._inflight.dec()

    def disconnected(self) -> None:
        """Counts a client that went away before its answer ended."""
        self._disconnects.inc()

    def canary(self, result: CanaryResult) -> None:
        """Counts a scheduled question."""
        self._canary.labels(CanaryResult(result).value).inc()

    def suppresses(self, entries: int) -> None:
        """Record how many entries of the suppression store are active from now on."""
        self._suppressed.set(entries)

    def ready(self, part: ReadinessCheck, is_ready: bool) -> None:
        """Says whether a part is ready from now on."""
        self._ready.labels(ReadinessCheck(part).value).set(is_ready)

    def serves(self, policy: str = "", bundle: str = "", prevalence: float = 0.0) -> None:
        """Records which policy and bundle are served from now on.

        Call it when they are loaded, never for each request: each pair of digests is a time series of its own.

        Args:
            policy: the policy's `digest_hex`.
            bundle: the bundle's digest.
            prevalence: share of memorised spans, 0 to 1, for which the bundle's probabilities are stated.

        Raises:
            InputError: a digest is not hexadecimal.
        """
        for name, digest in (("policy", policy), ("bundle", bundle)):
            if not _DIGEST.fullmatch(digest):
                raise InputError(f"The digest of the {name} must be hexadecimal digits, at most 128 of them.")
        if self._build is not None:  # set to 0, because several processes cannot remove it
            self._build_info.labels(__version__, *self._build).set(0)
        self._build = (policy, bundle)
        self._build_info.labels(__version__, policy, bundle).set(1)
        self._expected.set(prevalence)

    def register(self, collector: Collector) -> None:
        """Shows more figures, which this process alone counts."""
        self._own.append(collector)

    def render(self) -> tuple[bytes, str]:
        """Gives the exposition and its content type. In multi-process mode it is that of all processes."""
        registry = self._registry
        if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        own = CollectorRegistry()
        for collector in self._own:
            own.register(collector)
        shown = prometheus_client.generate_latest(registry) + prometheus_client.generate_latest(own)
        return shown, prometheus_client.CONTENT_TYPE_LATEST


def _prevented(report: Report) -> Outcome | None:
    """Return the outcome that monitoring prevented, or None."""
    actions = {record.decision.monitored_action for record in report.spans}
    if Action.BLOCK in actions:
        return Outcome.BLOCKED
    return Outcome.REDACTED if actions - {None} else None


def _bounded(value: str, known: frozenset[str], otherwise: str = OTHER) -> str:
    return str(value) if value in known else otherwise
