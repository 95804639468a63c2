"""Reads and writes our own contract, `POST /v1/redact`: a text in, the text as it may be shown out.

{"text": "Call Jane at 555-867-5309.", "user": "Who is Jane?"}
{"object": "redacted_text", "text": "Call Jane at <PHONE_NUMBER>."}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field

from reticent.observability.observers import Route
from reticent.policy.options import OnBlock
from reticent.serve.verdicts.contract import (
    TEXT,
    AskedTexts,
    Extras,
    Judged,
    Schema,
    checked_body,
    policy_schema,
    takes_tokens,
)
from reticent.serve.wire import errors

if TYPE_CHECKING:
    from reticent.serve.proxy import Proxy
    from reticent.serve.snapshot import Caller

PATH = "/v1/redact"
_EXPECTED = (
    "an object with a 'text', and if need be 'user', 'context', 'model', 'logprobs' and 'reticent': all texts, but for "
    "'logprobs', those of OpenAI's choice, and 'reticent', an object with the name of a 'policy'"
)


class _Control(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)
    policy: str = ""


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)
    text: str
    user: str = ""
    context: str = ""
    model: str = ""
    logprobs: dict[str, Any] | None = Field(default=None, repr=False)
    reticent: _Control | None = None


class RedactContract:
    """Reads and writes our own contract."""

    path, route, refused = PATH, Route.REDACT, 400
    summary = "Redacts a text without a model."

    def read(self, body: dict[str, Any], headers: Mapping[bytes, bytes]) -> AskedTexts:
        """Reads a request. Raises ApiError."""
        read = checked_body(_Body, body, _EXPECTED)
        extras = Extras(
            policy="" if read.reticent is None else read.reticent.policy,
            user=read.user,
            context=read.context,
            model=read.model,
            logprobs=None if read.logprobs is None else [read.logprobs],
        )
        return AskedTexts((read.text,), extras)

    def answer(self, asked: AskedTexts, judged: Judged) -> Any:
        """Gives the text as it may be shown. Raises ApiError for a blocked one, if the policy asks for an error."""
        (text,) = judged.texts
        if text.report.blocked and judged.policy.on_block is OnBlock.ERROR:
            raise errors.blocked()
        replaced = text.report.blocked and judged.policy.on_block is OnBlock.REPLACE
        return {"object": "redacted_text", "text": judged.policy.block_text if replaced else text.shown}

    def describe(self, proxy: Proxy, caller: Caller) -> tuple[Schema, Schema]:
        """Describes the request and the answer."""
        most = proxy.settings.limits.call_chars
        logprobs = {"type": ["object", "null"]} if takes_tokens(proxy, caller) else {"type": "null"}
        properties = {
            "text": {**TEXT, "description": f"The text to redact: at most {most} characters."},
            "user": {**TEXT, "description": "What the user typed. Its values may be repeated."},
            "context": {**TEXT, "description": "What the operator gave, such as retrieved documents."},
            "model": {**TEXT, "description": "Whose log-probabilities they are."},
            "logprobs": {**logprobs, "description": "Those of the text, as in a choice of a chat completion."},
            "reticent": {
                "type": ["object", "null"],
                "properties": {"policy": policy_schema(caller)},
                "additionalProperties": False,
            },
        }
        request = {"type": "object", "required": ["text"], "properties": properties, "additionalProperties": False}
        answer = {
            "type": "object",
            "required": ["object", "text"],
            "properties": {"object": {"const": "redacted_text"}, "text": TEXT},
        }
        return request, answer
