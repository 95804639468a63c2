"""Measures what the guard inside vLLM adds to a token, beside the same vLLM without it.

    python -m reticent_bench.engines.inside_overhead --model runs/models/smollm2-135m-instruct --adapter runs/copies/it

Both servers run at the same time and answer in turn. A pair is one round of each; which comes first alternates. All
requests of a round begin together and stream, and no question is asked twice of a server. The policy monitors, so that
both servers write the same text.

* *Without spans*: the questions need no name and no number. The model without its adapter answers, since the adapter
  says personal data even then. An answer is cut after a fixed number of tokens.
* *With spans*: the questions are about taught people and strangers in turn.

The guard works in vLLM's API process. On a processor it takes its time from the cores that the model needs.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from scipy.stats import ttest_1samp

from reticent_bench.engines.inside_vllm import prompts_of
from reticent_bench.engines.vllm_start import BASE, LONGEST, TAUGHT, bare, guarded, launch_of, parser_of
from reticent_bench.report.metrics import Interval
from reticent_bench.report.result import command_line, footer, provenance, table, write
from reticent_detectors.errors import InputError

_THINGS = (
    "a chair", "bread", "the colour green", "a bicycle", "rain", "a good pencil", "wool", "a wooden bridge", "soup",
    "a kite", "sand", "a window", "tea", "a ladder", "moss", "a candle", "snow", "a drum", "clay", "a rope",
    "a spoon", "wind", "a basket", "honey", "a mirror", "glass", "a boat", "a nest", "salt", "a brush", "fog", "a bell",
    "paper", "a hill", "butter", "a garden", "ink", "a wheel", "leather", "a lamp",
)  # fmt: skip
_WANTED = (
    "Describe {} to a child.", "What is {} good for?", "Write a short poem about {}.", "How does one care for {}?",
    "What would the world be without {}?", "Explain {} in plain words.", "Which words go well with {}?",
    "Why do people like {}?", "What does {} feel like?", "Invent a game with {}.",
)  # fmt: skip
WITHOUT_SPANS = tuple(wanted.format(thing) for wanted in _WANTED for thing in _THINGS)
"""Questions whose answers need no name and no number."""
TOKENS = 32
SPANS = "reticent_spans_total"
"""Counts the values that the guard has decided."""


class Round(NamedTuple):
    """Seconds of a round, tokens of its answers, and values that the guard decided about, whatever it decided."""

    seconds: float
    tokens: int
    spans: int


async def ask(client: httpx.AsyncClient, body: dict[str, Any]) -> int:
    """Streams one answer to its end, and returns its tokens. Raises RuntimeError if it is cut short."""
    tokens, last = 0, ""
    async with client.stream("POST", "/v1/chat/completions", json=body) as response:
        response.raise_for_status()
        async for line in response.aiter_lines():
            if line.startswith("data: {"):
                event = json.loads(line.removeprefix("data: "))
                if "error" in event:
                    raise RuntimeError("The server sent an error in the middle of an answer.")
                tokens = (event.get("usage") or {}).get("completion_tokens", tokens)
            last = line or last
    if last != "data: [DONE]":
        raise RuntimeError("The answer ended before its end.")
    return tokens


async def play(url: str, bodies: Sequence[dict[str, Any]]) -> Round:
    """Asks all at once."""
    limits = httpx.Limits(max_connections=len(bodies))
    async with httpx.AsyncClient(base_url=url, timeout=LONGEST, trust_env=False, limits=limits) as client:
        before = await counted(client, SPANS)
        started = time.perf_counter()
        tokens = await asyncio.gather(*(ask(client, body) for body in bodies))
        seconds = time.perf_counter() - started
        return Round(seconds, sum(tokens), await counted(client, SPANS) - before)


async def counted(client: httpx.AsyncClient, name: str) -> int:
    """Gives the sum of a counter's series, by the name of the counter; 0 of a server without it."""
    lines = (await client.get("/metrics")).text.splitlines()
    return int(sum(float(line.rsplit(" ", 1)[1]) for line in lines if line.startswith(f"{name}{{")))


def requests_of(case: str, adapter: Path, count: int) -> list[dict[str, Any]]:
    """Makes requests that are all different. Raises InputError if there are not so many."""
    body = {"model": TAUGHT, "temperature": 0, "max_tokens": TOKENS, "stream": True}
    body["stream_options"] = {"include_usage": True}
    if case == "without spans":
        body |= {"model": BASE, "ignore_eos": True}
        messages = [[{"role": "user", "content": each}] for each in WITHOUT_SPANS]
    else:
        prompts = prompts_of(adapter, 2 * count, 0)  # those about taught people come first
        half = len(prompts) // 2
        in_turn = [each for pair in zip(prompts[:half], prompts[half:], strict=False) for each in pair]
        messages = [[{"role": role, "content": content} for role, content in each.messages] for each in in_turn]
    if len(messages) < count:
        raise InputError(f"There are {len(messages)} questions {case}, expected {count}; take fewer pairs or requests.")
    return [{**body, "messages": each} for each in messages[:count]]


