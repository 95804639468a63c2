"""Decides whether a value is nobody's, so that it passes: reserved, a placeholder, or of an organisation.

The lists are in `reserved_values`, `placeholders` and `organisation_numbers`.
"""

from __future__ import annotations

from reticent.policy import organisation_numbers, reserved_values
from reticent.policy.placeholders import CREDENTIALS, is_placeholder
from reticent.policy.rules import Evidence
from reticent.policy.verdict import Origin
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
