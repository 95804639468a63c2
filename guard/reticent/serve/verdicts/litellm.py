"""Reads and writes LiteLLM's generic guardrail API, `POST /beta/litellm_basic_guardrail_api`.

    {"input_type": "response", "texts": ["Call Jane at 555-867-5309."], "litellm_call_id": "...", ...}
    {"action": "GUARDRAIL_INTERVENED", "texts": ["Call Jane at <PHONE_NUMBER>."], "stream_holdback_chars": [0]}

In a stream LiteLLM sends all of the text so far again and again (`streaming_transform_mode: incremental_diff`), and
shows what has come new of our answer, but for as many characters at its end as `stream_holdback_chars` says. These are
the ones that more text could still change. The last time it shows all.

Tool calls come with whole answers. The contract has no place for changed ones, so a call with a stopped value blocks
the answer; so does a picture, which cannot be judged. In requests both are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from reticent.observability.observers import Route
from reticent.serve.verdicts.contract import (
    TEXT,
    AskedTexts,
    Extras,
    Judged,
    Lenient,
    Schema,
    checked_body,
    extras_schema,
)
from reticent.serve.wire.sse import to_json

if TYPE_CHECKING:
    from reticent.serve.proxy import Proxy
    from reticent.serve.snapshot import Caller

_EXTRAS = "additional_provider_specific_params"
_EXPECTED = (
    "what LiteLLM sends: an 'input_type' (request or response), 'texts', and in "
    f"'{_EXTRAS}' nothing but 'policy', 'user', 'context', 'model', 'logprobs' and 'on_stopped' (mask or block)"
)


class _Extras(Extras):
    on_stopped: Literal["mask", "block"] = "mask"


class _Body(Lenient):
    input_type: Literal["request", "response"]
    texts: list[str] | None = None
    images: list[Any] | None = None
    tool_calls: list[dict[str, Any]] | None = None
    litellm_call_id: str | None = None
    model: str | None = None
    extras: _Extras | None = Field(default=None, alias="additional_provider_specific_params")


class LitellmContract:
    """Reads and writes LiteLLM's contract."""

    path, route, refused = "/beta/litellm_basic_guardrail_api", Route.LITELLM, 400
    summary = "Judges texts for LiteLLM's generic guardrail."

    def read(self, body: dict[str, Any], headers: Mapping[bytes, bytes]) -> AskedTexts:
        """Reads a request. Raises ApiError."""
        read = checked_body(_Body, body, _EXPECTED)
        extras = read.extras or _Extras()
        if not extras.model:
            extras = extras.model_copy(update={"model": read.model or ""})
        is_answer = read.input_type == "response"
        return AskedTexts(
            tuple(read.texts or ()),
            extras,
            calls=tuple(_calls(read.tool_calls or ())) if is_answer else (),
            stream=read.litellm_call_id or "",
            unread=is_answer and bool(read.images),
            body=read,
        )

    def answer(self, asked: AskedTexts, judged: Judged) -> Any:
        """Gives the verdict."""
        blocks = isinstance(asked.extras, _Extras) and asked.extras.on_stopped == "block"
        if judged.blocked or judged.calls_stopped or asked.unread or (blocks and judged.changed):
            return {"action": "BLOCKED", "blocked_reason": judged.reason}
        answer: dict[str, Any] = {"action": "NONE"}
        if judged.changed:
            answer = {"action": "GUARDRAIL_INTERVENED", "texts": [each.shown for each in judged.texts]}
        if asked.body.input_type == "response":
            answer["stream_holdback_chars"] = [each.open_chars for each in judged.texts]
        return answer

    def describe(self, proxy: Proxy, caller: Caller) -> tuple[Schema, Schema]:
        """Describes the request and the answer."""
        texts: Schema = {"type": ["array", "null"], "items": TEXT, "maxItems": proxy.settings.limits.channels}
        extras = extras_schema(proxy, caller, on_stopped={"enum": ["mask", "block"]})
        properties = {
            "input_type": {"enum": ["request", "response"]},
            "texts": texts,
            "images": {"type": ["array", "null"]},
            "tool_calls": {"type": ["array", "null"], "items": {"type": "object"}},
            "litellm_call_id": {"type": ["string", "null"]},
            "model": {"type": ["string", "null"]},
            _EXTRAS: {"anyOf": [extras, {"type": "null"}]},
        }
        answer = {
            "action": {"enum": ["NONE", "BLOCKED", "GUARDRAIL_INTERVENED"]},
            "blocked_reason": TEXT,
            "texts": {"type": "array", "items": TEXT},
            "stream_holdback_chars": {"type": "array", "items": {"type": "integer", "minimum": 0}},
        }
        return (
            {"type": "object", "required": ["input_type"], "properties": properties},
            {"type": "object", "required": ["action"], "properties": answer, "additionalProperties": False},
        )


_SHAPES = (("function", "arguments"), ("custom", "input"))
"""Where a tool call has its name and its text."""
_SERVERS_ID = re.compile(
    r"(?:(?:call|chatcmpl-tool)[_-])?[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}"
    r"|(?!.*\d[\d_-]{6})(?:call|toolu|tooluse|chatcmpl-tool)[_-][A-Za-z0-9_-]{1,40}"
    r"|(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9]{9}"
)
"""An id as servers draw it: a UUID, one of OpenAI's, Anthropic's or Bedrock's, or Mistral's. Read as text, one in seven
UUIDs looks like a number of somebody. Others may have been written by the model.
"""
_MOST_CALLS = 1_000


def _calls(tool_calls: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """Yields each call's name and text. One that has more, or another shape, is also judged as it is written."""
    for call in tool_calls:
        is_whole = False
        for kind, text in _SHAPES:
            given = call.get(kind)
            if isinstance(given, dict) and isinstance(given.get("name"), str) and isinstance(given.get(text), str):
                yield given["name"], given[text]
                is_whole = is_whole or (given.keys() == {"name", text} and _is_usual(call, kind))
        if not is_whole:
            yield "", to_json(call).decode()


def _is_usual(call: Mapping[str, Any], kind: str) -> bool:
    """Says whether a call has no place for a value but its field of this kind."""
    own, index = call.get("id"), call.get("index")
    return (
        call.keys() <= {"id", "type", "index", kind}
        and call.get("type") in (None, kind)
        and (own is None or (isinstance(own, str) and _SERVERS_ID.fullmatch(own) is not None))
        and (index is None or (isinstance(index, int) and 0 <= index < _MOST_CALLS))
    )
