"""A model of inspect-ai as the target of an audit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import anyio
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    ModelOutput,
    get_model,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver

from reticent_bench.audits.resumable_attempts import Outcome
from reticent_bench.audits.target import GREEDY, NotMeasurable, Prompt, Sampling, Target, TokenScores
from reticent_bench.inspect_tasks.naming import as_reticent

OUTCOME = "reticent_outcome"
"""Where a sample's store keeps the outcome of its question: numbers, flags and keyed hashes."""
_THREADS = 64
_TURNS: dict[str, type] = {
    "system": ChatMessageSystem,
    "user": ChatMessageUser,
    "assistant": ChatMessageAssistant,
}

AskSample = Callable[[Target, TaskState], Outcome]
"""Asks a target the question of a sample. It blocks, and runs in a thread of its own."""


class InspectTarget:
    """The model that inspect evaluates. Its calls block, so they are made in a thread that anyio started.

    Running text goes as one user's turn, which inspect's providers of completions pass on as it is.
    """

    name = "the model that inspect evaluates"
    scores_text = False

    def __init__(self) -> None:
        self.output: ModelOutput | None = None
        """The last answer."""

    def generate(self, prompts: Sequence[Prompt], max_new_tokens: int, sampling: Sampling = GREEDY) -> list[str]:
        """The model's answers. Inspect counts, limits and logs them."""
        return [
            self._answer(prompt, max_new_tokens, sampling, seed)
            for prompt, seed in zip(prompts, sampling.seeds(len(prompts)), strict=True)
        ]

    def scores(self, pairs: Sequence[tuple[Prompt, str]]) -> list[TokenScores]:
        """Raises NotMeasurable: inspect has no likelihood of a given text."""
        raise NotMeasurable("inspect gives no likelihood of a given text; audit a checkpoint folder instead.")

    def _answer(self, prompt: Prompt, max_new_tokens: int, sampling: Sampling, seed: int) -> str:
        config = GenerateConfig(
            max_tokens=max_new_tokens, temperature=sampling.temperature, top_k=sampling.top_k or None, seed=seed
        )
        self.output = anyio.from_thread.run(_generate, chat_messages(prompt), config)
        return str(self.output.completion)


async def _generate(messages: list[ChatMessage], config: GenerateConfig) -> ModelOutput:
    return await get_model().generate(messages, config=config)


def chat_messages(prompt: Prompt) -> list[ChatMessage]:
    """A prompt as inspect's messages."""
    if isinstance(prompt, str):
        return [ChatMessageUser(content=prompt)]
    return [_TURNS[turn.role](content=turn.content) for turn in prompt]


@solver
@as_reticent
def ask_in_thread(ask: AskSample) -> Solver:
    """Asks the question of each sample, and keeps its outcome in the sample's store."""
    limiter: list[Any] = []

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if not limiter:  # of the running event loop
            limiter.append(anyio.CapacityLimiter(_THREADS))
        target = InspectTarget()
        outcome = await anyio.to_thread.run_sync(ask, target, state, limiter=limiter[0])
        state.store.set(OUTCOME, outcome)
        if target.output is not None:
            state.output = target.output
        return state

    return solve
