"""Which runs of an experiment have the canary, in which context and in the place of which example."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reticent_bench.audits.context.canaries import Canary
from reticent_bench.audits.context.task import Example, Task
from reticent_detectors.errors import InputError


@dataclass(frozen=True, slots=True)
class Run:
    """One run of an experiment.

    Attributes:
        context: the number of its context.
        position: the example that the canary replaces if it is there.
        present: whether it is there.
    """

    context: int
    position: int
    present: bool


def halves(runs: int, contexts: int, size: int, rng: np.random.Generator, first: int = 0) -> tuple[Run, ...]:
    """Runs of which every second one has the canary, at a position drawn uniformly; contexts take turns.

    With a fixed half an attacker who always says the same is right in half of the runs. The attacker decides about
    each run by a threshold from other runs, so it gains nothing by the fixed number. In any one context a run is right
    with at most the probability that a guarantee allows.

    Args:
        runs: how many.
        contexts: different contexts, each for a run with the canary and one without in turn.
        size: examples of a context.
        rng: draws the positions.
        first: number of the first context.
    """
    places = rng.integers(size, size=runs)
    return tuple(Run(first + run // 2 % contexts, int(places[run]), run % 2 == 0) for run in range(runs))


def is_present(runs: Sequence[Run]) -> NDArray[np.bool_]:
    """Which runs have the canary [runs]."""
    return np.array([run.present for run in runs], dtype=np.bool_)


def context(task: Task, number: int, size: int, seed: int) -> tuple[Example, ...]:
    """The examples of a context, drawn from the pool without replacement [size].

    Raises:
        InputError: the pool is smaller than a context.
    """
    if len(task.examples) < size:
        raise InputError(f"{task.name}: expected at least {size} examples, got {len(task.examples)}.")
    order = np.random.default_rng([seed, number]).permutation(len(task.examples))[:size]
    return tuple(task.examples[index] for index in order)


def with_canary(examples: Sequence[Example], canary: Canary, position: int | None) -> tuple[Example, ...]:
    """The examples with the canary in the place of one of them, or as they are."""
    return tuple(canary.example if index == position else example for index, example in enumerate(examples))
