"""Defines the job between a request and the model's thread, and the events of its answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from reticent.hosted.sampling import Sampling
from reticent.observability.answer_watch import AnswerWatch
from reticent.observability.observers import Observer, Route
from reticent.policy.policy import Policy
from reticent.prompt.segments import PromptView
from reticent.serve.wire.parsed_request import ParsedRequest


@dataclass(frozen=True, slots=True)
class ChoiceEvent:
    """Reports a choice's beginning, text that may be shown, or its end with the number of tokens shown.

    `spans` are the values of a watched answer that this text brings to their end, as its watch describes them.
    """

    index: int
    text: str = field(default="", repr=False)
    finish_reason: str | None = None
    tokens: int = 0
    spans: Sequence[Mapping[str, object]] = ()


@dataclass(frozen=True)
class GenerationJob:
    """Holds one request that the host can answer."""

    parsed: ParsedRequest
    route: Route
    policy: Policy
    prompts: tuple[tuple[int, ...], ...] = field(repr=False)
    sampling: Sampling
    new_tokens: int
    observers: tuple[Observer, ...] | None = None
    """Observers in place of the guard's own, for a question of the operator's that is no client's request."""
    watch: AnswerWatch | None = None
    """Follows the answer, besides the observers."""
    request_id: str | None = None
    """Names the request in logs. None: one is drawn."""

    @property
    def rows(self) -> list[tuple[int, ...]]:
        """Gives the prompt of each answer. Answers to one prompt are neighbours."""
        return [prompt for prompt in self.prompts for _ in range(self.parsed.choices)]

    @property
    def views(self) -> list[PromptView]:
        """Gives what is known of the prompt of each answer."""
        return [view for view in self.parsed.views for _ in range(self.parsed.choices)]

    @property
    def streams(self) -> bool:
        """Says whether text leaves while it is made. A single answer's can; several leave when finished."""
        return self.parsed.stream and len(self.rows) == 1
