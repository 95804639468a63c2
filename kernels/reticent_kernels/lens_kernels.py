"""Computes the logit lens in Triton: one pass over the unembedding, which keeps group maxima and no logits.

    x[r, v] = cap(scale * (sum_d hidden[r, d] * unembedding[v, d] + bias[v]))          float32, as `lens` defines it

1. `chosen_kernel` runs if ids are chosen. It computes their logits c[r] = x[r, chosen[r]].
2. `tiles_kernel` computes the product in tiles. A group is 64 consecutive ids of a row. For each group it keeps the
   maximum m1, its id i1 and the runner-up m2. For each tile it keeps the peak, the sum of exp(x - peak), and the number
   of ids before the chosen one. For the entropy it keeps the sum of (x - peak) * exp(x - peak) as well. Alternatively a
   library multiplies one chunk of the vocabulary after the other, and `chunk_kernel` keeps the same values.
3. `finish_kernel` selects the k largest m1 of each row, with ties to the smaller id. Which other ids can be among the
   k best? Their group must be one of the first k - 1, because otherwise k maxima come before them; and m2 must be at
   least the k-th m1. A repair multiplies such a group again, and replaces its maximum by its 64 logits. With fewer than
   k groups every group is repaired. Then the kernel merges the sums of the tiles.

Nothing is sorted, nothing is atomic, and no program waits for another, so the result is deterministic. The launches
depend on shapes alone, so a CUDA graph can hold them (call once before the capture, to compile).

Within a call, the chosen and the top-k logit of one id are bitwise equal on any hardware. The reason is that the tiles
take c for x at that id. Between calls, and for ranks beyond the top k, equality needs more: all kernels must compute
each product with the same matrix instruction in the same order over d. tests/test_kernel_compile.py checks that. A
library gives no such promise: with it, logits of two calls, and ranks beyond the top k, are equal up to rounding.

Not covered: gradients, and what `lens_triton.unsupported_reason` names. Ids chosen on the device are not checked: an id
outside [0, V) gets a logit of NaN and the rank -1.
"""

# Triton gives jitted functions no annotations.
# mypy: allow-untyped-decorators, allow-untyped-defs, allow-incomplete-defs

from __future__ import annotations

import triton
import triton.language as tl

from reticent_kernels.lens_parts import (
    GROUP,
    LOWEST,
    id_of,
    keep_best,
    keep_tile,
    key_of,
    logit_of,
    products_of,
    tma_products_of,
    to_logits,
)

CHOSEN_ROWS = tl.constexpr(16)
"""Rows for one program of `chosen_kernel`."""
INSTRUCTION_ROWS = tl.constexpr(64)
"""Rows of Hopper's matrix instruction. With fewer rows, Triton compiles another one, which rounds differently."""


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
    """Computes logits of the chosen ids of CHOSEN_ROWS rows, as the diagonal of the rows' products with these ids."""
    first = tl.program_id(0) * CHOSEN_ROWS
    place = tl.arange(0, INSTRUCTION_ROWS)
    column = tl.arange(0, CHOSEN_ROWS)
    own = tl.load(chosen_ptr + first + column, mask=first + column < R, other=0)
    ids = tl.minimum(tl.maximum(own, 0), V - 1)
    wanted = (place < CHOSEN_ROWS) & (first + place < R)
    products = products_of(
        h_ptr, h_stride, first + place, wanted, u_ptr, u_stride, ids, D,
        EVEN_D, UPCAST, INSTRUCTION_ROWS, CHOSEN_ROWS, WIDTH,
    )  # fmt: skip
    diagonal = tl.sum(tl.where(place[:, None] == column[None, :], products, 0.0), axis=0)
    logit = logit_of(key_of(to_logits(diagonal, ids, bias_ptr, scale, softcap, vocabulary), ids))
    logit = tl.where(ids == own, logit, float("nan"))
    tl.store(chosen_logit_ptr + first + column, logit, mask=first + column < R)


@triton.jit(do_not_specialize=["R"])
def tiles_kernel(
    h,  # [R, D]: a pointer, or if USE_TMA a descriptor of blocks [ROWS, WIDTH]
    h_stride,
    u,  # [V, D]: a pointer, or if USE_TMA a descriptor of blocks [IDS, WIDTH]
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
    USE_TMA: tl.constexpr,
    ROWS: tl.constexpr,
    IDS: tl.constexpr,
    WIDTH: tl.constexpr,
    BAND: tl.constexpr,
):
    """Computes the group maxima and the sums of one tile [ROWS, IDS] of the logits."""
    tiles = tl.cdiv(V, IDS)
    band = tl.program_id(0) // (BAND * tiles)
    in_band = tl.program_id(0) % (BAND * tiles)
    band_rows = tl.minimum(tl.cdiv(R, ROWS) - band * BAND, BAND)
    tile = in_band // band_rows
    first_row = (band * BAND + in_band % band_rows) * ROWS

    rows = first_row + tl.arange(0, ROWS)
    ids = tile * IDS + tl.arange(0, IDS)
    if USE_TMA:
        products = tma_products_of(h, u, first_row, tile * IDS, D, UPCAST, ROWS, IDS, WIDTH)
    else:
        products = products_of(
            h, h_stride, rows, rows < R, u, u_stride, tl.minimum(ids, V - 1), D, EVEN_D, UPCAST, ROWS, IDS, WIDTH
        )
    x = to_logits(products, ids, bias_ptr, scale, softcap, vocabulary)

    keep_tile(
        x, rows, ids, tile, chosen_ptr, chosen_logit_ptr, m1_ptr, i1_ptr, m2_ptr, peak_ptr, sum_ptr, moment_ptr,
        before_ptr, group_stride, tile_stride, R, V, ROWS, IDS,
    )  # fmt: skip


