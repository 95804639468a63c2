"""What an OpenAI-compatible server in front of the demo host would send, log-probabilities and all."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch

from reticent.demo import assets
from reticent_detectors.host.load import load_host

TOP = {"id": "chatcmpl-0a1b2c3d4e5f60718293a4b5c6d7e8f9", "created": 1732200000, "model": "small"}


@dataclass(frozen=True)
class ServedAnswer:
    """A greedy answer with, for each token, its text, id, log-probability and the two likeliest tokens at its place."""

    tokens: tuple[tuple[str, float, tuple[tuple[str, float], ...]], ...]
    ids: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        return "".join(text for text, _, _ in self.tokens)


@cache
def demo() -> tuple[Any, Any]:
    """The demo host and its tokenizer."""
    torch.set_num_threads(1)
    model, tokenizer = load_host(assets() / "host")
    return model, tokenizer


def encoded(prompt: str | Sequence[Mapping[str, str]]) -> list[int]:
    """The ids of a prompt."""
    _, tokenizer = demo()
    if isinstance(prompt, str):
        return list(tokenizer(f"{tokenizer.bos_token}{prompt}", add_special_tokens=False)["input_ids"])
    return list(tokenizer.apply_chat_template(list(prompt), add_generation_prompt=True, return_dict=True)["input_ids"])


@cache
def _answer(ids: tuple[int, ...]) -> ServedAnswer:
    model, tokenizer = demo()
    given = torch.tensor([ids])
    out = model.generate(given, attention_mask=torch.ones_like(given), do_sample=False, max_new_tokens=48)[0]
    with torch.no_grad():
        table = model(out.unsqueeze(0)).logits[0].float().log_softmax(-1)
    tokens, said = [], []
    for place in range(len(ids), len(out)):
        if int(out[place]) == tokenizer.eos_token_id:
            break
        best = table[place - 1].topk(2)
        top = tuple((tokenizer.decode([int(i)]), float(p)) for i, p in zip(best.indices, best.values, strict=True))
        tokens.append((tokenizer.decode([int(out[place])]), float(table[place - 1, out[place]]), top))
        said.append(int(out[place]))
    return ServedAnswer(tuple(tokens), tuple(said))


def answer(prompt: str | Sequence[Mapping[str, str]]) -> ServedAnswer:
    """The host's greedy answer."""
    return _answer(tuple(encoded(prompt)))


def chat_logprobs(tokens: Sequence[tuple[str, float, Any]]) -> dict[str, Any]:
    """`logprobs` as chat completions have them."""
    return {"content": [_entry(*token, top=True) for token in tokens], "refusal": None}


def _entry(text: str, logprob: float, best: Any, top: bool = False) -> dict[str, Any]:
    entry: dict[str, Any] = {"token": text, "bytes": list(text.encode()), "logprob": logprob}
    return {**entry, "top_logprobs": [_entry(*each, ()) for each in best]} if top else entry


def legacy_logprobs(tokens: Sequence[tuple[str, float, Any]]) -> dict[str, Any]:
    """`logprobs` as completions have them."""
    return {
        "tokens": [text for text, _, _ in tokens],
        "token_logprobs": [logprob for _, logprob, _ in tokens],
        "top_logprobs": [dict(top) for _, _, top in tokens],
        "text_offset": [0 for _ in tokens],
    }


def chat_chunks(said: ServedAnswer, size: int = 1) -> Iterator[dict[str, Any]]:
    """The chunks of a chat completion, `size` tokens in each."""
    top = {**TOP, "object": "chat.completion.chunk"}
    yield {**top, "choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}, "logprobs": None}]}
    for at in range(0, len(said.tokens), size):
        piece = said.tokens[at : at + size]
        delta = {"content": "".join(text for text, _, _ in piece)}
        yield {
            **top,
            "choices": [{"index": 0, "delta": delta, "logprobs": chat_logprobs(piece), "finish_reason": None}],
        }
    yield {**top, "choices": [{"index": 0, "delta": {}, "logprobs": None, "finish_reason": "stop"}]}


def chat_whole(said: ServedAnswer) -> dict[str, Any]:
    """A whole chat completion."""
    message = {"role": "assistant", "content": said.text}
    choice = {"index": 0, "message": message, "logprobs": chat_logprobs(said.tokens), "finish_reason": "stop"}
    return {**TOP, "object": "chat.completion", "choices": [choice]}


def with_ids(said: ServedAnswer, prompt: str | Sequence[Mapping[str, str]]) -> Iterator[dict[str, Any]]:
    """The chunks of a chat completion with ids of tokens, as vLLM tells them on request."""
    for at, chunk in enumerate(chat_chunks(said)):
        choice = chunk["choices"][0]
        if at == 0:
            chunk["prompt_token_ids"] = encoded(prompt)
        elif choice["logprobs"]:
            choice["token_ids"] = [said.ids[at - 1]]
        yield chunk


def text_chunks(said: ServedAnswer) -> Iterator[dict[str, Any]]:
    """The chunks of a completion."""
    top = {**TOP, "object": "text_completion"}
    for token in said.tokens:
        choice = {"index": 0, "text": token[0], "logprobs": legacy_logprobs([token]), "finish_reason": None}
        yield {**top, "choices": [choice]}
    yield {**top, "choices": [{"index": 0, "text": "", "logprobs": None, "finish_reason": "stop"}]}


def perplexed(said: ServedAnswer, by: float) -> ServedAnswer:
    """The same answer, each token less likely by a factor e^-by and with a rival that was likelier."""
    return ServedAnswer(
        tuple((text, p - by, ((text, p - by), ("x", math.log(0.5)))) for text, p, _ in said.tokens), said.ids
    )
