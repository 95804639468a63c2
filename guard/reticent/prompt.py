"""Whose text a prompt is: the user's, the operator's, or the model's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from reticent_detectors.errors import InputError
from reticent_detectors.spans import FindContext

LEFT_CHARS = 1024
"""How much of the text directly before the answer the span finder sees."""


class Role(StrEnum):
    """Who wrote a segment."""

    USER = "user"
    CONTEXT = "context"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a prompt and who wrote it.

    The user's own words may be echoed; the operator's `context` (system prompt, examples, retrieved documents) may
    not, unless the policy says so; the model's earlier answers count for neither.
    """

    role: Role
    text: str

    def __repr__(self) -> str:
        return f"Segment({self.role}, <{len(self.text)} chars>)"


@dataclass(frozen=True, slots=True)
class PromptView:
    """What the guard knows of a prompt: the user's text, the operator's, and what a span finder may look at."""

    user: str
    operator: str
    context: FindContext

    def __repr__(self) -> str:
        return f"PromptView(user=<{len(self.user)} chars>, operator=<{len(self.operator)} chars>)"


_ROLES = {"user": Role.USER, "assistant": Role.MODEL, "model": Role.MODEL}


def from_segments(segments: Iterable[Segment], *, continues: bool = False) -> PromptView:
    """The view of a prompt whose authors are known.

    Args:
        segments: in order.
        continues: the answer goes on with the last segment as one running text (a completion prompt or a prefilled
            assistant turn).
    """
    parts = list(segments)
    user = "\n".join(s.text for s in parts if s.role is Role.USER)
    operator = "\n".join(s.text for s in parts if s.role is Role.CONTEXT)
    left = parts[-1].text[-LEFT_CHARS:] if continues and parts else ""
    asked = parts[:-1] if continues else parts
    question = next((s.text for s in reversed(asked) if s.role is Role.USER), "")
    return PromptView(user, operator, FindContext(left, question))


def from_messages(messages: Sequence[Mapping[str, Any]], *, continues: bool = False) -> PromptView:
    """The view of a chat: `user` turns are the user's, `assistant` turns the model's, all others the operator's.

    Raises:
        InputError: there are no messages, or one lacks a role or has content that is no text.
    """
    if not messages:
        raise InputError("messages is empty; expected at least one {'role': 'user', 'content': '...'}.")
    segments = []
    for number, message in enumerate(messages):
        role, content = message.get("role"), message.get("content")
        if not isinstance(role, str) or not isinstance(content, str):
            raise InputError(
                f"messages[{number}] must have a role and a content that are text, got {type(role).__name__} and "
                f"{type(content).__name__}."
            )
        segments.append(Segment(_ROLES.get(role, Role.CONTEXT), content))
    return from_segments(segments, continues=continues)


def from_ids(tokenizer: Any, ids: Sequence[int]) -> PromptView:
    """The view of a bare prompt: all of it is the user's.

    What stands after the last special token runs on into the answer; the stretch before it is the question.
    """
    special = set(tokenizer.all_special_ids)
    stretches: list[list[int]] = [[]]
    for token in ids:
        if token in special:
            stretches.append([])
        else:
            stretches[-1].append(token)
    texts = [tokenizer.decode(stretch) if stretch else "" for stretch in stretches]
    earlier = [text for text in texts[:-1] if text.strip()]
    user = "\n".join([*earlier, texts[-1]]).strip("\n")
    return PromptView(user, "", FindContext(texts[-1][-LEFT_CHARS:], earlier[-1] if earlier else ""))
