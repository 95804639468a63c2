"""Plain evolution of queries: a population, mutations of a grammar, and selection by detection score."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from reticent_bench.audits.context.optimisation.grammar import Genome, beginning, crossed, mutated, query_of
from reticent_bench.audits.context.optimisation.search_runs import CallsSpent, DetectionScore, Search
from reticent_bench.audits.context.optimisation.settings import OptimisationSettings
from reticent_bench.audits.context.prompts import Query

_EVOLUTION = 9
_ATTEMPTS = 200
"""Children that are drawn for one that is new. After so many the grammar counts as exhausted."""


def evolve(search: Search, settings: OptimisationSettings, seed: int) -> list[Query]:
    """Searches until the calls are spent, a query tells all runs apart, or nothing new is found.

    The population begins with every wording of the grammar about equally often. Then each child has one or two parents
    among the best so far, and one mutation. A child takes its place among the best only by a better score.

    Returns:
        The queries that were scored, in the order of the search.
    """
    rng = np.random.default_rng([seed, _EVOLUTION])
    scored: dict[Genome, DetectionScore] = {}
    try:
        for genome in _genomes(scored, settings, rng):
            scored[genome] = search.score(query_of(genome))
            if search.is_perfect:
                break
    except CallsSpent:
        pass
    return [query_of(genome) for genome in scored]


def _genomes(
    scored: dict[Genome, DetectionScore], settings: OptimisationSettings, rng: np.random.Generator
) -> Iterator[Genome]:
    yield from dict.fromkeys(beginning(settings.population, rng))
    while (child := _child(scored, settings.survivors, rng)) is not None:
        yield child


def _child(scored: dict[Genome, DetectionScore], survivors: int, rng: np.random.Generator) -> Genome | None:
    parents = sorted(scored, key=scored.__getitem__, reverse=True)[:survivors]
    for _ in range(_ATTEMPTS):
        first, second = (parents[int(index)] for index in rng.integers(len(parents), size=2))
        child = mutated(crossed(first, second, rng), rng)
        if child not in scored:
            return child
    return None
