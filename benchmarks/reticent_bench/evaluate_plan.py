"""What an evaluation of a host and its running guard will take, measured by a few of its prompts."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from typing import Any

from reticent_bench.guard.bench import TRIES, Bench
from reticent_bench.guard.prompts import Source, robust_prompts, sources
from reticent_bench.hosts import host_report
from reticent_detectors.host.memory import model_bytes, peak_bytes
from reticent_detectors.long_runs.estimate import Estimate
from reticent_detectors.long_runs.save_timer import Clock
from reticent_detectors.synth.cast import Cast
from reticent_detectors.synth.prompts import Prompt

ASKED, WARM_UP = 32, 4
"""Prompts of each kind that are asked; fewer cost more each, more do not cost less on real models."""
STREAMED = 4
"""Prompts that are answered one by one."""
BYTES_EACH = 400
"""What is kept of a prompt until the tables are written, at most: yes or no of each guard."""

Work = tuple[int, Sequence[Prompt], Callable[[Sequence[Prompt]], object]]
"""How many prompts, some of them, and what is done with them."""


def estimate_evaluation(
    parts: Collection[str],
    model: Any,
    tokenizer: Any,
    control: Any,
    cast: Cast,
    bench: Bench | None,
    *,
    per_column: int = host_report.PER_COLUMN,
    seed: int = 0,
    device: str = "cpu",
    clock: Clock = time.perf_counter,
) -> Estimate:
    """The estimate of the parts `host` and `guard`; that of the detector's tables takes no model, and is left out.

    Args:
        parts: which of them.
        model, tokenizer, control: the host, and the control or None.
        per_column: questions of each column of the host's table, at most.
        bench: the guarded host; None if `guard` is not among the parts. It keeps nothing and shows nothing.
    """
    work: list[Work] = []
    if "host" in parts:
        work += _host_work(model, tokenizer, control, cast, per_column, seed)
    if "guard" in parts and bench is not None:
        work += _guard_work(bench, seed)
    work = [each for each in work if each[0]]
    if work:
        count, prompts, ask = work[0]
        ask(prompts[:WARM_UP])
    seconds, asked = 0.0, 0
    for count, prompts, ask in work:
        start = clock()
        ask(prompts)
        seconds += (clock() - start) / len(prompts) * count
        asked += len(prompts)
    total = sum(count for count, _, _ in work)
    models = {"weights": model} | ({"control": control} if control is not None else {})
    return Estimate(
        "evaluate", "prompt", 0, total, seconds, f"{asked} prompts on {device}",
        {name: model_bytes(each) for name, each in models.items()}, peak_bytes(device),
        {"what is kept to go on": BYTES_EACH * total}, most="guard" in parts,
        note="The detector's tables come on top, and need no model" if "detector" in parts else "",
    )  # fmt: skip


def _host_work(model: Any, tokenizer: Any, control: Any, cast: Cast, per_column: int, seed: int) -> list[Work]:
    prompts = [prompt for column in host_report.questions(cast, per_column, seed) for prompt in column.prompts]
    work: list[Work] = [(len(prompts), _some(prompts), lambda part: _asked(model, tokenizer, part))]
    if control is not None:
        long = host_report.control_questions(cast, per_column, seed)
        work.append((len(long), _some(long), lambda part: _asked(control, tokenizer, part)))
    return work


def _guard_work(bench: Bench, seed: int) -> list[Work]:
    """At most: every value of the test people counts as one that is robustly memorised."""
    cast = bench.cast
    values = {(person.key, entity) for person in cast.test for entity in person.values}
    robust = robust_prompts(cast.test)
    tries = len(values) * sum(count for _, count in TRIES)
    *asked, streamed = sources(cast, values, seed=seed)
    short = [prompt for source in asked if source.longest <= 64 for prompt in source.prompts]

    def judged(longest: int) -> Callable[[Sequence[Prompt]], object]:
        return lambda part: bench.interventions("plan", part, 0.0, longest)

    long: list[Source] = [source for source in asked if source.longest > 64]
    return [
        (len(robust), _some(robust), bench.ask),
        (tries + len(short), _some(short), judged(64)),
        *((len(source.prompts), _some(source.prompts), judged(source.longest)) for source in long),
        (len(streamed.prompts), streamed.prompts[:STREAMED], bench.streamed),
    ]


def _asked(model: Any, tokenizer: Any, prompts: Sequence[Prompt]) -> object:
    return host_report.remember(model, tokenizer, prompts, host_report.right)


def _some(prompts: Sequence[Prompt]) -> list[Prompt]:
    """`ASKED` prompts, evenly spread."""
    count = min(ASKED, len(prompts))
    return [prompts[i * len(prompts) // count] for i in range(count)]
