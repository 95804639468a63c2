"""Tests that somebody else wrote, against this guard: `make peers`.

    python -m reticent_bench.proxy.peers .engines/peers

**pii-leak-benchmark**, response split: a model server says again what the request held, which the caller has to get
back (fidelity), and says values that the request did not hold, which the caller must not get (leak), whole and cut at
every place, with a second pass for pieces of values. It runs against `reticent serve` under the preset `gateway`. Its
outcome also asks whether a proxy hides the prompt from the model server. This one does not, so its word for the outcome
is not ours.

**chunk-invariance**: a text gives the same whole and in all pieces. It runs on `TextGuard` and through `reticent
serve`, whole texts against every cut into two parts, and every cut of short texts into three.

Everything is on loopback, and ends by itself.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import yaml

from reticent import TextGuard
from reticent_bench.proxy.load import free_port, ready
from reticent_bench.proxy.loopback import served
from reticent_bench.report.result import command_line, footer, provenance, table, write

SEEDS = ("a1b2c3d4e5f60001", "00c0ffee00000002", "5eed5eed00000003")
PRESET = "gateway"
_MOST_SECONDS = 900
_SHORT_CHARS = 60
TEXTS = (
    "Her number is 415-555-0134, and the office has 415-555-0199.",
    "Write to wren.oak@example.org or to Una.Elm+work@mail.example.com today.",
    "SSN 512-48-7731, card 4012-8888-8888-1881, account DE89370400440532013000.",
    '{"name": "Una Elm", "ssn": 512487731, "phones": ["(312) 555-0187", "+44 20 7946 0991"]}',
    "He was born on 17 April 1990 in Leeds and lives at 12 High Street, Leeds LS1 4AP.",
    "password: hunter2-Tr0ub4dor\napi_key = sk-proj-9fK2mQ7xT4vB8nL1zR6wAbCd\nssh 203.0.113.77",
    "The build took 1073741824 ns; version 4.18.2.1 of lib-7 is at commit 5dd70e7d42d525908781bdd.",
    "Call 415\u2011555\u20110134 or 4 1 5 5 5 5 0 1 3 4, that is four one five, five five five, oh one three four.",
    "IPv6 2001:db8:85a3::8a2e:370:7334, MAC 00:1A:2B:3C:4D:5E, IBAN GB29 NWBK 6016 1331 9268 19.",
    "una%2Eelm%40example.org, una [at] example [dot] org, &#117;na@example.org",
    "Order 7741-2290 shipped; tracking 1Z999AA10123456784; MRN 00482913; policy no. HX-204418.",
    "+1 (415) 555-0134",
    "una.elm@example.org",
    "4012 8888 8888 1881",
    "The clinic in Leeds names Una Elm, 14 March 1987, NHS 943 476 5919, and the ward's desk on 0113 496 0001.",
    "Meine Nummer ist 030 901820, die Steuer-ID 86 095 742 719.",
)


def response_split(peers: Path, seed: str, port: int, upstream: int, folder: Path) -> dict[str, Any]:
    """Runs pii-leak-benchmark's response split with one seed. Gives its summary."""
    program = peers / "bin" / "pii-leak-benchmark-v2"
    told = ["--out", str(folder), "--only", PRESET, "--seed", seed, "--json-out", str(folder / "summary.json")]
    told += ["--gateway-url", f"http://127.0.0.1:{port}/v1/chat/completions", "--upstream-port", str(upstream)]
    told += ["--exhaustive-splits", "--partial-emission"]
    subprocess.run([str(program), *told], check=False, timeout=_MOST_SECONDS, stdout=subprocess.DEVNULL)
    row = json.loads((folder / "summary.json").read_text())["rows"][0]
    partial = json.loads((folder / f"{PRESET}.partial-emission.json").read_text())
    row["partial_emission_rate"] = partial["metrics"]["partial_emission_rate"]["overall"]
    return {key: value for key, value in row.items() if key not in ("report", "schema_valid", "schema_errors")}


@contextmanager
def proxy(upstream: int) -> Iterator[tuple[int, Path]]:
    """Run `reticent serve` under the preset before an upstream's port. Yield its port, and a folder that is removed."""
    port = free_port()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        config = {"upstream": {"url": f"http://127.0.0.1:{upstream}"}, "port": port, "metrics_port": None}
        (folder / "serve.yaml").write_text(yaml.safe_dump({**config, "policy": PRESET}))
        serve = [sys.executable, "-m", "reticent", "serve", "--config", str(folder / "serve.yaml")]
        with subprocess.Popen(serve, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                ready(port, "/healthz", 120)
                yield port, folder
            finally:
                process.terminate()


def split_through_proxy(peers: Path) -> list[dict[str, Any]]:
    """Run pii-leak-benchmark with all seeds against `reticent serve`."""
    upstream = free_port()
    with proxy(upstream) as (port, folder):
        return [response_split(peers, seed, port, upstream, folder) for seed in SEEDS]


class Saying(ThreadingHTTPServer):
    """A model server that says some pieces, one a chunk of its stream."""

    daemon_threads = True
    pieces: Sequence[str] = ()

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Say)


