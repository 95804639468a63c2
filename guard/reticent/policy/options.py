"""Defines a policy's options besides its rules: failing, blocking, going on after a redaction, and waiting."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from typing import TypeVar

from reticent_detectors.errors import PolicyError

_E = TypeVar("_E", bound=StrEnum)
_ALSO = {"made_up": "hallucinated", "invented": "hallucinated", "remembered": "memorized", "typed": "echoed"}
"""Names by the words that pages use for them."""


class Stage(StrEnum):
    """Names a part of the path from text to release that may fail.

    Attributes:
        FIND: finding spans.
        JUDGE: judging a span.
        REDACT: replacing a span.
    """

    FIND = "find"
    JUDGE = "judge"
    REDACT = "redact"


class FailMode(StrEnum):
    """Says what happens to a span when something in the judging path fails.

    Attributes:
        CLOSED: it is redacted.
        OPEN: it passes.
    """

    CLOSED = "closed"
    OPEN = "open"


class OnBlock(StrEnum):
    """Says how a blocked answer ends.

    Attributes:
        FINISH: with the finish reason `content_filter`.
        ERROR: with the error `Blocked`.
        REPLACE: with the policy's `block_text`.
    """

    FINISH = "finish"
    ERROR = "error"
    REPLACE = "replace"


class AfterRedaction(StrEnum):
    """Says how an answer goes on after a redaction.

    Attributes:
        REWIND: the model goes on from the redacted text, as if it had never said the value.
        STOP: the answer ends.
        CONTINUE: the model goes on with the value in its context, where it may spell it or count its digits.
    """

    REWIND = "rewind"
    STOP = "stop"
    CONTINUE = "continue"


@dataclass(frozen=True, slots=True)
class HoldLimits:
    """Says how much may be held back before `on_overflow` decides.

    Seconds count only where text is shown while it comes: in streams, and in `generate` with a streamer.

    Attributes:
        max_tokens: most tokens.
        max_chars: most characters.
        max_seconds: longest time since the arrival of held text.

    Raises:
        PolicyError: a bound is not above 0.
    """

    max_tokens: int = 256
    max_chars: int = 1024
    max_seconds: float = 5.0

    def __post_init__(self) -> None:
        for name in ("max_tokens", "max_chars", "max_seconds"):
            if not getattr(self, name) > 0:
                raise PolicyError(f"hold.{name} must be above 0, got {getattr(self, name)!r}.")


@dataclass(frozen=True, slots=True)
class SecondLooks:
    """Says how much second looks under other names may cost an answer. The first doubtful span always has one.

    Attributes:
        steps: decoding steps in all; `inf` sets no bound.
        share: share of the answer's spans, 0 to 1, that may have one.

    Raises:
        PolicyError: a number is out of its range.
    """

    steps: float = 4.0
    share: float = 0.25

    def __post_init__(self) -> None:
        if isinstance(self.steps, bool) or not isinstance(self.steps, int | float) or not self.steps >= 0:
            raise PolicyError(f"second_looks.steps must be a number from 0 on (inf: no bound), got {self.steps!r}.")
        if isinstance(self.share, bool) or not isinstance(self.share, int | float) or not 0 <= self.share <= 1:
            raise PolicyError(f"second_looks.share must lie between 0 and 1, got {self.share!r}.")


def nearest(name: str, choices: Iterable[str]) -> str:
    """Writes ` Did you mean 'X'? Choices: ...` for an error about an unknown name."""
    names = sorted(map(str, choices))
    by_case = {choice.casefold(): choice for choice in names}
    word = name.casefold().replace("-", "_").replace(" ", "_")
    close = [_ALSO[word]] if _ALSO.get(word) in names else get_close_matches(name.casefold(), by_case, n=1, cutoff=0.5)
    hint = f" Did you mean {by_case[close[0]]!r}?" if close else ""
    return f"{hint} Choices: {', '.join(names)}."


def choose(kind: type[_E], name: str, what: str) -> _E:
    """Gives the member of `kind` called `name`. `what` names the field in the error. Raises PolicyError."""
    try:
        return kind(name)
    except ValueError:
        raise PolicyError(f"Unknown {what} {str(name)!r} in a policy.{nearest(str(name), list(kind))}") from None
