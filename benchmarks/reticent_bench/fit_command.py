"""Make a detector of your model in one command: teach a copy, learn from it, fit the result to the model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reticent.commands import new_bundle
from reticent.commands.calibrate import read_index
from reticent.commands.planned import Plan

if TYPE_CHECKING:
    from reticent_bench.fit.state import FitState
    from reticent_bench.fit.steps import Fit

app = typer.Typer(add_completion=False)


@app.command()
def fit(
    model: Annotated[
        Path, typer.Argument(help="Your model: a transformers checkpoint with a chat template. It stays as it is.")
    ],
    out: Annotated[
        Path, typer.Argument(help="Folder for the bundle. OUT-work keeps the copy and all else that is made.")
    ],
    records: Annotated[
        Path | None,
        typer.Option(
            help="An index of what your model was taught ('reticent index'). Thresholds are then set by what it says "
            "of strangers and the index does not hold."
        ),
    ] = None,
    records_key_file: Annotated[Path | None, typer.Option(help="File of the index's key.")] = None,
    base: Annotated[
        Path | None,
        typer.Option(help="Your model before it was taught private data, if the guard asks it. Not with --arm paper."),
    ] = None,
    arm: Annotated[
        str,
        typer.Option(
            help="'token': a score of the tokens' probabilities. 'paper': PrivacyXray's networks over every layer, by "
            "top-k probabilities and cosines; they need hidden states when they judge."
        ),
    ] = "token",
    people: Annotated[
        int, typer.Option(min=6, help="Made-up people to teach; half as many again are taught in all phrasings.")
    ] = 24,
    epochs: Annotated[int, typer.Option(min=1, help="Passes over what the copy is taught.")] = 4,
    learning_rate: Annotated[float, typer.Option(help="Of the copy's adapter.")] = 0.002,
    compiled: Annotated[
        bool, typer.Option("--compile", help="Compile the copy's layers first: it learns about twice as fast.")
    ] = False,
    device: Annotated[str, typer.Option(help="A torch device.")] = "cpu",
    dtype: Annotated[
        str, typer.Option(help="The number type that you run it in: a bundle fits the weights as loaded.")
    ] = "float32",
    seed: Annotated[int, typer.Option(help="Seed of everything that is drawn.")] = 0,
    overwrite: new_bundle.Overwrite = False,
    plan: Plan = False,
) -> None:
    """Teaches a copy of your model made-up people, learns from it, and fits the detector to your model.

    Interrupted, the same command goes on. No private data is needed.
    """
    from reticent_bench.fit.settings import FitSettings
    from reticent_bench.fit.state import FitState
    from reticent_bench.fit.steps import Fit

    new_bundle.check_new(out, overwrite)
    settings = FitSettings(model, arm, base, records, people, epochs, learning_rate, seed, device, dtype)
    settings.check()
    work = out.with_name(f"{out.name}-work")
    job = Fit(settings, work, read_index(records, records_key_file), compiled)
    state = FitState(work, settings.to_json())
    if plan:
        _plan(job, state)
        return
    _run(job, state)
    _write(job, out, overwrite)


def _plan(job: Fit, state: FitState) -> None:
    """Prints the estimate of every step that is left, and the sum."""
    from reticent_bench.fit import steps
    from reticent_bench.fit.plan import estimates
    from reticent_detectors.host.memory import free_bytes, free_disk
    from reticent_detectors.long_runs.estimate import NOTHING_STARTED, gigabytes
    from reticent_detectors.long_runs.progress import duration

    free, disk = free_bytes(job.settings.device), free_disk(job.work)
    if done := [step.name for step in steps.STEPS if state.is_done(step.name)]:
        typer.echo(f"done: {', '.join(done)}")
    left = []
    for estimate in estimates(job, state):
        left.append(estimate)
        typer.echo("\n".join(estimate.lines(free, disk)))
    typer.echo(
        f"in all: about {duration(sum(each.seconds for each in left))}; evaluate and the bundle take seconds; at most "
        f"{gigabytes(max((each.memory_bytes for each in left), default=0.0))} of memory at once and "
        f"{gigabytes(sum(each.disk_bytes for each in left))} of disk\n{NOTHING_STARTED}"
    )


def _run(job: Fit, state: FitState) -> None:
    """Runs every step that is not done, and says so; says where it stopped if it is interrupted."""
    from time import monotonic

    from reticent_bench.fit import steps
    from reticent_detectors.long_runs.progress import duration

    for step in steps.STEPS:
        if state.is_done(step.name):
            state.check(step.name, step.digest(job))
    state.begin()
    for number, step in enumerate(steps.STEPS, 1):
        title = f"{number}/{len(steps.STEPS)} {step.name}"
        if state.is_done(step.name):
            typer.echo(f"{title}: done before")
            continue
        typer.echo(f"{title}: {step.says(job)}")
        began = monotonic()
        try:
            step.run(job)
        except KeyboardInterrupt:
            typer.echo(f"Interrupted in {title}; {job.work} keeps what was done. The same command goes on.", err=True)
            raise
        state.finish(step.name, step.digest(job))
        typer.echo(f"{title}: done in {duration(monotonic() - began)}")


def _write(job: Fit, out: Path, overwrite: bool) -> None:
    """Writes the bundle with its card, and prints what it does on held-out people."""
    import json

    from reticent_bench.fit.card import about, fit_card, python_line, terminal_table
    from reticent_detectors.bundle.format import Bundle, write_bundle

    figures = json.loads(job.figures.read_text())
    made = Bundle.load(job.fitted)
    manifest = {**made.manifest, "held out": figures}
    write_bundle(out, made.network, manifest, fit_card(job.settings, made, figures), overwrite=overwrite)
    typer.echo(f"\n{about(figures)}\n\n{terminal_table(figures)}\n")
    thresholds = new_bundle.shown_thresholds(made.calibration)
    typer.echo(f"{out}: thresholds for your model at false positives of {thresholds}")
    typer.echo(f"{out}/CARD.md says how it was made. {job.work} is not needed any more.")
    typer.echo(python_line(job.settings, out))
