"""Defines the format of `/v1/completions`. The prompts are the user's, and the answer continues them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from reticent.observability.observers import Route
from reticent.prompt.segments import PromptView, Role, Segment, from_segments
from reticent.serve.api.api_format import (
    FINISH_REASONS,
    check_length,
    flag,
    may_stop,
    model_name,
    positive_number,
    wants_usage,
    whole_number,
)
from reticent.serve.api.checked_request import checked
from reticent.serve.api.chunked_choices import ChunkedChoices
from reticent.serve.options import Permission
from reticent.serve.request_bounds import Bounds
from reticent.serve.stream.walk import Entry
from reticent.serve.wire.errors import ApiError
from reticent.serve.wire.fields import Logprobs, Only, Rule, SimpleRule, Text
from reticent.serve.wire.parsed_request import ParsedRequest


class CompletionsFormat(ChunkedChoices):
    """Reads OpenAI's legacy completions, with the fields that vLLM and llama.cpp add."""

    route = Route.COMPLETIONS
    path = "/v1/completions"
    main = "text"
    holder = ""
    chunk_object = "text_completion"
    choice: Mapping[str, Rule] = {
        "index": SimpleRule.COUNT,
        "text": Text("text"),
        "reasoning": Text("reasoning"),
        "reasoning_content": Text("reasoning_content"),
        "finish_reason": FINISH_REASONS,
        "stop_reason": SimpleRule.COUNT,  # a token's id, or a stop string, which is judged
        "matched_stop": SimpleRule.COUNT,
        "logprobs": Logprobs(legacy=True),
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
        prompts = _prompts(body.get("prompt"), Permission.TOKEN_IDS in allowed)
        suffix = body.get("suffix")
        if suffix is not None and not isinstance(suffix, str):
            raise ApiError(400, "'suffix' has to be a text.", code="invalid_type", param="suffix")
        each = positive_number(body, "n", bounds.choices)
        positive_number(body, "best_of", bounds.choices)
        if each * len(prompts) > bounds.choices:
            raise ApiError(
                400, f"A request may have {bounds.choices} answers in all.", code="invalid_value", param="prompt"
            )
        views = tuple(_view(prompt, suffix or "") for prompt in prompts)
        check_length(views, bounds)
        usage = wants_usage(body, stream)
        return ParsedRequest(
            body,
            views,
            each,
            model_name(body),
            stream,
            usage,
            may_stop=may_stop(body),
            alternatives=whole_number(body, "logprobs"),
            prompt_field="prompt",
        )

    def with_logprobs(self, parsed: ParsedRequest, alternatives: int, ids: bool) -> dict[str, Any]:
        """Gives the body that asks for log-probabilities with at least so many alternatives, and for tokens' ids."""
        more = {"return_token_ids": True} if ids else {}
        return {**parsed.body, **more, "logprobs": max(alternatives, parsed.alternatives or 0)}

    def chunk(self, index: int, text: str | None, finish_reason: str | None) -> dict[str, Any]:
        """Makes a chunk's entry for a choice, with this text."""
        return {"index": index, "text": text or "", "logprobs": None, "finish_reason": finish_reason}

    def replace(self, entry: Entry, text: str) -> None:
        """Replaces all texts of a whole answer by one."""
        kept: dict[str, Any] = {name: entry.value[name] for name in ("index", "finish_reason") if name in entry.value}
        entry.value.clear()
        entry.value.update(kept, text=text, logprobs=None)

    def is_empty(self, entry: dict[str, Any], begun: bool) -> bool:
        """Says whether a chunk's entry has no text left."""
        values = (value for name, value in entry.items() if name not in ("index", "logprobs"))
        return all(each in (None, "", [], {}) for each in values)


def _prompts(prompt: Any, may_be_tokens: bool) -> list[str]:
    """Reads the prompts as texts. Raises ApiError."""
    if isinstance(prompt, str):
        return [prompt]
    if isinstance(prompt, list) and prompt and all(isinstance(each, str) for each in prompt):
        return prompt
    tokens = isinstance(prompt, list) and prompt and all(isinstance(each, int | list) for each in prompt)
    if tokens and may_be_tokens:  # none of them counts as the user's own words
        return [""] * (len(prompt) if isinstance(prompt[0], list) else 1)
    if tokens:
        raise ApiError(
            400,
            "A prompt of token ids cannot be read: send it as text, or have the operator allow 'token_ids'.",
            code="not_allowed",
            param="prompt",
        )
    raise ApiError(400, "'prompt' has to be a text or a list of texts.", code="invalid_type", param="prompt")


def _view(prompt: str, suffix: str) -> PromptView:
    """Makes the view of a prompt that the answer goes on with. A text behind the answer is the user's as well."""
    behind = [Segment(Role.USER, suffix)] if suffix else []
    return replace(from_segments([*behind, Segment(Role.USER, prompt)], continues=True), behind=suffix)
