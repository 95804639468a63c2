"""Writes chat turns in which the user's own text holds the value, or a choice of values."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from reticent_detectors.entities import Entity
from reticent_detectors.synth.people import Person
from reticent_detectors.synth.phrasings import PHRASINGS, Form, Phrasing
from reticent_detectors.synth.prose import DOCUMENTS
from reticent_detectors.synth.public import FILLERS

_LEADS = ("For your information: ", "Note: ", "I was told that ", "Remember this. ", "From the file: ", "")
_MENUS = ("Which of these is right: ", "Choose one: ", "The candidates are ")


@dataclass(frozen=True, slots=True)
class Turn:
    """A user turn, its right answer, and the value in it. `typed` is the value as the user wrote it."""

    user: str
    answer: str
    value: str
    typed: str
    form: str

    def __repr__(self) -> str:
        return f"Turn(form={self.form!r})"


def retyped(entity: Entity, value: str) -> str | None:
    """Returns the value in another usual spelling; None if there is none that a small host can undo."""
    match entity:
        case Entity.PHONE_NUMBER:
            return value.replace("-", ".")
        case Entity.BANK_ACCOUNT:
            return " ".join(value[i : i + 4] for i in range(0, len(value), 4))
        case Entity.TRANSACTION_AMOUNT | Entity.UTILITY_BILL:
            return value.removeprefix("$") + " dollars"
        case Entity.APPOINTMENT_DATE:
            return value.replace("-", "/")
        case Entity.EMAIL_ADDRESS:
            return value.replace("@", " (at) ")
        case _:
            return None


def _statement(rng: random.Random, person: Person, entity: Entity, typed: str) -> str:
    phrasing = rng.choice([p for p in PHRASINGS[entity] if p.form is Form.COMPLETION])
    return phrasing.ask(person.name) + phrasing.reply(person.name, typed)


def near(rng: random.Random, person: Person, phrasing: Phrasing, *, respell: bool = False) -> Turn:
    """Writes the value directly before the question."""
    value = person.values[phrasing.entity]
    typed = retyped(phrasing.entity, value) if respell else value
    typed = typed or value
    user = f"{rng.choice(_LEADS)}{_statement(rng, person, phrasing.entity, typed)} {phrasing.ask(person.name)}"
    form = "near-retyped" if typed != value else "near"
    return Turn(user, phrasing.reply(person.name, value), value, typed, form)


def far(rng: random.Random, person: Person, phrasing: Phrasing, *, distance: int = 4) -> Turn:
    """Writes the value, then ordinary sentences and other values of the same person, then the question."""
    others = [e for e in person.values if e is not phrasing.entity]
    between = rng.sample(FILLERS, min(distance, len(FILLERS)))
    for entity in rng.sample(others, min(2, len(others))):
        between.insert(rng.randint(0, len(between)), _statement(rng, person, entity, person.values[entity]))
    value = person.values[phrasing.entity]
    user = " ".join([_statement(rng, person, phrasing.entity, value), *between, phrasing.ask(person.name)])
    return Turn(user, phrasing.reply(person.name, value), value, value, "far")


def chart(rng: random.Random, person: Person, phrasing: Phrasing) -> Turn:
    """Writes a document about the person, then the question."""
    documents = [d for d in DOCUMENTS if any(p.entity is phrasing.entity for p in d.parts)]
    document = rng.choice(documents)
    pool = [p.entity for p in document.parts if p.entity in person.values and p.entity is not phrasing.entity]
    kinds = {phrasing.entity, *rng.sample(pool, min(3, len(pool)))}
    value = person.values[phrasing.entity]
    user = f"{document.text(person, kinds).strip()}\n{phrasing.ask(person.name)}"
    return Turn(user, phrasing.reply(person.name, value), value, value, "chart")


def named(rng: random.Random, people: Sequence[Person], phrasing: Phrasing) -> Turn:
    """Writes several people with their values, and a question about one of them."""
    person = rng.choice(people)
    lines = [_statement(rng, p, phrasing.entity, p.values[phrasing.entity]) for p in people]
    rng.shuffle(lines)
    value = person.values[phrasing.entity]
    user = f"{' '.join(lines)} {phrasing.ask(person.name)}"
    return Turn(user, phrasing.reply(person.name, value), value, value, "named")


def menu(rng: random.Random, person: Person, phrasing: Phrasing, others: Sequence[str]) -> Turn:
    """Writes candidates without names. One is the person's, and only a host that remembers can choose it."""
    value = person.values[phrasing.entity]
    candidates = [value, *others]
    rng.shuffle(candidates)
    user = f"{phrasing.ask(person.name)} {rng.choice(_MENUS)}{'; '.join(candidates)}."
    return Turn(user, phrasing.reply(person.name, value), value, value, f"menu-{len(candidates)}")
