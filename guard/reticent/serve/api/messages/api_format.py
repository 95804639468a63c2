"""Defines the format of `/v1/messages`: what a client may ask for, and the authors of its texts."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any

from reticent.observability.observers import Route
from reticent.prompt.segments import Role, begun_view
from reticent.serve.api.api_format import check_length, flag, may_stop, model_name
from reticent.serve.api.begun_answer import begun_turns
from reticent.serve.api.chat import ChatFormat
from reticent.serve.api.checked_request import checked
from reticent.serve.api.inputs import parts, rest, tool_names, turns
from reticent.serve.api.messages.reader import MessagesReader
from reticent.serve.judging.guarded_request import GuardedRequest
from reticent.serve.options import OnStoppedCall, Permission
from reticent.serve.request_bounds import Bounds
from reticent.serve.wire.error_formats import MESSAGES
from reticent.serve.wire.parsed_request import ParsedRequest


class MessagesFormat:
    """Reads Anthropic's messages, which vLLM, llama.cpp, LiteLLM and Ollama serve as well."""

    route = Route.MESSAGES
    path = "/v1/messages"
    error_format = MESSAGES
    gated: Mapping[str, Permission] = ChatFormat.gated

    def parse_request(
        self, body: dict[str, Any], allowed: frozenset[Permission], strip: bool, bounds: Bounds
    ) -> ParsedRequest:
        """Parses and checks a request. Raises ApiError."""
        body = checked(body, allowed, strip, self.gated)
        stream = flag(body, "stream")
        said = turns(body.get("messages"), "messages")
        system = parts(body.get("system"), Role.CONTEXT, "system")
        segments = [*system, *rest(body, "messages", "system"), *chain.from_iterable(said)]
        view = begun_view(segments, begun_turns(body, body["messages"], said))
        check_length((view,), bounds)
        tools = tool_names(body.get("tools"))
        return ParsedRequest(
            body, (view,), 1, model_name(body), stream, False, tools, may_stop(body), prompt_field="system"
        )

    def with_logprobs(self, parsed: ParsedRequest, alternatives: int, ids: bool) -> dict[str, Any]:
        """Returns the body as it is: no server sends tokens on this route, so a detector judges nothing."""
        return parsed.body

    def reader(
        self,
        request: GuardedRequest,
        parsed: ParsedRequest,
        allowed: frozenset[Permission] = frozenset(),
        on_stopped_call: OnStoppedCall = OnStoppedCall.WITHHOLD,
    ) -> MessagesReader:
        """Makes the reader of the response."""
        return MessagesReader(request, parsed, allowed, on_stopped_call, "text")
