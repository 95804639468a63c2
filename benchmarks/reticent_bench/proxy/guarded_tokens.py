"""How many tokens a second one API process guards, and where its processor time goes.

    python -m reticent_bench.proxy.guarded_tokens

The guard stands as middleware around a scripted application in its own process, as it does in vLLM's. The application
streams read answers of real models as vLLM does: a token an event, with log-probabilities and ids, and at each step a
token of every stream. The answers to the guard's questions about values are scripted, too. The policy monitors, so
that all answers are guarded to their end.

* *A token*: processor time of the process, without that of the same application and client with no guard between.
* *Where it goes*: samples of what runs, taken at each millisecond of processor time in runs of their own.

Other processes count only through caches and shared cores, so measure on a quiet machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import uvloop
from prometheus_client import CollectorRegistry

from reticent.serve.config import load
from reticent.serve.middleware import URL, Application, ReticentMiddleware
from reticent.serve.transport.client import Message, Receive, Scope, Send
from reticent_bench.finder.find import tokens
from reticent_bench.report.result import command_line, footer, provenance, table, write

CASES = ("prose", "values")
MODEL, BASE = "private", "base"
PARTS = {
    "encoder": ("reticent_detectors/finder/tagger/",),
    "finder": ("reticent_detectors/",),
    "stream machine": ("reticent/core/",),
    "judging": ("reticent/serve/judging/", "reticent/policy/", "reticent/observability/", "reticent/prompt/"),
    "frames and JSON": ("reticent/serve/stream/", "reticent/serve/wire/", "reticent/serve/api/"),
    "transport": ("reticent/serve/",),
    "application and client": ("reticent_bench/",),
}
"""Parts of the work, by where the innermost frame of the project is. What is in none of them is the event loop's."""
LOOP = "event loop"
_SAMPLE_SECONDS = 0.001
_NATS = -6.0


class Engine:
    """An application that streams answers as vLLM does, of the seed's number: a token of each stream at each step.

    Args:
        answers: to stream.
        pause: between two steps, in seconds.
    """

    def __init__(self, answers: Sequence[str], pause: float) -> None:
        self._events = [[events_of(number, answer, told) for told in (False, True)] for number, answer in
                        enumerate(answers)]  # fmt: skip
        self._pause, self._step = pause, asyncio.Event()

    async def run(self) -> None:
        """Makes steps until it is cancelled."""
        while True:
            await asyncio.sleep(self._pause)
            self._step.set()
            self._step.clear()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = json.loads((await receive())["body"])
        is_question = "allowed_token_ids" in body
        kind = b"application/json" if is_question else b"text/event-stream"
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", kind)]})
        if is_question:
            await send({"type": "http.response.body", "body": said_by_base(body)})
            return
        for event in self._events[body["seed"]][bool(body.get("logprobs"))]:
            await self._step.wait()
            await send({"type": "http.response.body", "body": event, "more_body": True})
        await send({"type": "http.response.body", "body": b"data: [DONE]\n\n"})


def events_of(number: int, answer: str, told: bool) -> list[bytes]:
    """Return an answer's events. `told`: with log-probabilities and ids."""
    top = {"id": f"chatcmpl-{number:016x}", "object": "chat.completion.chunk", "created": 1732200000, "model": MODEL}
    first = {"index": 0, "delta": {"role": "assistant", "content": ""}, "logprobs": None, "finish_reason": None}
    chunks: list[dict[str, Any]] = [{**top, "choices": [first], "prompt_token_ids": [1, 2, 3] if told else None}]
    for place, token in enumerate(tokens(answer)):
        choice = {"index": 0, "delta": {"content": token}, "logprobs": None, "finish_reason": None, "token_ids": None}
        if told:
            tops = [
                {"token": text, "logprob": nats, "bytes": list(text.encode())}
                for text, nats in ((token, -0.17323604226112366), (" or", -2.0980007648468018))
            ]
            choice |= {"logprobs": {"content": [{**tops[0], "top_logprobs": tops}]}, "token_ids": [4 + place]}
        chunks.append({**top, "choices": [choice]})
    last = {"index": 0, "delta": {"content": ""}, "logprobs": None, "finish_reason": "stop", "stop_reason": None}
    chunks.append({**top, "choices": [last]})
    return [f"data: {json.dumps(chunk, separators=(',', ':'))}\n\n".encode() for chunk in chunks]


