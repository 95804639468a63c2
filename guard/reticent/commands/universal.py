"""Train a detector that fits any host, from collections of several."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from reticent.commands.train import RATES_SHOWN
from reticent_detectors.long_runs.progress import shown

app = typer.Typer(add_completion=False)


@app.command()
def universal(
    out: Annotated[Path, typer.Argument(help="Folder for the bundle.")],
    shards: Annotated[list[Path], typer.Argument(help="Collections of two or more hosts, made by 'reticent collect'.")],
    work: Annotated[
        Path | None, typer.Option(help="Folder for checkpoints; an interrupted run goes on from there.")
    ] = None,
    prevalence: Annotated[float, typer.Option(help="Share of memorised spans to calibrate for.")] = 0.5,
    seed: Annotated[int, typer.Option(help="Seed of the network's start and of the order of rows.")] = 0,
    epochs: Annotated[int, typer.Option(help="Most passes over the rows.")] = 60,
    dropout: Annotated[float, typer.Option(help="Share of activations dropped while training.")] = 0.3,
    misattributed: Annotated[float, typer.Option(help="Weight of other people's values among the positives.")] = 0.3,
    single: Annotated[
        bool,
        typer.Option(
            "--single", help="Train one network, with a fifth of the people held out, instead of an ensemble."
        ),
    ] = False,
    thorough: Annotated[
        bool,
        typer.Option("--thorough", help="Read spans again under other names even where there is no doubt."),
    ] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing bundle.")] = False,
) -> None:
    """Trains on likelihoods, the host's own and under other names. 'reticent calibrate' fits the result to one host."""
    from reticent_detectors.bundle.build_bundle import build_bundle
    from reticent_detectors.collection.shards import ShardReader
    from reticent_detectors.detector.calibration import logit_of
    from reticent_detectors.detector.cross_fit import cross_fit
    from reticent_detectors.detector.defaults import ensemble_of, universal_config
    from reticent_detectors.errors import InputError
    from reticent_detectors.fitting.multi_host_pool import GATHERED, pool, reference_quantiles

    logit_of(prevalence)  # refused before anything is trained
    if out.exists() and not overwrite:
        raise InputError(f"{out} exists; choose another path or pass --overwrite.")
    table = pool([ShardReader(folder).load(GATHERED) for folder in shards])
    table = table.select(table.labels["person_split"] != "test")
    config = universal_config(seed=seed, epochs=epochs, dropout=dropout, misattributed=misattributed)
    with shown("epoch") as advance:
        detector = cross_fit(table, (config,) if single else ensemble_of(config), folder=work, progress=advance)
    fits = {
        "fingerprint": {},
        "behaviour": {},
        "universal": table.settings["hosts"],
        "strangers": reference_quantiles(detector.logits(table), table),
    }
    bundle = build_bundle(out, detector, table, fits, prevalence=prevalence, thorough=thorough, overwrite=overwrite)
    thresholds = ", ".join(
        f"{float(rate):.0%}: {bundle.calibration.threshold(float(rate)):.3f}" for rate in RATES_SHOWN
    )
    typer.echo(
        f"{out}: {len(shards)} hosts, validation loss {detector.validation_loss:.4f}; "
        f"thresholds at false positives of {thresholds}. "
        "On another host these rates are others: fit them with 'reticent calibrate'."
    )
