"""Computes the logit lens: the logits that a hidden state would give if it were the last one.

    logits = cap(scale * (hidden @ unembedding.T + bias))        cap(x) = softcap * tanh(x / softcap)

`logits` [R, V] is never in memory as a whole. Rows are taken in blocks. Within a block, the unembedding is upcast and
multiplied in slices of the vocabulary, so half-precision weights are never copied whole. Every block is exact over the
whole vocabulary.
"""

from __future__ import annotations

import torch
from torch import Tensor

from reticent_kernels.lens_output import LensOutput, concatenate
from reticent_kernels.torch_or_triton import Impl, check_ids, wants_triton

BLOCK_LOGITS = 1 << 21
"""Most logits in memory at once, unless `BLOCK_ROWS` rows are more: 8 MiB of float32, which fits the cache."""
BLOCK_ROWS = 64
SLICE_WEIGHTS = 1 << 23
"""Most unembedding weights upcast at once."""


@torch.no_grad()
def logit_lens(
    hidden: Tensor,
    unembedding: Tensor,
    k: int,
    *,
    chosen: Tensor | None = None,
    softcap: float | None = None,
    scale: float = 1.0,
    bias: Tensor | None = None,
    vocabulary: int | None = None,
    entropy: bool = False,
    impl: Impl = "auto",
) -> LensOutput:
    """Projects normed hidden states [R, d] through `unembedding` [V, d], and keeps the k best tokens of each.

    Products accumulate in float32. NaN logits count as -inf.

    Args:
        hidden: [R, d], already normed.
        unembedding: [V, d].
        k: number of tokens to keep.
        chosen: [R] ids whose logit and rank are wanted as well.
        softcap, scale, bias: as in the formula above; `bias` is [V].
        vocabulary: number of real tokens. The rows of the unembedding behind them are padding and count as -inf.
        entropy: also computes the entropy of each row.
        impl: "torch" is the definition in this file. "triton" is one pass over the unembedding, see `lens_triton`.
            "auto" takes Triton on CUDA tensors if it is installed and its kernels cover the call, else torch.

    Raises:
        ValueError: shapes do not fit, or `impl` is "triton" and the kernels do not cover the call. The kernels do not
            check `chosen` on a GPU, because that would wait. An id outside [0, V) gets a logit of NaN and the rank -1.
        ImportError: `impl` is "triton" and triton is not installed.

    Not covered: gradients, and a quantised unembedding (call the host's own head and `reduce_logits` instead).
    """
    fused = wants_triton(impl, hidden)
    rows, vocab_size = _check(hidden, unembedding, k, chosen, bias, vocabulary)
    if fused:
        from reticent_kernels import lens_triton

        problem = lens_triton.unsupported_reason(hidden, unembedding, k, bias)
        if problem and impl == "triton":
            raise ValueError(problem)
        fused = problem is None
    if chosen is not None:
        check_ids("chosen ids", chosen, vocab_size, wait=not fused)
    if fused:
        return lens_triton.lens(hidden, unembedding, k, chosen, softcap, scale, bias, vocabulary, entropy)
    step = block_rows(vocab_size)
    parts = []
    for start in range(0, max(rows, 1), step):
        logits = project(hidden[start : start + step], unembedding, bias, scale, softcap)
        own = None if chosen is None else chosen[start : start + step]
        parts.append(reduce_logits(logits, k, own, vocabulary, entropy))
    return concatenate(parts)


