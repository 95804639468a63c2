"""Checks that the hidden states that the guard's worker keeps in vLLM belong to their own request, row by row.

    python -m reticent_bench.engines.inside_states --model guard/reticent/assets/host --adapter runs/copies/tiny

Requests are those of `inside_attribution`: many at once, to the model with its LoRA adapter or without it, of mixed
lengths, beginning and ending at random, and preempted. The worker keeps the states of all their tokens and writes them
to files at the end. vLLM runs without the guard's middleware, whose questions would not change what is kept.

Afterwards each text is read alone in transformers. A row is the state of all layers behind one token. It is *wrong* if
the cosine to that of the text alone is at most `AGREE` in any layer.
"""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import torch
from torch import Tensor

from reticent_bench.engines.inside_attribution import StreamedAnswer, requests_of, stream_all
from reticent_bench.engines.vllm_start import BASE, BLOCK, LONGEST, SOURCES, bare, launch_of, parser_of
from reticent_bench.report.result import command_line, footer, provenance, table, write
from reticent_detectors.capture import HostAdapter, Taps
from reticent_detectors.host.load import load_host

WORKER = "reticent_bench.engines.state_worker.DumpingWorker"
AGREE = 0.9999
"""Least cosine of two states that counts as the same."""

Kept = Mapping[str, tuple[Sequence[int], Tensor]]
"""By the id of each request: places of its rows, and their states [n, L, d]."""


def read_files(folder: Path) -> Kept:
    """Reads what the worker wrote."""
    found = {}
    for file in folder.glob("*.npz"):
        with np.load(file) as each:
            found[str(each["name"])] = each["places"].tolist(), torch.from_numpy(each["states"])
    return found


def of_answer(kept: Kept, answer: str) -> dict[int, Tensor]:
    """Gives the states [L, d] of an answer by place. Empty unless exactly one request has its id."""
    found = [kept[name] for name in kept if name.rpartition("-")[0] == answer]
    return dict(zip(*found[0], strict=True)) if len(found) == 1 else {}


def alone(adapter: Path, answers: Sequence[StreamedAnswer]) -> Iterator[Tensor]:
    """Gives the states [n, L, d] behind each answer's tokens, where nothing else runs."""
    model, tokenizer = load_host(adapter)
    taps = Taps(HostAdapter.attach(model, tokenizer))
    try:
        for one in answers:
            ids = torch.tensor([[*one.prompt, *one.ids]])
            places = list(range(len(one.prompt) - 1, ids.shape[1] - 1))
            without: Any = model.disable_adapter() if one.wanted.model == BASE else contextlib.nullcontext()
            with without:
                (read,) = taps.read(ids, None, [(0, places)])
            yield read.hidden.float()
    finally:
        taps.remove()


def least_cosine(one: Tensor, other: Tensor) -> float:
    """Gives the least cosine of two states [L, d] over their layers."""
    return float(torch.nn.functional.cosine_similarity(one.double(), other.double(), dim=-1).min())


def compare(answers: Sequence[StreamedAnswer], kept: Kept, theirs: Iterator[Tensor]) -> dict[str, Any]:
    """Counts the rows, those that are wrong or missing, and those that would be wrong with the next request's state."""
    rows = wrong = missing = seen = 0
    least, others = 1.0, [of_answer(kept, each.name) for each in answers]
    for number, (one, own, expected) in enumerate(zip(answers, others, theirs, strict=True)):
        following = list(others[(number + 1) % len(others)].values())
        for place in range(len(one.ids)):
            if place not in own:
                missing += 1
                continue
            rows += 1
            cosine = least_cosine(own[place], expected[place])
            wrong += not cosine > AGREE  # a NaN is wrong
            least = min(least, cosine)
            seen += bool(following) and not least_cosine(following[place % len(following)], expected[place]) > AGREE
    return {
        "rows": rows, "wrong": wrong, "missing": missing, "least cosine": least,
        "another request's would be seen": seen / rows if rows else 0.0,
    }  # fmt: skip


def save(out: Path, name: str, figures: dict[str, Any]) -> None:
    """Writes the table."""
    row = figures["measured"]
    text = (
        "# Hidden states inside vLLM belong to their request\n\n"
        f"vLLM {figures['made_by']['vllm']}, float32, {figures['mode']}, with the worker that keeps the states of all "
        f"{row['layers']} layers. {row['at once']} requests at once, to the model with its LoRA adapter and without, "
        "of mixed lengths, begin and end at random and are preempted. Each text is read again alone, in transformers. "
        f"A row is the state behind one token; it is wrong if the cosine is at most {AGREE} in any layer. The last "
        "column: rows that would be wrong if they held the next request's.\n\n"
    ) + table(list(row), [[f"{each:.7f}" if name.startswith("least") else each for name, each in row.items()]])
    write(out, name, figures, text + footer(figures))
    print(text, flush=True)


def main() -> None:
    """Measures and writes the table."""
    parser = parser_of(__doc__)
    parser.add_argument("--requests", type=int, default=500)
    parser.add_argument("--at-once", type=int, default=64)
    parser.add_argument("--blocks", type=int, default=160, help=f"blocks of {BLOCK} tokens that all requests share")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results"))
    parser.add_argument("--name", default="inside-vllm-states-attribution")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    requests = requests_of(arguments.adapter, arguments.requests, arguments.seed)
    limits = ("--max-num-seqs", str(arguments.at_once), "--num-gpu-blocks-override", str(arguments.blocks))
    launch = launch_of(arguments)
    engine = launch.engine()
    made_by = {**provenance(command_line(), arguments.seed), "vllm": engine.version(engine.distribution)}
    variables = {"PYTHONPATH": SOURCES, "VLLM_SERVER_DEV_MODE": "1"}
    options = (*limits, "--worker-cls", WORKER)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with bare(arguments.model, arguments.adapter, folder, options, launch, variables) as server:
            answers, preempted = asyncio.run(stream_all(server.url, requests, arguments.at_once))
            call = {"method": "dump_states", "args": [name]}
            httpx.post(f"{server.url}/collective_rpc", json=call, timeout=LONGEST, trust_env=False).raise_for_status()
        kept = read_files(folder)
    left = sum(each.wanted.leaves_after < each.wanted.tokens for each in answers)
    counts = {"requests": len(answers), "at once": arguments.at_once, "left early": left, "preempted": preempted}
    layers = next(iter(kept.values()))[1].shape[1]
    measured = {**counts, "layers": layers, **compare(answers, kept, alone(arguments.adapter, answers))}
    save(arguments.out, arguments.name, {"measured": measured, "mode": launch.mode, "made_by": made_by})


if __name__ == "__main__":
    main()
