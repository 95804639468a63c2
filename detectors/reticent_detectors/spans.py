"""What a personal-data span is: an entity and a character range, never the text itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Span:
    """One piece of personal data in a model's answer.

    `start` and `end` are character offsets into the answer, end exclusive. `start` is negative when the
    span begins in the prompt (a completion prompt or a prefilled assistant); then the characters from 0
    on are what the answer adds. `fragment` marks a value that the end of the stream cut short.
    A span holds no text, so neither its `repr` nor a log line made from it can leak a value.
    """

    entity: str
    start: int
    end: int
    recognizer: str = ""
    fragment: bool = False

    @property
    def answer_start(self) -> int:
        """First character of the span that the answer itself adds."""
        return max(0, self.start)


@dataclass(frozen=True, slots=True)
class FindContext:
    """What a span finder may look at besides the answer.

    `left` is the text that stands directly before the answer as one running text: the end of a completion
    prompt or of a prefilled assistant turn. It is empty for a fresh chat turn. `question` is the user's
    last turn, which says what kind of value an answer such as "Diabetes." is; `earlier` is everything else that stands
    before the answer, whoever wrote it, the newest last: a model answers a question of an earlier turn as well.
    `said` is how many characters of the model's turn stand at the end of `left` already.
    """

    left: str = ""
    question: str = ""
    earlier: str = ""
    said: int = 0
    read: dict[str, object] = field(default_factory=dict, init=False, repr=False, compare=False, hash=False)
    """What a finder read from it, kept so that it need not read it again."""

    def __repr__(self) -> str:
        return (
            f"FindContext(left=<{len(self.left)} chars>, question=<{len(self.question)} chars>, "
            f"earlier=<{len(self.earlier)} chars>)"
        )

    def behind(self, left: str, said: int = 0) -> FindContext:
        """The same prompt with another end, of which the model said so much."""
        other = FindContext(left, self.question, self.earlier, min(said, len(left)))
        if "question" in self.read:
            other.read["question"] = self.read["question"]
        return other


class Scan(NamedTuple):
    """Result of one step of a finder: the next final span, if any, and how far the text is decided.

    If `span` is None, no span begins before `frontier` that is not already reported, and none that begins
    there can change with more text. Otherwise `frontier == span.end`.
    """

    span: Span | None
    frontier: int
