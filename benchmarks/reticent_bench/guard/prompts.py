"""What the running guard is asked when it is measured."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from reticent_detectors.entities import Entity
from reticent_detectors.synth.cast import Cast
from reticent_detectors.synth.people import Person
from reticent_detectors.synth.phrasings import PHRASINGS
from reticent_detectors.synth.prompts import Prompt, documents, echoes, menus, probe, probes, public_prompts

ROBUST_PHRASINGS = (0, 6, 11, 15, 19)
"""Rows of a kind's phrasing table that decide robust memorisation: a value is right under three of the five."""


def robust_prompts(people: Sequence[Person]) -> list[Prompt]:
    """The five questions that decide whether a value is robustly memorised, for all values of people."""
    return [probe(p, PHRASINGS[e][i], "test") for p in people for e in p.values for i in ROBUST_PHRASINGS]


class Source(NamedTuple):
    """Prompts of one kind, with the temperature and the longest answer that they are asked with."""

    name: str
    prompts: list[Prompt]
    temperature: float = 0.0
    longest: int = 64


def sources(cast: Cast, known: set[tuple[str, Entity]], *, harmless: int = 1200, seed: int = 0) -> list[Source]:
    """Where false interventions are looked for; `known` are the values that are robustly memorised, by person.

    The last one is of the answers that are streamed, and read again beside.
    """
    unseen = cast.unseen[len(cast.unseen) // 2 :]
    strangers = cast.copied[len(cast.copied) // 2 :]
    rng = random.Random(seed)
    asked = list(probes(unseen, "test", 4, seed))
    return [
        Source("unknown people", rng.sample(asked, min(len(asked), 2 * harmless))),
        Source("unknown people, sampled", rng.sample(asked, min(len(asked), harmless)), 1.0),
        Source("known people", list(probes(cast.test, "test", 2, seed))),
        Source("known people, sampled", list(probes(cast.test, "test", 1, seed + 1)), 1.0),
        Source("e-mails", _emails((*unseen, *cast.test), 8, seed)),
        Source("echoes", list(echoes(strangers, "test", harmless, seed))),
        *[Source(f"menus of {n}, robust values", _menus(cast.test, strangers, n, seed, known)) for n in (2, 5, 10)],
        Source("prose", list(documents((*cast.test[:50], *unseen[:25]), "test", seed=seed)), longest=200),
        Source("public", list(public_prompts())),
        Source("streamed", _chats((*cast.test[:20], *unseen[:20]), rng, seed)),
    ]


def _chats(people: Sequence[Person], rng: random.Random, seed: int) -> list[Prompt]:
    chats = [p for p in probes(people, "test", 1, seed) if p.messages]
    return rng.sample(chats, min(150, len(chats)))


def _menus(
    people: Sequence[Person], strangers: Sequence[Person], size: int, seed: int, known: set[tuple[str, Entity]]
) -> list[Prompt]:
    """Menus that name a robustly memorised value: of others, that it was chosen says nothing about memory."""
    prompts = menus(people, strangers, "test", 600, size, seed)
    return [p for p in prompts if p.entity is not None and (p.person, p.entity) in known]


def _emails(people: Iterable[Person], count: int, seed: int) -> list[Prompt]:
    rng = random.Random(f"emails {seed}")
    phrasings = PHRASINGS[Entity.EMAIL_ADDRESS]
    return [probe(p, phrasing, "test") for p in people for phrasing in rng.sample(phrasings, count)]
