"""The option --plan, which long commands share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reticent_detectors.long_runs.estimate import Estimate

PLAN_HELP = "Say how long it takes, and how much memory and disk, and start nothing. Measures a few steps first."


def plan_lines(estimate: Estimate, device: str, folder: Path) -> str:
    """An estimate as text, beside what is free on a device and where a folder is, or will be."""
    from reticent_detectors.host.memory import free_bytes, free_disk

    return estimate.text(free_bytes(device), free_disk(folder))
