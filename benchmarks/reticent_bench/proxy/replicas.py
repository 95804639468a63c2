"""How many processes a load needs, by simulation of 1, 8 and 64 replicas from measured service times.

    python -m reticent_bench.proxy.replicas

Nothing is measured here: a token's processor time is that of `guarded-tokens`, its spread that of `finder-cost`. A
replica is one process on a core of its own (`replicas_queues`). Streams arrive open, Poisson or in bursts, have
long-tailed lengths, and send a token at a time.

* *Fewest open*: a balancer that knows how many answers each replica has open. A Service of Kubernetes deals at random.
* *Autoscaling*: the HorizontalPodAutoscaler's rule every 15 seconds, with figures as old, and its bound of growth.
* *Roll-out*: one pod more, then one old pod fewer, which has its drain time for the answers that are open.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from reticent_bench.proxy.replicas_fleet import SCALERS, START_SECONDS, in_a_burst, roll_out
from reticent_bench.proxy.replicas_queues import (
    GOAL_SECONDS,
    MEDIAN_TOKENS,
    PAUSE_SECONDS,
    SIGMA,
    Floats,
    mean_tokens,
    service_times,
    steady,
)  # fmt: skip
from reticent_bench.report.result import command_line, footer, provenance, table, write

REPLICAS = (1, 8, 64)
LOAD = 100_000


def capacity(processes: int, times: Floats, fewest: bool, bursts: bool, seed: int) -> dict[str, float]:
    """Find the highest load whose 99th percentile is within the goal."""

    def at(utilisation: float) -> dict[str, float]:
        return steady(processes, utilisation * processes / float(times.mean()), times, fewest, bursts, seed)

    low, high = 0.05, 1.0
    for _ in range(6):
        middle = (low + high) / 2
        within = at(middle)["p99 ms"] <= 1000 * GOAL_SECONDS
        low, high = (middle, high) if within else (low, middle)
    return at(low)


def needed(load: float, times: Floats, fewest: bool, seed: int) -> dict[str, float]:
    """Find how few processes carry a load within the goal, up to twice the cores at full use."""
    low, high = int(load * times.mean()), int(2 * load * times.mean())
    while high - low > max(1, low // 50):
        middle = (low + high) // 2
        within = steady(middle, load, times, fewest, False, seed)["p99 ms"] <= 1000 * GOAL_SECONDS
        low, high = (low, middle) if within else (middle, high)
    return {
        "cores at full use": load * float(times.mean()),
        "processes": high,
        **steady(high, load, times, fewest, False, seed),
    }


def results(folder: Path, name: str) -> Any:
    """Read what was measured."""
    return json.loads((folder / f"{name}.json").read_text())


def beside(folder: Path, times: Floats, seed: int) -> list[dict[str, float]]:
    """Delays of one process beside those of `proxy-load`, which has words with nothing to find."""
    paced = results(folder, "proxy-load")["paced"]["reticent serve"]
    return [
        {"streams": int(streams), **{f"{q}, measured": row[q] for q in ("p50 ms", "p99 ms")},
         **{f"{q}, simulated": got[q] for q in ("p50 ms", "p99 ms")}}
        for streams, row in paced.items() if int(streams) > 1
        for got in [steady(1, int(streams) / PAUSE_SECONDS, times, False, False, seed)]
    ]  # fmt: skip


def costs(folder: Path) -> dict[str, Floats]:
    """Service times of a token by what is judged, from the results in a folder."""
    spread = {name: value / 1e6 for name, value in results(folder, "finder-cost")["median of the runs"].items()}
    rows = {
        row["case"]: row["us a token"] / 1e6
        for row in results(folder, "guarded-tokens")["rows"]
        if row["streams"] == 32
    }
    flood = results(folder, "proxy-load")["flood"]["reticent serve"]["requests per core and second"]
    return {
        "answers of real models, log-probabilities": service_times(rows["prose"], spread),
        "the same, answers with values": service_times(rows["values"], spread),
        "words with nothing to find, texts alone": np.full(1, 1 / (64 * flood)),
    }


def measure(folder: Path, seed: int) -> dict[str, Any]:
    """All figures."""
    by_cost = costs(folder)
    times = next(iter(by_cost.values()))
    ways = [("at random", False), ("fewest open", True)]
    texts_alone = list(by_cost.values())[-1]
    return {
        "us a token": {name: 1e6 * float(each.mean()) for name, each in by_cost.items()},
        "capacity": [
            {"replicas": count, "dealt": way, "arrivals": "in bursts" if bursts else "Poisson",
             **capacity(count, times, fewest, bursts, seed)}
            for count in REPLICAS for way, fewest in ways for bursts in (False, True)
        ],
        "needed": [
            {"judged": name, "dealt": way, **needed(LOAD, each, fewest, seed)}
            for name, each in by_cost.items() for way, fewest in ways
        ],
        "burst": [{"autoscaler": name, **in_a_burst(*each, times, seed)} for name, each in SCALERS.items()],
        "beside": beside(folder, texts_alone, seed),
        "roll-out": [roll_out(drain, times, seed) for drain in (30, 60, 120, 300)],
    }  # fmt: skip


TEXTS = {
    "capacity": "## What 1, 8 and 64 replicas carry\n\nThe highest load, in tokens a second, with 99 % of the delays "
    f"within {1000 * GOAL_SECONDS:.0f} ms. Bursts: three times the streams for ten seconds of each minute. "
    "One draw each: some per cent between two rows are chance.",
    "needed": f"## What {LOAD:,} tokens a second need\n\nThe fewest processes with 99 % of the delays within the goal.",
    "burst": "## Autoscaling in a burst\n\nThree times the streams for five minutes. Dealt at random.",
    "beside": "## Beside a measurement\n\nOne process, texts alone, against `proxy-load`, which has sockets, the event "
    "loop and the client in it: what the simulation leaves out.",
    "roll-out": "## Roll-outs\n\nTwelve pods with 32 answers open each, replaced one by one.",
}


def render(figures: dict[str, Any]) -> str:
    """The tables as Markdown."""
    text = f"""# Replicas that a load needs, simulated

