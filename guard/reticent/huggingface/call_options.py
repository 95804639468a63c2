"""Defines what a caller of a guarded model may give besides the options of `generate`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from torch import Tensor

from reticent.huggingface.answer import Answer
from reticent.observability.answer_watch import AnswerWatch
from reticent.observability.observers import Observer, Route
from reticent.policy.policy import Policy

if TYPE_CHECKING:
    from reticent_detectors.capture.base_model import BaseModel


class TextSink(Protocol):
    """Takes released text, as transformers' `TextStreamer` and `TextIteratorStreamer` do."""

    def on_finalized_text(self, text: str, stream_end: bool = False) -> None:
        """Takes released text."""
        ...


@dataclass(frozen=True, slots=True)
class Trial:
    """Watches the values of one call.

    Attributes:
        watch: takes what was measured of each value.
        base: the model before private tuning, in place of the guarded model's own. None: the call has no base.
    """

    watch: AnswerWatch
    base: BaseModel | None


@dataclass(frozen=True, slots=True)
class CallOptions:
    """Holds the options of a call that the guard takes, not the model."""

    streamer: TextSink | None
    policy: Policy
    conversation: str | None
    on_answer: Callable[[Answer], None] | None
    route: Route
    observers: tuple[Observer, ...] | None = None
    apart: bool = False
    trial: Trial | None = None
    request_id: str | None = None


def released_text_sink(tokenizer: Any, streamer: TextSink | None, ids: Tensor) -> Callable[[str], None]:
    """Makes the function that hands released text to a streamer, and writes the prompt to it where it wants that."""
    if streamer is None:
        return lambda text: None
    if not getattr(streamer, "skip_prompt", True):
        streamer.on_finalized_text(tokenizer.decode(ids[0], skip_special_tokens=True))

    def emit(text: str) -> None:
        if text:
            streamer.on_finalized_text(text)

    return emit
