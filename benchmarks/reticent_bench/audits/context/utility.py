"""What a defence leaves of the task: right labels, or words shared with the wanted text."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reticent_bench.audits.context.mechanisms import Mechanism
from reticent_bench.audits.context.questions import Questions
from reticent_bench.audits.context.settings import Settings
from reticent_bench.audits.context.task import Task
from reticent_bench.audits.context.votes import Array, embedding, one_hot
from reticent_bench.report.metrics import Interval, Weights, bootstrap, share


@dataclass(frozen=True, slots=True)
class Usefulness:
    """Answers to held-out examples, kept so that every defence and epsilon is replayed on them.

    Attributes:
        undefended: share of right labels, or mean ROUGE-1, with the whole context in the prompt.
        floor: what needs no context: the share of the commonest label, or the mean ROUGE-1 of public answers.
        answers: of each subset [items, m, dimensions], as in `Votes`.
        truth: index of the right label [items]; of generation, zeros.
        candidates: of generation, embeddings of public answers [items, candidates, dimensions]; else empty.
        scores: of generation, their ROUGE-1 [items, candidates]; else empty.
    """

    undefended: Interval
    floor: float
    answers: Array
    truth: np.ndarray[tuple[int, ...], np.dtype[np.intp]]
    candidates: Array
    scores: Array

    def __repr__(self) -> str:
        return f"Usefulness(items={len(self.truth)}, undefended={self.undefended}, floor={self.floor})"

    @property
    def resolvable(self) -> bool:
        """Whether the undefended model beats the floor: the lower end of its interval is above it."""
        return self.undefended.low > self.floor


def items(task: Task, settings: Settings) -> int:
    """How many held-out examples are asked."""
    return min(settings.utility_items, len(task.held_out))


def collect(questions: Questions) -> Usefulness:
    """Asks held-out examples with a whole context and with each subset of one; of generation also without examples."""
    task, settings = questions.task, questions.settings
    count = items(task, settings)
    subsets = range(settings.subsets)
    questions.ask_all(
        [
            *(questions.useful_whole_task(item) for item in range(count)),
            *(questions.useful_subset_task(item, part) for item in range(count) for part in subsets),
        ]
    )
    whole = [questions.useful_whole(item) for item in range(count)]
    parts = [[questions.useful_subset(item, part) for part in subsets] for item in range(count)]
    read = one_hot(len(task.labels)) if task.labels else embedding
    answers = np.array([[read(outcome) for outcome in row] for row in parts], dtype=np.float64)
    if task.labels:
        truth = np.array([task.labels.index(example.label) for example in task.held_out[:count]])
        hits = int((np.array([outcome["label"] for outcome in whole]) == truth).sum())
        floor = Counter(truth.tolist()).most_common(1)[0][1] / count
        return Usefulness(share(hits, count), floor, answers, truth, np.empty(0), np.empty(0))
    drawn = range(settings.candidates)
    questions.ask_all([questions.useful_candidate_task(item, n) for item in range(count) for n in drawn])
    public = [[questions.useful_candidate(item, n) for n in drawn] for item in range(count)]
    scores = np.array([[outcome["rouge"] for outcome in row] for row in public], dtype=np.float64)
    return Usefulness(
        undefended=mean([float(outcome["rouge"]) for outcome in whole]),
        floor=float(scores.mean()),
        answers=answers,
        truth=np.zeros(count, dtype=np.intp),
        candidates=np.array([[embedding(outcome) for outcome in row] for row in public], dtype=np.float64),
        scores=scores,
    )


def of_labels(useful: Usefulness, mechanism: Mechanism, epsilon: float, delta: float, seed: Sequence[int]) -> Interval:
    """The share of held-out examples for which the defence releases the right label; no answer counts as wrong."""
    noisy = _noisy(useful.answers, mechanism, epsilon, delta, seed)
    right = mechanism.release(noisy)[np.arange(len(noisy)), useful.truth]
    return share(int(right.sum()), len(right))


def of_texts(useful: Usefulness, mechanism: Mechanism, epsilon: float, delta: float, seed: Sequence[int]) -> Interval:
    """Mean ROUGE-1 of the public answer that is nearest to the noisy mean of each item."""
    noisy = _noisy(useful.answers, mechanism, epsilon, delta, seed)
    norms = np.linalg.norm(useful.candidates, axis=2)
    cosines = (useful.candidates * noisy[:, None, :]).sum(axis=2) / np.where(norms > 0, norms, 1.0)
    return mean([float(row[index]) for row, index in zip(useful.scores, cosines.argmax(axis=1), strict=True)])


def mean(values: Sequence[float]) -> Interval:
    """A mean with its 95 % bootstrap interval; NaN for no values."""
    if not values:
        return Interval(math.nan, math.nan, math.nan)
    array = np.array(values, dtype=np.float64)

    def figure(weight: Weights) -> list[float]:
        return [float((weight * array).sum() / weight.sum())]

    return bootstrap(figure, np.arange(len(array)).astype(str))[0]


def _noisy(answers: Array, mechanism: Mechanism, epsilon: float, delta: float, seed: Sequence[int]) -> Array:
    values = mechanism.aggregate(answers)
    noise = np.random.default_rng(seed).standard_normal(values.shape)
    return values + mechanism.sigma(epsilon, delta) * noise
