"""The logit lens in Triton: one pass over the unembedding, group maxima with a certificate, no logits kept.

    x[r, v] = cap(scale * (sum_d hidden[r, d] * unembedding[v, d] + bias[v]))          float32, as `lens` defines it

1. `chosen_kernel`, where ids are chosen: their logits c[r] = x[r, chosen[r]].
2. `tiles_kernel`, a product of tiles. Of each row's 64 consecutive ids (a group) it keeps the maximum m1, its id i1 and
   the runner-up m2; of each tile the peak, the sum of exp(x - peak), for the entropy that of (x - peak) * exp(x - peak),
   and how many ids come before the chosen one.
3. `finish_kernel`, per row: the k largest m1, ties to the smaller id. An id that is not its group's maximum is among
   the k best only if its group is one of the first k - 1 of them (otherwise k maxima come before it) and m2 >= the
   k-th m1. Those few groups are multiplied again, and their 64 logits take the place of their maximum: a repair.
   With fewer than k groups every group is repaired. Then the tiles' sums are merged.

Nothing is sorted, nothing is atomic, and no program waits for another: the result is deterministic, and the launches
depend on shapes alone, so a CUDA graph can hold them (call once before the capture, to compile).

The chosen and the top-k logits of one id are bitwise equal within a call, whatever the hardware rounds, because the
tiles take c for x at that id. Between calls, and for the rank beyond the top k, it rests on each product coming out of
the same matrix instruction in the same order over d in all three kernels: tests/test_kernel_compile.py holds them to it.

Not covered: what `lens_triton.obstacle` names, and gradients. Ids chosen on the device are not looked at: one outside of
[0, V) gets a logit of NaN and the rank -1.
"""

# Of the jitted functions the annotations would be Triton's, which has none to give.
# mypy: allow-untyped-decorators, allow-untyped-defs, allow-incomplete-defs

from __future__ import annotations

import triton
import triton.language as tl

GROUP = tl.constexpr(64)
"""Ids of a group."""
LOWEST = tl.constexpr(-(2**63))
"""Below the key of any logit."""
CHOSEN_ROWS = tl.constexpr(16)
"""Rows of one program of `chosen_kernel`."""
INSTRUCTION_ROWS = tl.constexpr(64)
"""Rows of Hopper's matrix instruction: with fewer, another one with another rounding is compiled."""


# Helpers


