"""A worker of vLLM that keeps the states of all answers and writes them to files, for `inside_states`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from reticent.integrations.vllm_rows import KeptRows
from reticent.integrations.vllm_worker import GuardWorker

LONGEST = 512
"""Longest answer of which all states are kept, in tokens."""
MOST = 4096
"""Most answers."""


class DumpingWorker(GuardWorker):
    """Keeps the states of all answers."""

    def load_model(self, *arguments: Any, **options: Any) -> None:
        """Loads the model."""
        super().load_model(*arguments, **options)
        self._rows = KeptRows(LONGEST, MOST)

    def dump_states(self, folder: str) -> int:
        """Writes a file for each request: its id, the places of its rows, and their states [n, L, d]."""
        for number, name in enumerate(self._rows.names):
            places = self._rows.places(name)
            states = self._rows.states(name, places)
            if states is not None:
                np.savez(Path(folder) / f"{number}.npz", name=name, places=places, states=states.float().numpy())
        return len(self._rows.names)
