"""How much of the context audit is run, and with which numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from reticent_bench.audits.context.canaries import CanaryKind
from reticent_bench.audits.context.prompts import QueryKind
from reticent_detectors.errors import InputError

Defence = Literal["none", "L1", "L2", "L3"]
View = Literal["label", "histogram"]
Embed = Callable[[str], NDArray[np.float64]]
"""The embedding [dimensions] of a text."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of the context audit. The defaults are those of ContextLeak, appendix A.6, where it gives any.

    Attributes:
        seed: of contexts, positions, canaries and noise.
        context_size: examples in a context.
        canaries, queries, defences: each combination is one attack on single answers.
        runs: of such an attack, half of them with the canary; an even number.
        calibration_runs: further runs, half of them with the canary, on which thresholds are set.
        subsets: m, the disjoint subsets of a context that an ensemble asks.
        ensemble_canary, ensemble_query: the attack on ensembles.
        ensemble_runs: its runs, for each epsilon and view; an even number, half of them with the canary.
        ensemble_contexts: different contexts among them. Questions about the same subset are asked once.
        epsilons: stated epsilon of Report-Noisy-Max and of both aggregations; infinity means no noise.
        shield_epsilons: stated epsilon of the context shield, for one answer.
        delta: of all of them.
        agreement: k of the shield; by default more than half of m.
        views: what the attacker sees of a noisy release: the released item, or the noisy counts or means.
        worst_case: whether the other subsets of a context are also arranged so that one vote decides.
        draws: noise drawn for thresholds; it costs no questions.
        utility_items: held-out examples that are asked for utility; 0 leaves utility out.
        votes: whether a subset's vote is read from its answer, or is its likeliest label, in one scoring call.
        chat: whether prompts are chats; else running text.
        max_new_tokens: of an answer to classification, and to generation.
        dump_tokens: of an answer to the injection.
        dumps: contexts that the injection asks for.
        vocabulary: frequency of each token of the target's tokenizer, for unigrams; see `canaries.unigrams`.
        embed: embeds answers for Embedding-Space aggregation; by default hashed character n-grams.
        embedding_bound: B, to which an embedding's L2 norm is clipped.
        candidates: public answers among which a noisy embedding is decoded.
        keywords: public keywords; by default the canary's words and the word for its absence.
        keyword_bound: C, to which the count of each keyword in an answer is clipped.
        keywords_released: how many keywords Keyword-Space aggregation releases.
    """

    seed: int = 0
    context_size: int = 20
    canaries: tuple[CanaryKind, ...] = ("hexadecimal", "unigrams", "false-fact")
    queries: tuple[QueryKind, ...] = ("input-output", "if-then-explicit", "if-then-not-explicit")
    defences: tuple[Defence, ...] = ("none", "L1", "L2", "L3")
    runs: int = 100
    calibration_runs: int = 50
    subsets: int = 10
    ensemble_canary: CanaryKind = "false-fact"
    ensemble_query: QueryKind = "if-then-explicit"
    ensemble_runs: int = 400
    ensemble_contexts: int = 20
    epsilons: tuple[float, ...] = (1.0, 2.0, 4.0, 8.0)
    shield_epsilons: tuple[float, ...] = (0.5, 1.0, 4.0, 8.0)
    delta: float = 1e-5
    agreement: int | None = None
    views: tuple[View, ...] = ("label", "histogram")
    worst_case: bool = False
    draws: int = 20_000
    utility_items: int = 50
    votes: Literal["answer", "likelihood"] = "answer"
    chat: bool = True
    max_new_tokens: tuple[int, int] = (8, 64)
    dump_tokens: int = 512
    dumps: int = 10
    vocabulary: Mapping[str, float] | None = field(default=None, repr=False)
    embed: Embed | None = field(default=None, repr=False)
    embedding_bound: float = 1.0
    candidates: int = 20
    keywords: tuple[str, ...] = field(default=(), repr=False)
    keyword_bound: float = 1.0
    keywords_released: int = 3

    def __post_init__(self) -> None:
        if not 2 <= self.subsets <= self.context_size:
            raise InputError(f"subsets: expected from 2 to the {self.context_size} examples, got {self.subsets}.")
        least = min(self.runs, self.ensemble_runs, self.ensemble_contexts, self.draws, self.candidates)
        if least < 1 or self.calibration_runs < 2 or self.utility_items < 0 or self.dumps < 1:
            raise InputError("runs, contexts, draws, candidates and dumps: expected positive numbers, got another.")
        if self.runs % 2 or self.ensemble_runs % 2:
            raise InputError("runs and ensemble runs: expected even numbers, as half of the runs have the canary.")
        if self.agreement is not None and not 1 <= self.agreement <= self.subsets:
            raise InputError(f"agreement: expected from 1 to the {self.subsets} subsets, got {self.agreement}.")

    @property
    def wanted_votes(self) -> int:
        """k of the context shield."""
        return self.subsets // 2 + 1 if self.agreement is None else self.agreement
