"""Defines the span of personal data: an entity and a character range, without the text itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Span:
    """Marks one piece of personal data in a model's answer. It holds no text, so no log line of it can leak a value.

    Attributes:
        entity: its kind.
        start: first character in the answer. It is negative where the span begins in the prompt; then the answer adds
            the characters from 0 on.
        end: first character behind it.
        recognizer: what found it.
        fragment: whether the end of the stream cut the value short.
        parts: where the parts of a value are that stand apart, in the value's order. The span is the last one said.
    """

    entity: str
    start: int
    end: int
    recognizer: str = ""
    fragment: bool = False
    parts: tuple[tuple[int, int], ...] = ()

    @property
    def answer_start(self) -> int:
        """Gives the first character of the span that the answer itself adds."""
        return max(0, self.start)


class StateTags(Protocol):
    """Says what the states of the model that writes the answer make of its words.

    What it says of a word once, it says again.
    """

    @property
    def margins(self) -> Sequence[float]:
        """Gives the margins [K] of the tagger's kinds where it and the states decide together, in nats."""
        ...

    def __call__(self, text: str, words: Sequence[tuple[int, int]]) -> Sequence[NDArray[np.float32] | None]:
        """Gives log-probabilities [1 + 2K] of the tagger's tags of words of the answer so far.

        None for a word of which the model has no state, or that stands elsewhere in what the model wrote.
        """
        ...


@dataclass(frozen=True, slots=True)
class FindContext:
    """Holds what a span finder may look at besides the answer.

    Attributes:
        left: running text directly before the answer: the end of a completion prompt or of a prefilled turn of the
            model. It is empty for a fresh chat turn.
        question: the user's last turn, which says of what kind an answer such as "Diabetes." is.
        earlier: everything else before the answer, whoever wrote it, the newest last.
        model_chars: how many characters at the end of `left` the model wrote.
        states: tags of the answer's words by the states of the model that writes it, if they are read.
    """

    left: str = ""
    question: str = ""
    earlier: str = ""
    model_chars: int = 0
    states: StateTags | None = field(default=None, repr=False, compare=False)
    read: dict[str, object] = field(default_factory=dict, init=False, repr=False, compare=False, hash=False)
    """What a finder read from it, kept so that it need not read it again."""

    def __repr__(self) -> str:
        return (
            f"FindContext(left=<{len(self.left)} chars>, question=<{len(self.question)} chars>, "
            f"earlier=<{len(self.earlier)} chars>)"
        )

    def behind(self, left: str, model_chars: int = 0) -> FindContext:
        """Copies the context with another end, of which the model wrote `model_chars` characters."""
        other = FindContext(left, self.question, self.earlier, min(model_chars, len(left)), self.states)
        if "asked" in self.read:
            other.read["asked"] = self.read["asked"]
        return other


class Scan(NamedTuple):
    """Holds the result of one step of a finder.

    Attributes:
        span: the next final span; None if there is none yet.
        frontier: how far the text is decided, in characters. It is `span.end` where there is a span. Otherwise every
            span that begins before it was reported, and more text changes none of them.
    """

    span: Span | None
    frontier: int
