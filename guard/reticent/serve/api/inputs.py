"""Assigns each text of a request to its author, for prompts of turns, items or blocks. All routes share these tables.

A text in a user's turn is the user's only in a part of a known type. Tool results, documents, instructions and schemas
are the operator's, and so is the text of every other part. The user's own words may be echoed, so nothing becomes the
user's by default.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from reticent.prompt.segments import ROLES, Role, Segment
from reticent.serve.wire.errors import ApiError

_NO_TEXT = frozenset(
    {"type", "media_type", "id", "call_id", "tool_use_id", "file_id", "file_data", "cache_control"}
    | {"input_audio", "image_embeds"}  # whole files in base64
)
_TEXTS: Mapping[Role, Mapping[str, str]] = {
    Role.USER: {"text": "text", "input_text": "text"},
    Role.MODEL: {"text": "text", "output_text": "text", "refusal": "refusal", "thinking": "thinking"},
    Role.CONTEXT: {"text": "text", "input_text": "text"},
}
"""Types of parts that are the author's own words, and the field that holds them, by the author of a turn."""

_SETTINGS = frozenset(
    {"model", "models", "stop", "stop_sequences", "user", "safety_identifier", "prompt_cache_key"}
    | {"previous_response_id", "conversation", "service_tier", "include", "modalities", "tool_choice"}
)
"""Fields of a request whose texts the model does not read."""
_DATA_URL = re.compile(r"data:[\w.+/;=-]*,")


def strings(value: Any) -> Iterator[str]:
    """Yields every text in a JSON value, at any depth, but no names of fields and types, ids, pictures or files."""
    if isinstance(value, str):
        if not _DATA_URL.match(value):
            yield value
    elif isinstance(value, dict):
        if value.get("type") == "base64":
            return
        for name, each in value.items():
            if name not in _NO_TEXT:
                yield from strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from strings(each)


def context(value: Any, leave_out: Iterable[str] = ()) -> Iterator[Segment]:
    """Yields all texts of a value as the operator's, without some of an object's fields."""
    if isinstance(value, dict):
        value = {name: each for name, each in value.items() if name not in leave_out}
    text = "\n".join(strings(value))
    if text:
        yield Segment(Role.CONTEXT, text)


def rest(body: Mapping[str, Any], *said: str) -> Iterator[Segment]:
    """Yields the texts beside a request's turns as the operator's: tools, formats, and fields that no API names.

    Args:
        body: of the request.
        said: the fields that were read already.
    """
    yield from context(dict(body), {*said, *_SETTINGS})


def parts(content: Any, role: Role, param: str) -> Iterator[Segment]:
    """Yields the texts of a turn in order. Neighbours of one author are one segment.

    Args:
        content: a text, or a list of typed parts.
        role: the author of the turn. Texts in parts of other types than the author's own are the operator's, unless
            the turn is the model's.
        param: the field of the request, for the error.

    Raises:
        ApiError: the content is neither a text nor a list of objects and texts.
    """
    for author, group in groupby(_each_part(content, role, param), key=lambda segment: segment.role):
        yield Segment(author, "\n".join(segment.text for segment in group))


def _each_part(content: Any, role: Role, param: str) -> Iterator[Segment]:
    if content is None:
        return
    if isinstance(content, str):
        yield Segment(role, content)
        return
    if not isinstance(content, list) or not all(isinstance(part, dict | str) for part in content):
        raise ApiError(400, f"The content of '{param}' has to be a text or a list.", code="invalid_type", param=param)
    for part in content:
        if isinstance(part, str):
            yield Segment(role, part)
            continue
        field = _TEXTS[role].get(str(part.get("type")))
        text = part.get(field) if field is not None else None
        if isinstance(text, str):
            yield Segment(role, text)
        elif role is Role.MODEL:
            yield Segment(role, "\n".join(strings(part)))
        else:
            yield from context(part)


def turn(message: Mapping[str, Any], param: str) -> Iterator[Segment]:
    """Yields the texts of a message with a role. Raises ApiError."""
    role = message.get("role")
    if not isinstance(role, str):
        raise ApiError(400, "A message needs a role.", code="invalid_type", param=param)
    yield from parts(message.get("content"), ROLES.get(role, Role.CONTEXT), param)


def turns(messages: Any, param: str) -> list[list[Segment]]:
    """Gives the texts of each turn of a chat. Raises ApiError."""
    if not isinstance(messages, list) or not messages or not all(isinstance(m, dict) for m in messages):
        raise ApiError(400, f"'{param}' has to be a list of objects.", code="invalid_type", param=param)
    return [[*turn(message, param)] for message in messages]


def tool_names(tools: Any) -> frozenset[str]:
    """Gives the names of the tools that the client offers."""
    offered = tools if isinstance(tools, list) else []
    return frozenset(
        name
        for tool in offered
        if isinstance(tool, dict) and isinstance(name := tool.get("name"), str) and len(name) <= 64
    )
