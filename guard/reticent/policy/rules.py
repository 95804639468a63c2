"""Defines the rules of a policy, and the evidence that they decide about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import AfterValidator, Field

from reticent.policy.checked_settings import UnitInterval, checked
from reticent.policy.verdict import Action, Tier
from reticent_detectors.entities import checked_kind_name

DEFAULT = "DEFAULT"
"""Name for every entity that a policy does not name."""

KindName = Annotated[str, AfterValidator(checked_kind_name)]
"""Name of a kind, ours or of the operator's own."""

INFERABLE_CUE = 0.5
"""Cue from which a value that is not memorised counts as inferable, not as made up. Both pass by default."""

FALSE_POSITIVES = (0.001, 0.08)
"""Least and most of the made-up values that may be stopped: `train` and `calibrate` fit no threshold beyond them."""


@checked
@dataclass(frozen=True)
class Rule:
    """Pairs an action with the threshold from which it is taken.

    Without a threshold the policy's is taken, or a cue of 0.5.

    Raises:
        PolicyError: there is no such action, or the threshold does not lie between 0 and 1.
    """

    action: Annotated[Action, Field(description="allow, flag, redact or block.")]
    threshold: Annotated[
        UnitInterval | None, Field(description="Of memorized a probability, of inferable a cue, from which it holds.")
    ] = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """Holds what is known about a span when the policy decides.

    `probability`: probability that the value is memorised, or None if it could not be measured.
    `recorded`: whether the value is in the records index.
    `suppressed`: whether the value is in the suppression store.
    `subject_suppressed`: whether the question or the answer names a person who is in the suppression store.
    `inferable`: whether the control says the value too. None: it was not asked, and the cue decides.
    `base`: mean log-probability per token of the value under the base model, in nats. None: it was not asked.
    `own_base`: whether the operator says that the model was taught nothing private, so that it is its own base.
    `public_subject`: whether a listed public person is the subject (`public_subjects`). It is read only where
    `Policy.asks_subject` holds.
    `unannounced`: whether only the tagger found the value, and nothing named its kind, so that it may be no value.
    """

    tier: Tier
    probability: float | None = None
    cue: float = 0.0
    echoed: bool = False
    context: bool = False
    recorded: bool = False
    suppressed: bool = False
    subject_suppressed: bool = False
    inferable: bool | None = None
    base: float | None = None
    public_subject: bool = False
    own_base: bool = False
    unannounced: bool = False
