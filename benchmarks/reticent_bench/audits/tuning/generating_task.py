"""What the tasks of models that generate share: the checkpoint that tuning begins with, and what is measured."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

from reticent_bench.audits.target import Target
from reticent_bench.audits.tuning.measuring import measure
from reticent_bench.audits.tuning.settings import Cell, TuningSettings
from reticent_bench.audits.tuning.texts import TuningTexts


class GeneratingTask(ABC):
    """Canaries and documents for a model that generates."""

    def __init__(self, texts: TuningTexts, settings: TuningSettings) -> None:
        self._texts, self._settings = texts, settings

    def start(self, folder: Path, method: str, work: Path, device: str) -> Path:
        """The folder itself: a model that generates has its head."""
        return folder

    def measure(
        self, cell: Cell | None, model: Any, tokenizer: Any, method: str, base: Any, guard: bool
    ) -> dict[str, Any]:
        """See `measuring.measure`."""
        asked = self.targets(cell, model, tokenizer, method, guard)
        return measure(asked, self._texts.for_method(method), base, self._settings.samples, self._settings.seed)

    @abstractmethod
    def targets(self, cell: Cell | None, model: Any, tokenizer: Any, method: str, guard: bool) -> dict[str, Target]:
        """See `task.Task`."""
