"""Checks that each log-probability that the guard inside vLLM reads belongs to its own request, token by token.

    python -m reticent_bench.engines.inside_attribution --model guard/reticent/assets/host --adapter runs/copies/tiny

Many requests run at once. Each goes to the model with its LoRA adapter or without it, has a length of its own, and
begins when another one ends. Every fifth client leaves in the middle. The engine has fewer blocks for keys and values
than the requests need, so it preempts some and reads them again. Tokens are drawn, so that each text is another one.
The base is not asked about values, which would take most of the time.

Afterwards each text is read alone by the same model in transformers. A row is one token with its log-probability, as
the guard passes it on to a client. It is *wrong* if it differs by more than `AGREE` nats from that of the text alone.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import torch

from reticent_bench.engines.inside_overhead import WITHOUT_SPANS, counted
from reticent_bench.engines.inside_vllm import AGREE, prompts_of
from reticent_bench.engines.vllm_start import BASE, BLOCK, LONGEST, TAUGHT, guarded, launch_of, parser_of
from reticent_bench.report.result import command_line, footer, provenance, table, write
from reticent_detectors.host.load import load_host

TOKENS = (4, 256)
"""Shortest and longest answer, in tokens."""
LEAVES = 0.2
"""Share of the clients who leave in the middle."""


class Wanted(NamedTuple):
    """A request: the model, the chat, the tokens of the answer, and after how many the client leaves."""

    model: str
    messages: list[dict[str, str]]
    tokens: int
    leaves_after: int
    seed: int

    @property
    def body(self) -> dict[str, Any]:
        """Gives what is sent."""
        return {
            "model": self.model, "messages": self.messages, "max_tokens": self.tokens, "ignore_eos": True,
            "temperature": 1.0, "seed": self.seed, "stream": True, "logprobs": True, "return_token_ids": True,
            "skip_special_tokens": False,  # the guard passes on no chunk without text
        }  # fmt: skip


class StreamedAnswer(NamedTuple):
    """The answer to a request: the ids of its prompt, its tokens with their log-probabilities in nats, and its id."""

    wanted: Wanted
    prompt: list[int]
    ids: list[int]
    nats: list[float]
    name: str = ""


def requests_of(adapter: Path, count: int, seed: int) -> list[Wanted]:
    """Draws requests of mixed lengths to both models."""
    rng = random.Random(seed)
    chats = [[{"role": role, "content": text} for role, text in each.messages] for each in prompts_of(adapter, 400, 0)]
    chats += [[{"role": "user", "content": each}] for each in WITHOUT_SPANS]
    wanted = []
    for number in range(count):
        tokens = rng.randint(*TOKENS)
        leaves_after = rng.randint(1, tokens) if rng.random() < LEAVES else tokens
        wanted.append(Wanted(rng.choice((TAUGHT, BASE)), rng.choice(chats), tokens, leaves_after, number))
    return wanted


async def stream_answer(client: httpx.AsyncClient, wanted: Wanted) -> StreamedAnswer:
    """Streams one answer to its end, or until its client leaves."""
    answer = StreamedAnswer(wanted, [], [], [])
    async with client.stream("POST", "/v1/chat/completions", json=wanted.body) as response:
        response.raise_for_status()
        async for line in response.aiter_lines():
            if not line.startswith("data: {"):
                continue
            event = json.loads(line.removeprefix("data: "))
            answer = answer._replace(name=event.get("id", ""))
            answer.prompt.extend(event.get("prompt_token_ids") or ())
            for choice in event.get("choices", ()):
                answer.ids.extend(choice.get("token_ids") or ())
                content = (choice.get("logprobs") or {}).get("content") or ()
                answer.nats.extend(each["logprob"] for each in content)
            if len(answer.nats) >= wanted.leaves_after < wanted.tokens:
                break
    return answer


async def stream_all(url: str, requests: Sequence[Wanted], at_once: int) -> tuple[list[StreamedAnswer], int]:
    """Streams all answers, so many at once, and counts what the engine preempted."""
    free = asyncio.Semaphore(at_once)
    limits = httpx.Limits(max_connections=at_once)
    async with httpx.AsyncClient(base_url=url, timeout=LONGEST, trust_env=False, limits=limits) as client:

        async def one(wanted: Wanted) -> StreamedAnswer:
            async with free:
                return await stream_answer(client, wanted)

        answers = await asyncio.gather(*map(one, requests))
        return answers, await counted(client, "vllm:num_preemptions_total")


def alone(adapter: Path, answers: Sequence[StreamedAnswer]) -> Iterator[list[float]]:
    """Gives the log-probabilities of each answer's tokens, in nats, where nothing else runs."""
    model, _ = load_host(adapter)
    for one in answers:
        # PEFT's adapter is switched off for the base.
        without: Any = model.disable_adapter() if one.wanted.model == BASE else contextlib.nullcontext()
        with torch.inference_mode(), without:
            logits = model(torch.tensor([[*one.prompt, *one.ids]])).logits[0, len(one.prompt) - 1 : -1].float()
        yield logits.log_softmax(-1)[range(len(one.ids)), one.ids].tolist()


