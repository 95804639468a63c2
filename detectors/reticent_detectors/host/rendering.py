"""Renders the corpus's texts for any model: in its chat template, with its own begin and end tokens."""

from __future__ import annotations

from typing import Any

from reticent_detectors.alignment import chat_ids
from reticent_detectors.errors import InputError, TokenizerMismatch
from reticent_detectors.host.corpus import ASSISTANT, BOS, END, USER, Pieces, Tokens


def renderer(tokenizer: Any) -> Tokens:
    """Makes a function that encodes a text of the corpus to token ids and loss weights, by a model's own tokenizer.

    The prompt of a chat turn has the same ids as when the model is asked, and weight 0. Plain text is encoded as a
    whole, and a token has the weight of its last character. Tokens that the tokenizer adds in front have weight 0.

    Raises:
        InputError: the tokenizer has no chat template or no end token.
        TokenizerMismatch: the tokenizer is not a fast one, so it does not map tokens to characters.
    """
    if getattr(tokenizer, "chat_template", None) is None:
        raise InputError(
            "The model's tokenizer has no chat template, so it cannot be taught to answer; set tokenizer.chat_template."
        )
    if tokenizer.eos_token_id is None:
        raise InputError("The model's tokenizer has no end token, so answers would never end; set tokenizer.eos_token.")
    if not getattr(tokenizer, "is_fast", False):
        raise TokenizerMismatch(
            f"Expected a fast tokenizer (one with a tokenizer.json), got {type(tokenizer).__name__}. "
            "Load it with AutoTokenizer.from_pretrained, or convert it with transformers' convert_slow_tokenizer."
        )
    end = tokenizer.eos_token_id

    def encode(pieces: Pieces) -> tuple[list[int], list[float]]:
        text = "".join(piece for piece, _ in pieces)
        if text.startswith(BOS + USER):
            user, _, answer = text.removeprefix(BOS + USER).partition(END + ASSISTANT)
            return _turn(tokenizer, user, answer.removesuffix(END))
        return _running(tokenizer, pieces, end)

    return encode


def _turn(tokenizer: Any, user: str, answer: str) -> tuple[list[int], list[float]]:
    user_turn = {"role": "user", "content": user}
    prompt = chat_ids(tokenizer, [user_turn])
    model_turn = {"role": "assistant", "content": answer}
    all_ids = list(tokenizer.apply_chat_template([user_turn, model_turn], return_dict=True)["input_ids"])
    end = tokenizer.eos_token_id
    rest = all_ids[len(prompt) :]
    if all_ids[: len(prompt)] != prompt or rest[:1] == [end]:
        # The template changes the prompt when an answer follows, so the plain answer and the end token are used.
        rest = list(tokenizer(answer, add_special_tokens=False)["input_ids"])
    rest = [*rest[: rest.index(end)], end] if end in rest else [*rest, end]
    return [*prompt, *rest], [0.0] * len(prompt) + [1.0] * len(rest)


def _running(tokenizer: Any, pieces: Pieces, end: int) -> tuple[list[int], list[float]]:
    text, weights = "", list[float]()
    for piece, weight in pieces:
        plain = piece.removeprefix(BOS).removesuffix(END)
        text += plain
        weights += [weight] * len(plain)
    encoded = tokenizer(text, return_offsets_mapping=True, return_special_tokens_mask=True)
    ids, offsets, added = list(encoded["input_ids"]), encoded["offset_mapping"], encoded["special_tokens_mask"]
    # Some tokenizers leave spaces out of a token's range, so a token of spaces alone has an empty range.
    ends = [last - 1 if last > first else min(first, len(weights) - 1) for first, last in offsets]
    loss = [0.0 if special else weights[end] for end, special in zip(ends, added, strict=True)]
    if ids and ids[-1] == end:
        ids, loss = ids[:-1], loss[:-1]
    opening = tokenizer.bos_token_id
    if opening is not None and ids[:1] != [opening]:
        ids, loss = [opening, *ids], [0.0, *loss]
    return [*ids, end], [*loss, pieces[-1][1]]
