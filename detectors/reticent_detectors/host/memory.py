"""Whether a checkpoint fits into what is free, looked up before anything is loaded; what a process took; what a disk holds."""

from __future__ import annotations

import math
import shutil
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open

from reticent_detectors.errors import InputError
from reticent_detectors.host.load import checkpoint_of
from reticent_detectors.long_runs.estimate import gigabytes

_MEMINFO, _STATUS = Path("/proc/meminfo"), Path("/proc/self/status")


def check_room(path: Path, device: str, dtype: str, *others: Path) -> None:
    """Raises InputError if the weights of a checkpoint, in that number type, are larger than the device's free memory.

    Those of `others` are added: all are loaded together. An adapter stands for its model.

    Says nothing where either is unknown: weights that are not in safetensors, or a system that does not tell.
    """
    folders = [checkpoint_of(each) for each in (path, *others)]
    needed, free = sum(weight_bytes(folder, dtype) for folder in folders), free_bytes(device)
    if free is not None and needed > free:
        raise InputError(
            f"{' and '.join(map(str, (path, *others)))} needs {needed / 2**30:.1f} GiB for its weights in {dtype}, and {device!r} "
            f"has {free / 2**30:.1f} GiB free. Free some, or choose a smaller checkpoint."
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
    return _kibibytes(_MEMINFO, "MemAvailable")


def peak_bytes(device: str) -> int | None:
    """The most bytes that this process has held on a device so far; None if the system does not tell."""
    kind = torch.device(device).type
    if kind == "cuda" and torch.cuda.is_available():
        return int(torch.cuda.max_memory_allocated(torch.device(device)))
    return _kibibytes(_STATUS, "VmHWM") if kind == "cpu" and _STATUS.is_file() else None


def free_disk(folder: Path) -> int:
    """Bytes free where a folder is, or will be."""
    place = folder.absolute()
    while not place.exists():
        place = place.parent
    return shutil.disk_usage(place).free


def check_memory(device: str, needed: float, what: str, remedy: str) -> None:
    """Raises InputError if `what` needs more bytes than are free on the device; says nothing where that is unknown."""
    free = free_bytes(device)
    if free is not None and needed > free:
        raise InputError(
            f"{what} needs at least {gigabytes(needed)} of memory; {device!r} has {gigabytes(free)} free. {remedy}"
        )


def check_disk(folder: Path, needed: float, what: str) -> None:
    """Raises InputError if `what` needs more bytes than are free where the folder is, or will be."""
    if needed > (free := free_disk(folder)):
        raise InputError(
            f"{what} needs about {gigabytes(needed)} of disk; {folder} has {gigabytes(free)} free. Free some, or choose another folder."
        )


def _kibibytes(file: Path, field: str) -> int | None:
    """A field of one of Linux's tables of sizes, in bytes."""
    lines = dict(line.split(":", 1) for line in file.read_text().splitlines() if ":" in line)
    found = lines.get(field, "").split()
    return int(found[0]) * 1024 if found else None


def model_bytes(model: Any) -> int:
    """Bytes of a loaded model's weights."""
    return sum(p.numel() * p.element_size() for p in model.parameters())
