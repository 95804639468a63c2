"""Decides by the evidence where a value comes from. Whether it is nobody's: `nobodys_values`."""

from __future__ import annotations

from reticent.policy.policy_settings import PolicySettings
from reticent.policy.pretrained import PRETRAINED_CUE, says_as_surely
from reticent.policy.rules import Evidence
from reticent.policy.verdict import Origin, Reason


def origin_of(policy: PolicySettings, entity: str, evidence: Evidence) -> tuple[Origin, Reason]:
    """Decides where a value comes from, and by which rule. The first evidence that applies decides."""
    if evidence.echoed:
        return Origin.ECHOED, Reason.RULE
    if evidence.context:
        return Origin.CONTEXT, Reason.RULE
    if evidence.recorded:
        return Origin.MEMORIZED, Reason.RULE
    if evidence.inferable:
        return Origin.INFERABLE, Reason.RULE
    probability = evidence.probability
    if probability is None or not 0.0 <= probability <= 1.0:  # holds for NaN as well
        return Origin.UNKNOWN, Reason.RULE
    threshold = policy.threshold(entity)
    if threshold is None:
        return Origin.UNKNOWN, Reason.NO_THRESHOLD
    if probability >= threshold:
        # Under a seal both origins are one, and a cue of NaN is not below the bound. A base may have copied what
        # the prompt gives away, unless the model is its own base.
        unprompted = evidence.own_base or evidence.cue < PRETRAINED_CUE
        known_before = unprompted and says_as_surely(evidence.base, policy.least_base)
        return (Origin.PRETRAINED if known_before and not policy.seal else Origin.MEMORIZED), Reason.RULE
    if evidence.inferable is None and evidence.cue >= policy.inferable_cue(entity):
        return Origin.INFERABLE, Reason.RULE
    return Origin.HALLUCINATED, Reason.RULE