class _Say(BaseHTTPRequestHandler):
    server: Saying
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        choices: list[dict[str, Any]] = [
            {"index": 0, "delta": {"content": each}, "finish_reason": None} for each in self.server.pieces
        ]
        choices.append({"index": 0, "delta": {}, "finish_reason": "stop"})
        top = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "m"}
        said = "".join(f"data: {json.dumps({**top, 'choices': [choice]})}\n\n" for choice in choices)
        body = f"{said}data: [DONE]\n\n".encode()
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def shown_through(
    client: httpx.Client, port: int, upstream: Saying, pieces: Iterable[str], typed: str = "Go on."
) -> str:
    """Return what a client of the proxy sees of an answer that comes in these pieces, after what it typed.

    Raises:
        httpx.HTTPStatusError: the proxy refused.
    """
    upstream.pieces = list(pieces)
    asked = {"model": "m", "stream": True, "messages": [{"role": "user", "content": typed}]}
    answer = client.post(f"http://127.0.0.1:{port}/v1/chat/completions", json=asked).raise_for_status()
    chunks = [json.loads(line[6:]) for line in answer.text.splitlines() if line.startswith("data: {")]
    return "".join(choice["delta"].get("content") or "" for chunk in chunks for choice in chunk["choices"])


def invariance(
    peers: Path, stream: Callable[[Iterable[str]], Iterable[str]], whole: Callable[[str], str]
) -> dict[str, Any]:
    """Run chunk-invariance on a guard: return the splits that it tried, and the texts that differ."""
    sys.path += [str(each) for each in peers.glob("lib/python3*/site-packages")]
    from chunk_invariance import ChunkInvarianceError, assert_chunk_invariant  # type: ignore[import-not-found]

    tried, differ = 0, 0
    for text in TEXTS:
        for splits in ("all-two-part", *([3] if len(text) <= _SHORT_CHARS else [])):
            try:
                tried += assert_chunk_invariant(stream, whole, text, splits=splits)
            except ChunkInvarianceError:
                differ += 1
    return {"texts": len(TEXTS), "splits": tried, "texts that differ": differ}


def invariance_of_both(peers: Path) -> dict[str, Any]:
    """Run chunk-invariance on `TextGuard` and through `reticent serve`."""
    guard = TextGuard()
    figures = {"TextGuard": invariance(peers, guard.stream, lambda text: guard.redact(text).text)}
    upstream = Saying()
    with served(upstream), proxy(upstream.server_port) as (port, _), httpx.Client(timeout=60) as client:
        figures["reticent serve"] = invariance(
            peers,
            lambda pieces: [shown_through(client, port, upstream, pieces)],
            lambda text: shown_through(client, port, upstream, [text]),
        )
    return figures


def render(figures: dict[str, Any]) -> str:
    """Return the tables as Markdown."""
    keys = ("fidelity_rate", "leak_single_chunk", "leak_adversarial", "partial_emission_rate", "cases_applicable")
    rows = [[row["seed"], *(row[key] for key in keys)] for row in figures["response split"]]
    return (
        "# Somebody else's tests\n\npii-leak-benchmark 0.6.0, response split with every cut, against `reticent serve` "
        f"with the preset `{PRESET}`:\n\n"
        + table(["seed", "fidelity", "leak, whole", "leak, cut", "pieces out", "cases"], rows)
        + "\nchunk-invariance 0.2.0:\n\n"
        + table(
            ["on", "texts", "splits", "texts that differ"],
            [[f"`{name}`", *own.values()] for name, own in figures["chunk-invariance"].items()],
        )
    )


def main() -> int:
    """Run both, and write the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peers", type=Path, help="Environment with benchmarks/engines/peers.txt.")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results"))
    arguments = parser.parse_args()
    figures: dict[str, Any] = {
        "response split": split_through_proxy(arguments.peers),
        "chunk-invariance": invariance_of_both(arguments.peers),
    }
    figures["made_by"] = provenance(command_line(), 0)
    write(arguments.out, "peers", figures, render(figures) + footer(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
