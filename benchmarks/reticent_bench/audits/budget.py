"""How much an audit may ask of its target. A spent budget ends the audit as incomplete; it never passes."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from reticent_bench.audits.target import (
    GREEDY,
    Prompt,
    Sampling,
    Target,
    TokenScores,
    encoder_of,
    scores_chats,
    why_unscored,
)
from reticent_detectors.errors import InputError, ReticentError


class BudgetSpent(ReticentError):
    """The next call would exceed the budget. What was measured is kept, and a larger budget continues it."""


@dataclass
class Budget:
    """Limits of calls, tokens and time, and what is used of them.

    Args:
        max_calls: prompts that may be answered or scored.
        max_tokens: tokens that may be generated or scored. A call counts with what it may generate at most.
        max_minutes: minutes of wall time, counted from the first call.
        clock: gives seconds.

    Raises:
        InputError: a limit is no number above 0.
    """

    max_calls: int | None = None
    max_tokens: int | None = None
    max_minutes: float | None = None
    clock: Callable[[], float] = time.monotonic
    calls: int = 0
    tokens: int = 0
    seconds: float = 0.0
    _began: float | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        for name in ("max_calls", "max_tokens", "max_minutes"):
            limit = getattr(self, name)
            if limit is not None and not 0 < limit < math.inf:
                raise InputError(
                    f"Expected --{name.replace('_', '-')} above 0, got {limit}; without a limit leave it out."
                )

    def spend(self, calls: int, tokens: int) -> None:
        """Counts a call before it is made.

        Raises:
            BudgetSpent: one of the limits would be exceeded. Nothing is counted then.
        """
        self._began = self.clock() if self._began is None else self._began
        if self.max_minutes is not None and self.used_seconds() > 60 * self.max_minutes:
            raise BudgetSpent(f"The budget of {self.max_minutes:g} minutes is spent; raise --max-minutes to continue.")
        for used, more, limit, unit in (
            (self.calls, calls, self.max_calls, "calls"),
            (self.tokens, tokens, self.max_tokens, "tokens"),
        ):
            if limit is not None and used + more > limit:
                raise BudgetSpent(f"The budget of {limit} {unit} is spent; raise --max-{unit} to continue.")
        self.calls += calls
        self.tokens += tokens

    def fitting(self, costs: Sequence[tuple[int, int]]) -> int:
        """How many of the first calls may be made, given the calls and tokens of each."""
        calls, tokens = self.calls, self.tokens
        for number, (more_calls, more_tokens) in enumerate(costs):
            calls, tokens = calls + more_calls, tokens + more_tokens
            if calls > (self.max_calls or math.inf) or tokens > (self.max_tokens or math.inf):
                return number
        return len(costs)

    def used_seconds(self) -> float:
        """Seconds since the first call, and those of the runs before this one."""
        return self.seconds + (0.0 if self._began is None else self.clock() - self._began)


class MeteredTarget:
    """A target whose calls are counted against a budget before they are made.

    Args:
        target: what is asked.
        budget: what it may cost.
        count_tokens: tokens of a text; used for texts that are scored.
    """

    def __init__(self, target: Target, budget: Budget, count_tokens: Callable[[str], int]) -> None:
        self._target, self._budget, self._count_tokens = target, budget, count_tokens
        self.name, self.scores_text = target.name, target.scores_text
        self.scores_chats, self.why_unscored = scores_chats(target), why_unscored(target)

    def generate(self, prompts: Sequence[Prompt], max_new_tokens: int, sampling: Sampling = GREEDY) -> list[str]:
        """The target's answers. Raises BudgetSpent before anything is asked."""
        self._budget.spend(len(prompts), len(prompts) * max_new_tokens)
        return self._target.generate(prompts, max_new_tokens, sampling)

    def scores(self, pairs: Sequence[tuple[Prompt, str]]) -> list[TokenScores]:
        """The target's scores. Raises BudgetSpent before anything is asked."""
        self._budget.spend(len(pairs), sum(self._count_tokens(text) for _, text in pairs))
        return self._target.scores(pairs)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The target's vectors. Raises BudgetSpent before anything is asked."""
        self._budget.spend(len(texts), sum(self._count_tokens(text) for text in texts))
        return encoder_of(self._target).encode(texts)
