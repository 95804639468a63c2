"""Finds the detectors that come with Reticent and fit any model."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from reticent_detectors.errors import InputError


def default_bundle() -> Path:
    """Gives the folder of the token score, which judges where no bundle is named.

    CARD.md in it says on which models it was fitted.

    Raises:
        InputError: this installation has none.
    """
    return _shipped("token-score", "reticent token-score")


def universal_bundle() -> Path:
    """Gives the folder of the universal detector.

    `reticent train --with-universal` averages its scores with those of a copy's own detector.

    Raises:
        InputError: this installation has none.
    """
    return _shipped("universal", "reticent universal")


def _shipped(name: str, command: str) -> Path:
    folder = Path(str(files("reticent") / "assets" / name))
    if not (folder / "manifest.json").is_file():
        raise InputError(f"{folder} holds no bundle. Install Reticent anew, or make one with '{command}' and name it.")
    return folder
