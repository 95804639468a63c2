"""Counts reloads for Prometheus, and names the version that is served.

Only the process that reloads counts, so these are no figures of prometheus_client's multi-process mode.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from enum import StrEnum

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector


class ReloadOutcome(StrEnum):
    """Names what came of a reload."""

    RELOADED = "reloaded"
    UNCHANGED = "unchanged"  # what was read is served already
    NEEDS_RESTART = "needs_restart"  # a setting differs that only a start reads
    INVALID = "invalid"  # settings, or a file that they name, cannot be used
    FAILED = "failed"  # a worker could not take it up, or the reload itself broke


class ReloadMetrics(Collector):
    """Holds the figures of reloads. It is safe to share.

    Args:
        version: of what is served.
    """

    def __init__(self, version: str) -> None:
        self._version, self._succeeded = version, time.time()
        self._counts: Counter[ReloadOutcome] = Counter()
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"ReloadMetrics({self._version})"

    def count(self, outcome: ReloadOutcome, version: str) -> None:
        """Counts a reload, after which this version is served."""
        with self._lock:
            self._counts[outcome] += 1
            self._version = version
            if outcome in (ReloadOutcome.RELOADED, ReloadOutcome.UNCHANGED):
                self._succeeded = time.time()

    def collect(self) -> Iterator[CounterMetricFamily | GaugeMetricFamily]:
        """Yields the figures. The version is a label that has one value at a time."""
        with self._lock:
            counts, version, succeeded = dict(self._counts), self._version, self._succeeded
        reloads = CounterMetricFamily("reticent_reloads", "Reloads, by what came of them.", labels=["outcome"])
        for outcome in ReloadOutcome:
            reloads.add_metric([outcome.value], counts.get(outcome, 0))
        yield reloads
        yield GaugeMetricFamily(
            "reticent_reload_success_timestamp_seconds",
            "Unix time at which what is served was last read anew and found good, at the start or by a reload.",
            succeeded,
        )
        served = GaugeMetricFamily(
            "reticent_config_info", "1 for the version of keys, policies, records and bundles.", labels=["version"]
        )
        served.add_metric([version], 1)
        yield served
