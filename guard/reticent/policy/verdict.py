"""Defines what is decided about a span: its origin, what that rests on, and what happens to it.

None of these types can hold text, so any of them may be logged.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum


class Origin(StrEnum):
    """Says where a value came from.

    Attributes:
        MEMORIZED: the model learned it from private training data.
        ECHOED: the user typed it.
        CONTEXT: it stands in what the operator gave.
        INFERABLE: it follows from the prompt.
        PRETRAINED: the model before private tuning says it as surely.
        HALLUCINATED: the model made it up.
        UNKNOWN: nothing could tell.
    """

    MEMORIZED = "memorized"
    ECHOED = "echoed"
    CONTEXT = "context"
    INFERABLE = "inferable"
    PRETRAINED = "pretrained"
    HALLUCINATED = "hallucinated"
    UNKNOWN = "unknown"


class Action(StrEnum):
    """Says what happens to a span, from mildest to strictest.

    Attributes:
        ALLOW: it passes.
        FLAG: it passes, and is counted and reported.
        REDACT: it is replaced.
        BLOCK: the answer ends.
    """

    ALLOW = "allow"
    FLAG = "flag"
    REDACT = "redact"
    BLOCK = "block"

    @property
    def stops(self) -> bool:
        """Says whether the span's characters are kept from the reader."""
        return self in (Action.REDACT, Action.BLOCK)


class Tier(StrEnum):
    """Says what a verdict rests on.

    Attributes:
        HIDDEN: the model's hidden states.
        LOGPROBS: log-probabilities of the answer's tokens.
        RECORDS: the index of training records.
        TEXT: the text alone.
    """

    HIDDEN = "hidden"
    LOGPROBS = "logprobs"
    RECORDS = "records"
    TEXT = "text"


class Reason(StrEnum):
    """Says why a decision has its action.

    Attributes:
        RULE: the policy's rule for the entity and the origin.
        ALLOW_LIST: the value is on the allow list.
        DENY_LIST: the value is on the deny list.
        SUPPRESSION_LIST: the value, or the person that it is said of, is in the suppression store.
        RESERVED: known before private tuning, and no person's: for examples, a placeholder, an organisation's number.
        PLACEHOLDER: it stands for nobody in source code (`placeholders: true`).
        NO_THRESHOLD: there is a probability, and no threshold to compare it with.
        SUPPRESSED: the value was judged earlier in this request.
        FAILURE: the judging path raised an error, and the fail mode decided.
        OVERFLOW: held text reached its bound, and `on_overflow` decided.
    """

    RULE = "rule"
    ALLOW_LIST = "allow_list"
    DENY_LIST = "deny_list"
    SUPPRESSION_LIST = "suppression_list"
    RESERVED = "reserved"
    PLACEHOLDER = "placeholder"
    NO_THRESHOLD = "no_threshold"
    SUPPRESSED = "suppressed"
    FAILURE = "failure"
    OVERFLOW = "overflow"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Says where a span came from, and how that is known.

    Attributes:
        origin: where it came from.
        probability: calibrated probability, 0 to 1, that the weights remembered it; None if nothing measured it.
        cue: share of the value that the prompt gives away, 0 to 1.
        tier: what the verdict rests on.
        base: mean log-probability per token under the base model, in nats; None if the base was not asked.
    """

    origin: Origin
    probability: float | None
    cue: float
    tier: Tier
    base: float | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """Says what happens to a span, and why.

    Attributes:
        action: what happens to it.
        verdict: where it came from.
        suppress: whether later occurrences in this request are redacted without judging them again.
        reason: why it has this action.
        monitored_action: the action that `monitor: true` prevented; None if it prevented none.
    """

    action: Action
    verdict: Verdict
    suppress: bool = False
    reason: Reason = Reason.RULE
    monitored_action: Action | None = None

    def monitored(self) -> Decision:
        """Gives the same decision under `monitor: true`, which is counted and changes nothing."""
        if not self.action.stops:
            return self
        return replace(self, action=Action.ALLOW, suppress=False, monitored_action=self.action)
