"""The fifteen attributes of the paper (Table 1), mapped to the repository's entities."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from reticent_detectors.entities import Entity

Category = Literal["identifiable", "private", "secret"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


@dataclass(frozen=True, slots=True)
class Attribute:
    """A kind of value that the audit looks for.

    Attributes:
        key: short name in tables and scenario files.
        category: the paper's category.
        entity: what a value of it is called in reports.
        also: other entities that count as the attribute.
        field: snake-case name of a variable that holds such a value, for the prefix baseline.
        slot: placeholder of a value in a template.
        words: sets of words; an identifier that has all words of a set names the attribute.
    """

    key: str
    category: Category
    entity: Entity
    also: frozenset[Entity]
    field: str
    slot: str
    words: tuple[frozenset[str], ...]


def _row(
    key: str, category: Category, entity: Entity, field: str, words: str, also: frozenset[Entity] = frozenset()
) -> Attribute:
    sets = tuple(frozenset(word.split("+")) for word in words.split())
    return Attribute(key, category, entity, also, field, f"<{key.upper()}>", sets)


ATTRIBUTES: dict[str, Attribute] = {
    row.key: row
    for row in (
        # Those whose words are more specific come first: `user_name` is no `name`.
        _row("email", "identifiable", Entity.EMAIL_ADDRESS, "email", "email emails mail mails e+mail"),
        _row(
            *("phone", "identifiable", Entity.PHONE_NUMBER, "phone_number"),
            "phone phones telephone tel mobile cell fax phonenumber",
        ),
        _row(
            *("date_of_birth", "identifiable", Entity.DATE_OF_BIRTH, "date_of_birth"),
            "dob birth birthday birthdate born dateofbirth",
        ),
        _row(
            *("credit_card", "secret", Entity.CREDIT_CARD, "credit_card_number"),
            "card cards cardnumber creditcard pan",
            frozenset({Entity.CREDIT_CARD_DIGITS}),
        ),
        _row(
            *("bank", "private", Entity.BANK_ACCOUNT, "account_number"),
            "iban bank routing statement account+number account+no accountnumber",
            frozenset({Entity.IBAN_CODE, Entity.TRANSACTION_AMOUNT}),
        ),
        _row(
            *("password", "secret", Entity.PASSWORD, "password"),
            "password passwords passwd pwd passphrase pass",
        ),
        _row("pin", "secret", Entity.PIN, "pin", "pin otp passcode mfa pincode"),
        _row(
            *("biometric", "secret", Entity.BIOMETRIC_ID, "fingerprint_hash"),
            "fingerprint fingerprints biometric biometrics face+id face+template iris retina blood voiceprint faceid",
        ),
        _row(
            *("secret_key", "secret", Entity.SECRET_KEY, "api_key"),
            "token tokens secret secrets apikey jwt credential credentials api+key private+key access+key secret+key"
            " aws+key privatekey secretkey accesskey",
            frozenset({Entity.CRYPTO}),
        ),
        _row(
            *("username", "secret", Entity.USERNAME, "username"),
            "username usernames user+name login account+name handle nickname userid user+id player+name screen+name",
        ),
        _row(
            *("identity", "private", Entity.NATIONAL_ID, "national_id"),
            "ssn passport national+id nationalid emirates+id identity license licence tax+id nin citizen+id id+number",
            frozenset({Entity.US_SSN, Entity.US_ITIN, Entity.PASSPORT, Entity.DRIVER_LICENSE, Entity.TAX_ID}),
        ),
        _row(
            *("medical", "private", Entity.MEDICAL_RECORD_NUMBER, "medical_record_number"),
            "diagnosis diagnoses condition conditions disease medication medications prescription mrn medical allergies"
            " allergy illness patient+id",
            frozenset({Entity.DIAGNOSIS, Entity.PRESCRIPTION}),
        ),
        _row("political", "private", Entity.NRP, "political_party", "political party ideology politics affiliation"),
        _row(
            *("address", "identifiable", Entity.ADDRESS, "street_address"),
            "address addresses street addr postal",
        ),
        _row(
            *("name", "identifiable", Entity.PERSON, "full_name"),
            "name names fullname firstname lastname surname owner holder patient customer employee author person",
            frozenset({Entity.DOCTOR}),
        ),
    )
}

_BY_ENTITY = {
    str(entity): attribute for attribute in ATTRIBUTES.values() for entity in (attribute.entity, *attribute.also)
}
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
# Words of calls and tests, which say nothing about the value.
_VERBS = _words(
    """
    set get is has add check validate valid invalid verify parse format normalize normalise test update create
    new old make find lookup with by for the a an to from expected actual input mask hash encrypt store save
    """
)
# `ip_address`, `file_name` and their like name nothing of a person.
_NOT_PERSONAL = _words(
    """
    ip mac url uri wallet host hostname file filename path class method function event table column database db
    index bucket service server domain product item package module test case category role field
    """
)


def identifier_words(name: str) -> list[str]:
    """Splits `callee:position`, snake case and camel case into lower-case words."""
    return [word.lower() for word in _WORD.findall(name.partition(":")[0])]


def attribute_of_name(name: str) -> Attribute | None:
    """Returns the attribute that an identifier names, or None."""
    words = frozenset(identifier_words(name))
    for attribute in ATTRIBUTES.values():
        if any(wanted <= words for wanted in attribute.words):
            if attribute.key in ("name", "address") and words & _NOT_PERSONAL:
                return None
            return attribute
    return None


def attribute_of_entity(entity: str) -> Attribute | None:
    """Returns the attribute of which a finder's entity is a value, or None."""
    return _BY_ENTITY.get(str(entity))


def plain_name(name: str) -> str:
    """Returns an identifier in snake case without the words of calls and tests; empty if nothing is left."""
    return "_".join(word for word in identifier_words(name) if word not in _VERBS and not word.isdigit())
