"""The guard's figures for Prometheus."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import CollectorRegistry
from prometheus_client.parser import text_string_to_metric_families

from reticent import __version__
from reticent.core.report import Report
from reticent.core.stream_types import SpanRecord
from reticent.observability import metrics as m
from reticent.observability.metrics import Metrics
from reticent.observability.observers import (
    CanaryResult,
    LookResult,
    Observation,
    Outcome,
    ReadinessCheck,
    WireStage,
)
from reticent.policy.options import FailMode, Stage
from reticent.policy.verdict import Action, Decision, Origin, Reason, Tier, Verdict
from reticent_detectors.errors import InputError

STOPPED = Decision(Action.REDACT, Verdict(Origin.MEMORIZED, 0.97, 0.1, Tier.HIDDEN), suppress=True)
PASSED = Decision(Action.ALLOW, Verdict(Origin.ECHOED, None, 1.0, Tier.TEXT))
OVERFLOW = Decision(Action.REDACT, Verdict(Origin.UNKNOWN, None, 0.0, Tier.TEXT), reason=Reason.OVERFLOW)


def span(entity: str, decision: Decision) -> SpanRecord:
    return SpanRecord(entity, 4, 16, False, "phone", decision, 12, 5, 0.25, "0123456789abcdef")


def observation(*spans: SpanRecord, failures: tuple[tuple[str, int], ...] = (), **rest: Any) -> Observation:
    report = Report(spans, 100, 90, 30, 9, 0.25, failures, bool(spans), False, False, 1, 3)
    rest = {"outcome": Outcome.of(report), "stage_seconds": {"find": 0.002, "lens": 0.0004}} | rest
    return Observation("ab" * 16, 0, report, **rest)


@pytest.fixture
def metrics() -> Metrics:
    return Metrics(CollectorRegistry())


def samples(metrics: Metrics) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    return parsed(metrics.render()[0].decode())


def parsed(text: str) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def value(metrics: Metrics, name: str, **labels: str) -> float:
    """One sample. Only lines that may be it are parsed, as an exposition has thousands."""
    lines = [
        line
        for line in metrics.render()[0].decode().splitlines()
        if line.startswith(f"reticent_{name}") and all(f'"{label}"' in line for label in labels.values())
    ]
    return parsed("\n".join([*lines, ""]))[(f"reticent_{name}", frozenset(labels.items()))]


def test_the_names_are_those_that_dashboards_rest_on(metrics: Metrics) -> None:
    families = {family.name: family.type for family in text_string_to_metric_families(metrics.render()[0].decode())}
    names = {name: kind for name, kind in families.items() if not name.endswith("_created")}
    assert names == {
        "reticent_requests": "counter",
        "reticent_spans": "counter",
        "reticent_monitored_answers": "counter",
        "reticent_monitored_spans": "counter",
        "reticent_stage_seconds": "histogram",
        "reticent_added_ttft_seconds": "histogram",
        "reticent_added_inter_chunk_seconds": "histogram",
        "reticent_holdback_chars": "histogram",
        "reticent_holdback_seconds": "histogram",
        "reticent_failures": "counter",
        "reticent_overflows": "counter",
        "reticent_second_looks": "counter",
        "reticent_upstream_seconds": "histogram",
        "reticent_upstream_ttft_seconds": "histogram",
        "reticent_inflight_streams": "gauge",
        "reticent_client_disconnects": "counter",
        "reticent_build_info": "gauge",
        "reticent_score": "histogram",
        "reticent_score_prevalence": "gauge",
        "reticent_suppression_entries": "gauge",
        "reticent_canary": "counter",
        "reticent_ready": "gauge",
    }


def test_what_an_alert_waits_for_is_there_and_zero_before_the_first_answer(metrics: Metrics) -> None:
    found = samples(metrics)
    for stage, mode in product((*Stage, *WireStage), FailMode):
        assert found[("reticent_failures_total", frozenset({("stage", str(stage)), ("mode", str(mode))}))] == 0
    for look in LookResult:
        assert found[("reticent_second_looks_total", frozenset({("result", str(look))}))] == 0
    for result in CanaryResult:
        assert found[("reticent_canary_total", frozenset({("result", str(result))}))] == 0
    assert found[("reticent_overflows_total", frozenset())] == 0
    assert all(
        v == 0
        for (name, _), v in found.items()
        if not name.endswith(("_created", "_bucket")) and "build_info" not in name
    )


def test_products_of_labels_appear_when_they_are_used(metrics: Metrics) -> None:
    products = ("requests_total", "spans_total", "stage_seconds", "score_", "monitored_", "ready")
    at_rest = {name for name, _ in samples(metrics)} - {"reticent_score_prevalence"}
    assert not [name for name in at_rest if name.removeprefix("reticent_").startswith(products)]
    metrics.on_answer(observation(span("PHONE_NUMBER", STOPPED), stage_seconds={"find": 0.1}))
    risen = [labels for name, labels in samples(metrics) if name in ("reticent_spans_total", "reticent_requests_total")]
    assert len(risen) == 2


def test_under_monitor_the_counters_say_what_would_have_been(metrics: Metrics) -> None:
    blocked = Decision(Action.BLOCK, STOPPED.verdict).monitored()
    metrics.on_answer(
        observation(
            span("PHONE_NUMBER", STOPPED.monitored()),
            span("PHONE_NUMBER", STOPPED.monitored()),
            span("call 555-0100", STOPPED.monitored()),
            span("ADDRESS", PASSED),
            route="chat",
            outcome=Outcome.PASSED,
        )
    )
    metrics.on_answer(observation(span("ADDRESS", blocked), span("ADDRESS", STOPPED.monitored()), outcome="passed"))
    metrics.on_answer(observation(span("ADDRESS", PASSED.monitored()), outcome="passed"))
    phone = {"entity": "PHONE_NUMBER", "origin": "memorized", "tier": "hidden"}
    assert value(metrics, "spans_total", action="allow", **phone) == 2  # what happened
    assert value(metrics, "monitored_spans_total", action="redact", **phone) == 2  # what would have
    address = {"entity": "ADDRESS", "origin": "memorized", "tier": "hidden"}
    assert value(metrics, "monitored_spans_total", action="block", **address) == 1
    assert value(metrics, "monitored_spans_total", action="redact", **{**phone, "entity": "CUSTOM"}) == 1
    assert value(metrics, "monitored_answers_total", route="chat", outcome="redacted") == 1
    assert value(metrics, "monitored_answers_total", route="generate", outcome="blocked") == 1
    found = {key: v for key, v in samples(metrics).items() if "monitored_answers_total" in key[0]}
    assert sum(found.values()) == 2


def test_an_answer_is_counted(metrics: Metrics) -> None:
    metrics.on_answer(
        observation(
            span("PHONE_NUMBER", STOPPED),
            span("PHONE_NUMBER", STOPPED),
            span("ADDRESS", PASSED),
            span("UNDECIDED", OVERFLOW),
            failures=(("find", 1), ("judge", 2)),
            fail_modes={"judge": "open"},
            route="chat",
            stream=True,
            added_first_token_seconds=0.003,
            added_inter_chunk_seconds=0.0002,
        )
    )
    assert value(metrics, "requests_total", route="chat", stream="true", outcome="redacted") == 1
    phone = {"entity": "PHONE_NUMBER", "origin": "memorized", "action": "redact", "tier": "hidden"}
    assert value(metrics, "spans_total", **phone) == 2
    assert value(metrics, "spans_total", entity="ADDRESS", origin="echoed", action="allow", tier="text") == 1
    assert value(metrics, "stage_seconds_sum", stage="find") == pytest.approx(0.002)
    assert value(metrics, "added_ttft_seconds_sum") == pytest.approx(0.003)
    assert value(metrics, "added_inter_chunk_seconds_sum") == pytest.approx(0.0002)
    assert value(metrics, "holdback_chars_sum") == 30
    assert value(metrics, "holdback_seconds_sum") == 0.25
    assert value(metrics, "failures_total", stage="find", mode="closed") == 1
    assert value(metrics, "failures_total", stage="judge", mode="open") == 2
    assert value(metrics, "overflows_total") == 1
    assert value(metrics, "second_looks_total", result="taken") == 1
    assert value(metrics, "second_looks_total", result="skipped") == 3


def test_scores_are_those_that_a_detector_gave(metrics: Metrics) -> None:
    nan = Decision(Action.ALLOW, Verdict(Origin.UNKNOWN, float("nan"), 0.0, Tier.HIDDEN))
    metrics.on_answer(
        observation(
            span("PHONE_NUMBER", STOPPED), span("PHONE_NUMBER", PASSED), span("mine", STOPPED), span("DOCTOR", nan)
        )
    )
    assert value(metrics, "score_count", entity="PHONE_NUMBER") == 1
    assert value(metrics, "score_sum", entity="PHONE_NUMBER") == pytest.approx(0.97)
    assert value(metrics, "score_bucket", entity="PHONE_NUMBER", le="0.9") == 0
    assert value(metrics, "score_count", entity="CUSTOM") == 1
    assert 'reticent_score_count{entity="DOCTOR"}' not in metrics.render()[0].decode()


def test_scores_have_edges_in_tenths_and_at_the_thresholds() -> None:
    with_edges = Metrics(CollectorRegistry(), thresholds=[0.4237, 0.4202, 0.3])
    with_edges.on_answer(observation(span("PHONE_NUMBER", STOPPED)))
    found = samples(with_edges)
    edges = sorted(float(dict(labels)["le"]) for name, labels in found if name == "reticent_score_bucket")
    tenths = [tenth / 10 for tenth in range(11)]
    assert sorted(set(edges)) == sorted([*tenths, 0.42, float("inf")])
    with pytest.raises(InputError, match="between 0 and 1"):
        Metrics(CollectorRegistry(), thresholds=[float("nan")])


def test_what_an_operator_watches(metrics: Metrics) -> None:
    metrics.canary(CanaryResult.LEAKED)
    metrics.ready(ReadinessCheck.UPSTREAM, True)
    metrics.serves(prevalence=0.25)
    metrics.failed(WireStage.LOG, FailMode.OPEN)
    assert value(metrics, "canary_total", result="leaked") == 1
    assert value(metrics, "ready", part="upstream") == 1
    assert 'part="canary"' not in metrics.render()[0].decode()  # nobody said whether there is one
    assert value(metrics, "score_prevalence") == 0.25
    assert value(metrics, "failures_total", stage="log", mode="open") == 1
    with pytest.raises(ValueError):
        metrics.canary("555-0100")  # type: ignore[arg-type]


def test_an_answer_without_streaming_has_no_added_latency(metrics: Metrics) -> None:
    metrics.on_answer(observation())
    assert value(metrics, "added_ttft_seconds_count") == value(metrics, "added_inter_chunk_seconds_count") == 0
    assert value(metrics, "requests_total", route="generate", stream="false", outcome="passed") == 1


def test_what_is_in_no_set_becomes_no_label(metrics: Metrics) -> None:
    text = "call 555-0100"
    metrics.on_answer(
        observation(
            span(text, STOPPED),
            failures=((text, 1),),
            fail_modes={text: text},
            route=text,
            outcome=text,
            stage_seconds={text: 1.0},
            policy=text,
            bundle=text,
        )
    )
    assert "call 5" not in metrics.render()[0].decode()
    assert value(metrics, "spans_total", entity="CUSTOM", origin="memorized", action="redact", tier="hidden") == 1
    assert value(metrics, "requests_total", route="other", stream="false", outcome="other") == 1
    assert value(metrics, "failures_total", stage="other", mode="other") == 1
    assert value(metrics, "stage_seconds_sum", stage="other") == 1


def test_latencies_have_all_of_vllms_edges(metrics: Metrics) -> None:
    metrics.on_answer(observation())
    edges: dict[str, set[float]] = {}
    for (name, labels), _ in samples(metrics).items():
        if name.endswith("_bucket"):
            edges.setdefault(name, set()).add(float(dict(labels)["le"]))
    first, between = {0.001, 0.06, 0.75, 7.5, 160.0, 2560.0}, {0.01, 0.075, 0.15, 2.5, 80.0}
    assert first <= edges["reticent_added_ttft_seconds_bucket"]
    assert between <= edges["reticent_added_inter_chunk_seconds_bucket"]
    assert edges["reticent_upstream_ttft_seconds_bucket"] == {*m.FIRST_TOKEN_EDGES, float("inf")}
    assert {0.3, 0.8, 1920.0, 7680.0} <= edges["reticent_upstream_seconds_bucket"]
    assert min(edges["reticent_added_inter_chunk_seconds_bucket"]) < 0.01  # a guard adds less than a model takes
    assert 1024 in edges["reticent_holdback_chars_bucket"]


def test_what_a_proxy_adds(metrics: Metrics) -> None:
    metrics.upstream(1.5, first_token_seconds=0.2)
    metrics.upstream(0.5)
    metrics.disconnected()
    with metrics.streaming(), pytest.raises(RuntimeError), metrics.streaming():
        assert value(metrics, "inflight_streams") == 2
        raise RuntimeError
    assert value(metrics, "inflight_streams") == 0
    assert (value(metrics, "upstream_seconds_sum"), value(metrics, "upstream_seconds_count")) == (2.0, 2)
    assert value(metrics, "upstream_ttft_seconds_count") == 1
    assert value(metrics, "client_disconnects_total") == 1


def test_build_info_follows_what_is_served(metrics: Metrics) -> None:
    assert value(metrics, "build_info", version=__version__, policy="", bundle="") == 1
    metrics.serves(policy="ab12", bundle="cd34")
    metrics.serves(policy="ff", bundle="cd34")
    found = {labels: v for (name, labels), v in samples(metrics).items() if name == "reticent_build_info"}
    assert [dict(labels)["policy"] for labels, v in found.items() if v == 1] == ["ff"]
    with pytest.raises(InputError, match="policy must be hexadecimal"):
        metrics.serves(policy="call 555-0100")


def test_two_for_one_registry_are_refused() -> None:
    registry = CollectorRegistry()
    Metrics(registry)
    with pytest.raises(InputError, match="Share one Metrics"):
        Metrics(registry)


WORKERS = """
import os, sys
from prometheus_client import CollectorRegistry
from test_guard_metrics import STOPPED, observation, span
from reticent.observability.metrics import Metrics
metrics = Metrics(CollectorRegistry())
metrics.serves(policy="ab", bundle="cd")
children = []
for _ in range(2):
    child = os.fork()
    if child == 0:
        metrics.on_answer(observation(span("ADDRESS", STOPPED), stream=True))
        with metrics.streaming():
            os._exit(0)
    children.append(child)
