"""What the guard costs, in parts: a host of one's own, a real checkpoint, hosts of real shapes, and capture alone.

reticent bench overhead                    # hosts and capture
reticent bench overhead --model DIR        # a real checkpoint under the bundle for any model
python -m reticent_bench.overhead          # the same with the usual settings, without an installed Reticent

Compiling a host of real size takes a minute or more for each batch. On a GPU, measure one shape and one mode in a call
(`--shape`, `--mode`, `--batch`, `--name`).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import torch

from reticent.guard import Guard
from reticent_bench.overhead.capture import capture
from reticent_bench.overhead.hosts import MODES, SHAPES, Guarded
from reticent_bench.overhead.model import SORTS, Checkpoint
from reticent_bench.overhead.own import generation, hostile_prompt, machine
from reticent_bench.overhead.page import render
from reticent_bench.report.parts import JsonRow, Parts, Save, Say
from reticent_bench.report.result import command_line, footer, provenance, write
from reticent_detectors.errors import InputError
from reticent_detectors.host.load import load_host

PARTS = ("own", "model", "hosts", "capture")
LOADS = ("no spans", "5 % span tokens", "every word judged")
BATCHES = (1, 8, 32)
SCORED = (1, 8, 32)
"""Spans scored at once, in a CUDA graph."""
SPAN_TOKENS = 12


def own(host: Path, bundle: Path, rounds: int, tokens: int) -> list[JsonRow]:
    """The host and bundle of two folders, where no span occurs; the stream machine alone; a hostile prompt."""
    model, tokenizer = load_host(host)
    guard = Guard.load(bundle).wrap(model, tokenizer)
    generation(guard, 1, tokens)  # warm
    made: dict[str, dict[str, float]] = {
        "generation": generation(guard, rounds, tokens),
        "stream machine": machine(guard),
        "hostile prompt": hostile_prompt(),
    }
    return [{"part": part, "figure": name, "value": value} for part, row in made.items() for name, value in row.items()]


def measure(
    parts: tuple[str, ...],
    shapes: tuple[str, ...],
    own_host: tuple[Path, Path] | None,
    device: torch.device,
    rounds: int,
    tokens: int,
    minutes: float,
    say: Say,
    save: Save,
    batches: tuple[int, ...] | None = None,
    modes: tuple[str, ...] = MODES,
    model: Checkpoint | None = None,
    loads: tuple[str, ...] = LOADS,
) -> dict[str, Any]:
    """The chosen parts, within about so many minutes; `save` is given the figures after each row."""
    run, batches = Parts(minutes, say, save), batches or BATCHES
    run.figures["device"] = torch.cuda.get_device_name(device) if device.type == "cuda" else "CPU"
    if "own" in parts and own_host is not None:
        run.add("own", "own host", partial(own, *own_host, rounds, tokens))
    if "model" in parts and model is not None:
        for sort in SORTS:
            run.add("model", f"{model.folder.name}, {sort}", partial(model.rows, sort, rounds, tokens))
    if "capture" in parts:
        for shape, batch in product((SHAPES[name] for name in shapes), batches):
            part = partial(_capture, shape.layers, shape.hidden, batch, shape.vocabulary, device)
            run.add("capture", f"capture, {shape.layers} layers of {shape.hidden}, batch {batch}", part)
    if "hosts" in parts:
        for name in shapes:
            host = Guarded(name, device)
            if device.type != "cuda":
                run.figures["missing"].append(f"{name}, the scoring path in a CUDA graph: needs a GPU")
            else:
                for spans in SCORED:
                    label = f"{name}, the scoring path of {spans} spans in a CUDA graph"
                    run.add("graphs", label, partial(host.replayed, spans, SPAN_TOKENS))
            # What is compiled is compiled for a batch, whatever the load and whether overlapped.
            for batch, mode, load in sorted(product(batches, modes, loads), key=lambda row: row[1] != "eager"):
                part = partial(host.rows, load, batch, rounds, tokens, mode)
                run.add("hosts", f"{name}, {mode}, batch {batch}, {load}", part)
            del host
            if device.type == "cuda":
                torch.cuda.empty_cache()
    save(run.figures)
    return run.figures


def write_page(
    out: Path,
    name: str,
    part: Sequence[str] | None,
    shape: Sequence[str] | None,
    mode: Sequence[str] | None,
    own_host: tuple[Path, Path] | None,
    device: str,
    rounds: int,
    tokens: int,
    minutes: float,
    say: Say,
    model: tuple[Path, Path | None] | None = None,
    batch: Sequence[int] | None = None,
    load: Sequence[str] | None = None,
) -> Path:
    """Measures, and writes NAME.json and NAME.md. Returns the page's path.

    `model` is a checkpoint and its bundle, if it has one. It is the only part unless others are named.

    Raises:
        InputError: an unknown part, shape, mode or load, or a part without its host or model.
    """
    on = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
    parts = tuple(part or (PARTS if model is None else ("model",)))
    shapes = tuple(shape or (["llama-3.2-1b", "llama-3-8b"] if on.type == "cuda" else ["tiny"]))
    # Code generation takes a processor a minute for each row, and tells nothing of a GPU.
    modes = tuple(mode or (MODES if on.type == "cuda" else MODES[:1]))
    loads = tuple(load or LOADS)
    for what, asked, there in (
        ("part", parts, PARTS), ("shape", shapes, tuple(SHAPES)), ("mode", modes, MODES), ("load", loads, LOADS)
    ):  # fmt: skip
        if unknown := sorted(set(asked) - set(there)):
            raise InputError(f"Unknown {what} {unknown[0]!r}; expected some of {', '.join(there)}.")
    if part and "own" in part and own_host is None:
        raise InputError("The part own needs a host and its bundle: --host and --bundle.")
    if part and "model" in part and model is None:
        raise InputError("The part model needs the folder of a checkpoint: --model.")
    checkpoint = None if model is None else Checkpoint(*model, on)

    def save(figures: dict[str, Any]) -> None:
        figures["made_by"] = provenance(command_line(), 0, ("triton",))
        write(out, name, figures, render(figures) + footer(figures))

    batches = tuple(batch) if batch else None
    measure(parts, shapes, own_host, on, rounds, tokens, minutes, say, save, batches, modes, checkpoint, loads)
    return out / f"{name}.md"


def _capture(layers: int, hidden: int, batch: int, vocabulary: int, device: torch.device) -> list[JsonRow]:
    return [capture(layers, hidden, batch, vocabulary, device)]


def main() -> None:
    """Measures, and writes the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results"))
    parser.add_argument("--name", default="overhead")
    parser.add_argument("--shape", action="append", choices=SHAPES)
    parser.add_argument("--mode", action="append", choices=MODES)
    parser.add_argument("--part", action="append", choices=PARTS)
    parser.add_argument("--batch", action="append", type=int)
    parser.add_argument("--load", action="append", choices=LOADS)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--new-tokens", type=int, default=80)
    parser.add_argument("--minutes", type=float, default=8.0)
    asked = parser.parse_args()
    say = partial(print, file=sys.stderr, flush=True)
    try:
        page = write_page(
            asked.out,
            asked.name,
            asked.part,
            asked.shape,
            asked.mode,
            None,
            "",
            asked.rounds,
            asked.new_tokens,
            asked.minutes,
            say,
            batch=asked.batch,
            load=asked.load,
        )
    except InputError as error:
        sys.exit(f"error: {error}")
    print(page)


if __name__ == "__main__":
    main()
