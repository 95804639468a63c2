"""What the guard does between two steps of a model where no value is judged: mostly the finder, at a new token.

A real checkpoint is made to say read answers by `generate`, so its own work leaves the processor's caches as it does in
use. The clock is the processor time of the thread.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import torch

from reticent.guard import Guard
from reticent.huggingface.answer_session import AnswerSession
from reticent.huggingface.decoding import GuardStoppingCriteria
from reticent.policy.policy import Policy
from reticent_bench.overhead.own import Prose
from reticent_bench.real_answers.finder_cost import Clock, summary
from reticent_detectors.host.load import load_host
from reticent_detectors.spans import Span

"""Microseconds a token in the mean."""


def measure(
    model: Path,
    said: Sequence[tuple[str, str]],
    tokens: int,
    dtype: str = "float32",
    clock: Clock = time.thread_time_ns,
) -> dict[str, Any]:
    """Figures of the steps in which no value is judged, and how many steps there were.

    Args:
        model: folder of a checkpoint with a chat template.
        said: questions, and the answers that the model is made to give.
        tokens: of an answer, at most.
    """
    host, tokenizer = load_host(model, dtype=dtype)
    guard = Guard.load().wrap(host, tokenizer)
    costs, steps = list[float](), 0
    for number, (question, answer) in enumerate(said):
        ids = tokenizer(answer, add_special_tokens=False)["input_ids"][:tokens]
        prompt = guard.chat_ids([{"role": "user", "content": question}])
        with step_costs(clock) as taken:
            guard.generate(
                prompt, policy=Policy.allow_all(), attention_mask=torch.ones_like(prompt), max_new_tokens=len(ids),
                do_sample=False, logits_processor=[Prose(ids, prompt.shape[1])],
            )  # fmt: skip
        steps += len(taken)
        if number:  # the first answer is to warm up
            costs += [cost for cost, judged in taken if not judged]
    return {
        "model": model.name,
        "answers": len(said),
        "steps": steps,
        "without a verdict": len(costs),
        **summary(costs),
    }


@contextmanager
def step_costs(clock: Clock) -> Iterator[list[tuple[float, bool]]]:
    """Collects the microseconds of each step's work of the guard, and whether a value was judged in it."""
    taken, judged = list[tuple[float, bool]](), 0
    feed, judge = GuardStoppingCriteria._feed_sessions, AnswerSession._judge

    def timed(watch: GuardStoppingCriteria, tokens: Sequence[int]) -> None:
        before, begun = judged, clock()
        feed(watch, tokens)
        taken.append(((clock() - begun) / 1000, judged > before))

    def counted(session: AnswerSession, span: Span) -> Any:
        nonlocal judged
        judged += 1
        return (yield from judge(session, span))

    with patch.object(GuardStoppingCriteria, "_feed_sessions", timed), patch.object(AnswerSession, "_judge", counted):
        yield taken
