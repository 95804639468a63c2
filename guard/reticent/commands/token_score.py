"""Fit a token score, the default detector, to collections of several models."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from reticent.commands.train import RATES_SHOWN

app = typer.Typer(add_completion=False)


@app.command("token-score")
def token_score(
    out: Annotated[Path, typer.Argument(help="Folder for the bundle.")],
    shards: Annotated[
        list[Path], typer.Argument(help="Collections of two or more copies, made by 'reticent collect --output-only'.")
    ],
    prevalence: Annotated[float, typer.Option(help="Share of memorised spans to calibrate for.")] = 0.5,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing bundle.")] = False,
) -> None:
    """Fits logistic regression on token log-probabilities, with and without a base. The result fits any model."""
    from reticent_detectors.collection.shards import ShardReader
    from reticent_detectors.detector.calibration import logit_of
    from reticent_detectors.errors import InputError
    from reticent_detectors.fitting.token_score_bundle import ARRAYS, build_token_score

    logit_of(prevalence)  # refused before anything is read
    if out.exists() and not overwrite:
        raise InputError(f"{out} exists; choose another path or pass --overwrite.")
    tables = [ShardReader(folder).load(ARRAYS) for folder in shards]
    bundle = build_token_score(out, tables, prevalence=prevalence, overwrite=overwrite)
    shown = ", ".join(f"{float(rate):.0%}: {bundle.calibration.threshold(float(rate)):.3f}" for rate in RATES_SHOWN)
    typer.echo(
        f"{out}: {len(shards)} copies; thresholds at false positives of {shown}. "
        "On another model these rates are others: fit them with 'reticent calibrate'."
    )
