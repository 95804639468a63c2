"""Compares the lens' top tokens by cosine, within a layer and across layers (PrivacyXray's semantic coherence)."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import normalize

from reticent_kernels.torch_or_triton import Impl, check_ids, wants_triton

BLOCK_WEIGHTS = 1 << 24
"""Most gathered embedding weights in memory at once: 64 MiB of float32."""


@torch.no_grad()
def token_cosines(topk_id: Tensor, embedding: Tensor, *, impl: Impl = "auto") -> tuple[Tensor, Tensor]:
    """Returns the cosines between embedding rows of top tokens, in float32.

    `inter` [S, L-1, k, k] is the cosine of rank i at layer l with rank j at layer l+1. `intra` [S, L, k-1] is the
    cosine of ranks i and i+1 in one layer. A row of zeros has cosine 0 with every row.

    Args:
        topk_id: [S, L, k] ids by rank.
        embedding: [V, d].
        impl: as in `logit_lens`; the kernel is `cosines_triton`.

    Raises:
        ValueError: shapes or ids do not fit, or `impl` is "triton" and the kernel does not cover the call. The kernel
            does not check ids on a GPU, because that would wait; an id outside [0, V) gives NaN.
        ImportError: `impl` is "triton" and triton is not installed.
    """
    if topk_id.ndim != 3 or embedding.ndim != 2:
        raise ValueError(
            f"topk_id must be [S, L, k] and embedding [V, d], got {list(topk_id.shape)} and {list(embedding.shape)}."
        )
    fused = wants_triton(impl, embedding)
    if fused:
        from reticent_kernels import cosines_triton

        problem = cosines_triton.unsupported_reason(topk_id, embedding)
        if problem and impl == "triton":
            raise ValueError(problem)
        fused = problem is None
    check_ids("topk_id", topk_id, len(embedding), wait=not fused)
    if fused:
        return cosines_triton.cosines(topk_id, embedding)
    spans, layers, k = topk_id.shape
    inter = torch.empty(spans, max(0, layers - 1), k, k, device=embedding.device)
    intra = torch.empty(spans, layers, max(0, k - 1), device=embedding.device)
    step = max(1, BLOCK_WEIGHTS // max(1, layers * k * embedding.shape[1]))
    for start in range(0, spans, step):
        at = slice(start, start + step)
        rows = normalize(embedding[topk_id[at].to(embedding.device)].float(), dim=-1)  # [s, L, k, d]
        inter[at] = rows[:, :-1] @ rows[:, 1:].transpose(-1, -2)
        intra[at] = (rows[:, :, :-1] * rows[:, :, 1:]).sum(-1)
    return inter, intra
