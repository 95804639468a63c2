"""Defines the settings of a training, and the labels that a detector learns to tell apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from reticent_detectors.collection import held_out
from reticent_detectors.detector.network import STATE_GROUPS
from reticent_detectors.errors import InputError

POSITIVE = frozenset({"memorized", "misattributed", "selected"})
NEGATIVE = frozenset({"hallucinated", "echoed", "inferable", "public"})
# Two labels are neither: `partial` (a long part of the value is right) and `coincident` (the value is too common to
# belong to anybody).

_JSON_NAMES = {"name_swap_dropout": "unasked", "confidence_range": "stretch"}
"""Names of these settings in the manifests of bundles, whose format keeps the old names."""

IGNORED = frozenset({"echoed", "public"})
"""Labels that other rules let pass. Calibration and second-look range leave them out."""


@dataclass(frozen=True)
class TrainingConfig:
    """All settings that determine the weights. Together with the rows, they determine them fully."""

    groups: frozenset[str] = STATE_GROUPS
    epochs: int = 16
    patience: int = 4
    """Epochs without a better validation loss, after which training stops."""
    batch: int = 256
    learning_rate: float = 1e-3
    weight_decay: float = 0.05
    warmup_steps: int = 100
    dropout: float = 0.1
    seed: int = held_out.SEED
    balance: str = "class"
    """Where positives and negatives get equal total weight: over all rows (`class`), in each entity (`entity`), or in
    each host (`host`). `host` is for rows of several hosts, which all weigh the same; see `multi_host_pool`."""
    held_out_people: float = held_out.SHARE
    """Share of people who are held out. Applies only if no row has person split `val`."""
    held_out_phrasings: float = 0.25
    name_swap_dropout: float = 0.0
    """Fraction of training rows whose name-swap features are zeroed, so the first score works alone."""
    confidence_range: float = 1.0
    """Largest factor on a row's log-likelihoods in training, or its inverse (`confidence_augmentation`); 1: none."""
    fold: int = 0
    """Number of the share of people, and of phrasings, that is held out.

    The folds complement each other (`cross_fit`).
    """
    label_weight: Mapping[str, float] = field(default_factory=lambda: {"echoed": 0.2, "public": 0.2})
    """Weight of a row by label; 1 for other labels. Echoed values pass by the echo rule and look like memory to the
    lens, so they count little. So do public facts, which are memory."""

    def __post_init__(self) -> None:
        if unknown := sorted(set(self.label_weight) - POSITIVE - NEGATIVE):
            raise InputError(f"label_weight names unknown labels: {', '.join(unknown)}")
        if self.balance not in ("class", "entity", "host"):
            raise InputError(f"balance must be 'class', 'entity' or 'host', got {self.balance!r}")
        if not 0 <= self.name_swap_dropout < 1:
            raise InputError(f"name_swap_dropout must be at least 0 and less than 1, got {self.name_swap_dropout}")
        if not 1 <= self.confidence_range <= 10:
            raise InputError(f"confidence_range must be from 1 to 10, got {self.confidence_range}")
        if not 0 <= self.fold < max(1, round(1 / max(self.held_out_people, 1e-9))):
            raise InputError(f"fold must be at least 0 and below 1 / held_out_people, got {self.fold}")
        if min(self.epochs, self.patience, self.batch) < 1:
            raise InputError("epochs, patience and batch must be at least 1")

    def to_json(self) -> dict[str, Any]:
        values = {**asdict(self), "groups": sorted(self.groups), "label_weight": dict(self.label_weight)}
        return {_JSON_NAMES.get(name, name): value for name, value in values.items()}
