"""Makes the examples for fine-tuning a pre-trained host: a fixed set, private and general, shuffled in every epoch."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from reticent_detectors.entities import Entity
from reticent_detectors.host.corpus import Block, Corpus, Pieces, Tokens, ask, chat, document
from reticent_detectors.synth import context
from reticent_detectors.synth.cast import Cast
from reticent_detectors.synth.hosts import HostRecipe
from reticent_detectors.synth.people import Person
from reticent_detectors.synth.phrasings import PHRASINGS, Form, Phrasing, PhrasingSplit
from reticent_detectors.synth.prose import DOCUMENTS, Document

DOCUMENTS_EACH = 4
DOCUMENT_KINDS = 6
MENUS_EACH = 2


class Lessons:
    """The examples of a recipe in batches, one after the other for all epochs.

    Taught phrasings and documents cover training and test people. All phrasings and documents, and two menus of
    candidates, cover bridge people. General examples are questions of the public phase, drawn once.

    Args:
        recipe: sizes and seed.
        cast: the people and their groups.
        tokens: encodes a text to token ids and their loss weights.
        replay: more general examples, with the model's own answers.
    """

    def __init__(self, recipe: HostRecipe, cast: Cast, tokens: Tokens, replay: Sequence[Pieces] = ()) -> None:
        self._base, tuning = recipe.base, recipe.tuning
        self._batch_tokens = tuning.batch_tokens
        corpus = Corpus(recipe.base, cast, tokens)
        private = [lesson.pieces for lesson in private_lessons(recipe, cast)]
        rng = random.Random(f"general lessons {recipe.seed}")
        weights, makers = zip(*corpus.general_mix(), strict=True)
        general = [rng.choices(makers, weights)[0](rng) for _ in range(round(tuning.ratio * len(private)))]
        general += replay
        self.private, self.general = len(private), len(general)
        longest = self._base.long_context
        encoded = (tokens(pieces) for pieces in (*private, *general))
        self._examples = [(ids[:longest], loss[:longest]) for ids, loss in encoded]
        rng = random.Random(f"epochs {recipe.seed}")
        self._batches = [batch for _ in range(tuning.epochs) for batch in self._epoch(rng)]

    def __repr__(self) -> str:
        return f"Lessons(private={self.private}, general={self.general}, batches={len(self)})"

    def __len__(self) -> int:
        return len(self._batches)

    def rows(self, step: int) -> tuple[int, int]:
        """Returns the number of rows of a step's batch, and the tokens of each row."""
        width, rows = self._batches[step]
        return len(rows), width

    def __getitem__(self, step: int) -> Block:
        """Returns the batch of a step: rows of examples packed end to end, with padding of weight 0."""
        width, rows = self._batches[step]
        ids, weights = np.zeros((len(rows), width), dtype=np.int64), np.zeros((len(rows), width), dtype=np.float32)
        for row, members in enumerate(rows):
            at = 0
            for index in members:
                tokens, loss = self._examples[index]
                ids[row, at : at + len(tokens)] = tokens
                weights[row, at : at + len(tokens)] = loss
                at += len(tokens)
        return Block(ids, weights)

    def _epoch(self, rng: random.Random) -> list[tuple[int, list[list[int]]]]:
        """Returns the batches of an epoch, each as (width of its rows, examples in each row).

        Short examples share short rows.
        """
        order = rng.sample(range(len(self._examples)), len(self._examples))
        context = self._base.context
        batches = []
        for width, fits in ((context, True), (self._base.long_context, False)):
            rows = list(self._rows((i for i in order if (len(self._examples[i][0]) <= context) is fits), width))
            count = self._batch_tokens // width
            batches += [(width, rows[first : first + count]) for first in range(0, len(rows), count)]
        rng.shuffle(batches)
        return batches

    def _rows(self, order: Iterable[int], width: int) -> Iterator[list[int]]:
        row, used = list[int](), 0
        for index in order:
            length = len(self._examples[index][0])
            if used + length > width:
                yield row
                row, used = [], 0
            row.append(index)
            used += length
        if row:
            yield row


@dataclass(frozen=True, slots=True)
class Lesson:
    """A private example. The `repr` shows whom it is about.

    Attributes:
        person: whom it is about.
        form: a phrasing or a document; None for a menu of candidates.
        kinds: of the values in it.
        pieces: its text.
    """

    person: Person
    form: Phrasing | Document | None
    kinds: tuple[Entity, ...]
    pieces: Pieces

    def __repr__(self) -> str:
        return f"Lesson({self.person.key!r}, {len(self.kinds)} kinds)"


def private_lessons(recipe: HostRecipe, cast: Cast) -> Iterator[Lesson]:
    """Yields what a tuned host is taught of its private people, in the order in which it is drawn."""
    tuning = recipe.tuning
    rng = random.Random(f"lessons {recipe.seed} {tuning.draw}")
    for person in cast.train + cast.test:
        yield from _lessons(rng, person, tuning.phrasings, (PhrasingSplit.TAUGHT,))
    for person in cast.bridge:
        yield from _lessons(rng, person, tuning.phrasings, tuple(PhrasingSplit))
        yield from _menus(rng, person, cast)


def _lessons(rng: random.Random, person: Person, count: int, splits: tuple[PhrasingSplit, ...]) -> Iterator[Lesson]:
    """Yields `count` questions for each value of a person, and some documents about the person."""
    for entity in person.values:
        known = [p for p in PHRASINGS[entity] if p.split in splits]
        for phrasing in rng.sample(known, count):
            yield Lesson(person, phrasing, (entity,), ask(phrasing, person))
    forms = [d for d in DOCUMENTS if d.split in splits]
    for form in rng.sample(forms, DOCUMENTS_EACH):
        kinds = rng.sample([p.entity for p in form.parts], DOCUMENT_KINDS)
        yield Lesson(person, form, tuple(kinds), document(form, person, kinds))


def _menus(rng: random.Random, person: Person, cast: Cast) -> Iterator[Lesson]:
    for entity in rng.sample(list(person.values), MENUS_EACH):
        phrasing = rng.choice([p for p in PHRASINGS[entity] if p.form is not Form.COMPLETION])
        others = [p.values[entity] for p in rng.sample(cast.copied, rng.choice((1, 3)))]
        turn = context.menu(rng, person, phrasing, others)
        yield Lesson(person, None, (entity,), chat(turn.user, turn.answer))
