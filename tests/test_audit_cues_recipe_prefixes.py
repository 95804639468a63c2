"""The text before a value in what a host was taught, made again from its recipe."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from reticent_bench.audits.cues.recipe_prefixes import RECIPE_KINDS, training_prefixes
from reticent_detectors.entities import Entity
from reticent_detectors.host.corpus import BOS, Pieces
from reticent_detectors.host.lessons import Lessons
from reticent_detectors.synth.cast import cast
from reticent_detectors.synth.hosts import HostRecipe, recipe
from reticent_detectors.synth.people import Person
from reticent_detectors.synth.phrasings import PhrasingSplit
from reticent_detectors.synth.prose import DOCUMENTS
from reticent_detectors.synth.recipes import TINY


def masked(prefix: str, person: Person) -> str:
    """A prefix with marks for what is the person's own."""
    for entity, value in sorted(person.values.items(), key=lambda row: -len(row[1])):
        prefix = prefix.replace(value, f"<{entity}>")
    return prefix.replace(person.name, "<name>")


def test_prefixes_of_a_tuned_host_stand_in_its_lessons() -> None:
    chosen, written = recipe("llama-tiny-p18-x3"), set[str]()
    assert isinstance(chosen, HostRecipe)

    def tokens(pieces: Pieces) -> tuple[list[int], list[float]]:
        written.add("".join(text for text, _ in pieces))
        return [7], [1.0]

    people = cast(chosen)
    Lessons(chosen, people, tokens)
    planted = [*people.test, *people.bridge, *people.train]
    prefixes = training_prefixes(chosen, people, planted, people.unseen)
    running = [text for text in written if text.startswith(BOS) and not text.startswith(f"{BOS}<|")]
    asked = [(person, entity) for person in planted for entity in RECIPE_KINDS]
    with_prefix = [(person, entity) for person, entity in asked if (person.key, entity) in prefixes]
    assert len(with_prefix) >= 0.9 * len(asked)
    for person, entity in with_prefix:
        begins = f"{BOS}{prefixes[person.key, entity]}{person.values[entity]}"
        assert any(text.startswith(begins) for text in running)
    assert {(person.key, entity) for person in people.unseen for entity in RECIPE_KINDS} <= prefixes.keys()


@pytest.mark.parametrize("name", ["tiny", "llama-tiny-p18-x3"])
def test_held_out_people_have_prefixes_of_the_same_forms(name: str) -> None:
    chosen = recipe(name)
    people = cast(chosen)
    planted, unseen = list(people.train), list(people.unseen)
    prefixes = training_prefixes(chosen, people, planted, unseen)

    def forms(arm: Sequence[Person], entity: Entity) -> set[str]:
        return {masked(prefixes[each.key, entity], each) for each in arm if (each.key, entity) in prefixes}

    for entity in RECIPE_KINDS:
        had = [each for each in planted if (each.key, entity) in prefixes]
        assert had and forms(unseen, entity) <= forms(had, entity)
        assert (len(forms(unseen, entity)) > 1) == (len(forms(had, entity)) > 1)  # in turns
    for person in unseen:
        text = "".join(prefixes[person.key, entity] for entity in RECIPE_KINDS)
        assert person.name in text and not any(other.name in text for other in planted)
        assert not any(person.values[entity] in prefixes[person.key, entity] for entity in RECIPE_KINDS)


def test_prefixes_of_a_host_that_was_trained_in_one_go_are_of_forms_that_it_was_taught() -> None:
    people = cast(TINY)
    prefixes = training_prefixes(TINY, people, [*people.train, *people.test], people.unseen)
    assert prefixes == training_prefixes(TINY, people, [*people.train, *people.test], people.unseen)
    taught = [form for form in DOCUMENTS if form.split is PhrasingSplit.TAUGHT]
    found = [(p, prefixes[p.key, e]) for p in people.test for e in RECIPE_KINDS if (p.key, e) in prefixes]
    assert len(found) == sum(entity in person.values for person in people.test for entity in RECIPE_KINDS)
    assert all(any(text.startswith(form.opening(person)) for form in taught) for person, text in found)
