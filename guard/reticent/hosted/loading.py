"""Loads a model and reads a request's prompts, for a model in this process and for a shadow copy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from reticent.hosted.sampling import ROLES
from reticent.serve.wire.errors import ApiError
from reticent.serve.wire.parsed_request import ParsedRequest
from reticent_detectors.alignment import as_text, chat_ids, text_ids
from reticent_detectors.host.detached import load_detached
from reticent_detectors.host.load import load_host, put


def load_model(
    path: Path, device: str, dtype: str, threads: int | None, adapter: Path | None = None
) -> tuple[Any, Any]:
    """Loads model and tokenizer of a folder, on a device, in a number type.

    `adapter`: folder of a detached adapter, which is put on the model in float32.

    Raises:
        InputError, MissingExtra, UnsupportedHost: see `load_host` and `load_detached`.
    """
    if threads is not None:
        torch.set_num_threads(threads)
    if adapter is None:
        return load_host(path, device, dtype)
    model, tokenizer = load_detached(adapter, path)
    return put(model, device), tokenizer


def read_prompts(parsed: ParsedRequest, tokenizer: Any, marks: bool = False) -> list[list[int]]:
    """Gives the ids of a request's prompts, as the model gets them.

    Args:
        parsed: the request.
        tokenizer: the model's.
        marks: whether marks of the chat template in what the client wrote are such, as other servers read them; else
            they are text.

    Raises:
        ApiError: no text, a role that there is none of, or messages that the chat template does not take.
    """

    def read(text: str, own: bool = False) -> str:
        return text if marks else as_text(tokenizer, text, own)

    match parsed.prompt_field:
        case "prompt":
            given = parsed.body["prompt"]
            return [_text_ids(prompt, tokenizer, read) for prompt in ([given] if isinstance(given, str) else given)]
        case "messages":
            messages = parsed.body["messages"]
        case "system":
            system = parsed.body.get("system")
            messages = [*([{"role": "system", "content": system}] if system else []), *parsed.body["messages"]]
        case "input":
            messages = _turns(parsed.body)
        case _:
            raise ApiError(400, "Requests of this route cannot be read here.", code="unsupported")
    if any(_has_more(message.get("content")) for message in messages):
        raise ApiError(400, "Only texts can be read here.", code="unsupported", param="messages")
    plain = [
        {
            "role": message["role"],
            "content": _text(message.get("content"), "" if message["role"] == "assistant" and not marks else "\n"),
        }
        for message in messages
    ]
    plain = [{**message, "content": read(message["content"], message["role"] == "assistant")} for message in plain]
    if not (marks or all(message["role"] in ROLES for message in plain)):
        raise ApiError(400, f"A role is one of {', '.join(ROLES)}.", code="invalid_value", param="messages")
    try:
        return [chat_ids(tokenizer, plain, plain[-1]["role"] == "assistant")]
    except Exception:  # a chat template may raise what it likes
        raise ApiError(
            400, "The model's chat template does not take these messages.", code="invalid_value", param="messages"
        ) from None


def _turns(body: dict[str, Any]) -> list[dict[str, Any]]:
    """Reads the messages of a request to `/v1/responses`, as a server gives them to a chat template.

    Raises ApiError for other items.
    """
    given, instructions = body["input"], body.get("instructions")
    if isinstance(given, str):
        given = [{"role": "user", "content": given}]
    plain = isinstance(given, list) and all(
        isinstance(item, dict) and item.get("type", "message") == "message" for item in given
    )
    more = body.get("tools") or any(body.get(name) is not None for name in ("messages", "prompt"))
    if not plain or not isinstance(instructions, str | None) or more:  # another route's fields are none of the server's
        raise ApiError(400, "Only texts can be read here.", code="unsupported", param="input")
    return [{"role": "system", "content": instructions}, *given] if instructions else given


def _text_ids(prompt: Any, tokenizer: Any, read: Callable[[str], str]) -> list[int]:
    if not isinstance(prompt, str) or not prompt:
        raise ApiError(
            400, "A prompt has to be a text here, and not an empty one.", code="invalid_value", param="prompt"
        )
    return text_ids(tokenizer, read(prompt))


def _text(content: Any, between: str) -> str:
    """Joins the text of a message whose parts are all texts."""
    if isinstance(content, list):
        return between.join(part if isinstance(part, str) else part["text"] for part in content)
    return content or ""


def _has_more(content: Any) -> bool:
    """Says whether a message's content has parts that are no text."""
    return isinstance(content, list) and not all(
        isinstance(part, str) or (isinstance(part, dict) and isinstance(part.get("text"), str)) for part in content
    )
