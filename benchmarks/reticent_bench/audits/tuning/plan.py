"""What a tuning matrix will cost, by a few texts and answers of the model itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import torch

from reticent_bench.audits.extraction.audit import NEW_TOKENS
from reticent_bench.audits.extraction.canaries import KINDS
from reticent_bench.audits.labelled_texts import LabelledTexts
from reticent_bench.audits.target import Sampling, Target
from reticent_bench.audits.tuning import methods
from reticent_bench.audits.tuning.cell import NoiseFor, schedule_of
from reticent_bench.audits.tuning.families import family_of, refuse_unsupported
from reticent_bench.audits.tuning.measuring import OFF, AnswersOnly
from reticent_bench.audits.tuning.objectives import Objective, cut
from reticent_bench.audits.tuning.per_sample import choose_route, clipped_sum, trained_parameters
from reticent_bench.audits.tuning.settings import Cell, TuningSettings
from reticent_bench.audits.tuning.task import Task, Texts, make_task
from reticent_bench.audits.tuning.texts import TuningTexts
from reticent_bench.audits.tuning.training import plain_sum
from reticent_detectors.long_runs.progress import duration

ANSWERS = 8
"""Answers by which generation is timed."""


def lines(
    model_folder: Path,
    chosen: Sequence[Cell],
    done: Sequence[Cell],
    texts: Texts,
    settings: TuningSettings,
    noise_for: NoiseFor,
    *,
    guard: bool = True,
    device: str = "cpu",
) -> Iterator[str]:
    """A line for each cell, then what is left altogether. This runs the model, and writes nothing."""
    refuse_unsupported(model_folder, family_of(model_folder), [cell.method for cell in chosen], settings)
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
            f"{cell.name}: {count:,} texts, {schedule.steps} steps at a sampling rate of {schedule.sample_rate:.4f}, "
            f"{noise}, " + ("kept already" if kept else f"about {duration(seconds)}")
        )
    yield f"Together about {duration(total)}, by a few texts and answers of each kind. Nothing was written."
    yield "The same command without --plan starts it; interrupted, it continues."


def _timed(
    cell: Cell, model_folder: Path, texts: Texts, settings: TuningSettings, guard: bool, device: str
) -> tuple[int, float]:
    """Number of training texts, and about how many seconds the cell takes."""
    task = make_task(model_folder, texts, settings)
    model, tokenizer = task.load(model_folder, cell.method, device)
    examples, objective = task.examples(model, tokenizer, cell.method), task.objective(tokenizer, cell.method)
    tuned = methods.attach(model, cell.method, settings, cell.is_private, methods.TASK_TYPES[task.family])
    if cell.is_private:
        tuned.set_attn_implementation("eager")
    # Every hundredth text by length, so that long ones weigh as they do in a step.
    ordered = sorted(examples, key=objective.length)
    sample = ordered[:: max(1, len(ordered) // (2 * settings.rows_at_once))]
    step = _step(tuned, cell, sample, settings, objective)
    step(sample[:1] * 2)
    count = settings.rows_at_once
    parts = objective.parts(sample, count) if cell.is_private else cut(sample, count)
    seconds = _seconds(lambda: [step(part) for part in parts]) / len(sample) * settings.epochs * len(examples)
    return len(examples), seconds + _measured(task, cell, tuned, tokenizer, texts, settings, guard, sample)


def _measured(
    task: Task, cell: Cell, tuned: Any, tokenizer: Any, texts: Texts, settings: TuningSettings, guard: bool, sample: Any
) -> float:
    """About how many seconds the measurement takes."""
    if isinstance(texts, LabelledTexts):
        objective = task.objective(tokenizer, cell.method)
        read = partial(objective.losses, tuned, objective.batch(sample, tuned.device))
        return _seconds(lambda: _unlearned(read)) / len(sample) * 2 * len(texts)
    own = texts.for_method(cell.method)
    scored = [canary.text for canary in (*own.repeated, *own.once)] + 3 * [p.text for p in (*own.members, *own.others)]
    asked = task.targets(cell, tuned, tokenizer, cell.method, guard and settings.samples > 0)
    probe = scored[:: max(1, len(scored) // 32)]
    seconds = _seconds(lambda: asked[OFF].scores([("", text) for text in probe])) / len(probe) * len(scored)
    if settings.samples:
        each = sum(_seconds(partial(_answers, target, own)) for target in asked.values()) / ANSWERS
        seconds += each * settings.samples * len(KINDS)
    return seconds


def _unlearned(read: Callable[[], object]) -> object:
    with torch.inference_mode():
        return read()


def _step(
    model: Any, cell: Cell, sample: Sequence[Any], settings: TuningSettings, objective: Objective
) -> Callable[[Any], object]:
    if not cell.is_private:
        return lambda rows: plain_sum(model, objective.batch(rows, model.device), objective)
    route = choose_route(model, objective.batch([sample[0]] * 2, model.device), objective)
    trained = trained_parameters(model)
    return lambda rows: clipped_sum(
        model, trained, objective.batch(rows, model.device), settings.clip, route, objective
    )


def _answers(target: Target, texts: TuningTexts) -> object:
    return AnswersOnly(target).generate([texts.repeated[0].before] * ANSWERS, NEW_TOKENS, Sampling(temperature=1.0))


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
