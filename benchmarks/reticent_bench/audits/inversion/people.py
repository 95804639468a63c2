"""Whom the guard's surfaces are tested on: people of a host's recipe, each asked about a few values."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from reticent_bench.audits.inversion.records import FEWEST_PEOPLE, Record, Value
from reticent_bench.audits.target import Message
from reticent_bench.audits.target import Prompt as Question
from reticent_detectors.errors import InputError
from reticent_detectors.host.load import recipe_of
from reticent_detectors.synth.cast import cast
from reticent_detectors.synth.people import Person
from reticent_detectors.synth.phrasings import PHRASINGS
from reticent_detectors.synth.prompts import Prompt, probe


class SplitPrompts(NamedTuple):
    """Prompts about people whom the attacker learns from, and about others whom it is tested on."""

    attack: tuple[Prompt, ...]
    test: tuple[Prompt, ...]


def prompts_of_recipe(folder: Path, attack_people: int, test_people: int, each: int, seed: int) -> SplitPrompts:
    """Prompts about people whom a host was taught, one for each value.

    The tested people are the recipe's test people: detectors of the host never saw them. Where it has too few of them,
    others whom it taught are tested, too. Where it taught too few to learn from, the attacker also asks about people
    whom it did not teach: what is said of them is made up, and the guard's surfaces hold as much of it.

    Args:
        folder: a host with its recipe.
        attack_people, test_people: at most so many on each side.
        each: values that are asked for, of each person.
        seed: of values and phrasings.

    Raises:
        InputError: the folder has no recipe, or its people are too few.
    """
    everybody = cast(recipe_of(folder))
    rng = random.Random(f"inversion {seed}")
    test, taught = everybody.test[:test_people], (*everybody.train, *everybody.bridge)
    missing = max(0, FEWEST_PEOPLE - len(test))
    test, taught = (*test, *taught[len(taught) - missing :]), taught[: len(taught) - missing]
    attack = (*taught, *everybody.unseen)[:attack_people]
    if min(len(attack), len(test)) < FEWEST_PEOPLE:
        raise InputError(
            f"{folder}: its recipe has {len(attack)} people to learn from and {len(test)} to test on. "
            f"Expected at least {FEWEST_PEOPLE} of each; audit a host that was taught more people."
        )
    return SplitPrompts(_prompts(attack, each, rng), _prompts(test, each, rng))


def question_of(prompt: Prompt) -> Question:
    """A prompt as an audit's target takes it."""
    if not prompt.messages:
        return prompt.text
    return tuple(Message("user" if role == "user" else "system", content) for role, content in prompt.messages)


def _prompts(people: Sequence[Person], each: int, rng: random.Random) -> tuple[Prompt, ...]:
    return tuple(
        probe(person, rng.choice(PHRASINGS[kind]), "train")
        for person in people
        for kind in rng.sample(sorted(person.values), min(each, len(person.values)))
    )


def sentences_of_recipe(folder: Path, people: int, each: int, seed: int) -> list[Record]:
    """Sentences about people of a host's recipe, with their true values: texts for a model's hidden states.

    Args:
        folder: a host with its recipe.
        people: at most so many, taught and not taught.
        each: sentences about each person, of different kinds.
        seed: of kinds and phrasings.

    Raises:
        InputError: the folder has no recipe.
    """
    everybody = cast(recipe_of(folder))
    rng = random.Random(f"inversion sentences {seed}")
    out = []
    for person in (*everybody.test, *everybody.train, *everybody.unseen)[:people]:
        for kind in rng.sample(sorted(person.values), min(each, len(person.values))):
            named = [phrasing for phrasing in PHRASINGS[kind] if "{n}" in phrasing.answer]
            value = person.values[kind]
            text = rng.choice(named).reply(person.name, value).strip() if named else f"{person.name}: {value}"
            start = text.index(value)
            out.append(Record(text, person.key, (Value(str(kind), start, start + len(value)),)))
    return out
