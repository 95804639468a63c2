"""Gradients of single training texts, clipped and summed: the private part of DP-SGD (Abadi et al. 2016, algorithm 1).

`torch.func` takes the gradients of several texts at once. Where a model's forward pass cannot be vectorised, a loop takes
them one by one. Both give the same sums.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import torch
from torch import Tensor
from torch.func import functional_call, grad_and_value, vmap

Route = Literal["vmap", "loop"]
Trained = Mapping[str, Tensor]


@dataclass(frozen=True, slots=True)
class ClippedSum:
    """The sum of clipped gradients, and what was clipped.

    Attributes:
        total: sum over the texts of min(1, clip / norm) * gradient, by parameter.
        norms: L2 norm of each text's gradient over all parameters together, before clipping [texts].
        losses: mean loss of each text in nats a token [texts].
    """

    total: dict[str, Tensor]
    norms: Tensor
    losses: Tensor


def trained_parameters(model: Any) -> dict[str, Tensor]:
    """The parameters that are trained, by name, detached."""
    return {name: each.detach() for name, each in model.named_parameters() if each.requires_grad}


def text_loss(model: Any, trained: Trained, ids: Tensor, learned: Tensor) -> Tensor:
    """Mean cross-entropy of the learned tokens of one text, in nats.

    Args:
        model: a causal language model, or a PEFT model around one. Virtual tokens before the text are left out.
        trained: values of its trained parameters.
        ids: token ids, padded on the right [N].
        learned: 1 for tokens whose prediction counts, 0 for the first and for padding [N].
    """
    out = functional_call(model, dict(trained), (), {"input_ids": ids[None], "use_cache": False})
    logits = out.logits[0, -ids.shape[0] :]
    losses = torch.nn.functional.cross_entropy(logits[:-1].float(), ids[1:], reduction="none")
    return (losses * learned[1:]).sum() / learned[1:].sum()


def clipped_sum(model: Any, trained: Trained, ids: Tensor, learned: Tensor, clip: float, route: Route) -> ClippedSum:
    """The sum of the clipped gradients of texts.

    Args:
        model, trained: see `text_loss`.
        ids, learned: of the texts [texts, N].
        clip: largest L2 norm of a text's gradient.
        route: `vmap` takes the texts at once, `loop` one by one.
    """
    if route == "vmap":
        each = grad_and_value(lambda values, row, marks: text_loss(model, values, row, marks))
        gradients, losses = vmap(each, in_dims=(None, 0, 0))(dict(trained), ids, learned)
        squares = torch.stack([g.flatten(1).square().sum(1) for g in gradients.values()]).sum(0)
        norms = squares.sqrt()
        factors = _factors(norms, clip)
        total = {name: torch.einsum("b,b...->...", factors, g) for name, g in gradients.items()}
        return ClippedSum(total, norms, losses)
    total = {name: torch.zeros_like(value) for name, value in trained.items()}
    found: list[tuple[Tensor, Tensor]] = []
    for row, marks in zip(ids, learned, strict=True):
        values = {name: value.clone().requires_grad_() for name, value in trained.items()}
        loss = text_loss(model, values, row, marks)
        own = torch.autograd.grad(loss, list(values.values()))
        norm = torch.stack([g.square().sum() for g in own]).sum().sqrt()
        for name, gradient in zip(values, own, strict=True):
            total[name] += _factors(norm, clip) * gradient
        found.append((norm, loss.detach()))
    return ClippedSum(total, *(torch.stack(list(parts)) for parts in zip(*found, strict=True)))


def choose_route(model: Any, ids: Tensor, learned: Tensor) -> Route:
    """`vmap` if the model's forward pass can be vectorised, else `loop`; tried on two texts [2, N]."""
    try:
        clipped_sum(model, trained_parameters(model), ids, learned, 1.0, "vmap")
    except RuntimeError:
        return "loop"
    return "vmap"


def _factors(norms: Tensor, clip: float) -> Tensor:
    """min(1, clip / norm); 1 where the norm is 0."""
    return (clip / norms.clamp(min=torch.finfo(norms.dtype).tiny)).clamp(max=1.0)
