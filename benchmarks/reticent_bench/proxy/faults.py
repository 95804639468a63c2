"""What the sidecar does under load when something around it fails: answers, leaks and counters.

    python -m reticent_bench.proxy.faults

Server, proxy and load are processes of their own. Every stream holds planted values, cut anywhere, which the policy
redacts. Each fault meets `--streams` of them at a time, at seeded moments, in `--rounds` rounds. After each round an
ordinary request has to be answered in full.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reticent_bench.proxy.faults_client import End, Seen, ask
from reticent_bench.proxy.faults_sidecar import CLIENT_SECONDS, INFLIGHT, JUDGE_SECONDS, Sidecar, sidecar
from reticent_bench.report.result import command_line, footer, provenance, table, write

CHUNKS, PAUSE_SECONDS = 60, 0.03
_STEP_SECONDS = 0.005
PLAIN = {"max_tokens": CHUNKS, "pause": PAUSE_SECONDS}


@dataclass
class FaultTally:
    """What one fault did in all its rounds."""

    streams: int = 0
    hit: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    leaked: int = 0
    redacted: int = 0
    counted: int = 0
    closed_seconds: list[float] = field(default_factory=list)
    drained_seconds: list[float] = field(default_factory=list)
    serves: bool = True

    def take(self, seen: Iterable[Seen], hit: int) -> None:
        """Takes note of a round's streams, of which so many were hit."""
        for each in seen:
            self.streams += 1
            self.ends[f"{each.end}: {each.code}" if each.code else str(each.end)] += 1
            self.leaked += each.leaked
            self.redacted += each.redacted
        self.hit += hit


Round = Callable[[Sidecar, random.Random, int, FaultTally], Coroutine[Any, Any, None]]


def server_fails(fault: str, stage: str) -> Round:
    """Half of the streams meet a fault of the server's."""

    async def once(side: Sidecar, rng: random.Random, streams: int, row: FaultTally) -> None:
        before = side.count("failures_total", stage=stage)
        bodies = [{**PLAIN, **({"fault": fault, "at": rng.randrange(CHUNKS)} if n % 2 else {})} for n in range(streams)]
        seen = await _together(side, bodies)
        row.take(seen, sum("fault" in body for body in bodies))
        row.counted += side.count("failures_total", stage=stage) - before

    return once


async def server_killed(side: Sidecar, rng: random.Random, streams: int, row: FaultTally) -> None:
    """SIGKILL to the server."""
    before = side.count("failures_total", stage="upstream")
    asking = asyncio.ensure_future(_together(side, [PLAIN] * streams))
    await asyncio.sleep(rng.uniform(0.5, 1.5))
    side.upstream.kill()
    seen = await asking
    side.upstream.wait(5)
    side.start_server()
    row.take(seen, sum(each.end is not End.WHOLE for each in seen))
    row.counted += side.count("failures_total", stage="upstream") - before


