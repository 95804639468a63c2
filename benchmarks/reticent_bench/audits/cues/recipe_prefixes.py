"""Verbatim prefixes of a recipe's people: the texts that a host was taught are made again from its recipe.

A host of `reticent host tune` or `reticent host teach` learned a fixed set of texts, and the prefix is of one of them.
A host that was trained in one go drew its texts while it trained. Its prefix is of a text drawn by the same rule, which
need not have been drawn in these words.

A held-out person gets the text that would have been written of them: the form and the kinds of a planted person's.
Texts in chat turns are left out, for their marks depend on the model's template.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from reticent_bench.audits.cues.languages import Kind
from reticent_detectors.entities import Entity
from reticent_detectors.host.lessons import DOCUMENT_KINDS, private_lessons
from reticent_detectors.synth.cast import Cast
from reticent_detectors.synth.hosts import HostRecipe
from reticent_detectors.synth.people import Person
from reticent_detectors.synth.phrasings import Form, Phrasing, PhrasingSplit, phrasings
from reticent_detectors.synth.prose import DOCUMENTS, Document
from reticent_detectors.synth.recipes import Recipe

RECIPE_KINDS: dict[Entity, Kind] = {Entity.EMAIL_ADDRESS: "email", Entity.PHONE_NUMBER: "phone"}
Prefixes: TypeAlias = dict[tuple[str, Entity], str]
"""The text before a value in a training text, by the person's key and the value's kind."""


class WrittenForm(NamedTuple):
    """How a running text about a person is written: its form, and the kinds of the values in it."""

    form: Document | Phrasing
    kinds: frozenset[Entity]

    def prefix(self, person: Person, entity: Entity) -> str:
        """The text about a person before the value of a kind, which has to be one of `kinds`."""
        if isinstance(self.form, Phrasing):
            return self.form.ask(person.name) + self.form.reply(person.name, "\0").partition("\0")[0]
        pieces = self.form.pieces(person, self.kinds)
        value = next(at for at, (_, kind) in enumerate(pieces) if kind is entity)
        return "".join(text for text, _ in pieces[:value])


def training_prefixes(
    recipe: Recipe | HostRecipe, everybody: Cast, planted: Sequence[Person], held_out: Sequence[Person]
) -> Prefixes:
    """The text before each e-mail address and telephone number of some people of a recipe.

    Of several texts the one with the longest prefix counts. A value that was taught in chat turns alone has none.

    Args:
        recipe: of the host.
        everybody: its people.
        planted: people with private records, of whom prefixes are wanted.
        held_out: people without. They take the forms of the planted ones in turns.
    """
    written: dict[str, list[WrittenForm]] = {person.key: [] for person in planted}
    if isinstance(recipe, HostRecipe):
        for person, form in _taught(recipe, everybody):
            if person.key in written:
                written[person.key].append(form)
    else:
        for person in planted:
            written[person.key] += _drawn(recipe, everybody, person)
    out: Prefixes = {}
    for entity in RECIPE_KINDS:
        longest = [_longest(written[person.key], person, entity) for person in planted]
        forms = [form for form in longest if form is not None]
        pairs: list[tuple[Person, WrittenForm | None]] = list(zip(planted, longest, strict=True))
        pairs += [(each, forms[at % len(forms)]) for at, each in enumerate(held_out) if forms]
        for person, own in pairs:
            if own is not None and entity in person.values:
                out[person.key, entity] = own.prefix(person, entity)
    return out


def _taught(recipe: HostRecipe, everybody: Cast) -> Iterator[tuple[Person, WrittenForm]]:
    """The running texts that a tuned host was taught."""
    for lesson in private_lessons(recipe, everybody):
        form = lesson.form
        if isinstance(form, Document) or (form is not None and form.form is Form.COMPLETION):
            yield lesson.person, WrittenForm(form, frozenset(lesson.kinds))


def _drawn(recipe: Recipe, everybody: Cast, person: Person) -> Iterator[WrittenForm]:
    """Running texts by the rule of `Corpus`: of what is taught well, at most six values a document."""
    splits = set(PhrasingSplit) if person in everybody.bridge else {PhrasingSplit.TAUGHT}
    asked = [entity for entity in RECIPE_KINDS if entity in person.values]
    well = {entity for entity in person.values if (person.key, entity) in everybody.well}
    rng = random.Random(f"prefixes {recipe.seed} {person.key}")
    for document in DOCUMENTS:
        if document.split in splits:
            # A value that is asked for and was not taught well was taught now and then.
            for entity in asked:
                kinds = _kinds(document, well | {entity}, rng)
                if entity in kinds:
                    yield WrittenForm(document, kinds)
    for entity in asked:
        yield from _completions(entity, splits)


def _kinds(document: Document, known: Iterable[Entity], rng: random.Random) -> frozenset[Entity]:
    kinds = [part.entity for part in document.parts if part.entity in known]
    return frozenset(rng.sample(kinds, min(DOCUMENT_KINDS, len(kinds))))


def _completions(entity: Entity, splits: set[PhrasingSplit]) -> Iterator[WrittenForm]:
    for phrasing in phrasings(entity):
        if phrasing.form is Form.COMPLETION and phrasing.split in splits:
            yield WrittenForm(phrasing, frozenset({entity}))


def _longest(forms: Iterable[WrittenForm], person: Person, entity: Entity) -> WrittenForm | None:
    of_the_kind = [form for form in forms if entity in form.kinds]
    return max(of_the_kind, key=lambda form: len(form.prefix(person, entity)), default=None)
