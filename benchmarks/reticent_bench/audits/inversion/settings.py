"""Settings of an inversion audit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from reticent_detectors.errors import InputError

Counted = Literal["all", "values"]


@dataclass(frozen=True, slots=True)
class DecoderSettings:
    """The attacker: a small Llama with random weights.

    Attributes:
        width: of its embeddings.
        layers, heads: of it.
        steps: of training, at most.
        batch: texts a step.
        rate: highest learning rate.
        vocabulary: entries of its BPE tokenizer, which is trained on the attacker's texts.
        longest: tokens of a text; the rest is cut off.
    """

    width: int = 64
    layers: int = 2
    heads: int = 4
    steps: int = 300
    batch: int = 64
    rate: float = 3e-3
    vocabulary: int = 600
    longest: int = 64

    def __post_init__(self) -> None:
        if self.width % self.heads or min(self.layers, self.steps, self.batch, self.longest) < 1:
            raise InputError("Expected a width that the heads divide, and at least one layer, step, text and token.")


@dataclass(frozen=True, slots=True)
class InversionSettings:
    """Numbers of an inversion audit.

    Attributes:
        decoder: the attacker.
        counted: which tokens count: all of a text, or those of its values.
        trainings: of each attacker, from different random weights; intervals draw from them.
        attack_share: share of the people whom the attacker learns from.
        rounds: draws for the intervals.
        seed: of all that is drawn.
    """

    decoder: DecoderSettings = DecoderSettings()
    counted: Counted = "all"
    trainings: int = 3
    attack_share: float = 0.75
    rounds: int = 400
    seed: int = 0

    def __post_init__(self) -> None:
        if self.trainings < 1 or not 0 < self.attack_share < 1:
            raise InputError("Expected at least one training, and a share of attacked people between 0 and 1.")
