"""Defines the format of `/v1/chat/completions`: places and authors of texts, and how answers end."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any

from reticent.observability.observers import Route
from reticent.prompt.segments import PromptView, begun_view, with_calls
from reticent.serve.api.api_format import (
    FINISH_REASONS,
    ROLES,
    check_length,
    flag,
    may_stop,
    model_name,
    positive_number,
    wants_usage,
    whole_number,
)
from reticent.serve.api.begun_answer import begun_turns
from reticent.serve.api.checked_request import checked
from reticent.serve.api.chunked_choices import ChunkedChoices
from reticent.serve.api.inputs import rest, turns
from reticent.serve.options import Permission
from reticent.serve.request_bounds import Bounds
from reticent.serve.stream.walk import Entry
from reticent.serve.wire.fields import TYPES, Logprobs, Nested, Only, Rule, SimpleRule, Text
from reticent.serve.wire.parsed_request import ParsedRequest

_REASONING = Nested(
    {
        "type": TYPES,
        "id": SimpleRule.ID,
        "index": SimpleRule.COUNT,
        "format": SimpleRule.METADATA,
        "signature": SimpleRule.OPAQUE,
        "data": SimpleRule.OPAQUE,
        "text": Text("reasoning_details"),
        "summary": Text("reasoning_summary"),
    },
    SimpleRule.TEXT,
)
_MESSAGE: Mapping[str, Rule] = {
    "role": ROLES,
    "content": Text("content"),
    "reasoning": Text("reasoning"),
    "reasoning_content": Text("reasoning_content"),
    "reasoning_details": _REASONING,
    "refusal": Text("refusal"),
    "tool_calls": SimpleRule.CALLS,
    "function_call": SimpleRule.CALLS,
    "audio": Nested({"id": SimpleRule.ID, "data": SimpleRule.WITHHELD, "transcript": Text("audio")}, SimpleRule.TEXT),
}


class ChatFormat(ChunkedChoices):
    """Reads OpenAI's chat completions, with the fields that vLLM, SGLang, llama.cpp, Ollama, TGI and OpenRouter add."""

    route = Route.CHAT_COMPLETIONS
    path = "/v1/chat/completions"
    main = "content"
    holder = "delta"
    chunk_object = "chat.completion.chunk"
    choice: Mapping[str, Rule] = {
        "index": SimpleRule.COUNT,
        "message": Nested(_MESSAGE, SimpleRule.TEXT),
        "delta": Nested(_MESSAGE, SimpleRule.TEXT),
        "finish_reason": FINISH_REASONS,
        "native_finish_reason": FINISH_REASONS,
        "stop_reason": SimpleRule.COUNT,  # a token's id, or a stop string, which is judged
        "matched_stop": SimpleRule.COUNT,
        "logprobs": Logprobs(),
        "hidden_states": SimpleRule.WITHHELD,
        "token_ids": Only(Permission.TOKEN_IDS),
        "prompt_token_ids": Only(Permission.TOKEN_IDS),
        "prompt_logprobs": Only(Permission.LOGPROBS),
    }

    def parse_request(
        self, body: dict[str, Any], allowed: frozenset[Permission], strip: bool, bounds: Bounds
    ) -> ParsedRequest:
        """Parses and checks a request. Raises ApiError."""
        body = checked(body, allowed, strip, self.gated)
        stream = flag(body, "stream")
        view = _view(body)
        check_length((view,), bounds)
        alternatives = whole_number(body, "top_logprobs") or 0
        return ParsedRequest(
            body,
            (view,),
            positive_number(body, "n", bounds.choices),
            model_name(body),
            stream,
            wants_usage(body, stream),
            _tools(body),
            may_stop(body),
            alternatives if flag(body, "logprobs") else None,
            "messages",
        )

    def with_logprobs(self, parsed: ParsedRequest, alternatives: int, ids: bool) -> dict[str, Any]:
        """Gives the body that asks for log-probabilities with at least so many alternatives, and for tokens' ids."""
        more = {"return_token_ids": True} if ids else {}
        return {**parsed.body, **more, "logprobs": True, "top_logprobs": max(alternatives, parsed.alternatives or 0)}

    def chunk(self, index: int, text: str | None, finish_reason: str | None) -> dict[str, Any]:
        """Makes a chunk's entry for a choice, with this text."""
        delta = {} if text is None else {"content": text}
        return {"index": index, "delta": delta, "logprobs": None, "finish_reason": finish_reason}

    def replace(self, entry: Entry, text: str) -> None:
        """Replaces all texts of a whole answer by one."""
        entry.value["message"] = {"role": "assistant", "content": text}

    def is_empty(self, entry: dict[str, Any], begun: bool) -> bool:
        """Says whether a chunk's entry has no text left. `begun`: the choice's first chunk, with its role, has left."""
        delta = entry.get("delta")
        values = (
            [each for name, each in delta.items() if not (begun and name == "role")] if isinstance(delta, dict) else []
        )
        return entry.get("finish_reason") is None and all(each in (None, "", [], {}) for each in values)


def _view(body: Mapping[str, Any]) -> PromptView:
    """Makes the view of a chat. Raises ApiError."""
    said = turns(body.get("messages"), "messages")
    segments = [*rest(body, "messages"), *chain.from_iterable(said)]
    return with_calls(begun_view(segments, begun_turns(body, body["messages"], said)), body["messages"])


def _tools(body: Mapping[str, Any]) -> frozenset[str]:
    """Gives the names of the tools that the client offers."""
    offered = body.get("tools") or []
    named = (
        [tool.get(kind) for tool in offered if isinstance(tool, dict) for kind in ("function", "custom")]
        if (isinstance(offered, list))
        else []
    )
    functions = body.get("functions")
    named += functions if isinstance(functions, list) else []
    return frozenset(
        name
        for each in named
        if isinstance(each, dict) and isinstance(name := each.get("name"), str) and len(name) <= 64
    )
