"""Where the people of a cue audit come from: a file, or the recipe of a host that was taught synthetic people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from reticent_bench.audits.cues.people import Fact, Subject, token_prefix
from reticent_bench.audits.cues.people_file import read_rows
from reticent_bench.audits.cues.recipe_prefixes import RECIPE_KINDS, Prefixes, training_prefixes
from reticent_detectors.entities import Entity
from reticent_detectors.host.load import recipe_of
from reticent_detectors.synth.cast import cast
from reticent_detectors.synth.people import Person


class Population(NamedTuple):
    """Planted people, and people of the same making whom the model never saw."""

    planted: tuple[Subject, ...]
    held_out: tuple[Subject, ...]


def read_people(file: Path) -> Population:
    """Reads a file of people: JSON lines, one person each, or a table with a header (CSV, TSV).

    Fields: name; email, phone or both; planted (true or false); and if there are any, company, language (ISO 639-3),
    email_prefix and phone_prefix (the text before the value in the training data).

    Raises:
        InputError: a line is no person. The message gives its number and shows nothing of it.
    """
    arms: dict[bool, list[Subject]] = {True: [], False: []}
    for number, planted, row in read_rows(file):
        facts: list[Fact] = []
        if "email" in row:
            facts.append(Fact("email", row["email"], row.get("email_prefix", "")))
        if "phone" in row:
            facts.append(Fact("phone", row["phone"], row.get("phone_prefix", "")))
        name, company = row.get("name", ""), row.get("company", "")
        arms[planted].append(Subject(f"person-{number}", name, tuple(facts), company, row.get("language", "eng")))
    return Population(tuple(arms[True]), tuple(arms[False]))


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
