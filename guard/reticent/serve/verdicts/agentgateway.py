"""Reads and writes agentgateway's guardrail webhook: `POST /request` with prompts, `POST /response` with answers.

    {"body": {"choices": [{"message": {"role": "assistant", "content": "Call Jane at 555-867-5309."}}]}}
    {"action": {"body": {"choices": [{"message": {"role": "assistant", "content": "Call Jane at <PHONE_NUMBER>."}}]},
                "reason": "..."}}

An action with a body of messages masks, one with a body of text and a status rejects, and one with a reason alone
passes. Every text is judged by itself. The contract leaves no place for more than headers: `reticent-policy` names a
policy, and `reticent-on-stopped: block` rejects in place of masking, as agentgateway drops masks in streams.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict

from reticent.observability.observers import Route
from reticent.serve.verdicts.contract import (
    TEXT,
    AskedTexts,
    Extras,
    Judged,
    Lenient,
    Schema,
    checked_body,
)
from reticent.serve.wire import errors
from reticent.serve.wire.errors import ApiError

if TYPE_CHECKING:
    from reticent.serve.proxy import Proxy
    from reticent.serve.snapshot import Caller

_POLICY, _ON_STOPPED = b"reticent-policy", b"reticent-on-stopped"
_ON_STOPPED_WORDS = ("mask", "block")
_PASSED, _MASKED, _REJECTED = (
    "Nothing is stopped by the operator's privacy policy.",
    "Values were replaced by the operator's privacy policy.",
    errors.BLOCKED,
)


class _Message(BaseModel):
    """A message, of which all fields but the content come back as they came."""

    model_config = ConfigDict(extra="allow", strict=True, hide_input_in_errors=True)
    role: str
    content: str


class _Choice(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True, hide_input_in_errors=True)
    message: _Message


class _Prompts(Lenient):
    messages: list[_Message]


class _Answers(Lenient):
    choices: list[_Choice]


class _Request(Lenient):
    body: _Prompts


class _Response(Lenient):
    body: _Answers


class WebhookRequestContract:
    """Reads and writes the webhook for prompts."""

    path, route, refused = "/request", Route.AGENTGATEWAY, 400
    summary = "Judges the messages of a prompt for agentgateway."

    def read(self, body: dict[str, Any], headers: Mapping[bytes, bytes]) -> AskedTexts:
        """Reads a request. Raises ApiError."""
        read = checked_body(_Request, body, "a 'body' with 'messages', each with the texts 'role' and 'content'").body
        return AskedTexts(
            tuple(each.content for each in read.messages), _extras(headers), body=(read, _blocks(headers))
        )

    def answer(self, asked: AskedTexts, judged: Judged) -> Any:
        """Gives the action."""
        read, blocks = asked.body
        messages = [
            message.model_dump() | {"content": text.shown}
            for message, text in zip(read.messages, judged.texts, strict=True)
        ]
        return _action(judged, blocks, {"messages": messages})

    def describe(self, proxy: Proxy, caller: Caller) -> tuple[Schema, Schema]:
        """Describes the request and the answer."""
        return _describe(proxy, "messages", _MESSAGE)


class WebhookResponseContract:
    """Reads and writes the webhook for answers."""

    path, route, refused = "/response", Route.AGENTGATEWAY, 400
    summary = "Judges the choices of an answer for agentgateway."

    def read(self, body: dict[str, Any], headers: Mapping[bytes, bytes]) -> AskedTexts:
        """Reads a request. Raises ApiError."""
        expected = "a 'body' with 'choices', each with a 'message' with the texts 'role' and 'content'"
        read = checked_body(_Response, body, expected).body
        texts = tuple(each.message.content for each in read.choices)
        return AskedTexts(texts, _extras(headers), body=(read, _blocks(headers)))

    def answer(self, asked: AskedTexts, judged: Judged) -> Any:
        """Gives the action."""
        read, blocks = asked.body
        choices = [
            choice.model_dump() | {"message": choice.message.model_dump() | {"content": text.shown}}
            for choice, text in zip(read.choices, judged.texts, strict=True)
        ]
        return _action(judged, blocks, {"choices": choices})

    def describe(self, proxy: Proxy, caller: Caller) -> tuple[Schema, Schema]:
        """Describes the request and the answer."""
        choice = {"type": "object", "required": ["message"], "properties": {"message": _MESSAGE}}
        return _describe(proxy, "choices", choice)


def _action(judged: Judged, blocks: bool, masked: dict[str, Any]) -> dict[str, Any]:
    if judged.blocked or (blocks and judged.changed):
        refusal = errors.blocked(judged.reason)
        return {"action": {"body": refusal.body().decode(), "status_code": refusal.status, "reason": _REJECTED}}
    if judged.changed:
        return {"action": {"body": masked, "reason": _MASKED}}
    return {"action": {"reason": _PASSED}}


def _extras(headers: Mapping[bytes, bytes]) -> Extras:
    return Extras(policy=headers.get(_POLICY, b"").decode("latin-1"))


def _blocks(headers: Mapping[bytes, bytes]) -> bool:
    """Says whether values are to be rejected in place of masked. Raises ApiError."""
    word = headers.get(_ON_STOPPED, b"mask").decode("latin-1").strip().lower()
    if word not in _ON_STOPPED_WORDS:
        raise ApiError(400, "The header 'reticent-on-stopped' takes 'mask' or 'block'.", code="invalid_value")
    return word == "block"


_MESSAGE: Schema = {"type": "object", "required": ["role", "content"], "properties": {"role": TEXT, "content": TEXT}}


def _describe(proxy: Proxy, name: str, item: Schema) -> tuple[Schema, Schema]:
    items: Schema = {"type": "array", "items": item, "maxItems": proxy.settings.limits.channels}
    body: Schema = {"type": "object", "required": [name], "properties": {name: items}}
    request = {"type": "object", "required": ["body"], "properties": {"body": body}}
    action = {
        "type": "object",
        "required": ["reason"],
        "properties": {"reason": TEXT, "status_code": {"type": "integer"}, "body": {"type": ["object", "string"]}},
    }
    return request, {"type": "object", "required": ["action"], "properties": {"action": action}}
