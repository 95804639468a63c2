"""Decides by the evidence where a value comes from, and whether it is nobody's."""

from __future__ import annotations

from reticent.policy import organisation_numbers, reserved_values
from reticent.policy.placeholders import CREDENTIALS, is_placeholder
from reticent.policy.policy_settings import PolicySettings
from reticent.policy.pretrained import PRETRAINED_CUE, says_as_surely
from reticent.policy.rules import Evidence
from reticent.policy.verdict import Origin, Reason
from reticent_detectors.entities import Entity

_NEVER_LETTERS_ALONE = frozenset(
    {
        *(Entity.PHONE_NUMBER, Entity.EMAIL_ADDRESS, Entity.BANK_ACCOUNT, Entity.ORDER_NUMBER, Entity.FLIGHT),
        *(Entity.CREDIT_CARD, Entity.CREDIT_CARD_DIGITS, Entity.IBAN_CODE, Entity.US_SSN, Entity.US_ITIN),
        *(Entity.NATIONAL_ID, Entity.TAX_ID, Entity.PASSPORT, Entity.DRIVER_LICENSE, Entity.MEDICAL_RECORD_NUMBER),
        *(Entity.BIOMETRIC_ID, Entity.VEHICLE_ID, Entity.COORDINATES, Entity.IP_ADDRESS),
    }
)
"""Kinds whose values have a digit or an @. A word may begin one, and is none."""


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


def is_nobodys(entity: str, origin: Origin, value: str, evidence: Evidence, is_partial: bool = False) -> bool:
    """Says whether the base knows a value, and it is no person's.

    Of a value that was cut short only a model that is its own base lets the beginning pass, if that says nothing: it is
    a placeholder so far, or one word in small letters where the kind has digits or an @.
    """
    if origin is not Origin.PRETRAINED:
        return False
    if is_partial:
        begun = value.rstrip(" ,")
        is_word = entity in _NEVER_LETTERS_ALONE and begun.isalpha() and begun.islower()
        return evidence.own_base and (is_word or (entity not in CREDENTIALS and is_placeholder(begun, entity)))
    if reserved_values.is_reserved(value, entity):
        return True
    if not evidence.own_base:
        return False
    if organisation_numbers.is_organisations(value, entity) or reserved_values.is_of_private_network(value, entity):
        return True
    return entity not in CREDENTIALS and is_placeholder(value, entity)


def is_free_placeholder(entity: str, evidence: Evidence, value: str) -> bool:
    """Says whether a value is a placeholder that neither the records nor the operator's context have."""
    return not (evidence.recorded or evidence.context) and is_placeholder(value, entity)