def said_by_base(body: dict[str, Any]) -> bytes:
    """Return the base's answer to a question about one token."""
    logprobs = {"tokens": ["x"], "token_logprobs": [_NATS], "top_logprobs": [{"x": _NATS}]}
    choice = {"index": 0, "text": "x", "token_ids": body["allowed_token_ids"], "logprobs": logprobs}
    return json.dumps({"id": "cmpl-0", "object": "text_completion", "model": BASE, "choices": [choice]}).encode()


def guarded(engine: Engine) -> ReticentMiddleware:
    """The guard around the engine, with the detector for any model and a base."""
    overrides = {
        "upstream.url": URL, "open": True, "detector.models": (MODEL,), "detector.base": {"model": BASE},
        "policies": {"watching": {"monitor": True, "hold": {"max_seconds": 60}}}, "policy": "watching",
    }  # fmt: skip
    return ReticentMiddleware(engine, load(environ={}, overrides=overrides), registry=CollectorRegistry())


async def ask(app: Application, seed: int) -> None:
    """Asks for one answer, and takes it to its end. Raises RuntimeError if it has another end."""
    body = {"model": MODEL, "messages": [{"role": "user", "content": "Tell me."}], "stream": True, "seed": seed}
    asked: list[Message] = [{"type": "http.request", "body": json.dumps(body).encode(), "more_body": False}]
    path, ended, tail = "/v1/chat/completions", asyncio.Event(), b""

    async def receive() -> Message:
        if not asked:
            await ended.wait()
            return {"type": "http.disconnect"}
        return asked.pop()

    async def send(message: Message) -> None:
        nonlocal tail
        tail = message.get("body") or tail

    scope = {"type": "http", "method": "POST", "path": path, "raw_path": path.encode(), "query_string": b"",
             "headers": [(b"content-type", b"application/json")]}  # fmt: skip
    await app(scope, receive, send)
    ended.set()
    if not tail.endswith(b"data: [DONE]\n\n") or b'"error"' in tail:
        raise RuntimeError("An answer did not come to its end.")


async def play(answers: Sequence[str], streams: int, pause: float, is_guarded: bool) -> tuple[float, Counter[str]]:
    """Asks for all answers, so many at a time. Gives the process's seconds, and its samples if they are taken."""
    engine = Engine(answers, pause)
    guard = guarded(engine) if is_guarded else None
    app: Application = engine if guard is None else guard
    steps = asyncio.ensure_future(engine.run())
    left = iter(range(len(answers)))

    async def client() -> None:
        for seed in left:
            await ask(app, seed)

    await ask(app, 0)  # warm
    _SAMPLES.clear()
    begun = time.process_time()
    await asyncio.gather(*(client() for _ in range(streams)))
    spent = time.process_time() - begun
    samples = _SAMPLES.copy()
    steps.cancel()
    if guard is not None:
        await guard.proxy.aclose()
    return spent, samples


_SAMPLES = Counter[str]()


