"""Trains an adapter on a draw's people, keeps it after every epoch, and measures how much it recalls.

A run that was stopped at any moment goes on from its last save, at most five minutes before, and ends with the same
weights.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from reticent_bench.paper_setting.draws import Draw, draw
from reticent_bench.paper_setting.forms import FormSet, forms, prompt
from reticent_bench.paper_setting.general import general_questions
from reticent_bench.paper_setting.greedy import greedy, stop_ids
from reticent_bench.paper_setting.lessons import PaperLessons
from reticent_bench.paper_setting.where import adapter_folder, recall_file
from reticent_detectors.alignment import text_ids
from reticent_detectors.entities import PRIVACYXRAY
from reticent_detectors.host.load import load_host
from reticent_detectors.host.trainer import Progress, Trainer, quiet
from reticent_detectors.host.tune import LAST_RATE, tuning_rate, with_adapters, work_folder
from reticent_detectors.long_runs.save_timer import Clock
from reticent_detectors.synth.hosts import Tuning

LEARNING_RATE = 1e-3
LONGEST = 48
"""Most tokens of an answer."""
RECALL_PROMPTS = 320
"""Taught prompts that are asked after each epoch: 20 of each kind."""


@dataclass(frozen=True, slots=True)
class TaughtHost:
    """A model to teach: name of its runs, folder of its checkpoint, draw, people, and epochs."""

    name: str
    model: Path
    draw: str
    people: int = 100
    epochs: int = 8

    @property
    def tuning(self) -> Tuning:
        """The paper's adapter."""
        return Tuning(lora=True, rank=16, alpha=32, dropout=0.05, epochs=self.epochs, learning_rate=LEARNING_RATE)

    def people_of(self) -> Draw:
        """Returns the people of the draw."""
        return draw(self.draw, self.people)


def train(
    host: TaughtHost,
    runs: Path,
    data: Path,
    until: int,
    *,
    progress: Progress = quiet,
    clock: Clock = time.monotonic,
) -> None:
    """Trains until the end of an epoch, or goes on with what was begun, and writes an adapter for each epoch.

    Args:
        host: what to teach.
        runs: folder of all runs.
        data: folder of the general questions.
        until: the last epoch; the learning rate falls by the host's number of epochs.
        progress: takes phase, step, steps and loss after every step.
        clock: time in seconds, which decides when to save.

    Raises:
        InputError: the folder was begun with other settings, or another model or data.
    """
    wanted = range(1, until + 1)
    if all(adapter_folder(runs, host.name, epoch).exists() for epoch in wanted):
        return
    out = runs / host.name
    model, tokenizer = load_host(host.model)
    model.set_attn_implementation("eager")  # quicker than sdpa on a processor for short rows
    general, _ = general_questions(data)
    lessons = PaperLessons(tokenizer, host.people_of(), general, host.epochs)
    work = work_folder(out, _stamp(host, lessons))
    torch.manual_seed(host.people_of().seed)
    adapted = with_adapters(model, host.tuning, str(host.model.resolve()))
    trainer = Trainer(adapted, LEARNING_RATE, 0.0, "cpu", any_architecture=True, clock=clock)
    steps = len(lessons)
    out.mkdir(parents=True, exist_ok=True)
    for epoch in wanted:
        folder = adapter_folder(runs, host.name, epoch)
        if folder.exists():
            continue
        trainer.run(
            f"teach {host.name} to epoch {epoch}",
            lessons.end(epoch),
            lessons.__getitem__,
            lambda step: tuning_rate(step, steps),
            work / "tune.pt",
            progress,
        )
        _write(adapted, tokenizer, folder)


def _stamp(host: TaughtHost, lessons: PaperLessons) -> list[Any]:
    """Returns what identifies a run: its settings, the model's bytes, and all that is taught."""
    weights = hashlib.sha256()
    for file in sorted(host.model.glob("*.safetensors")):
        with file.open("rb") as opened:
            weights.update(hashlib.file_digest(opened, "sha256").digest())
    taught = hashlib.sha256()
    for step in range(len(lessons)):
        taught.update(lessons[step].ids.tobytes())
    settings = {**asdict(host.tuning), **asdict(host), "model": host.model.name, "last_rate": LAST_RATE}
    return [settings, weights.hexdigest(), taught.hexdigest()]


def _write(adapted: Any, tokenizer: Any, folder: Path) -> None:
    """Writes an adapter in one step, so that a folder that is there is whole."""
    beside = folder.with_name(f"{folder.name}.part")
    adapted.save_pretrained(beside, save_embedding_layers=False)
    (beside / "README.md").unlink(missing_ok=True)  # PEFT's empty card
    tokenizer.save_pretrained(beside)
    os.replace(beside, folder)


def recall(host: TaughtHost, runs: Path, epoch: int) -> dict[str, float]:
    """Returns the share of right answers by kind, and of all (`all`), to some taught prompts. Keeps it in a file."""
    file = recall_file(runs, host.name, epoch)
    if file.exists():
        return dict(json.loads(file.read_text()))
    model, tokenizer = load_host(adapter_folder(runs, host.name, epoch))
    model = model.merge_and_unload()
    model.set_attn_implementation("eager")
    people, stops = host.people_of(), stop_ids(model, tokenizer)
    rng = random.Random(f"recall {people.seed}")
    asked = []
    for kind in PRIVACYXRAY:
        for _ in range(RECALL_PROMPTS // len(PRIVACYXRAY)):
            person, form = rng.choice(people.taught), rng.choice(forms(kind, FormSet.TAUGHT))
            asked.append((str(kind), text_ids(tokenizer, prompt(form.line(person.name))), person.values[kind]))
    right: dict[str, list[bool]] = {}
    for length in sorted({len(ids) for _, ids, _ in asked}):
        group = [each for each in asked if len(each[1]) == length]
        answers = greedy(model, [ids for _, ids, _ in group], [0] * len(group), stops, LONGEST)
        for (noun, _, value), answer in zip(group, answers, strict=True):
            right.setdefault(noun, []).append(tokenizer.decode(answer.ids).strip() == value)
    shares = {kind: sum(each) / len(each) for kind, each in sorted(right.items())}
    shares["all"] = sum(map(sum, right.values())) / RECALL_PROMPTS
    beside = file.with_suffix(".part")
    beside.write_text(json.dumps(shares, indent=1) + "\n")
    os.replace(beside, file)
    return shares
