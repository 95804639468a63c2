"""Pods that come and go: the autoscaler in a burst, and roll-outs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from reticent_bench.proxy.replicas_queues import (
    GOAL_SECONDS,
    PAUSE_SECONDS,
    WARM_SECONDS,
    Floats,
    Ints,
    Streams,
    arrivals,
    delays,
    lengths,
    mean_tokens,
)  # fmt: skip

MOST_PODS = 512
SYNC_SECONDS, STABLE_SECONDS, TOLERANCE = 15, 300, 0.1
START_SECONDS, PRESTOP_SECONDS, DRAIN_SECONDS = 15, 5, 30
SCALERS: dict[str, tuple[str, float]] = {
    "none": ("", 0.0),
    "cpu, 70 % of 500m": ("cpu", 0.35),
    "cpu, 70 % of a core": ("cpu", 0.7),
    "streams, 32": ("streams", 32.0),
    "streams, 48": ("streams", 48.0),
}


class Fleet:
    """Pods second by second: which are ready, which end, and how many answers each has open.

    Args:
        pods: that are ready at first.
        cores: that an open answer uses.
        seconds: that there are.
    """

    def __init__(self, pods: int, cores: float, seconds: int, rng: np.random.Generator) -> None:
        self._cores, self._rng = cores, rng
        self.ready, self.leaves = np.full(MOST_PODS, seconds + 1), np.full(MOST_PODS, seconds + 1)
        self.ready[:pods] = -1
        self.made, self.cut, self.cut_at = pods, 0, dict[int, int]()
        self.opened, self.waiting, self.used = (np.zeros(MOST_PODS) for _ in range(3))
        self._ends = np.zeros((MOST_PODS, seconds + WARM_SECONDS), np.int32)

    def serving(self, now: int) -> Ints:
        """The pods that take new streams."""
        return np.flatnonzero((self.ready <= now) & (self.leaves > now))

    def count(self, now: int) -> int:
        """The pods that stay, ready or not yet."""
        return int((self.leaves[: self.made] > now).sum())

    def add(self, now: int, pods: int) -> None:
        """Start pods."""
        self.ready[self.made : self.made + pods] = now + START_SECONDS
        self.made += pods

    def remove(self, pod: int, now: int, drain: int) -> None:
        """Tell a pod to end. Answers that are open after its drain time are cut."""
        self.leaves[pod], at = now, now + PRESTOP_SECONDS + drain
        self.cut_at[pod] = at
        self.cut += int(self._ends[pod, at:].sum())
        self._ends[pod, at : at + 1] = self._ends[pod, at:].sum()
        self._ends[pod, at + 1 :] = 0

    def step(self, now: int, ends: Floats) -> Ints:
        """Deal at random the streams that arrive in a second, let it pass, and return their pods."""
        pods = self._rng.choice(self.serving(now), len(ends))
        np.add.at(self._ends, (pods, np.minimum(ends.astype(np.int64), self._ends.shape[1] - 1)), 1)
        self.opened += np.bincount(pods, minlength=MOST_PODS) - self._ends[:, now]
        work = self.waiting + self.opened * self._cores
        self.used = np.minimum(1.0, work)
        self.waiting = work - self.used
        return pods

    def stopped(self, streams: Streams) -> Streams:
        """The streams without the tokens that came after they were cut."""
        at = np.full(MOST_PODS, np.inf)
        at[list(self.cut_at)] = list(self.cut_at.values())
        most = np.maximum(1, np.minimum(streams.tokens, (at[streams.process] - streams.start) / PAUSE_SECONDS))
        return Streams(streams.start, most.astype(np.int64), streams.process)


class Autoscaler:
    """The HorizontalPodAutoscaler: as many pods as the figure of all, a sync ago, asks for. It goes down late."""

    def __init__(self, by: str, target: float) -> None:
        self.by, self._target = by, target
        self._read: list[float] = []
        self._wanted: list[int] = []

    def sync(self, fleet: Fleet, now: int) -> None:
        """Add pods, or end the youngest."""
        pods, have = fleet.serving(now), fleet.count(now)
        self._read.append(float((fleet.used if self.by == "cpu" else fleet.opened)[pods].sum()))
        ratio = self._read[-min(2, len(self._read))] / self._target / have
        asked = have if abs(ratio - 1) <= TOLERANCE else int(np.ceil(ratio * have))
        asked = max(2, min(asked, max(2 * have, have + 4)))
        self._wanted = [*self._wanted, asked][-STABLE_SECONDS // SYNC_SECONDS :]
        fleet.add(now, max(0, asked - have))
        for pod in pods[::-1][: max(0, have - max(self._wanted))]:
            fleet.remove(int(pod), now, DRAIN_SECONDS)


def played(
    fleet: Fleet, start: Floats, begin: int, rng: np.random.Generator, each_second: Callable[[int], None], times: Floats
) -> tuple[Floats, Floats]:
    """Play a fleet, and return when tokens came and their delays, in seconds, from `begin` on.

    `each_second` changes the fleet.
    """
    streams = Streams(start, lengths(rng, len(start)), np.zeros(len(start), np.int64))
    seconds = int(start[-1]) + 1
    bounds = np.searchsorted(start, np.arange(seconds + 1))
    for now in range(seconds):
        part = slice(bounds[now], bounds[now + 1])
        streams.process[part] = fleet.step(now, streams.end[part])
        each_second(now)
    parts = delays(fleet.stopped(streams), (begin, seconds), times, rng)
    came, late = (np.concatenate(part) for part in zip(*parts, strict=True))
    return came, late


def in_a_burst(by: str, target: float, times: Floats, seed: int, pods: int = 8) -> dict[str, float]:
    """Three times the streams for five minutes. Before, 48 answers for each of `pods` are open."""
    rng, cores = np.random.default_rng(seed), float(times.mean()) / PAUSE_SECONDS
    rate, begin = 48 * pods / (mean_tokens() * PAUSE_SECONDS), WARM_SECONDS + STABLE_SECONDS
    end = begin + 300

    def burst(at: Floats) -> Floats:
        return np.where((at >= begin) & (at < end), 3 * rate, rate)

    start = arrivals(rng, 0, end + 600, burst, 3 * rate)
    fleet, scaler, counts = Fleet(pods, cores, end + 601, rng), Autoscaler(by, target), list[int]()

    def each_second(now: int) -> None:
        counts.append(fleet.count(now))
        if target and now % SYNC_SECONDS == 0:
            scaler.sync(fleet, now)

    came, late = played(fleet, start, begin - 120, rng, each_second, times)
    windows = [late[(came >= at) & (came < at + 10)] for at in range(begin, end + 590, 10)]
    slow = [number for number, each in enumerate(windows) if np.quantile(each, 0.99) > GOAL_SECONDS]
    during = late[(came >= begin) & (came < end)]
    return {
        "pods before": counts[begin], "most pods": max(counts), "pod hours": sum(counts[begin:]) / 3600,
        "p99 before, ms": 1000 * float(np.quantile(late[(came >= begin - 100) & (came < begin)], 0.99)),
        "p99 in the burst, ms": 1000 * float(np.quantile(during, 0.99)),
        "seconds above the goal": 10 * len(slow), "answers cut, share": fleet.cut / len(start),
    }  # fmt: skip


def roll_out(drain: int, times: Floats, seed: int, pods: int = 12) -> dict[str, float]:
    """Replace all pods, which have 32 answers open each."""
    rng, begin = np.random.default_rng(seed), WARM_SECONDS + 60
    rate, seconds = 32 * pods / (mean_tokens() * PAUSE_SECONDS), begin + START_SECONDS * pods + 60
    start = arrivals(rng, 0, seconds, lambda at: np.full(len(at), rate), rate)
    fleet, opened = Fleet(pods, float(times.mean()) / PAUSE_SECONDS, seconds + 1, rng), list[float]()

    def each_second(now: int) -> None:
        done, left = divmod(now - begin, START_SECONDS)
        if now == begin:
            opened.append(float(fleet.opened.sum()))
        if now >= begin and left == 0 and done <= pods:
            if done:
                fleet.remove(done - 1, now, drain)
            fleet.add(now, int(done < pods))

    came, late = played(fleet, start, begin - 30, rng, each_second, times)
    return {
        "drain seconds": drain, "answers cut": fleet.cut, "of those open at the beginning": fleet.cut / opened[0],
        "seconds until the last old pod is gone": START_SECONDS * pods + PRESTOP_SECONDS + drain,
        "p99, ms": 1000 * float(np.quantile(late[came >= begin], 0.99)),
    }  # fmt: skip