@contextmanager
def sampling() -> Iterator[None]:
    """Counts by part what runs at each millisecond of the process's time."""

    def take(number: int, frame: FrameType | None) -> None:
        part = _part_of(frame)
        if part == LOOP:  # a judge in a thread may have run
            own = sys._current_frames()
            others = [_part_of(each) for each in own.values()]
            part = next((each for each in others if each not in (LOOP, "transport", "application and client")), part)
        _SAMPLES[part] += 1

    before = signal.signal(signal.SIGPROF, take)
    signal.setitimer(signal.ITIMER_PROF, _SAMPLE_SECONDS, _SAMPLE_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _part_of(frame: FrameType | None) -> str:
    while frame is not None:
        file = frame.f_code.co_filename
        for part, places in PARTS.items():
            if any(place in file for place in places):
                return part
        if "asyncio" in file or "uvloop" in file:
            return LOOP
        frame = frame.f_back
    return LOOP


def measure(folder: Path, streams: Sequence[int], answers: int, runs: int, pause: float) -> dict[str, Any]:
    """Measures all cases: guarded and bare runs in turn, and the least of each."""
    rows, texts = list[dict[str, Any]](), texts_of(folder, answers)
    for case in CASES:
        count = sum(1 for text in texts[case] for _ in tokens(text))
        for at_once in streams:
            own, bare = list[float](), list[float]()
            for _ in range(runs):
                own.append(uvloop.run(play(texts[case], at_once, pause * at_once, True))[0])
                bare.append(uvloop.run(play(texts[case], at_once, pause * at_once, False))[0])
            with sampling():
                shares = uvloop.run(play(texts[case], at_once, pause * at_once, True))[1]
            each = (min(own) - min(bare)) / count * 1e6
            scale = min(own) / count * 1e6 / max(1, shares.total())
            rows.append(
                {
                    "case": case, "streams": at_once, "answers": len(texts[case]), "tokens": count,
                    "guarded tokens a second": 1e6 / each, "us a token": each,
                    "of the application alone": min(bare) / count * 1e6,
                    "parts": {part: shares[part] * scale for part in (*PARTS, LOOP)},
                }
            )  # fmt: skip
            print(f"{case}, {at_once} streams: {each:.0f} us a token", file=sys.stderr)
    return {"rows": rows}


def texts_of(folder: Path, count: int) -> dict[str, list[str]]:
    """Chooses so many read answers of each case, evenly over those there are."""
    own: dict[str, list[str]] = {case: [] for case in CASES}
    rows = [row for row in _rows(*folder.glob("answers-*.jsonl")) if "text" in row]
    said = {f"{row['model']}/{row['id']}": str(row["text"]) for row in rows}
    for row in sorted(_rows(folder / "gold-read.jsonl"), key=lambda row: str(row["id"])):
        if not row.get("drop") and said[row["id"]].strip():
            own[CASES[bool(row["spans"])]].append(said[row["id"]])
    return {case: [each[number * len(each) // count] for number in range(count)] for case, each in own.items()}


def _rows(*files: Path) -> Iterator[dict[str, Any]]:
    """Yields the rows of files of JSON lines, which end at line feeds alone."""
    for file in files:
        yield from (json.loads(line) for line in file.read_text(encoding="utf-8").split("\n") if line.strip())


def render(figures: dict[str, Any]) -> str:
    """The tables as Markdown."""
    rows, head = figures["rows"], ["case", "streams"]
    total = ["guarded tokens a second", "us a token", "of the application alone"]
    return (
        "# Guarded tokens a second of one API process\n\n"
        f"{rows[0]['answers']} read answers of real models a case, {rows[0]['tokens']} and {rows[-1]['tokens']} "
        "tokens of about 4 characters, in chat chunks with log-probabilities. Processor time, the least of the runs. A "
        "token's microseconds are without those of the application and client alone.\n\n"
        + table([*head, *total], [[row["case"], row["streams"], *(round(row[name]) for name in total)] for row in rows])
        + "\n## Where the time goes\n\nMicroseconds a token, with those of application and client.\n\n"
        + table(
            [*head, *rows[0]["parts"]],
            [[row["case"], row["streams"], *(round(each) for each in row["parts"].values())] for row in rows],
        )
    )


def main() -> None:
    """Measures and writes `guarded-tokens`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results"))
    parser.add_argument("--folder", type=Path, default=Path("benchmarks/real_answers"), help="of the answers")
    parser.add_argument("--streams", type=int, nargs="+", default=[1, 8, 32])
    parser.add_argument("--answers", type=int, default=64, help="of each case")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--pause", type=float, default=0.0015, help="seconds of a step, for each stream")
    arguments = parser.parse_args()
    figures = measure(arguments.folder, arguments.streams, arguments.answers, arguments.runs, arguments.pause)
    figures["made_by"] = provenance(command_line(), 0)
    text = render(figures) + footer(figures)
    write(arguments.out, "guarded-tokens", figures, text)
    print(text)


if __name__ == "__main__":
    main()
