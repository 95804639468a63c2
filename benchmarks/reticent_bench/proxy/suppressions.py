"""What a suppression store of 10,000 entries does: how soon workers take it up, what a token costs, what comes out.

    python -m reticent_bench.proxy.suppressions benchmarks/results

* *Taken up*: `reticent serve` with four workers stands before a server that always says one telephone number, which is
  added to the store and removed again. Seconds run from the end of the change to the last answer that was not judged by
  it, and to the moment from which the metrics say so of every worker.
* *A token*: processor time of finder and stream machine on pieces of at most five characters, without a store, with
  the entries of one person and with 10,000, in turns; without a records index, and beside one.
* *The probe*: `reticent forget probe` on the demo host, for values that it was taught.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import httpx
import yaml

from reticent.commands.suppression_probe import Outcome, ask
from reticent.demo import assets
from reticent.key_files import write_key
from reticent.policy.policy import Policy
from reticent.records.index import KEY_BYTES, RecordsIndex
from reticent.serve.judging.open_text import OpenText
from reticent.serve.request_bounds import Bounds
from reticent.suppressions.active import SuppressionList
from reticent.suppressions.store import SuppressionStore
from reticent_bench.engines.servers import ROOT, Engine, running
from reticent_bench.proxy.loopback import served, server_of
from reticent_bench.report.result import command_line, footer, provenance, table, write
from reticent_detectors.entities import ENTITIES, Entity
from reticent_detectors.finder import SpanFinder
from reticent_detectors.host.load import recipe_of
from reticent_detectors.synth.cast import cast
from reticent_detectors.synth.people import PeopleMaker

_NAME = "suppressions"
ENTRIES, WORKERS, _PIECES = 10_000, 4, 600
_REFERENCE = "benchmark"
_VALUE = Entity.PHONE_NUMBER, "+1 555 010 0177"
_SAYS = "You can reach her at +1 555 010 0177 in the morning."
_METRIC = re.compile(r"^reticent_suppression_entries(?:\{[^}]*\})? ([0-9.]+)", re.M)
_KINDS = 9
"""Entries of the first person, one of each kind: as many ways to look for values are at work as with all entries."""
_PIECE = re.compile(r"\s?\S{1,5}")
_PROBED = Entity.PHONE_NUMBER, Entity.EMAIL_ADDRESS, Entity.ADDRESS
_MOST_SECONDS = 60.0


def people_values(count: int, seed: int) -> list[tuple[str, str]]:
    """So many values of invented people, of kinds that tell somebody, each with its kind."""
    found = list[tuple[str, str]]()
    for person in PeopleMaker(seed).endless("suppressed"):
        found += [(str(entity), value) for entity, value in person.values.items() if ENTITIES[entity].long]
        if len(found) >= count:
            return found[:count]
    raise AssertionError("there is always another person")


@contextmanager
def upstream() -> Iterator[str]:
    """A server that always says the same. Yields its address."""
    message = {"role": "assistant", "content": _SAYS}
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
    top = {"id": "chatcmpl-0123456789abcdef", "object": "chat.completion", "created": 1732200000, "model": "small"}
    shown = json.dumps({**top, "choices": [choice]}).encode()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._send(b'{"object":"list","data":[]}')

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self._send(shown)

        def _send(self, body: bytes) -> None:
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: Any) -> None:
            """Says nothing."""

    with served(server_of(Handler)) as address:
        yield address


def is_stopped(url: str) -> bool:
    """Whether an answer comes without the number. Each question has its own connection, so any worker may get it."""
    body = {"model": "small", "messages": [{"role": "user", "content": "How can I reach her?"}]}
    answer = httpx.post(f"{url}/v1/chat/completions", json=body, timeout=60, trust_env=False)
    answer.raise_for_status()
    return "0177" not in answer.json()["choices"][0]["message"]["content"]


def fewest_entries(port: int) -> int:
    """Active entries in the worker that has fewest."""
    text = httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=60, trust_env=False).text
    found = _METRIC.search(text)
    return -1 if found is None else int(float(found[1]))


def seconds_until(url: str, metrics: int, stopped: bool, entries: int) -> tuple[float, float]:
    """Seconds to the last answer by the former entries, and until the metrics tell of all workers."""
    begun = time.monotonic()
    last_other, told = begun, 0.0
    while time.monotonic() < begun + _MOST_SECONDS:
        if is_stopped(url) is not stopped:
            last_other = time.monotonic()
        if not told and fewest_entries(metrics) == entries:
            told = time.monotonic()
        if told and time.monotonic() > max(told, last_other) + 2.0:
            return last_other - begun, told - begun
    raise RuntimeError("The workers did not take the change up within a minute.")


def taken_up(rounds: int, store: Path, key: bytes) -> dict[str, Any]:
    """The seconds from a change to its effect, for each round. The store has one entry less than `ENTRIES`."""
    folder, metrics = store.parent, _free_port()
    with upstream() as model_server:
        settings = {
            "upstream": {"url": model_server},
            "workers": WORKERS,
            "suppressions": {"store": str(store)},
            "metrics_port": metrics,
        }
        (folder / "serve.yaml").write_text(yaml.safe_dump(settings))
        line = [sys.executable, "-m", "reticent", "serve", "--config", str(folder / "serve.yaml"), "--port"]
        paths = os.pathsep.join(str(ROOT / each) for each in ("guard", "detectors", "kernels", "benchmarks"))
        engine = Engine("serve", "reticent", lambda _, port: [*line, str(port)], {"PYTHONPATH": paths}, "/readyz")
        rows = []
        with running(engine, folder / "log") as server:
            for _ in range(rounds):
                added, took = _changed(store, key, lambda opened: opened.add([_VALUE], reference=_REFERENCE))
                on = seconds_until(server.url, metrics, True, ENTRIES)
                _changed(store, key, partial(SuppressionStore.remove, ids=[added[0].id]))
                off = seconds_until(server.url, metrics, False, ENTRIES - 1)
                rows.append({"write": took, "last leak": on[0], "all workers": on[1], "removed": max(off)})
                print(rows[-1], file=sys.stderr, flush=True)
        return {"entries": ENTRIES, "workers": WORKERS, "store_bytes": store.stat().st_size, "rounds": rows}


def _changed(store: Path, key: bytes, change: Callable[[SuppressionStore], Any]) -> tuple[Any, float]:
    begun = time.monotonic()
    with SuppressionStore.editing(store, key, datetime.now(UTC)) as opened:
        made = change(opened)
    return made, time.monotonic() - begun


def token_costs(rounds: int, store: Path, key: bytes, seed: int) -> dict[str, Any]:
    """Processor time a piece in microseconds, by whether records are there and by the number of entries."""
    now, begun = datetime.now(UTC), time.process_time()
    entries = SuppressionStore.read(store, key, now).entries
    everything = SuppressionList(entries, key, now)
    read_seconds = time.process_time() - begun
    lists = {0: None, _KINDS: SuppressionList(entries[:_KINDS], key, now), len(entries): everything}
    index = RecordsIndex.build(people_values(500, seed + 1))
    pieces = _PIECE.findall((ROOT / "docs" / "wrap.md").read_text("utf-8"))[:_PIECES]
    finder, dice, costs = SpanFinder(), random.Random(seed), dict[str, Any]()
    finder.warm()
    for name, records in (("no records index", None), ("a records index", index)):
        rows = {count: list[float]() for count in lists}
        for _ in range(rounds):
            for count in dice.sample(list(lists), len(lists)):
                rows[count].append(_token_microseconds(pieces, finder, records, lists[count]))
        costs[name] = {
            str(count): {
                "microseconds": statistics.median(row),
                "added": statistics.median(one - other for one, other in zip(row, rows[0], strict=True)),
                "over few entries": statistics.median(
                    one - other for one, other in zip(row, rows[_KINDS], strict=True)
                ),
            }
            for count, row in rows.items()
        }
    return {"pieces": len(pieces), "rounds": rounds, "read_seconds": read_seconds, "costs": costs}


def _token_microseconds(
    pieces: Sequence[str], finder: SpanFinder, records: RecordsIndex | None, suppressions: SuppressionList | None
) -> float:
    policy = Policy.default().for_texts(recorded=True)
    opened = OpenText(policy, finder, records, Bounds(spans=1_000_000), suppressions=suppressions)
    begun = time.process_time()
    for piece in pieces:
        list(opened.feed(piece))
    list(opened.finish())
    return (time.process_time() - begun) / len(pieces) * 1e6


def probed(people: int) -> list[dict[str, Any]]:
    """The outcomes of the probe by kind, on the demo host and the first people that it was taught."""
    host = assets() / "host"
    taught = cast(recipe_of(host)).private[:people]
    values = [(each.name, str(kind), each.values[kind]) for each in taught for kind in _PROBED if kind in each.values]
    with tempfile.TemporaryDirectory() as scratch:
        store, key = Path(scratch) / "store", os.urandom(KEY_BYTES)
        with SuppressionStore.editing(store, key, datetime.now(UTC)) as opened:
            opened.add([each[1:] for each in values], reference=_REFERENCE)
        found = ask(store, key, str(host), values, samples=2, tokens=48)
    return [_row_of(kind, [each for each in found if each.entity == kind]) for kind in map(str, _PROBED)]


def _row_of(kind: str, found: Sequence[Outcome]) -> dict[str, Any]:
    return {
        "kind": kind,
        "values": len(found),
        "answers": sum(each.answers for each in found),
        "before": sum(each.before for each in found),
        "after": sum(each.after for each in found),
        "values before": sum(each.before > 0 for each in found),
        "values after": sum(each.after > 0 for each in found),
    }


def render(figures: dict[str, Any]) -> str:
    """The report of what was measured."""
    parts = [write_up(figures[name]) for name, write_up in _PARTS.items() if name in figures]
    return "# Suppression\n\n" + "\n".join(parts)


def _taken_up_page(taken: dict[str, Any]) -> str:
    changes = [[number, *row.values()] for number, row in enumerate(taken["rounds"], 1)]
    return (
        f"{taken['workers']} workers, {taken['entries']:,} entries ({taken['store_bytes'] / 1e6:.1f} MB). Seconds from "
        "the end of a change to its effect; `removed`: until all let the value pass again.\n\n"
        + table(["round", "writing the store", "last answer with the value", "all workers", "removed"], changes)
    )


def _token_page(costs: dict[str, Any]) -> str:
    rows = [[name, int(count), *row.values()] for name, by in costs["costs"].items() for count, row in by.items()]
    return (
        "Processor time of finder and stream machine a piece of at most five characters, in microseconds: medians of "
        f"{costs['rounds']} rounds of {costs['pieces']} pieces, and of the differences within a round. Reading a new "
        f"store takes {costs['read_seconds']:.2f} s of a worker's processor.\n\n"
        + table(["beside", "entries", "a piece", "over no store", "over one person's entries"], rows)
    )


def _probe_page(rows: list[dict[str, Any]]) -> str:
    head = ["kind", "values", "answers", "with the value, before", "after", "values that came out, before", "after"]
    return (
        "The demo host, asked by `reticent forget probe` for values that it was taught, without and with their "
        "suppression. No other part of the guard is at work.\n\n" + table(head, [list(row.values()) for row in rows])
    )


_PARTS: dict[str, Callable[[Any], str]] = {"taken_up": _taken_up_page, "token": _token_page, "probe": _probe_page}


def _free_port() -> int:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--rounds", type=int, default=4, help="changes of the store")
    parser.add_argument("--cost-rounds", type=int, default=8)
    parser.add_argument("--people", type=int, default=6, help="whom the probe asks about")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=[*_PARTS], help="measure this part, and keep the others")
    chosen = parser.parse_args()
    wanted = [name for name in _PARTS if chosen.only in (None, name)]
    file = chosen.out / f"{_NAME}.json"
    figures: dict[str, Any] = json.loads(file.read_text()) if chosen.only is not None and file.exists() else {}
    with tempfile.TemporaryDirectory() as scratch:
        store, key = Path(scratch) / "people.suppressions", os.urandom(KEY_BYTES)
        write_key(Path(scratch) / "people.key", key)
        if wanted != ["probe"]:
            with SuppressionStore.editing(store, key, datetime.now(UTC)) as opened:
                opened.add(people_values(ENTRIES - 1, chosen.seed), reference=_REFERENCE)
        measures: dict[str, Callable[[], Any]] = {
            "taken_up": lambda: taken_up(chosen.rounds, store, key),
            "token": lambda: token_costs(chosen.cost_rounds, store, key, chosen.seed),
            "probe": lambda: probed(chosen.people),
        }
        for name in wanted:
            figures[name] = measures[name]()
            figures["made_by"] = provenance(command_line(), chosen.seed)
            write(chosen.out, _NAME, figures, render(figures) + footer(figures))


if __name__ == "__main__":
    main()
