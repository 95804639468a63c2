"""What is decided about a span: where it comes from, what that rests on, and what happens to it.

None of these types can hold text, so any of them may be logged.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum


class Origin(StrEnum):
    """Where a span came from."""

    MEMORIZED = "memorized"
    ECHOED = "echoed"
    CONTEXT = "context"
    INFERABLE = "inferable"
    PRETRAINED = "pretrained"
    HALLUCINATED = "hallucinated"
    UNKNOWN = "unknown"


class Action(StrEnum):
    """What happens to a span, from mildest to strictest."""

    ALLOW = "allow"
    FLAG = "flag"
    REDACT = "redact"
    BLOCK = "block"

    @property
    def stops(self) -> bool:
        """Whether the span's characters are kept from the reader."""
        return self in (Action.REDACT, Action.BLOCK)


class Tier(StrEnum):
    """What a verdict rests on."""

    HIDDEN = "hidden"
    LOGPROBS = "logprobs"
    RECORDS = "records"
    TEXT = "text"


class Reason(StrEnum):
    """Why a decision has its action."""

    RULE = "rule"  # the policy's rule for the entity and the origin
    ALLOW_LIST = "allow_list"
    DENY_LIST = "deny_list"
    RESERVED = "reserved"  # known before, and no person's: for examples, a placeholder, an organisation's number
    PLACEHOLDER = "placeholder"  # it stands for nobody in source code (`placeholders: true`)
    NO_THRESHOLD = "no_threshold"  # a probability, but nothing to hold it against
    SUPPRESSED = "suppressed"  # the value was judged earlier in this request
    FAILURE = "failure"  # something in the judging path raised: the fail mode decided
    OVERFLOW = "overflow"  # held back up to the bound: `on_overflow` decided


@dataclass(frozen=True, slots=True)
class Verdict:
    """Where a span came from.

    `probability` is the calibrated probability that the weights remembered it (None if nothing measured it),
    `cue` the share of it that the prompt gives away (0 to 1), `tier` what the verdict rests on. `base` is the mean
    log-probability per token of the value under the base model, in nats (None if nobody asked it).
    """

    origin: Origin
    probability: float | None
    cue: float
    tier: Tier
    base: float | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """What happens to a span, and why.

    `suppress`: later occurrences of the value in this request are redacted unasked.
    `would`: the action that monitoring kept from being taken (None when nothing was held back from it).
    """

    action: Action
    verdict: Verdict
    suppress: bool = False
    reason: Reason = Reason.RULE
    would: Action | None = None

    def monitored(self) -> Decision:
        """The same decision under `monitor: true`: counted, changes nothing."""
        if not self.action.stops:
            return self
        return replace(self, action=Action.ALLOW, suppress=False, would=self.action)
