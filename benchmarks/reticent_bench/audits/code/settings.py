"""Settings of the audit, its arms, and the tokens that an arm may spend."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from reticent_bench.audits.code.language import Language, language_info
from reticent_bench.audits.code.scenarios import Scenario, scenarios
from reticent_detectors.errors import InputError

CountTokens = Callable[[str], int]
"""Number of tokens of a generated text."""


@dataclass(frozen=True, slots=True)
class Arm:
    """One way to ask.

    Attributes:
        name: its name in tables.
        library: whether hints of the feature library go into the prompt.
        second_turn: whether unit tests are asked for.
        verify: whether only values that the corpus verifies count as leaks.
        prefix: whether the model completes a prefix instead of answering a question.
    """

    name: str
    library: bool = False
    second_turn: bool = False
    verify: bool = True
    prefix: bool = False


PIPELINE = Arm("pipeline", library=True, second_turn=True)
ARMS: dict[str, Arm] = {
    arm.name: arm
    for arm in (
        PIPELINE,
        Arm("no-library", second_turn=True),
        Arm("no-second-turn", library=True),
        Arm("no-verification", library=True, second_turn=True, verify=False),
        Arm("plain-function"),
        Arm("prefix", prefix=True),
    )
}
"""The pipeline, its ablations, and the two baselines."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What is asked, how often, and how many tokens it may cost.

    Attributes:
        language: language of the code.
        scenarios: what is asked for; all 30 pairs by default.
        tests_each: attempts for each scenario. The paper has 200: 20 questions of 10 tests.
        function_tokens: most new tokens of a function, and of each answer of the baselines.
        test_tokens: most new tokens of its unit tests.
        max_tokens: most tokens of the pipeline; None sets no bound. Every other arm spends as many as the pipeline did.
        seed: seed of the hints and of the sampling.
        temperature: of the sampling. At 0 all attempts of a scenario without hints are alike.
        top_k: of the sampling; 0 samples from all tokens.
        hints: most templates and most fragments in a prompt.
        is_chat: whether the model answers chats; otherwise questions are comments in running text.
        arms: names of the arms that run; the pipeline must be one of them.
    """

    language: Language = "python"
    scenarios: tuple[Scenario, ...] = ()
    tests_each: int = 1
    function_tokens: int = 150
    test_tokens: int = 300
    max_tokens: int | None = None
    seed: int = 0
    temperature: float = 0.8
    top_k: int = 40
    hints: int = 3
    is_chat: bool = True
    arms: tuple[str, ...] = tuple(ARMS)

    def __post_init__(self) -> None:
        language_info(self.language)
        for name in ("tests_each", "function_tokens", "test_tokens"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} must be at least 1, got {getattr(self, name)}")
        if self.max_tokens is not None and self.max_tokens < 1:
            raise InputError(f"max_tokens must be at least 1, got {self.max_tokens}; None sets no bound")
        if self.hints < 0 or self.temperature < 0 or self.top_k < 0:
            raise InputError("hints, temperature and top_k must be at least 0")
        unknown = [name for name in self.arms if name not in ARMS]
        if unknown or PIPELINE.name not in self.arms or len(set(self.arms)) < len(self.arms):
            raise InputError(f"arms must be names of {', '.join(ARMS)}, each once and the pipeline among them")

    @property
    def asked_scenarios(self) -> tuple[Scenario, ...]:
        """The scenarios that are asked."""
        return self.scenarios or scenarios()

    @property
    def planned_tokens(self) -> int:
        """Most tokens that the pipeline would spend without a bound."""
        return len(self.asked_scenarios) * self.tests_each * (self.function_tokens + self.test_tokens)

    def fingerprint(self) -> str:
        """Returns 8 hexadecimal digits of everything that changes an answer, for the keys of attempts."""
        parts = (self.language, self.function_tokens, self.test_tokens, self.max_tokens, self.seed, self.temperature)
        rest = (self.top_k, self.hints, self.is_chat, tuple((s.id, s.question) for s in self.asked_scenarios))
        return hashlib.blake2b(repr((parts, rest)).encode(), digest_size=4).hexdigest()


def most_tokens(settings: Settings, arm: Arm) -> int:
    """Returns the most tokens that an attempt of an arm may cost."""
    return settings.function_tokens + (settings.test_tokens if arm.second_turn else 0)


class TokenBudget:
    """Tokens that an arm may still spend.

    Args:
        total: most tokens; None sets no bound.
        count: counts the tokens of an answer. Without it, what an answer was granted is spent whole.
    """

    def __init__(self, total: int | None, count: CountTokens | None = None) -> None:
        self._total, self._count, self.spent = total, count, 0

    @property
    def left(self) -> int | None:
        """Tokens that are left; None if there is no bound."""
        return None if self._total is None else self._total - self.spent

    @property
    def is_spent(self) -> bool:
        """Whether nothing is left."""
        return self.left is not None and self.left <= 0

    def grant(self, wanted: int, spent_here: int = 0) -> int:
        """Returns how many of `wanted` tokens an answer may have, after `spent_here` of the same attempt."""
        return wanted if self.left is None else max(0, min(wanted, self.left - spent_here))

    def whole_attempts(self, most_tokens: int, wanted: int) -> int:
        """Returns how many of `wanted` attempts of at most so many tokens each would be granted all that they want."""
        return wanted if self.left is None else min(wanted, self.left // most_tokens)

    def cost(self, answer: str, granted: int) -> int:
        """Returns what an answer costs: its tokens, at least 1 and at most what it was granted."""
        return granted if self._count is None else min(granted, max(1, self._count(answer)))

    def charge(self, tokens: int) -> None:
        """Books the tokens of an attempt.

        Raises:
            InputError: an attempt spent more than was left, so the log belongs to other settings.
        """
        if self.left is not None and tokens > self.left:
            raise InputError(
                f"an attempt spent {tokens} tokens of {self.left} that were left; use a log of these settings"
            )
        self.spent += tokens
