"""Optimises the query on the search runs, and measures the best fixed query and the optimised one on other runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from reticent_bench.audits.context import prompts
from reticent_bench.audits.context.attacks import AttackResult, attack_answers
from reticent_bench.audits.context.canaries import Canary, CanaryKind
from reticent_bench.audits.context.ensembles import EnsembleResult, attack_ensembles
from reticent_bench.audits.context.optimisation.evolution import evolve
from reticent_bench.audits.context.optimisation.gepa import Reflect, reflect
from reticent_bench.audits.context.optimisation.search_runs import DetectionScore, Search
from reticent_bench.audits.context.optimisation.settings import Method, OptimisationSettings
from reticent_bench.audits.context.prompts import QUERIES, Query
from reticent_bench.audits.context.questions import Attack, Questions
from reticent_bench.audits.context.utility import Usefulness
from reticent_bench.audits.target import Sampling, Target

_TEMPERATURE = 1.0
"""Of the reflection model (ContextLeak, appendix A.7)."""


@dataclass(frozen=True, slots=True)
class ChosenQuery:
    """A query that the search chose, with what is measured of it.

    Attributes:
        query: the wording.
        search_score: on the search runs, where it was chosen; it is too good on average.
        attacks: on the measurement runs, in each column.
    """

    query: Query
    search_score: DetectionScore
    attacks: tuple[AttackResult, ...]


@dataclass(frozen=True, slots=True)
class Optimisation:
    """What the search for a query found.

    Attributes:
        method: how it searched.
        column: the target's column that it asked.
        canary: what the queries ask for.
        tried: different queries that were asked in at least one search run, fixed ones included.
        fixed: how many of them are fixed.
        calls: questions and proposals.
        search_runs, threshold_runs: of each query. The accuracies have the numbers of measurement runs.
        best_fixed: the fixed query with the best score on the search runs.
        optimised: the best of the others; None if a fixed one cannot be bettered, or no other was asked in all runs.
        ensembles: defences with a stated epsilon, asked the optimised query.
    """

    method: Method
    column: str
    canary: CanaryKind
    tried: int
    fixed: int
    calls: int
    search_runs: int
    threshold_runs: int
    best_fixed: ChosenQuery
    optimised: ChosenQuery | None
    ensembles: tuple[EnsembleResult, ...] = field(default=(), repr=False)


def optimise(
    columns: Mapping[str, Questions],
    canary: Canary,
    settings: OptimisationSettings,
    useful: Mapping[str, Usefulness | None],
    reflection: Target | None = None,
) -> Optimisation:
    """Searches in the first column, and measures in all of them.

    Args:
        columns: questions to each column; at least one.
        canary: what the queries ask for.
        settings: method and calls.
        useful: of the columns whose defences with a stated epsilon are attacked.
        reflection: the model that proposes queries for GEPA; by default the first column's target.

    Raises:
        MissingExtra: GEPA is asked for, and DSPy is not installed.
    """
    name, first = next(iter(columns.items()))
    search = Search(first, canary, settings.search_runs, settings.calls)
    fixed = [QUERIES[kind] for kind in first.settings.queries][: settings.calls // settings.search_runs]
    best_fixed = max(fixed, key=search.score)
    found: list[Query] = []
    if not search.is_perfect:
        seed = first.settings.seed
        if settings.method == "evolution":
            found = evolve(search, settings, seed)
        else:
            model = reflection or first.column.target
            found = reflect(search, best_fixed, _asking(model, settings), settings, seed)
    optimised = max(found, key=search.score, default=None)
    ensembles: list[EnsembleResult] = []
    if optimised is not None:
        for column, usefulness in useful.items():
            ensembles += attack_ensembles(columns[column], Attack(canary, optimised), usefulness)
    return Optimisation(
        method=settings.method,
        column=name,
        canary=canary.kind,
        tried=search.tried,
        fixed=len(fixed),
        calls=settings.calls - search.calls_left,
        search_runs=len(search.runs),
        threshold_runs=first.settings.calibration_runs,
        best_fixed=_measured(columns, search, best_fixed),
        optimised=None if optimised is None else _measured(columns, search, optimised),
        ensembles=tuple(ensembles),
    )


def _measured(columns: Mapping[str, Questions], search: Search, query: Query) -> ChosenQuery:
    attack = Attack(search.canary, query)
    attacks = [result for questions in columns.values() for result in attack_answers(questions, attack)]
    return ChosenQuery(query, search.score(query), tuple(attacks))


def _asking(model: Target, settings: OptimisationSettings) -> Reflect:
    def ask(text: str, seed: int) -> str:
        prompt = prompts.prompt("", text, settings.reflection_chat)
        return model.generate([prompt], settings.proposal_tokens, Sampling(_TEMPERATURE, seed=seed))[0]

    return ask
