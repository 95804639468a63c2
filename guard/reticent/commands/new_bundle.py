"""What the commands that write a bundle share: options, the check of its folder, and the thresholds that they show."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reticent_detectors.errors import InputError

if TYPE_CHECKING:
    from reticent_detectors.detector.calibration import Calibration

RATES_SHOWN = ("0.01", "0.05", "0.08")
Out = Annotated[Path, typer.Argument(help="Folder for the bundle.")]
Prevalence = Annotated[float, typer.Option(help="Share of memorised spans to calibrate for.")]
Seed = Annotated[int, typer.Option(help="Seed of the network's start and of the order of rows.")]
Epochs = Annotated[int, typer.Option(help="Most passes over the rows.")]
Dropout = Annotated[float, typer.Option(help="Share of activations dropped while training.")]
Misattributed = Annotated[float, typer.Option(help="Weight of other people's values among the positives.")]
Single = Annotated[
    bool,
    typer.Option("--single", help="Train one network, with a fifth of the people held out, instead of an ensemble."),
]
Thorough = Annotated[
    bool, typer.Option("--thorough", help="Read spans again under other names even where there is no doubt.")
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace an existing bundle.")]


def check_new(out: Path, overwrite: bool) -> None:
    """Raises InputError for a folder that exists, unless it may be replaced."""
    if out.exists() and not overwrite:
        raise InputError(f"{out} exists; choose another path or pass --overwrite.")


def shown_thresholds(calibration: Calibration) -> str:
    """Writes the thresholds at the false-positive rates that a command shows."""
    return ", ".join(f"{float(rate):.0%}: {calibration.threshold(float(rate)):.3f}" for rate in RATES_SHOWN)
