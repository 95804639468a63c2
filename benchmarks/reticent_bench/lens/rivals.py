"""Other ways to the same answer, to race the lens against. What is not installed is named, and not raced."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import NamedTuple

import torch
from torch import Tensor

from reticent_kernels import LensOutput

OUT_DTYPE = "dtype" in torch.ops.aten.mm.overloads()
"""Whether torch's product can keep float32 of halves (from 2.8 on)."""


class Rival(NamedTuple):
    """A way, and what of the lens it makes."""

    name: str
    call: Callable[[Tensor, Tensor, Tensor, int], LensOutput | Tensor]
    """Of hidden [R, d], weights [V, d], chosen [R], k; a loss [R] instead of a lens where `part`."""
    part: bool = False
    """Computes the cross-entropy of the chosen ids alone: the product, its log-sum-exp, and one logit of each row.

    Such a way looks at results on the processor, so no CUDA graph can hold it.
    """
    rounded: bool = False
    """Its logits are rounded to half precision."""


def plain(hidden: Tensor, weights: Tensor, chosen: Tensor, k: int) -> LensOutput:
    """What one writes first: all logits, all probabilities, the best of them."""
    logits = (hidden @ weights.T).float()
    p = logits.softmax(-1)
    top, ids = p.topk(k)
    best = logits.gather(1, ids)
    return LensOutput(best, ids, best[:, 0] - top[:, 0].log(), None, None, None)


def _product(hidden: Tensor, weights: Tensor) -> Tensor:
    if hidden.is_cuda and OUT_DTYPE:
        return torch.mm(hidden, weights.T, out_dtype=torch.float32)
    return hidden.float() @ weights.float().T


def library(hidden: Tensor, weights: Tensor, chosen: Tensor, k: int) -> LensOutput:
    """The library's product in float32, its top-k and its log-sum-exp."""
    logits = _product(hidden, weights)
    top, ids = logits.topk(k)
    return LensOutput(top, ids, logits.logsumexp(-1), None, None, None)


def _flashinfer(hidden: Tensor, weights: Tensor, chosen: Tensor, k: int) -> LensOutput:
    import flashinfer  # type: ignore[import-not-found,unused-ignore]

    logits = _product(hidden, weights)
    top, ids = flashinfer.top_k(logits, k, sorted=True)
    return LensOutput(top, ids.long(), logits.logsumexp(-1), None, None, None)


def _cut_cross_entropy(hidden: Tensor, weights: Tensor, chosen: Tensor, k: int) -> Tensor:
    from cut_cross_entropy import linear_cross_entropy  # type: ignore[import-not-found,unused-ignore]

    loss: Tensor = linear_cross_entropy(hidden, weights, chosen, reduction="none")
    return loss


def _liger(hidden: Tensor, weights: Tensor, chosen: Tensor, k: int) -> Tensor:
    from liger_kernel.transformers.functional import (  # type: ignore[import-not-found,unused-ignore]
        liger_fused_linear_cross_entropy,
    )

    loss: Tensor = liger_fused_linear_cross_entropy(hidden, weights, chosen, reduction="none")
    return loss


def rivals() -> tuple[list[Rival], list[str]]:
    """Whom to race, and who is missing."""
    ways = [
        Rival("a: torch, product + softmax + topk", plain, rounded=True),
        Rival("b: library + topk + logsumexp", library),
    ]
    missing = []
    for name, module, rival in (
        ("FlashInfer's top-k", "flashinfer", Rival("b: library + FlashInfer + logsumexp", _flashinfer)),
        ("cut-cross-entropy", "cut_cross_entropy", Rival("d: cut-cross-entropy", _cut_cross_entropy, part=True)),
        ("Liger", "liger_kernel", Rival("d: Liger", _liger, part=True)),
    ):
        if find_spec(module) is None:
            missing.append(f"{name}: {module} is not installed")
        else:
            ways.append(rival)
    return ways, missing


def compiled() -> list[Rival]:
    """The first two, as torch's compiler rewrites them for each shape."""
    return [
        Rival("c: torch.compile of a", torch.compile(plain, dynamic=False), rounded=True),
        Rival("c: torch.compile of b", torch.compile(library, dynamic=False)),
    ]
