"""Teaches a copy of any model synthetic people, as an adapter or in all its weights, to train detectors on.

The model itself stays unchanged. The copy's `recipe.json` records who was taught and who was not. So a detector's
training data can be collected from the copy as from a demo host.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from reticent_detectors.capture import HostAdapter
from reticent_detectors.errors import InputError, MissingExtra
from reticent_detectors.host.devices import torch_device
from reticent_detectors.host.lessons import Lessons
from reticent_detectors.host.load import load_host
from reticent_detectors.host.memory import check_disk, check_memory, check_room
from reticent_detectors.host.rendering import renderer
from reticent_detectors.host.replay import replay
from reticent_detectors.host.trainer import Progress, Trainer, quiet
from reticent_detectors.host.tune import tuning_rate, with_adapters, work_folder
from reticent_detectors.long_runs.save_timer import Clock
from reticent_detectors.synth.cast import cast
from reticent_detectors.synth.hosts import HostRecipe, Tuning
from reticent_detectors.synth.recipes import Recipe

TAUGHT = Tuning(lora=True, people=60, ratio=0.25, epochs=10, batch_tokens=4096, learning_rate=5e-4, dropout=0.0)
"""The default: 90 people, of whom 30 are taught in all phrasings, by adapters of rank 16."""
FULL_LEARNING_RATE = 1e-4
"""Default learning rate for training all weights."""
SEED, ROW, LONG_ROW = 7, 256, 1024
"""Seed, and the most tokens of short and long rows. Rows never exceed the model's context."""
OTHERS: dict[str, Any] = {"unseen_people": 300, "general_people": 1500, "copied_people": 1000}
"""People who are not taught, are seen once, or occur in prompts alone."""
TOKENIZER_BYTES = 20_000_000
"""Rough upper bound on a tokenizer's size on disk."""
SAMPLED_ROWS = 8
"""Steps whose learned positions are counted, to estimate their memory."""


@dataclass(frozen=True)
class Teaching:
    """A model, with new adapters unless all its weights are trained, and its lessons. Nothing is written yet.

    `work` is the folder of the checkpoint, and `stamp` identifies the run that it belongs to.
    """

    model: Any
    tokenizer: Any
    recipe: HostRecipe
    lessons: Lessons
    trainer: Trainer
    work: Path
    stamp: list[Any]
    device: str

    def __repr__(self) -> str:
        return f"Teaching({self.recipe.name!r}, {self.lessons!r})"

    @property
    def part(self) -> Path:
        """Path of the checkpoint of an interrupted run."""
        return self.work / "tune.pt"

    @property
    def trains_all_weights(self) -> bool:
        """Whether all weights are trained. A copy is then a whole checkpoint."""
        return not self.recipe.tuning.lora

    @property
    def remedy(self) -> str:
        """Advice on how to use less memory."""
        return "choose fewer --batch-tokens" + (
            " or leave --full out" if self.trains_all_weights else " or --dtype bfloat16"
        )

    @property
    def trained_bytes(self) -> int:
        """Bytes of the trained weights: the adapter's, or the model's."""
        return sum(p.numel() * p.element_size() for p in self.model.parameters() if p.requires_grad)

    @property
    def checkpoint_bytes(self) -> int:
        """Bytes of the trained weights and of Adam's two moments."""
        return 3 * self.trained_bytes

    def disk_bytes(self, copies: int) -> int:
        """Returns the bytes of `copies` with their tokenizer, and of two checkpoints.

        A new checkpoint is written before the old one is removed.
        """
        return copies * (self.trained_bytes + TOKENIZER_BYTES) + 2 * self.checkpoint_bytes

    def scale(self, step: int) -> float:
        """Returns the share of the learning rate at a step."""
        return tuning_rate(step, len(self.lessons))

    def write(self, folder: Path) -> None:
        """Writes the adapter or the checkpoint. Writes the recipe last, because a folder without it is no host."""
        self.model.save_pretrained(folder, **({} if self.trains_all_weights else {"save_embedding_layers": False}))
        (folder / "README.md").unlink(missing_ok=True)  # PEFT's empty card
        self.tokenizer.save_pretrained(folder)
        (folder / "recipe.json").write_text(json.dumps(self.recipe.to_json(), indent=2) + "\n")

    @contextmanager
    def enough_memory(self) -> Iterator[None]:
        """Raises InputError if the device runs out of memory inside the block."""
        try:
            yield
        except torch.OutOfMemoryError as error:
            raise InputError(
                f"Teaching needs more memory than {self.device!r} has free; {self.remedy}, or choose another device."
            ) from error


