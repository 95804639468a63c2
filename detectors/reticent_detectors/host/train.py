"""Trains a host by a recipe: on repeated random tokens, then on public text, then on private records if there are any.

The weights before the private records are kept (`base.pt`), so the control continues from the same weights. An
interrupted run continues from its last checkpoint and ends with the same weights.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import torch
from transformers import PreTrainedTokenizerFast

from reticent_detectors.errors import InputError
from reticent_detectors.host.architectures import fresh_host
from reticent_detectors.host.corpus import Corpus
from reticent_detectors.host.induction import lay_out_induction
from reticent_detectors.host.tokenizer import encoder, train_tokenizer
from reticent_detectors.host.trainer import Progress, Trainer, quiet, save
from reticent_detectors.long_runs.save_timer import Clock
from reticent_detectors.synth.cast import cast
from reticent_detectors.synth.recipes import Recipe

WARM_UP = 40


def _scale(phase: str, step: int, steps: int) -> float:
    """Returns the share of the recipe's learning rate at a step.

    Repeat and base stay level. Private and public (a base without a later phase) stay level for the first half, and
    fall to 0.05 by a cosine in the second. Polish falls from 0.3 to 0.
    """
    if phase == "polish":
        return 0.3 * (1 - step / steps)
    late = max(0.0, (step - steps / 2) / (steps / 2)) if phase in ("private", "public") else 0.0
    return min(1.0, (step + 1) / WARM_UP) * (0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * late)))


def train_host(
    recipe: Recipe,
    out: Path,
    *,
    prose: Sequence[str] = (),
    work: Path | None = None,
    progress: Progress = quiet,
    device: str = "cpu",
    clock: Clock = time.monotonic,
) -> Path:
    """Trains the host of a recipe into `out`, an ordinary transformers checkpoint in half precision.

    Args:
        recipe: the host to train.
        out: folder for the checkpoint.
        prose: paragraphs of public text to mix into the public phase.
        work: folder for resuming; the default is `out/../<name>-work`.
        progress: takes phase, step, steps and loss after every step.
        device: a torch device.
        clock: time in seconds, which decides when to save.

    Raises:
        InputError: the work folder belongs to another recipe.
    """
    work = work or out.parent / f"{recipe.name}-work"
    work.mkdir(parents=True, exist_ok=True)
    public = replace(recipe, control=False, private_steps=0, polish_steps=0)
    stamp = json.dumps(public.to_json(), sort_keys=True)
    stamp_file = work / "recipe.json"
    if stamp_file.exists() and stamp_file.read_text() != stamp:
        raise InputError(
            f"{work} was made by another recipe; expected the same settings. Delete it or choose another --out."
        )
    stamp_file.write_text(stamp)
    torch.manual_seed(recipe.seed)
    everyone = cast(recipe)
    tokenizer = _tokenizer(recipe, work, prose)
    corpus = Corpus(recipe, everyone, encoder(tokenizer), prose)
    model = fresh_host(recipe, tokenizer, device)
    lay_out_induction(model)
    trainer = Trainer(model, recipe.learning_rate, recipe.embedding_learning_rate, device, clock=clock)

    def run(phase: str, steps: int, part: str, shape: str) -> None:
        trainer.run(
            phase,
            steps,
            corpus.repeats if phase == "repeat" else lambda step: corpus.batch(phase, step),
            lambda step: _scale(shape, step, steps),
            work / part,
            progress,
            corpus.state,
            corpus.restore,
        )

    base = work / "base.pt"
    if not base.exists():
        ends = not (recipe.train_people or recipe.test_people or recipe.bridge_people)
        run("repeat", recipe.repeat_steps, "repeat.pt", "repeat")
        run("base", recipe.base_steps, "base-part.pt", "public" if ends else "base")
        save(base, {"trainer": trainer.state(), "corpus": corpus.state()})
    else:
        saved = torch.load(base, weights_only=True, map_location=device)
        trainer.restore(saved["trainer"])
        corpus.restore({k: v for k, v in saved["corpus"].items() if k in corpus.state()})
    role = "control" if recipe.control else "private"
    for phase, steps in (("private", recipe.private_steps), ("polish", recipe.polish_steps)):
        if steps:
            run(phase, steps, f"{role}-{'part' if phase == 'private' else phase}.pt", phase)

    trainer.model.to(torch.float16).save_pretrained(out)
    tokenizer.save_pretrained(out)
    (out / "recipe.json").write_text(json.dumps(recipe.to_json(), indent=2) + "\n")
    return out


def _tokenizer(recipe: Recipe, work: Path, prose: Sequence[str]) -> PreTrainedTokenizerFast:
    folder = work / "tokenizer"
    if not folder.exists():
        plain = Corpus(recipe, cast(replace(recipe, control=False)), lambda pieces: ([], []), prose)
        train_tokenizer(plain.sample_texts(4000), recipe.vocab_size, 4 * recipe.long_context).save_pretrained(folder)
    tokenizer: PreTrainedTokenizerFast = PreTrainedTokenizerFast.from_pretrained(folder)
    return tokenizer
