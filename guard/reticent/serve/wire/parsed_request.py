"""Defines a parsed request: what guard, detectors and upstream get, whatever the API format that it came in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from reticent.prompt.segments import PromptView


@dataclass(frozen=True, slots=True)
class ParsedRequest:
    """Holds a request as the guard needs it.

    Args:
        body: what is sent upstream.
        views: one for each prompt.
        choices: answers to each prompt.
        main: the channel that goes on with the end of the prompt.
        tools: names of the tools that the client offered.
        may_stop: whether there are stop strings or tokens, which may end an answer inside a value.
        policy: the policy that the request names, if it does.
        body_bytes: how long the request's body was.
        alternatives: how many alternatives the client wants beside each log-probability; None if it wants none.
        prompt_field: which field of the body holds what the model reads: `messages`, a chat; `system`, with which a
            chat begins; `prompt`, bare texts; `input`, items; empty if it is another.
    """

    body: dict[str, Any] = field(repr=False)
    views: tuple[PromptView, ...] = field(repr=False)
    choices: int
    model: str = field(repr=False)
    stream: bool
    include_usage: bool
    tools: frozenset[str] = field(default=frozenset(), repr=False)
    may_stop: bool = False
    alternatives: int | None = None
    prompt_field: str = ""
    policy: str = ""
    body_bytes: int = 0