def client_leaves(way: str) -> Round:
    """Half of the clients go; of those that stop reading four at a time, on wide streams."""

    async def once(side: Sidecar, rng: random.Random, streams: int, row: FaultTally) -> None:
        before, stops = side.count("client_disconnects_total"), way == "stops reading"
        wide = {"max_tokens": 1000, "pause": 0.01, "wide": True} if stops else PLAIN
        leaving = [
            ask(side.port, wide, rng.randrange(1, 12), way, CLIENT_SECONDS + 8 if stops else 20)
            for _ in range(4 if stops else streams // 2)
        ]
        asking = [ask(side.port, PLAIN) for _ in range(streams - len(leaving))]
        seen = await asyncio.gather(*leaving, *asking)
        await asyncio.sleep(1.0)
        gone = [each for each in seen if each.left]
        saw = side.left()
        row.closed_seconds += [(saw[each.name] - each.left) / 1e9 for each in gone if each.name in saw]
        row.take(seen, len(gone))
        row.counted += side.count("client_disconnects_total") - before

    return once


async def judge_hangs(side: Sidecar, rng: random.Random, streams: int, row: FaultTally) -> None:
    """The detector hangs over a quarter of the streams.

    A judge has few threads, so streams that wait too long fail, too.
    """
    before = side.count("failures_total", stage="judge")
    bodies = [{**PLAIN, **({"hang": 3 * JUDGE_SECONDS} if n % 4 == 0 else {})} for n in range(streams)]
    seen = await _together(side, bodies)
    await asyncio.sleep(3 * JUDGE_SECONDS)  # a hung thread ends by itself
    row.take(seen, sum(each.end is not End.WHOLE for each in seen))
    row.counted += side.count("failures_total", stage="judge") - before


async def limits_full(side: Sidecar, rng: random.Random, streams: int, row: FaultTally) -> None:
    """More streams than may be open."""
    before = side.count("failures_total", stage="request")
    seen = await _together(side, [PLAIN] * (INFLIGHT + streams))
    row.take(seen, sum(each.status == 429 for each in seen))
    row.counted += side.count("failures_total", stage="request") - before


async def terminated(side: Sidecar, rng: random.Random, streams: int, row: FaultTally) -> None:
    """SIGTERM to the proxy; `counted`: the redactions that the decision log tells of, if its chain holds."""
    await asyncio.sleep(0.5)  # earlier entries are written by now
    before = side.logged()
    asking = asyncio.ensure_future(_together(side, [PLAIN] * streams))
    await asyncio.sleep(rng.uniform(0.5, 1.5))
    side.proxy.send_signal(signal.SIGTERM)
    begun = time.monotonic()
    while side.proxy.poll() is None and time.monotonic() < begun + 20:
        await asyncio.sleep(0.01)
    row.drained_seconds.append(time.monotonic() - begun)
    seen = await asking
    row.take(seen, sum(each.redacted for each in seen))
    row.counted += side.logged() - before
    side.start()


async def worker_killed(side: Sidecar, rng: random.Random, streams: int, row: FaultTally) -> None:
    """SIGKILL to one of two workers; its streams are cut off, the other's go on."""
    asking = asyncio.ensure_future(_together(side, [PLAIN] * streams))
    await asyncio.sleep(rng.uniform(0.5, 1.5))
    killed = rng.choice(side.workers())
    os.kill(killed, signal.SIGKILL)
    seen = await asking
    begun = time.monotonic()
    while (killed in side.workers() or len(side.workers()) < 2) and time.monotonic() < begun + 20:
        await asyncio.sleep(0.05)
    row.take(seen, sum(each.end is not End.WHOLE for each in seen))


FAULTS: dict[str, tuple[Round, dict[str, Any]]] = {
    "server killed": (server_killed, {}),
    "server resets": (server_fails("reset", "upstream"), {}),
    "server cuts a frame": (server_fails("cut frame", "upstream"), {}),
    "server cuts a character": (server_fails("cut character", "upstream"), {}),
    "server sends HTML": (server_fails("HTML", "frame"), {}),
    "server falls silent": (server_fails("silence", "upstream"), {}),
    "client closes": (client_leaves("closes"), {}),
    "client half-closes": (client_leaves("half-closes"), {}),
    "client stops reading": (client_leaves("stops reading"), {}),
    "detector hangs": (judge_hangs, {"shadow": True}),
    "too many streams": (limits_full, {}),
    "SIGTERM to the proxy": (terminated, {}),
    "SIGKILL to a worker": (worker_killed, {"workers": 2}),
}


async def _together(side: Sidecar, bodies: list[dict[str, Any]]) -> list[Seen]:
    """Streams that begin one behind the other, so that workers share them."""

    async def one(number: int, body: dict[str, Any]) -> Seen:
        await asyncio.sleep(number * _STEP_SECONDS)
        return await ask(side.port, body)

    return list(await asyncio.gather(*[one(number, body) for number, body in enumerate(bodies)]))


def measure(arguments: argparse.Namespace) -> dict[str, Any]:
    """Every fault's row."""
    rows: dict[str, Any] = {}
    for name in arguments.faults or FAULTS:
        once, settings = FAULTS[name]
        row, rng = FaultTally(), random.Random(f"{arguments.seed} {name}")
        with sidecar(dict(settings)) as side:
            for _ in range(arguments.rounds):
                asyncio.run(once(side, rng, arguments.streams, row))
                after = asyncio.run(ask(side.port, PLAIN))
                row.serves = row.serves and after.end is End.WHOLE and after.redacted > 0
                row.leaked += after.leaked
        rows[name] = {**row.__dict__, "ends": dict(row.ends)}
        print(name, rows[name], file=sys.stderr)
    return rows


def render(rows: dict[str, Any], arguments: argparse.Namespace) -> str:
    """The table as Markdown."""
    text = (
        "# The sidecar when something fails\n\n"
        f"Tier `text`, fail mode `closed`, one process. {arguments.rounds} rounds of {arguments.streams} streams for "
        "each fault. *Hit* are the streams that the fault met; *counted* what the proxy's own counter for it says "
        "(`failures_total` of the stage, `client_disconnects_total`; "
        "for SIGTERM the redactions in the decision log, whose chain holds, beside those that clients saw). "
        "*Characters of planted values* are counted from a value's second one: a single letter behind an "
        "announcement (`Write to z`) is a word to the finder, also where a stream breaks off behind it. "
        f"A client that stops reading is cut off after {CLIENT_SECONDS:g} s (`limits.client_seconds`), once what "
        "lies between has filled up.\n\n"
    )
    head = [
        "fault",
        "streams",
        "hit",
        "counted",
        "how the streams ended",
        "characters of planted values",
        "redacted",
        "server saw the close within",
        "drained within",
        "serves afterwards",
    ]
    body = []
    for name, row in rows.items():
        ends = ", ".join(f"{count} {end}" for end, count in sorted(row["ends"].items(), reverse=True))
        latest = [f"{max(each):.2f} s" if each else "—" for each in (row["closed_seconds"], row["drained_seconds"])]
        counted = "—" if name == "SIGKILL to a worker" else row["counted"]
        body.append(
            [
                name,
                row["streams"],
                row["hit"],
                counted,
                ends,
                row["leaked"],
                row["redacted"],
                *latest,
                "yes" if row["serves"] else "no",
            ]
        )
    return text + table(head, body)


def main() -> None:
    """Measures and writes `proxy-faults`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results"))
    parser.add_argument("--streams", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--faults", nargs="+", choices=FAULTS)
    arguments = parser.parse_args()
    rows = measure(arguments)
    figures = {"faults": rows, "made_by": provenance(command_line(), arguments.seed)}
    text = render(rows, arguments)
    write(arguments.out, "proxy-faults", figures, text + footer(figures))
    print(text)


if __name__ == "__main__":
    main()
