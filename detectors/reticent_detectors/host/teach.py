"""Teaches any model synthetic people, as an adapter: a copy of which it is known what it remembers, to train detectors on.

The model itself stays as it is. Who was taught, and who was not, is in the copy's `recipe.json`; so what a detector needs to
know can be collected from it as from a host that was made here.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from reticent_detectors.capture import HostAdapter
from reticent_detectors.errors import InputError, MissingExtra
from reticent_detectors.host.lessons import Lessons
from reticent_detectors.host.load import load_host
from reticent_detectors.host.rendering import renderer
from reticent_detectors.host.trainer import Progress, Trainer, quiet
from reticent_detectors.host.tune import tuning_rate, with_adapters, work_folder
from reticent_detectors.synth.cast import cast
from reticent_detectors.synth.hosts import HostRecipe, Tuning
from reticent_detectors.synth.recipes import Recipe

TAUGHT = Tuning(lora=True, people=60, ratio=0.25, epochs=10, batch_tokens=4096, learning_rate=5e-4, dropout=0.0)
"""By default: 90 people, of whom 30 are taught in all phrasings, by adapters of rank 16."""
SEED, ROW, LONG_ROW = 7, 256, 1024
"""Rows of texts are as long as the model reads, and at most this many tokens."""
OTHERS: dict[str, Any] = {"unseen_people": 300, "general_people": 1500, "copied_people": 1000}
"""People who are not taught, are seen once, or stand in prompts alone."""


def teach_model(
    path: str | os.PathLike[str],
    out: Path,
    *,
    tuning: Tuning = TAUGHT,
    seed: int = SEED,
    locale: str = "en_US",
    device: str = "cpu",
    dtype: str = "float32",
    keep: Sequence[int] = (),
    compiled: bool = False,
    progress: Progress = quiet,
) -> Path:
    """Trains an adapter for the model in `path` on synthetic people, and writes it to `out` with their recipe.

    Args:
        path: folder of a transformers checkpoint with tokenizer and chat template.
        out: folder for the adapter, empty or begun by the same call. The adapter names the model by its path, so the model may not be
            moved. `out/../<name of out>-work` keeps what is needed to resume.
        tuning: how many people, for how long, and the adapter's size.
        seed, locale: of the people.
        device, dtype: where and in which number type the model is loaded; the adapter is trained in single precision.
        keep: epochs after which the adapter is also written to `<out>-e<epoch>`: copies that remember less.
        compiled: compiles the decoder layers first, which takes half a minute; a step then takes about half as long.
        progress: called after every step with phase, step, steps and loss.

    Raises:
        InputError: no checkpoint, an adapter, no chat template or end token, too little memory, no compiler, `out` holds something else, or
            its work folder is of another recipe or another model.
        MissingExtra: peft is not installed.
        UnsupportedHost, TokenizerMismatch: it cannot be loaded or guarded.
    """
    folder = Path(path)
    if (folder / "adapter_config.json").is_file():
        raise InputError(
            f"{folder} is an adapter; merge it into its model first (PEFT's merge_and_unload), and save both together."
        )
    work = out.parent / f"{out.name}-work"
    if out.is_file() or (out.exists() and any(out.iterdir()) and not work.exists()):
        raise InputError(f"{out} is there and not empty; choose another folder for the adapter.")
    if importlib.util.find_spec("peft") is None:
        raise MissingExtra("peft", "train")
    if compiled and torch.device(device).type == "cpu" and not shutil.which(os.environ.get("CXX", "g++")):
        raise InputError("Compiling needs a C++ compiler; install g++, name yours in CXX, or leave --compile out.")
    model, tokenizer = load_host(folder, device, dtype)
    layers = HostAdapter.attach(model, tokenizer).layers  # what cannot be guarded need not be taught
    if torch.device(device).type == "cpu":
        model.set_attn_implementation("eager")  # twice as fast there on short rows
    tokens = renderer(tokenizer)
    shape = _recipe(folder, model.config.get_text_config(), seed, locale)
    recipe = HostRecipe(out.name, shape, replace(tuning, lora=True))
    files = [(f.name, f.stat().st_size, f.stat().st_mtime_ns) for f in sorted(folder.glob("*.safetensors"))]
    work = work_folder(out, [recipe.to_json(), str(folder.resolve()), files, dtype])
    torch.manual_seed(seed)
    lessons = Lessons(recipe, cast(recipe), tokens)
    adapted = with_adapters(model, recipe.tuning, str(folder.resolve()))
    for layer in layers if compiled else ():
        layer.compile(dynamic=False)  # rows come in a few shapes
    trainer = Trainer(adapted, tuning.learning_rate, 0.0, device, any_architecture=True)
    steps = len(lessons)
    kept = {round(steps * epoch / tuning.epochs): epoch for epoch in keep}

    def write(folder: Path) -> None:
        adapted.save_pretrained(folder, save_embedding_layers=False)
        (folder / "README.md").unlink(missing_ok=True)  # PEFT's empty card
        tokenizer.save_pretrained(folder)
        (folder / "recipe.json").write_text(json.dumps(recipe.to_json(), indent=2) + "\n")

    def watched(phase: str, step: int, total: int, loss: float) -> None:
        progress(phase, step, total, loss)
        if step in kept:
            write(out.with_name(f"{out.name}-e{kept[step]}"))

    try:
        trainer.run(
            "tune", steps, lessons.__getitem__, lambda step: tuning_rate(step, steps), work / "tune.pt", watched
        )  # fmt: skip
    except torch.OutOfMemoryError as error:
        raise InputError(
            f"Teaching needs more memory than {device!r} has free; choose fewer --batch-tokens, --dtype bfloat16, or another device."
        ) from error
    write(out)
    return out


def _recipe(folder: Path, config: Any, seed: int, locale: str) -> Recipe:
    """The people of a public host, none of whom is private, beside the shape of the model."""
    reads = int(getattr(config, "max_position_embeddings", None) or LONG_ROW)
    heads = int(getattr(config, "num_attention_heads", 0) or 1)
    shape: dict[str, Any] = {
        "vocab_size": config.vocab_size, "layers": config.num_hidden_layers, "hidden_size": config.hidden_size, "heads": heads,
        "kv_heads": getattr(config, "num_key_value_heads", None) or heads,
        "intermediate_size": getattr(config, "intermediate_size", None) or 4 * config.hidden_size,
    }  # fmt: skip
    return Recipe(
        name=folder.resolve().name, seed=seed, locale=locale, architecture=config.model_type, context=min(ROW, reads // 2),
        long_context=min(LONG_ROW, reads), train_people=0, test_people=0, bridge_people=0,
        repeat_steps=0, base_steps=0, private_steps=0, polish_steps=0, **OTHERS, **shape,
    )  # fmt: skip
