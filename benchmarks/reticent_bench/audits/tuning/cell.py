"""One cell of the matrix: a model is tuned, written, read again and measured."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch

from reticent_bench.audits.tuning import methods
from reticent_bench.audits.tuning.objectives import CAUSAL, Objective
from reticent_bench.audits.tuning.settings import Cell, TuningSettings
from reticent_bench.audits.tuning.task import Texts, make_task
from reticent_bench.audits.tuning.training import Noise, Progress, Schedule, quiet, tune
from reticent_detectors.errors import ReticentError

RELOADED = 1e-4
"""Largest difference of the reloaded model's mean loss, in nats a token or a label: rounding alone."""

NoiseFor = Callable[[float, float, int, float], float]
"""The noise multiplier for epsilon, sampling rate, steps and delta."""


def schedule_of(cell: Cell, settings: TuningSettings, texts: int) -> Schedule:
    """The steps of a cell."""
    return Schedule(
        texts, settings.batch, settings.epochs, settings.rates[cell.method], settings.seed, settings.rows_at_once
    )


def run_cell(
    cell: Cell,
    model_folder: Path,
    texts: Texts,
    settings: TuningSettings,
    work: Path,
    noise_for: NoiseFor,
    *,
    guard: bool = True,
    device: str = "cpu",
    progress: Progress = quiet,
) -> dict[str, Any]:
    """Tunes and measures a cell; interrupted while it tunes, it continues.

    Args:
        cell: what is tuned, and with which epsilon.
        model_folder: of the untuned model.
        texts: see `draw_texts` and `read_labelled`.
        settings: of the matrix.
        work: folder of the checkpoint and of the tuned model. Beside it an encoder with its head is kept.
        noise_for: the accountant.
        device: a torch device.
        guard: whether an undefended decoder is also asked behind the guard.
        progress: is called after each step.

    Returns:
        The figures of the task, and how the cell was tuned, as JSON.

    Raises:
        InputError: the texts do not fit the model, or its virtual tokens change nothing.
        ReticentError: the model that was read again has another loss than the one that was written.
    """
    torch.manual_seed(settings.seed)
    task = make_task(model_folder, texts, settings)
    work.mkdir(parents=True, exist_ok=True)
    start = task.start(model_folder, cell.method, work.parent, device)
    model, tokenizer = task.load(start, cell.method, device)
    base = task.scores(model, tokenizer, cell.method)
    examples, objective = task.examples(model, tokenizer, cell.method), task.objective(tokenizer, cell.method)
    torch.manual_seed(settings.seed)
    tuned = methods.attach(model, cell.method, settings, cell.is_private, methods.TASK_TYPES[task.family])
    if cell.is_private:
        tuned.set_attn_implementation("eager")  # torch has no rule for vectorising the others
    methods.check_virtual_tokens(tuned, objective, objective.batch(examples[:2], tuned.device))
    schedule = schedule_of(cell, settings, len(examples))
    noise = None
    if cell.is_private:
        multiplier = noise_for(cell.epsilon, schedule.sample_rate, schedule.steps, settings.delta)
        noise = Noise(settings.clip, multiplier)
    count = methods.trained_count(tuned)
    route = tune(tuned, examples, schedule, noise, work / "checkpoint.pt", objective=objective, progress=progress)
    methods.save(tuned, tokenizer, work / "model")
    again, _ = task.load(work / "model", cell.method, device)
    probe = examples[: min(len(examples), 16)]
    difference = abs(mean_loss(tuned, probe, objective) - mean_loss(again, probe, objective))
    if not difference <= RELOADED:
        raise ReticentError(f"{cell.name}: the model read again differs by {difference:.2g} nats; nothing is reported.")
    found = task.measure(cell, again, tokenizer, cell.method, base, guard)
    (work / "checkpoint.pt").unlink(missing_ok=True)
    return {
        **found, "method": cell.method, "epsilon": cell.epsilon if cell.is_private else None, "trained": count,
        "noise_multiplier": None if noise is None else noise.multiplier, "sample_rate": schedule.sample_rate,
        "steps": schedule.steps, "texts": len(examples), "route": route if cell.is_private else None,
        "reloaded_difference": difference,
    }  # fmt: skip


def mean_loss(model: Any, examples: Sequence[Any], objective: Objective = CAUSAL) -> float:
    """Mean over texts of the loss of their tokens or of their label, in nats."""
    with torch.inference_mode():
        return float(objective.losses(model, objective.batch(examples, model.device)).mean())
