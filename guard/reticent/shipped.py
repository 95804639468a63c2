"""The detector that comes with Reticent: it fits any model, and was trained on none that anybody runs."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from reticent_detectors.errors import InputError


def universal_bundle() -> Path:
    """The folder of the universal bundle; CARD.md in it says on which hosts it was trained.

    Raises:
        InputError: this installation has none.
    """
    folder = Path(str(files("reticent") / "assets" / "universal"))
    if not (folder / "manifest.json").is_file():
        raise InputError(
            f"{folder} holds no universal bundle. Install the released wheel or a full checkout, or make one with "
            "'reticent universal' and name it."
        )
    return folder
