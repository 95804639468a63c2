"""Checks free memory and disk space before anything is loaded or written, and measures what a process used."""

from __future__ import annotations

import math
import shutil
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open

from reticent_detectors.errors import InputError
from reticent_detectors.host.devices import torch_device, torch_dtype
from reticent_detectors.host.load import checkpoint_of
from reticent_detectors.long_runs.estimate import gigabytes

_MEMINFO, _STATUS = Path("/proc/meminfo"), Path("/proc/self/status")


def check_room(path: Path, device: str, dtype: str, *others: Path) -> None:
    """Raises InputError if the weights of a checkpoint, in that number type, exceed the device's free memory.

    Adds the weights of `others`, which are loaded as well. For an adapter it counts the model. Passes if a size is
    unknown: weights outside safetensors, or a system that does not report its free memory.
    """
    folders = [checkpoint_of(each) for each in (path, *others)]
    needed, free = sum(weight_bytes(folder, dtype) for folder in folders), free_bytes(device)
    if free is not None and needed > free:
        raise InputError(
            f"{' and '.join(map(str, (path, *others)))} needs {needed / 2**30:.1f} GiB for its weights in {dtype}, "
            f"and {device!r} has {free / 2**30:.1f} GiB free. Free some, or choose a smaller checkpoint."
        )


def weight_bytes(folder: Path, dtype: str) -> int:
    """Returns the bytes of all weights in a folder's safetensors files in a number type, by their shapes."""
    size, total = torch.empty(0, dtype=torch_dtype(dtype)).element_size(), 0
    for file in sorted(folder.glob("*.safetensors")):
        with safe_open(file, framework="pt") as weights:
            names = weights.keys()
            total += sum(size * math.prod(weights.get_slice(name).get_shape()) for name in names)
    return total


def free_bytes(device: str) -> int | None:
    """Returns the free bytes of a device; None if they are unknown."""
    kind = torch_device(device).type
    if kind == "cuda" and torch.cuda.is_available():
        return int(torch.cuda.mem_get_info(torch_device(device))[0])
    if kind != "cpu" or not _MEMINFO.is_file():
        return None
    return _kibibytes(_MEMINFO, "MemAvailable")


def peak_bytes(device: str) -> int | None:
    """Returns the most bytes that this process has held on a device so far; None if they are unknown."""
    kind = torch_device(device).type
    if kind == "cuda" and torch.cuda.is_available():
        return int(torch.cuda.max_memory_allocated(torch_device(device)))
    return _kibibytes(_STATUS, "VmHWM") if kind == "cpu" and _STATUS.is_file() else None


def free_disk(folder: Path) -> int:
    """Returns the free bytes of the disk on which a folder is, or will be."""
    place = folder.absolute()
    while not place.exists():
        place = place.parent
    return shutil.disk_usage(place).free


def check_memory(device: str, needed: float, what: str, remedy: str) -> None:
    """Raises InputError if `what` needs more bytes than are free on the device. Passes if they are unknown."""
    free = free_bytes(device)
    if free is not None and needed > free:
        raise InputError(
            f"{what} needs at least {gigabytes(needed)} of memory; {device!r} has {gigabytes(free)} free. {remedy}"
        )


def check_disk(folder: Path, needed: float, what: str) -> None:
    """Raises InputError if `what` needs more bytes than are free on the disk of the folder."""
    if needed > (free := free_disk(folder)):
        raise InputError(
            f"{what} needs about {gigabytes(needed)} of disk; {folder} has {gigabytes(free)} free. "
            "Free some, or choose another folder."
        )


def _kibibytes(file: Path, field: str) -> int | None:
    """Reads a field of one of Linux's tables of sizes, in bytes."""
    lines = dict(line.split(":", 1) for line in file.read_text().splitlines() if ":" in line)
    found = lines.get(field, "").split()
    return int(found[0]) * 1024 if found else None


def model_bytes(model: Any) -> int:
    """Returns the bytes of a loaded model's weights."""
    return sum(p.numel() * p.element_size() for p in model.parameters())
