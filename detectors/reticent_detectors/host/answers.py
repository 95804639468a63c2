"""Asks a host many prompts at once, without a guard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from reticent_detectors.alignment import chat_ids, text_ids
from reticent_detectors.host.seeded_rows import SeededRows
from reticent_detectors.synth.prompts import Prompt

SHORT = 24
"""Tokens after which ended answers leave their batch. The others are read again and continue in a smaller batch."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A host's answer: the prompt's token ids, the answer's token ids, and whether the host ended it."""

    prompt_ids: tuple[int, ...]
    ids: tuple[int, ...]
    ended: bool

    def __repr__(self) -> str:
        return f"Answer(prompt=<{len(self.prompt_ids)} tokens>, answer=<{len(self.ids)} tokens>)"


def prompt_ids(tokenizer: Any, prompt: Prompt) -> list[int]:
    """Returns a prompt's token ids, by the chat template, or as plain text behind the beginning-of-text token."""
    if prompt.messages:
        messages = [{"role": role, "content": content} for role, content in prompt.messages]
        return chat_ids(tokenizer, messages)
    return text_ids(tokenizer, prompt.text)


def answer_all(
    model: Any,
    tokenizer: Any,
    prompts: Sequence[Prompt],
    *,
    temperature: float = 0.0,
    max_new_tokens: int = 64,
    batch: int = 128,
    seed: int = 0,
) -> list[Answer]:
    """Generates answers in the order of the prompts. The options are those of `answers_to`."""
    return answers_to(
        model,
        tokenizer,
        [prompt_ids(tokenizer, p) for p in prompts],
        temperature=temperature,
        max_new_tokens=max_new_tokens,
        batch=batch,
        seed=seed,
    )


def answers_to(
    model: Any,
    tokenizer: Any,
    encoded: Sequence[Sequence[int]],
    *,
    temperature: float = 0.0,
    top_k: int = 0,
    max_new_tokens: int = 64,
    batch: int = 128,
    most_tokens: int | None = None,
    seed: int = 0,
    seeds: Sequence[int] | None = None,
) -> list[Answer]:
    """Generates answers in the order of the prompts, which are token ids without padding.

    Args:
        model, tokenizer: the host.
        encoded: token ids of each prompt.
        temperature: 0 is greedy. Otherwise plain sampling without other processors.
        top_k: number of likeliest tokens to draw from; 0: all.
        max_new_tokens: longest answer, in tokens.
        batch: prompts in one `generate` call. Prompts of similar length share a call.
        most_tokens: most tokens of a `generate` call, with padding and new tokens. A longer prompt is asked alone.
        seed: seed of the sampling.
        seeds: a seed for each prompt, instead of `seed`. Its draws then do not depend on the other prompts.
    """
    eos_ids = _eos_ids(model, tokenizer)
    pad = tokenizer.eos_token_id if tokenizer.pad_token_id is None else tokenizer.pad_token_id
    torch.manual_seed(seed)
    options: dict[str, Any] = {"do_sample": False, "pad_token_id": pad}
    together = temperature > 0 and seeds is None  # their draws depend on one another
    if together:
        options |= {"do_sample": True, "temperature": temperature, "top_k": top_k, "top_p": 1.0}
    generated: list[list[int]] = [[] for _ in encoded]
    left, tokens_left = list(range(len(encoded))), max_new_tokens if together else min(SHORT, max_new_tokens)
    while left and tokens_left:
        prefixes = {i: [*encoded[i], *generated[i]] for i in left}
        left.sort(key=lambda i: len(prefixes[i]))
        for part in cut_batches([len(prefixes[i]) + tokens_left for i in left], batch, most_tokens):
            rows = left[part]
            if temperature > 0 and seeds is not None:
                draws = SeededRows([seeds[i] for i in rows], temperature, top_k, len(generated[rows[0]]))
                options["logits_processor"] = [draws]
            new = _generate(model, [prefixes[i] for i in rows], tokens_left, pad, options)
            for i, more in zip(rows, new, strict=True):
                generated[i] += more
        left = [i for i in left if not eos_ids.intersection(generated[i])]
        tokens_left = max_new_tokens - max((len(generated[i]) for i in left), default=max_new_tokens)
    answers = []
    for ids, own in zip(encoded, generated, strict=True):
        end = next((place for place, token in enumerate(own) if token in eos_ids), None)
        answers.append(Answer(tuple(ids), tuple(own[:end]), end is not None))
    return answers


def cut_batches(lengths: Sequence[int], most_rows: int, most_tokens: int | None = None) -> list[slice]:
    """Cuts rows into batches with a bound on rows and on tokens with padding.

    Args:
        lengths: lengths of the rows in tokens, ascending. A row of more than `most_tokens` is a batch of its own.
        most_rows: most rows of a batch, at least 1.
        most_tokens: most tokens of a batch, counted as rows times the longest row; None: no bound.
    """
    batches, first = list[slice](), 0
    for place, length in enumerate(lengths):
        count = place - first + 1
        if count > most_rows or (most_tokens is not None and count > 1 and count * length > most_tokens):
            batches.append(slice(first, place))
            first = place
    return [*batches, slice(first, len(lengths))] if lengths else batches


def _generate(
    model: Any, prompts: Sequence[Sequence[int]], tokens_left: int, pad: int, options: dict[str, Any]
) -> list[list[int]]:
    """Returns the new ids of each prompt, padded behind the end. The prompts are padded on the left."""
    width = max(map(len, prompts))
    ids = torch.full((len(prompts), width), pad)
    mask = torch.zeros((len(prompts), width), dtype=torch.long)
    for row, own in enumerate(prompts):
        ids[row, width - len(own) :] = torch.tensor(own)
        mask[row, width - len(own) :] = 1
    with torch.inference_mode():
        out = model.generate(
            input_ids=ids.to(model.device), attention_mask=mask.to(model.device), max_new_tokens=tokens_left, **options
        )
    new: list[list[int]] = out[:, width:].tolist()
    return new


def _eos_ids(model: Any, tokenizer: Any) -> frozenset[int]:
    """Returns the ids that end an answer: the tokenizer's end token, and those at which `generate` stops."""
    stops = model.generation_config.eos_token_id
    several = stops if isinstance(stops, list) else [stops]
    return frozenset(token for token in (*several, tokenizer.eos_token_id) if token is not None)