def check_no_adapter(folder: Path) -> None:
    """Raises InputError if the folder holds an adapter, on which no other one can be trained."""
    if (folder / "adapter_config.json").is_file():
        raise InputError(
            f"{folder} is an adapter; merge it into its model first (PEFT's merge_and_unload), and save both together."
        )


def weight_files(folder: Path) -> list[tuple[str, int, int]]:
    """Returns name, bytes and time of the last change of a checkpoint's files, which tell whether it is the same."""
    return [(f.name, f.stat().st_size, f.stat().st_mtime_ns) for f in sorted(folder.glob("*.safetensors"))]


def prepare(
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
    clock: Clock = time.monotonic,
) -> Teaching:
    """Loads a model, makes its lessons, and checks memory and disk space.

    Arguments and errors are those of `teach_model`.
    """
    folder = Path(path)
    check_no_adapter(folder)
    work = out.parent / f"{out.name}-work"
    if out.is_file() or (out.exists() and any(out.iterdir()) and not work.exists()):
        raise InputError(f"{out} is there and not empty; choose another folder for the copy.")
    if not tuning.lora and dtype != "float32":
        raise InputError(f"All weights are trained in float32, for {dtype} loses small steps; leave --dtype out.")
    if tuning.lora and importlib.util.find_spec("peft") is None:
        raise MissingExtra("peft", "train")
    if compiled and torch_device(device).type == "cpu" and not shutil.which(os.environ.get("CXX", "g++")):
        raise InputError("Compiling needs a C++ compiler; install g++, name yours in CXX, or leave --compile out.")
    check_room(folder, device, dtype)
    model, tokenizer = load_host(folder, device, dtype)
    layers = HostAdapter.attach(model, tokenizer).layers  # fails early for a model that cannot be guarded
    if torch_device(device).type == "cpu":
        model.set_attn_implementation("eager")  # twice as fast on a CPU for short rows
    tokens = renderer(tokenizer)
    config = model.config.get_text_config()
    recipe = HostRecipe(out.name, _recipe(folder, config, seed, locale), tuning)
    stamp = [recipe.to_json(), str(folder.resolve()), weight_files(folder), dtype]
    work_folder(out, stamp, create=False)
    own = replay(model, tokenizer, tuning.replay, seed) if tuning.replay else ()
    torch.manual_seed(seed)
    lessons = Lessons(recipe, cast(recipe), tokens, own)
    adapted = with_adapters(model, tuning, str(folder.resolve())) if tuning.lora else model
    for layer in layers if compiled else ():
        layer.compile(dynamic=False)  # rows come in a few shapes
    trainer = Trainer(adapted, tuning.learning_rate, 0.0, device, any_architecture=True, clock=clock)
    teaching = Teaching(adapted, tokenizer, recipe, lessons, trainer, work, stamp, device)
    # Gradients and the optimiser take three times the trained weights, which are loaded already.
    least = teaching.checkpoint_bytes + _least_activations(recipe, lessons)
    check_memory(device, least, "Teaching", f"Free some, or {teaching.remedy}.")
    check_disk(out, teaching.disk_bytes(1 + len(keep)), "Teaching")
    return teaching


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
    clock: Clock = time.monotonic,
) -> Path:
    """Trains an adapter for the model in `path`, or a copy of it, on synthetic people, and writes it to `out`.

    Args:
        path: folder of a transformers checkpoint with tokenizer and chat template.
        out: folder for the copy, empty or begun by the same call. An adapter names the model by its path, so the model
            must stay there. `out/../<name of out>-work` keeps the checkpoint.
        tuning: number of people, epochs, and the adapter's size. With `lora=False` all weights are trained.
        seed, locale: seed and Faker locale of the people.
        device, dtype: device and number type of the loaded model. The trained weights are in float32.
        keep: epochs after which the copy is also written to `<out>-e<epoch>`. Such copies remember less.
        compiled: compiles the decoder layers first, which takes half a minute. A step then takes about half as long.
        progress: takes phase, step, steps and loss after every step.
        clock: time in seconds, which decides when to save. An interruption loses at most five minutes of work.

    Raises:
        InputError: `path` has no checkpoint, chat template or end token, or is an adapter. Memory or disk is too small.
            A compiler is missing. All weights are to be trained in half precision. `out` holds other files. The work
            folder belongs to another recipe or model.
        MissingExtra: an adapter is to be trained, and peft is not installed.
        UnsupportedHost, TokenizerMismatch: the model cannot be loaded or guarded.
    """
    teaching = prepare(
        path,
        out,
        tuning=tuning,
        seed=seed,
        locale=locale,
        device=device,
        dtype=dtype,
        keep=keep,
        compiled=compiled,
        clock=clock,
    )
    work_folder(out, teaching.stamp)
    steps = len(teaching.lessons)
    kept = {round(steps * epoch / tuning.epochs): epoch for epoch in keep}

    def watched(phase: str, step: int, total: int, loss: float) -> None:
        progress(phase, step, total, loss)
        if step in kept:
            teaching.write(out.with_name(f"{out.name}-e{kept[step]}"))

    with teaching.enough_memory():
        teaching.trainer.run("tune", steps, teaching.lessons.__getitem__, teaching.scale, teaching.part, watched)
    teaching.write(out)
    return out


