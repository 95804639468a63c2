"""Workers of vLLM for `inside_states` and for tests: one writes all states to files, others fail or lose states."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
from vllm.distributed import get_tensor_model_parallel_rank

from reticent.integrations.vllm_rows import KeptRows
from reticent.integrations.vllm_states import SECONDS
from reticent.integrations.vllm_worker import GuardWorker

LONGEST, MOST = 256, 512
"""Longest answer of which all states are kept, in tokens, and most answers."""
FAILS_AT = 20


class DumpingWorker(GuardWorker):
    """Keeps the states of all answers."""

    def _memory(self, rows: int, *shape: Any) -> KeptRows:
        return KeptRows(MOST, LONGEST, *shape)

    def dump_states(self, folder: str) -> int:
        """Writes a file for each request: its id, the places of its rows, and their states [n, L, d]."""
        answers = self._answers
        assert answers is not None
        for number, name in enumerate(answers.names):
            places = answers.places(name)
            states = answers.states(name, places)
            if states is not None:
                np.savez(Path(folder) / f"{number}.npz", name=name, places=places, states=states.float().numpy())
        return len(answers.names)


class FailingWorker(GuardWorker):
    """Fails when it takes the states of its step `FAILS_AT`, as a fault in the guard's own part would."""

    def _take(self, *arguments: Any) -> None:
        super()._take(*arguments)
        if self._answers is not None and self._answers.steps >= FAILS_AT:
            raise RuntimeError("a fault that a test wants")


class DroppingWorker(GuardWorker):
    """Loses the states of every third step."""

    def _take(self, *arguments: Any) -> None:
        self._taken = getattr(self, "_taken", 0) + 1
        if self._taken % 3:
            super()._take(*arguments)


class SilentWorker(GuardWorker):
    """Its second rank answers a question about a value only when the guard waits no more."""

    def reticent_features(self, *arguments: Any) -> dict[str, Any] | None:
        """Gives `GuardWorker.reticent_features`, late."""
        if get_tensor_model_parallel_rank():
            time.sleep(SECONDS + 5.0)
        return super().reticent_features(*arguments)
