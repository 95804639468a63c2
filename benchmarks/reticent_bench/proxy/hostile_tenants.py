"""200 harmless streams beside 20 hostile tenants: what the harmless ones notice, and what the sidecar's memory does.

    python -m reticent_bench.proxy.hostile_tenants --tree before=../before --tree after=.

Each tree is a checkout whose `reticent serve` is measured, one after the other, with all settings at their defaults and
a key for each tenant. The load is a process of its own, which is measured first against the bare server. Load and
server share a core; the sidecar may take both. Everything is on loopback, and ends by itself after `--seconds`.

Hostile are four tenants that have "((1 ((1 ..." judged behind a PIN, three with 12 kB of CSV in one piece, one with
212 kB; three that drip heads and three that drip bodies, on 100 connections each; three with bodies of up to 8 MiB; two
that reset ten streams a second; and one that does not read ten wide streams.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from reticent_bench.proxy.hostile_load import (
    HARMLESS_TENANTS,
    HOSTILE_TENANTS,
    LATE_SECONDS,
    STREAMS,
    harmless_key,
    hostile_key,
)
from reticent_bench.proxy.load import free_port, processor_seconds, ready, resident_mb
from reticent_bench.report.result import command_line, footer, provenance, table, write

BARE = "bare server"
_AFTER_SECONDS = 8.0
_ROOTS = ("guard", "detectors", "kernels", "benchmarks")


@contextmanager
def process(tree: Path, cores: set[int], errors: Path, *command: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process of a checkout's code. It is ended with the block."""
    paths = os.pathsep.join(str(tree.resolve() / root) for root in _ROOTS)
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": paths}
    with errors.open("wb") as said:
        started = subprocess.Popen([sys.executable, *command], env=environment, stdout=said, stderr=said)
        os.sched_setaffinity(started.pid, cores)
        try:
            yield started
        finally:
            started.terminate()
            try:
                started.wait(45)
            except subprocess.TimeoutExpired:
                started.kill()
                started.wait()


def family(pid: int) -> list[int]:
    """A process and all that it started."""
    found = [pid]
    for each in found:
        try:
            for task in Path(f"/proc/{each}/task").iterdir():
                found += map(int, (task / "children").read_text().split())
        except OSError:
            continue
    return found


def memory_mb(pid: int) -> float:
    """Resident memory of a process and all that it started, in MiB."""
    total = 0.0
    for each in family(pid):
        try:
            total += resident_mb(each)
        except (OSError, IndexError):
            continue
    return total


def load(port: int, seconds: float, hostile: bool, pid: int | None, core: int) -> dict[str, Any]:
    """Has the load carried out. Gives its figures, and those of the process that it met."""
    command = [sys.executable, "-m", "reticent_bench.proxy.hostile_load", str(port), str(seconds), str(int(hostile))]
    paths = os.pathsep.join(sys.path)
    out: dict[str, Any] = {}
    with subprocess.Popen(command, env={**os.environ, "PYTHONPATH": paths}, stdout=subprocess.PIPE) as loading:
        os.sched_setaffinity(loading.pid, {core})
        peak, begun = 0.0, time.monotonic()
        before = 0.0 if pid is None else memory_mb(pid)
        cpu = 0.0 if pid is None else processor_seconds(pid)
        while loading.poll() is None and time.monotonic() - begun < 2 * seconds + 60:
            peak = peak if pid is None else max(peak, memory_mb(pid))
            time.sleep(0.25)
        if loading.poll() is None:
            loading.kill()
        said = loading.communicate()[0]
        if pid is not None and Path(f"/proc/{pid}/stat").exists():
            out["processor share"] = (processor_seconds(pid) - cpu) / (time.monotonic() - begun)
            time.sleep(_AFTER_SECONDS)
            out["memory"] = {"before": before, "peak": peak, "after": memory_mb(pid)}
    return {**(json.loads(said) if said.strip() else {"failures of the load itself": ["it did not end"]}), **out}


def measure(trees: dict[str, Path], seconds: float, calm_seconds: float) -> dict[str, Any]:
    """The figures of the bare server, and of each tree alone and beside the hostile tenants."""
    cores = sorted(os.sched_getaffinity(0))
    own, here = cores[0], Path(__file__).resolve().parents[3]
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as made:
        folder, server = Path(made), free_port()
        upstream = ("-m", "reticent_bench.proxy.hostile_upstream", str(server))
        with process(here, {own}, folder / "upstream", *upstream):
            _until_open(server)
            figures[BARE] = load(server, calm_seconds, False, None, own)
            _say(BARE, figures[BARE])
            for name, tree in trees.items():
                port, path = free_port(), folder / f"{name}.yaml"
                keys = [*map(harmless_key, range(HARMLESS_TENANTS)), *map(hostile_key, range(HOSTILE_TENANTS))]
                given = {"upstream": {"url": f"http://127.0.0.1:{server}"}, "port": port, "metrics_port": None}
                path.write_text(yaml.safe_dump({**given, "keys": [{"key": key} for key in keys]}))
                serve = ("-c", "from reticent.commands.serve import app; app()", "--config", str(path))
                errors = folder / f"{name}.log"
                with process(tree, set(cores), errors, *serve) as proxy:
                    ready(port, "/healthz", 120)
                    calm = load(port, calm_seconds, False, proxy.pid, own)
                    _say(f"{name}, calm", calm)
                    hostile = load(port, seconds, True, proxy.pid, own)
                    _say(name, hostile)
                    hostile["exit code"] = proxy.poll()
                hostile["log bytes"] = errors.stat().st_size
                figures[name] = {"calm": calm, "hostile": hostile, "commit": _commit(tree)}
    return figures