codes = [os.waitpid(child, 0)[1] for child in children]
metrics.on_answer(observation())
assert codes == [0, 0], codes
sys.stdout.write(metrics.render()[0].decode())
"""


def test_several_processes_give_one_exposition(tmp_path: Path) -> None:
    paths = [str(Path(__file__).parent), *filter(None, sys.path)]
    env = os.environ | {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run([sys.executable, "-c", WORKERS], env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    found = {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(done.stdout)
        for sample in family.samples
    }

    def shown(name: str, **labels: str) -> float:
        return found[(f"reticent_{name}", frozenset(labels.items()))]

    assert shown("requests_total", route="generate", stream="true", outcome="redacted") == 2
    assert shown("requests_total", route="generate", stream="false", outcome="passed") == 1
    assert shown("failures_total", stage="judge", mode="open") == 0  # there, though nothing failed
    assert shown("spans_total", entity="ADDRESS", origin="memorized", action="redact", tier="hidden") == 2
    assert shown("holdback_chars_count") == 3
    assert shown("inflight_streams") == 2  # both children ended within a stream, and nobody marked them dead
    assert shown("build_info", version=__version__, policy="ab", bundle="cd") == 1


def test_without_prometheus_the_extra_is_named() -> None:
    code = (
        "import sys; sys.modules['prometheus_client'] = None\n"
        "from reticent_detectors.errors import MissingExtra\n"
        "try:\n    import reticent.observability.metrics\nexcept MissingExtra as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert "prometheus_client is not installed" in done.stdout and re.search(r"\.\[.*metrics\]", done.stdout)
