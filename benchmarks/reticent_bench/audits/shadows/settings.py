"""What the shadow models of an audit share, and what the attack is computed with."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from reticent_detectors.errors import InputError

FEWEST_SHADOWS, MOST_SHADOWS = 6, 128
METHODS = ("full", "lora")


@dataclass(frozen=True, slots=True)
class ShadowSettings:
    """How each shadow is trained.

    Attributes:
        shadows: number of models; even, for they come in pairs of complementary halves. The paper has 128.
        epochs: expected passes over a half; 0 leaves the random weights as they are.
        batch: expected texts of a step.
        rate: learning rate of the first step; it falls linearly to 0.
        rows_at_once: texts whose gradients are in memory together.
        method: `full` or `lora`.
        epsilon: of differential privacy; None trains without.
        delta, clip: of differential privacy.
        width, layers, vocabulary, longest: of the tiny encoder and its tokenizer; longest is in tokens.
        rank: of a LoRA adapter.
        rounds: draws for each interval.
        null_rounds: permutations for the null distribution.
        seed: of halves, weights, batches and noise.

    Raises:
        InputError: a number is out of its range.
    """

    shadows: int = 16
    epochs: int = 10
    batch: int = 64
    rate: float = 1e-3
    rows_at_once: int = 64
    method: str = "full"
    epsilon: float | None = None
    delta: float = 1e-5
    clip: float = 0.1
    width: int = 64
    layers: int = 2
    vocabulary: int = 4000
    longest: int = 64
    rank: int = 16
    rounds: int = 400
    null_rounds: int = 1000
    seed: int = 0

    def __post_init__(self) -> None:
        if self.shadows % 2 or not FEWEST_SHADOWS <= self.shadows <= MOST_SHADOWS:
            raise InputError(
                f"Expected an even number of {FEWEST_SHADOWS} to {MOST_SHADOWS} shadows, got {self.shadows}."
            )
        if self.method not in METHODS:
            raise InputError(f"Expected a method of {', '.join(METHODS)}, got {self.method!r}.")
        if self.epochs < 0 or not self.rate > 0:
            raise InputError("Expected epochs of at least 0 and a learning rate above 0.")
        for name in ("batch", "rows_at_once", "layers", "rank", "rounds", "null_rounds"):
            if getattr(self, name) < 1:
                raise InputError(f"Expected {name.replace('_', ' ')} of at least 1, got {getattr(self, name)}.")
        if self.width < 16 or self.width % 16 or self.longest < 8 or self.vocabulary < 100:
            raise InputError("Expected a width that 16 divides, at least 8 tokens a text, and 100 in the vocabulary.")
        if self.epsilon is not None and (not 0 < self.epsilon < float("inf") or self.epochs == 0):
            raise InputError("Expected an epsilon above 0 and below infinity, and at least one epoch with it.")
        if not 0 < self.delta < 1 or self.clip <= 0:
            raise InputError("Expected a delta between 0 and 1 and a clip above 0.")

    def stamp(self) -> dict[str, Any]:
        """What a shadow's confidences depend on, as JSON."""
        left_out = {"rows_at_once", "rounds", "null_rounds"}
        return {name: value for name, value in asdict(self).items() if name not in left_out}
