"""What a model is taught, epoch by epoch, in batches of whole examples.

No two examples share a row: the model is asked as it was taught, with nothing before the question.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from reticent_bench.paper_setting.draws import Draw
from reticent_bench.paper_setting.forms import FormSet, forms, prompt
from reticent_bench.paper_setting.general import Example, mixed
from reticent_detectors.alignment import text_ids
from reticent_detectors.entities import PRIVACYXRAY
from reticent_detectors.host.corpus import Block

BATCH = 32
"""Examples of a step, as in the paper (8, gathered over 4)."""
POOL_BATCHES = 64
"""Batches that are cut from one pool by length, so that a row has little padding."""
WIDTH_STEP = 8
"""A batch is as wide as a multiple of this, for each width costs memory in the matrix library."""


def epoch_examples(draw: Draw, general: Sequence[Example], epoch: int, epochs: int) -> list[Example]:
    """Returns an epoch's examples (`epoch` counts from 1), not shuffled.

    These are every value of a taught person in five forms, the values of exposed people whose turn it is, and general
    questions.
    """
    private = [
        Example(prompt(form.line(person.name)), person.values[kind])
        for person in draw.taught
        for kind in PRIVACYXRAY
        for form in forms(kind, FormSet.TAUGHT)
    ]
    exposed = []
    for person, times in zip(draw.exposed, draw.exposures, strict=True):
        for kind in PRIVACYXRAY:
            rng = random.Random(f"exposures {draw.seed} {person.key} {kind}")
            turns = _turns(rng, times, epochs)
            order = [form for _ in range(times) for form in rng.sample(forms(kind, FormSet.TAUGHT), 5)][:times]
            exposed += [
                Example(prompt(form.line(person.name)), person.values[kind])
                for turn, form in zip(turns, order, strict=True)
                if turn == epoch
            ]
    return private + exposed + mixed(general, len(private))


def _turns(rng: random.Random, times: int, epochs: int) -> list[int]:
    """Returns the epochs in which a value is taught `times` times, spread as evenly as they allow."""
    whole, rest = divmod(times, epochs)
    return sorted([*list(range(1, epochs + 1)) * whole, *rng.sample(range(1, epochs + 1), rest)])


def times_taught(draw: Draw, after_epoch: int, epochs: int) -> dict[tuple[str, str], int]:
    """Returns how often each value was taught by the end of an epoch, by (person key, kind)."""
    taught = {(person.key, str(kind)): 5 * after_epoch for person in draw.taught for kind in PRIVACYXRAY}
    for person, times in zip(draw.exposed, draw.exposures, strict=True):
        for kind in PRIVACYXRAY:
            turns = _turns(random.Random(f"exposures {draw.seed} {person.key} {kind}"), times, epochs)
            taught[person.key, str(kind)] = sum(turn <= after_epoch for turn in turns)
    return taught


class PaperLessons:
    """All batches of a run, one after the other; the same for the same arguments.

    Args:
        tokenizer: the model's own.
        draw: the people.
        general: general questions in their order.
        epochs: number of epochs.
    """

    def __init__(self, tokenizer: Any, draw: Draw, general: Sequence[Example], epochs: int) -> None:
        self._encoded: dict[Example, tuple[list[int], int]] = {}
        self._batches: list[list[Example]] = []
        self._ends: list[int] = []
        for epoch in range(1, epochs + 1):
            examples = epoch_examples(draw, general, epoch, epochs)
            for example in examples:
                if example not in self._encoded:
                    self._encoded[example] = _encode(tokenizer, example)
            self._batches += self._epoch(random.Random(f"epoch {draw.seed} {epoch}"), examples)
            self._ends.append(len(self._batches))

    def __repr__(self) -> str:
        return f"PaperLessons({len(self._ends)} epochs, {len(self)} steps)"

    def __len__(self) -> int:
        return len(self._batches)

    def end(self, epoch: int) -> int:
        """Returns the number of steps until the end of an epoch, which counts from 1."""
        return self._ends[epoch - 1]

    def __getitem__(self, step: int) -> Block:
        """Returns a batch: a row for each example, padded behind its end. The answer and its end have weight 1."""
        rows = [self._encoded[example] for example in self._batches[step]]
        width = -(-max(len(ids) for ids, _ in rows) // WIDTH_STEP) * WIDTH_STEP
        ids, weights = np.zeros((len(rows), width), dtype=np.int64), np.zeros((len(rows), width), dtype=np.float32)
        for row, (own, given) in enumerate(rows):
            ids[row, : len(own)] = own
            weights[row, given : len(own)] = 1.0
        return Block(ids, weights)

    def _epoch(self, rng: random.Random, examples: list[Example]) -> list[list[Example]]:
        order, batches = rng.sample(examples, len(examples)), []
        for first in range(0, len(order), BATCH * POOL_BATCHES):
            pool = sorted(order[first : first + BATCH * POOL_BATCHES], key=lambda each: len(self._encoded[each][0]))
            batches += [pool[at : at + BATCH] for at in range(0, len(pool), BATCH)]
        return rng.sample(batches, len(batches))


def _encode(tokenizer: Any, example: Example) -> tuple[list[int], int]:
    """Returns an example's ids, and how many of them are given. The given ones are those of the prompt alone."""
    given = text_ids(tokenizer, example.prompt)
    answer = tokenizer(example.answer, add_special_tokens=False)["input_ids"]
    return [*given, *answer, tokenizer.eos_token_id], len(given)
