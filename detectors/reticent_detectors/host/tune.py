"""Builds a named host: trains a public host, which other hosts start from as well, and fine-tunes it on private people.

Two runs of one recipe on one CPU give the same bytes. An interrupted run continues and ends with the same weights.
"""

from __future__ import annotations

import hashlib
import json
import math
import shutil
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch
from transformers.pytorch_utils import Conv1D

from reticent_detectors.errors import InputError, MissingExtra
from reticent_detectors.host.architectures import attention_for
from reticent_detectors.host.lessons import Lessons
from reticent_detectors.host.load import load_host
from reticent_detectors.host.peft_warnings import without_old_names
from reticent_detectors.host.tokenizer import encoder
from reticent_detectors.host.train import train_host
from reticent_detectors.host.trainer import Progress, Trainer, quiet
from reticent_detectors.long_runs.save_timer import Clock
from reticent_detectors.synth.cast import cast
from reticent_detectors.synth.hosts import HostRecipe, Tuning
from reticent_detectors.synth.phrasings import PHRASINGS
from reticent_detectors.synth.prose import DOCUMENTS
from reticent_detectors.synth.public import FILLERS, TALK, public_facts
from reticent_detectors.synth.recipes import Recipe

BASE = "base"
"""Folder of a host's copy of its public host, which is its control and the model of its adapter."""
PIECE_WORDS, LEAST_WORDS = 50, 8
WARM_UP_SHARE = 0.05
LAST_RATE = 0.05


def build_host(
    recipe: HostRecipe,
    out: Path,
    *,
    prose: Path | None = None,
    progress: Progress = quiet,
    device: str = "cpu",
    clock: Clock = time.monotonic,
) -> Path:
    """Trains the host of a recipe into `out`: a transformers checkpoint, or a PEFT adapter, and `out/base`.

    The public host is kept beside `out`, in a folder named by a digest of all its inputs. The next host uses it again.

    Args:
        recipe: the host to train.
        out: folder for the host. `out/../<name of out>-work` keeps the checkpoint.
        prose: folder of text files (`*.txt`) to mix into the public phase.
        progress: takes phase, step, steps and loss after every step.
        device: a torch device.
        clock: time in seconds, which decides when to save.

    Raises:
        InputError: the work folder belongs to another recipe, or `prose` has no text.
        MissingExtra: the recipe has adapters and peft is not installed.
    """
    base = public_host(recipe.base, out.parent, prose=prose, progress=progress, device=device)
    work = work_folder(out, [recipe.to_json(), base.name])

    model, tokenizer = load_host(base)
    model.set_attn_implementation(attention_for(recipe.base.architecture, device))
    lessons = Lessons(recipe, cast(recipe), encoder(tokenizer))
    torch.manual_seed(recipe.seed)
    if recipe.tuning.lora:
        model = with_adapters(model, recipe.tuning, BASE)
    rate = recipe.tuning.learning_rate
    embedding_rate = rate * recipe.base.embedding_learning_rate / recipe.base.learning_rate
    trainer = Trainer(model, rate, embedding_rate, device, clock=clock)
    steps = len(lessons)
    trainer.run("tune", steps, lessons.__getitem__, lambda step: tuning_rate(step, steps), work / "tune.pt", progress)
    if not recipe.tuning.lora:
        model = model.to(torch.float16)
    options = {"save_embedding_layers": False} if recipe.tuning.lora else {}
    model.save_pretrained(out, **options)
    (out / "README.md").unlink(missing_ok=True)  # PEFT's card names folders of the machine
    tokenizer.save_pretrained(out)
    shutil.copytree(base, out / BASE, dirs_exist_ok=True)
    (out / "recipe.json").write_text(json.dumps(recipe.to_json(), indent=2) + "\n")
    return out


