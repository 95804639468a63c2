"""Defences with a stated epsilon: what they add up, how far one example moves it, and what they release.

All three are the Gaussian mechanism (ContextLeak, algorithm 2, after Wu et al. 2024), accounted for the adjacency that
the coin flip audits: one example replaced. Subsets are disjoint, so one example changes one subset's answer alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from reticent.private_context import accuracy_ceiling, mu_of, released, sensitivity
from reticent_bench.audits.context.votes import Array
from reticent_detectors.errors import InputError

KEYWORD_SPACE = "Keyword-Space aggregation"


@dataclass(frozen=True, slots=True)
class Mechanism:
    """A defence.

    Attributes:
        name: for tables.
        aggregate: answers [runs, m, dimensions] to what noise is added to [runs, dimensions].
        sensitivity: its L2 sensitivity under replacement.
        release: noisy values [runs, dimensions] to what a user sees [runs, items], 1 for each released item.
    """

    name: str
    aggregate: Callable[[Array], Array]
    sensitivity: float
    release: Callable[[Array], Array]

    def sigma(self, epsilon: float, delta: float) -> float:
        """Standard deviation of the noise; 0 for an infinite epsilon."""
        return 0.0 if math.isinf(epsilon) else self.sensitivity / mu_of(epsilon, delta)


def ceiling(epsilon: float, delta: float) -> float:
    """The best accuracy of any attack on a Gaussian mechanism: Phi(1 / 2z), z = sigma / Delta; 1 without noise."""
    return 1.0 if math.isinf(epsilon) else accuracy_ceiling(mu_of(epsilon, delta))


def report_noisy_max(labels: int) -> Mechanism:
    """Report-Noisy-Max: the label with the largest noisy count; sensitivity sqrt(2)."""

    def release(noisy: Array) -> Array:
        return _one_hot(noisy.argmax(axis=1), labels)

    return Mechanism("Report-Noisy-Max", _count, sensitivity(labels), release)


def context_shield(labels: int, agreement: int) -> Mechanism:
    """The noisy threshold of `reticent.private_context`: a label, or the last item for no answer."""

    def release(noisy: Array) -> Array:
        chosen = [released(row, agreement - 0.5) for row in noisy.tolist()]
        return _one_hot(np.array([labels if index is None else index for index in chosen]), labels + 1)

    return Mechanism("context shield", _count, sensitivity(labels), release)


def plain_agreement(labels: int, agreement: int) -> Mechanism:
    """The same threshold for exact counts. It has no guarantee, so it is replayed without noise."""
    return Mechanism("k-of-m agreement", _count, math.inf, context_shield(labels, agreement).release)


def embedding_space(bound: float, subsets: int, candidates: Array) -> Mechanism:
    """Embedding-Space aggregation: the mean of embeddings, each clipped to L2 norm B; sensitivity 2B / m.

    Releases the public candidate whose embedding has the largest cosine with the noisy mean.

    Args:
        bound: B.
        subsets: m.
        candidates: embeddings of public answers [candidates, dimensions].

    Raises:
        InputError: B is not above 0, or there are no candidates.
    """
    if bound <= 0 or not len(candidates):
        raise InputError(f"expected a bound above 0 and public candidates, got {bound} and {len(candidates)}.")
    norms = np.linalg.norm(candidates, axis=1, keepdims=True)
    directions = candidates / np.where(norms > 0, norms, 1.0)

    def aggregate(answers: Array) -> Array:
        lengths = np.linalg.norm(answers, axis=2, keepdims=True)
        shrink = np.minimum(1.0, bound / np.where(lengths > 0, lengths, 1.0))
        mean: Array = (answers * shrink).mean(axis=1)
        return mean

    def release(noisy: Array) -> Array:
        return _one_hot((noisy @ directions.T).argmax(axis=1), len(directions))

    return Mechanism("Embedding-Space aggregation", aggregate, 2 * bound / subsets, release)


def keyword_space(bound: float, subsets: int, keywords: int, most: int) -> Mechanism:
    """Keyword-Space aggregation: the mean of counts, each clipped to [0, C]; sensitivity C sqrt(d) / m.

    Releases the keywords with the largest noisy means.

    Args:
        bound: C.
        subsets: m.
        keywords: d, the number of public keywords.
        most: how many keywords are released, at most d.

    Raises:
        InputError: C is not above 0, or there are no keywords.
    """
    if bound <= 0 or keywords < 1 or most < 1:
        raise InputError(f"expected a bound above 0 and keywords, got {bound} and {min(keywords, most)}.")

    def aggregate(answers: Array) -> Array:
        mean: Array = answers.clip(0.0, bound).mean(axis=1)
        return mean

    def release(noisy: Array) -> Array:
        order = np.argsort(-noisy, axis=1, kind="stable")[:, : min(most, keywords)]
        chosen = np.zeros_like(noisy)
        np.put_along_axis(chosen, order, 1.0, axis=1)
        return chosen

    return Mechanism(KEYWORD_SPACE, aggregate, bound * math.sqrt(keywords) / subsets, release)


def _count(answers: Array) -> Array:
    total: Array = answers.sum(axis=1)
    return total


def _one_hot(index: np.ndarray[tuple[int, ...], np.dtype[np.intp]], size: int) -> Array:
    return np.eye(size)[index]
