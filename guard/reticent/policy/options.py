"""Defines a policy's options besides its rules: failing, blocking, going on after a redaction, and waiting."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from reticent.policy.checked_settings import Number, UnitInterval, Whole, checked


class Stage(StrEnum):
    """Names a part of the path from text to release that may fail.

    Attributes:
        FIND: finding spans.
        JUDGE: judging a span.
        REDACT: replacing a span; always closed, as the tag replaces a style that fails.
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


@checked
@dataclass(frozen=True)
class HoldLimits:
    """Says how much may be held back before `on_overflow` decides.

    Seconds count only where text is shown while it comes: in streams, and in `generate` with a streamer.

    Raises:
        PolicyError: a bound is no number above 0.
    """

    max_tokens: Annotated[Whole, Field(gt=0, description="Most tokens that may be held back.")] = 256
    max_chars: Annotated[Whole, Field(gt=0, description="Most characters that may be held back.")] = 1024
    max_seconds: Annotated[Number, Field(gt=0, description="Longest time that text may be held back, in seconds.")] = (
        5.0
    )


@checked
@dataclass(frozen=True)
class SecondLooks:
    """Says how much second looks under other names may cost an answer. The first doubtful span always has one.

    Raises:
        PolicyError: a number is out of its range.
    """

    steps: Annotated[
        Number, Field(ge=0, description="Decoding steps that second looks may cost an answer; .inf: any.")
    ] = 4.0
    share: Annotated[UnitInterval, Field(description="Share of an answer's values that may have one.")] = 0.25
