"""The proxy beside LiteLLM's with its Presidio guardrail, on the same streams.

Measures the time of the first text, the whole time, and leaked characters.

    python -m reticent_bench.proxy.beside_litellm benchmarks/results

Needs the environments of `make engines`. A small server sends synthetic answers token by token; one client asks, one
answer at a time. A character of a value counts as leaked if the shown text holds at least four letters or digits of the
value in a row around it. Presidio runs with every recogniser that needs no download and no model for names, in a
process of its own, as LiteLLM asks it over HTTP. In the last row it answers with an error, as it does under overload.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import httpx
import yaml

from reticent_bench.engines import gateways
from reticent_bench.engines.servers import ROOT, Engine, running
from reticent_bench.proxy.loopback import served, server_of
from reticent_bench.report.result import command_line, footer, provenance, table, write

PAUSE_SECONDS = 0.02
_TOKEN_CHARS = 4
_RUN = 4
_BEFORE = (
    "Thank you for asking. I looked it up for you in the files that we keep, and here is what I found.",
    "Of course. The office moved last spring, so some of the older notes may be out of date by now.",
)
_AFTER = " Please tell me if there is anything else that you would like to know, and I will have a look at it."
_SAYS = {
    "e-mail address": "You can write to her at {}.",
    "phone number": "Her phone number is {}.",
    "IBAN": "The IBAN of the account is {}.",
    "card number": "The credit card number is {}.",
    "social security number": "Her social security number is {}.",
    "IP address": "The address of the machine is {}.",
}


@dataclass(frozen=True, slots=True)
class SampleAnswer:
    """One answer and the value in it, if any."""

    text: str
    value: str = ""


def answers(count: int, seed: int) -> list[SampleAnswer]:
    """So many answers of each kind, and as many without a value."""
    from faker import Faker

    fake, dice = Faker("en_US"), random.Random(seed)
    fake.seed_instance(seed)
    makers: dict[str, Callable[[], str]] = {
        "e-mail address": fake.ascii_safe_email,
        "phone number": lambda: f"212-555-{dice.randrange(100, 200):04d}",
        "IBAN": lambda: str(Faker("de_DE").iban()),
        "card number": lambda: str(fake.credit_card_number("visa16")),
        "social security number": fake.ssn,
        "IP address": fake.ipv4_public,
    }
    Faker.seed(seed)
    said = []
    for kind, sentence in _SAYS.items():
        for _ in range(count):
            value = makers[kind]()
            said.append(SampleAnswer(f"{dice.choice(_BEFORE)} {sentence.format(value)}{_AFTER}", value))
    return said + [SampleAnswer(f"{dice.choice(_BEFORE)}{_AFTER}") for _ in range(count)]


def leaked(value: str, shown: str) -> int:
    """Counts the letters and digits of a value in a text, in runs of at least four."""
    form, text = ("".join(filter(str.isalnum, each)).lower() for each in (value, shown))
    places: set[int] = set()
    for at in range(len(form) - _RUN + 1):
        if form[at : at + _RUN] in text:
            places.update(range(at, at + _RUN))
    return len(places)


@contextmanager
def upstream(said: Sequence[SampleAnswer]) -> Iterator[str]:
    """A server that says the answer whose number the question is, token by token. Yields its address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            shown = b'{"object":"list","data":[]}'
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(shown)))
            self.end_headers()
            self.wfile.write(shown)

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            text = said[int(asked["messages"][-1]["content"])].text
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("connection", "close")
            self.end_headers()
            self._send({"role": "assistant", "content": ""})
            for at in range(0, len(text), _TOKEN_CHARS):
                time.sleep(PAUSE_SECONDS)
                self._send({"content": text[at : at + _TOKEN_CHARS]})
            self._send({}, "stop")
            self.wfile.write(b"data: [DONE]\n\n")
            self.close_connection = True

        def _send(self, delta: dict[str, str], reason: str | None = None) -> None:
            choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
            top = {"id": "chatcmpl-0123456789abcdef", "object": "chat.completion.chunk", "created": 1732200000}
            self.wfile.write(f"data: {json.dumps({**top, 'model': 'small', 'choices': [choice]})}\n\n".encode())
            self.wfile.flush()

        def log_message(self, format: str, *arguments: Any) -> None:
            """Says nothing."""

    with served(server_of(Handler)) as address:
        yield address


