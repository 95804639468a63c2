"""What an audit will ask, found out by running it against a target that answers nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reticent_bench.audits.target import GREEDY, Prompt, Sampling, Target, TokenScores, scores_chats, why_unscored


@dataclass
class Plan:
    """Counts of an audit's questions. `new_tokens` is the most that may be generated."""

    attempts: int = 0
    answers: int = 0
    new_tokens: int = 0
    texts: int = 0
    text_tokens: int = 0
    prompt: Prompt = ""
    """The last prompt that was planned, as an example."""

    def attempt(self, key: str, ask: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Counts an attempt, and makes it against the planning targets."""
        self.attempts += 1
        return ask()

    def sentence(self) -> str:
        """The counts in words."""
        return (
            f"{self.attempts:,} attempts: {self.answers:,} answers of at most {self.new_tokens:,} new tokens together, and "
            f"{self.texts:,} texts of about {self.text_tokens:,} tokens to score"
        )


class PlanningTarget:
    """Counts what it is asked in a plan. It answers with nothing, and finds all texts equally likely."""

    def __init__(self, target: Target, plan: Plan, count_tokens: Callable[[str], int]) -> None:
        self.name, self.scores_text = target.name, target.scores_text
        self.scores_chats, self.why_unscored = scores_chats(target), why_unscored(target)
        self._plan, self._count_tokens = plan, count_tokens

    def generate(self, prompts: Sequence[Prompt], max_new_tokens: int, sampling: Sampling = GREEDY) -> list[str]:
        """Empty answers."""
        self._plan.answers += len(prompts)
        self._plan.prompt = prompts[-1]
        self._plan.new_tokens += len(prompts) * max_new_tokens
        return [""] * len(prompts)

    def scores(self, pairs: Sequence[tuple[Prompt, str]]) -> list[TokenScores]:
        """Equal scores."""
        self._plan.texts += len(pairs)
        counts = [max(1, self._count_tokens(text)) for _, text in pairs]
        self._plan.text_tokens += sum(counts)
        return [_equal(count) for count in counts]

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of no width: there is nothing to learn from them."""
        self._plan.texts += len(texts)
        self._plan.text_tokens += sum(self._count_tokens(text) for text in texts)
        return np.zeros((len(texts), 0), np.float32)


def _equal(count: int) -> TokenScores:
    one = np.full(count, -1.0)
    return TokenScores((0,) * count, one, one, -one)
