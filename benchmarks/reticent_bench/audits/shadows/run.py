"""One run of `reticent bench lira`: its shadows, its attempt log, its budget, and the report at its end."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from reticent import __version__
from reticent_bench.audits.budget import Budget, BudgetSpent
from reticent_bench.audits.labelled_texts import LabelledTexts, complementary_halves
from reticent_bench.audits.report import Limit, Report
from reticent_bench.audits.resumable_attempts import AttemptLog, Outcome
from reticent_bench.audits.session import conclude, digest
from reticent_bench.audits.shadows.audit import audit
from reticent_bench.audits.shadows.figures import Flags
from reticent_bench.audits.shadows.report import NAMES, make_report
from reticent_bench.audits.shadows.settings import ShadowSettings
from reticent_bench.audits.shadows.train import ShadowTrainer
from reticent_bench.audits.tuning.accountant import noise_multiplier
from reticent_bench.audits.tuning.families import family_of, refuse_unsupported
from reticent_bench.audits.tuning.per_sample import Route, choose_route
from reticent_bench.audits.tuning.settings import TuningSettings
from reticent_bench.audits.tuning.training import Schedule, gradient
from reticent_bench.report.result import command_line, provenance
from reticent_detectors.errors import InputError
from reticent_detectors.long_runs.progress import duration, shown


@dataclass(frozen=True, slots=True)
class Run:
    """What is asked for.

    Attributes:
        data: the texts.
        settings: of the shadows.
        model: folder of a checkpoint that they begin with, or None.
        device: a torch device.
        out: folder of the report and of the attempt log.
        table: the report is also written as this path with .md and .json; None for no copy.
        fail_above: limits as NAME=LIMIT.
    """

    data: LabelledTexts
    settings: ShadowSettings
    model: Path | None
    device: str
    out: Path
    table: Path | None
    fail_above: tuple[str, ...]

    def trainer(self) -> ShadowTrainer:
        """Trains the shadows.

        Raises:
            InputError: the model is no encoder, or cannot be tuned by the method.
        """
        if self.model is not None:
            family = family_of(self.model)
            if family != "encoder":
                raise InputError(f"--model: expected an encoder, got a model of the family {family}.")
            refuse_unsupported(self.model, family, [self.settings.method], TuningSettings(rank=self.settings.rank))
        return ShadowTrainer(self.data, self.settings, self.model, self.device, noise_multiplier)


def run(asked: Run, budget: Budget, say: Callable[[str], None]) -> int:
    """Trains what is not kept yet, attacks, and writes the report.

    Returns:
        The exit code: 0; 1 above a limit; 3 if the budget was spent or a limit could not be measured.
    """
    limits = [Limit.parse(text, NAMES) for text in asked.fail_above]
    trainer = asked.trainer()
    log = AttemptLog(asked.out, _stamp(asked), budget)
    found: Report
    try:
        with shown("step") as advance:

            def train(number: int, member: Flags) -> Outcome:
                advance("shadow", number, asked.settings.shadows)
                return trainer.metered(number, member, asked.out / f"shadow-{number}.pt", budget, advance)

            result = audit(asked.data, asked.settings, log.attempt, train)
        classes, repeated = len(asked.data.classes), asked.data.repeated
        found = make_report(result, asked.settings, _start(asked), classes, repeated)
    except BudgetSpent as stopped:
        say(f"Incomplete: {stopped}")
        kept = f"Incomplete: {len(log)} of {asked.settings.shadows} shadows are kept."
        found = Report("lira", "LiRA on a classifier", (kept,), (), (), dict.fromkeys(NAMES), complete=False)
    finally:
        log.close()
    made_by = provenance(command_line(), asked.settings.seed, ("tokenizers", "peft", "opacus", "scikit-learn", "scipy"))
    code = conclude(asked.out, replace(found, provenance=made_by), limits, say)
    if asked.table is not None and found.complete:
        asked.table.parent.mkdir(parents=True, exist_ok=True)
        for kind in ("md", "json"):
            shutil.copyfile(asked.out / f"report.{kind}", asked.table.with_name(f"{asked.table.name}.{kind}"))
    return code


def plan_lines(asked: Run) -> Iterator[str]:
    """What a run will cost, by a few steps of one shadow. Nothing is written."""
    trainer, settings = asked.trainer(), asked.settings
    member = complementary_halves(len(asked.data), settings.shadows, settings.seed)[0]
    rows = [each for each, yes in zip(trainer.examples, member.tolist(), strict=True) if yes]
    model, schedule = trainer.attached(0), trainer.schedule
    few = replace(schedule, texts=len(rows))
    seconds = _seconds_of_a_step(model, rows, few, trainer)
    noise = "no noise" if trainer.noise is None else f"noise multiplier {trainer.noise.multiplier:.3f}"
    yield (
        f"{settings.shadows} shadows of {len(rows):,} texts each, {schedule.steps} steps a shadow, {noise}, "
        f"{settings.shadows * trainer.tokens:,} tokens together."
    )
    steps = schedule.steps + 0.4 / max(
        schedule.sample_rate, 1e-9
    )  # at the end all texts are read once, without gradients
    total = settings.shadows * steps * seconds
    yield f"About {duration(total)}, by three steps, and the attacks. Nothing was written."
    yield "The same command without --plan starts it; interrupted, it continues shadow by shadow."


def _seconds_of_a_step(model: Any, rows: list[Any], schedule: Schedule, trainer: ShadowTrainer) -> float:
    """The second and third of three steps."""
    route: Route = "loop"
    if trainer.noise is not None:
        route = choose_route(model, trainer.objective.batch(rows[:1] * 2, model.device), trainer.objective)
    began = 0.0
    for step in range(3):
        began = time.perf_counter() if step == 1 else began
        gradient(model, rows, schedule, trainer.noise, step, route, trainer.objective)
    return (time.perf_counter() - began) / 2


def _start(asked: Run) -> str:
    own = asked.settings
    if asked.model is not None:
        return asked.model.name
    return (
        f"BERT with random weights: {own.layers} layers, width {own.width}, at most {own.vocabulary} tokens in the "
        "vocabulary"
    )


def _stamp(asked: Run) -> dict[str, Any]:
    return {
        "audit": "lira",
        "texts": asked.data.digest(),
        "model": None if asked.model is None else digest(asked.model),
        **asked.settings.stamp(),
        "version": __version__,
    }
