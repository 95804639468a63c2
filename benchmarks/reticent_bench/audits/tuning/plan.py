"""What a tuning matrix will cost, by a few texts and answers of the model itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from reticent_bench.audits.extraction.audit import NEW_TOKENS
from reticent_bench.audits.extraction.canaries import KINDS
from reticent_bench.audits.target import Sampling, Target
from reticent_bench.audits.tuning import methods
from reticent_bench.audits.tuning.cell import NoiseFor, encode, schedule_of, targets
from reticent_bench.audits.tuning.measuring import OFF, AnswersOnly
from reticent_bench.audits.tuning.per_sample import choose_route, clipped_sum, trained_parameters
from reticent_bench.audits.tuning.settings import Cell, TuningSettings
from reticent_bench.audits.tuning.texts import TuningTexts
from reticent_bench.audits.tuning.training import padded, plain_sum
from reticent_detectors.progress import duration

ANSWERS = 8
"""Answers by which generation is timed."""


def lines(
    model_folder: Path,
    chosen: Sequence[Cell],
    done: Sequence[Cell],
    texts: TuningTexts,
    settings: TuningSettings,
    noise_for: NoiseFor,
    *,
    guard: bool = True,
    device: str = "cpu",
) -> Iterator[str]:
    """A line for each cell, then what is left altogether. This runs the model, and writes nothing."""
    total = 0.0
    timed: dict[tuple[str, bool], tuple[int, float]] = {}
    for cell in chosen:
        if (cell.method, cell.is_private) not in timed:
            timed[cell.method, cell.is_private] = _timed(cell, model_folder, texts, settings, guard, device)
        count, seconds = timed[cell.method, cell.is_private]
        schedule = schedule_of(cell, settings, count)
        noise = "no noise"
        if cell.is_private:
            multiplier = noise_for(cell.epsilon, schedule.sample_rate, schedule.steps, settings.delta)
            noise = f"noise multiplier {multiplier:.3f}"
        kept = cell in done
        total += 0.0 if kept else seconds
        yield (
            f"{cell.name}: {count:,} texts, {schedule.steps} steps at a sampling rate of {schedule.sample_rate:.4f}, {noise}, "
            + ("kept already" if kept else f"about {duration(seconds)}")
        )
    yield f"Together about {duration(total)}, by a few texts and answers of each kind. Nothing was written."
    yield "The same command without --plan starts it; interrupted, it continues."


def _timed(
    cell: Cell, model_folder: Path, texts: TuningTexts, settings: TuningSettings, guard: bool, device: str
) -> tuple[int, float]:
    """Number of training texts, and about how many seconds the cell takes."""
    own = texts.for_method(cell.method)
    model, tokenizer = methods.load(model_folder, device)
    examples = encode(tokenizer, own.training(settings.seed))
    scored = [canary.text for canary in (*own.repeated, *own.once)] + 3 * [p.text for p in (*own.members, *own.others)]
    tuned = methods.attach(model, cell.method, settings, cell.is_private)
    if cell.is_private:
        tuned.set_attn_implementation("eager")
    # Every hundredth text by length, so that long ones weigh as they do in a step.
    ordered = sorted(examples, key=len)
    sample = ordered[:: max(1, len(ordered) // (2 * settings.rows_at_once))]
    step = _step(tuned, cell, sample, settings)
    step(sample[:2])
    parts = [sample[at : at + settings.rows_at_once] for at in range(0, len(sample), settings.rows_at_once)]
    tuning = _seconds(lambda: [step(part) for part in parts]) / len(sample)
    seconds = tuning * settings.epochs * len(examples)
    asked = targets(cell, tuned, tokenizer, own, guard and settings.samples > 0)
    probe = scored[:: max(1, len(scored) // 32)]
    seconds += _seconds(lambda: asked[OFF].scores([("", text) for text in probe])) / len(probe) * len(scored)
    if settings.samples:
        each = sum(_seconds(partial(_answers, target, own)) for target in asked.values()) / ANSWERS
        seconds += each * settings.samples * len(KINDS)
    return len(examples), seconds


def _step(model: Any, cell: Cell, sample: Sequence[Sequence[int]], settings: TuningSettings) -> Callable[[Any], object]:
    if not cell.is_private:
        return lambda rows: plain_sum(model, *padded(rows, model.device))
    route = choose_route(model, *padded([sample[0], sample[-1]], model.device))
    trained = trained_parameters(model)
    return lambda rows: clipped_sum(model, trained, *padded(rows, model.device), settings.clip, route)


def _answers(target: Target, texts: TuningTexts) -> object:
    return AnswersOnly(target).generate([texts.repeated[0].before] * ANSWERS, NEW_TOKENS, Sampling(temperature=1.0))


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
