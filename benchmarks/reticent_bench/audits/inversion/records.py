"""The texts of an inversion audit, with the personal values in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reticent_detectors.errors import InputError

Keys = Sequence[Mapping[int, str]]
"""For each text, the keyed hash of each of its values, by the value's place among them."""
Vectors = NDArray[np.float32]
"""One vector a text [texts, width]."""
FEWEST_PEOPLE = 5
"""On each side; fewer give no interval and no choice of the training length."""


class Value(NamedTuple):
    """A personal value: its kind, and where it is in the text."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Record:
    """A text that an attacker wants to read from its vector.

    Attributes:
        text: what is encoded.
        person: whom it is about; people are on one side only.
        values: the personal values in it, in their order.
    """

    text: str
    person: str
    values: tuple[Value, ...] = ()

    def __post_init__(self) -> None:
        if any(not 0 <= value.start < value.end <= len(self.text) for value in self.values):
            raise InputError(f"Expected each value inside its text of {len(self.text)} characters.")

    def __repr__(self) -> str:
        return f"Record(<{len(self.text)} chars>, {len(self.values)} values)"

    def value_texts(self) -> tuple[str, ...]:
        """The values as they are in the text."""
        return tuple(self.text[value.start : value.end] for value in self.values)


class Sides(NamedTuple):
    """Rows that the attacker learns from, and rows that it is tested on, as indices into the records."""

    attack: tuple[int, ...]
    test: tuple[int, ...]


def split_by_person(records: Sequence[Record], attack_share: float, seed: int) -> Sides:
    """Puts whole people on the attacker's side or on the tested side.

    Args:
        records: all texts.
        attack_share: share of the people whom the attacker learns from.
        seed: of the draw.

    Raises:
        InputError: a side has fewer than five people.
    """
    names = sorted({record.person for record in records})
    rng = np.random.default_rng([seed, 11])
    drawn = [names[place] for place in rng.permutation(len(names))]
    known = set(drawn[: round(attack_share * len(names))])
    sides = Sides(
        tuple(row for row, record in enumerate(records) if record.person in known),
        tuple(row for row, record in enumerate(records) if record.person not in known),
    )
    check_people(records, sides)
    return sides


def check_people(records: Sequence[Record], sides: Sides) -> None:
    """Checks that both sides have five people and share none.

    Raises:
        InputError: they do not.
    """
    attack, test = ({records[row].person for row in side} for side in sides)
    if min(len(attack), len(test)) < FEWEST_PEOPLE:
        raise InputError(
            f"Expected texts of at least {FEWEST_PEOPLE} people on each side, got {len(attack)} and {len(test)}. "
            "Give more people."
        )
    if attack & test:
        raise InputError(f"Expected each person on one side, got {len(attack & test)} on both.")
