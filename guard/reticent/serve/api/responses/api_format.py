"""Defines the format of `/v1/responses`: what a client may ask for, and the authors of its texts.

An answer is not stored upstream unless the client's key allows it. OpenAI's servers store it if a request is silent, so
`store: false` is sent. Stored answers are fetched by routes that are closed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from reticent.observability.observers import Route
from reticent.prompt.segments import Role, Segment, begun_view, with_calls
from reticent.serve.api.api_format import (
    check_length,
    flag,
    may_stop,
    model_name,
    whole_number,
)
from reticent.serve.api.begun_answer import begun_turns
from reticent.serve.api.chat import ChatFormat
from reticent.serve.api.checked_request import checked
from reticent.serve.api.inputs import context, rest, tool_names, turn
from reticent.serve.api.responses.reader import ResponsesReader
from reticent.serve.judging.guarded_request import GuardedRequest
from reticent.serve.options import OnStoppedCall, Permission
from reticent.serve.request_bounds import Bounds
from reticent.serve.wire.error_formats import RESPONSES
from reticent.serve.wire.errors import ApiError
from reticent.serve.wire.parsed_request import ParsedRequest

_GATED = {
    **ChatFormat.gated,
    "previous_response": Permission.STORE,  # vLLM: state that only it can read
    "previous_input_messages": Permission.STORE,
    "enable_response_messages": Permission.TOKEN_IDS,
}
_TOKENS = "message.output_text.logprobs"
_MODEL = frozenset({"function_call", "custom_tool_call", "reasoning", "computer_call", "local_shell_call", "program"})
# Beside what tools returned, items hold what the model asked of them.
_CALL_FIELDS = ("name", "arguments", "input", "action", "operation", "code", "status", "encrypted_content")


class ResponsesFormat:
    """Reads OpenAI's responses, with the fields that vLLM, llama.cpp and LiteLLM add or leave out."""

    route = Route.RESPONSES
    path = "/v1/responses"
    error_format = RESPONSES
    gated: Mapping[str, Permission] = _GATED

    def parse_request(
        self, body: dict[str, Any], allowed: frozenset[Permission], strip: bool, bounds: Bounds
    ) -> ParsedRequest:
        """Parses and checks a request. Raises ApiError."""
        body = checked(body, allowed, strip, self.gated)
        body = _check_include(body, allowed, strip)
        if Permission.STORE not in allowed:
            body["store"] = False
        stream = flag(body, "stream")
        said = _input(body, Permission.STORE in allowed)
        segments = [*rest(body, "input"), *chain.from_iterable(said)]
        if not (said or body.get("instructions") or body.get("prompt") or body.get("input")):
            raise ApiError(400, "'input' has to be a text or a list of items.", code="invalid_type", param="input")
        view = begun_view(segments, begun_turns(body, body.get("input") or [], said))
        view = with_calls(view, _of_model(body.get("input")))
        check_length((view,), bounds)
        tools = tool_names(body.get("tools"))
        return ParsedRequest(
            body,
            (view,),
            1,
            model_name(body),
            stream,
            False,
            tools,
            may_stop(body),
            alternatives=(whole_number(body, "top_logprobs") or 0) if _TOKENS in _include_list(body) else None,
            prompt_field="input",
        )

    def with_logprobs(self, parsed: ParsedRequest, alternatives: int, ids: bool) -> dict[str, Any]:
        """Gives the body that asks for the answer's log-probabilities, with at least so many alternatives.

        No server sends ids here, nor log-probabilities of thoughts and calls. vLLM refuses the request for gpt-oss.
        """
        wanted = [each for each in _include_list(parsed.body) if each != _TOKENS]
        return {
            **parsed.body,
            "include": [*wanted, _TOKENS],
            "top_logprobs": max(alternatives, parsed.alternatives or 0),
        }

    def reader(
        self,
        request: GuardedRequest,
        parsed: ParsedRequest,
        allowed: frozenset[Permission] = frozenset(),
        on_stopped_call: OnStoppedCall = OnStoppedCall.WITHHOLD,
    ) -> ResponsesReader:
        """Makes the reader of the response."""
        return ResponsesReader(request, parsed, allowed, on_stopped_call, "content")


def _include_list(body: dict[str, Any]) -> list[Any]:
    """Reads the request's `include`."""
    wanted = body.get("include")
    return wanted if isinstance(wanted, list) else []


def _check_include(body: dict[str, Any], allowed: frozenset[Permission], strip: bool) -> dict[str, Any]:
    """Removes log-probabilities that the client may not ask for from the body. Raises ApiError."""
    wanted = _include_list(body)
    if _TOKENS not in wanted or Permission.LOGPROBS in allowed:
        return body
    if not strip:
        raise ApiError(
            400,
            "'include' may not name log-probabilities here: the operator has not allowed 'logprobs' for this API key.",
            code="not_allowed",
            param="include",
        )
    return {**body, "include": [each for each in wanted if each != _TOKENS]}


def _input(body: dict[str, Any], may_refer: bool) -> list[list[Segment]]:
    """Gives the texts of each turn. Raises ApiError."""
    given = body.get("input")
    if given is None:
        return []
    if isinstance(given, str):
        return [[Segment(Role.USER, given)]]
    if not isinstance(given, list) or not all(isinstance(item, dict) for item in given):
        raise ApiError(400, "'input' has to be a text or a list of items.", code="invalid_type", param="input")
    return [[*_item(item, may_refer)] for item in given]


def _of_model(given: Any) -> Iterator[dict[str, Any]]:
    """Yields what the model called or thought in earlier items."""
    for item in given if isinstance(given, list) else ():
        if item.get("type") in _MODEL:
            yield {name: value for name, value in item.items() if name not in ("id", "encrypted_content")}
        else:
            yield {name: item[name] for name in _CALL_FIELDS[:-2] if name in item}


def _item(item: dict[str, Any], may_refer: bool) -> Iterator[Segment]:
    """Yields the texts of an item. Raises ApiError."""
    kind = item.get("type", "message")
    if not isinstance(kind, str):
        raise ApiError(400, "An item's type has to be a text.", code="invalid_type", param="input")
    if kind == "message":
        yield from turn(item, "input")
    elif kind == "item_reference" and not may_refer:
        raise ApiError(
            400,
            "'item_reference' is not available here: the operator has not allowed 'store' for this API key.",
            code="not_allowed",
            param="input",
        )
    elif kind not in _MODEL:  # whose earlier answers count for nothing
        yield from context(item, _CALL_FIELDS)
