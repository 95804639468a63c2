"""The simulation of replicas: queues of known theory are reproduced, and pods come and go as Kubernetes makes them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from reticent_bench.proxy import replicas
from reticent_bench.proxy.replicas_fleet import (
    PRESTOP_SECONDS,
    START_SECONDS,
    SYNC_SECONDS,
    Autoscaler,
    Fleet,
    in_a_burst,
    roll_out,
)
from reticent_bench.proxy.replicas_queues import (
    PAUSE_SECONDS,
    WARM_SECONDS,
    Streams,
    arrivals,
    dealt,
    delays,
    lengths,
    mean_tokens,
    service_times,
    sojourns,
    steady,
)

RESULTS = Path(__file__).parent.parent / "benchmarks/results"
SPREAD = {"mean": 0.18e-3, "median": 0.03e-3, "p99": 2.6e-3, "p99.9": 4.5e-3}
COUNT = 400_000


def test_sojourns_are_those_of_an_m_m_1_queue() -> None:
    """Exponential with the rate mu - lambda."""
    rng = np.random.default_rng(1)
    spent = sojourns(np.cumsum(rng.exponential(1 / 0.6, COUNT)), rng.exponential(1.0, COUNT))
    assert spent.mean() == pytest.approx(1 / 0.4, rel=0.05)
    assert np.quantile(spent, 0.99) == pytest.approx(np.log(100) / 0.4, rel=0.08)


def test_waits_are_those_of_an_m_g_1_queue() -> None:
    """The mean by Pollaczek and Khinchine, with the service times of a token."""
    rng, times = np.random.default_rng(2), service_times(0.7e-3, SPREAD)
    load = 0.6 / times.mean()
    service = times[rng.integers(len(times), size=COUNT)]
    waited = sojourns(np.cumsum(rng.exponential(1 / load, COUNT)), service) - service
    assert waited.mean() == pytest.approx(load * (times**2).mean() / (2 * (1 - 0.6)), rel=0.05)


def test_a_queue_by_hand() -> None:
    assert sojourns(np.array([0.0, 1.0, 5.0]), np.array([3.0, 1.0, 2.0])).tolist() == [3.0, 3.0, 2.0]


def test_service_times_have_the_quantiles_that_were_measured() -> None:
    times = service_times(0.7e-3, SPREAD)
    rest = times - (0.7e-3 - SPREAD["mean"])
    assert times.mean() == pytest.approx(0.7e-3, rel=1e-3)
    got = {"median": 0.5, "p99": 0.99, "p99.9": 0.999}
    assert {name: float(np.quantile(rest, q)) for name, q in got.items()} == pytest.approx(
        {name: SPREAD[name] for name in got}, rel=0.02
    )


def test_as_many_streams_are_open_as_littles_law_says() -> None:
    rng = np.random.default_rng(3)
    start = arrivals(rng, 0, 2000, lambda at: np.full(len(at), 5.0), 8.0)
    streams = Streams(start, lengths(rng, len(start)), np.zeros(len(start), np.int64))
    at = np.arange(WARM_SECONDS, 2000, 10.0)
    opened = np.searchsorted(start, at) - np.searchsorted(np.sort(streams.end), at)
    assert opened.mean() == pytest.approx(5 * mean_tokens() * PAUSE_SECONDS, rel=0.05)


def test_tokens_come_when_they_are_sent_to_the_process_of_their_stream() -> None:
    streams = Streams(np.array([0.0, 0.01, 0.02]), np.array([4, 2, 3]), np.array([1, 0, 1]))
    times = np.full(1, 0.001)
    came = [c.round(3).tolist() for c, _ in delays(streams, (0.05, 0.12), times, np.random.default_rng(0))]
    assert came == [[0.06], [0.05, 0.07, 0.1]]
    assert [c.round(3).tolist() for c, _ in delays(streams, (0.1, 9), times, np.random.default_rng(0))][-1][-1] == 0.15


def test_the_fewest_open_spreads_more_evenly_than_chance() -> None:
    rng = np.random.default_rng(4)
    spreads = []
    for fewest in (False, True):
        streams = Streams(np.linspace(0, 50, 2000), np.full(2000, 400), np.zeros(2000, np.int64))
        dealt(streams, 8, rng, fewest)
        spreads.append(np.bincount(streams.process, minlength=8).std())
    assert spreads[1] < 2 < spreads[0]


def test_more_load_takes_longer() -> None:
    times = service_times(0.7e-3, SPREAD)
    for bursts in (False, True):
        calm, busy = (steady(2, load, times, True, bursts, 0, 40.0) for load in (1000, 2500))
        assert 0.5 < calm["p50 ms"] < busy["p50 ms"] and calm["p99 ms"] < busy["p99 ms"]
        assert busy["utilisation"] == pytest.approx(0.875) and busy["streams a process"] == 62.5


def test_the_search_ends_at_the_fewest_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    times = np.full(1, 0.001)

    def needs_seven(processes: int, *_: object) -> dict[str, float]:
        return {"p99 ms": 20.0 if processes >= 7 else 80.0}

    def breaks_at_half(processes: int, load: float, *_: object) -> dict[str, float]:
        return {"load": load, "p99 ms": 20.0 if load / processes < 500 else 80.0}

    monkeypatch.setattr(replicas, "steady", needs_seven)
    assert replicas.needed(4000, times, True, 0) == {"cores at full use": 4.0, "processes": 7, "p99 ms": 20.0}
    monkeypatch.setattr(replicas, "steady", breaks_at_half)
    assert replicas.capacity(8, times, True, False, 0)["load"] == pytest.approx(4000, rel=0.04)


def test_an_autoscaler_adds_what_is_asked_for_and_ends_pods_late() -> None:
    fleet, scaler = Fleet(4, 0.01, 2000, np.random.default_rng(0)), Autoscaler("streams", 10)
    fleet.opened[:4] = 25
    scaler.sync(fleet, 0)
    assert fleet.count(0) == 8  # ten are asked for, but twice as many are the most
    assert len(fleet.serving(START_SECONDS - 1)) == 4 and len(fleet.serving(START_SECONDS)) == 8
    scaler.sync(fleet, SYNC_SECONDS)
    assert fleet.count(SYNC_SECONDS) == 10
    fleet.opened[:] = 0
    counts = []
    for sync in range(2, 30):
        scaler.sync(fleet, sync * SYNC_SECONDS)
        counts.append(fleet.count(sync * SYNC_SECONDS))
    assert counts[19] == 10 and counts[-1] == 2  # five minutes after the last figure that asked for ten


def test_answers_are_cut_when_a_pods_time_is_over() -> None:
    fleet = Fleet(2, 0.01, 200, np.random.default_rng(0))
    pods = fleet.step(0, np.array([10.0, 40.0, 90.0, 91.0]))
    for pod in (0, 1):
        fleet.remove(pod, 1, 30)
    assert fleet.cut == 3 and fleet.cut_at == {0: 31 + PRESTOP_SECONDS, 1: 31 + PRESTOP_SECONDS}
    streams = Streams(np.zeros(4), np.array([200, 800, 1800, 1820]), pods)
    assert fleet.stopped(streams).tokens.tolist() == [200, 720, 720, 720]
    fleet.ready[2] = 1
    for now in range(1, 40):
        fleet.step(now, np.array([]))
    assert fleet.opened.sum() == 0


def test_a_longer_drain_cuts_fewer_answers_and_pods_carry_a_burst() -> None:
    times = service_times(0.7e-3, SPREAD)
    short, long = (roll_out(drain, times, 0, pods=1)["answers cut"] for drain in (5, 120))
    assert short > long >= 0
    alone, scaled = (in_a_burst(by, target, times, 0, pods=1) for by, target in (("", 0.0), ("streams", 24.0)))
    assert alone["most pods"] == 1 < scaled["most pods"]
    assert scaled["p99 in the burst, ms"] < alone["p99 in the burst, ms"]


def test_the_figures_of_the_page_follow_from_those_that_were_measured() -> None:
    figures = replicas.results(RESULTS, "replicas")
    costs = {name: 1e6 * float(each.mean()) for name, each in replicas.costs(RESULTS).items()}
    assert figures["us a token"] == pytest.approx(costs)
    for row in figures["needed"]:
        assert row["cores at full use"] == pytest.approx(replicas.LOAD * costs[row["judged"]] / 1e6)
        assert row["cores at full use"] < row["processes"] and row["p99 ms"] <= 50
    made = (RESULTS / "replicas.md").read_text()
    assert made.startswith(replicas.render(figures))
