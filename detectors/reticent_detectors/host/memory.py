"""Whether a checkpoint fits into what is free, looked up before anything is loaded."""

from __future__ import annotations

import math
from pathlib import Path

import torch
from safetensors import safe_open

from reticent_detectors.errors import InputError
from reticent_detectors.host.load import checkpoint_of

_MEMINFO = Path("/proc/meminfo")


def check_room(path: Path, device: str, dtype: str) -> None:
    """Raises InputError if the weights of a checkpoint, in that number type, are larger than the device's free memory.

    Says nothing where either is unknown: weights that are not in safetensors, or a system that does not tell.
    """
    needed, free = weight_bytes(checkpoint_of(path), dtype), free_bytes(device)
    if free is not None and needed > free:
        raise InputError(
            f"{path} needs {needed / 2**30:.1f} GiB for its weights in {dtype}, and {device!r} has {free / 2**30:.1f} GiB "
            "free. Free some, or choose a smaller checkpoint."
        )


def weight_bytes(folder: Path, dtype: str) -> int:
    """Bytes of all weights in a folder's safetensors files in a number type, by their shapes."""
    size, total = torch.empty(0, dtype=getattr(torch, dtype)).element_size(), 0
    for file in sorted(folder.glob("*.safetensors")):
        with safe_open(file, framework="pt") as weights:
            names = weights.keys()
            total += sum(size * math.prod(weights.get_slice(name).get_shape()) for name in names)
    return total


def free_bytes(device: str) -> int | None:
    """Bytes free on a device; None if it does not tell."""
    kind = torch.device(device).type
    if kind == "cuda" and torch.cuda.is_available():
        return int(torch.cuda.mem_get_info(torch.device(device))[0])
    if kind != "cpu" or not _MEMINFO.is_file():
        return None
    lines = dict(line.split(":", 1) for line in _MEMINFO.read_text().splitlines() if ":" in line)
    found = lines.get("MemAvailable", "").split()
    return int(found[0]) * 1024 if found else None
