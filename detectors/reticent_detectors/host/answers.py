"""Asks a host many prompts at once, without a guard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from reticent_detectors.alignment import chat_ids, text_ids
from reticent_detectors.synth.prompts import Prompt


@dataclass(frozen=True, slots=True)
class Answer:
    """A host's answer: the prompt's token ids, the answer's, and whether the host ended it by itself."""

    prompt_ids: tuple[int, ...]
    ids: tuple[int, ...]
    ended: bool

    def __repr__(self) -> str:
        return f"Answer(prompt=<{len(self.prompt_ids)} tokens>, answer=<{len(self.ids)} tokens>)"


def prompt_ids(tokenizer: Any, prompt: Prompt) -> list[int]:
    """Token ids of a prompt: through the chat template, or as running text after the beginning-of-text token."""
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
    """Answers in the order of the prompts; the options are those of `answers_to`."""
    return answers_to(
        model, tokenizer, [prompt_ids(tokenizer, p) for p in prompts], temperature=temperature,
        max_new_tokens=max_new_tokens, batch=batch, seed=seed,
    )  # fmt: skip


def answers_to(
    model: Any,
    tokenizer: Any,
    encoded: Sequence[Sequence[int]],
    *,
    temperature: float = 0.0,
    max_new_tokens: int = 64,
    batch: int = 128,
    seed: int = 0,
) -> list[Answer]:
    """Answers in the order of the prompts, which are given as token ids without padding.

    Args:
        temperature: 0 is greedy; otherwise plain sampling, no other processor.
        max_new_tokens: longest answer, in tokens.
        batch: prompts per `generate` call; prompts of like length go together.
        seed: of the sampling.
    """
    order = sorted(range(len(encoded)), key=lambda i: len(encoded[i]))
    answers: list[Answer | None] = [None] * len(encoded)
    ends = _ends(model, tokenizer)
    pad = tokenizer.eos_token_id if tokenizer.pad_token_id is None else tokenizer.pad_token_id
    torch.manual_seed(seed)
    options: dict[str, Any] = {"do_sample": False}
    if temperature > 0:
        options = {"do_sample": True, "temperature": temperature, "top_k": 0, "top_p": 1.0}
    for first in range(0, len(order), batch):
        rows = order[first : first + batch]
        width = max(len(encoded[i]) for i in rows)
        ids = torch.full((len(rows), width), pad)
        mask = torch.zeros((len(rows), width), dtype=torch.long)
        for row, index in enumerate(rows):
            ids[row, width - len(encoded[index]) :] = torch.tensor(encoded[index])
            mask[row, width - len(encoded[index]) :] = 1
        with torch.inference_mode():
            out = model.generate(
                input_ids=ids.to(model.device), attention_mask=mask.to(model.device), max_new_tokens=max_new_tokens,
                pad_token_id=pad, **options,
            )  # fmt: skip
        for row, index in enumerate(rows):
            new = out[row, width:].tolist()
            end = next((place for place, token in enumerate(new) if token in ends), None)
            answers[index] = Answer(tuple(encoded[index]), tuple(new[:end]), end is not None)
    return [a for a in answers if a is not None]


def _ends(model: Any, tokenizer: Any) -> frozenset[int]:
    """Ids that end an answer: the tokenizer's end token, and all at which the model's `generate` stops and begins to pad."""
    stops = model.generation_config.eos_token_id
    several = stops if isinstance(stops, list) else [stops]
    return frozenset(token for token in (*several, tokenizer.eos_token_id) if token is not None)
