"""Gives long commands the option --plan, which says at once that it measures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from reticent_detectors.long_runs.estimate import Estimate


def say_that_it_measures(plan: bool) -> bool:
    """Prints what --plan does before anything is loaded, as loading and measuring may take minutes."""
    if plan:
        typer.echo("Loading, then timing a few steps, which may take some minutes. Nothing is started.", err=True)
    return plan


Plan = Annotated[
    bool,
    typer.Option(
        "--plan",
        help="Say how long it takes, and how much memory and disk, and start nothing. Measures a few steps first.",
        callback=say_that_it_measures,
    ),
]


def plan_lines(estimate: Estimate, device: str, folder: Path) -> str:
    """Writes an estimate as text, beside the free memory of a device and the free disk at a folder, existing or not."""
    from reticent_detectors.host.memory import free_bytes, free_disk

    return estimate.text(free_bytes(device), free_disk(folder))
