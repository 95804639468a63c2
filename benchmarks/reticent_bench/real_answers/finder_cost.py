"""What the default finder costs a token: read answers of two real models after their questions, fed token by token.

Tokens are pieces of about 4 characters (`find.tokens`). The clock is the processor time of the thread. Other processes
count only through caches and shared cores, so measure on a quiet machine.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from reticent_bench.finder.find import default_finder, stream, tokens
from reticent_bench.real_answers.labels import read_answers
from reticent_bench.real_answers.prompts import AnswerPrompt, is_unread, prompts
from reticent_bench.report.result import table
from reticent_detectors.errors import InputError
from reticent_detectors.finder import SpanFinder
from reticent_detectors.spans import FindContext

MODELS = ("smollm2-135m-instruct", "gemma3-270m")
GOALS = {"mean": 50.0, "p99": 600.0, "p99.9": 2000.0}
"""Microseconds a token."""
Clock = Callable[[], int]
"""Nanoseconds."""


def read_part(folder: Path, count: int) -> list[tuple[str, str]]:
    """(question, answer) of `count` read answers, as many of each model, spread evenly over its answers.

    Raises:
        InputError: a model has fewer read answers.
    """
    by_id: dict[str, AnswerPrompt] = {asked.id: asked for asked in prompts()}
    chosen: list[tuple[str, str]] = []
    for number, model in enumerate(MODELS):
        answers = read_answers(folder / f"answers-{model}.jsonl")
        rows = [(by_id[key.rpartition("/")[2]], text) for key, text in answers.items()]
        rows = [(asked, text) for asked, text in rows if text and not is_unread(model, asked.sort)]
        wanted = count // len(MODELS) + (number < count % len(MODELS))
        if len(rows) < wanted:
            raise InputError(f"{model} has {len(rows)} read answers; expected {wanted}. Ask for fewer.")
        chosen += [(asked.text, text) for asked, text in (rows[i * len(rows) // wanted] for i in range(wanted))]
    return chosen


def token_costs(finder: SpanFinder, question: str, answer: str, clock: Clock = time.thread_time_ns) -> list[float]:
    """Microseconds of each token of an answer that arrives token by token."""
    return stream(finder, tokens(answer), clock=clock, context=FindContext(question=question)).microseconds


def summary(costs: Sequence[float]) -> dict[str, float]:
    """Mean, median and upper percentiles of the cost of a token."""
    median, p99, p999 = np.percentile(costs, [50, 99, 99.9])
    return {"mean": float(np.mean(costs)), "median": float(median), "p99": float(p99), "p99.9": float(p999)}


def measure(
    folder: Path,
    count: int,
    runs: int,
    say: Callable[[str], None] = lambda line: None,
    clock: Clock = time.thread_time_ns,
) -> dict[str, Any]:
    """Figures of `runs` runs over the same answers, after one that is not counted, and the median of each figure."""
    chosen, finder = read_part(folder, count), default_finder()
    finder.warm()
    each: list[dict[str, float]] = []
    size = 0
    for run in range(runs + 1):
        costs = [cost for question, answer in chosen for cost in token_costs(finder, question, answer, clock)]
        size = len(costs)
        if run:
            each.append(summary(costs))
            say(f"run {run} of {runs}: mean {each[-1]['mean']:.1f} us, 99th percentile {each[-1]['p99']:.0f} us")
    return {"answers": len(chosen), "tokens": size, "runs": each, "median of the runs": medians(each)}


def medians(runs: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The median of each figure over the runs."""
    return {name: statistics.median(run[name] for run in runs) for name in runs[0]}


def render(figures: Mapping[str, Any]) -> str:
    """The report as Markdown."""
    middle = figures["median of the runs"]
    rows = [
        [name, round(middle[name], 1), GOALS.get(name), *(round(run[name], 1) for run in figures["runs"])]
        for name in middle
    ]
    runs = [f"run {number}" for number in range(1, len(figures["runs"]) + 1)]
    return (
        "# What the span finder costs a token\n\n"
        f"Microseconds of processor time a token, tagger included, on {figures['answers']} read answers of "
        f"{' and '.join(MODELS)} ({figures['tokens']} tokens of about 4 characters), after their questions.\n\n"
        + table(["figure", "median of the runs", "goal", *runs], rows)
        + _inside(figures.get("inside"))
    )


def _inside(figures: Mapping[str, Any] | None) -> str:
    """The table of what was measured inside `generate` (`finder_in_generate`), if it was."""
    if figures is None:
        return ""
    rows = [[name, round(figures[name], 1)] for name in ("mean", "median", "p99", "p99.9")]
    return (
        f"\n## Between two steps of {figures['model']}\n\n"
        f"All that the guard does at a new token on the processor, in {figures['without a verdict']} steps of "
        f"`generate` in which no value was judged ({figures['answers']} of these answers, given by force; "
        "the first warms up). The goal is 200 in the mean.\n\n" + table(["figure", "microseconds"], rows)
    )
