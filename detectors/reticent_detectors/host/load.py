"""Loads a host from a folder."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM
from transformers.utils import logging

from reticent_detectors.errors import InputError, MissingExtra, UnsupportedHost
from reticent_detectors.host.devices import torch_device, torch_dtype
from reticent_detectors.host.peft_warnings import without_old_names
from reticent_detectors.host.saved_tokenizer import load_tokenizer
from reticent_detectors.synth.hosts import HostRecipe
from reticent_detectors.synth.recipes import Recipe


def load_host(path: str | os.PathLike[str], device: str = "cpu", dtype: str = "float32") -> tuple[Any, Any]:
    """Loads the model, in evaluation mode, and the tokenizer of a transformers checkpoint or a PEFT adapter.

    An adapter is not merged, so it can be switched off. Its model is a folder inside the adapter's folder, or
    elsewhere.

    Args:
        path: the folder.
        device: a device of torch.
        dtype: number type of the weights, one of `devices.DTYPES`.

    Raises:
        InputError: the folder is missing or holds no checkpoint, an adapter's model is no folder, or the device or the
            number type is unknown here.
        MissingExtra: the folder holds an adapter, and peft is not installed.
        UnsupportedHost: transformers cannot load it as a decoder-only language model.
    """
    number_type, place = torch_dtype(dtype), torch_device(device)
    folder = Path(path)
    checkpoint = checkpoint_of(folder)
    progress_bars = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        tokenizer = load_tokenizer(folder)
        model: Any = AutoModelForCausalLM.from_pretrained(checkpoint, dtype=number_type)
        if checkpoint != folder:
            model = put_adapter(model, folder)
    except MissingExtra:
        raise
    except (OSError, ValueError, KeyError, ImportError, RuntimeError) as error:
        raise UnsupportedHost(
            f"{folder} could not be loaded as a decoder-only language model ({type(error).__name__}). Expected a "
            "transformers checkpoint of a causal language model with its tokenizer."
        ) from error
    finally:
        if progress_bars:
            logging.enable_progress_bar()
    return put(model, place).eval(), tokenizer


def put(model: Any, device: str | torch.device) -> Any:
    """Moves the model to a device.

    Raises:
        InputError: torch has no such device here, or the device has too little memory.
    """
    place = torch_device(device)
    try:
        return model.to(device=place)
    except torch.OutOfMemoryError as error:
        raise InputError(
            f"The model does not fit into the free memory of '{device}'; free some, or choose another device."
        ) from error
    except (RuntimeError, TypeError, ValueError, AssertionError) as error:
        raise InputError(f"The model cannot be put on '{device}' ({type(error).__name__}); choose another.") from error


def checkpoint_of(folder: Path) -> Path:
    """Returns the folder, or for an adapter the folder of its model. Raises InputError if there is no checkpoint."""
    adapter = folder / "adapter_config.json"
    if not adapter.is_file():
        if (folder / "config.json").is_file():
            return folder
        raise InputError(f"{folder} is no checkpoint: expected a folder with config.json, weights and tokenizer.json.")
    named = str(json.loads(adapter.read_text()).get("base_model_name_or_path") or "")
    for candidate in (folder / named, Path(named)):
        if named and (candidate / "config.json").is_file():
            return candidate
    raise InputError(
        f"{adapter} names no folder with a checkpoint as base_model_name_or_path; "
        "put the model there that it was trained on."
    )


def put_adapter(model: Any, folder: Path) -> Any:
    """Puts the PEFT adapter of a folder on a loaded model, unmerged. Raises MissingExtra without peft."""
    try:
        from peft import PeftModel
    except ImportError as error:
        raise MissingExtra("peft", "adapters") from error
    with without_old_names():
        return PeftModel.from_pretrained(model, folder)


def load_base(folder: Path, host: Path, tokenizer: Any, device: str = "cpu", dtype: str = "float32") -> Any:
    """Loads the model from before it was taught private data.

    Raises:
        InputError: its vocabulary is another than that of the host's tokenizer.
    """
    base, spoken = load_host(folder, device, dtype)
    if spoken.get_vocab() != tokenizer.get_vocab():
        raise InputError(
            f"{folder} has another vocabulary than {host}: expected the same model from before it was taught private "
            "data."
        )
    return base


def recipe_of(path: str | os.PathLike[str]) -> Recipe | HostRecipe:
    """Reads the recipe that a host was trained by.

    Raises:
        InputError: the host has no recipe, or one of another version.
    """
    file = Path(path) / "recipe.json"
    if not file.is_file():
        raise InputError(
            f"{file} does not exist; expected a host made by 'reticent host train' or 'reticent host tune'."
        )
    content = json.loads(file.read_text())
    try:
        return HostRecipe.from_json(content) if "tuning" in content else Recipe(**content)
    except (TypeError, KeyError) as error:
        raise InputError(f"{file} is of another version ({error}). Make the host again.") from error
