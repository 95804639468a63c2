"""Judges an upstream's error, and replaces a message that may not be shown.

Its type and its code stay if they are short words that hold nothing, because programs use them.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from typing import Any

from reticent.serve.judging.metadata import MetadataJudge
from reticent.serve.options import Permission
from reticent.serve.stream.walk import Walk
from reticent.serve.wire.errors import error_object
from reticent.serve.wire.fields import SimpleRule
from reticent.serve.wire.sse import FrameError, parse_json

HIDDEN_MESSAGE = "The model server answered with an error."
_LOGPROBS = re.compile(r"log[ _-]?prob\w*+(?!\s*[=:])", re.I)
_REFUSALS = frozenset({400, 403, 422, 501})
_SAID_CHARS = 200
"""How much of an error's sentence is read: what is longer repeats the request."""


def refuses_logprobs(status: int, raw: bytes) -> bool:
    """Says whether an error's response refuses log-probabilities, by its sentence or the field that it names."""
    if status not in _REFUSALS:
        return False
    try:
        body, _ = parse_json(raw)
    except FrameError:
        return False
    said = body.get("error", body.get("detail", body)) if isinstance(body, dict) else None
    parts = said if isinstance(said, list) else [said]
    texts = [part for part in parts if isinstance(part, str)]
    for part in parts:
        if isinstance(part, dict):
            texts += [str(part.get(name) or "") for name in ("message", "msg", "param", "code", "loc", "detail")]
    return any(_LOGPROBS.search(text[:_SAID_CHARS]) for text in texts)


def read_upstream_error(raw: bytes, metadata: MetadataJudge, allowed: frozenset[Permission]) -> dict[str, Any]:
    """Gives the arguments of `ErrorFormat.upstream_error` for the body of an error's response.

    Our words replace what cannot be read.
    """
    fields: dict[str, Any] = {}
    came: Any = None
    try:
        body, _ = parse_json(raw)
        inner = body.get("error", body) if isinstance(body, dict) else None
        if isinstance(inner, dict):
            fields = {name: inner.get(name) for name in ("message", "type", "param", "code")}
            came = snapshot(fields)
            Walk(metadata, allowed, time.monotonic()).object(fields, {}, SimpleRule.METADATA, "error")
        elif isinstance(inner, str) and metadata.allows("error", inner):
            fields = {"message": inner}
    except FrameError:
        fields = {}
    return error_arguments(fields, came, metadata)


def snapshot(came: Any) -> Any:
    """Copies an upstream's error before redaction edits it."""
    return dict(came) if isinstance(came, dict) else came


def sanitized(shown: Any, came: Any, metadata: MetadataJudge) -> Any:
    """Gives the error that a stream shows: as judged, or in OpenAI's format if no message is left."""
    message = came.get("message") if isinstance(came, Mapping) else came
    left = shown.get("message") if isinstance(shown, Mapping) else shown
    return (
        shown
        if message is None or isinstance(left, str)
        else error_object(**error_arguments(shown, came, metadata))["error"]
    )


def error_arguments(shown: Any, came: Any, metadata: MetadataJudge) -> dict[str, Any]:
    """Gives the arguments of `error_object` and `ErrorFormat.upstream_error` for a judged error."""
    left = shown if isinstance(shown, Mapping) else {"message": shown}
    given = came if isinstance(came, Mapping) else {}

    def word(name: str) -> Any:
        value = given.get(name)
        return (
            value
            if left.get(name) is None and isinstance(value, str) and metadata.is_plain_word(value)
            else left.get(name)
        )

    message, kind, code, param = left.get("message"), word("type"), word("code"), left.get("param")
    return {
        "message": message if isinstance(message, str) else HIDDEN_MESSAGE,
        "kind": kind if isinstance(kind, str) else "upstream_error",
        "code": code if isinstance(code, str | int) else None,
        "param": param if isinstance(param, str) else None,
    }
