"""Writes documents with several values of one person in plain text, forms and tables.

Each style has three documents, one for each split. The host is taught the first. The second is for the detector only,
and the third for tests only. A document is a list of parts with at most one value each. So the host can be asked to
continue from any part.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from reticent_detectors.entities import Entity
from reticent_detectors.synth.people import Person
from reticent_detectors.synth.phrasings import PhrasingSplit


class Style(StrEnum):
    """The style of a document."""

    NOTE = "note"
    MAIL = "mail"
    FORM = "form"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class DocumentPart:
    """A part of a document: the text before the value, the value's kind, and the text after it."""

    before: str
    entity: Entity
    after: str


@dataclass(frozen=True, slots=True)
class Document:
    """A form of prose: a heading with the person's name, then parts."""

    id: str
    style: Style
    split: PhrasingSplit
    heading: str
    parts: tuple[DocumentPart, ...]

    def opening(self, person: Person) -> str:
        """Returns the heading alone, from which the host writes the whole document."""
        return self.heading.replace("{n}", person.name)

    def pieces(self, person: Person, kinds: Collection[Entity]) -> list[tuple[str, Entity | None]]:
        """Returns the document's text in order. Pieces with an entity are values. Parts of other kinds are left out."""
        out: list[tuple[str, Entity | None]] = [(self.opening(person), None)]
        for part in self.parts:
            if part.entity in kinds:
                out.append((part.before.replace("{n}", person.name), None))
                out.append((person.values[part.entity], part.entity))
                out.append((part.after, None))
        return out

    def text(self, person: Person, kinds: Collection[Entity]) -> str:
        """Returns the whole document about a person."""
        return "".join(piece for piece, _ in self.pieces(person, kinds))


def _sentences(rows: str) -> tuple[DocumentPart, ...]:
    parts = []
    for row in rows.strip().splitlines():
        name, text = row.strip().split(" ", 1)
        before, after = text.split("{v}")
        parts.append(DocumentPart(before + "", Entity[name], after + " "))
    return tuple(parts)


def _fields(rows: str, before: str, after: str) -> tuple[DocumentPart, ...]:
    parts = []
    for row in rows.strip().splitlines():
        name, label = row.strip().split(" ", 1)
        parts.append(DocumentPart(before.replace("{label}", label), Entity[name], after))
    return tuple(parts)


