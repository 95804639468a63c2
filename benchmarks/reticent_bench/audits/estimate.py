"""About how long an audit takes, by a few short batches of what it will ask."""

from __future__ import annotations

import time
from collections.abc import Sequence

from reticent_bench.audits.planning import AnswerShape, Plan
from reticent_bench.audits.target import Prompt, Target
from reticent_bench.audits.targets import Targets

_PROMPT_TOKENS, _SHORT, _LONG = 2048, 2, 10
_CHARS_PER_TOKEN = 3
_TEXTS, _ROUNDS = 8, 2
_TEXT, _TEXT_TOKENS = "Hello, who is there, and what is it?", 10


def estimate_seconds(targets: Targets, plan: Plan) -> float:
    """About how long a plan takes if all answers are as long as they may be. This asks the targets.

    Of each length of answers a batch of the plan's own prompts is asked. Where answers are long it is asked twice, for a
    few tokens and for some more, which tells reading prompts and writing tokens apart. Texts to score are as long as the
    plan's own.
    """
    for shape in {id(shape.target): shape for shape in plan.shapes.values()}.values():
        shape.target.generate([min(shape.prompts, key=_chars)], 1)  # what comes first takes longer
    seconds = sum(_of_answers(shape) for shape in plan.shapes.values())
    scorer = next((each.target for each in targets.columns.values() if each.target.scores_text), None)
    if scorer is not None and plan.texts:
        texts = _probe_texts(plan.text_tokens / plan.texts)
        began = time.perf_counter()
        scorer.scores([("", text) for text in texts])
        seconds += (time.perf_counter() - began) / _TEXTS * plan.texts
    return seconds


def _of_answers(shape: AnswerShape) -> float:
    """Seconds of all answers of a shape. Fewer than a batch are asked where it is long to read, or of a server."""
    rows = max(1, round(shape.answers / shape.batches))
    if (at_once := getattr(shape.target, "at_once", None)) is not None:
        rows = min(rows, _ROUNDS * at_once)
    longest = max(1, max(map(_chars, shape.prompts)) // _CHARS_PER_TOKEN)
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


def _chars(prompt: Prompt) -> int:
    return len(prompt) if isinstance(prompt, str) else sum(len(turn.content) for turn in prompt)


def _probe_texts(tokens: float) -> list[str]:
    """Different texts of about so many tokens."""
    repeated = max(1, round(tokens / _TEXT_TOKENS))
    return [f"{number} {' '.join([_TEXT] * repeated)}" for number in range(_TEXTS)]
