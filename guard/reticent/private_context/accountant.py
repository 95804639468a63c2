"""Keeps what questions about the same private examples cost together, and refuses what exceeds the budget."""

from __future__ import annotations

import math
import threading
from typing import final

from reticent.private_context.gaussian import epsilon_of, mu_of
from reticent_detectors.errors import InputError, ReticentError


class BudgetSpent(ReticentError):
    """Says that the next question would cost more privacy than is left. Nothing was asked."""


@final
class Accountant:
    """Adds up Gaussian mechanisms and refuses what would exceed (epsilon, delta).

    Mechanisms with parameters mu_1, mu_2, ... are together one with mu^2 = mu_1^2 + mu_2^2 + ..., also where a question
    depends on earlier answers (Dong, Roth, Su 2022, corollary 2). So the sum of squares is all that is kept.
    Neighbouring data sets differ in one example that is replaced by another.

    Keep one accountant for one set of examples, however many shields use it. It is safe to share between threads.
    It lives in memory: store `spent` where it must outlive the process, and hand it in again.

    Args:
        epsilon: the whole budget, above 0 and at most 500.
        delta: the chance with which the guarantee may fail, from 1e-12 to below 0.5.
        spent: what was spent before, as `spent` gave it.

    Raises:
        InputError: a number is out of its range.
    """

    def __init__(self, epsilon: float, delta: float = 1e-5, *, spent: float = 0.0) -> None:
        if not 0.0 <= spent < math.inf:
            raise InputError(f"spent: expected a number of at least 0, got {spent}; pass what `spent` gave.")
        self.epsilon = epsilon
        self.delta = delta
        self.mu = mu_of(epsilon, delta)
        """The parameter of the whole budget."""
        self._spent = spent
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"Accountant(epsilon={self.epsilon}, delta={self.delta}, spent={self.spent})"

    @property
    def spent(self) -> float:
        """Gives the sum of mu^2 so far."""
        return self._spent

    @property
    def spent_epsilon(self) -> float:
        """Gives the epsilon, at `delta`, of everything so far."""
        return epsilon_of(math.sqrt(self._spent), self.delta)

    def mu_for(self, questions: int) -> float:
        """Gives the mu of one question if so many of them may spend the whole budget.

        Raises:
            InputError: `questions` is below 1.
        """
        if questions < 1:
            raise InputError(f"questions: expected at least 1, got {questions}.")
        # A little less than the exact share, so that rounding never refuses the last question.
        return self.mu / math.sqrt(questions) * (1.0 - 1e-9)

    def charge(self, mu: float) -> None:
        """Spends what one mechanism costs. Call it before anything is asked.

        Raises:
            InputError: mu is not above 0.
            BudgetSpent: the budget does not hold it. Nothing is spent then.
        """
        if not 0.0 < mu < math.inf:
            raise InputError(f"mu: expected a number above 0, got {mu}; it is Delta / sigma.")
        with self._lock:
            if self._spent + mu * mu > self.mu * self.mu:
                raise BudgetSpent(
                    f"expected a question within epsilon {self.epsilon:g} at delta {self.delta:g}, got one beyond it; "
                    "answer without private examples from now on, or set a larger budget deliberately."
                )
            self._spent += mu * mu
