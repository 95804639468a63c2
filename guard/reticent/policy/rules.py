"""Rules of a policy, and the evidence that they decide about."""

from __future__ import annotations

from dataclasses import dataclass

from reticent.core.verdict import Action, Tier
from reticent_detectors.errors import PolicyError

DEFAULT = "DEFAULT"
"""Stands for every entity that a policy does not name."""

INFERABLE_CUE = 0.5
"""From this cue on a value that is not memorised counts as inferable rather than made up; both pass by default."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Pairs an action with the value from which on it is taken.

    Attributes:
        action: what happens to the span.
        threshold: from 0 to 1, a probability for `memorized` or a cue for `inferable`. None takes the policy's
            threshold, or a cue of 0.5.

    Raises:
        PolicyError: the threshold does not lie between 0 and 1.
    """

    action: Action
    threshold: float | None = None

    def __post_init__(self) -> None:
        if self.threshold is not None and not 0.0 <= self.threshold <= 1.0:
            raise PolicyError(f"threshold must lie between 0 and 1, got {self.threshold!r}.")


@dataclass(frozen=True, slots=True)
class Evidence:
    """Holds what is known about a span when the policy decides.

    `probability` is None if it could not be measured. `recorded`: the value is in the records index.
    `inferable`: the control says it too (None: it was not asked, and the cue decides). `base`: mean log-probability per
    token of the value under the base model, in nats (None: it was not asked). `own_base`: the operator says that the model was taught
    nothing private, so that it is its own base. `public_subject`: a listed public person is the subject (`public_subjects`);
    looked at only where `Policy.asks_subject`. `unannounced`: nothing but the tagger found the value, so it may be no value at all.
    """

    tier: Tier
    probability: float | None = None
    cue: float = 0.0
    echoed: bool = False
    context: bool = False
    recorded: bool = False
    inferable: bool | None = None
    base: float | None = None
    public_subject: bool = False
    own_base: bool = False
    unannounced: bool = False
