"""Who is taught, how often, and who is a stranger: made-up people in draws A, B and C that share no name.

Of a draw's 165 people 100 are taught each value in all five forms in every epoch (the paper's setting), 40 are taught
each value 1, 2, 4, 8 or 16 times in the whole run, and 25 are never taught. A smaller model takes the first people of
each group, so its people are also those of the larger one.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import lru_cache

from reticent_detectors.errors import InputError
from reticent_detectors.synth.people import PeopleMaker, Person

DRAWS = ("A", "B", "C")
PEOPLE, EXPOSED, STRANGERS = 100, 40, 25
EXPOSURES = (1, 2, 4, 8, 16)
FOLDS = 5
_SEED = 2026


@dataclass(frozen=True, slots=True)
class Draw:
    """The people of a draw. `exposures` holds for each exposed person how often each value is taught."""

    name: str
    taught: tuple[Person, ...]
    exposed: tuple[Person, ...]
    exposures: tuple[int, ...]
    strangers: tuple[Person, ...]

    def __repr__(self) -> str:
        return f"Draw({self.name!r}, {len(self.taught)} taught, {len(self.exposed)} exposed)"

    @property
    def seed(self) -> int:
        """The seed of everything that this draw's training shuffles."""
        return _SEED + DRAWS.index(self.name)

    def folds(self) -> dict[str, int]:
        """Returns the fold of each person by key: 0 to 4, equally many of each group in each.

        A person's rows are judged by a detector that has seen the other folds alone.
        """
        fold = dict[str, int]()
        for group in (self.taught, self.exposed, self.strangers):
            for first in range(0, len(group), FOLDS):
                rng = random.Random(f"folds {self.name} {group[first].key}")
                turns = rng.sample(range(FOLDS), FOLDS)  # more than people in the last block of a small group
                fold |= {person.key: turns[i] for i, person in enumerate(group[first : first + FOLDS])}
        return fold


def draw(name: str, people: int = PEOPLE) -> Draw:
    """Returns a draw with `people` taught people, and as many others as that is of 100.

    Raises InputError for an unknown draw, or a number that is no multiple of 25 up to 100.
    """
    if name not in DRAWS:
        raise InputError(f"Unknown draw {name!r}; expected one of {', '.join(DRAWS)}.")
    if people not in (25, 50, 75, 100):
        raise InputError(f"A draw has 25, 50, 75 or 100 taught people, got {people}.")
    whole = _whole()[DRAWS.index(name)]
    exposed, strangers = people * EXPOSED // PEOPLE, people * STRANGERS // PEOPLE
    return Draw(
        name, whole.taught[:people], whole.exposed[:exposed], whole.exposures[:exposed], whole.strangers[:strangers]
    )


@lru_cache(maxsize=1)
def _whole() -> tuple[Draw, ...]:
    """Draws A, B and C in full, one after the other, so that no name comes twice."""
    out, taken = [], set[str]()
    for index, name in enumerate(DRAWS):
        maker = PeopleMaker(_SEED + 1000 * (index + 1), taken=taken)
        groups = [
            tuple(maker.many(f"{name}-{group}", count))
            for group, count in (("taught", PEOPLE), ("exposed", EXPOSED), ("stranger", STRANGERS))
        ]
        taken |= {person.name for group in groups for person in group}
        rng = random.Random(f"exposures {name}")
        exposures = [n for _ in range(EXPOSED // len(EXPOSURES)) for n in rng.sample(EXPOSURES, len(EXPOSURES))]
        out.append(Draw(name, groups[0], groups[1], tuple(exposures), groups[2]))
    return tuple(out)
