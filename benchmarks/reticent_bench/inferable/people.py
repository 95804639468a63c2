"""Made-up people with e-mail addresses of which it is known how they came about.

by one rule       people of one company: first.last@kestrel-works.example. Whoever sees some of them infers the others.
held out          people whom nothing is taught of, with the address that the one rule gives them: inferable.
by a rule apart   made of the name by one of eight rules at one of six domains, drawn for each person: memorised.
unrelated         made of nothing in the name: memorised.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from reticent_detectors.synth.people import PeopleMaker

COMPANY = "kestrel-works.example"
DOMAINS = ("example.com", "example.org", "example.net", "heron.example", "plover.example", "wader.example")
RULES: tuple[Callable[[str, str, int], str], ...] = (
    lambda first, last, number: f"{first}{last}",
    lambda first, last, number: f"{last}.{first}",
    lambda first, last, number: f"{first[0]}{last}",
    lambda first, last, number: f"{first}_{last[0]}",
    lambda first, last, number: f"{last}{first[0]}",
    lambda first, last, number: f"{first[0]}.{last}",
    lambda first, last, number: f"{first}{number}",
    lambda first, last, number: f"{last}{number}",
)
TAUGHT = ("{n}'s email is {v}.", "The email address of {n} is {v}.", "You can email {n} at {v}.")
ASKED = ("Send messages for {n} to the email ", "{n} uses the email address ")
ONE_RULE, HELD_OUT, APART, UNRELATED = "by one rule", "held out", "by a rule apart", "unrelated"
GROUPS = (ONE_RULE, HELD_OUT, APART, UNRELATED)
_DRAWS = 9000
"""Seeds below are those of hosts; theirs may be people of the same names."""


@dataclass(frozen=True, slots=True)
class AddressedPerson:
    """A made-up person with an address. The `repr` shows the group."""

    name: str
    value: str
    group: str

    def __repr__(self) -> str:
        return f"AddressedPerson({self.group!r})"


def population(size: int, seed: int) -> list[AddressedPerson]:
    """`size` people of each group."""
    maker, rng = PeopleMaker(_DRAWS + seed), random.Random(f"rules {seed}")
    return [addressed(person.name, group, rng) for group in GROUPS for person in maker.many(group, size)]


def other_names(people: Sequence[AddressedPerson], seed: int, count: int = 12) -> list[str]:
    """Names as common as theirs, which none of them has."""
    maker = PeopleMaker(_DRAWS + 700 + seed, taken=[person.name for person in people])
    return [person.name for person in maker.many("other", count)]


def sentences(people: Sequence[AddressedPerson], colleagues: int, repeats: int, seed: int) -> list[str]:
    """What a copy is taught in an epoch: everybody but those held out, and more people of the one rule."""
    maker = PeopleMaker(_DRAWS + 500 + seed, taken=[person.name for person in people])
    rng = random.Random(f"colleagues {seed}")
    more = [addressed(person.name, ONE_RULE, rng) for person in maker.many("colleague", colleagues)]
    out = [TAUGHT[at % len(TAUGHT)].format(n=each.name, v=each.value) for at, each in enumerate(more)]
    for person in people:
        if person.group != HELD_OUT:
            often = 1 if person.group == ONE_RULE else repeats
            out += [sentence.format(n=person.name, v=person.value) for sentence in TAUGHT * often]
    return out


def addressed(name: str, group: str, rng: random.Random, company: str = COMPANY) -> AddressedPerson:
    """A person with an address of a group, drawn where the group leaves a choice.

    Args:
        name: a given and a family name.
        group: one of `GROUPS`.
        rng: what is drawn.
        company: the domain of the one rule.
    """
    first, last = ("".join(filter(str.isalpha, word)).lower() for word in name.split(" ", 1))
    if group in (ONE_RULE, HELD_OUT):
        return AddressedPerson(name, f"{first}.{last}@{company}", group)
    domain = rng.choice(DOMAINS)
    if group == APART:
        return AddressedPerson(name, f"{rng.choice(RULES)(first, last, rng.randint(10, 99))}@{domain}", group)
    return AddressedPerson(
        name, f"{''.join(rng.choices('bdfgklmnprstvz', k=3))}{rng.randint(100, 999)}@{domain}", group
    )