def _until_open(port: int) -> None:
    for _ in range(200):
        try:
            ready(port, "/", 0.2)
            return
        except TimeoutError:
            if _listens(port):
                return
    raise TimeoutError("The server did not start.")


def _listens(port: int) -> bool:
    import socket

    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


def _commit(tree: Path) -> str:
    done = subprocess.run(
        ["git", "describe", "--always", "--dirty", "--abbrev=12"], cwd=tree, capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or "not in a repository"


def _say(name: str, figures: dict[str, Any]) -> None:
    print(name, json.dumps(figures), file=sys.stderr, flush=True)


def render(figures: dict[str, Any], seconds: float, others: str) -> str:
    """The tables as Markdown."""
    text = (
        f"# The sidecar beside hostile tenants\n\n{STREAMS} harmless streams of five words a second, of ten tenants, "
        f"beside 20 hostile tenants for {seconds:g} s; tier `text`, default settings, one process. A stream is *late* "
        f"if a word came more than {LATE_SECONDS:g} s later than the stream's most punctual one. The sidecar holds a "
        "word until the next one comes, but not the last, so a word's delay has 200 ms of that. A probe of "
        "`/healthz` has 10 s. The load's own delay is how late its timers were.\n\n"
    )
    if others:
        text += f"Beside it on the machine: {others}.\n\n"
    rows = [("bare server", figures[BARE])]
    for name, both in figures.items():
        if isinstance(both, dict) and "calm" in both:
            rows += [(f"{name}, without hostile tenants", both["calm"]), (f"{name}, beside them", both["hostile"])]
    return text + _streams(rows) + "\n" + _server(rows) + _ends(rows)


def _streams(rows: Sequence[tuple[str, dict[str, Any]]]) -> str:
    head = ["", "streams", "not whole", "late", "word p50 ms", "word p99 ms", "first text p99 ms", "load's own p99 ms"]
    body = []
    for name, row in rows:
        ends = row["streams"]
        count = sum(ends.values())
        delays = [row["chunk delay"]["p50 ms"], row["chunk delay"]["p99 ms"], row["first text"]["p99 ms"]]
        shown = [f"{each:.0f}" for each in (*delays, row["own lag"]["p99 ms"])]
        body.append([name, count, count - ends.get("whole", 0), row["late streams"], *shown])
    return table(head, body)


def _server(rows: Sequence[tuple[str, dict[str, Any]]]) -> str:
    head = [
        "",
        "/healthz p50 ms",
        "/healthz p99 ms",
        "MiB before",
        "MiB at most",
        "MiB after",
        "sidecar's share of a core",
        "load's share",
    ]
    body = []
    for name, row in rows:
        memory = [f"{row['memory'][at]:.0f}" if "memory" in row else None for at in ("before", "peak", "after")]
        share = f"{row['processor share']:.2f}" if "processor share" in row else None
        probes = [f"{row['healthz'][at]:.0f}" for at in ("p50 ms", "p99 ms")]
        body.append([name, *probes, *memory, share, f"{row['own processor share']:.2f}"])
    return table(head, body)


def _ends(rows: Sequence[tuple[str, dict[str, Any]]]) -> str:
    text = "\n## How they ended\n\n"
    for name, row in rows:
        if row.get("hostile"):
            for whose, counts in (("harmless", row["streams"]), ("hostile", row["hostile"])):
                text += f"- {name}, {whose}: {', '.join(f'{count} {end}' for end, count in counts.items())}\n"
    return text


def main() -> None:
    """Measures and writes `hostile-tenants`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tree", action="append", required=True, help="NAME=FOLDER of a checkout; several times.")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--calm-seconds", type=float, default=25.0)
    parser.add_argument("--others", default="", help="What else ran on the machine, for the page.")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results"))
    parser.add_argument("--name", default="hostile-tenants", help="Of the files.")
    arguments = parser.parse_args()
    trees = {name: Path(folder) for name, _, folder in (each.partition("=") for each in arguments.tree)}
    figures = measure(trees, arguments.seconds, arguments.calm_seconds)
    figures["made_by"] = provenance(command_line(), 0)
    text = render(figures, arguments.seconds, arguments.others)
    write(arguments.out, arguments.name, figures, text + footer(figures))
    print(text)


if __name__ == "__main__":
    main()
