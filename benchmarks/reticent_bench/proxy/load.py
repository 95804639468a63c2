"""What the sidecar adds to streams of a model server, and how many streams it carries.

It is compared with the bare server and with a proxy that does nothing.

    python -m reticent_bench.proxy.load

Server, proxy and load are processes of their own; the proxy has a core to itself, server and load share the other. The
server sends a word at a time; the text holds nothing to find.

* *Added to a chunk*: from the server's sending of a chunk to the client's receipt of the text that the chunk released.
  The next word releases a word, since a value may begin with it. So each receipt is compared with the last sending
  before it. The bare server's own figures are listed beside it.
* *Requests per core*: streams without pauses, by the processor time that the proxy's process took.
* *Memory*: the proxy's resident memory over thousands of streams.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import time
import uuid
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reticent_bench.report.result import command_line, footer, provenance, table, write

SHAPES = ("bare server", "proxy that does nothing", "reticent serve")


@dataclass
class Stream:
    """One stream as the client saw it: when it asked, and when pieces with text came (nanoseconds)."""

    name: str
    asked: int
    came: list[int] = field(default_factory=list)


async def ask(port: int, chunks: int, pause: float, values: bool = False) -> Stream:
    """One streamed request; returns when its end has come. Raises ConnectionError if it ends otherwise."""
    name = uuid.uuid4().hex
    body = json.dumps(
        {"model": "small", "stream": True, "max_tokens": chunks, "pause": pause, "values": values,
         "messages": [{"role": "user", "content": "Tell me about your day."}]}
    ).encode()  # fmt: skip
    head = "POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\n"
    head += f"x-request-id: {name}\r\ncontent-length: {len(body)}\r\n"
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
    try:
        stream = Stream(name, time.monotonic_ns())
        writer.write(head.encode() + b"content-type: application/json\r\nconnection: close\r\n\r\n" + body)
        tail = b""
        while piece := await reader.read(1 << 16):
            now = time.monotonic_ns()
            seen = tail + piece
            if seen.count(b'"content":"') > tail.count(b'"content":"') and b'"content":""' not in piece:
                stream.came.append(now)
            tail = seen[-40:]
            if b"data: [DONE]" in seen:
                return stream
        raise ConnectionError("The stream ended before its end.")
    finally:
        writer.close()


async def times(port: int, name: str) -> list[int]:
    """When the server sent the chunks of a stream."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET /times/{name} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".encode())
    head = await reader.readuntil(b"\r\n\r\n")
    length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
    said: list[int] = json.loads(await reader.readexactly(length))
    writer.close()
    return said


