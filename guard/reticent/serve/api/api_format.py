"""Defines what the format of a route provides: the places of texts in requests and responses, and how answers end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from reticent.observability.observers import Route
from reticent.prompt.segments import PromptView
from reticent.serve.judging.guarded_request import GuardedRequest
from reticent.serve.options import OnStoppedCall, Permission
from reticent.serve.request_bounds import Bounds
from reticent.serve.stream.chunk_format import ChunkFormat
from reticent.serve.stream.reader import Reader
from reticent.serve.wire.error_formats import ErrorFormat
from reticent.serve.wire.errors import ApiError
from reticent.serve.wire.fields import Literal, Rule, SimpleRule
from reticent.serve.wire.parsed_request import ParsedRequest

ROLES = Literal(frozenset({"assistant", "system", "user", "tool", "developer", "model"}))
FINISH_REASONS = Literal(
    frozenset(
        {"stop", "length", "tool_calls", "function_call", "content_filter", "abort", "error", "eos", "eos_token"}
        | {"stop_sequence", "end_turn", "max_tokens", "insufficient_system_resource", "model_length"}
    )
)

_SERVER_WORDS = Literal(
    frozenset({"auto", "default", "flex", "scale", "priority", "standard", "safe", "low", "medium"})
)

TOP: Mapping[str, Rule] = {
    "id": SimpleRule.ID,
    "object": Literal(frozenset({"chat.completion", "chat.completion.chunk", "text_completion"})),
    "created": SimpleRule.COUNT,
    "model": SimpleRule.MODEL,
    "system_fingerprint": SimpleRule.ID,
    "service_tier": _SERVER_WORDS,
    "usage": SimpleRule.COUNT,
    "timings": SimpleRule.COUNT,
    "obfuscation": SimpleRule.PADDING,
    "__verbose": SimpleRule.WITHHELD,  # llama.cpp: the prompt, the answer and their tokens once more
    "hidden_states": SimpleRule.WITHHELD,
    "choices": SimpleRule.HANDLED,
}
"""Fields beside the choices, without those that need a permission."""


_SPOIL_LOGPROBS = ("echo", "prompt_logprobs", "logprob_token_ids")


class ApiFormat(Protocol):
    """Reads and writes one route's requests and responses."""

    route: Route
    path: str
    error_format: ErrorFormat
    gated: Mapping[str, Permission]
    """Fields that a client may send only with a permission."""

    def parse_request(
        self, body: dict[str, Any], allowed: frozenset[Permission], strip: bool, bounds: Bounds
    ) -> ParsedRequest:
        """Parses and checks a request. Raises ApiError."""
        ...

    def with_logprobs(self, parsed: ParsedRequest, alternatives: int, ids: bool) -> dict[str, Any]:
        """Gives the body that asks for log-probabilities with at least so many alternatives, and for tokens' ids."""
        ...

    def reader(
        self,
        request: GuardedRequest,
        parsed: ParsedRequest,
        allowed: frozenset[Permission] = frozenset(),
        on_stopped_call: OnStoppedCall = OnStoppedCall.WITHHOLD,
    ) -> Reader:
        """Makes the reader of the response."""
        ...


class ChoicesFormat(ChunkFormat, ApiFormat, Protocol):
    """Reads and writes a route whose answers are choices, streamed in chunks."""


def refuse_spoilt_logprobs(body: Mapping[str, Any]) -> None:
    """Raises ApiError for a field that changes the log-probabilities which a detector reads.

    vLLM makes `prompt_logprobs` of `echo`, which end its engine beside requests with LoRA, and one request's
    `logprob_token_ids` change the others' of its batch.
    """
    for name in _SPOIL_LOGPROBS:
        if (value := body.get(name)) is not None and value is not False:
            raise ApiError(
                400,
                f"'{name}' is not available here: answers of this model are judged by their log-probabilities.",
                code="not_allowed",
                param=name,
            )


def flag(body: Mapping[str, Any], name: str) -> bool:
    """Reads a field that is true, false, null or absent. Raises ApiError."""
    value = body.get(name)
    if value is not None and not isinstance(value, bool):
        raise ApiError(400, f"'{name}' has to be true or false.", code="invalid_type", param=name)
    return bool(value)


def positive_number(body: Mapping[str, Any], name: str, largest: int) -> int:
    """Reads a whole number from 1 to `largest`, 1 if absent. Raises ApiError."""
    value = body.get(name)
    if value is None:
        return 1
    return _within(value, name, 1, largest)


def whole_number(body: Mapping[str, Any], name: str, largest: int = 100) -> int | None:
    """Reads a whole number from 0 to `largest`, None if absent. Raises ApiError."""
    value = body.get(name)
    if value is None or value is False:
        return None
    return _within(value, name, 0, largest)


def _within(value: Any, name: str, smallest: int, largest: int) -> int:
    is_whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())  # to JSON, 1.0 is one
    if isinstance(value, bool) or not is_whole or not smallest <= value <= largest:
        raise ApiError(
            400, f"'{name}' has to be a whole number from {smallest} to {largest}.", code="invalid_value", param=name
        )
    return int(value)


def model_name(body: Mapping[str, Any]) -> str:
    """Reads the model's name, which may be absent. Raises ApiError."""
    value = body.get("model", "")
    if not isinstance(value, str) or len(value) > 256:
        raise ApiError(400, "'model' has to be a text.", code="invalid_type", param="model")
    return value


def may_stop(body: Mapping[str, Any]) -> bool:
    """Says whether the client sets where the answer ends, by `stop`, `stop_token_ids`, `stop_regex` or the like."""
    return any(name.startswith("stop") and bool(value) for name, value in body.items())


def check_length(views: Iterable[PromptView], bounds: Bounds) -> None:
    """Raises ApiError for prompts that are longer than they may be."""
    if sum(len(view.user) + len(view.operator) for view in views) > bounds.prompt_chars:
        raise ApiError(413, f"The texts of a request may have {bounds.prompt_chars} characters.", code="too_large")


def wants_usage(body: Mapping[str, Any], stream: bool) -> bool:
    """Says whether the client asked for a usage chunk. Raises ApiError."""
    options = body.get("stream_options")
    if options is None:
        return False
    if not isinstance(options, dict):
        raise ApiError(400, "'stream_options' has to be an object.", code="invalid_type", param="stream_options")
    return flag(options, "include_usage") and stream
