"""Estimates what a collection will take, by asking a few of its prompts."""

from __future__ import annotations

import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from reticent_detectors.collection.collect import Collector
from reticent_detectors.collection.plan import GROUP_PROMPTS, Group
from reticent_detectors.collection.shards import stored_cursor
from reticent_detectors.host.memory import model_bytes, peak_bytes
from reticent_detectors.long_runs.estimate import Estimate
from reticent_detectors.long_runs.save_timer import Clock
from reticent_detectors.synth.prompts import Prompt

PROMPTS_PER_KIND, WARM_UP, QUICK_SECONDS = (32, GROUP_PROMPTS), 4, 5.0
"""Prompts of each kind that are asked.

If the first are answered quickly, a whole group is asked, because each prompt costs less in a larger batch.
"""
RARE = 0.02
"""Kinds with a smaller share of the prompts are not asked. They count as the mean of the others."""
LABEL_BYTES = 60
STORED = "features before compression"


def estimate_collection(
    command: str, made: Collector, out: Path, models: dict[str, Any], device: str, clock: Clock = time.perf_counter
) -> Estimate:
    """Estimates a collection into `out`, without the groups that are stored already.

    Kinds of prompts differ in length and in the number of spans. So some of each kind are asked, labelled and read.

    Args:
        command: name of the command.
        made: the collector.
        out: folder of the collection.
        models: the models in memory, by name.
        device: where they run.
        clock: time in seconds.

    Raises:
        ShardError: `out` holds a collection with other settings.
    """
    done = int(stored_cursor(out, made.settings) or 0)
    kinds: dict[str, list[Prompt]] = defaultdict(list)
    for group in made.groups[done:]:
        for prompt in group.prompts:
            kinds[prompt.kind].append(prompt)
    left = sum(map(len, kinds.values()))
    seconds = stored = 0.0
    measured = prompts_measured = 0
    if left:
        made.ask(Group(tuple(max(kinds.values(), key=len)[:WARM_UP])), 0)
    for prompts in kinds.values():
        if len(prompts) < RARE * left:
            continue
        for most in PROMPTS_PER_KIND:
            count = min(most, len(prompts))
            chosen = tuple(prompts[i * len(prompts) // count] for i in range(count))
            start = clock()
            _, labels = made.ask(Group(chosen), 0)
            took = clock() - start
            prompts_measured += count
            if took > QUICK_SECONDS:
                break
        share = len(prompts) / count
        seconds += took * share
        stored += (made.row_bytes + LABEL_BYTES) * len(labels) * share
        measured += len(prompts)
    passes_left = left / measured if measured else 0.0
    return Estimate(
        command,
        "prompt",
        made.prompts(0, done),
        made.prompts(0),
        seconds * passes_left,
        f"{prompts_measured} prompts on {device}",
        {name: model_bytes(model) for name, model in models.items()},
        peak_bytes(device),
        {STORED: stored * passes_left},
    )


def expected_rows(estimate: Estimate, made: Collector) -> int:
    """Returns how many rows an estimated collection is going to store."""
    return round(estimate.disk[STORED] / (made.row_bytes + LABEL_BYTES))
