"""Computes the log-probability of one token of each row from its logits."""

from __future__ import annotations

import torch
from torch import Tensor

from reticent_kernels.torch_or_triton import Impl, check_ids, wants_triton


def token_logprob(logits: Tensor, ids: Tensor, *, out: Tensor | None = None, impl: Impl = "auto") -> Tensor:
    """Returns the log-probability [B] of one token of each row: `logits[b, ids[b]] - logsumexp(logits[b])`, in float32.

    A row with NaN or +inf, or with nothing but -inf, has no distribution, and its result is NaN. No gradients.

    Args:
        logits: [B, V].
        ids: [B], of any integer type.
        out: [B] float32, takes the result if it is given.
        impl: as in `logit_lens`; the kernel is `logprob_triton`, one launch.

    Raises:
        ValueError: shapes, number types or ids do not fit, or `impl` is "triton" and the kernel does not cover the
            call. Ids on a GPU are not checked, because that would wait; an id outside [0, V) gives NaN.
        ImportError: `impl` is "triton" and triton is not installed.
    """
    if logits.ndim != 2 or ids.shape != logits.shape[:1]:
        raise ValueError(f"logits must be [B, V] and ids [B], got {list(logits.shape)} and {list(ids.shape)}.")
    if out is None:
        out = torch.empty(len(ids), dtype=torch.float32, device=logits.device)
    elif out.shape != ids.shape or out.dtype != torch.float32 or out.device != logits.device:
        raise ValueError(
            f"out must be [{len(ids)}] of float32 on {logits.device}, "
            f"got {list(out.shape)} of {out.dtype} on {out.device}."
        )
    fused = wants_triton(impl, logits)
    if fused:
        from reticent_kernels import logprob_triton

        problem = logprob_triton.unsupported_reason(logits, out)
        if problem and impl == "triton":
            raise ValueError(problem)
        fused = problem is None
    check_ids("ids", ids, logits.shape[1], wait=False)
    checks_ids = not ids.is_cuda
    ids = ids.to(logits.device, torch.int64)
    if fused:
        logprob_triton.logprob(logits, ids, out)
        return out
    every = logits.detach().log_softmax(1, dtype=torch.float32)
    if checks_ids:
        torch.gather(every, 1, ids.unsqueeze(1), out=out.unsqueeze(1))
        return out
    return out.copy_(gather_known(every, ids))


def gather_known(values: Tensor, ids: Tensor) -> Tensor:
    """Returns `values[b, ids[b]]`, [B]; NaN if there is no such column."""
    known = (ids >= 0) & (ids < values.shape[1])
    own = values.gather(1, ids.where(known, 0).unsqueeze(1)).squeeze(1)
    return own.where(known, torch.nan)
