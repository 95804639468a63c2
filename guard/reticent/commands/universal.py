"""Train a detector that fits any host, from collections of several."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from reticent.commands import new_bundle
from reticent_detectors.long_runs.progress import shown

app = typer.Typer(add_completion=False)


@app.command()
def universal(
    out: new_bundle.Out,
    shards: Annotated[list[Path], typer.Argument(help="Collections of two or more hosts, made by 'reticent collect'.")],
    work: Annotated[
        Path | None, typer.Option(help="Folder for checkpoints; an interrupted run goes on from there.")
    ] = None,
    prevalence: new_bundle.Prevalence = 0.5,
    seed: new_bundle.Seed = 0,
    epochs: new_bundle.Epochs = 60,
    dropout: new_bundle.Dropout = 0.3,
    misattributed: new_bundle.Misattributed = 0.3,
    single: new_bundle.Single = False,
    thorough: new_bundle.Thorough = False,
    overwrite: new_bundle.Overwrite = False,
) -> None:
    """Trains on likelihoods, the host's own and under other names. 'reticent calibrate' fits the result to one host."""
    from reticent_detectors.bundle.build_bundle import build_bundle
    from reticent_detectors.collection.shards import ShardReader
    from reticent_detectors.detector.calibration import logit_of
    from reticent_detectors.detector.cross_fit import cross_fit
    from reticent_detectors.detector.defaults import ensemble_of, universal_config
    from reticent_detectors.fitting.multi_host_pool import GATHERED, pool

    logit_of(prevalence)  # refused before anything is trained
    new_bundle.check_new(out, overwrite)
    table = pool([ShardReader(folder).load(GATHERED) for folder in shards])
    table = table.select(table.labels["person_split"] != "test")
    config = universal_config(seed=seed, epochs=epochs, dropout=dropout, misattributed=misattributed)
    with shown("epoch") as advance:
        detector = cross_fit(table, (config,) if single else ensemble_of(config), folder=work, progress=advance)
    fits = {"fingerprint": {}, "behaviour": {}, "universal": table.settings["hosts"]}
    bundle = build_bundle(out, detector, table, fits, prevalence=prevalence, thorough=thorough, overwrite=overwrite)
    typer.echo(
        f"{out}: {len(shards)} hosts, validation loss {detector.validation_loss:.4f}; "
        f"thresholds at false positives of {new_bundle.shown_thresholds(bundle.calibration)}. "
        "On another host these rates are others: fit them with 'reticent calibrate'."
    )
