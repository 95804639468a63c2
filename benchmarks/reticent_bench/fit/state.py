"""Keeps which steps of a fit are done, so that the same command goes on, and other settings are refused."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reticent_detectors.collection.shard_index import differences
from reticent_detectors.errors import InputError

STATE = "fit.json"
FORMAT = 1


class FitState:
    """The state file in the work folder of a fit: its settings, and a digest of what each finished step made.

    Args:
        folder: the work folder. It need not exist; nothing is written before `begin`.
        settings: as JSON.

    Raises:
        InputError: the folder was begun with other settings, or its state file cannot be read.
    """

    def __init__(self, folder: Path, settings: Mapping[str, Any]) -> None:
        self.folder, self._settings = folder, dict(settings)
        self._done: dict[str, str] = {}
        if not (folder / STATE).exists():
            if folder.exists() and any(folder.iterdir()):
                raise InputError(f"{folder} is not empty and holds no {STATE}; choose another OUT, or delete it.")
            return
        try:
            content = json.loads((folder / STATE).read_text())
            before, self._done = dict(content["settings"]), dict(content["done"])
            known = content["format"] == FORMAT
        except (ValueError, KeyError, TypeError):
            raise InputError(f"{folder / STATE} is cut short or was edited; delete {folder} to begin anew.") from None
        if not known:
            raise InputError(f"{folder} is of another version; delete it to begin anew.")
        if other := differences(before, self._settings):
            raise InputError(
                f"{folder} was begun with other settings ({other}). Give those to go on, choose another OUT, or delete "
                f"{folder} to begin anew."
            )

    def begin(self) -> None:
        """Writes the settings, so that what is made from now on belongs to them."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self._write()

    def is_done(self, step: str) -> bool:
        """Return whether the step is finished."""
        return step in self._done

    def check(self, step: str, digest: str) -> None:
        """Raises InputError unless what a finished step made still has the digest that it had."""
        if self._done[step] != digest:
            raise InputError(
                f"What the step {step!r} made in {self.folder} was changed since; delete {self.folder} to begin anew."
            )

    def finish(self, step: str, digest: str) -> None:
        """Notes that a step is finished, with the digest of what it made."""
        self._done[step] = digest
        self._write()

    def _write(self) -> None:
        content = {"format": FORMAT, "settings": self._settings, "done": self._done}
        fresh = self.folder / f"{STATE}.tmp"
        fresh.write_text(json.dumps(content, indent=1) + "\n")
        os.replace(fresh, self.folder / STATE)
