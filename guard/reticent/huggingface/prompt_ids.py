"""Checks the ids that callers give, of prompts with their padding and of finished answers, and encodes chats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any

import torch
from torch import Tensor

from reticent.prompt.segments import check_messages
from reticent_detectors.alignment import as_text, chat_ids
from reticent_detectors.errors import InputError, WrongType


def checked_ids(ids: Any, device: torch.device) -> Tensor:
    """Gives prompt ids [B, N] on the device.

    Raises:
        InputError: the prompt is empty, or has another shape.
        WrongType: the prompt is no tensor of whole numbers.
    """
    if ids is None or (isinstance(ids, Tensor) and ids.numel() == 0):
        raise InputError("The prompt is empty; expected prompt ids of shape [B, N] with N of at least 1.")
    if not isinstance(ids, Tensor):
        instead = {
            isinstance(ids, str): "encode the text: generate(**tokenizer(text, return_tensors='pt')), or use chat()",
            isinstance(ids, Mapping): "write generate(**inputs)",
        }.get(True, "pass torch.tensor(ids)")
        raise WrongType(f"generate() takes prompt ids, a tensor of shape [B, N], got {type(ids).__name__}; {instead}.")
    if ids.dtype is torch.bool or ids.is_floating_point() or ids.is_complex():
        raise WrongType(
            f"Prompt ids must be whole numbers, got {ids.dtype}; pass what the tokenizer gives, or ids.long()."
        )
    ids = ids.reshape(1, -1) if ids.ndim == 1 else ids
    if ids.ndim != 2:
        raise InputError(f"Expected prompt ids of shape [B, N], got {list(ids.shape)}.")
    checked: Tensor = ids.to(device)
    return checked


def mask_of(ids: Tensor, given: Any, tokenizer: Any) -> Tensor:
    """Gives the attention mask [B, N]: the caller's, or what transformers would make of the padding.

    Raises InputError.
    """
    pad, end = tokenizer.pad_token_id, tokenizer.eos_token_id
    if given is not None:
        mask = torch.as_tensor(given, device=ids.device).long().reshape(ids.shape[0], -1)
        if mask.shape[1] > ids.shape[1]:
            raise InputError(
                f"The attention_mask covers {mask.shape[1]} positions, but {ids.shape[1]} ids were given. "
                "With a cache, too, pass the ids of the whole prompt: the guard has to know its text."
            )
    elif pad is not None and pad != end:
        mask = ids.ne(pad).long().cummax(1).values  # only padding comes before the prompt
    else:
        mask = torch.ones_like(ids)
    if mask.shape != ids.shape or bool((mask[:, 1:] < mask[:, :-1]).any()) or not bool(mask[:, -1].all()):
        raise InputError(
            "Prompts must be padded on the left: expected an attention_mask of the shape of input_ids with zeros only "
            "before the prompt. Set tokenizer.padding_side = 'left'."
        )
    return mask


def answer_ids(answer: Any, tokenizer: Any) -> list[int]:
    """Gives the token ids of a finished answer, which is text or ids. Raises WrongType."""
    if isinstance(answer, str):
        return list(tokenizer(answer, add_special_tokens=False)["input_ids"])
    ids = answer.tolist() if hasattr(answer, "tolist") else answer
    what = "as text or as a list of its token ids"
    if not isinstance(ids, Sequence) or isinstance(ids, bytes):
        raise WrongType(f"inspect() takes one answer, {what}, got {type(answer).__name__}.")
    for each in ids:
        if not isinstance(each, Integral):
            raise WrongType(f"inspect() takes one answer, {what}, got a list that holds {type(each).__name__}.")
    return [int(each) for each in ids]


def encoded_chat(tokenizer: Any, messages: Sequence[Mapping[str, Any]], continues: bool) -> list[int]:
    """Encodes a chat by the tokenizer's template. Marks of the template in a content count as text.

    Args:
        tokenizer: the model's tokenizer.
        messages: mappings with `role` and `content`, the newest last.
        continues: leaves the last turn open.

    Raises:
        InputError: there are no messages, a content is no text, or the tokenizer has no chat template.
    """
    check_messages(messages)
    if getattr(tokenizer, "chat_template", None) is None:
        raise InputError(
            "The tokenizer has no chat template; set tokenizer.chat_template, or use generate() with prompt ids."
        )
    return chat_ids(tokenizer, [_as_text(tokenizer, message) for message in messages], continues)


def _as_text(tokenizer: Any, message: Mapping[str, Any]) -> dict[str, Any]:
    """Copies a message with texts that hold no marks of the template. The application chooses its role."""
    own = message.get("role") == "assistant"

    def read(value: Any) -> Any:
        if isinstance(value, str):
            return as_text(tokenizer, value, own)
        if isinstance(value, Mapping):
            return {name: read(each) for name, each in value.items()}
        return [read(each) for each in value] if isinstance(value, list | tuple) else value

    return {name: value if name == "role" else read(value) for name, value in message.items()}
