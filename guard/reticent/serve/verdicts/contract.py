"""Defines what a contract is: how it writes texts to judge, and how it writes what was decided.

A contract reads a request's body, and writes the answer. It touches no socket and judges nothing. To add one, write a
class in a file of its own and a row in `contracts.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from reticent.observability.observers import Route
from reticent.policy.options import OnBlock
from reticent.policy.policy import Policy
from reticent.serve.judging.open_text import JudgedText
from reticent.serve.options import Permission
from reticent.serve.wire.errors import BLOCKED, ApiError

if TYPE_CHECKING:
    from reticent.serve.proxy import Proxy
    from reticent.serve.snapshot import Caller

Schema = dict[str, Any]
_Body = TypeVar("_Body", bound=BaseModel)
TEXT: Schema = {"type": "string"}


class Lenient(BaseModel):
    """Reads the fields of a contract that are known here. Others may come with its next version."""

    model_config = ConfigDict(extra="ignore", strict=True, hide_input_in_errors=True)


class Extras(BaseModel):
    """Holds what a request may tell beside its texts, where its contract leaves a place for that.

    Args:
        policy: the name of the policy to judge by.
        user: what the user typed. Its values may be repeated.
        context: what the operator gave, such as retrieved documents.
        model: whose log-probabilities they are, by the name that the upstream gives it.
        logprobs: for each text its log-probabilities, as OpenAI writes them in a choice.
    """

    model_config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)

    policy: str = ""
    user: str = ""
    context: str = ""
    model: str = ""
    logprobs: list[dict[str, Any]] | None = Field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class AskedTexts:
    """Holds texts to judge.

    Args:
        texts: each is judged by itself.
        extras: what was told beside them.
        calls: names and arguments of tool calls. They cannot be shown in part.
        stream: names texts that come again when they have grown. Their hashes and surrogates stay the same.
        unread: whether the request holds something that cannot be judged.
        body: the request, as its contract reads it.
    """

    texts: tuple[str, ...] = field(repr=False)
    extras: Extras = field(repr=False)
    calls: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    stream: str = ""
    unread: bool = False
    body: Any = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Judged:
    """Holds what was decided about the texts of a request.

    Args:
        policy: that decided.
        texts: one for each text.
        calls_stopped: whether a tool call holds a value that is stopped.
    """

    policy: Policy
    texts: tuple[JudgedText, ...]
    calls_stopped: bool = False

    @property
    def blocked(self) -> bool:
        """Says whether the policy blocked a text."""
        return any(each.report.blocked for each in self.texts)

    @property
    def changed(self) -> bool:
        """Says whether anything is shown otherwise than it came."""
        return any(each.report.changed for each in self.texts)

    @property
    def reason(self) -> str:
        """Gives the words for a text that is not shown at all: the policy's own, or ours."""
        return self.policy.block_text if self.policy.on_block is OnBlock.REPLACE else BLOCKED


class Contract(Protocol):
    """Reads and writes one contract. It is safe to share."""

    path: str
    route: Route
    summary: str
    refused: int
    """Status of a body that is not what the contract asks for."""

    def read(self, body: dict[str, Any], headers: Mapping[bytes, bytes]) -> AskedTexts:
        """Reads a request. Raises ApiError."""
        ...

    def answer(self, asked: AskedTexts, judged: Judged) -> Any:
        """Gives the answer, as JSON. Raises ApiError."""
        ...

    def describe(self, proxy: Proxy, caller: Caller) -> tuple[Schema, Schema]:
        """Describes the request and the answer by their JSON schemas."""
        ...


def checked_body(kind: type[_Body], body: Any, expected: str, status: int = 400) -> _Body:
    """Reads a body. Raises ApiError, which says what was expected and names the field that is to blame."""
    try:
        return kind.model_validate(body)
    except ValidationError as error:
        field_name = error.errors(include_input=False, include_url=False)[0]["loc"][:1]
        known = field_name and field_name[0] in kind.model_fields
        raise ApiError(
            status, f"Expected {expected}.", code="invalid_value", param=str(field_name[0]) if known else None
        ) from None


def extras_schema(proxy: Proxy, caller: Caller, **more: Schema) -> Schema:
    """Describes the extras that a client may send."""
    properties: dict[str, Schema] = {"policy": policy_schema(caller), "user": TEXT, "context": TEXT, **more}
    if takes_tokens(proxy, caller):
        properties |= token_schemas()
    else:
        properties |= {"model": TEXT, "logprobs": {"type": "null"}}
    return {"type": "object", "properties": properties, "additionalProperties": False}


def takes_tokens(proxy: Proxy, caller: Caller) -> bool:
    """Says whether a client may send log-probabilities, and there is a detector that judges by them."""
    return proxy.detector is not None and Permission.EVIDENCE in caller.allowed


def token_schemas() -> dict[str, Schema]:
    """Describes log-probabilities. Which models there are, and which tokens a text has, no schema can say."""
    logprobs: Schema = {"type": "array", "items": {"type": "object"}}
    return {"model": TEXT, "logprobs": {"anyOf": [logprobs, {"type": "null"}]}}


def policy_schema(caller: Caller) -> Schema:
    """Describes the names of policies that a client may choose."""
    return {"type": "string", "enum": ["", *sorted(caller.choices)]}