From measured service times; no cluster was run. A replica is one process on a core. Assumed:

* Answers have {MEDIAN_TOKENS:.0f} tokens in the median and {mean_tokens():.0f} in the mean (a lognormal with sigma
  {SIGMA:g}), and {1 / PAUSE_SECONDS:.0f} tokens a second. A new pod is ready after {START_SECONDS} s.
* A token's mean time is that of one row each: of `guarded-tokens` at 32 streams, of `proxy-load` for texts alone. The
  other rows of `guarded-tokens` differ by up to a quarter, and the cores with them.
* With log-probabilities the finder's part varies as in `finder-cost`. Its median, p99 and p99.9 are joined; above p99.9
  it grows as it did from p99, which nobody measured. The rest of the mean is a constant. For texts alone all of it is.
* Tokens' times are independent, those of one answer too. In real answers costly tokens may follow each other.
"""
    for name, head in TEXTS.items():
        shown = [[_shown(cell) for cell in row.values()] for row in figures[name]]
        text += f"\n{head}\n\n{table(list(figures[name][0]), shown)}"
    return text


def _shown(cell: Any) -> Any:
    if isinstance(cell, float):
        return f"{cell:,.0f}" if cell >= 1000 else f"{cell:.3g}"
    return cell


def main() -> None:
    """Simulates and writes `replicas`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--measured", type=Path, default=Path("benchmarks/results"), help="Folder with what was measured."
    )
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results"))
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    figures = measure(arguments.measured, arguments.seed)
    figures["made_by"] = provenance(command_line(), arguments.seed)
    text = render(figures) + footer(figures)
    write(arguments.out, "replicas", figures, text)
    print(text)


if __name__ == "__main__":
    main()
