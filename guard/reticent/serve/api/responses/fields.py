"""Defines what each event of `/v1/responses` is about, and what each field of a response and its items is.

Types of items and events without a table are judged or withheld, never passed unread.

Source: the types of openai-python 3.54; vLLM's and llama.cpp's servers as of November 2026.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from reticent.serve.api.api_format import ROLES
from reticent.serve.wire.fields import Echo, Literal, Nested, Rule, SimpleRule, Text

STATUS = Literal(
    frozenset({"in_progress", "completed", "incomplete", "failed", "cancelled", "queued"})
    | {"searching", "interpreting", "generating", "calling"}
)
_WORDS = Literal(
    frozenset({"auto", "default", "flex", "scale", "priority", "standard", "disabled", "commentary", "final_answer"})
)
EVENT: Mapping[str, Rule] = {
    "type": SimpleRule.HANDLED,
    "sequence_number": SimpleRule.COUNT,
    "output_index": SimpleRule.COUNT,
    "content_index": SimpleRule.COUNT,
    "summary_index": SimpleRule.COUNT,
    "annotation_index": SimpleRule.COUNT,
    "item_id": SimpleRule.ID,
    "response_id": SimpleRule.ID,
    "timings": SimpleRule.COUNT,
    "prompt_progress": SimpleRule.COUNT,
    "obfuscation": SimpleRule.PADDING,
    "__verbose": SimpleRule.WITHHELD,
}
"""Fields that all events have."""

BEGUN = frozenset({"response.created", "response.in_progress", "response.queued"})
ENDED = frozenset({"response.completed", "response.incomplete", "response.failed", "response.cancelled"})
UNREADABLE = frozenset({"response.audio.delta", "response.audio.done", "response.image_generation_call.partial_image"})
"""Events with sounds and images, which are dropped."""


class TextField(NamedTuple):
    """Says where an item holds the texts of a family of events: in a part of a list, or in a field."""

    channel: str
    parts: str
    number: str
    full_text_field: str
    """Field of the family's last event that holds the whole text."""
    part: str
    """Type of the part."""


TEXTS: Mapping[str, TextField] = {
    "response.output_text": TextField("content", "content", "content_index", "text", "output_text"),
    "response.refusal": TextField("refusal", "content", "content_index", "refusal", "refusal"),
    "response.reasoning_text": TextField("reasoning", "content", "content_index", "text", "reasoning_text"),
    "response.reasoning_summary_text": TextField(
        "reasoning_summary", "summary", "summary_index", "text", "summary_text"
    ),
}
PART_TEXTS: Mapping[str, tuple[str, str]] = {
    field.part: (family, "refusal" if field.part == "refusal" else "text") for family, field in TEXTS.items()
}
"""Family of events and field with the text, by the type of a part."""
CODE = "response.code_interpreter_call_code"
PARTS: Mapping[str, str] = {
    "response.content_part": "content",
    "response.reasoning_part": "content",
    "response.reasoning_summary_part": "summary",
}
CALLS: Mapping[str, str] = {
    "response.function_call_arguments": "arguments",
    "response.mcp_call_arguments": "arguments",
    "response.custom_tool_call_input": "input",
}
"""Field of the item that holds the arguments, by family of events."""
CALL_ITEMS: Mapping[str, str] = {
    "function_call": "arguments",
    "custom_tool_call": "input",
    "mcp_call": "arguments",
    "mcp_approval_request": "arguments",
}
_INDICES: Mapping[str, Rule] = dict.fromkeys(("start_index", "end_index", "index"), SimpleRule.COUNT)
ANNOTATION = Nested({**_INDICES, "file_id": SimpleRule.ID, "container_id": SimpleRule.ID}, SimpleRule.TEXT)

ITEM: dict[str, Rule] = {
    "type": SimpleRule.HANDLED,
    "id": SimpleRule.ID,
    "call_id": SimpleRule.ID,
    "approval_request_id": SimpleRule.ID,
    "container_id": SimpleRule.ID,
    "status": STATUS,
    "role": ROLES,
    "phase": _WORDS,
}
_RESULT = Nested({"file_id": SimpleRule.ID, "score": SimpleRule.COUNT}, SimpleRule.TEXT)
_LOGS = Nested({"url": SimpleRule.WITHHELD}, SimpleRule.TEXT)
ITEMS: dict[str, dict[str, Rule]] = {
    "message": {"content": SimpleRule.HANDLED},
    "reasoning": {"content": SimpleRule.HANDLED, "summary": SimpleRule.HANDLED, "encrypted_content": SimpleRule.OPAQUE},
    "function_call": {"name": SimpleRule.HANDLED, "arguments": SimpleRule.HANDLED, "namespace": SimpleRule.METADATA},
    "custom_tool_call": {"name": SimpleRule.HANDLED, "input": SimpleRule.HANDLED, "namespace": SimpleRule.METADATA},
    "mcp_call": {
        "name": SimpleRule.HANDLED,
        "arguments": SimpleRule.HANDLED,
        "output": SimpleRule.TEXT,
        "error": SimpleRule.TEXT,
        "server_label": SimpleRule.METADATA,
    },
    "mcp_approval_request": {
        "name": SimpleRule.HANDLED,
        "arguments": SimpleRule.HANDLED,
        "server_label": SimpleRule.METADATA,
    },
    "mcp_list_tools": {"tools": SimpleRule.TEXT, "error": SimpleRule.TEXT, "server_label": SimpleRule.METADATA},
    "web_search_call": {"action": SimpleRule.TEXT, "results": _RESULT},
    "file_search_call": {"queries": SimpleRule.TEXT, "results": _RESULT},
    "code_interpreter_call": {"code": Text("code"), "outputs": _LOGS},
    "image_generation_call": {"result": SimpleRule.WITHHELD, "revised_prompt": SimpleRule.TEXT},
    "compaction": {"encrypted_content": SimpleRule.OPAQUE},
}
"""Items whose texts can be replaced. Any other is shown as it came, or ends the answer, as a client may execute it."""

RESPONSE: Mapping[str, Rule] = {
    "id": SimpleRule.ID,
    "object": Literal(frozenset({"response"})),
    "created_at": SimpleRule.COUNT,
    "completed_at": SimpleRule.COUNT,
    "status": STATUS,
    "model": SimpleRule.MODEL,
    "output": SimpleRule.HANDLED,
    "usage": SimpleRule.COUNT,
    "timings": SimpleRule.COUNT,
    "max_output_tokens": SimpleRule.COUNT,
    "max_tool_calls": SimpleRule.COUNT,
    "top_logprobs": SimpleRule.COUNT,
    "previous_response_id": SimpleRule.ID,
    "incomplete_details": Nested(
        {"reason": Literal(frozenset({"max_output_tokens", "content_filter", "max_messages", "steered"}))},
        SimpleRule.METADATA,
    ),
    "service_tier": _WORDS,
    "truncation": _WORDS,
    "input_messages": SimpleRule.WITHHELD,  # vLLM: prompt and answer once more, with their tokens
    "output_messages": SimpleRule.WITHHELD,
    "__verbose": SimpleRule.WITHHELD,
    **dict.fromkeys(
        ["instructions", "metadata", "prompt", "prompt_cache_key", "prompt_cache_retention", "reasoning"],
        Echo(),
    ),
    **dict.fromkeys(["safety_identifier", "text", "tool_choice", "tools", "user", "include"], Echo()),
}
