"""What a fit is made with, and how a run tells that it goes on with the same."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from reticent_detectors.collection.plan import Plan
from reticent_detectors.detector.defaults import default_config, ensemble_of
from reticent_detectors.detector.network import PAPER_GROUPS
from reticent_detectors.detector.training_config import TrainingConfig
from reticent_detectors.errors import InputError
from reticent_detectors.features.features import FeatureSpec
from reticent_detectors.host.load import checkpoint_of
from reticent_detectors.host.teach import TAUGHT, check_no_adapter, weight_files
from reticent_detectors.synth.hosts import Tuning

ARMS = ("token", "paper")
RANK, BATCH_TOKENS = 32, 2048
"""Rank of the copy's adapter, and tokens a step (`docs/decisions/teaching-real-models.md`)."""
TRAIN_PHRASINGS, TEST_PHRASINGS = 3, 4
"""Questions for each value of people who are learned from, and of people who are held out."""
LEAST_STRANGERS = 24
"""People whom nobody was taught, of whom the copy and the model are asked at least; else as many as are taught."""


@dataclass(frozen=True)
class FitSettings:
    """The settings that the bundle depends on.

    Attributes:
        model: folder of the owner's checkpoint.
        arm: `token` for a token score, `paper` for a network over the lens of all layers.
        base: folder of the model before it was taught private data, if the guard asks it.
        records: file of the index of what the model was taught, if there is one.
        people: how many made-up people a copy is taught; half as many again are taught in all phrasings.
        epochs: passes over what is taught.
        learning_rate: of the adapter.
        seed: of everything that is drawn.
        device, dtype: where and in which number type the models run.
    """

    model: Path
    arm: str
    base: Path | None
    records: Path | None
    people: int
    epochs: int
    learning_rate: float
    seed: int
    device: str
    dtype: str

    def check(self) -> None:
        """Raises InputError for what cannot be fitted, before anything is loaded."""
        if self.arm not in ARMS:
            raise InputError(f"--arm must be one of {', '.join(ARMS)}, got {self.arm!r}.")
        if self.arm == "paper" and self.base is not None:
            raise InputError(
                "--arm paper reads the layers of the model and no base, so --base would change nothing; leave it out. "
                "A guard may ask a base all the same, whether a value was known before: wrap(..., base=FOLDER)."
            )
        check_no_adapter(self.model)
        for folder in (self.model, *([self.base] if self.base else [])):
            checkpoint_of(folder)

    def to_json(self) -> dict[str, Any]:
        """Returns the settings with what tells whether the files that they name are still the same."""
        return {
            "model": str(self.model.resolve()),
            "model's files": _files(self.model),
            "arm": self.arm,
            "base": None if self.base is None else str(self.base.resolve()),
            "base's files": None if self.base is None else _files(self.base),
            "records": None if self.records is None else hashlib.sha256(self.records.read_bytes()).hexdigest(),
            "people": self.people,
            "epochs": self.epochs,
            "learning rate": self.learning_rate,
            "seed": self.seed,
            "device": self.device,
            "dtype": self.dtype,
        }

    @property
    def taught(self) -> int:
        """How many people the copy is taught."""
        return self.people + self.people // 2

    @property
    def strangers(self) -> int:
        """How many people whom it was not taught the copy is asked about, and how many who do not exist the model."""
        return max(LEAST_STRANGERS, self.people)

    @property
    def tuning(self) -> Tuning:
        """How the copy is taught."""
        return replace(
            TAUGHT,
            people=self.people,
            epochs=self.epochs,
            learning_rate=self.learning_rate,
            rank=RANK,
            alpha=2 * RANK,
            batch_tokens=BATCH_TOKENS,
        )

    @property
    def plan(self) -> Plan:
        """What the copy is asked: for one value at a time, of people whom it was taught and of others."""
        return Plan(
            train_phrasings=TRAIN_PHRASINGS,
            test_phrasings=TEST_PHRASINGS,
            unseen_people=self.strangers,
            writers=0,
            echoes=0,
            menus=0,
            fragments=False,
            seed=self.seed,
        )

    @property
    def spec(self) -> FeatureSpec:
        """Which features are collected of the copy: of its output alone, or of the lens of every layer as well."""
        return FeatureSpec(position="output" if self.arm == "token" else "pooled")

    @property
    def networks(self) -> tuple[TrainingConfig, ...]:
        """The networks of the arm `paper`: five, each without a fifth of the people, each over all four inputs."""
        return ensemble_of(default_config(PAPER_GROUPS, seed=self.seed), plain_as_well=False)


def _files(folder: Path) -> str:
    """Returns a digest of a checkpoint's files by name, size and time; of an adapter, its model's as well."""
    found = [weight_files(each) for each in {folder, checkpoint_of(folder)}]
    return hashlib.sha256(repr(sorted(found)).encode()).hexdigest()[:16]