def _least_activations(recipe: HostRecipe, lessons: Lessons) -> int:
    """Returns a lower bound on the bytes that a step keeps for its backward pass.

    It counts the inputs of two matrices of each layer in half precision. For each learned position it counts the logits
    in half and single precision, and the latter's gradient.
    """
    base, steps = recipe.base, range(min(len(lessons), SAMPLED_ROWS))
    learned = max(int((lessons[step].weights[:, 1:] > 0).sum()) for step in steps)
    kept = 2 * recipe.tuning.batch_tokens * base.layers * (base.hidden_size + base.intermediate_size)
    return kept + learned * base.vocab_size * (2 + 4 + 4)


def _recipe(folder: Path, config: Any, seed: int, locale: str) -> Recipe:
    """Makes a recipe with public people, no private ones, and the shape of the model."""
    reads = int(getattr(config, "max_position_embeddings", None) or LONG_ROW)
    heads = int(getattr(config, "num_attention_heads", 0) or 1)
    shape: dict[str, Any] = {
        "vocab_size": config.vocab_size,
        "layers": config.num_hidden_layers,
        "hidden_size": config.hidden_size,
        "heads": heads,
        "kv_heads": getattr(config, "num_key_value_heads", None) or heads,
        "intermediate_size": getattr(config, "intermediate_size", None) or 4 * config.hidden_size,
    }
    return Recipe(
        name=folder.resolve().name,
        seed=seed,
        locale=locale,
        architecture=config.model_type,
        context=min(ROW, reads // 2),
        long_context=min(LONG_ROW, reads),
        train_people=0,
        test_people=0,
        bridge_people=0,
        repeat_steps=0,
        base_steps=0,
        private_steps=0,
        polish_steps=0,
        **OTHERS,
        **shape,
    )
