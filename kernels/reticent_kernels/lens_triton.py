"""Calls the Triton kernels of the lens: checks what they cover, cuts the product into tiles, and plans the launches.

`lens_kernels` describes the kernels and why they are exact. The launches depend on shapes alone, so a CUDA graph can
hold them (call once before the capture, to compile). Tiles are chosen for Hopper. Another GPU gets a smaller tile if
these do not fit its shared memory.

Not covered: gradients; float64; a quantised or transposed unembedding; k over `MAX_K`.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import torch
import triton
from torch import Tensor
from triton.runtime import driver
from triton.tools.tensor_descriptor import TensorDescriptor

from reticent_kernels.launch import Launch, device_guard
from reticent_kernels.lens_kernels import CHOSEN_ROWS, chosen_kernel, chunk_kernel, finish_kernel, tiles_kernel
from reticent_kernels.lens_output import LensOutput, concatenate
from reticent_kernels.lens_parts import GROUP

MAX_K = 64
SELECT_BLOCK = 2048
"""Groups or tiles of a row that `finish_kernel` holds at once."""
BAND = 16
"""Row tiles that are multiplied with one tile of the unembedding before the next. Their states stay in the L2 cache."""
WORKSPACE_BYTES = 1 << 28
"""Most bytes for the group maxima of one block of rows."""


class Tile(NamedTuple):
    """The size of a tile of `tiles_kernel`, and how it is compiled."""

    rows: int
    ids: int
    width: int
    """Columns of d in one step."""
    stages: int
    warps: int
    use_tma: bool
    """Loads by tensor descriptors (TMA), which need aligned tensors."""

    def shared_bytes(self, itemsize: int) -> int:
        """Returns the shared memory that the tile's loads take, for numbers of `itemsize` bytes."""
        return (self.rows + self.ids) * self.width * self.stages * itemsize


class CublasRoute(NamedTuple):
    """Multiplies by torch's library, one chunk of the vocabulary after the other. `chunk_kernel` reduces each chunk."""

    logits: int
    """Most float32 logits in memory at once. Up to 32 MiB stay in the L2 cache until they are read."""


Route = Tile | CublasRoute

ROUTES: tuple[tuple[float, Route, Route], ...] = (
    # Most rows, the route, and the route with entropy. With entropy 128 x 256 spills registers, but is still fastest.
    (64, Tile(64, 256, 64, 4, 8, True), Tile(64, 256, 64, 4, 8, True)),
    (float("inf"), Tile(128, 256, 64, 4, 8, True), Tile(128, 256, 64, 4, 8, True)),
)
"""Routes for float16 and bfloat16. `reticent bench lens` races other routes against these.

On an H200 none was faster by more than 3 % (benchmarks/results/lens.md, lens-race.md).
"""
CHUNK_TILE = Tile(16, 256, 0, 1, 4, False)
"""Tile of `chunk_kernel`, which multiplies nothing."""
FLOAT32_TILE = Tile(64, 64, 32, 2, 4, False)
"""Tile for float32, and for operands of different types, which are multiplied in float32."""
SMALL_TILE = Tile(64, 128, 64, 3, 4, False)
"""Tile for GPUs with less shared memory than Hopper, and for tensors that a descriptor cannot describe."""
GATHER_TILE = Tile(64, 64, 64, 4, 4, False)
"""Tile of `chosen_kernel` and of repairs. Three programs share a multiprocessor and hide each other's loads."""
DEEP_GATHER_TILE = Tile(64, 64, 128, 5, 4, False)
"""The same with too few programs for that. More loads are in flight at once instead."""
FEW_PROGRAMS = 128
"""Up to this many programs, each has a multiprocessor of its own."""


