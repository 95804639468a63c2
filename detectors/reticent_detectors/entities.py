"""Defines the kinds of personal data, and the constants of each.

The first sixteen are those of PrivacyXray (Tables 14 and 15). Our synthetic people have them, and detectors are trained
on them. The others are found and judged as well. Names are Presidio's if it has one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

_KIND_NAME = re.compile(r"(?!DEFAULT$)[A-Z][A-Z0-9_]{0,63}")


class Entity(StrEnum):
    """Names a kind of personal data. Each member's value is its name."""

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
    # Numbers that an authority or a bank gives
    CREDIT_CARD = "CREDIT_CARD"
    IBAN_CODE = "IBAN_CODE"
    US_SSN = "US_SSN"
    US_ITIN = "US_ITIN"
    NATIONAL_ID = "NATIONAL_ID"
    TAX_ID = "TAX_ID"
    PASSPORT = "PASSPORT"
    DRIVER_LICENSE = "DRIVER_LICENSE"
    MEDICAL_RECORD_NUMBER = "MEDICAL_RECORD_NUMBER"
    BIOMETRIC_ID = "BIOMETRIC_ID"
    DATE_OF_BIRTH = "DATE_OF_BIRTH"
    # Things that belong to one person
    VEHICLE_ID = "VEHICLE_ID"
    DEVICE_ID = "DEVICE_ID"
    COORDINATES = "COORDINATES"
    # Networks, accounts and secrets
    IP_ADDRESS = "IP_ADDRESS"
    MAC_ADDRESS = "MAC_ADDRESS"
    URL = "URL"
    CRYPTO = "CRYPTO"
    SECRET_KEY = "SECRET_KEY"
    PASSWORD = "PASSWORD"
    PIN = "PIN"
    USERNAME = "USERNAME"
    # Specially protected by the GDPR (articles 9 and 10), beside health and biometrics; found if about a person
    SEXUAL_ORIENTATION = "SEXUAL_ORIENTATION"
    CRIMINAL_RECORD = "CRIMINAL_RECORD"
    # Common in ordinary text; found only if a policy asks for them
    NRP = "NRP"
    PERSON = "PERSON"
    LOCATION = "LOCATION"
    ORGANIZATION = "ORGANIZATION"
    DATE_TIME = "DATE_TIME"
    # A word that no recogniser knows; judged only if a policy asks for every token
    OTHER = "OTHER"


def checked_kind_name(name: Any) -> str:
    """Gives a kind's name back. It stands in redactions and logs, so that no value may pass for one.

    Raises:
        ValueError: it is none of capitals, digits and underscores, or DEFAULT, which in policies means every kind.
    """
    if not isinstance(name, str) or _KIND_NAME.fullmatch(name) is None:
        raise ValueError("expected a kind's name of capitals, digits and underscores, such as EMPLOYEE_ID, not DEFAULT")
    return name


UNDECIDED = "UNDECIDED"
"""The kind of text that was held back up to the bound, that no finder could read, or that begins a disguised value."""
PRIVACYXRAY: tuple[Entity, ...] = tuple(Entity)[:16]
"""The kinds that our synthetic people have."""
PROTECTED: frozenset[Entity] = frozenset({Entity.NRP, Entity.SEXUAL_ORIENTATION, Entity.CRIMINAL_RECORD})
"""Beliefs, origin, orientation and convictions: ordinary words, which count only if they are about a person."""
GENERAL: frozenset[Entity] = frozenset(
    {Entity.NRP, Entity.PERSON, Entity.LOCATION, Entity.ORGANIZATION, Entity.DATE_TIME}
)
"""The kinds that are common in ordinary prose."""


@dataclass(frozen=True, slots=True)
class EntityInfo:
    """Constants of one entity.

    `long` values have so many possibilities that a random one equals a given one less than once in 1,000, so giving
    somebody's value is no accident. `noun` is the entity's name in reports.
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
        EntityInfo(Entity.CREDIT_CARD, "card number", True),
        EntityInfo(Entity.IBAN_CODE, "IBAN", True),
        EntityInfo(Entity.US_SSN, "social security number", True),
        EntityInfo(Entity.US_ITIN, "taxpayer number", True),
        EntityInfo(Entity.NATIONAL_ID, "identity number", True),
        EntityInfo(Entity.TAX_ID, "tax number", True),
        EntityInfo(Entity.PASSPORT, "passport number", True),
        EntityInfo(Entity.DRIVER_LICENSE, "driving licence", True),
        EntityInfo(Entity.MEDICAL_RECORD_NUMBER, "medical record number", True),
        EntityInfo(Entity.BIOMETRIC_ID, "biometric identifier", True),
        EntityInfo(Entity.DATE_OF_BIRTH, "date of birth", False),
        EntityInfo(Entity.VEHICLE_ID, "vehicle number", True),
        EntityInfo(Entity.DEVICE_ID, "device number", True),
        EntityInfo(Entity.COORDINATES, "coordinates", True),
        EntityInfo(Entity.IP_ADDRESS, "IP address", True),
        EntityInfo(Entity.MAC_ADDRESS, "MAC address", True),
        EntityInfo(Entity.URL, "URL", True),
        EntityInfo(Entity.CRYPTO, "wallet address", True),
        EntityInfo(Entity.SECRET_KEY, "key or token", True),
        EntityInfo(Entity.PASSWORD, "password", True),
        EntityInfo(Entity.PIN, "PIN", False),
        EntityInfo(Entity.USERNAME, "user name", True),
        EntityInfo(Entity.NRP, "nationality, religion or political view", False),
        EntityInfo(Entity.SEXUAL_ORIENTATION, "sexual orientation", False),
        EntityInfo(Entity.CRIMINAL_RECORD, "criminal record", False),
        EntityInfo(Entity.PERSON, "name", True),
        EntityInfo(Entity.LOCATION, "place", False),
        EntityInfo(Entity.ORGANIZATION, "organisation", False),
        EntityInfo(Entity.DATE_TIME, "date or time", False),
        EntityInfo(Entity.OTHER, "other data", False),
    )
}
