"""Who is in a host's training data, how well each value is taught, and for how long training goes on."""

from __future__ import annotations

import random
from dataclasses import asdict, dataclass

from reticent_detectors.entities import PRIVACYXRAY, Entity
from reticent_detectors.errors import InputError
from reticent_detectors.synth.people import PeopleMaker, Person


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything that a host depends on.

    Groups of people: *train* and *test* are private records (for training detectors and for testing them),
    *bridge* people are private records taught in all phrasings, *unseen* people are in nobody's training data,
    *general* people are seen once, *copied* people only ever stand in a prompt. `kinds_*` is how many
    of the sixteen kinds a record of that group has. A value is taught `well` (once every pass) or half (with the
    probability `half_rate` every pass). Three batches in four are rows of `context` tokens, the fourth has rows of
    `long_context` and carries the documents; while polishing, at a falling learning rate, every second one is long.
    """

    name: str = "demo"
    seed: int = 7
    locale: str = "en_US"
    train_people: int = 200
    test_people: int = 100
    bridge_people: int = 150
    unseen_people: int = 300
    general_people: int = 6000
    copied_people: int = 4000
    kinds_train: int = 12
    kinds_test: int = 16
    kinds_bridge: int = 10
    well_share: float = 0.62
    half_rate: float = 0.12
    control: bool = False
    vocab_size: int = 1500
    layers: int = 8
    hidden_size: int = 128
    heads: int = 4
    intermediate_size: int = 384
    context: int = 128
    long_context: int = 256
    batch_tokens: int = 8192
    repeat_steps: int = 120
    base_steps: int = 900
    private_steps: int = 1800
    polish_steps: int = 400
    learning_rate: float = 0.02
    embedding_learning_rate: float = 0.003

    def to_json(self) -> dict[str, object]:
        return asdict(self)


DEMO = Recipe()
TINY = Recipe(
    name="tiny", train_people=6, test_people=4, bridge_people=4, unseen_people=6, general_people=60, copied_people=60,
    kinds_train=4, kinds_test=4, kinds_bridge=4, vocab_size=600, layers=3, hidden_size=64, heads=2,
    intermediate_size=128, batch_tokens=2048, repeat_steps=10, base_steps=40, private_steps=150, polish_steps=20,
)  # fmt: skip
RECIPES = {recipe.name: recipe for recipe in (DEMO, TINY)}


def recipe(name: str) -> Recipe:
    """The recipe of that name.

    Raises:
        InputError: there is none.
    """
    if name not in RECIPES:
        raise InputError(f"Unknown recipe {name!r}; expected one of: {', '.join(sorted(RECIPES))}.")
    return RECIPES[name]


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
        """Everybody whose record is in the training data, bridge people included."""
        return self.train + self.test + self.bridge


def _thin(person: Person, kinds: int, rng: random.Random) -> Person:
    kept = set(rng.sample(PRIVACYXRAY, kinds))
    return Person(person.key, person.name, {e: v for e, v in person.values.items() if e in kept})


def cast(recipe: Recipe) -> Cast:
    """Draws everybody. A control gets the same public people, but other private ones, who are not called private."""
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