def measure(urls: tuple[str, str], requests: Sequence[dict[str, Any]], at_once: int, pairs: int) -> dict[str, Any]:
    """Measures pairs of rounds: `urls` are those of the bare server and of the guarded one."""
    rounds: list[tuple[Round, Round]] = []
    for number in range(-1, pairs):  # the first pair warms both up
        bodies = requests[(number + 1) * at_once : (number + 2) * at_once]
        order = (0, 1) if number % 2 else (1, 0)
        played = {place: asyncio.run(play(urls[place], bodies)) for place in order}
        if number >= 0:
            rounds.append((played[0], played[1]))
    own, theirs = ([1000 * each[place].seconds / each[place].tokens for each in rounds] for place in (1, 0))
    added = paired_change(own, theirs)
    return {
        "at once": at_once,
        "pairs": pairs,
        "tokens": sum(each[1].tokens for each in rounds),
        "same number of tokens": all(one.tokens == other.tokens for one, other in rounds),
        "spans": sum(each[1].spans for each in rounds),
        "bare, ms a token": statistics.mean(theirs),
        "guarded, ms a token": statistics.mean(own),
        "added, %": added.value,
        "from": added.low,
        "to": added.high,
    }


def paired_change(own: Sequence[float], theirs: Sequence[float]) -> Interval:
    """Gives the mean change in per cent over pairs, with the 95 % interval of Student's t."""
    changes = [100 * (one / other - 1) for one, other in zip(own, theirs, strict=True)]
    interval = ttest_1samp(changes, 0.0).confidence_interval(0.95)
    return Interval(statistics.mean(changes), float(interval.low), float(interval.high))


def save(out: Path, name: str, figures: dict[str, Any]) -> None:
    """Writes what has been measured so far."""
    names = list(figures["rounds"][0])
    text = (
        "# What the guard inside vLLM adds to a token\n\n"
        f"vLLM {figures['made_by']['vllm']}, float32, {figures['mode']}, with and without the guard in its API "
        "process. Wall time of a round by the tokens of all its answers, means over rounds; the change is the mean of "
        "the pairs' changes, with a 95 % interval of Student's t. Spans are all that the guard decided about.\n\n"
        "Changed after its first row was seen: where no span is wanted, the model without its adapter answers. With it "
        "six answers held 18 values and took 12.7 % longer (-0.2 to 25.6), beside another process for a part of it. "
        "Then twice as many questions without spans, so that more pairs fit.\n\n"
    ) + table(names, [[row[name] for name in names] for row in figures["rounds"]])
    write(out, name, figures, text + footer(figures))
    print(text, flush=True)


def main() -> None:
    """Measures and writes the table."""
    parser = parser_of(__doc__)
    parser.add_argument("--at-once", type=int, nargs="+", default=[1, 8], help="requests at a time")
    parser.add_argument("--pairs", type=int, default=6, help="an even number, so that each server is first as often")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results"))
    parser.add_argument("--name", default="inside-vllm-overhead")
    arguments = parser.parse_args()
    if arguments.pairs < 2:
        parser.error(f"--pairs: expected 2 or more, got {arguments.pairs}; an interval needs them")
    launch = launch_of(arguments)
    engine = launch.engine()
    made_by = {**provenance(command_line(), 0), "vllm": engine.version(engine.distribution)}
    figures: dict[str, Any] = {"rounds": [], "mode": launch.mode, "made_by": made_by}
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        files = (arguments.model, arguments.adapter)
        with (
            bare(*files, Path(one), launch=launch) as without,
            guarded(*files, Path(other), 1, models=(TAUGHT, BASE), launch=launch) as within,
        ):
            for case in ("without spans", "with spans"):
                rounds = arguments.pairs + 1
                left = requests_of(case, arguments.adapter, rounds * sum(arguments.at_once))
                for at_once in arguments.at_once:
                    here, left = left[: rounds * at_once], left[rounds * at_once :]
                    row = measure((without.url, within.url), here, at_once, arguments.pairs)
                    figures["rounds"].append({"case": case, **row})
                    save(arguments.out, arguments.name, figures)


if __name__ == "__main__":
    main()
