"""Provides the parts of the lens' kernels: products, logits, the order of tokens, and the reduction of a tile."""

# Triton gives jitted functions no annotations.
# mypy: allow-untyped-decorators, allow-untyped-defs, allow-incomplete-defs

from __future__ import annotations

import triton
import triton.language as tl

GROUP = tl.constexpr(64)
"""Ids in a group."""
LOWEST = tl.constexpr(-(2**63))
"""A key below that of any logit."""


@triton.jit
def products_of(
    h_ptr, h_stride, rows, row_wanted, u_ptr, u_stride, ids, D, EVEN_D: tl.constexpr, UPCAST: tl.constexpr,
    ROWS: tl.constexpr, IDS: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """Multiplies `rows` [ROWS] of h with `ids` [IDS] of u to [ROWS, IDS], accumulated over d in steps of WIDTH."""
    d = tl.arange(0, WIDTH)
    h_at = h_ptr + rows.to(tl.int64)[:, None] * h_stride + d[None, :]
    u_at = u_ptr + ids.to(tl.int64)[:, None] * u_stride + d[None, :]
    total = tl.zeros([ROWS, IDS], tl.float32)
    for start in range(0, D, WIDTH):
        if EVEN_D:
            h = tl.load(h_at + start, mask=row_wanted[:, None], other=0.0)
            u = tl.load(u_at + start)
        else:
            inside = (start + d < D)[None, :]
            h = tl.load(h_at + start, mask=row_wanted[:, None] & inside, other=0.0)
            u = tl.load(u_at + start, mask=inside, other=0.0)
        if UPCAST:
            h = h.to(tl.float32)
            u = u.to(tl.float32)
        total = tl.dot(h, u.T, total, input_precision="ieee")
    return total


@triton.jit
def tma_products_of(
    h, u, row, first_id, D, UPCAST: tl.constexpr, ROWS: tl.constexpr, IDS: tl.constexpr, WIDTH: tl.constexpr
):
    """Multiplies the ROWS rows from `row` on with the IDS ids from `first_id` on, loaded by descriptors."""
    total = tl.zeros([ROWS, IDS], tl.float32)
    for start in range(0, D, WIDTH):
        a = h.load([row, start])
        b = u.load([first_id, start])
        if UPCAST:
            a = a.to(tl.float32)
            b = b.to(tl.float32)
        total = tl.dot(a, b.T, total, input_precision="ieee")
    return total


@triton.jit
def to_logits(products, ids, bias_ptr, scale, softcap, vocabulary):
    """Returns cap(scale * (products + bias)) of products [..., IDS]; -inf for NaN and `ids` from `vocabulary` on."""
    x = products
    token = ids < vocabulary
    if bias_ptr is not None:
        # Loaded as a vector. A load of [1, IDS] would change the products' layout, which is the matrix instruction's.
        bias = tl.load(bias_ptr + ids, mask=token, other=0.0).to(tl.float32)
        x += bias if len(products.shape) == 1 else bias[None, :]
    x *= scale
    if softcap is not None:
        x = softcap * (1 - 2 / (1 + tl.exp(x * (2 / softcap))))  # tanh
    return tl.where((token if len(products.shape) == 1 else token[None, :]) & (x == x), x, -float("inf"))


@triton.jit
def key_of(x, ids):
    """Returns int64 keys in the order of (x, -id), all different. -0 counts as 0."""
    bits = x.to(tl.int32, bitcast=True)
    bits = tl.where(bits == -(2**31), 0, bits)
    bits ^= (bits >> 31) & 0x7FFFFFFF
    return (bits.to(tl.int64) << 32) | (0x7FFFFFFF - ids).to(tl.int64)


@triton.jit
def logit_of(key):
    bits = (key >> 32).to(tl.int32)
    bits ^= (bits >> 31) & 0x7FFFFFFF
    return tl.where(key == LOWEST, -float("inf"), bits.to(tl.float32, bitcast=True))


@triton.jit
def id_of(key):
    return 0x7FFFFFFF - (key & 0x7FFFFFFF)


@triton.jit
def keep_best(best, new, K: tl.constexpr, SLOTS: tl.constexpr):
    """Returns the K largest keys of `best` [SLOTS] and `new`, in descending order, and LOWEST behind them."""
    slot = tl.arange(0, SLOTS)
    kept = tl.full([SLOTS], LOWEST, tl.int64)
    for rank in range(K):
        top = tl.maximum(tl.max(best, axis=0), tl.max(new, axis=0))
        kept = tl.where(slot == rank, top, kept)
        best = tl.where(best == top, LOWEST, best)
        new = tl.where(new == top, LOWEST, new)
    return kept


@triton.jit
def keep_tile(
    x, rows, ids, tile, chosen_ptr, chosen_logit_ptr, m1_ptr, i1_ptr, m2_ptr, peak_ptr, sum_ptr, moment_ptr, before_ptr,
    group_stride, tile_stride, R, V, ROWS: tl.constexpr, IDS: tl.constexpr,
):  # fmt: skip
    """Stores the group maxima and the sums of logits x [ROWS, IDS] for one tile."""
    row_at = rows.to(tl.int64)
    tile_at = row_at * tile_stride + tile
    if chosen_ptr is not None:
        own = tl.load(chosen_ptr + rows, mask=rows < R, other=0)
        own = tl.where((own >= 0) & (own < V), own, -1).to(tl.int32)[:, None]
        own_logit = tl.load(chosen_logit_ptr + rows, mask=rows < R, other=0.0)[:, None]
        x = tl.where(ids[None, :] == own, own_logit, x)
        before = (x > own_logit) | ((x == own_logit) & (ids[None, :] < own))
        # Counted down, because for counting up Triton 3.9 packs the bits and passes them through the stack.
        tl.store(before_ptr + tile_at, -tl.sum(tl.where(before, -1, 0), axis=1), mask=rows < R)

    grouped = tl.reshape(x, [ROWS, IDS // GROUP, GROUP])
    place = tl.arange(0, GROUP)[None, None, :]
    m1 = tl.max(grouped, axis=2)
    i1 = tl.min(tl.where(grouped == m1[:, :, None], place, GROUP), axis=2)
    m2 = tl.max(tl.where(place == i1[:, :, None], -float("inf"), grouped), axis=2)
    groups = tile * (IDS // GROUP) + tl.arange(0, IDS // GROUP)
    group_at = row_at[:, None] * group_stride + groups[None, :]
    stored = (rows < R)[:, None] & (groups < tl.cdiv(V, GROUP))[None, :]
    tl.store(m1_ptr + group_at, m1, mask=stored)
    tl.store(i1_ptr + group_at, i1.to(tl.int8), mask=stored)
    tl.store(m2_ptr + group_at, m2, mask=stored)

    peak = tl.max(m1, axis=1)
    shifted = x - tl.where(peak == -float("inf"), 0.0, peak)[:, None]
    weight = tl.exp(shifted)
    tl.store(peak_ptr + tile_at, peak, mask=rows < R)
    tl.store(sum_ptr + tile_at, tl.sum(weight, axis=1), mask=rows < R)
    if moment_ptr is not None:
        moment = tl.where(x == -float("inf"), 0.0, shifted * weight)  # 0 * -inf would be NaN
        tl.store(moment_ptr + tile_at, tl.sum(moment, axis=1), mask=rows < R)