def block_rows(vocab_size: int) -> int:
    """Returns how many rows of logits to hold in memory at once."""
    return max(BLOCK_ROWS, BLOCK_LOGITS // vocab_size)


def project(h: Tensor, unembedding: Tensor, bias: Tensor | None, scale: float, softcap: float | None) -> Tensor:
    """Returns all logits [R, V] of normed states [R, d] in float32. Meant for one block of rows."""
    h, step = h.float(), max(1, SLICE_WEIGHTS // unembedding.shape[1])
    slices = [h @ unembedding[at : at + step].float().T for at in range(0, unembedding.shape[0], step)]
    logits = slices[0] if len(slices) == 1 else torch.cat(slices, dim=1)
    if bias is not None:
        logits += bias.float()
    if scale != 1.0:
        logits *= scale
    return logits if softcap is None else logits.div_(softcap).tanh_().mul_(softcap)


@torch.no_grad()
def reduce_logits(
    logits: Tensor, k: int, chosen: Tensor | None = None, vocabulary: int | None = None, entropy: bool = False
) -> LensOutput:
    """Reduces finished logits [R, V] to the outputs of the lens, by definition; see `LensOutput`."""
    lowest = torch.finfo(torch.float32).min
    x = torch.nan_to_num(logits.float(), nan=-torch.inf, posinf=torch.inf, neginf=-torch.inf)
    if vocabulary is not None:
        x[:, vocabulary:] = -torch.inf
    best = x.topk(min(k + 1, x.shape[1]), dim=1)
    ids = best.indices[:, :k]
    tied = (best.values[:, k - 1 : k] == best.values[:, k:]).any(1)  # topk may take any of equal logits
    if bool(tied.any()):
        ids[tied] = x[tied].sort(dim=1, descending=True, stable=True).indices[:, :k]
    ids = ids.sort(dim=1).values
    ids = ids.gather(1, x.gather(1, ids).sort(dim=1, descending=True, stable=True).indices)
    top = x.gather(1, ids)
    shifted = (x - top[:, :1].clamp(min=lowest)).clamp_(min=lowest)  # 0 * -inf would be NaN below
    p = shifted.softmax(1)
    log_sum = -p.gather(1, ids[:, :1]).squeeze(1).log()
    chosen_logit = rank = entropy_of_rows = None
    if chosen is not None:
        own = chosen.to(x.device).unsqueeze(1)
        chosen_logit = x.gather(1, own)
        rank = _rank(x, chosen_logit, own)
        chosen_logit = chosen_logit.squeeze(1)
    if entropy:
        entropy_of_rows = log_sum - torch.linalg.vecdot(p, shifted)
    return LensOutput(top, ids, top[:, 0] + log_sum, chosen_logit, rank, entropy_of_rows)


def _rank(x: Tensor, value: Tensor, own: Tensor) -> Tensor:
    """Counts [R] the logits of `x` [R, V] that exceed `value` [R, 1], or equal it with a smaller id than `own`."""
    mask = torch.empty_like(x)  # on a CPU, summing float32 is several times faster than summing bool
    larger = torch.gt(x, value, out=mask).sum(1)
    tied = torch.ge(x, value, out=mask).sum(1) - larger > 1
    rank = larger.long()
    if bool(tied.any()):
        before = torch.arange(x.shape[1], device=x.device) < own[tied]
        rank[tied] += ((x[tied] == value[tied]) & before).sum(1)
    return rank


def _check(
    hidden: Tensor,
    unembedding: Tensor,
    k: int,
    chosen: Tensor | None,
    bias: Tensor | None,
    vocabulary: int | None,
) -> tuple[int, int]:
    if hidden.ndim != 2 or unembedding.ndim != 2 or hidden.shape[1] != unembedding.shape[1]:
        raise ValueError(
            f"hidden [R, d], unembedding [V, d] must share d, got {list(hidden.shape)} and {list(unembedding.shape)}."
        )
    if not (hidden.is_floating_point() and unembedding.is_floating_point()):
        raise ValueError(
            f"hidden and unembedding must hold floats, got {hidden.dtype} and {unembedding.dtype}; "
            "a quantised head has to be called as a module."
        )
    rows, vocab_size = hidden.shape[0], unembedding.shape[0]
    limit = vocab_size if vocabulary is None else vocabulary
    if not 1 <= limit <= vocab_size:
        raise ValueError(f"vocabulary must be between 1 and V = {vocab_size}, got {vocabulary}.")
    if not 1 <= k <= limit:
        raise ValueError(f"k must be between 1 and the {limit} tokens of the vocabulary, got {k}.")
    if bias is not None and bias.shape != (vocab_size,):
        raise ValueError(f"bias must be [V] = [{vocab_size}], got {list(bias.shape)}.")
    if chosen is not None and (chosen.shape != (rows,) or chosen.is_floating_point()):
        raise ValueError(f"chosen must be [R] = [{rows}] ids, got {list(chosen.shape)} of {chosen.dtype}.")
    return rows, vocab_size
