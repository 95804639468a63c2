"""Reads and writes agentgateway's guardrail webhook: `POST /request` with prompts, `POST /response` with answers.

    {"body": {"choices": [{"message": {"role": "assistant", "content": "Call Jane at 555-867-5309."}}]}}
    {"action": {"body": {"choices": [{"message": {"role": "assistant", "content": "Call Jane at <PHONE_NUMBER>."}}]},
                "reason": "..."}}

An action with a body of messages masks, one with a body of text and a status rejects, and one with a reason alone
passes. Every text is judged by itself. The fields that the contract does not know, such as tool calls, are judged as
they are written; a stopped value in one rejects the whole. The contract leaves no place for more than headers:
`reticent-policy` names a policy, and `reticent-on-stopped: block` rejects in place of masking, as agentgateway drops
masks in streams.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

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
from reticent.serve.wire.sse import to_json

if TYPE_CHECKING:
    from reticent.serve.proxy import Proxy
    from reticent.serve.snapshot import Caller

_POLICY, _ON_STOPPED = b"reticent-policy", b"reticent-on-stopped"
_ON_STOPPED_WORDS = ("mask", "block")
_ROLE = "^[A-Za-z_-]{1,20}$"
_PASSED, _MASKED, _REJECTED = (
    "Nothing is stopped by the operator's privacy policy.",
    "Values were replaced by the operator's privacy policy.",
    errors.BLOCKED,
)


class _Open(BaseModel):
    """Reads a part whose other fields are judged as well, and come back as they came."""

    model_config = ConfigDict(extra="allow", strict=True, hide_input_in_errors=True)

    def others(self) -> dict[str, Any]:
        """Gives the fields that the contract does not know."""
        return dict(self.model_extra or {})


class _Message(_Open):
    role: Annotated[str, Field(pattern=_ROLE)]
    content: str

    def with_content(self, content: str) -> dict[str, Any]:
        """Gives the message with another content."""
        return self.model_dump() | {"content": content}


class _Choice(_Open):
    message: _Message

    @property
    def content(self) -> str:
        """Gives the message's content."""
        return self.message.content

    def others(self) -> dict[str, Any]:
        """Gives the fields that the contract does not know, also those of the message."""
        within = self.message.others()
        return super().others() | ({"message": within} if within else {})

    def with_content(self, content: str) -> dict[str, Any]:
        """Gives the choice with another content."""
        return self.model_dump() | {"message": self.message.with_content(content)}


class _Prompts(Lenient):
    items: list[_Message] = Field(alias="messages")


class _Answers(Lenient):
    items: list[_Choice] = Field(alias="choices")


class _Request(Lenient):
    body: _Prompts


class _Response(Lenient):
    body: _Answers


class WebhookContract:
    """Reads and writes the webhook for prompts, or that for answers.

    Args:
        answers: whether it is that for answers.
    """

    route, refused = Route.AGENTGATEWAY, 400

    def __init__(self, *, answers: bool) -> None:
        self._answers, self._items = answers, "choices" if answers else "messages"
        self.path = "/response" if answers else "/request"
        self.summary = f"Judges the {'choices of an answer' if answers else 'messages of a prompt'} for agentgateway."

    def read(self, body: dict[str, Any], headers: Mapping[bytes, bytes]) -> AskedTexts:
        """Reads a request. Raises ApiError."""
        each = "a 'message' with the texts" if self._answers else "the texts"
        expected = f"a 'body' with '{self._items}', each with {each} 'role' (a short word) and 'content'"
        kind: type[_Request | _Response] = _Response if self._answers else _Request
        items = checked_body(kind, body, expected).body.items
        others = [found for item in items if (found := item.others())]
        return AskedTexts(
            tuple(item.content for item in items),
            Extras(policy=headers.get(_POLICY, b"").decode("latin-1")),
            calls=(("", to_json(others).decode()),) if others else (),
            body=(items, _blocks(headers)),
        )

    def answer(self, asked: AskedTexts, judged: Judged) -> Any:
        """Gives the action."""
        items, blocks = asked.body
        if judged.blocked or judged.calls_stopped or (blocks and judged.changed):
            refusal = errors.blocked(judged.reason)
            return {"action": {"body": refusal.body().decode(), "status_code": refusal.status, "reason": _REJECTED}}
        if not judged.changed:
            return {"action": {"reason": _PASSED}}
        masked = [item.with_content(text.shown) for item, text in zip(items, judged.texts, strict=True)]
        return {"action": {"body": {self._items: masked}, "reason": _MASKED}}

    def describe(self, proxy: Proxy, caller: Caller) -> tuple[Schema, Schema]:
        """Describes the request and the answer."""
        item = {"type": "object", "required": ["message"], "properties": {"message": _MESSAGE}}
        items: Schema = {
            "type": "array",
            "items": item if self._answers else _MESSAGE,
            "maxItems": proxy.settings.limits.channels,
        }
        body: Schema = {"type": "object", "required": [self._items], "properties": {self._items: items}}
        request = {"type": "object", "required": ["body"], "properties": {"body": body}}
        action = {
            "type": "object",
            "required": ["reason"],
            "properties": {"reason": TEXT, "status_code": {"type": "integer"}, "body": {"type": ["object", "string"]}},
        }
        return request, {"type": "object", "required": ["action"], "properties": {"action": action}}


def _blocks(headers: Mapping[bytes, bytes]) -> bool:
    """Says whether values are to be rejected in place of masked. Raises ApiError."""
    word = headers.get(_ON_STOPPED, b"mask").decode("latin-1").strip().lower()
    if word not in _ON_STOPPED_WORDS:
        raise ApiError(400, "The header 'reticent-on-stopped' takes 'mask' or 'block'.", code="invalid_value")
    return word == "block"


_MESSAGE: Schema = {
    "type": "object",
    "required": ["role", "content"],
    "properties": {"role": {"type": "string", "pattern": _ROLE}, "content": TEXT},
}
