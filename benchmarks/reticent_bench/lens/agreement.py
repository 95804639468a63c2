"""Whether a lens in half precision is as right as float32 can be, at the sizes of real vocabularies.

The product is made once more in float64, from the same rounded inputs. A logit may be off by one rounding for each step
of 16 over d, at least eight, of the largest logit: tensor cores add 16 products at a time, and truncate.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from reticent_kernels import LensOutput

BLOCK_LOGITS = 1 << 26
"""Of float64, held at once."""
SLICE_IDS = 1 << 15
SUM_SLACK = 1e-5
"""What exponentials and their sums may add to an error, in nats."""


def tolerance(d: int) -> float:
    """Of the largest logit."""
    return max(8, d // 16) * torch.finfo(torch.float32).eps


def exact_logits(hidden: Tensor, weights: Tensor, options: dict[str, Any]) -> Tensor:
    """cap(scale * (h U + bias)) in float64 [R, V], for as many rows as fit."""
    h = hidden.double()
    x = torch.cat([h @ part.double().T for part in weights.split(SLICE_IDS)], dim=1)
    if (bias := options.get("bias")) is not None:
        x += bias.double()
    x *= options.get("scale", 1.0)
    if cap := options.get("softcap"):
        x = x.div_(cap).tanh_().mul_(cap)
    x[:, options.get("vocabulary") or len(weights) :] = -math.inf
    return x


def faults(
    output: LensOutput, hidden: Tensor, weights: Tensor, *, slack: float = 0.0, **options: Any
) -> tuple[list[str], float]:
    """What is further off than the tolerance, and the largest error of a logit as a share of the largest logit.

    `options` are those of the call. `slack` is added to the tolerance, for outputs that are rounded on the way.
    """
    found, worst = set[str](), 0.0
    chosen: Tensor | None = options.get("chosen")
    step = max(1, BLOCK_LOGITS // len(weights))
    for start in range(0, len(hidden), step):
        at = slice(start, start + step)
        x = exact_logits(hidden[at], weights, options)
        largest = float(x[x > -math.inf].abs().max())
        allowed = (tolerance(hidden.shape[1]) + slack) * largest
        ids = output.topk_id[at]
        best = x.topk(ids.shape[1]).values
        error = float((output.topk_logit[at] - x.gather(1, ids)).abs().max())
        worst = max(worst, error / largest)
        if not error <= allowed:
            found.add("top logits")
        if not bool((x.gather(1, ids) >= best[:, -1:] - 2 * allowed).all()):
            found.add("top ids")
        if any(len(set(row)) < len(row) for row in ids.tolist()):
            found.add("an id twice")
        if not float((output.logsumexp[at] - x.logsumexp(1)).abs().max()) <= allowed + SUM_SLACK:
            found.add("log-sum-exp")
        if output.entropy is not None:
            p = x.softmax(1)
            entropy = -torch.special.xlogy(p, p).sum(1)
            if not float((output.entropy[at] - entropy).abs().max()) <= 4 * allowed + 10 * SUM_SLACK:
                found.add("entropy")
        if chosen is not None and output.chosen_logit is not None and output.chosen_rank is not None:
            own = x.gather(1, chosen[at].unsqueeze(1))
            real = own[:, 0] > -math.inf
            if not bool(((output.chosen_logit[at] - own[:, 0]).abs() <= allowed)[real].all()):
                found.add("chosen logit")
            rank = output.chosen_rank[at]
            least, most = (x > own + 2 * allowed).sum(1), (x >= own - 2 * allowed).sum(1)
            if not bool(((least <= rank) & (rank < most))[real].all()):
                found.add("rank")
    return sorted(found), worst


def same_bits(a: LensOutput, b: LensOutput) -> bool:
    """Whether two calls gave the same result to the last bit."""
    pairs: list[tuple[Any, Any]] = list(zip(a, b, strict=True))
    return all(x is y or torch.equal(x, y) for x, y in pairs)
