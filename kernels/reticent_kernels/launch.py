"""Describes a Triton launch as a value, and sets the device that it runs on. Does not import triton."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor


class Launch(NamedTuple):
    """One launch of a Triton kernel. Built on meta tensors, it describes what would be compiled, without a GPU."""

    kernel: Any
    grid: int
    """Number of programs, along one axis."""
    arguments: dict[str, Any]
    """Arguments by name, with compile-time constants."""
    warps: int
    stages: int

    @property
    def options(self) -> dict[str, Any]:
        """Options of the compiler. Without fusion an expression rounds the same in every kernel."""
        return {"num_warps": self.warps, "num_stages": self.stages, "enable_fp_fusion": False}

    def run(self) -> None:
        self.kernel[(self.grid,)](**self.arguments, **self.options)


def device_guard(x: Tensor) -> torch.cuda.device:
    """Makes the device of `x` the current one, on which Triton launches. Does nothing for a tensor on the CPU."""
    return torch.cuda.device(x.device.index if x.is_cuda else -1)