@contextmanager
def failing() -> Iterator[str]:
    """Presidio's address, where every request fails."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.send_error(503)

        def log_message(self, format: str, *arguments: Any) -> None:
            """Says nothing."""

    with served(server_of(Handler)) as address:
        yield address


def serve(model_server: str, folder: Path) -> Engine:
    """Our proxy as a process, tier `text`: whatever is found and was not asked about is redacted."""
    rules = {"entities": {"DEFAULT": {"unknown": "redact"}}, "after_redaction": "continue"}
    path = folder / "serve.yaml"
    path.write_text(yaml.safe_dump({"upstream": {"url": model_server}, "policy": "here", "policies": {"here": rules}}))
    line = [sys.executable, "-m", "reticent", "serve", "--config", str(path), "--metrics-port", "0", "--port"]
    paths = os.pathsep.join(str(ROOT / each) for each in ("guard", "detectors", "kernels", "benchmarks"))
    return Engine("serve", "reticent", lambda _, port: [*line, str(port)], {"PYTHONPATH": paths}, "/readyz")


def ask(url: str, number: int) -> tuple[float, float, str, int]:
    """Seconds to the first text and to the end, the text, and the chunks that it came in."""
    body = {"model": "small", "stream": True, "messages": [{"role": "user", "content": str(number)}]}
    begun, first, pieces = time.perf_counter(), None, []
    with httpx.stream("POST", f"{url}/v1/chat/completions", json=body, timeout=120, trust_env=False) as response:
        response.raise_for_status()
        for line in response.iter_lines():
            if not line.startswith("data: {"):
                continue
            frame = json.loads(line.removeprefix("data: "))
            for choice in frame.get("choices", []):
                if text := choice["delta"].get("content"):
                    first = time.perf_counter() - begun if first is None else first
                    pieces.append(text)
    whole = time.perf_counter() - begun
    return whole if first is None else first, whole, "".join(pieces), len(pieces)


def measure(url: str, said: Sequence[SampleAnswer], rounds: int) -> dict[str, float]:
    """The figures of one way, after a few requests to warm it up."""
    for number in range(3):
        ask(url, number)
    firsts, wholes, out, chunks = [], [], 0, []
    for turn in range(rounds):
        for number, each in enumerate(said):
            first, whole, shown, count = ask(url, number)
            firsts.append(first)
            wholes.append(whole)
            chunks.append(count)
            if turn == 0 and each.value:
                out += leaked(each.value, shown)
    return {
        "first text, median ms": 1000 * statistics.median(firsts),
        "whole answer, median ms": 1000 * statistics.median(wholes),
        "chunks, median": statistics.median(chunks),
        "leaked characters": out,
    }


def run(said: Sequence[SampleAnswer], rounds: int, only: Sequence[str]) -> dict[str, dict[str, float]]:
    """The figures of every way, each by itself on the machine."""
    rows: dict[str, dict[str, float]] = {}
    with upstream(said) as model_server, tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)

        def one(name: str, *guardrail: str) -> None:
            if only and name not in only:
                return
            with ExitStack() as stack:
                if name == "bare server":
                    url = model_server
                elif name == "reticent serve":
                    url = stack.enter_context(running(serve(model_server, folder), folder / "log")).url
                else:
                    made = None
                    if guardrail == ("presidio",):
                        service = stack.enter_context(running(gateways.PRESIDIO, folder / "presidio.log"))
                        made = gateways.presidio(service.url)
                    elif guardrail == ("failing",):
                        made = gateways.presidio(stack.enter_context(failing()))
                    engine = gateways.litellm(model_server, folder, made)
                    url = stack.enter_context(running(engine, folder / "litellm.log")).url
                rows[name] = measure(url, said, rounds)
                print(name, rows[name], file=sys.stderr, flush=True)

        one("bare server")
        one("reticent serve")
        one("LiteLLM")
        one("LiteLLM with Presidio", "presidio")
        one("LiteLLM with Presidio, which fails", "failing")
    return rows


def render(figures: dict[str, Any]) -> str:
    """The report."""
    rows = figures["ways"]
    head = ["", *next(iter(rows.values()))]
    shown = table(head, [[name, *row.values()] for name, row in rows.items()])
    return (
        "# Beside LiteLLM with Presidio\n\n"
        f"{figures['answers']} synthetic answers of about {figures['tokens']} tokens, {1000 * PAUSE_SECONDS:.0f} ms "
        f"each, {figures['rounds']} rounds; {figures['value characters']} letters and digits of values in one "
        "round.\n\n"
        f"{shown}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=4, help="answers of each kind")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", action="append", default=[], help="this way; may be given again")
    chosen = parser.parse_args()
    said = answers(chosen.count, chosen.seed)
    figures: dict[str, Any] = {
        "answers": len(said),
        "tokens": statistics.median(len(each.text) // _TOKEN_CHARS for each in said),
        "rounds": chosen.rounds,
        "value characters": sum(sum(map(str.isalnum, each.value)) for each in said),
        "ways": run(said, chosen.rounds, chosen.only),
        "made_by": provenance(command_line(), chosen.seed),
    }
    write(chosen.out, "beside-litellm", figures, render(figures) + footer(figures))


if __name__ == "__main__":
    main()
