"""Fit a token score, the default detector, to collections of several models."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from reticent.commands import new_bundle

app = typer.Typer(add_completion=False)


@app.command("token-score")
def token_score(
    out: new_bundle.Out,
    shards: Annotated[
        list[Path], typer.Argument(help="Collections of two or more copies, made by 'reticent collect --output-only'.")
    ],
    prevalence: new_bundle.Prevalence = 0.5,
    overwrite: new_bundle.Overwrite = False,
) -> None:
    """Fits logistic regression on token log-probabilities, with and without a base. The result fits any model."""
    from reticent_detectors.collection.shards import ShardReader
    from reticent_detectors.detector.calibration import logit_of
    from reticent_detectors.fitting.token_score_bundle import ARRAYS, build_token_score

    logit_of(prevalence)  # refused before anything is read
    new_bundle.check_new(out, overwrite)
    tables = [ShardReader(folder).load(ARRAYS) for folder in shards]
    bundle = build_token_score(out, tables, prevalence=prevalence, overwrite=overwrite)
    shown = new_bundle.shown_thresholds(bundle.calibration)
    typer.echo(
        f"{out}: {len(shards)} copies; thresholds at false positives of {shown}. "
        "On another model these rates are others: fit them with 'reticent calibrate'."
    )
