"""Augments training rows by scaling their log-likelihoods, as a more or less confident model would.

Models differ most in confidence, and a network trained on a few of them would rely on theirs. So a universal detector
is trained on rows whose log-likelihoods are multiplied by a factor, drawn anew for each row each time.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from reticent_detectors.features.derived_features import FLOOR

UNTOUCHED = 1 / 3
"""Share of rows that are not scaled."""


def draw_factors(rows: int, most: float) -> Tensor:
    """Draws a factor for each row [rows], log-uniform from 1/most to most, or 1, from torch's global generator."""
    exponent = 2.0 * torch.rand(rows) - 1.0
    return (exponent * (torch.rand(rows) >= UNTOUCHED).float() * torch.tensor(most).log()).exp()


def scale_confidence(arrays: Mapping[str, Tensor], factors: Tensor) -> dict[str, Tensor]:
    """Multiplies log-likelihoods, margins and differences of inputs [rows, ...] by their row's factor [rows].

    Other inputs stay. `token_prob` cannot be scaled, because the mean of scaled probabilities does not follow from it.
    """
    out = dict(arrays)
    if "token_logprob" in out:
        out["token_logprob"] = (out["token_logprob"] * factors[:, None, None]).clamp(FLOOR, -FLOOR)
    if "renamed" in out:
        is_present, differences = out["renamed"][:, :1], out["renamed"][:, 1:]
        out["renamed"] = torch.cat([is_present, (differences * factors[:, None]).clamp(FLOOR, -FLOOR)], 1)
    return out
