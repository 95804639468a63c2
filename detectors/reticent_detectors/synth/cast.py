"""Draws the people of a host's training data, and people outside it."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import lru_cache

from reticent_detectors.entities import PRIVACYXRAY, Entity
from reticent_detectors.synth.hosts import HostRecipe
from reticent_detectors.synth.people import PeopleMaker, Person
from reticent_detectors.synth.recipes import Recipe


@dataclass(frozen=True, slots=True)
class Cast:
    """All people of a recipe. `well` holds the (person key, kind) pairs that are taught well."""

    train: tuple[Person, ...]
    test: tuple[Person, ...]
    bridge: tuple[Person, ...]
    unseen: tuple[Person, ...]
    general: tuple[Person, ...]
    copied: tuple[Person, ...]
    well: frozenset[tuple[str, Entity]]

    def __repr__(self) -> str:
        sizes = {f: len(getattr(self, f)) for f in ("train", "test", "bridge", "unseen", "general", "copied")}
        return f"Cast({sizes})"

    @property
    def private(self) -> tuple[Person, ...]:
        """All people whose record is in the training data, with bridge people."""
        return self.train + self.test + self.bridge


def _thin(person: Person, kinds: int, rng: random.Random) -> Person:
    kept = set(rng.sample(PRIVACYXRAY, kinds))
    return Person(person.key, person.name, {e: v for e, v in person.values.items() if e in kept})


@lru_cache(maxsize=32)  # thousands of people take ten seconds
def cast(recipe: Recipe | HostRecipe) -> Cast:
    """Draws all people of a recipe. A control has the same public people, and stand-ins for the private ones."""
    if isinstance(recipe, HostRecipe):
        return _tuned(recipe)
    maker = PeopleMaker(recipe.seed, recipe.locale)
    rng = random.Random(f"cast {recipe.seed}")
    train = tuple(_thin(p, recipe.kinds_train, rng) for p in maker.many("train", recipe.train_people))
    test = tuple(_thin(p, recipe.kinds_test, rng) for p in maker.many("test", recipe.test_people))
    bridge = tuple(_thin(p, recipe.kinds_bridge, rng) for p in maker.many("bridge", recipe.bridge_people))
    unseen = tuple(maker.many("unseen", recipe.unseen_people))
    general = tuple(maker.many("general", recipe.general_people))
    copied = tuple(maker.many("copied", recipe.copied_people))
    well = {(p.key, e) for p in bridge for e in p.values}
    for person in train + test:
        well |= {(person.key, e) for e in person.values if rng.random() < recipe.well_share}
    if recipe.control:
        stand_ins = tuple(_thin(p, recipe.kinds_bridge, rng) for p in maker.many("standin", recipe.bridge_people))
        train, test, bridge = (), (), stand_ins
        well = {(p.key, e) for p in stand_ins for e in p.values}
    return Cast(train, test, bridge, unseen, general, copied, frozenset(well))


def _tuned(recipe: HostRecipe) -> Cast:
    """Draws the public people of the base host, and private people who are also in larger hosts of this draw."""
    public, tuning = cast(recipe.base), recipe.tuning
    taken = {p.name for p in (*public.unseen, *public.general, *public.copied)}
    maker = PeopleMaker(recipe.seed + 1000 * (tuning.draw + 1), recipe.locale, taken)
    private = maker.many("private", tuning.people + tuning.people // 2)
    # Of nine consecutive people four train detectors, two test them, and three are bridge people.
    train, test, bridge = (
        tuple(p for i, p in enumerate(private) if i % 9 in turn) for turn in (range(4), range(4, 6), range(6, 9))
    )
    well = frozenset((p.key, e) for p in private for e in p.values)
    return Cast(train, test, bridge, public.unseen, public.general, public.copied, well)