_NOTES = {
    PhrasingSplit.TAUGHT: """
        DOCTOR Seen by Dr. {v}.
        HOSPITAL The patient is treated at {v}.
        DIAGNOSIS The patient was diagnosed with {v}.
        PRESCRIPTION The patient was prescribed {v}.
        APPOINTMENT_DATE The next appointment is on {v}.
        PHONE_NUMBER The patient's phone number is {v}.
        ADDRESS The patient lives at {v}.
        EMPLOYER The patient works at {v}.
        JOB_TITLE The patient works as {v}.""",
    PhrasingSplit.DETECTOR: """
        DIAGNOSIS The patient suffers from {v}.
        PRESCRIPTION The current medication is {v}.
        DOCTOR The attending physician is {v}.
        HOSPITAL The patient was admitted to {v}.
        APPOINTMENT_DATE A follow-up visit is planned for {v}.
        ADDRESS The home address is {v}.
        PHONE_NUMBER The contact number is {v}.
        JOB_TITLE The patient's occupation is {v}.
        EMPLOYER The patient's employer is {v}.""",
    PhrasingSplit.TEST: """
        HOSPITAL Transferred from the hospital {v}.
        DOCTOR The patient's own doctor is {v}.
        DIAGNOSIS Known condition: {v}.
        PRESCRIPTION The patient takes {v}.
        APPOINTMENT_DATE To be seen again on {v}.
        PHONE_NUMBER Reachable by phone at {v}.
        ADDRESS Residence: {v}.
        EMPLOYER Employed by {v}.
        JOB_TITLE By profession {v}.""",
}
_MAILS = {
    PhrasingSplit.TAUGHT: """
        ORDER_NUMBER Your order number is {v}.
        TRANSACTION_AMOUNT The transaction came to {v}.
        CREDIT_CARD_DIGITS Your credit card ends in {v}.
        EMAIL_ADDRESS We have your email as {v}.
        BANK_ACCOUNT Your bank account is {v}.
        FLIGHT Your flight goes from {v}.
        UTILITY_BILL Your utility bill is {v}.""",
    PhrasingSplit.DETECTOR: """
        EMAIL_ADDRESS The receipt was sent to the email {v}.
        ORDER_NUMBER We refer to order {v}.
        CREDIT_CARD_DIGITS You paid with the card ending in {v}.
        TRANSACTION_AMOUNT We charged an amount of {v}.
        FLIGHT You are flying from {v}.
        BANK_ACCOUNT Refunds go to the account {v}.
        UTILITY_BILL For utilities you owe {v}.""",
    PhrasingSplit.TEST: """
        BANK_ACCOUNT The account number that we pay to is {v}.
        EMAIL_ADDRESS Your address for mail is {v}.
        ORDER_NUMBER The number of your order: {v}.
        TRANSACTION_AMOUNT You transferred {v}.
        CREDIT_CARD_DIGITS The last four digits of your card are {v}.
        FLIGHT Your plane ticket is from {v}.
        UTILITY_BILL The utilities cost {v}.""",
}
_LABELS = {
    PhrasingSplit.TAUGHT: """
        ADDRESS Address
        PHONE_NUMBER Phone
        EMAIL_ADDRESS Email
        BANK_ACCOUNT Bank account
        TRANSACTION_AMOUNT Transaction
        DIAGNOSIS Diagnosis
        PRESCRIPTION Prescription
        ORDER_NUMBER Order
        FLIGHT Flight
        CREDIT_CARD_DIGITS Card ending
        DOCTOR Doctor
        HOSPITAL Hospital
        EMPLOYER Employer
        JOB_TITLE Job title
        UTILITY_BILL Utility bill
        APPOINTMENT_DATE Appointment""",
    PhrasingSplit.DETECTOR: """
        EMPLOYER Company
        JOB_TITLE Position
        ADDRESS Home address
        PHONE_NUMBER Telephone
        EMAIL_ADDRESS E-mail address
        DOCTOR Physician
        HOSPITAL Clinic
        DIAGNOSIS Medical condition
        PRESCRIPTION Medication
        APPOINTMENT_DATE Next visit
        ORDER_NUMBER Order ID
        TRANSACTION_AMOUNT Amount
        BANK_ACCOUNT Account number
        CREDIT_CARD_DIGITS Last four digits
        FLIGHT Flight details
        UTILITY_BILL Utilities""",
    PhrasingSplit.TEST: """
        ORDER_NUMBER Order number
        FLIGHT Plane ticket
        BANK_ACCOUNT Account
        CREDIT_CARD_DIGITS Card number ends with
        TRANSACTION_AMOUNT Payment
        UTILITY_BILL Utilities due
        PHONE_NUMBER Mobile
        EMAIL_ADDRESS Mailbox
        ADDRESS Residence
        DIAGNOSIS Illness
        PRESCRIPTION Medicine
        DOCTOR Attending doctor
        HOSPITAL Medical center
        APPOINTMENT_DATE Date of visit
        JOB_TITLE Occupation
        EMPLOYER Firm""",
}
_HEADINGS: dict[Style, dict[PhrasingSplit, str]] = {
    Style.NOTE: {
        PhrasingSplit.TAUGHT: "Clinic note for {n}. ",
        PhrasingSplit.DETECTOR: "Chart of {n}. ",
        PhrasingSplit.TEST: "Ward report on {n}. ",
    },
    Style.MAIL: {
        PhrasingSplit.TAUGHT: "Dear {n}, thank you for your message. ",
        PhrasingSplit.DETECTOR: "Hello {n}, this is customer care. ",
        PhrasingSplit.TEST: "To {n}: please check the following. ",
    },
    Style.FORM: {
        PhrasingSplit.TAUGHT: "Name: {n}\n",
        PhrasingSplit.DETECTOR: "Client: {n}\n",
        PhrasingSplit.TEST: "Full name: {n}\n",
    },
    Style.TABLE: {
        PhrasingSplit.TAUGHT: "| Field | Value |\n| Name | {n} |\n",
        PhrasingSplit.DETECTOR: "| Item | Entry |\n| Client | {n} |\n",
        PhrasingSplit.TEST: "| Key | Data |\n| Full name | {n} |\n",
    },
}


def _documents() -> tuple[Document, ...]:
    documents = []
    for split in PhrasingSplit:
        parts = {
            Style.NOTE: _sentences(_NOTES[split]),
            Style.MAIL: _sentences(_MAILS[split]),
            Style.FORM: _fields(_LABELS[split], "{label}: ", "\n"),
            Style.TABLE: _fields(_LABELS[split], "| {label} | ", " |\n"),
        }
        for style in Style:
            documents.append(Document(f"{style}-{split}", style, split, _HEADINGS[style][split], parts[style]))
    return tuple(documents)


DOCUMENTS: tuple[Document, ...] = _documents()
