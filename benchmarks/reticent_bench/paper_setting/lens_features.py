"""The paper's features of inner layers from kept states, under two readings of its formula.

A state of an inner layer goes through the unembedding as it is (`none`), as in the authors' code, or after the model's
final norm (`final`). The last layer's is after that norm in both.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray

from reticent_bench.paper_setting.greedy import STATE_UNIT
from reticent_detectors.capture import HostAdapter
from reticent_kernels import token_cosines

RANKS = 10
_ROWS = 64
"""Answers whose states are projected together."""
Norm = Literal["none", "final"]


@torch.no_grad()
def lens_features(
    adapter: HostAdapter, prompt_states: NDArray[np.float16], norm: Norm
) -> dict[str, NDArray[np.float32]]:
    """Return `topk_prob` [n, L, RANKS], `inter` [n, L-1, RANKS, RANKS] and `intra` [n, L, RANKS-1].

    Args:
        adapter: the host whose states they are.
        prompt_states: [n, L + 1, d] of the token before each value, in units of STATE_UNIT, as `greedy` keeps them.
        norm: how inner layers are read.
    """
    parts: dict[str, list[Any]] = {"topk_prob": [], "inter": [], "intra": []}
    for first in range(0, len(prompt_states), _ROWS):
        states = torch.from_numpy(prompt_states[first : first + _ROWS, 1:]).float() * STATE_UNIT
        rows, layers, _ = states.shape
        inner = adapter.lens(states[:, :-1].flatten(0, 1), RANKS, norm=norm)
        last = adapter.lens(states[:, -1], RANKS, norm="none")
        both = [
            torch.cat([a.reshape(rows, layers - 1, -1), b.reshape(rows, 1, -1)], 1)
            for a, b in zip(inner[:3], last[:3], strict=True)
        ]
        logits, ids, sums = both
        inter, intra = token_cosines(ids, adapter.input_embedding)
        parts["topk_prob"].append((logits - sums).exp().numpy())
        parts["inter"].append(inter.numpy())
        parts["intra"].append(intra.numpy())
    return {name: np.concatenate(own) for name, own in parts.items()}
