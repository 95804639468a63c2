"""What a tuning matrix consists of: cells, and the settings that all cells share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from reticent_detectors.errors import InputError

FULL, LORA, PROMPT, PREFIX, INFILLING = "full", "lora", "prompt", "prefix", "infilling"
METHODS = (FULL, LORA, PROMPT, PREFIX, INFILLING)
RATES = {FULL: 1e-3, LORA: 2e-3, PROMPT: 1e-2, PREFIX: 1e-2, INFILLING: 1e-3}
"""Learning rates. The paper's are 1e-4 for full and infilling, and 1e-2 for prompt and prefix, at many more steps."""

DELTA, CLIP = 1e-5, 0.1
"""Of the guarantee, and the largest norm of a text's gradient: the paper's."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A way of tuning and its privacy budget; an infinite epsilon means no differential privacy."""

    method: str
    epsilon: float

    @property
    def is_private(self) -> bool:
        """Whether the cell is tuned with differential privacy."""
        return math.isfinite(self.epsilon)

    @property
    def name(self) -> str:
        """Such as `lora-8` or `full-inf`."""
        return f"{self.method}-{self.epsilon!r}".removesuffix(".0")


@dataclass(frozen=True, slots=True)
class TuningSettings:
    """What the cells of a matrix share.

    Attributes:
        epochs: expected passes over the training texts.
        batch: expected training texts of a step (the virtual batch).
        rows_at_once: training texts whose gradients are in memory together.
        delta: of the guarantee.
        clip: largest L2 norm of the gradient of one text.
        people: members, and as many held-out people; each is one text.
        base: the i-th canary of a kind is repeated `base * i` times.
        samples: sampled answers for each kind of canary; 0 asks for none.
        rank: of the LoRA adapter.
        virtual_tokens: of prompt and prefix tuning.
        rates: learning rate of each method, at the first step.
        seed: of all that is drawn. Noise and sampling come from it, so the guarantee holds only while it is secret.

    Raises:
        InputError: a number is out of its range.
    """

    epochs: int = 5
    batch: int = 256
    rows_at_once: int = 16
    delta: float = DELTA
    clip: float = CLIP
    people: int = 200
    base: int = 1
    samples: int = 96
    rank: int = 16
    virtual_tokens: int = 15
    rates: dict[str, float] = field(default_factory=lambda: dict(RATES))
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("epochs", "batch", "rows_at_once", "base", "rank", "virtual_tokens"):
            if getattr(self, name) < 1:
                raise InputError(f"Expected {name.replace('_', ' ')} of at least 1, got {getattr(self, name)}.")
        if self.people < 5:
            raise InputError(f"Expected at least 5 people on each side, got {self.people}.")
        if not 0 < self.delta < 1 or self.clip <= 0 or self.samples < 0:
            raise InputError("Expected a delta between 0 and 1, a clip above 0 and samples of at least 0.")
        if set(self.rates) != set(METHODS) or min(self.rates.values()) <= 0:
            raise InputError(f"Expected a learning rate above 0 for each of {', '.join(METHODS)}.")

    def stamp(self) -> dict[str, Any]:
        """What a cell's figures depend on, as JSON. Texts at once change no figure beyond rounding."""
        return {name: getattr(self, name) for name in self.__slots__ if name != "rows_at_once"}


def cells(methods: Sequence[str], epsilons: Sequence[float]) -> tuple[Cell, ...]:
    """All pairs, by method; each method begins with its largest epsilon.

    Raises:
        InputError: a method is unknown, an epsilon is not above 0, or one of both is given twice or not at all.
    """
    unknown = [method for method in methods if method not in METHODS]
    if unknown:
        raise InputError(f"Expected methods of {', '.join(METHODS)}, got {unknown[0]!r}.")
    if any(not epsilon > 0 for epsilon in epsilons):
        raise InputError("Expected epsilons above 0, such as inf and 8.")
    if not methods or not epsilons or len(set(methods)) < len(methods) or len(set(epsilons)) < len(epsilons):
        raise InputError("Expected at least one method and one epsilon, each once.")
    return tuple(Cell(method, epsilon) for method in methods for epsilon in sorted(epsilons, reverse=True))