@triton.jit(do_not_specialize=["R", "first_tile", "chunk_tiles"])
def chunk_kernel(
    products_ptr,  # [R, products_stride] float32: products with the ids of `chunk_tiles` tiles, from `first_tile` on
    products_stride,
    bias_ptr,  # [V] or None
    chosen_ptr,  # [R] int64 or None
    chosen_logit_ptr,  # [R] float32 or None
    m1_ptr,  # from here to `tile_stride` as in `tiles_kernel`
    i1_ptr,
    m2_ptr,
    peak_ptr,
    sum_ptr,
    moment_ptr,
    before_ptr,
    group_stride,
    tile_stride,
    scale,
    softcap,  # or None
    first_tile,
    chunk_tiles,
    R,
    V,
    vocabulary,
    ROWS: tl.constexpr,
    IDS: tl.constexpr,
):
    """Keeps the same as `tiles_kernel` for one tile [ROWS, IDS], from products that a library computed."""
    tile_in_chunk = tl.program_id(0) % chunk_tiles
    tile = first_tile + tile_in_chunk
    rows = tl.program_id(0) // chunk_tiles * ROWS + tl.arange(0, ROWS)
    place = tl.arange(0, IDS)
    # Behind the last id the buffer is uninitialised; `to_logits` turns it into -inf.
    at = rows.to(tl.int64)[:, None] * products_stride + (tile_in_chunk * IDS + place)[None, :]
    products = tl.load(products_ptr + at, mask=(rows < R)[:, None], other=0.0)
    ids = tile * IDS + place
    x = to_logits(products, ids, bias_ptr, scale, softcap, vocabulary)
    keep_tile(
        x, rows, ids, tile, chosen_ptr, chosen_logit_ptr, m1_ptr, i1_ptr, m2_ptr, peak_ptr, sum_ptr, moment_ptr,
        before_ptr, group_stride, tile_stride, R, V, ROWS, IDS,
    )  # fmt: skip


@triton.jit
def finish_kernel(  # noqa: PLR0915 - one launch; parts would take most of its pointers and sizes again
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
    """Finishes one row: selects the k best group maxima, repairs groups that hide larger logits, merges the sums."""
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
        best = keep_best(best, tl.where(group < groups, key_of(m1, group * GROUP + i1), LOWEST), K, SLOTS)
    peak = tl.max(logit_of(best), axis=0)

    least = tl.max(logit_of(tl.where(slot == K - 1, best, LOWEST)), axis=0)  # -inf with fewer than K groups
    group = (id_of(best) // GROUP).to(tl.int32)
    hiding = (slot < K - 1) & (best != LOWEST)
    hiding &= tl.load(m2_ptr + at * group_stride + group, mask=hiding, other=0.0) >= least
    best = tl.where(hiding, LOWEST, best)
    tl.store(repairs_ptr + row, tl.sum(hiding.to(tl.int32), axis=0))
    place = tl.arange(0, INSTRUCTION_ROWS)
    for rank in tl.range(0, K - 1, num_stages=1):
        if tl.max((hiding & (slot == rank)).to(tl.int32), axis=0) > 0:
            ids = tl.sum(tl.where(slot == rank, group, 0), axis=0) * GROUP + tl.arange(0, GROUP)
            products = products_of(
                h_ptr, h_stride, row + place, place == 0, u_ptr, u_stride, tl.minimum(ids, V - 1), D,
                EVEN_D, UPCAST, INSTRUCTION_ROWS, GROUP, WIDTH,
            )  # fmt: skip
            product = tl.sum(tl.where((place == 0)[:, None], products, 0.0), axis=0)
            x = to_logits(product, ids, bias_ptr, scale, softcap, vocabulary)
            if chosen_ptr is not None:
                x = tl.where(ids == tl.load(chosen_ptr + row), tl.load(chosen_logit_ptr + row), x)
            best = keep_best(best, tl.where(ids < V, key_of(x, ids), LOWEST), K, SLOTS)
    tl.store(topk_logit_ptr + at * K + slot, logit_of(best), mask=slot < K)
    tl.store(topk_id_ptr + at * K + slot, id_of(best), mask=slot < K)

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
        # In the top k, the rank is the place there, even if a repair rounds differently from the tile.
        own = tl.load(chosen_ptr + row)
        found = (id_of(best) == own) & (slot < K)
        rank = tl.where(
            tl.max(found.to(tl.int32), axis=0) > 0,
            tl.sum(tl.where(found, slot, 0), axis=0),
            tl.maximum(before, K),
        )
        tl.store(chosen_rank_ptr + row, tl.where((own >= 0) & (own < V), rank, -1).to(tl.int64))