@triton.jit
def _products(
    h_ptr, h_stride, rows, row_wanted, u_ptr, u_stride, ids, D, EVEN_D: tl.constexpr, UPCAST: tl.constexpr,
    ROWS: tl.constexpr, IDS: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """Products [ROWS, IDS] of `rows` [ROWS] of h with `ids` [IDS] of u, accumulated over d in steps of WIDTH."""
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
def _bulk_products(
    h, u, row, first_id, D, UPCAST: tl.constexpr, ROWS: tl.constexpr, IDS: tl.constexpr, WIDTH: tl.constexpr
):
    """Products of the ROWS rows from `row` on with the IDS ids from `first_id` on, loaded by descriptors."""
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
def _to_logits(products, ids, bias_ptr, scale, softcap, vocabulary):
    """cap(scale * (products + bias)) of products [..., IDS]; -inf for NaN and for `ids` from `vocabulary` on."""
    x = products
    token = ids < vocabulary
    if bias_ptr is not None:
        # Loaded as a vector: loaded as [1, IDS] it takes the products out of the layout of the matrix instruction.
        bias = tl.load(bias_ptr + ids, mask=token, other=0.0).to(tl.float32)
        x += bias if len(products.shape) == 1 else bias[None, :]
    x *= scale
    if softcap is not None:
        x = softcap * (1 - 2 / (1 + tl.exp(x * (2 / softcap))))  # tanh
    return tl.where((token if len(products.shape) == 1 else token[None, :]) & (x == x), x, -float("inf"))


@triton.jit
def _key(x, ids):
    """int64 keys whose order is that of (x, -id), all different; -0 counts as 0."""
    bits = x.to(tl.int32, bitcast=True)
    bits = tl.where(bits == -(2**31), 0, bits)
    bits ^= (bits >> 31) & 0x7FFFFFFF
    return (bits.to(tl.int64) << 32) | (0x7FFFFFFF - ids).to(tl.int64)


@triton.jit
def _key_logit(key):
    bits = (key >> 32).to(tl.int32)
    bits ^= (bits >> 31) & 0x7FFFFFFF
    return tl.where(key == LOWEST, -float("inf"), bits.to(tl.float32, bitcast=True))


@triton.jit
def _key_id(key):
    return 0x7FFFFFFF - (key & 0x7FFFFFFF)


@triton.jit
def _keep_best(best, new, K: tl.constexpr, SLOTS: tl.constexpr):
    """The K largest keys of `best` [SLOTS] and `new`, descending; LOWEST behind them."""
    slot = tl.arange(0, SLOTS)
    kept = tl.full([SLOTS], LOWEST, tl.int64)
    for rank in range(K):
        top = tl.maximum(tl.max(best, axis=0), tl.max(new, axis=0))
        kept = tl.where(slot == rank, top, kept)
        best = tl.where(best == top, LOWEST, best)
        new = tl.where(new == top, LOWEST, new)
    return kept


# Kernels


@triton.jit(do_not_specialize=["R"])
def chosen_kernel(
    h_ptr,  # [R, D]
    h_stride,
    u_ptr,  # [V, D]
    u_stride,
    bias_ptr,  # [V] or None
    chosen_ptr,  # [R] int64
    chosen_logit_ptr,  # [R] float32, out
    scale,
    softcap,  # or None
    R,
    V,
    vocabulary,
    D,
    EVEN_D: tl.constexpr,
    UPCAST: tl.constexpr,
    WIDTH: tl.constexpr,
):
    """Logits of the chosen ids of CHOSEN_ROWS rows: the diagonal of the rows' products with the gathered ids."""
    first = tl.program_id(0) * CHOSEN_ROWS
    place = tl.arange(0, INSTRUCTION_ROWS)
    column = tl.arange(0, CHOSEN_ROWS)
    own = tl.load(chosen_ptr + first + column, mask=first + column < R, other=0)
    ids = tl.minimum(tl.maximum(own, 0), V - 1)
    wanted = (place < CHOSEN_ROWS) & (first + place < R)
    products = _products(
        h_ptr, h_stride, first + place, wanted, u_ptr, u_stride, ids, D,
        EVEN_D, UPCAST, INSTRUCTION_ROWS, CHOSEN_ROWS, WIDTH,
    )  # fmt: skip
    diagonal = tl.sum(tl.where(place[:, None] == column[None, :], products, 0.0), axis=0)
    logit = _key_logit(_key(_to_logits(diagonal, ids, bias_ptr, scale, softcap, vocabulary), ids))
    logit = tl.where(ids == own, logit, float("nan"))
    tl.store(chosen_logit_ptr + first + column, logit, mask=first + column < R)


@triton.jit(do_not_specialize=["R"])
def tiles_kernel(
    h,  # [R, D]: a pointer, or if BULK a descriptor of blocks [ROWS, WIDTH]
    h_stride,
    u,  # [V, D]: a pointer, or if BULK a descriptor of blocks [IDS, WIDTH]
    u_stride,
    bias_ptr,  # [V] or None
    chosen_ptr,  # [R] int64 or None
    chosen_logit_ptr,  # [R] float32 or None
    m1_ptr,  # [R, group_stride] float32, out: each group's largest logit
    i1_ptr,  # [R, group_stride] int8, out: its smallest id, counted from the group's first
    m2_ptr,  # [R, group_stride] float32, out: the group's largest logit without that id
    peak_ptr,  # [R, tile_stride] float32, out: each tile's largest logit
    sum_ptr,  # [R, tile_stride] float32, out: sum of exp(x - peak)
    moment_ptr,  # [R, tile_stride] float32 or None, out: sum of (x - peak) * exp(x - peak)
    before_ptr,  # [R, tile_stride] int32 or None, out: ids that come before the chosen one
    group_stride,
    tile_stride,
    scale,
    softcap,  # or None
    R,
    V,
    vocabulary,
    D,
    EVEN_D: tl.constexpr,
    UPCAST: tl.constexpr,
    BULK: tl.constexpr,
    ROWS: tl.constexpr,
    IDS: tl.constexpr,
    WIDTH: tl.constexpr,
    BAND: tl.constexpr,
):
    """Maxima of the groups and sums of one tile [ROWS, IDS] of the logits."""
    tiles = tl.cdiv(V, IDS)
    band = tl.program_id(0) // (BAND * tiles)
    in_band = tl.program_id(0) % (BAND * tiles)
    band_rows = tl.minimum(tl.cdiv(R, ROWS) - band * BAND, BAND)
    tile = in_band // band_rows
    first_row = (band * BAND + in_band % band_rows) * ROWS

    rows = first_row + tl.arange(0, ROWS)
    ids = tile * IDS + tl.arange(0, IDS)
    if BULK:
        products = _bulk_products(h, u, first_row, tile * IDS, D, UPCAST, ROWS, IDS, WIDTH)
    else:
        products = _products(
            h, h_stride, rows, rows < R, u, u_stride, tl.minimum(ids, V - 1), D, EVEN_D, UPCAST, ROWS, IDS, WIDTH
        )
    x = _to_logits(products, ids, bias_ptr, scale, softcap, vocabulary)

    row_at = rows.to(tl.int64)
    tile_at = row_at * tile_stride + tile
    if chosen_ptr is not None:
        own = tl.load(chosen_ptr + rows, mask=rows < R, other=0)
        own = tl.where((own >= 0) & (own < V), own, -1).to(tl.int32)[:, None]
        own_logit = tl.load(chosen_logit_ptr + rows, mask=rows < R, other=0.0)[:, None]
        x = tl.where(ids[None, :] == own, own_logit, x)
        before = (x > own_logit) | ((x == own_logit) & (ids[None, :] < own))
        tl.store(before_ptr + tile_at, tl.sum(before.to(tl.int32), axis=1), mask=rows < R)

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


@triton.jit
def finish_kernel(
    h_ptr,  # [R, D]
    h_stride,
    u_ptr,  # [V, D]
    u_stride,
    bias_ptr,  # [V] or None
    chosen_ptr,  # [R] int64 or None
    chosen_logit_ptr,  # [R] float32 or None
    m1_ptr,  # what `tiles_kernel` left
    i1_ptr,
    m2_ptr,
    peak_ptr,
    sum_ptr,
    moment_ptr,
    before_ptr,
    group_stride,
    tile_stride,
    topk_logit_ptr,  # [R, K] float32, out
    topk_id_ptr,  # [R, K] int64, out
    logsumexp_ptr,  # [R] float32, out
    chosen_rank_ptr,  # [R] int64 or None, out
    entropy_ptr,  # [R] float32 or None, out
    repairs_ptr,  # [R] int32, out: groups that were multiplied again
    scale,
    softcap,  # or None
    tiles,
    V,
    vocabulary,
    D,
    K: tl.constexpr,
    SLOTS: tl.constexpr,
    EVEN_D: tl.constexpr,
    UPCAST: tl.constexpr,
    WIDTH: tl.constexpr,
    SELECT: tl.constexpr,
):
    """One row: select the k best of the groups' maxima, repair what they may hide, merge the sums."""
    row = tl.program_id(0)
    at = row.to(tl.int64)
    slot = tl.arange(0, SLOTS)
    number = tl.arange(0, SELECT)
    groups = tl.cdiv(V, GROUP)

    best = tl.full([SLOTS], LOWEST, tl.int64)
    for start in tl.range(0, groups, SELECT, num_stages=1):
        group = start + number
        m1 = tl.load(m1_ptr + at * group_stride + group, mask=group < groups, other=0.0)
        i1 = tl.load(i1_ptr + at * group_stride + group, mask=group < groups, other=0).to(tl.int32)
        best = _keep_best(best, tl.where(group < groups, _key(m1, group * GROUP + i1), LOWEST), K, SLOTS)
    peak = tl.max(_key_logit(best), axis=0)

    least = tl.max(_key_logit(tl.where(slot == K - 1, best, LOWEST)), axis=0)  # -inf with fewer than K groups
    group = (_key_id(best) // GROUP).to(tl.int32)
    hiding = (slot < K - 1) & (best != LOWEST)
    hiding &= tl.load(m2_ptr + at * group_stride + group, mask=hiding, other=0.0) >= least
    best = tl.where(hiding, LOWEST, best)
    tl.store(repairs_ptr + row, tl.sum(hiding.to(tl.int32), axis=0))
    place = tl.arange(0, INSTRUCTION_ROWS)
    for rank in tl.range(0, K - 1, num_stages=1):
        if tl.max((hiding & (slot == rank)).to(tl.int32), axis=0) > 0:
            ids = tl.sum(tl.where(slot == rank, group, 0), axis=0) * GROUP + tl.arange(0, GROUP)
            products = _products(
                h_ptr, h_stride, row + place, place == 0, u_ptr, u_stride, tl.minimum(ids, V - 1), D,
                EVEN_D, UPCAST, INSTRUCTION_ROWS, GROUP, WIDTH,
            )  # fmt: skip
            product = tl.sum(tl.where((place == 0)[:, None], products, 0.0), axis=0)
            x = _to_logits(product, ids, bias_ptr, scale, softcap, vocabulary)
            if chosen_ptr is not None:
                x = tl.where(ids == tl.load(chosen_ptr + row), tl.load(chosen_logit_ptr + row), x)
            best = _keep_best(best, tl.where(ids < V, _key(x, ids), LOWEST), K, SLOTS)
    tl.store(topk_logit_ptr + at * K + slot, _key_logit(best), mask=slot < K)
    tl.store(topk_id_ptr + at * K + slot, _key_id(best), mask=slot < K)

    shift = tl.where(peak == -float("inf"), 0.0, peak)
    total = 0.0
    moment = 0.0
    before = 0
    for start in tl.range(0, tiles, SELECT, num_stages=1):
        tile_at = at * tile_stride + start + number
        inside = start + number < tiles
        delta = tl.load(peak_ptr + tile_at, mask=inside, other=-float("inf")) - shift
        tile_sum = tl.load(sum_ptr + tile_at, mask=inside, other=0.0)
        weight = tl.exp(delta)
        total += tl.sum(tile_sum * weight, axis=0)
        if moment_ptr is not None:
            tile_moment = tl.load(moment_ptr + tile_at, mask=inside, other=0.0)
            tile_moment += tl.where(delta == -float("inf"), 0.0, tile_sum * delta)
            moment += tl.sum(tile_moment * weight, axis=0)
        if before_ptr is not None:
            before += tl.sum(tl.load(before_ptr + tile_at, mask=inside, other=0), axis=0)
    tl.store(logsumexp_ptr + row, peak + tl.log(total))
    if entropy_ptr is not None:
        entropy = tl.log(total) - moment / total
        tl.store(entropy_ptr + row, tl.where(peak == -float("inf"), float("inf"), entropy))
    if chosen_rank_ptr is not None:
        # Among the top k the rank is the place there, also if a repair should ever round otherwise than the tile did.
        own = tl.load(chosen_ptr + row)
        found = (_key_id(best) == own) & (slot < K)
        rank = tl.where(
            tl.max(found.to(tl.int32), axis=0) > 0,
            tl.sum(tl.where(found, slot, 0), axis=0),
            tl.maximum(before, K),
        )
        tl.store(chosen_rank_ptr + row, tl.where((own >= 0) & (own < V), rank, -1).to(tl.int64))
