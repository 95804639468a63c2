"""What the subsets of each run answered: collected once, so that every epsilon is replayed without asking again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reticent_bench.audits.context.canary_runs import Run, is_present
from reticent_bench.audits.context.questions import Attack, Questions
from reticent_bench.audits.resumable_attempts import Outcome
from reticent_bench.report.metrics import Flags
from reticent_detectors.errors import InputError

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Votes:
    """The answers of m subsets in each run.

    Attributes:
        present: whether the run's context had the canary [runs].
        answers: one vector a subset [runs, m, dimensions]: one-hot labels (zeros for no label), embeddings, or keyword
            counts.
    """

    present: Flags
    answers: Array

    def __repr__(self) -> str:
        return f"Votes(runs={self.answers.shape[0]}, subsets={self.answers.shape[1]})"


ReadVote = Callable[[Outcome], Sequence[float]]
"""Takes the vector of an answer from its outcome."""


def one_hot(labels: int) -> ReadVote:
    """Reads a label's vector [labels]; it is zero where the answer names no label, which casts no vote."""
    rows = np.vstack([np.eye(labels), np.zeros(labels)])  # the last row is that of label -1
    return lambda outcome: rows[outcome["label"]].tolist()


def embedding(outcome: Outcome) -> Sequence[float]:
    """Reads an answer's embedding."""
    return [float(value) for value in outcome["embedding"]]


def keywords(outcome: Outcome) -> Sequence[float]:
    """Reads an answer's keyword counts."""
    return [float(count) for count in outcome["keywords"]]


def collect(questions: Questions, attack: Attack, runs: Sequence[Run], read: ReadVote) -> Votes:
    """The votes of all subsets in each run. Only the subset of the replaced example depends on the coin."""
    return _collect(questions, attack, runs, read, questions.settings.subsets, 0)


def collect_worst_case(
    questions: Questions, attack: Attack, runs: Sequence[Run], read: ReadVote, subsets: int, holders: int
) -> Votes:
    """Votes in contexts where `holders` further subsets hold the canary, whatever the coin shows.

    The guarantee holds for any context, so an attacker may choose all other examples. With `holders` = (m - 1) / 2 for
    odd m the canary's subset breaks a tie: its votes go from one less than half to one more. With k - 1 holders it
    completes an agreement of k.

    Args:
        questions, attack, runs, read: as for `collect`.
        subsets: how many of the subsets vote.
        holders: how many subsets hold the canary besides the one that the coin decides about.

    Raises:
        InputError: there are fewer subsets than holders and the one that the coin decides about.
    """
    if not 0 <= holders < subsets <= questions.settings.subsets:
        raise InputError(f"holders: expected from 0 to {subsets - 1}, got {holders}.")
    return _collect(questions, attack, runs, read, subsets, holders)


def _collect(
    questions: Questions, attack: Attack, runs: Sequence[Run], read: ReadVote, subsets: int, holders: int
) -> Votes:
    m = questions.settings.subsets
    asked: dict[tuple[int, int | None, int], dict[int, int | None]] = {}
    keys = []
    for run in runs:
        decided = run.position % m % subsets
        position = run.position if run.position % m == decided else decided
        key = (run.context, position if run.present else None, decided if holders else 0)
        keys.append(key)
        if key not in asked:
            asked[key] = dict.fromkeys(range(subsets), None) | _held(subsets, decided, holders)
            if run.present:
                asked[key][decided] = position
    of_subsets = {key: [(key[0], *place) for place in places.items()] for key, places in asked.items()}
    questions.ask_all([questions.subset_task(attack, *each) for places in of_subsets.values() for each in places])
    known = {key: [read(questions.subset(attack, *each)) for each in places] for key, places in of_subsets.items()}
    return Votes(is_present(runs), np.array([known[key] for key in keys], dtype=np.float64))


def _held(subsets: int, decided: int, holders: int) -> dict[int, int | None]:
    """The subsets that always hold the canary, each in the place of its first example."""
    return {subset: subset for subset in [other for other in range(subsets) if other != decided][:holders]}
