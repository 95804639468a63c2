"""What determines a detector's weights besides the rows, and which labels it learns to tell apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from reticent_detectors.detector.network import STATE_GROUPS
from reticent_detectors.errors import InputError

POSITIVE = frozenset({"memorized", "misattributed", "selected"})
NEGATIVE = frozenset({"hallucinated", "echoed", "inferable", "public"})
# Two labels are neither: `partial` (a long part of the value is right) and `coincident` (a value too common to be
# anybody's).

_JSON_NAMES = {"name_swap_dropout": "unasked", "confidence_range": "stretch"}
"""Names of these settings in manifests of bundles, which stay as they were."""

IGNORED = frozenset({"echoed", "public"})
"""Labels that other rules let pass; they count for neither calibration nor doubt."""


@dataclass(frozen=True)
class TrainingConfig:
    """Everything that determines the weights besides the rows.

    `label_weight`: weight of a row by label, 1 where none is given. Echoed values pass by the echo rule and look like
    memory to the lens, so they count little; the same holds for public facts, which are memory. `balance`: positives
    and negatives get equal total weight, over all rows (`class`), within each entity (`entity`) or within each host, of which all
    weigh the same (`host`: rows of several hosts, see `multi_host_pool`). `held_out_people`
    applies only if no row has person split `val`. Of the people and of the phrasings, cut into shares of that size, the `fold`-th is held out:
    networks of several folds are each other's complement (`cross_fit`). `patience` counts epochs without a better validation loss. `name_swap_dropout` is the
    fraction of training rows whose name-swap features are zeroed, so the first score works alone. `confidence_range` is the largest factor by which
    a row's log-likelihoods are multiplied or divided in training (`confidence_augmentation`); 1 leaves them as they are.
    """

    groups: frozenset[str] = STATE_GROUPS
    epochs: int = 16
    patience: int = 4
    batch: int = 256
    learning_rate: float = 1e-3
    weight_decay: float = 0.05
    warmup_steps: int = 100
    dropout: float = 0.1
    seed: int = 0
    balance: str = "class"
    held_out_people: float = 0.2
    held_out_phrasings: float = 0.25
    name_swap_dropout: float = 0.0
    confidence_range: float = 1.0
    fold: int = 0
    label_weight: Mapping[str, float] = field(default_factory=lambda: {"echoed": 0.2, "public": 0.2})

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
