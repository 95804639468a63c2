"""Gives long commands the option --plan."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reticent_detectors.long_runs.estimate import Estimate

PLAN_HELP = "Say how long it takes, and how much memory and disk, and start nothing. Measures a few steps first."


def plan_lines(estimate: Estimate, device: str, folder: Path) -> str:
    """Writes an estimate as text, beside the free memory of a device and the free disk at a folder, existing or not."""
    from reticent_detectors.host.memory import free_bytes, free_disk

    return estimate.text(free_bytes(device), free_disk(folder))
