"""About how long an audit takes, by a few short batches of what it will ask."""

from __future__ import annotations

import time
from collections.abc import Sequence

from reticent_bench.audits.planning import AnswerShape, Plan, ScoreShape, chars
from reticent_bench.audits.target import Prompt, Target

_PROMPT_TOKENS, _SHORT, _LONG = 2048, 2, 10
_CHARS_PER_TOKEN = 3
_ROUNDS = 2


def estimate_seconds(plan: Plan) -> float:
    """Estimates the seconds of a plan whose answers are all as long as they may be. Asks the plan's targets.

    For each length of answers it asks a batch of the plan's own prompts. Long answers are asked twice, for a few tokens
    and for some more, which separates reading prompts from writing tokens. Texts to score are the plan's own.
    """
    for shape in {id(shape.target): shape for shape in plan.shapes.values()}.values():
        shape.target.generate([min(shape.prompts, key=chars)], 1)  # what comes first takes longer
    seconds = sum(_of_answers(shape) for shape in plan.shapes.values())
    return seconds + sum(_of_scores(shape) for shape in plan.scored.values())


def _of_scores(shape: ScoreShape) -> float:
    """Seconds of all texts of a shape. A prompt that several texts share is read once for them."""
    prompts, room, pairs = set[Prompt](), _PROMPT_TOKENS * _CHARS_PER_TOKEN, list[tuple[Prompt, str]]()
    for prompt, text in shape.pairs:
        room -= len(text) + (0 if prompt in prompts else chars(prompt))
        if pairs and room < 0:
            break
        prompts.add(prompt)
        pairs.append((prompt, text))
    began = time.perf_counter()
    shape.target.scores(pairs)
    return (time.perf_counter() - began) / len(pairs) * shape.texts


def _of_answers(shape: AnswerShape) -> float:
    """Seconds of all answers of a shape. Fewer than a batch are asked where it is long to read, or of a server."""
    rows = max(1, round(shape.answers / shape.batches))
    if (at_once := getattr(shape.target, "at_once", None)) is not None:
        rows = min(rows, _ROUNDS * at_once)
    longest = max(1, max(map(chars, shape.prompts)) // _CHARS_PER_TOKEN)
    prompts = shape.prompts[: min(rows, max(1, _PROMPT_TOKENS // longest))]
    whole = _seconds(shape.target, prompts, min(_LONG, shape.new_tokens))
    if shape.new_tokens > _LONG:
        each_step = max(0.0, whole - _seconds(shape.target, prompts, _SHORT)) / (_LONG - _SHORT)
        whole += each_step * (shape.new_tokens - _LONG)
    return whole / len(prompts) * shape.answers


def _seconds(target: Target, prompts: Sequence[Prompt], new_tokens: int) -> float:
    began = time.perf_counter()
    target.generate(prompts, new_tokens)
    return time.perf_counter() - began
