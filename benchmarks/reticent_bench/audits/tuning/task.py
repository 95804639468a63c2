"""What a matrix asks of a family of models: how one is loaded, what it learns, and what is measured of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

from reticent_bench.audits.labelled_texts import LabelledTexts
from reticent_bench.audits.target import Target
from reticent_bench.audits.tuning.families import Family, family_of
from reticent_bench.audits.tuning.objectives import Objective
from reticent_bench.audits.tuning.settings import Cell, TuningSettings
from reticent_bench.audits.tuning.texts import TuningTexts
from reticent_detectors.errors import InputError

Texts = TuningTexts | LabelledTexts
"""Canaries and documents for models that generate, texts with labels for encoders."""
Figures = dict[str, Any]


class Task(Protocol):
    """What a family of models is tuned on and measured by. Methods are those of `settings.METHODS`."""

    family: Family

    def start(self, folder: Path, method: str, work: Path, device: str) -> Path:
        """The folder of the checkpoint that tuning begins with: the given one, or a copy in `work` with a head."""
        ...

    def load(self, folder: Path, method: str, device: str) -> tuple[Any, Any]:
        """Model and tokenizer of a checkpoint or an adapter."""
        ...

    def examples(self, model: Any, tokenizer: Any, method: str) -> list[Any]:
        """Training texts in the form of the objective."""
        ...

    def objective(self, tokenizer: Any, method: str) -> Objective:
        """What is learned of an example."""
        ...

    def scores(self, model: Any, tokenizer: Any, method: str) -> Any:
        """What the model before tuning says of members and others."""
        ...

    def measure(self, cell: Cell | None, model: Any, tokenizer: Any, method: str, base: Any, guard: bool) -> Figures:
        """The figures of a tuned model, or of the model before tuning, as JSON. `base` is of `scores`."""
        ...

    def targets(self, cell: Cell | None, model: Any, tokenizer: Any, method: str, guard: bool) -> dict[str, Target]:
        """The model as targets of questions, alone under `off`, and behind guards under other names."""
        ...

    def blind(self) -> Figures:
        """AUC and verdict of a classifier that sees the texts alone."""
        ...


def make_task(folder: Path, texts: Texts, settings: TuningSettings) -> Task:
    """The task of a checkpoint's family.

    Raises:
        InputError: the texts are not of the family's kind.
    """
    from reticent_bench.audits.tuning.decoder_task import DecoderTask
    from reticent_bench.audits.tuning.encoder_task import EncoderTask
    from reticent_bench.audits.tuning.seq2seq_task import Seq2SeqTask

    family = family_of(folder)
    if isinstance(texts, LabelledTexts):
        if family != "encoder":
            raise InputError(
                f"Texts with labels are for encoders; this model is of the family {family}. Leave them out."
            )
        return EncoderTask(texts, settings)
    if family == "encoder":
        raise InputError("An encoder generates no text. Give texts with labels as --texts.")
    return DecoderTask(texts, settings) if family == "decoder" else Seq2SeqTask(texts, settings)