async def paced(port: int, server: int, streams: int, chunks: int, pause: float) -> dict[str, float]:
    """Milliseconds from a sending to what it set free, and to the first text, with so many streams at a time."""

    async def one(number: int) -> Stream:
        await asyncio.sleep(pause * number / streams)  # servers do not speak in step
        return await ask(port, chunks, pause)

    done = await asyncio.gather(*[one(number) for number in range(streams)])
    delays, firsts = [], []
    for stream in done:
        sent = await times(server, stream.name)
        for came in stream.came:
            if (place := bisect_right(sent, came)) > 0:
                delays.append((came - sent[place - 1]) / 1e6)
        firsts.append((stream.came[0] - stream.asked) / 1e6)
    delays.sort()
    return {
        "chunks": len(delays),
        "p50 ms": delays[len(delays) // 2],
        "p95 ms": delays[95 * len(delays) // 100],
        "p99 ms": delays[99 * len(delays) // 100],
        "first text, median ms": statistics.median(firsts),
    }


async def beside(port: int, server: int, arguments: argparse.Namespace, attackers: int) -> dict[str, float]:
    """`paced` with 16 streams beside attackers, whose answers hold a value in every chunk and come without pauses."""
    over = asyncio.Event()

    async def attack() -> None:
        while not over.is_set():
            stream = await ask(port, 2000, 0, values=True)
            await times(server, stream.name)

    attacking = [asyncio.ensure_future(attack()) for _ in range(attackers)]
    try:
        return await paced(port, server, 16, arguments.chunks, arguments.pause)
    finally:
        over.set()
        for each in attacking:
            each.cancel()
        await asyncio.gather(*attacking, return_exceptions=True)


async def flood(port: int, server: int, requests: int, at_once: int, chunks: int) -> None:
    """So many streams without pauses, `at_once` at a time."""
    left = iter(range(requests))

    async def worker() -> None:
        for _ in left:
            stream = await ask(port, chunks, 0)
            await times(server, stream.name)

    await asyncio.gather(*[worker() for _ in range(at_once)])


@contextmanager
def process(core: int, *command: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process of ours on a core of its own."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    started = subprocess.Popen(
        [sys.executable, *command], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _pin(core, started.pid)
    try:
        yield started
    finally:
        started.send_signal(signal.SIGTERM)
        try:
            started.wait(20)
        except subprocess.TimeoutExpired:
            started.kill()


def _pin(core: int, pid: int = 0) -> None:
    cores = sorted(os.sched_getaffinity(0) if pid else range(os.cpu_count() or 1))
    os.sched_setaffinity(pid, {core % (os.cpu_count() or 1)} if cores else set())


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def ready(port: int, path: str, seconds: float = 60.0) -> None:
    """Waits until a server answers. Raises TimeoutError."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            with socket.create_connection(("127.0.0.1", port), 1) as connection:
                connection.sendall(f"GET {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n".encode())
                if connection.recv(16).startswith(b"HTTP/1.1 200"):
                    return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError("The server did not start.")


def processor_seconds(pid: int) -> float:
    """Processor time that a process has taken."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_mb(pid: int) -> float:
    """Resident memory of a process, in MiB."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / (1 << 20)


def measure(arguments: argparse.Namespace) -> dict[str, Any]:
    """All figures of all shapes."""
    figures: dict[str, Any] = {"paced": {}, "flood": {}, "memory": {}}
    server = free_port()
    with process(0, "-m", "reticent_bench.proxy.load_upstream", str(server)):
        ready(server, "/times/0")
        for shape in SHAPES:
            port = server if shape == SHAPES[0] else free_port()
            commands = {
                SHAPES[1]: ("-m", "reticent_bench.proxy.load_passer", f"http://127.0.0.1:{server}", str(port)),
                SHAPES[2]: (
                    "-c", "from reticent.commands.serve import app; app()", "--upstream", f"http://127.0.0.1:{server}",
                    "--port", str(port), "--metrics-port", "0",
                ),
            }  # fmt: skip
            if shape == SHAPES[0]:
                figures["paced"][shape] = _rounds(server, server, arguments)
                continue
            with process(1, *commands[shape]) as proxy:
                ready(port, "/healthz")
                asyncio.run(flood(port, server, 50, 8, 16))  # warm
                figures["paced"][shape] = _rounds(port, server, arguments)
                figures["flood"][shape] = _flood(proxy.pid, port, server, arguments)
                if shape == SHAPES[2]:
                    figures["attack"] = {
                        str(number): asyncio.run(beside(port, server, arguments, number)) for number in (0, 1, 4)
                    }
                    figures["memory"] = _memory(proxy.pid, port, server, arguments)
    return figures


def _rounds(port: int, server: int, arguments: argparse.Namespace) -> dict[str, dict[str, float]]:
    out = {}
    for streams in arguments.streams:
        rows = [
            asyncio.run(paced(port, server, streams, arguments.chunks, arguments.pause)) for _ in range(arguments.runs)
        ]
        out[str(streams)] = {name: statistics.median(row[name] for row in rows) for name in rows[0]}
        print(port, streams, out[str(streams)], file=sys.stderr)
    return out


def _flood(pid: int, port: int, server: int, arguments: argparse.Namespace) -> dict[str, float]:
    rows = []
    for _ in range(arguments.runs):
        before, begun = processor_seconds(pid), time.monotonic()
        asyncio.run(flood(port, server, arguments.requests, 16, 64))
        rows.append((processor_seconds(pid) - before, time.monotonic() - begun))
    cpu, wall = (statistics.median(column) for column in zip(*rows, strict=True))
    return {"requests per core and second": arguments.requests / cpu, "requests per second": arguments.requests / wall}


def _memory(pid: int, port: int, server: int, arguments: argparse.Namespace) -> dict[str, float]:
    out: dict[str, float] = {"before": resident_mb(pid)}
    for part in range(1, 5):
        asyncio.run(flood(port, server, arguments.many // 4, 16, 8))
        out[f"after {part * (arguments.many // 4)}"] = resident_mb(pid)
    return out


def render(figures: dict[str, Any], arguments: argparse.Namespace) -> str:
    """The tables as Markdown."""
    text = (
        f"# The sidecar under load\n\nTier `text`, one process. {arguments.chunks} chunks a stream, one every "
        f"{1000 * arguments.pause:.0f} ms; medians of {arguments.runs} runs.\n\n"
    )
    columns: Sequence[str] = ("p50 ms", "p95 ms", "p99 ms", "first text, median ms")
    rows = [
        [shape, streams, *[f"{row[name]:.2f}" for name in columns]]
        for shape, by in figures["paced"].items()
        for streams, row in by.items()
    ]
    text += table(["", "streams", *columns], rows)
    text += "\n## Throughput\n\nStreams of 64 chunks without pauses, 16 at a time.\n\n"
    text += table(
        ["", "requests per second and core", "requests per second"],
        [[shape, *[f"{value:.1f}" for value in row.values()]] for shape, row in figures["flood"].items()],
    )
    text += (
        "\n## Beside an attacker\n\n"
        "16 streams as above, while others have answers judged that hold an e-mail address in every chunk and come "
        "without pauses.\n\n"
    )
    attack = [[number, *[f"{row[name]:.2f}" for name in columns]] for number, row in figures["attack"].items()]
    text += table(["attackers", *columns], attack)
    text += "\n## Memory\n\nOf `reticent serve`, streams of 8 chunks.\n\n"
    return text + table(["", "MiB"], [[name, f"{value:.1f}"] for name, value in figures["memory"].items()])


def main() -> None:
    """Measures and writes `proxy-load`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results"))
    parser.add_argument("--streams", type=int, nargs="+", default=[1, 16, 64])
    parser.add_argument("--chunks", type=int, default=200)
    parser.add_argument("--pause", type=float, default=0.05)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--requests", type=int, default=400)
    parser.add_argument("--many", type=int, default=10_000)
    arguments = parser.parse_args()
    _pin(0)
    figures = measure(arguments)
    figures["made_by"] = provenance(command_line(), 0)
    text = render(figures, arguments)
    write(arguments.out, "proxy-load", figures, text + footer(figures))
    print(text)


if __name__ == "__main__":
    main()
