"""Sentences that say a value with a form of its own; the structured part of the span finder's benchmark."""

from __future__ import annotations

import random
from collections.abc import Iterator

from reticent_bench.finder.prose import LANGUAGES, Writer
from reticent_bench.finder.score import Gold
from reticent_bench.finder.values import make

_FREE = (
    "{v}",
    "You can use {v} for that.",
    "I found this in the file: {v}",
    "It says {v}, as far as I can see.",
    "On record: {v}.",
    "({v})",
)
"""Sentences that do not say what the value is; only for kinds that are known by their form."""
KNOWN_BY_FORM = frozenset(
    [
        "ADDRESS",
        "CREDIT_CARD",
        "CRYPTO",
        "EMAIL_ADDRESS",
        "IBAN_CODE",
        "IP_ADDRESS",
        "MAC_ADDRESS",
        "PHONE_NUMBER",
        "SECRET_KEY",
        "URL",
    ]
)
CUED = {
    "ADDRESS": "She lives at {v}.|Please ship it to {v}.|His home address is {v}.|They moved to {v} last year.",
    "PHONE_NUMBER": "Call me on {v}.|Her number is {v}.|You can reach him at {v} after six.|Text {v} if you are late.",
    "EMAIL_ADDRESS": "Write to {v}.|Her e-mail is {v}.|I have cc'd {v} on this.",
    "BANK_ACCOUNT": "The account number is {v}.|Please wire it to account {v}.|His bank account, {v}, was closed.",
    "ORDER_NUMBER": "Your order number is {v}.|I am writing about order {v}.|Order #{v} has shipped.",
    "CREDIT_CARD_DIGITS": (
        "The card ending in {v} was declined.|Her card's last four digits are {v}.|Visa ending {v} is on file."
    ),
    "APPOINTMENT_DATE": (
        "The appointment is on {v}.|Her next visit is scheduled for {v}.|He will see the dentist on {v}."
    ),
    "CREDIT_CARD": "My credit card number is {v}.|Charge it to {v}, please.|The card {v} was stolen.",
    "IBAN_CODE": "The IBAN is {v}.|Please transfer the rent to {v}.|Her account is {v}.",
    "US_SSN": (
        "Her social security number is {v}.|SSN: {v}|My SSN is {v}, if you need it.|The social on the form reads {v}."
    ),
    "US_ITIN": "His ITIN is {v}.|The taxpayer filed under ITIN {v}.|Individual taxpayer identification number: {v}",
    "NATIONAL_ID": "Her national identity number is {v}.|ID card number {v}.|The national ID on file is {v}.",
    "TAX_ID": "The tax ID is {v}.|Tax identification number: {v}|He gave his tax number as {v}.",
    "PASSPORT": (
        "Her passport number is {v}.|Passport no. {v}|He travels on passport {v}.|The passport, {v}, expires in May."
    ),
    "DRIVER_LICENSE": (
        "His driver's license number is {v}.|Driving licence: {v}|License no. {v} was suspended.|Her DL is {v}."
    ),
    "MEDICAL_RECORD_NUMBER": (
        "The patient's medical record number is {v}.|MRN: {v}|Chart number {v} was pulled.|Patient ID {v}."
    ),
    "BIOMETRIC_ID": (
        "Her fingerprint ID is {v}.|Biometric identifier: {v}|The face template is stored as {v}.|Iris scan ID {v}."
    ),
    "DATE_OF_BIRTH": "She was born on {v}.|Date of birth: {v}|His birthday is {v}.|DOB {v}",
    "VEHICLE_ID": (
        "Her number plate is {v}.|The car's registration number is {v}.|VIN: {v}|"
        "He drives a grey van, licence plate {v}."
    ),
    "DEVICE_ID": (
        "The phone's serial number is {v}.|IMEI: {v}|Her pacemaker has the serial number {v}.|"
        "Device ID {v} was reported stolen."
    ),
    "COORDINATES": "Her coordinates are {v}.|GPS position: {v}|He was last seen at {v}.|The photo's GPS tag reads {v}.",
    "IP_ADDRESS": "He logged in from {v}.|The server answers at {v}.|Blocked IP: {v}",
    "MAC_ADDRESS": "The phone's MAC address is {v}.|Device {v} joined the network.|Hardware address {v}",
    "URL": "See {v} for more.|Her page is {v}.|He posted it at {v}.",
    "CRYPTO": "Send the coins to {v}.|His wallet is {v}.|The Bitcoin address is {v}.",
    "SECRET_KEY": "The API key is {v}.|Use the token {v}.|export API_KEY={v}|Authorization: Bearer {v}",
    "PASSWORD": (
        "The password is {v}.|Her password was {v} until yesterday.|password: {v}|Log in with the password {v}."
    ),
    "PIN": "The PIN is {v}.|His card's PIN is {v}.|PIN: {v}|Enter the PIN code {v}.",
    "USERNAME": "Her username is {v}.|He posts under the user name {v}.|Username: {v}|Log in as {v}.",
}
"""Sentences that say what the value is, for each kind; at random with those of the kind's labels in six languages."""


def structured_examples(kind: str, count: int, seed: int) -> Iterator[tuple[str, Gold]]:
    """Texts with one value of a kind: half English sentences, a quarter labelled in other languages, a quarter bare.

    A kind that is not known by its form alone is never bare.
    """
    rng = random.Random(f"{seed}|{kind}")
    cued = CUED[kind].split("|")
    for i in range(count):
        sort = i % 4
        language = "English" if sort != 2 else rng.choice([n for n in LANGUAGES if kind in LANGUAGES[n].LABELS])
        module = LANGUAGES[language]
        value = make(kind, rng, module.LOCALE)
        if sort == 2:
            frame = rng.choice(module.LABELS[kind].split("; ")) + rng.choice([": {v}", ": {v}.", " – {v}", " = {v}"])
        elif sort == 3 and kind in KNOWN_BY_FORM:
            frame = rng.choice(_FREE)
        else:
            frame = rng.choice(cued)
        before, _, after = frame.partition("{v}")
        if after == "." and value.endswith("."):
            after = ""
        out = Writer()
        out.put(before)
        out.put(value, kind)
        out.put(after)
        yield out.text, out.gold[0]
