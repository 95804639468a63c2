"""Queues of tokens: streams that arrive open, and how long each of their tokens waits in its process.

A process takes tokens in the order in which they come. A *token's delay* is waiting and work: from its coming to the
end of its judging. Text that waits for a decision is not in it, nor are sockets and the network.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
GOAL_SECONDS = 0.05
"""The 99th percentile that a token's delay may have: the pause between two tokens."""
MEDIAN_TOKENS, SIGMA, MOST_TOKENS = 250.0, 1.0, 8192
"""Of an answer's length, a lognormal: mean 411, 99th percentile 2,560."""
PAUSE_SECONDS = 0.05
BURST_EVERY, BURST_SECONDS, BURST_FACTOR = 60.0, 10.0, 3.0
PROCESS_SECONDS = 1500.0
"""The least that is simulated, of all processes together."""
WARM_SECONDS = int(MOST_TOKENS * PAUSE_SECONDS)


def service_times(mean: float, spread: dict[str, float], size: int = 20_000) -> Floats:
    """Return equally likely service times of a token in seconds, ascending: what is spread as `spread`, and a constant.

    Args:
        mean: of all, in seconds.
        spread: `mean`, `median`, `p99`, `p99.9` of the part that varies, in seconds; between them it is interpolated.
        size: of the sample.
    """
    u = (np.arange(size) + 0.5) / size
    top = spread["p99.9"] ** 2 / spread["p99"]

    def varying(bend: float) -> Floats:
        knots = np.log([spread["median"], spread["median"], spread["p99"], spread["p99.9"], top])
        middle = 0.5 + 0.49 * (np.clip(u - 0.5, 0.0, 0.49) / 0.49) ** bend
        bent = np.where(u < 0.99, middle, u)
        return np.exp(np.interp(bent, [0.0, 0.5, 0.99, 0.999, 1.0], knots))

    low, high = 0.01, 100.0
    for _ in range(60):
        bend = (low * high) ** 0.5
        low, high = (bend, high) if varying(bend).mean() > spread["mean"] else (low, bend)
    return mean - spread["mean"] + varying(high)


@dataclass
class Streams:
    """Streams by arrival: when each began (seconds), its tokens, and its process."""

    start: Floats
    tokens: Ints
    process: Ints

    @property
    def end(self) -> Floats:
        return self.start + self.tokens * PAUSE_SECONDS


def lengths(rng: np.random.Generator, count: int) -> Ints:
    """Draw answers' lengths in tokens."""
    drawn = np.exp(rng.normal(np.log(MEDIAN_TOKENS), SIGMA, count))
    return np.clip(drawn, 1, MOST_TOKENS).astype(np.int64)


def arrivals(
    rng: np.random.Generator, begin: float, end: float, rate: Callable[[Floats], Floats], most: float
) -> Floats:
    """Draw the times of a Poisson process with a rate a second that varies and is `most` at most."""
    times = np.sort(rng.uniform(begin, end, rng.poisson(most * (end - begin))))
    return times[rng.uniform(0, most, len(times)) < rate(times)]


@cache
def mean_tokens() -> float:
    """Return the mean length of an answer in tokens."""
    return float(lengths(np.random.default_rng(0), 1_000_000).mean())


def dealt(streams: Streams, processes: int, rng: np.random.Generator, fewest: bool) -> None:
    """Deal streams to processes: at random, or each to the one with the fewest open."""
    if not fewest:
        streams.process[:] = rng.integers(processes, size=len(streams.start))
        return
    opened, ends = np.zeros(processes, np.int64), np.argsort(streams.end)
    ended, end = 0, streams.end
    for number, start in enumerate(streams.start):
        while end[ends[ended]] <= start:
            opened[streams.process[ends[ended]]] -= 1
            ended += 1
        chosen = int(opened.argmin())
        streams.process[number] = chosen
        opened[chosen] += 1


def sojourns(arrival: Floats, service: Floats) -> Floats:
    """Return the time in a queue with one server, first come first served, of each (Lindley's recursion)."""
    work = np.cumsum(service)
    return np.maximum.accumulate(arrival - (work - service)) + work - arrival


def delays(
    streams: Streams, window: tuple[float, float], times: Floats, rng: np.random.Generator
) -> Iterator[tuple[Floats, Floats]]:
    """Yield each process's tokens within a window: when they came, and their delays, in seconds."""
    first = np.maximum(0, np.ceil((window[0] - streams.start) / PAUSE_SECONDS)).astype(np.int64)
    after = np.minimum(streams.tokens, np.ceil((window[1] - streams.start) / PAUSE_SECONDS).astype(np.int64))
    count = np.maximum(0, after - first)
    for process in np.unique(streams.process):
        own = np.flatnonzero((streams.process == process) & (count > 0))
        begun = np.repeat(np.cumsum(count[own]) - count[own], count[own])
        place = np.arange(len(begun)) - begun + np.repeat(first[own], count[own])
        came = np.sort(np.repeat(streams.start[own], count[own]) + place * PAUSE_SECONDS)
        yield came, sojourns(came, times[rng.integers(len(times), size=len(came))])


def steady(
    processes: int, load: float, times: Floats, fewest: bool, bursts: bool, seed: int, seconds: float | None = None
) -> dict[str, float]:
    """Delays of `processes` under `load` tokens a second, once as many streams are open as will be."""
    rng, least = np.random.default_rng(seed), BURST_EVERY if bursts else BURST_EVERY / 2
    seconds = seconds or least * np.ceil(max(1.0, PROCESS_SECONDS / processes / least))  # whole bursts
    base = load / mean_tokens()
    share = BURST_SECONDS / BURST_EVERY
    calm = base / (1 + share * (BURST_FACTOR - 1)) if bursts else base

    def rate(at: Floats) -> Floats:
        return np.where((at % BURST_EVERY < BURST_SECONDS) & bursts, BURST_FACTOR * calm, calm)

    start = arrivals(rng, -WARM_SECONDS, seconds, rate, calm * (BURST_FACTOR if bursts else 1))
    streams = Streams(start, lengths(rng, len(start)), np.zeros(len(start), np.int64))
    dealt(streams, processes, rng, fewest)
    begin = -0.25 * seconds  # so that queues have grown
    kept = np.concatenate([late[came >= 0] for came, late in delays(streams, (begin, seconds), times, rng)])
    return {
        "tokens a second": len(kept) / seconds, "utilisation": load * float(times.mean()) / processes,
        "streams a process": load * PAUSE_SECONDS / processes,
        **{f"p{q} ms": 1000 * float(np.quantile(kept, q / 100)) for q in (50, 99)},
    }  # fmt: skip
