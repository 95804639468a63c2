"""Gradients of single training texts, clipped and summed: the private part of DP-SGD (Abadi et al. 2016, algorithm 1).

`torch.func` takes the gradients of several texts at once. If a model's forward pass cannot be vectorised, a loop takes
them one by one. Both give the same sums.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import torch
from torch import Tensor
from torch.func import functional_call, grad_and_value, vmap

from reticent_bench.audits.tuning.objectives import CAUSAL, Batch, Objective

Route = Literal["vmap", "loop"]
Trained = Mapping[str, Tensor]


@dataclass(frozen=True, slots=True)
class ClippedSum:
    """The sum of clipped gradients, and what was clipped.

    Attributes:
        total: sum over the texts of min(1, clip / norm) * gradient, by parameter.
        norms: L2 norm of each text's gradient over all parameters together, before clipping [texts].
        losses: mean loss of each text in nats a token or a label [texts].
    """

    total: dict[str, Tensor]
    norms: Tensor
    losses: Tensor


def trained_parameters(model: Any) -> dict[str, Tensor]:
    """The parameters that are trained, by name, detached."""
    return {name: each.detach() for name, each in model.named_parameters() if each.requires_grad}


def text_loss(model: Any, trained: Trained, row: Batch, objective: Objective = CAUSAL) -> Tensor:
    """Mean loss of one text, in nats.

    Args:
        model: of transformers, or a PEFT model around one.
        trained: values of its trained parameters.
        row: the text's row of a batch of `objective`.
        objective: what is learned.
    """

    def forward(**inputs: Any) -> Any:
        return functional_call(model, dict(trained), (), inputs)

    return objective.losses(forward, {name: each[None] for name, each in row.items()})[0]


def clipped_sum(
    model: Any, trained: Trained, batch: Batch, clip: float, route: Route, objective: Objective = CAUSAL
) -> ClippedSum:
    """The sum of the clipped gradients of texts.

    Args:
        model, trained, objective: see `text_loss`.
        batch: of the texts, by `objective`.
        clip: largest L2 norm of a text's gradient.
        route: `vmap` takes the texts at once, `loop` one by one.
    """
    if route == "vmap":
        each = grad_and_value(lambda values, row: text_loss(model, values, row, objective))
        gradients, losses = vmap(each, in_dims=(None, 0))(dict(trained), dict(batch))
        squares = torch.stack([g.flatten(1).square().sum(1) for g in gradients.values()]).sum(0)
        norms = squares.sqrt()
        factors = _factors(norms, clip)
        total = {name: torch.einsum("b,b...->...", factors, g) for name, g in gradients.items()}
        return ClippedSum(total, norms, losses)
    total = {name: torch.zeros_like(value) for name, value in trained.items()}
    found: list[tuple[Tensor, Tensor]] = []
    for place in range(len(next(iter(batch.values())))):
        values = {name: value.clone().requires_grad_() for name, value in trained.items()}
        loss = text_loss(model, values, {name: each[place] for name, each in batch.items()}, objective)
        own = torch.autograd.grad(loss, list(values.values()))
        norm = torch.stack([g.square().sum() for g in own]).sum().sqrt()
        for name, gradient in zip(values, own, strict=True):
            total[name] += _factors(norm, clip) * gradient
        found.append((norm, loss.detach()))
    return ClippedSum(total, *(torch.stack(list(parts)) for parts in zip(*found, strict=True)))


def choose_route(model: Any, batch: Batch, objective: Objective = CAUSAL) -> Route:
    """`vmap` if the model's forward pass can be vectorised, else `loop`; tried on a batch of two texts."""
    try:
        clipped_sum(model, trained_parameters(model), batch, 1.0, "vmap", objective)
    except RuntimeError:
        return "loop"
    return "vmap"


def _factors(norms: Tensor, clip: float) -> Tensor:
    """min(1, clip / norm); 1 where the norm is 0."""
    return (clip / norms.clamp(min=torch.finfo(norms.dtype).tiny)).clamp(max=1.0)
