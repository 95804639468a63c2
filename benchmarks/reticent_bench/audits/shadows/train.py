"""Trains a shadow: a fresh encoder on the texts of its half, and its confidence of every text's class."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch

from reticent_bench.audits.budget import Budget
from reticent_bench.audits.labelled_texts import LabelledTexts
from reticent_bench.audits.resumable_attempts import Outcome
from reticent_bench.audits.shadows.figures import Flags
from reticent_bench.audits.shadows.settings import ShadowSettings
from reticent_bench.audits.shadows.tiny_encoder import tiny_encoder, train_word_pieces
from reticent_bench.audits.tuning import methods
from reticent_bench.audits.tuning.cell import NoiseFor
from reticent_bench.audits.tuning.encoder_task import classifier_objective, encode, judged, longest_of
from reticent_bench.audits.tuning.families import load_encoder
from reticent_bench.audits.tuning.objectives import Labelled
from reticent_bench.audits.tuning.settings import TuningSettings
from reticent_bench.audits.tuning.training import Noise, Schedule, tune
from reticent_detectors.host.saved_tokenizer import load_tokenizer
from reticent_detectors.long_runs.progress import Advance, unseen

_SEEDS_EACH = 1_000
"""Seeds of an audit's seed, one a shadow."""


class ShadowTrainer:
    """Trains shadows of one recipe on halves of the same texts.

    Args:
        data: the texts.
        settings: of the shadows.
        folder: of an encoder's checkpoint that shadows begin with; a tiny BERT with random weights if None.
        device: a torch device.
        noise_for: the accountant, called with differential privacy alone.
    """

    def __init__(
        self, data: LabelledTexts, settings: ShadowSettings, folder: Path | None, device: str, noise_for: NoiseFor
    ) -> None:
        self._data, self._settings, self._folder, self._device = data, settings, folder, device
        self.tokenizer: Any = (
            train_word_pieces(data.texts, settings.vocabulary, settings.longest)
            if folder is None
            else load_tokenizer(folder)
        )
        self.objective = classifier_objective(self.tokenizer, settings.method, len(data.classes))
        longest = settings.longest if folder is None else min(settings.longest, longest_of(self.fresh(0)))
        self.examples: list[Labelled] = encode(
            self.tokenizer, data.texts, data.labels, settings.method, len(data.classes), longest
        )
        self.schedule = self._schedule(0)
        self.noise: Noise | None = None
        if settings.epsilon is not None:
            schedule = self.schedule
            multiplier = noise_for(settings.epsilon, schedule.sample_rate, schedule.steps, settings.delta)
            self.noise = Noise(settings.clip, multiplier)

    def __repr__(self) -> str:
        return f"ShadowTrainer({len(self._data)} texts)"

    @property
    def tokens(self) -> int:
        """Tokens that a shadow reads: its half in every epoch, and all texts once."""
        every = sum(len(each.ids) for each in self.examples)
        return round(every * (1 + self._settings.epochs / 2))

    def fresh(self, number: int) -> Any:
        """An untrained shadow with its own random weights; of a checkpoint, with its own random head."""
        seed = self._settings.seed * _SEEDS_EACH + number
        classes = len(self._data.classes)
        if self._folder is not None:
            return load_encoder(self._folder, self._settings.method, classes, seed, self._device)[0]
        own = self._settings
        return tiny_encoder(self.tokenizer, classes, own.width, own.layers, own.longest, seed).to(self._device)

    def attached(self, number: int) -> Any:
        """An untrained shadow with what is trained of it chosen."""
        model = self.fresh(number)
        settings = TuningSettings(rank=self._settings.rank)
        torch.manual_seed(self._settings.seed * _SEEDS_EACH + number)
        is_private = self._settings.epsilon is not None
        tuned = methods.attach(model, self._settings.method, settings, is_private, methods.TASK_TYPES["encoder"])
        if is_private:
            tuned.set_attn_implementation("eager")  # torch has no rule for vectorising the others
        return tuned

    def train(self, number: int, member: Flags, checkpoint: Path, advance: Advance = unseen) -> Outcome:
        """Trains a shadow. Interrupted, it continues at its last checkpoint.

        Args:
            number: of the shadow.
            member: whether it is trained on the text [texts].
            checkpoint: file of an interrupted training; removed at the end.
            advance: shows the progress.

        Returns:
            `confidences` of the true class, `right` (whether the likeliest class is true) and `noise_multiplier`.
        """
        model = self.attached(number)
        rows = [self.examples[place] for place in np.flatnonzero(member)]
        name = f"shadow {number}"
        tune(
            model, rows, self._schedule(number), self.noise, checkpoint, objective=self.objective,
            progress=lambda step, steps, loss: advance(name, step, steps, f"loss {loss:.3f}"),
        )  # fmt: skip
        losses, right = judged(model, self.objective, self.examples, self._data.labels)
        checkpoint.unlink(missing_ok=True)
        multiplier = None if self.noise is None else self.noise.multiplier
        return {
            "confidences": np.exp(-losses).clip(0.0, 1.0).tolist(),
            "right": right.tolist(),
            "noise_multiplier": multiplier,
        }

    def metered(self, number: int, member: Flags, checkpoint: Path, budget: Budget, advance: Advance) -> Outcome:
        """`train`, counted against a budget before.

        Raises:
            BudgetSpent: the shadow does not fit into it.
        """
        budget.spend(1, self.tokens)
        return self.train(number, member, checkpoint, advance)

    def _schedule(self, number: int) -> Schedule:
        own = self._settings
        texts = len(self._data) // 2
        seed = own.seed * _SEEDS_EACH + number
        return Schedule(texts, own.batch, own.epochs, own.rate, seed, own.rows_at_once)