def work_folder(out: Path, stamp: object, create: bool = True) -> Path:
    """Returns the folder beside `out` for resuming. Raises InputError if it exists with another stamp (JSON).

    Writes nothing unless `create`.
    """
    work, text = out.parent / f"{out.name}-work", json.dumps(stamp, sort_keys=True)
    file = work / "recipe.json"
    if file.exists() and (before := file.read_text()) != text:
        other = ", ".join(_differences(json.loads(before), json.loads(text))) or "its form"
        raise InputError(
            f"{work} was made by another recipe (different: {other}). Delete it and {out}, or choose another folder."
        )
    if create:
        work.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return work


def _differences(one: Any, other: Any, name: str = "") -> list[str]:
    """Returns the names of the fields in which two JSON values differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        fields = [f for f in {**one, **other} if one.get(f) != other.get(f)]
        return [found for f in fields for found in _differences(one.get(f), other.get(f), f)]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other) and not name:
        return [found for a, b in zip(one, other, strict=True) if a != b for found in _differences(a, b)]
    return [name or "the model"]


def public_host(
    recipe: Recipe, runs: Path, *, prose: Path | None = None, progress: Progress = quiet, device: str = "cpu"
) -> Path:
    """Returns the folder of a recipe's public host, and trains it if `runs` lacks it.

    Raises InputError if `prose` has no text.
    """
    paragraphs = () if prose is None else _paragraphs(prose)
    out = runs / f"{recipe.name}-base-{_digest(recipe, paragraphs)}"
    if not (out / "recipe.json").exists():
        train_host(recipe, out, prose=paragraphs, work=runs / f"{out.name}-work", progress=progress, device=device)
    return out


def _digest(recipe: Recipe, paragraphs: Sequence[str]) -> str:
    """Returns a digest of the recipe, all texts of the public phase, and the libraries' versions."""
    texts = [PHRASINGS, DOCUMENTS, public_facts(), TALK, FILLERS, paragraphs]
    libraries = [version(name) for name in ("faker", "tokenizers", "torch", "transformers")]
    content = json.dumps([recipe.to_json(), repr(texts), libraries], sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()[:12]


def _paragraphs(folder: Path) -> tuple[str, ...]:
    """Cuts all paragraphs longer than a heading into pieces of at most `PIECE_WORDS` words, which fit a row."""
    texts = (file.read_text(encoding="utf-8", errors="replace") for file in sorted(folder.glob("*.txt")))
    words = (paragraph.split() for text in texts for paragraph in text.split("\n\n"))
    pieces = (w[at : at + PIECE_WORDS] for w in words for at in range(0, len(w), PIECE_WORDS))
    found = tuple(" ".join(piece) for piece in pieces if len(piece) >= LEAST_WORDS)
    if not found:
        raise InputError(
            f"{folder} holds no paragraph of {LEAST_WORDS} words; expected text files (*.txt) of ordinary prose."
        )
    return found


def with_adapters(model: Any, tuning: Tuning, base: str) -> Any:
    """Puts new LoRA adapters on all linear layers. `base` is the model's path as their checkpoint names it.

    Raises MissingExtra without peft.
    """
    try:
        import peft
    except ImportError as error:
        raise MissingExtra("peft", "train") from error
    config = peft.LoraConfig(
        r=tuning.rank,
        lora_alpha=tuning.alpha,
        lora_dropout=tuning.dropout,
        target_modules="all-linear",
        task_type="CAUSAL_LM",
        fan_in_fan_out=any(isinstance(module, Conv1D) for module in model.modules()),  # GPT-2
    )
    with without_old_names():
        adapted = peft.get_peft_model(model, config)
    adapted.peft_config["default"].base_model_name_or_path = base
    return adapted


def tuning_rate(step: int, steps: int) -> float:
    """Returns the share of the learning rate: a short warm-up, then a cosine down to 0.05 (the paper's schedule)."""
    late = LAST_RATE + (1 - LAST_RATE) * 0.5 * (1 + math.cos(math.pi * step / steps))
    return min(1.0, (step + 1) / max(1.0, WARM_UP_SHARE * steps)) * late
