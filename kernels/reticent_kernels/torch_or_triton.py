"""Chooses torch or Triton for a call, and checks its ids.

Does not import triton. A machine without it lacks the Triton kernels and nothing else.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Literal

from torch import Tensor

Impl = Literal["auto", "torch", "triton"]

_FEW = 64
"""Up to this many ids, Python checks them faster than torch does."""


def wants_triton(impl: str, x: Tensor) -> bool:
    """Whether to try the Triton kernel for `x`. "auto" tries it on CUDA tensors if triton is installed.

    Raises:
        ValueError: `impl` is unknown.
        ImportError: `impl` is "triton" and triton is not installed.
    """
    if impl not in ("auto", "torch", "triton"):
        raise ValueError(f"impl must be 'auto', 'torch' or 'triton', got {impl!r}.")
    if impl == "torch" or (impl == "auto" and not x.is_cuda):
        return False
    installed = find_spec("triton") is not None
    if impl == "triton" and not installed:
        raise ImportError(
            "impl='triton' was asked for, and triton is not installed. "
            "Install it with: pip install triton (Linux only), or use impl='auto' or 'torch'.",
            name="triton",
        )
    return installed


def check_ids(name: str, ids: Tensor, size: int, wait: bool) -> None:
    """Raises ValueError unless ids are in [0, size).

    Checks ids on a GPU only if `wait`, because it takes a round trip.
    """
    if not ids.numel() or (ids.is_cuda and not wait):
        return
    found = ids.flatten().tolist() if ids.numel() <= _FEW else [int(ids.min()), int(ids.max())]
    if not 0 <= min(found) <= max(found) < size:
        raise ValueError(f"{name} must be between 0 and V - 1 = {size - 1}; some are not.")
