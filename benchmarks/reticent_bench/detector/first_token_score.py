"""Defines the first token score, the guard's default until 2026-11-26, for comparison with later ones."""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import Tensor

from reticent_detectors.detector.token_score import SHRUNK_TERMS, TokenScore

LEAST_MEAN = -6.0
"""Mean log-probabilities below it are raised to it, in nats."""


class FirstTokenScore(TokenScore):
    """Logistic regression on the mean log-probability, its log-ratio to the base's, and `SHRUNK_TERMS`."""

    names: ClassVar[tuple[str, ...]] = ("mean", "log-ratio to the base", *SHRUNK_TERMS)
    penalty: ClassVar[float] = 1.0

    def terms(self, token_logprob: Tensor, length: Tensor, base_logprob: Tensor, entity: Tensor) -> Tensor:
        """Computes the terms [S, T] of S spans, in the order of `names`."""
        mean = token_logprob[:, 0, 1:2].clamp(LEAST_MEAN, 0.0)
        ratio = mean - base_logprob[:, 2:3].clamp(LEAST_MEAN, 0.0)
        return torch.cat([mean, base_logprob[:, 0:1] * ratio, length.log1p(), entity @ self.grouping], dim=1)
