"""How a query is optimised, and how much that may ask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from reticent_detectors.errors import InputError

Method = Literal["evolution", "gepa"]


@dataclass(frozen=True, slots=True)
class OptimisationSettings:
    """Settings of the search for a query.

    Attributes:
        method: mutations of a grammar, or DSPy's GEPA with a reflection model.
        calls: questions of the search and answers of the reflection model together, at most.
        search_runs: runs that each query is scored on, half of them with the canary.
        population: queries that the evolution begins with.
        survivors: queries that it takes parents from.
        minibatch: runs that GEPA reflects on at a time.
        proposal_tokens: of an answer of the reflection model, at most.
        reflection_chat: whether the reflection model is asked in a chat; else in running text.
    """

    method: Method = "evolution"
    calls: int = 400
    search_runs: int = 16
    population: int = 8
    survivors: int = 4
    minibatch: int = 4
    proposal_tokens: int = 512
    reflection_chat: bool = True

    def __post_init__(self) -> None:
        if self.search_runs < 2 or self.search_runs % 2:
            raise InputError(f"search runs: expected an even number of at least 2, got {self.search_runs}.")
        if min(self.population, self.survivors, self.minibatch, self.proposal_tokens) < 1:
            raise InputError("population, survivors, minibatch and proposal tokens: expected positive numbers.")
        if self.calls < 2 * self.search_runs:
            raise InputError(
                f"The search asks each query on {self.search_runs} runs. "
                f"Expected at least {2 * self.search_runs} calls (--optimise-calls), got {self.calls}."
            )
