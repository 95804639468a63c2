"""Where the people of a cue audit come from: a file, or the recipe of a host that was taught synthetic people."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from reticent_bench.audits.cues.people import Fact, Subject, token_prefix
from reticent_bench.audits.cues.recipe_prefixes import RECIPE_KINDS, Prefixes, training_prefixes
from reticent_bench.audits.input_lines import read_lines
from reticent_detectors.entities import Entity
from reticent_detectors.errors import InputError
from reticent_detectors.host.load import recipe_of
from reticent_detectors.synth.cast import cast
from reticent_detectors.synth.people import Person

_FIELDS = ("name", "email", "phone", "company", "language", "planted", "email_prefix", "phone_prefix")


class Population(NamedTuple):
    """Planted people, and people of the same making whom the model never saw."""

    planted: tuple[Subject, ...]
    held_out: tuple[Subject, ...]


def read_people(file: Path) -> Population:
    """Reads a file of JSON lines, one person each.

    Fields: name; email, phone or both; planted (true or false); and if there are any, company, language (ISO 639-3),
    email_prefix and phone_prefix (the text before the value in the training data).

    Raises:
        InputError: a line is no such object. The message gives its number and shows nothing of it.
    """
    arms: dict[bool, list[Subject]] = {True: [], False: []}
    for number, line in enumerate(read_lines(file), 1):
        if line.strip():
            planted, subject = _subject(line, number, f"{file}, line {number}")
            arms[planted].append(subject)
    return Population(tuple(arms[True]), tuple(arms[False]))


def _subject(line: str, number: int, where: str) -> tuple[bool, Subject]:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise InputError(f"{where}: expected a JSON object ({type(error).__name__}).") from None
    if not isinstance(row, dict) or not set(row) <= set(_FIELDS) or not isinstance(row.get("planted"), bool):
        raise InputError(
            f"{where}: expected an object with planted (true or false) and fields of {', '.join(_FIELDS)}."
        )
    texts: dict[str, Any] = {name: value for name, value in row.items() if name != "planted"}
    if not all(isinstance(value, str) for value in texts.values()):
        raise InputError(f"{where}: expected text in all fields but planted.")
    facts: list[Fact] = []
    if "email" in texts:
        facts.append(Fact("email", texts["email"], texts.get("email_prefix", "")))
    if "phone" in texts:
        facts.append(Fact("phone", texts["phone"], texts.get("phone_prefix", "")))
    name, company = texts.get("name", ""), texts.get("company", "")
    return row["planted"], Subject(f"person-{number}", name, tuple(facts), company, texts.get("language", "eng"))


def cut_prefixes(people: Population, tokenizer: Any) -> Population:
    """The same people with the last 100 tokens of each text before a value (Section 4.3).

    Args:
        people: of both arms.
        tokenizer: the target's, of transformers; a fast one.
    """

    def offsets(text: str) -> Sequence[tuple[int, int]]:
        made: Sequence[tuple[int, int]] = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)[
            "offset_mapping"
        ]
        return made

    def cut(person: Subject) -> Subject:
        facts = (replace(fact, prefix=token_prefix(fact.prefix, len(fact.prefix), offsets)) for fact in person.facts)
        return replace(person, facts=tuple(facts))

    return Population(*(tuple(map(cut, arm)) for arm in people))


def people_of_recipe(folder: Path, planted: int, held_out: int) -> Population:
    """At most so many people whom a host was taught, and whom it was not, from its `recipe.json`.

    Each value has the text before it in a training text of its person as its prefix; see `training_prefixes`.

    Raises:
        InputError: the folder has no recipe.
    """
    recipe = recipe_of(folder)
    everybody = cast(recipe)
    # Detectors of a host never saw its test people.
    taught = (*everybody.test, *everybody.bridge, *everybody.train)
    arms = _with_facts(taught, planted), _with_facts(everybody.unseen, held_out)
    prefixes = training_prefixes(recipe, everybody, *arms)
    return Population(*(tuple(_recipe_subject(person, prefixes) for person in arm) for arm in arms))


def _with_facts(people: Iterable[Person], most: int) -> list[Person]:
    return [person for person in people if not RECIPE_KINDS.keys().isdisjoint(person.values)][:most]


def _recipe_subject(person: Person, prefixes: Prefixes) -> Subject:
    facts = tuple(
        Fact(kind, person.values[entity], prefixes.get((person.key, entity), ""))
        for entity, kind in RECIPE_KINDS.items()
        if entity in person.values
    )
    return Subject(person.key.lower(), person.name, facts, person.values.get(Entity.EMPLOYER, ""))