def compare(answers: Sequence[StreamedAnswer], theirs: Sequence[Sequence[float]]) -> dict[str, Any]:
    """Counts the rows, those that are wrong, and those that would be wrong with the next request's log-probability."""
    rows = wrong = missing = seen = 0
    most = 0.0
    for number, (one, own) in enumerate(zip(answers, theirs, strict=True)):
        missing += max(0, one.wanted.leaves_after - min(len(one.ids), len(one.nats)))
        following = answers[(number + 1) % len(answers)].nats
        for place, (nats, expected) in enumerate(zip(one.nats, own, strict=False)):
            rows += 1
            wrong += not abs(nats - expected) <= AGREE  # a NaN is wrong
            most = max(most, abs(nats - expected))
            seen += bool(following) and abs(following[place % len(following)] - expected) > AGREE
    return {
        "rows": rows, "wrong": wrong, "missing": missing, "largest difference, nats": most,
        "another request's would be seen": seen / rows if rows else 0.0,
    }  # fmt: skip


def save(out: Path, name: str, figures: dict[str, Any]) -> None:
    """Writes the table."""
    row = figures["measured"]
    text = (
        "# Log-probabilities inside vLLM belong to their request\n\n"
        f"vLLM {figures['made_by']['vllm']}, float32, {figures['mode']}, with the guard in its API process. "
        f"{row['at once']} requests at once, to the model with its LoRA adapter and without, of mixed lengths, begin "
        "and end at random and are preempted. Each text is read again alone, in transformers. A row is one token's "
        f"log-probability; it is wrong beyond {AGREE:g} nats. The last column: rows that would be wrong if they held "
        "the next request's.\n\n"
    ) + table(list(row), [[f"{each:.1e}" if name.startswith("largest") else each for name, each in row.items()]])
    write(out, name, figures, text + footer(figures))
    print(text, flush=True)


def main() -> None:
    """Measures and writes the table."""
    parser: argparse.ArgumentParser = parser_of(__doc__)
    parser.add_argument("--requests", type=int, default=500)
    parser.add_argument("--at-once", type=int, default=64)
    parser.add_argument("--blocks", type=int, default=160, help=f"blocks of {BLOCK} tokens that all requests share")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results"))
    parser.add_argument("--name", default="inside-vllm-attribution")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    requests = requests_of(arguments.adapter, arguments.requests, arguments.seed)
    options = ("--max-num-seqs", str(arguments.at_once), "--num-gpu-blocks-override", str(arguments.blocks))
    files = (arguments.model, arguments.adapter)
    launch = launch_of(arguments)
    engine = launch.engine()
    made_by = {**provenance(command_line(), arguments.seed), "vllm": engine.version(engine.distribution)}
    more: dict[str, Any] = {"models": (TAUGHT, BASE), "asks_base": False, "launch": launch}
    with tempfile.TemporaryDirectory() as folder, guarded(*files, Path(folder), 1, options, **more) as server:
        answers, preempted = asyncio.run(stream_all(server.url, requests, arguments.at_once))
    left = sum(each.wanted.leaves_after < each.wanted.tokens for each in answers)
    counts = {"requests": len(answers), "at once": arguments.at_once, "left early": left, "preempted": preempted}
    measured = {**counts, **compare(answers, list(alone(arguments.adapter, answers)))}
    save(arguments.out, arguments.name, {"measured": measured, "mode": launch.mode, "made_by": made_by})


if __name__ == "__main__":
    main()
