"""What an audit will ask, found out by running it against a target that answers nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reticent_bench.audits.blocks import BLOCK, KeyedAsk, cut
from reticent_bench.audits.rounds import GatheredTarget, side_by_side
from reticent_bench.audits.target import GREEDY, Prompt, Sampling, Target, TokenScores, scores_chats, why_unscored


@dataclass
class ScoreShape:
    """Texts that a plan has one target score behind prompts of one length, and the first of them."""

    target: Target
    pairs: tuple[tuple[Prompt, str], ...]
    texts: int = 0

    def __repr__(self) -> str:
        return f"ScoreShape({self.texts} texts)"


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


_CHARS_A_TOKEN = 4
_SHORT_CHARS = 255
"""Prompts of at most so many characters count as equally long."""
_ATTEMPT: ContextVar[str | None] = ContextVar("attempt", default=None)
"""The attempt that is planned in this context."""


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
    shapes: dict[tuple[int, int, bool, int], AnswerShape] = field(default_factory=dict, repr=False)
    """By target, new tokens, whether the prompts are chats, and how long these are, to a factor of four."""
    scored: dict[tuple[int, bool, int], ScoreShape] = field(default_factory=dict, repr=False)
    """By target, whether the prompts are chats, and how long prompts and texts are, to a factor of four."""
    costs: dict[str, tuple[int, int]] = field(default_factory=dict, repr=False)
    """Calls and tokens of each attempt that is asked in a block."""
    longest: dict[int, tuple[int, int]] = field(default_factory=dict, repr=False)
    """Of each local target the characters and tokens of the longest prompt with its answer."""
    too_long: str = ""
    """What to say where that is more than the model was made for."""
    _given: dict[str, dict[str, Any]] = field(default_factory=dict, repr=False)

    def __call__(self, key: str, ask: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """`attempt`."""
        return self.attempt(key, ask)

    def attempts(self, tasks: Sequence[KeyedAsk]) -> list[dict[str, Any]]:
        """Counts attempts in the blocks in which they will be asked."""
        for block in cut(tasks, self._given):
            self.planned += len(block)
            outcomes = side_by_side([partial(_named, key, ask) for key, ask in block])
            self._given |= {key: outcome for (key, _), outcome in zip(block, outcomes, strict=True)}
        return [self._given[key] for key, _ in tasks]

    def count(self, target: Target, prompts: Sequence[Prompt], new_tokens: int) -> None:
        """Counts answers that are asked of a target at once."""
        self._watch(target, max(prompts, key=chars), new_tokens)
        self.answers += len(prompts)
        self.new_tokens += len(prompts) * new_tokens
        shape = self.shapes.setdefault(
            (id(target), new_tokens, not isinstance(prompts[0], str), _length([(prompt,) for prompt in prompts])),
            AnswerShape(target, new_tokens, tuple(prompts[:BLOCK])),
        )
        shape.answers += len(prompts)
        shape.batches += -(-len(prompts) // BLOCK)

    def count_scores(self, target: Target, pairs: Sequence[tuple[Prompt, str]], tokens: int) -> None:
        """Counts texts of so many tokens together that a target is to score at once."""
        self.texts += len(pairs)
        self.text_tokens += tokens
        key = (id(target), not isinstance(pairs[0][0], str), _length([(*each,) for each in pairs]))
        self.scored.setdefault(key, ScoreShape(target, tuple(pairs[:BLOCK]))).texts += len(pairs)

    def _watch(self, target: Target, prompt: Prompt, new_tokens: int) -> None:
        """Notes the longest prompt of a target in this process. Only a longer text than before is tokenised."""
        limit: int | None = getattr(target, "most_tokens", None)
        size = chars(prompt) + _CHARS_A_TOKEN * new_tokens
        before, most = self.longest.get(id(target), (0, 0))
        if limit is None or size <= before:
            return
        tokens = max(most, target.prompt_tokens(prompt) + new_tokens)  # type: ignore[attr-defined]
        self.longest[id(target)] = size, tokens
        if tokens > limit:
            self.too_long = (
                f"The longest prompt with its answer has {tokens:,} tokens, and {target.name} was made for {limit:,}. "
                "What it answers beyond them tells little. Ask shorter prompts: fewer examples (--context-size)."
            )

    def charge(self, calls: int, tokens: int) -> None:
        """Counts a call as the cost of the attempt that makes it."""
        if (key := _ATTEMPT.get()) is not None:
            before = self.costs.get(key, (0, 0))
            self.costs[key] = (before[0] + calls, before[1] + tokens)

    def attempt(self, key: str, ask: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Counts an attempt, and makes it against the planning targets."""
        self.planned += 1
        return ask()

    def sentence(self) -> str:
        """The counts in words."""
        return (
            f"{self.planned:,} attempts: {self.answers:,} answers of at most {self.new_tokens:,} new tokens "
            f"together, and {self.texts:,} texts of about {self.text_tokens:,} tokens to score"
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
        counts = [max(1, self._count_tokens(text)) for _, text in pairs]
        if pairs:
            self._plan.count_scores(self._target, pairs, sum(counts))
        return [_equal(count) for count in counts]

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of no width: there is nothing to learn from them."""
        self._plan.texts += len(texts)
        self._plan.text_tokens += sum(self._count_tokens(text) for text in texts)
        return np.zeros((len(texts), 0), np.float32)


class CostedTarget:
    """A planning target whose calls are gathered in batches, and count as the cost of the attempt that makes them."""

    def __init__(self, target: Target, plan: Plan, count_tokens: Callable[[str], int]) -> None:
        planning = PlanningTarget(target, plan, count_tokens)
        self._gathered, self._plan, self._count_tokens = GatheredTarget(planning), plan, count_tokens
        self.name, self.scores_text = planning.name, planning.scores_text
        self.scores_chats, self.why_unscored = planning.scores_chats, planning.why_unscored

    def generate(self, prompts: Sequence[Prompt], max_new_tokens: int, sampling: Sampling = GREEDY) -> list[str]:
        """Empty answers."""
        self._plan.charge(len(prompts), len(prompts) * max_new_tokens)
        return self._gathered.generate(prompts, max_new_tokens, sampling)

    def scores(self, pairs: Sequence[tuple[Prompt, str]]) -> list[TokenScores]:
        """Equal scores."""
        self._plan.charge(len(pairs), sum(self._count_tokens(text) for _, text in pairs))
        return self._gathered.scores(pairs)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of no width."""
        return self._gathered.encode(texts)


def chars(prompt: Prompt) -> int:
    """Characters of a prompt, in all its turns."""
    return len(prompt) if isinstance(prompt, str) else sum(len(turn.content) for turn in prompt)


def _length(items: Sequence[tuple[Prompt, ...]]) -> int:
    """About the logarithm of the longest item's characters."""
    return max(_SHORT_CHARS, *(sum(map(chars, parts)) for parts in items)).bit_length() // 2


def _named(key: str, ask: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Makes an attempt whose calls count as its own cost."""
    token = _ATTEMPT.set(key)
    try:
        return ask()
    finally:
        _ATTEMPT.reset(token)


def _equal(count: int) -> TokenScores:
    one = np.full(count, -1.0)
    return TokenScores((0,) * count, one, one, -one)
