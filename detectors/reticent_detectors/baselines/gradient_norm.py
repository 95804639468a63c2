"""Computes gradient norms, which are small for memorised text (PrivAuditor, Zhu et al. 2024, "MIA GradNorm")."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from reticent_detectors.errors import InputError

ORDERS = (1.0, 2.0, float("inf"))


def gradient_norms(model: Any, ids: Sequence[int], first: int) -> NDArray[np.float32]:
    """Returns norms [3] (sum, Euclidean, largest) of the gradient of the span's mean loss over all parameters.

    The loss is the mean of -log p of the tokens `ids[first:]` behind `ids[:first]`. All floating-point parameters
    count, a tied head once, and with an adapter the weights under it as well. Nothing is changed or accumulated in the
    host. It takes one forward and one backward pass, and as much memory again as the parameters.

    Raises:
        InputError: `first` leaves no token, or none before it.
    """
    if not 0 < first < len(ids):
        raise InputError(f"first must lie between 1 and {len(ids) - 1}, got {first}.")
    parameters = [p for p in model.parameters() if p.is_floating_point()]
    wanted = [p.requires_grad for p in parameters]
    row = torch.tensor([list(ids)], device=model.device)
    try:
        for parameter in parameters:
            parameter.requires_grad_(True)
        with torch.enable_grad():
            logits = model(input_ids=row, use_cache=False).logits[0, first - 1 : -1].float()
            loss = torch.nn.functional.cross_entropy(logits, row[0, first:])
            gradients = torch.autograd.grad(loss, parameters, allow_unused=True)
    finally:
        for parameter, before in zip(parameters, wanted, strict=True):
            parameter.requires_grad_(before)
    norms = [
        [float(torch.linalg.vector_norm(g.float(), order)) for g in gradients if g is not None] for order in ORDERS
    ]
    return np.array([sum(norms[0]), np.linalg.norm(norms[1]), max(norms[2])], np.float32)
