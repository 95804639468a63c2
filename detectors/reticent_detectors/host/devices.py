"""Checks the names of devices and number types that a caller gives, before anything is loaded."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

import torch

from reticent_detectors.errors import InputError

DTYPES = ("float32", "float16", "bfloat16")
_USUAL = {
    **dict.fromkeys(("fp32", "float", "f32", "single"), "float32"),
    **dict.fromkeys(("fp16", "half", "f16"), "float16"),
    **dict.fromkeys(("bf16", "bfloat", "brain"), "bfloat16"),
}


def torch_dtype(name: str) -> Any:
    """Gives torch's number type of this name. Raises InputError for one that is not in `DTYPES`."""
    if name not in DTYPES:
        meant = _USUAL.get(str(name).casefold().removeprefix("torch."), "")
        meant = meant or next(iter(get_close_matches(str(name), DTYPES, n=1)), "")
        hint = f" Did you mean {meant!r}?" if meant else ""
        raise InputError(f"Unknown number type {name!r}; expected one of {', '.join(DTYPES)}.{hint}")
    return getattr(torch, name)


def torch_device(name: Any) -> torch.device:
    """Gives torch's device of this name. Raises InputError if torch has none here."""
    here = ["cpu", *(f"cuda:{n}" for n in range(torch.cuda.device_count()))]
    if torch.backends.mps.is_available():
        here.append("mps")
    try:
        device = torch.device(name)
    except (RuntimeError, TypeError, ValueError):
        hint = "; a GPU is called 'cuda'" if "gpu" in str(name).casefold() else ""
        raise InputError(f"Unknown device {str(name)!r}; torch has {', '.join(here)} here{hint}.") from None
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        raise InputError(
            f"There is no device {str(name)!r}; torch has {', '.join(here)} here. A GPU needs its driver, and a torch "
            "that was built for it (https://pytorch.org/get-started/locally)."
        )
    return device
