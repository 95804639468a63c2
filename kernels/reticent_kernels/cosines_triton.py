"""Computes the cosines of top tokens in Triton. Embedding rows are gathered by id and never written to memory.

    inter[s, l, i, j] = cos(e[topk_id[s, l, i]], e[topk_id[s, l + 1, j]])        cos(a, b) = a.b / (|a| |b|)
    intra[s, l, i]    = cos(e[topk_id[s, l, i]], e[topk_id[s, l, i + 1]])        float32, as `cosines` defines them

One program per span and layer reads the rows of its layer and of the next in steps over d. Two matrix products give all
inner products at once, and the squared norms come from the same loads. The result is deterministic. The one launch
depends on shapes alone, so a CUDA graph can hold it (call once before the capture, to compile).

Not covered: gradients; float64; k over `MAX_K`; norms over 1e19, whose squares overflow. Ids on a GPU are not checked:
an id outside [0, V) gives NaN.
"""

# mypy: allow-untyped-decorators, allow-untyped-defs, allow-incomplete-defs

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

from reticent_kernels.launch import Launch, device_guard

MAX_K = 64
SMALLEST_NORM = tl.constexpr(1e-12)
"""Shorter rows are divided by this, as torch's `normalize` does."""


@triton.jit
def _norms(squares):
    return tl.maximum(tl.sqrt(squares), SMALLEST_NORM)


@triton.jit
def _cosines_kernel(
    topk_id_ptr,  # [S, L, K] int64
    embedding_ptr,  # [V, D]
    stride,
    inter_ptr,  # [S, L - 1, K, K] float32, out
    intra_ptr,  # [S, L, K - 1] float32, out
    L,
    V,
    D,
    K: tl.constexpr,
    EVEN_D: tl.constexpr,
    UPCAST: tl.constexpr,
    SLOTS: tl.constexpr,
    WIDTH: tl.constexpr,
):
    """Computes the cosines within one layer of one span, and with its next layer."""
    at = tl.program_id(0).to(tl.int64)
    layer = at % L
    rank = tl.arange(0, SLOTS)
    d = tl.arange(0, WIDTH)
    ids = tl.load(topk_id_ptr + at * K + rank, mask=rank < K, other=-1)
    next_k = tl.where(layer == L - 1, 0, K)
    next_ids = tl.load(topk_id_ptr + (at + 1) * K + rank, mask=rank < next_k, other=-1)
    known = (ids >= 0) & (ids < V)
    next_known = (next_ids >= 0) & (next_ids < V)
    a_at = embedding_ptr + tl.where(known, ids, 0)[:, None] * stride + d[None, :]
    b_at = embedding_ptr + tl.where(next_known, next_ids, 0)[:, None] * stride + d[None, :]

    across = tl.zeros([SLOTS, SLOTS], tl.float32)
    within = tl.zeros([SLOTS, SLOTS], tl.float32)
    a_square = tl.zeros([SLOTS], tl.float32)
    b_square = tl.zeros([SLOTS], tl.float32)
    for start in range(0, D, WIDTH):
        if EVEN_D:
            a = tl.load(a_at + start, mask=known[:, None], other=0.0)
            b = tl.load(b_at + start, mask=next_known[:, None], other=0.0)
        else:
            inside = (start + d < D)[None, :]
            a = tl.load(a_at + start, mask=known[:, None] & inside, other=0.0)
            b = tl.load(b_at + start, mask=next_known[:, None] & inside, other=0.0)
        if UPCAST:
            a = a.to(tl.float32)
            b = b.to(tl.float32)
        across = tl.dot(a, b.T, across, input_precision="ieee")
        within = tl.dot(a, a.T, within, input_precision="ieee")
        a_square += tl.sum(a.to(tl.float32) * a.to(tl.float32), axis=1)
        b_square += tl.sum(b.to(tl.float32) * b.to(tl.float32), axis=1)

    a_norm = tl.where(known, _norms(a_square), float("nan"))
    b_norm = tl.where(next_known, _norms(b_square), float("nan"))
    inter = across / a_norm[:, None] / b_norm[None, :]
    inter_at = (at // L * (L - 1) + layer) * K * K + rank[:, None] * K + rank[None, :]
    tl.store(inter_ptr + inter_at, inter, mask=(rank < K)[:, None] & (rank < next_k)[None, :])

    follows = rank[None, :] == rank[:, None] + 1
    intra = tl.where(follows, within / a_norm[:, None], 0.0)
    # The norm of each next row, from the same registers.
    next_norm = tl.sum(tl.where(follows, a_norm[None, :], 0.0), axis=1)
    tl.store(intra_ptr + at * (K - 1) + rank, tl.sum(intra, axis=1) / next_norm, mask=rank < K - 1)


def unsupported_reason(topk_id: Tensor, embedding: Tensor) -> str | None:
    """Returns why this kernel cannot serve a call whose shapes fit; None if it can."""
    if embedding.dtype not in (torch.float32, torch.float16, torch.bfloat16):
        return f"embedding must be float32, float16 or bfloat16 for the Triton kernel, got {embedding.dtype}."
    if not embedding.is_cuda and isinstance(_cosines_kernel, triton.JITFunction):
        return f"The Triton kernel needs CUDA tensors, got embedding on {embedding.device}."
    if embedding.stride(1) != 1 and embedding.shape[1] > 1:
        return f"embedding [V, d] must have contiguous rows for the Triton kernel, got strides {embedding.stride()}."
    if topk_id.shape[2] > MAX_K:
        return f"k must be at most {MAX_K} for the Triton kernel, got {topk_id.shape[2]}."
    return None


def cosines(topk_id: Tensor, embedding: Tensor) -> tuple[Tensor, Tensor]:
    """Computes `token_cosines` on checked arguments for which `unsupported_reason` returned None."""
    launch, inter, intra = plan(topk_id.to(embedding.device, torch.int64).contiguous(), embedding)
    if launch.grid and launch.arguments["K"]:
        with device_guard(embedding):
            launch.run()
    return inter, intra


def plan(topk_id: Tensor, embedding: Tensor) -> tuple[Launch, Tensor, Tensor]:
    """Allocates `inter` and `intra`, and returns the launch. `topk_id` is contiguous int64 on embedding's device."""
    (spans, layers, k), (vocab_size, d) = topk_id.shape, embedding.shape
    inter = torch.empty(spans, max(0, layers - 1), k, k, device=embedding.device)
    intra = torch.empty(spans, layers, max(0, k - 1), device=embedding.device)
    width = 64 if embedding.dtype == torch.float32 else 128
    # Triton's interpreter cannot multiply bfloat16.
    interpreted = not isinstance(_cosines_kernel, triton.JITFunction)
    arguments = {
        "topk_id_ptr": topk_id,
        "embedding_ptr": embedding,
        "stride": embedding.stride(0),
        "inter_ptr": inter,
        "intra_ptr": intra,
        "L": layers,
        "V": vocab_size,
        "D": d,
        "K": k,
        "EVEN_D": d % width == 0,
        "UPCAST": interpreted and embedding.dtype == torch.bfloat16,
        "SLOTS": max(16, triton.next_power_of_2(k)),
        "WIDTH": width,
    }
    return Launch(_cosines_kernel, spans * layers, arguments, warps=2, stages=3), inter, intra
