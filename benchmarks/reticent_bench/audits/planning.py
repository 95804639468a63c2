"""What an audit will ask, found out by running it against a target that answers nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reticent_bench.audits.blocks import BLOCK, KeyedAsk, cut
from reticent_bench.audits.rounds import side_by_side
from reticent_bench.audits.target import GREEDY, Prompt, Sampling, Target, TokenScores, scores_chats, why_unscored


@dataclass
class AnswerShape:
    """Answers of one length that a plan asks of one target, and the first batch of their prompts."""

    target: Target
    new_tokens: int
    prompts: tuple[Prompt, ...]
    answers: int = 0
    batches: int = 0

    def __repr__(self) -> str:
        return f"AnswerShape({self.answers} answers of {self.new_tokens} tokens in {self.batches} batches)"


@dataclass
class Plan:
    """Counts of an audit's questions. `new_tokens` is the most that may be generated.

    An audit takes it in the place of an attempt log's `attempt`.
    """

    planned: int = 0
    answers: int = 0
    new_tokens: int = 0
    texts: int = 0
    text_tokens: int = 0
    shapes: dict[tuple[int, int, bool], AnswerShape] = field(default_factory=dict, repr=False)
    """By target, new tokens, and whether the prompts are chats."""
    _given: dict[str, dict[str, Any]] = field(default_factory=dict, repr=False)

    def __call__(self, key: str, ask: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """`attempt`."""
        return self.attempt(key, ask)

    def attempts(self, tasks: Sequence[KeyedAsk]) -> list[dict[str, Any]]:
        """Counts attempts in the blocks in which they will be asked."""
        for block in cut(tasks, self._given):
            self.planned += len(block)
            outcomes = side_by_side([ask for _, ask in block])
            self._given |= {key: outcome for (key, _), outcome in zip(block, outcomes, strict=True)}
        return [self._given[key] for key, _ in tasks]

    def count(self, target: Target, prompts: Sequence[Prompt], new_tokens: int) -> None:
        """Counts answers that are asked of a target at once."""
        self.answers += len(prompts)
        self.new_tokens += len(prompts) * new_tokens
        shape = self.shapes.setdefault(
            (id(target), new_tokens, not isinstance(prompts[0], str)),
            AnswerShape(target, new_tokens, tuple(prompts[:BLOCK])),
        )
        shape.answers += len(prompts)
        shape.batches += -(-len(prompts) // BLOCK)

    def attempt(self, key: str, ask: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Counts an attempt, and makes it against the planning targets."""
        self.planned += 1
        return ask()

    def sentence(self) -> str:
        """The counts in words."""
        return (
            f"{self.planned:,} attempts: {self.answers:,} answers of at most {self.new_tokens:,} new tokens together, and "
            f"{self.texts:,} texts of about {self.text_tokens:,} tokens to score"
        )


class PlanningTarget:
    """Counts what it is asked in a plan. It answers with nothing, and finds all texts equally likely."""

    def __init__(self, target: Target, plan: Plan, count_tokens: Callable[[str], int]) -> None:
        self.name, self.scores_text = target.name, target.scores_text
        self.scores_chats, self.why_unscored = scores_chats(target), why_unscored(target)
        self._target, self._plan, self._count_tokens = target, plan, count_tokens

    def generate(self, prompts: Sequence[Prompt], max_new_tokens: int, sampling: Sampling = GREEDY) -> list[str]:
        """Empty answers."""
        if prompts:
            self._plan.count(self._target, prompts, max_new_tokens)
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
