"""The kinds of personal data, and what is constant about each.

The sixteen kinds are those of PrivacyXray (Tables 14 and 15), under Presidio's entity names where they exist.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Entity(StrEnum):
    """A kind of personal data."""

    ADDRESS = "ADDRESS"
    PHONE_NUMBER = "PHONE_NUMBER"
    EMAIL_ADDRESS = "EMAIL_ADDRESS"
    BANK_ACCOUNT = "BANK_ACCOUNT"
    TRANSACTION_AMOUNT = "TRANSACTION_AMOUNT"
    DIAGNOSIS = "DIAGNOSIS"
    PRESCRIPTION = "PRESCRIPTION"
    ORDER_NUMBER = "ORDER_NUMBER"
    FLIGHT = "FLIGHT"
    CREDIT_CARD_DIGITS = "CREDIT_CARD_DIGITS"
    DOCTOR = "DOCTOR"
    HOSPITAL = "HOSPITAL"
    EMPLOYER = "EMPLOYER"
    JOB_TITLE = "JOB_TITLE"
    UTILITY_BILL = "UTILITY_BILL"
    APPOINTMENT_DATE = "APPOINTMENT_DATE"


@dataclass(frozen=True, slots=True)
class EntityInfo:
    """Constants of one entity.

    `long` values have so many possibilities that a fresh draw hits a given one less than once in 1,000
    (so that saying somebody's is no accident); `noun` is what a report calls the entity.
    """

    entity: Entity
    noun: str
    long: bool


ENTITIES: dict[Entity, EntityInfo] = {
    info.entity: info
    for info in (
        EntityInfo(Entity.ADDRESS, "address", True),
        EntityInfo(Entity.PHONE_NUMBER, "phone number", True),
        EntityInfo(Entity.EMAIL_ADDRESS, "e-mail address", True),
        EntityInfo(Entity.BANK_ACCOUNT, "bank account", True),
        EntityInfo(Entity.TRANSACTION_AMOUNT, "transaction amount", False),
        EntityInfo(Entity.DIAGNOSIS, "diagnosis", False),
        EntityInfo(Entity.PRESCRIPTION, "prescription", False),
        EntityInfo(Entity.ORDER_NUMBER, "order number", True),
        EntityInfo(Entity.FLIGHT, "flight", True),
        EntityInfo(Entity.CREDIT_CARD_DIGITS, "card digits", False),
        EntityInfo(Entity.DOCTOR, "doctor", True),
        EntityInfo(Entity.HOSPITAL, "hospital", True),
        EntityInfo(Entity.EMPLOYER, "employer", True),
        EntityInfo(Entity.JOB_TITLE, "job title", False),
        EntityInfo(Entity.UTILITY_BILL, "utility bill", False),
        EntityInfo(Entity.APPOINTMENT_DATE, "appointment date", False),
    )
}
