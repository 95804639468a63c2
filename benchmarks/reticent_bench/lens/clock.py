"""How long a call takes on a device: medians with quantiles, cold and warm cache, memory, and the floors under it."""

# Of the jitted function the annotations would be Triton's, which has none to give.
# mypy: allow-untyped-decorators, allow-untyped-defs, allow-incomplete-defs

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import torch
import triton
import triton.language as tl
from torch import Tensor

FLUSH_BYTES = 1 << 28
"""Written between two cold calls: several times any L2 cache."""
SPENT_MS = 250.0
"""On the repetitions of one measurement."""
FEWEST, MOST = 5, 200


class Timing(NamedTuple):
    """Milliseconds of one call."""

    median: float
    low: float
    """20 % quantile."""
    high: float
    """80 % quantile."""
    runs: int
    graph: bool
    """Replayed from a CUDA graph, so that no launch waits for Python."""


def timed(
    call: Callable[[], Any], device: torch.device, cold: bool, spent_ms: float = SPENT_MS, capture: bool = True
) -> Timing:
    """Times `call`, after one or two calls to warm up.

    On a GPU, events around a CUDA graph of the call give the time, if it is to be captured and can be.
    """
    call()
    if device.type != "cuda":
        return _quantiles([_wall(call) for _ in range(FEWEST)], False)
    call()
    torch.cuda.synchronize()
    replay, graph = _captured(call) if capture else (call, False)
    flushed = torch.empty(FLUSH_BYTES, dtype=torch.int8, device=device)
    first = _events(replay, None, 3)
    runs = max(FEWEST, min(MOST, int(spent_ms / max(statistics.median(first), 1e-3))))
    return _quantiles(_events(replay, flushed if cold else None, runs), graph)


def _captured(call: Callable[[], Any]) -> tuple[Callable[[], Any], bool]:
    graph = torch.cuda.CUDAGraph()
    try:
        with torch.cuda.graph(graph):
            call()
    except Exception:  # whatever a library cannot do while it is captured, it can do without
        torch.cuda.synchronize()
        # The generator of random numbers still waits for that capture. It refuses all else until another has ended.
        with torch.cuda.graph(torch.cuda.CUDAGraph()):
            torch.zeros(1, device="cuda")
        return call, False
    return graph.replay, True


def _events(call: Callable[[], Any], flushed: Tensor | None, runs: int) -> list[float]:
    pairs = [[torch.cuda.Event(enable_timing=True) for _ in range(2)] for _ in range(runs)]
    for start, end in pairs:
        if flushed is not None:
            flushed.zero_()
        start.record()
        call()
        end.record()
    torch.cuda.synchronize()
    return [float(start.elapsed_time(end)) for start, end in pairs]


def _wall(call: Callable[[], Any]) -> float:
    started = time.perf_counter()
    call()
    return 1000 * (time.perf_counter() - started)


def _quantiles(ms: list[float], graph: bool) -> Timing:
    low, _, _, high = statistics.quantiles(ms, n=5, method="inclusive")
    return Timing(statistics.median(ms), low, high, len(ms), graph)


def extra_bytes(call: Callable[[], Any], device: torch.device) -> int | None:
    """Most memory that a call holds beyond what was held before; None where nobody counts it."""
    if device.type != "cuda":
        return None
    call()
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats(device)
    before = torch.cuda.memory_allocated(device)
    call()
    torch.cuda.synchronize()
    return torch.cuda.max_memory_allocated(device) - before


def launch_ms(call: Callable[[], Any], device: torch.device) -> float:
    """Median time until Python has handed a call over, without waiting for the device."""
    call()
    times = []
    for _ in range(FEWEST):
        if device.type == "cuda":
            torch.cuda.synchronize()
        times.append(_wall(call))
    return statistics.median(times)


class Floors(NamedTuple):
    """The best that this device did in this run, whoever did it."""

    bytes_per_second: float
    """Of a stream that is read once and not written."""
    flops_per_second: float
    """Of a half-precision matrix product."""

    def ms(self, rows: int, size: int, d: int, itemsize: int) -> float:
        """Least time for R rows of d against V ids: the weights are read once, and every product is made."""
        read = (rows + size) * d * itemsize / self.bytes_per_second
        return 1000 * max(read, 2 * rows * size * d / self.flops_per_second)


def floors(weights: Tensor, square: int = 8192) -> Floors:
    """Reads `weights` as a whole, in two ways, and multiplies two square matrices of their type."""
    words = weights.view(torch.int32).flatten()
    largest = torch.empty(triton.cdiv(len(words), READ_BLOCK * READ_STEPS), dtype=torch.int32, device=weights.device)

    def read() -> None:
        _read_kernel[(len(largest),)](words, largest, len(words), READ_BLOCK, READ_STEPS, num_warps=8)

    a, b = (torch.randn(square, square, device=weights.device, dtype=weights.dtype) for _ in range(2))
    reads = [timed(call, weights.device, False).median for call in (read, lambda: words.view(torch.float32).sum())]
    product = timed(lambda: a @ b, weights.device, False).median
    return Floors(words.nbytes / (min(reads) / 1000), 2 * square**3 / (product / 1000))


READ_BLOCK, READ_STEPS = 4096, 8


@triton.jit
def _read_kernel(x_ptr, largest_ptr, N, BLOCK: tl.constexpr, STEPS: tl.constexpr):
    """The largest of BLOCK * STEPS words: all is read, and as good as nothing written."""
    first = tl.program_id(0).to(tl.int64) * BLOCK * STEPS
    largest = tl.zeros([BLOCK], tl.int32)
    for step in range(STEPS):
        at = first + step * BLOCK + tl.arange(0, BLOCK)
        largest = tl.maximum(largest, tl.load(x_ptr + at, mask=at < N, other=0))
    tl.store(largest_ptr + tl.program_id(0), tl.max(largest, axis=0))
