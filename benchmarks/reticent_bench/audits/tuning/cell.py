"""One cell of the matrix: a model is tuned, written, read again and measured."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import torch

from reticent.guard import Guard
from reticent.policy import Policy
from reticent.records import RecordsIndex
from reticent_bench.audits.extraction.canaries import KINDS, Canary
from reticent_bench.audits.local_target import LocalTarget
from reticent_bench.audits.target import Target
from reticent_bench.audits.tuning import methods
from reticent_bench.audits.tuning.measuring import OFF, measure, score
from reticent_bench.audits.tuning.settings import PREFIX, PROMPT, Cell, TuningSettings
from reticent_bench.audits.tuning.texts import TuningTexts
from reticent_bench.audits.tuning.training import Noise, Progress, Schedule, padded, quiet, tune
from reticent_detectors.alignment import text_ids
from reticent_detectors.errors import HostError, InputError, ReticentError

GUARDED, INDEXED = "guard", "guard-index"
"""Columns of the undefended model: behind the guard, and behind the guard with a records index of the inserted values."""
RELOADED = 1e-4
"""Largest difference of the reloaded model's mean loss, in nats a token: rounding alone."""
LONGEST = 512

NoiseFor = Callable[[float, float, int, float], float]
"""The noise multiplier for epsilon, sampling rate, steps and delta."""


def encode(tokenizer: Any, rows: list[str]) -> list[list[int]]:
    """Token ids of each training text with the end token behind it.

    Raises:
        InputError: the tokenizer has no end token, or a text has more than `LONGEST` tokens.
    """
    end = tokenizer.eos_token_id
    if end is None:
        raise InputError("The model's tokenizer has no end token; set tokenizer.eos_token.")
    out = [[*text_ids(tokenizer, row), end] for row in rows]
    if max(map(len, out)) > LONGEST:
        raise InputError(f"Expected training texts of at most {LONGEST} tokens; this tokenizer writes longer ones.")
    return out


def schedule_of(cell: Cell, settings: TuningSettings, texts: int) -> Schedule:
    """The steps of a cell."""
    return Schedule(
        texts, settings.batch, settings.epochs, settings.rates[cell.method], settings.seed, settings.rows_at_once
    )


def run_cell(
    cell: Cell,
    model_folder: Path,
    texts: TuningTexts,
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
        texts: see `draw_texts`.
        settings: of the matrix.
        work: folder of the checkpoint and of the tuned model.
        noise_for: the accountant.
        device: a torch device.
        guard: whether an undefended model is also asked behind the guard.
        progress: is called after each step.

    Returns:
        The figures of `measuring.measure`, and how the cell was tuned, as JSON.

    Raises:
        ReticentError: the model that was read again has another loss than the one that was written.
    """
    torch.manual_seed(settings.seed)
    own = texts.for_method(cell.method)
    model, tokenizer = methods.load(model_folder, device)
    base = score(LocalTarget(model, tokenizer, "base"), (*own.members, *own.others))
    tuned = methods.attach(model, cell.method, settings, cell.is_private)
    if cell.is_private:
        tuned.set_attn_implementation("eager")  # torch has no rule for vectorising the others
    examples = encode(tokenizer, own.training(settings.seed))
    schedule = schedule_of(cell, settings, len(examples))
    noise = None
    if cell.is_private:
        multiplier = noise_for(cell.epsilon, schedule.sample_rate, schedule.steps, settings.delta)
        noise = Noise(settings.clip, multiplier)
    count = methods.trained_count(tuned)
    work.mkdir(parents=True, exist_ok=True)
    route = tune(tuned, examples, schedule, noise, work / "checkpoint.pt", progress=progress)
    methods.save(tuned, tokenizer, work / "model")
    again, _ = methods.load(work / "model", device)
    probe = examples[: min(len(examples), 16)]
    difference = abs(mean_loss(tuned, probe) - mean_loss(again, probe))
    if not difference <= RELOADED:
        raise ReticentError(f"{cell.name}: the model read again differs by {difference:.2g} nats; nothing is reported.")
    found = measure(targets(cell, again, tokenizer, own, guard), own, base, settings.samples, settings.seed)
    (work / "checkpoint.pt").unlink(missing_ok=True)
    return {
        **found, "method": cell.method, "epsilon": cell.epsilon if cell.is_private else None, "trained": count,
        "noise_multiplier": None if noise is None else noise.multiplier, "sample_rate": schedule.sample_rate,
        "steps": schedule.steps, "texts": len(examples), "route": route if cell.is_private else None,
        "reloaded_difference": difference,
    }  # fmt: skip


def mean_loss(model: Any, examples: list[list[int]]) -> float:
    """Mean loss of the tokens of texts, in nats."""
    ids, learned = padded(examples, model.device)
    with torch.inference_mode():
        logits = model(input_ids=ids, use_cache=False).logits[:, -ids.shape[1] :]
    each = torch.nn.functional.cross_entropy(logits[:, :-1].transpose(1, 2).float(), ids[:, 1:], reduction="none")
    return float((each * learned[:, 1:]).sum() / learned[:, 1:].sum())


def targets(cell: Cell, model: Any, tokenizer: Any, texts: TuningTexts, guard: bool) -> dict[str, Target]:
    """The model as targets: alone, and an undefended one behind the guard without and with a records index.

    A model that cannot be guarded has no guarded target. Under prompt tuning virtual tokens move the positions of states, so
    the guard would fail closed and redact every value; that is no measurement of what it finds.
    """
    seen = methods.SoftPrompt(model) if cell.method in (PROMPT, PREFIX) else model
    out: dict[str, Target] = {OFF: LocalTarget(seen, tokenizer, cell.name)}
    if cell.is_private or not guard or cell.method == PROMPT:
        return out
    for name, index in ((GUARDED, None), (INDEXED, records_index(texts.repeated))):
        with suppress(HostError), warnings.catch_warnings():
            # That the default detector was not fitted to this model is what is measured.
            warnings.simplefilter("ignore", UserWarning)
            wrapped = Guard.load(None, Policy.default(), records=index).wrap(model, tokenizer)
            out[name] = LocalTarget(model, tokenizer, f"{cell.name} behind the guard", wrapped)
    return out


def records_index(canaries: tuple[Canary, ...]) -> RecordsIndex:
    """An index of the inserted values of those kinds that the guard judges."""
    entities = {kind.name: kind.entity for kind in KINDS}
    return RecordsIndex.build(
        (str(entity), canary.value)
        for canary in canaries
        if canary.repetitions and (entity := entities[canary.kind]) is not None
    )
