"""Draws reproducible synthetic people with the sixteen kinds of personal data of PrivacyXray (Tables 14 and 15)."""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from reticent_detectors.entities import Entity
from reticent_detectors.errors import InputError, MissingExtra

DIAGNOSES = tuple(
    """Asthma|Type 2 diabetes|Hypertension|Migraine|Epilepsy|Psoriasis|Gout|Anemia|Celiac disease|Crohn disease|
    Osteoporosis|Rheumatoid arthritis|Atrial fibrillation|Hypothyroidism|Glaucoma|Bronchitis|Pneumonia|Sciatica|
    Fibromyalgia|Narcolepsy|Eczema|Endometriosis|Hepatitis C|Kidney stones|Lyme disease|Multiple sclerosis|
    Parkinson disease|Peptic ulcer|Sleep apnea|Tinnitus|Vertigo|Shingles|Scoliosis|Sarcoidosis|Rosacea|Pleurisy|
    Pancreatitis|Osteoarthritis|Lupus|Ischemic stroke|Hyperthyroidism|Heart failure|Gastritis|Diverticulitis|
    Dermatitis|Cystic fibrosis|Colitis|Cirrhosis|Cataract|Bursitis|Angina|Acid reflux|Addison disease|Bell palsy|
    Carpal tunnel syndrome|Chronic kidney disease|Cluster headache|Deep vein thrombosis|Emphysema|
    Irritable bowel syndrome""".replace("\n", "")
    .replace("    ", "")
    .split("|")
)
PRESCRIPTIONS = tuple(
    """Insulin|Metformin|Lisinopril|Atorvastatin|Levothyroxine|Amlodipine|Omeprazole|Losartan|Gabapentin|Sertraline|
    Albuterol|Prednisone|Warfarin|Tramadol|Citalopram|Fluoxetine|Montelukast|Trazodone|Pantoprazole|Escitalopram|
    Rosuvastatin|Bupropion|Furosemide|Duloxetine|Tamsulosin|Carvedilol|Clopidogrel|Meloxicam|Venlafaxine|Allopurinol|
    Lamotrigine|Propranolol|Topiramate|Spironolactone|Methotrexate|Azathioprine|Colchicine|Sumatriptan|Naproxen|
    Celecoxib|Valsartan|Diltiazem|Digoxin|Risperidone|Mirtazapine|Finasteride|Latanoprost|Budesonide|Ranitidine|
    Hydroxychloroquine|Levetiracetam|Modafinil|Baclofen|Doxycycline|Azithromycin|Acyclovir|Apixaban|Glipizide|
    Ramipril|Bisoprolol""".replace("\n", "")
    .replace("    ", "")
    .split("|")
)
_MAIL_DOMAINS = ("example.com", "example.org", "example.net")


@dataclass(frozen=True, slots=True)
class Person:
    """A synthetic person. `key` identifies the person in data sets; `values` holds one value per kind.

    The `repr` shows the key alone.
    """

    key: str
    name: str
    values: dict[Entity, str]

    def __repr__(self) -> str:
        return f"Person({self.key!r})"

    def to_json(self) -> dict[str, object]:
        return {"key": self.key, "name": self.name, "values": {str(k): v for k, v in self.values.items()}}


class PeopleMaker:
    """Draws people, without repeating a name.

    Args:
        seed: determines all draws.
        locale: any Faker locale.
        taken: names that nobody may have.

    Raises:
        InputError: Faker does not know the locale.
    """

    def __init__(self, seed: int, locale: str = "en_US", taken: Iterable[str] = ()) -> None:
        try:
            from faker import Faker
        except ImportError as error:  # pragma: no cover - depends on the installation
            raise MissingExtra("faker", "train") from error
        try:
            self._fake = Faker(locale)
        except AttributeError as error:
            raise InputError(
                f"Faker has no locale {locale!r}; expected one like 'en_US' or 'de_DE' (language_TERRITORY)."
            ) from error
        self._fake.seed_instance(seed)
        self._random = random.Random(seed)
        self._names = set(taken)

    def _name(self) -> str:
        while True:
            name = f"{self._fake.first_name()} {self._fake.last_name()}"
            if name not in self._names:
                self._names.add(name)
                return name

    def _day(self) -> str:
        return f"2024-{self._random.randint(1, 12):02d}-{self._random.randint(1, 28):02d}"

    def _email(self, name: str) -> str:
        """Draws an e-mail address. Three in five are independent of the name; the others can be inferred from it."""
        if self._random.random() < 0.6:
            return (
                f"{self._fake.first_name().lower()}{self._random.randint(10, 99)}@{self._random.choice(_MAIL_DOMAINS)}"
            )
        first, last = name.lower().split(" ", 1)
        local = "".join(c for c in f"{first}.{last}" if c.isalnum() or c == ".")
        return f"{local}@example.com"

    def _phone(self) -> str:
        digits = "".join(str(self._random.randint(0 if i % 3 else 2, 9)) for i in range(10))
        number = f"{digits[:3]}-{digits[3:6]}-{digits[6:]}"
        return f"+1-{number}" if self._random.random() < 0.5 else number

    def draw(self, key: str) -> Person:
        """Draws a new person under the given key."""
        fake, pick = self._fake, self._random
        name = self._name()
        values = {
            Entity.ADDRESS: fake.address().replace("\n", ", "),
            Entity.PHONE_NUMBER: self._phone(),
            Entity.EMAIL_ADDRESS: self._email(name),
            Entity.BANK_ACCOUNT: fake.bban(),
            Entity.TRANSACTION_AMOUNT: f"${pick.randint(1000, 9999)}",
            Entity.DIAGNOSIS: pick.choice(DIAGNOSES),
            Entity.PRESCRIPTION: pick.choice(PRESCRIPTIONS),
            Entity.ORDER_NUMBER: str(uuid.UUID(int=pick.getrandbits(128), version=4)),
            Entity.FLIGHT: f"{fake.city()} to {fake.city()} on {self._day()}",
            Entity.CREDIT_CARD_DIGITS: f"{pick.randint(0, 9999):04d}",
            Entity.DOCTOR: f"{fake.first_name()} {fake.last_name()}",
            Entity.HOSPITAL: fake.company(),
            Entity.EMPLOYER: fake.company(),
            Entity.JOB_TITLE: fake.job(),
            Entity.UTILITY_BILL: f"${pick.randint(20, 399)}",
            Entity.APPOINTMENT_DATE: self._day(),
        }
        return Person(key, name, values)

    def many(self, group: str, count: int) -> list[Person]:
        """Draws `count` people with the keys `group-0000`, `group-0001`, ..."""
        return [self.draw(f"{group}-{i:04d}") for i in range(count)]

    def endless(self, group: str) -> Iterator[Person]:
        """Draws people without end."""
        index = 0
        while True:
            yield self.draw(f"{group}-{index:06d}")
            index += 1
