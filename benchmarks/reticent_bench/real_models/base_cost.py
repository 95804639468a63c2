"""Measures what asking the base costs: reading a value behind a prompt, with and without a cache of the prompt.

    python -m reticent_bench.real_models.base_cost HOST --base adapter

Ids are random, and times are medians over rounds. One pass of the host over the same ids and one decoding step behind
the same prompt are measured, too. So is making the base once.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from transformers import DynamicCache

from reticent_bench.report.result import command_line, footer, provenance, table, write
from reticent_detectors.capture import HostAdapter
from reticent_detectors.capture.base_model import BaseModel
from reticent_detectors.host.base_sources import base_of
from reticent_detectors.host.load import load_host


def median_milliseconds(run: Callable[[], Any], rounds: int) -> tuple[float, float]:
    """Returns median milliseconds of `rounds` runs, after one that is not counted: wall clock, and processor time.

    Other processes disturb processor time less.
    """
    took = []
    for _ in range(rounds + 1):
        started, worked = time.perf_counter(), time.process_time()
        run()
        took.append((time.perf_counter() - started, time.process_time() - worked))
    clock, processor = (1000 * statistics.median(each) for each in zip(*took[1:], strict=True))
    return clock, processor


def resident_bytes() -> int:
    """Returns the resident memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def measure(host: Path, base: str | None, prompt: int, value: int, rounds: int) -> dict[str, Any]:
    """Measures milliseconds of each reading, and seconds and mebibytes of making the base."""
    model, tokenizer = load_host(host)
    adapter = HostAdapter.attach(model, tokenizer)
    before, started = resident_bytes(), time.perf_counter()
    made = base_of(base, model, adapter, tokenizer)
    seconds, mebibytes = time.perf_counter() - started, (resident_bytes() - before) / 2**20
    if made is None:
        raise SystemExit(f"{host} has no adapter; name a base with --base.")
    found = {"make_seconds": seconds, "make_mebibytes": mebibytes}
    return found | _readings(made, adapter, prompt, value, rounds)


def _readings(base: BaseModel, adapter: HostAdapter, prompt: int, value: int, rounds: int) -> dict[str, Any]:
    draw = random.Random(0)

    def ids(count: int) -> list[int]:
        return [draw.randrange(adapter.vocabulary) for _ in range(count)]

    before, text = ids(prompt), torch.tensor([ids(prompt + value)], device=adapter.device)
    reader = base.open()
    reader.log_probabilities([(before, ids(value))])

    def step() -> None:
        cache.crop(-1)
        adapter.model(input_ids=text[:, :1], past_key_values=cache, use_cache=True)

    with torch.no_grad():
        cache = DynamicCache(config=adapter.model.config)
        adapter.model(input_ids=text, past_key_values=cache, use_cache=True)
        runs: dict[str, Callable[[], Any]] = {
            "host_pass": lambda: adapter.model(input_ids=text, use_cache=False, logits_to_keep=value),
            "host_step": step,
            "fresh": lambda: base.open().log_probabilities([(before, ids(value))]),
            "behind_cache": lambda: reader.log_probabilities([(before, ids(value))]),
        }
        return {name: median_milliseconds(run, rounds) for name, run in runs.items()}


_NAMES = {
    "host_pass": "the host, prompt and value in one pass",
    "host_step": "the host, one decoding step behind them",
    "fresh": "the base, prompt and value",
    "behind_cache": "the base, the value behind a prompt that was read",
}


def main() -> None:
    """Measures the costs, prints them, and with --out writes `base-cost`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("host", type=Path)
    parser.add_argument("--base", help="adapter, self, or a folder; by default the model without its adapter")
    parser.add_argument("--prompt", type=int, default=60)
    parser.add_argument("--value", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    figures = measure(arguments.host, arguments.base, arguments.prompt, arguments.value, arguments.rounds)
    rows = [[_NAMES[name], *figures[name]] for name in _NAMES]
    text = (
        "# What asking the base costs\n\n"
        f"Prompt {arguments.prompt} tokens, value {arguments.value}; medians of {arguments.rounds}.\n\n"
    )
    text += table(["what", "milliseconds", "of the processor"], rows)
    text += (
        f"\n\nMaking the base: {figures['make_seconds']:.2f} s, {figures['make_mebibytes']:.0f} MiB more of memory.\n"
    )
    figures["made_by"] = provenance(command_line(), 0)
    if arguments.out is not None:
        write(arguments.out, "base-cost", figures, text + footer(figures))
    print(text)


if __name__ == "__main__":
    main()