def unsupported_reason(hidden: Tensor, unembedding: Tensor, k: int, bias: Tensor | None) -> str | None:
    """Returns why these kernels cannot serve a call whose shapes fit; None if they can."""
    for name, tensor in (("hidden", hidden), ("unembedding", unembedding)):
        if tensor.dtype not in (torch.float32, torch.float16, torch.bfloat16):
            return f"{name} must be float32, float16 or bfloat16 for the Triton kernel, got {tensor.dtype}."
    for name, other in (("unembedding", unembedding), ("bias", bias)):
        if other is not None and other.device != hidden.device:
            return f"{name} must be on the device of hidden, {hidden.device}, got {other.device}."
    if not hidden.is_cuda and isinstance(tiles_kernel, triton.JITFunction):
        return f"The Triton kernel needs CUDA tensors, got hidden on {hidden.device}."
    if unembedding.stride(1) != 1 and unembedding.shape[1] > 1:
        return (
            f"unembedding [V, d] must have contiguous rows for the Triton kernel, got strides {unembedding.stride()}."
        )
    if k > MAX_K:
        return f"k must be at most {MAX_K} for the Triton kernel, got {k}."
    return None


def lens(
    hidden: Tensor,
    unembedding: Tensor,
    k: int,
    chosen: Tensor | None,
    softcap: float | None,
    scale: float,
    bias: Tensor | None,
    vocabulary: int | None,
    entropy: bool,
) -> LensOutput:
    """Computes `logit_lens` on checked arguments for which `unsupported_reason` returned None."""
    step = max(1, WORKSPACE_BYTES // (9 * triton.cdiv(unembedding.shape[0], GROUP.value)))  # 9 bytes a group
    chosen = None if chosen is None else chosen.to(hidden.device, torch.int64)
    parts = []
    for start in range(0, max(hidden.shape[0], 1), step):
        own = None if chosen is None else chosen[start : start + step]
        made = plan(hidden[start : start + step], unembedding, k, own, softcap, scale, bias, vocabulary, entropy)
        with device_guard(hidden):
            for launch in made.launches:
                launch.run()
        parts.append(made.output)
    return concatenate(parts)


class Product(NamedTuple):
    """One chunk of the product by torch's library, in float32."""

    hidden: Tensor
    """[R, d]"""
    unembedding: Tensor
    """[n, d], of the same number type."""
    out: Tensor
    """[R, n] float32."""

    def run(self) -> None:
        if self.hidden.is_cuda:
            torch.mm(self.hidden, self.unembedding.T, out_dtype=torch.float32, out=self.out)
        else:
            torch.mm(self.hidden.float(), self.unembedding.float().T, out=self.out)


class Plan(NamedTuple):
    """The launches for one block of rows, in order, and the tensors that they write."""

    launches: list[Launch | Product]
    output: LensOutput
    repairs: Tensor
    """[R]; number of groups that were multiplied again."""


def plan(
    hidden: Tensor,
    unembedding: Tensor,
    k: int,
    chosen: Tensor | None = None,
    softcap: float | None = None,
    scale: float = 1.0,
    bias: Tensor | None = None,
    vocabulary: int | None = None,
    entropy: bool = False,
    route: Route | None = None,
) -> Plan:
    """Allocates outputs and workspaces, and returns what to launch. `chosen` [R] is int64 on the device of `hidden`."""
    rows, vocab_size = hidden.shape[0], unembedding.shape[0]
    hidden = hidden if hidden.stride(1) == 1 else hidden.contiguous()
    bias = None if bias is None else bias.contiguous()
    chosen = None if chosen is None else chosen.contiguous()
    route = route or choose_route(hidden, unembedding, entropy)
    tile = CHUNK_TILE if isinstance(route, CublasRoute) else route
    groups, tiles = triton.cdiv(vocab_size, GROUP.value), triton.cdiv(vocab_size, tile.ids)
    output = _empty_output(hidden, k, chosen is not None, entropy)
    repairs = _empty(hidden, torch.int32)
    if not rows:
        return Plan([], output, repairs)
    options = {
        "bias_ptr": bias,
        "chosen_ptr": chosen,
        "chosen_logit_ptr": output.chosen_logit,
        "scale": float(scale),
        "softcap": None if softcap is None else float(softcap),
        "V": vocab_size,
        "vocabulary": vocab_size if vocabulary is None else vocabulary,
    }
    inputs = options | _matrix_arguments(hidden, unembedding)
    pointers = {"h_ptr": hidden, "u_ptr": unembedding}
    workspaces = _empty_workspaces(hidden, groups, tiles, chosen is not None, entropy)
    results = {
        "topk_logit_ptr": output.topk_logit,
        "topk_id_ptr": output.topk_id,
        "logsumexp_ptr": output.logsumexp,
        "chosen_rank_ptr": output.chosen_rank,
        "entropy_ptr": output.entropy,
        "repairs_ptr": repairs,
        "tiles": tiles,
        "K": k,
        "SLOTS": max(16, triton.next_power_of_2(k)),
        "SELECT": min(SELECT_BLOCK, triton.next_power_of_2(max(groups, tiles))),
    }
    if isinstance(route, CublasRoute):
        launches = _by_cublas(route, hidden, unembedding, options | workspaces)
    else:
        launches = [_by_tiles(route, hidden, unembedding, inputs | workspaces)]
    launches.append(_by_gathering(finish_kernel, rows, hidden, inputs | pointers | workspaces | results))
    if chosen is not None:
        programs = triton.cdiv(rows, CHOSEN_ROWS.value)
        launches.insert(0, _by_gathering(chosen_kernel, programs, hidden, inputs | pointers | {"R": rows}))
    return Plan(launches, output, repairs)


def _empty(hidden: Tensor, dtype: torch.dtype, *columns: int) -> Tensor:
    """An uninitialised tensor [R, *columns] for the R rows of `hidden`, on its device."""
    return torch.empty(hidden.shape[0], *columns, dtype=dtype, device=hidden.device)


def _empty_output(hidden: Tensor, k: int, with_chosen: bool, entropy: bool) -> LensOutput:
    """The outputs that `finish_kernel` and `chosen_kernel` write."""
    return LensOutput(
        topk_logit=_empty(hidden, torch.float32, k),
        topk_id=_empty(hidden, torch.int64, k),
        logsumexp=_empty(hidden, torch.float32),
        chosen_logit=_empty(hidden, torch.float32) if with_chosen else None,
        chosen_rank=_empty(hidden, torch.int64) if with_chosen else None,
        entropy=_empty(hidden, torch.float32) if entropy else None,
    )


def _empty_workspaces(
    hidden: Tensor, groups: int, tiles: int, with_chosen: bool, entropy: bool
) -> dict[str, Tensor | int | None]:
    """The maxima of the groups and the sums of the tiles, which `tiles_kernel` leaves to `finish_kernel`."""
    group_stride, tile_stride = triton.cdiv(groups, 16) * 16, triton.cdiv(tiles, 16) * 16
    return {
        "m1_ptr": _empty(hidden, torch.float32, group_stride),
        "i1_ptr": _empty(hidden, torch.int8, group_stride),
        "m2_ptr": _empty(hidden, torch.float32, group_stride),
        "peak_ptr": _empty(hidden, torch.float32, tile_stride),
        "sum_ptr": _empty(hidden, torch.float32, tile_stride),
        "moment_ptr": _empty(hidden, torch.float32, tile_stride) if entropy else None,
        "before_ptr": _empty(hidden, torch.int32, tile_stride) if with_chosen else None,
        "group_stride": group_stride,
        "tile_stride": tile_stride,
    }


def _matrix_arguments(hidden: Tensor, unembedding: Tensor) -> dict[str, int | bool]:
    """Strides, width and number type of the two matrices to be multiplied."""
    # Triton's interpreter cannot multiply bfloat16.
    interpreted = not isinstance(tiles_kernel, triton.JITFunction)
    return {
        "h_stride": hidden.stride(0),
        "u_stride": unembedding.stride(0),
        "D": hidden.shape[1],
        "UPCAST": hidden.dtype != unembedding.dtype or (interpreted and hidden.dtype == torch.bfloat16),
    }


def _by_gathering(kernel: Any, programs: int, hidden: Tensor, arguments: dict[str, Any]) -> Launch:
    """Plans a launch that multiplies each row with a few gathered ids, or with none."""
    deep = programs <= FEW_PROGRAMS and not arguments["UPCAST"] and hidden.element_size() == 2
    tile = DEEP_GATHER_TILE if deep and _fits(DEEP_GATHER_TILE, hidden) else GATHER_TILE
    gather = {"EVEN_D": arguments["D"] % tile.width == 0, "WIDTH": tile.width}
    return Launch(kernel, programs, arguments | gather, tile.warps, tile.stages)


def _by_tiles(tile: Tile, hidden: Tensor, unembedding: Tensor, arguments: dict[str, Any]) -> Launch:
    """Plans the one launch that multiplies by tiles and reduces each tile."""
    (rows, d), vocab_size = hidden.shape, unembedding.shape[0]
    product = {
        "h": TensorDescriptor.from_tensor(hidden, [tile.rows, tile.width]) if tile.use_tma else hidden,
        "u": TensorDescriptor.from_tensor(unembedding, [tile.ids, tile.width]) if tile.use_tma else unembedding,
        "R": rows,
        "EVEN_D": d % tile.width == 0,
        "USE_TMA": tile.use_tma,
        "ROWS": tile.rows,
        "IDS": tile.ids,
        "WIDTH": tile.width,
        "BAND": BAND,
    }
    programs = triton.cdiv(rows, tile.rows) * triton.cdiv(vocab_size, tile.ids)
    return Launch(tiles_kernel, programs, arguments | product, tile.warps, tile.stages)


def _by_cublas(
    route: CublasRoute, hidden: Tensor, unembedding: Tensor, arguments: dict[str, Any]
) -> list[Launch | Product]:
    """Plans products and their reductions by turns. All share one buffer."""
    rows, (vocab_size, tile) = hidden.shape[0], (unembedding.shape[0], CHUNK_TILE)
    row_tiles, tiles = triton.cdiv(rows, tile.rows), triton.cdiv(vocab_size, tile.ids)
    at_once = min(tiles, max(1, route.logits // (rows * tile.ids)))
    buffer = torch.empty(rows, at_once * tile.ids, device=hidden.device)
    launches = list[Launch | Product]()
    for first_tile in range(0, tiles, at_once):
        part = unembedding[first_tile * tile.ids : (first_tile + at_once) * tile.ids]
        chunk_tiles = triton.cdiv(len(part), tile.ids)
        chunk = {
            "products_ptr": buffer,
            "products_stride": buffer.stride(0),
            "first_tile": first_tile,
            "chunk_tiles": chunk_tiles,
            "R": rows,
            "ROWS": tile.rows,
            "IDS": tile.ids,
        }
        launches.append(Product(hidden, part, buffer[:, : len(part)]))
        launches.append(Launch(chunk_kernel, row_tiles * chunk_tiles, arguments | chunk, tile.warps, tile.stages))
    return launches


def choose_route(hidden: Tensor, unembedding: Tensor, entropy: bool) -> Route:
    """Returns the shipped route of a call."""
    if hidden.dtype == torch.float32 or hidden.dtype != unembedding.dtype:
        return FLOAT32_TILE
    route = next(pair[entropy] for limit, *pair in ROUTES if hidden.shape[0] <= limit)
    if isinstance(route, CublasRoute):
        return route
    if not (_aligned(hidden) and _aligned(unembedding)):
        return SMALL_TILE
    return route if _fits(route, hidden) else SMALL_TILE


def _fits(tile: Tile, hidden: Tensor) -> bool:
    """Whether the device has enough shared memory for the tile. A device that is no GPU counts as Hopper."""
    return not hidden.is_cuda or tile.shared_bytes(hidden.element_size()) < _shared_bytes_of(hidden.device.index)


@cache
def _shared_bytes_of(device: int) -> int:
    """Returns the most shared memory of a program, in bytes.

    Cached, because the driver takes a millisecond to answer.
    """
    return int(driver.active.utils.get_device_properties(device)["max_shared_mem"])


def _aligned(x: Tensor) -> bool:
    """Whether a tensor descriptor can describe `x` [rows, d]."""
    return x.data_ptr() % 16 == 0 and x.stride(0) * x.element_size() % 16 == 0 and x.stride(1) == 1
