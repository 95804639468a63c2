"""`reticent bench lira`: membership inference on a classifier of one's own texts, by shadow models."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from reticent.commands.planned import say_that_it_measures


def lira(
    texts: Annotated[Path, typer.Argument(help="JSON lines with text and label.")],
    model: Annotated[
        Path | None,
        typer.Option(
            help=(
                "Folder of an encoder's checkpoint that shadows begin with. "
                "Without it, a tiny BERT with random weights."
            )
        ),
    ] = None,
    most: Annotated[int | None, typer.Option(min=20, help="So many of the texts, at random; all if not given.")] = None,
    shadows: Annotated[int, typer.Option(min=6, max=128, help="Models; an even number. The paper has 128.")] = 16,
    epochs: Annotated[int, typer.Option(min=0, help="Expected passes over a half of the texts.")] = 10,
    batch: Annotated[int, typer.Option(min=1, help="Expected texts of a step.")] = 64,
    rate: Annotated[float, typer.Option(help="Learning rate of the first step.")] = 1e-3,
    rows_at_once: Annotated[int, typer.Option(min=1, help="Texts whose gradients are in memory together.")] = 64,
    method: Annotated[str, typer.Option(help="full or lora.")] = "full",
    epsilon: Annotated[
        float | None, typer.Option(help="Trains with differential privacy; without if not given.")
    ] = None,
    delta: Annotated[float | None, typer.Option(help="Of differential privacy; 1e-5 if not given.")] = None,
    clip: Annotated[float | None, typer.Option(help="Largest norm of a text's gradient; 0.1 if not given.")] = None,
    width: Annotated[int | None, typer.Option(min=16, help="Of the tiny BERT; 64 if not given.")] = None,
    layers: Annotated[int | None, typer.Option(min=1, help="Of the tiny BERT; 2 if not given.")] = None,
    vocabulary: Annotated[int | None, typer.Option(min=100, help="Of the tiny BERT; 4000 if not given.")] = None,
    longest: Annotated[int, typer.Option(min=8, help="Tokens of a text; longer ones are cut.")] = 64,
    device: Annotated[str, typer.Option(help="A torch device.")] = "cpu",
    max_tokens: Annotated[int | None, typer.Option(help="Tokens trained on and scored, at most.")] = None,
    max_minutes: Annotated[float | None, typer.Option(help="Minutes, at most; looked at before each shadow.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of all that is drawn.")] = 0,
    out: Annotated[
        Path, typer.Option(help="Folder for report.html, report.md, report.json, junit.xml and attempts.jsonl.")
    ] = Path("lira"),
    table: Annotated[Path | None, typer.Option(help="Also writes the report as TABLE.md and TABLE.json.")] = None,
    fail_above: Annotated[
        list[str] | None,
        typer.Option(help="NAME=LIMIT: exit code 1 if the upper end of a headline figure is above the limit."),
    ] = None,
    plan: Annotated[
        bool, typer.Option("--plan", help="Only say what it will cost, by a few steps.", callback=say_that_it_measures)
    ] = False,
) -> None:
    """Tells members of a classifier's training data by shadow models (LiRA). Interrupted, it continues.

    Exit codes: 0; 1 above a limit; 2 bad input; 3 incomplete, as when the budget is spent.
    """
    from reticent_bench.audits.budget import Budget
    from reticent_bench.audits.labelled_texts import read_labelled
    from reticent_bench.audits.options import refuse_alone, refuse_together
    from reticent_bench.audits.shadows.run import Run, plan_lines, run
    from reticent_bench.audits.shadows.settings import ShadowSettings

    of_the_tiny: dict[str, Any] = {"width": width, "layers": layers, "vocabulary": vocabulary}
    for name, value in of_the_tiny.items():
        refuse_together(f"--{name}", value, "--model", model is not None, "The checkpoint has its own; leave it out.")
    of_privacy: dict[str, Any] = {"delta": delta, "clip": clip}
    for name, value in of_privacy.items():
        refuse_alone(f"--{name}", value, "--epsilon", epsilon is not None)
    given = {name: value for name, value in {**of_the_tiny, **of_privacy}.items() if value is not None}
    settings = ShadowSettings(
        shadows=shadows,
        epochs=epochs,
        batch=batch,
        rate=rate,
        rows_at_once=rows_at_once,
        method=method,
        epsilon=epsilon,
        longest=longest,
        seed=seed,
        **given,
    )
    data = read_labelled(texts, most, seed)
    asked = Run(data, settings, model, device, out, table, tuple(fail_above or ()))
    if plan:
        for line in plan_lines(asked):
            typer.echo(line)
        return
    budget = Budget(max_tokens=max_tokens, max_minutes=max_minutes)
    raise typer.Exit(run(asked, budget, partial(typer.echo, err=True)))
