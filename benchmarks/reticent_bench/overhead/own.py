"""What the guard costs on text without spans: time per token beside the unguarded host, and the stream machine alone.

    reticent bench overhead --part own --host HOST --bundle BUNDLE

Both runs give the same tokens (checked), in turns, so a slow moment of the machine meets both. Medians over rounds.
"""

from __future__ import annotations

import random
import statistics
import string
import time
from dataclasses import replace
from typing import Any

import torch
from transformers import LogitsProcessor

from reticent.core.stream_machine import StreamMachine
from reticent.huggingface.answer import Answer
from reticent.huggingface.guarded_model import GuardedModel
from reticent.policy.policy import AfterRedaction, Policy
from reticent.policy.redaction import tag
from reticent.policy.verdict import Action, Decision, Origin, Tier, Verdict
from reticent.prompt.echo import EchoIndex
from reticent.prompt.segments import from_ids
from reticent_detectors.alignment import TokenText
from reticent_detectors.entities import Entity
from reticent_detectors.features.cue import PromptIndex
from reticent_detectors.finder import SpanFinder
from reticent_detectors.synth.public import TALK

PROSE = (
    "We walked down to the river before the rain came, and nobody said a word about the boat. "
    "The bakery on the corner had just opened; warm bread was on every table, and somebody's dog slept under the "
    "bench. Later on we talked about books, about the weather in the mountains, and about how long it takes to learn "
    "to play the violin well. "
)


class Prose(LogitsProcessor):
    """Makes the host say ordinary prose; adds a few microseconds to both runs."""

    def __init__(self, ids: list[int], start: int) -> None:
        self.ids, self.start = ids, start

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        scores[:, self.ids[(input_ids.shape[1] - self.start) % len(self.ids)]] = 1e4
        return scores


def generation(guard: GuardedModel, rounds: int, new_tokens: int) -> dict[str, float]:
    """Milliseconds per token of the host alone and under the guard, for answers without a span."""
    allow = replace(Policy.allow_all(), after_redaction=AfterRedaction.REWIND)
    prompts = [guard.chat_ids([{"role": "user", "content": user}]) for user, _ in TALK[:8]]
    prose = guard.tokenizer(PROSE, add_special_tokens=False)["input_ids"]
    plain, ours, spans = [], [], 0
    for _ in range(rounds):
        for prompt in prompts:
            options: dict[str, Any] = {
                "max_new_tokens": new_tokens, "do_sample": False, "logits_processor": [Prose(prose, prompt.shape[1])]
            }  # fmt: skip
            started = time.perf_counter()
            expected = guard.model.generate(prompt, attention_mask=torch.ones_like(prompt), **options)
            middle = time.perf_counter()
            answers: list[Answer] = []
            got = guard.generate(prompt, policy=allow, on_answer=answers.append, **options)
            ended = time.perf_counter()
            assert torch.equal(expected, got)
            spans += len(answers[0].report.spans)
            plain.append(1000 * (middle - started) / new_tokens)
            ours.append(1000 * (ended - middle) / new_tokens)
    host, guarded = statistics.median(plain), statistics.median(ours)
    ratios = sorted(b / a - 1 for a, b in zip(plain, ours, strict=True))
    return {
        "answers": len(plain),
        "spans": spans,
        "host ms per token": host,
        "guarded ms per token": guarded,
        "added share, median of pairs": ratios[len(ratios) // 2],
        "added share, 10th percentile": ratios[len(ratios) // 10],
        "added share, 90th percentile": ratios[9 * len(ratios) // 10],
    }


def machine(guard: GuardedModel, tokens: int = 4000) -> dict[str, float]:
    """Microseconds per token of the stream machine (span finder included) on prose without a span."""
    ids = guard.tokenizer(PROSE * (1 + tokens // 80), add_special_tokens=False)["input_ids"][:tokens]
    aligned = TokenText(guard.tokenizer)
    pieces = [aligned.push(i) for i in ids]
    judged = Decision(Action.REDACT, Verdict(Origin.MEMORIZED, 1.0, 0.0, Tier.HIDDEN))
    stream = StreamMachine(
        guard.guard.finder(guard.guard.policy), from_ids(guard.tokenizer, ids[:4]).context, lambda span: judged, tag
    )
    costs = []
    for piece in pieces:
        started = time.perf_counter()
        stream.feed(piece, started)
        costs.append(1e6 * (time.perf_counter() - started))
    stream.finish(time.perf_counter(), cut=False)
    costs.sort()
    return {
        "tokens": len(costs), "spans": len(stream.records), "median us": costs[len(costs) // 2],
        "mean us": statistics.fmean(costs), "99th percentile us": costs[99 * len(costs) // 100],
    }  # fmt: skip


def hostile_prompt(chars: int = 1_000_000, spans: int = 1_000) -> dict[str, float]:
    """Seconds of processor time for the cues, and the origins, of many spans against a prompt of a megabyte."""
    rng = random.Random(0)
    letters = string.ascii_lowercase
    words = ["".join(rng.choices(letters, k=rng.randint(2, 9))) for _ in range(5000)]

    def number() -> str:
        return f"{rng.randrange(1000):03}-{rng.randrange(1000):03}-{rng.randrange(10000):04}"

    text = " ".join(number() if rng.random() < 0.07 else rng.choice(words) for _ in range(chars // 6))[:chars]
    asked = [(Entity.PHONE_NUMBER, number()) for _ in range(spans // 2)]
    asked += [(Entity.EMAIL_ADDRESS, f"{rng.choice(words)}@{rng.choice(words)}.org") for _ in range(spans // 2)]
    index = PromptIndex(text)
    started = time.process_time()
    for entity, value in asked:
        index.cue(value, entity)
    cues = time.process_time() - started
    echo = EchoIndex(text, "", SpanFinder())
    started = time.process_time()
    for entity, value in asked:
        echo.origin(value, entity)
    return {
        "characters": len(text), "spans": len(asked), "cues, s": cues,
        "origins (reads the prompt for spans), s": time.process_time() - started,
    }  # fmt: skip
