"""Computes the log-probability of one token of each row in Triton. Reads a row of logits twice, and writes the result.

    out[b] = logits[b, ids[b]] - log(sum_v exp(logits[b, v]))        float32, as `logprob` defines it

One program per row computes the maximum and then the sum of exponentials below it, so it takes each exponential once.
Meant for the logits of one step of generation, which the head has just left in the GPU's cache. The result is
deterministic. A CUDA graph can hold the launch (call once before the capture, to compile).

Not covered: gradients; float64. Ids on a GPU are not checked: an id outside [0, V) gives NaN.
"""

# mypy: allow-untyped-decorators, allow-untyped-defs, allow-incomplete-defs

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

from reticent_kernels.launch import Launch, device_guard

BLOCK = 16384
"""Most logits that a program holds at once, 512 for each warp."""


# Address and stride of the ids change with every step of a growing text, so they must not be compiled in.
@triton.jit(do_not_specialize=["ids_stride"], do_not_specialize_on_alignment=["ids_ptr", "out_ptr"])
def _logprob_kernel(
    logits_ptr,  # [B, V]
    stride,
    ids_ptr,  # [B] int64
    ids_stride,
    out_ptr,  # [B] float32, out
    V,
    EVEN_V: tl.constexpr,
    WIDTH: tl.constexpr,
):
    """Computes the log-probability of one row's token."""
    row = tl.program_id(0).to(tl.int64)
    logits_at = logits_ptr + row * stride
    v = tl.arange(0, WIDTH)

    highest = tl.full([WIDTH], float("-inf"), tl.float32)
    for start in range(0, V, WIDTH):
        if EVEN_V:
            x = tl.load(logits_at + start + v)
        else:
            x = tl.load(logits_at + start + v, mask=start + v < V, other=float("-inf"))
        highest = tl.maximum(highest, x.to(tl.float32))
    top = tl.max(highest, axis=0)
    # A row of -inf keeps its values, so its sum is 0. A row with +inf gives NaN, which is inf - inf.
    top = tl.where(top == float("-inf"), 0.0, top)

    mass = tl.zeros([WIDTH], tl.float32)
    for start in range(0, V, WIDTH):
        if EVEN_V:
            x = tl.load(logits_at + start + v)
        else:
            x = tl.load(logits_at + start + v, mask=start + v < V, other=float("-inf"))
        mass += tl.exp(x.to(tl.float32) - top)

    token = tl.load(ids_ptr + row * ids_stride)
    known = (token >= 0) & (token < V)
    own = tl.load(logits_at + tl.where(known, token, 0)).to(tl.float32)
    # This order loses no precision for large logits.
    logprob = (own - top) - tl.log(tl.sum(mass, axis=0))
    tl.store(out_ptr + row, tl.where(known, logprob, float("nan")))


def unsupported_reason(logits: Tensor, out: Tensor) -> str | None:
    """Returns why this kernel cannot serve a call whose shapes fit; None if it can."""
    if logits.dtype not in (torch.float32, torch.float16, torch.bfloat16):
        return f"logits must be float32, float16 or bfloat16 for the Triton kernel, got {logits.dtype}."
    if not logits.is_cuda and isinstance(_logprob_kernel, triton.JITFunction):
        return f"The Triton kernel needs CUDA tensors, got logits on {logits.device}."
    for name, tensor in (("logits [B, V]", logits), ("out [B]", out)):
        if tensor.stride(-1) != 1 and tensor.shape[-1] > 1:
            return f"{name} must have contiguous rows for the Triton kernel, got strides {tensor.stride()}."
    if not logits.shape[1]:
        return "logits must have a column for the Triton kernel, got V = 0."
    return None


def logprob(logits: Tensor, ids: Tensor, out: Tensor) -> None:
    """Computes `token_logprob` on checked arguments for which `unsupported_reason` returned None."""
    if len(logits):
        with device_guard(logits):
            plan(logits, ids, out).run()


def plan(logits: Tensor, ids: Tensor, out: Tensor) -> Launch:
    """Returns the launch. `ids` are int64 on the device of `logits`."""
    vocab_size = logits.shape[1]
    width = min(BLOCK, max(512, triton.next_power_of_2(vocab_size)))
    arguments = {
        "logits_ptr": logits,
        "stride": logits.stride(0),
        "ids_ptr": ids,
        "ids_stride": ids.stride(0),
        "out_ptr": out,
        "V": vocab_size,
        "EVEN_V": vocab_size % width == 0,
        "WIDTH": width,
    }
    return Launch(_logprob_kernel, len(logits), arguments, warps=max(1, width // 512), stages=1)
