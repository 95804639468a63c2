"""What several hosts remember, one line for each, and the plan of what it costs to build them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from reticent_bench.hosts import host_report
from reticent_bench.report.result import table
from reticent_detectors.host.architectures import fresh_host
from reticent_detectors.host.corpus import Corpus
from reticent_detectors.host.lessons import Lessons
from reticent_detectors.host.load import load_host, recipe_of
from reticent_detectors.host.tokenizer import encoder, train_tokenizer
from reticent_detectors.host.trainer import Trainer
from reticent_detectors.host.tune import BASE, build_host
from reticent_detectors.synth.cast import cast
from reticent_detectors.synth.hosts import ARCHITECTURES, HostRecipe
from reticent_detectors.synth.recipes import Recipe

COLUMNS = {
    "taught": "well taught, taught phrasings",
    "detector-only": "well taught, detector phrasings",
    "test-only": "well taught, test phrasings",
    "copied": "copied as typed",
    "well formed": "unknown people, well formed",
}
"""Heads of the table and the columns of a single host's report that they show."""
TIMED_STEPS = 3


def row(recipe: Recipe | HostRecipe, model: Any, figures: Mapping[str, Any]) -> dict[str, Any]:
    """One host's line from its own report (`host_report.measure`)."""
    out: dict[str, Any] = {"million parameters": sum(p.numel() for p in model.parameters()) / 1e6}
    if isinstance(recipe, HostRecipe):
        tuning = recipe.tuning
        out |= {
            "method": "LoRA" if tuning.lora else "full", "private people": tuning.people + tuning.people // 2,
            "examples each": tuning.phrasings, "general to private": tuning.ratio, "epochs": tuning.epochs,
        }  # fmt: skip
    out |= {head: figures["columns"][column]["all"] for head, column in COLUMNS.items()}
    out["public facts"] = figures["public facts right"]
    out["control says"] = figures.get("control says private long values")
    return out


def measured(
    path: Path, *, per_column: int = host_report.PER_COLUMN, device: str = "cpu", seed: int = 0
) -> dict[str, Any]:
    """One host's line, measured. Its control is the public host that it started from, if its folder holds that."""
    recipe = recipe_of(path)
    model, tokenizer = load_host(path, device)
    control = load_host(path / BASE, device)[0] if (path / BASE).is_dir() else None
    figures = host_report.measure(model, tokenizer, control, cast(recipe), per_column=per_column, seed=seed)
    return row(recipe, model, figures)


def render(rows: Mapping[str, Mapping[str, Any]]) -> str:
    """The table as Markdown."""
    heads = list(dict.fromkeys(head for line in rows.values() for head in line))
    text = (
        "# What the hosts remember\n\n"
        "Greedy answers; share that is right, with 95 % intervals; for unknown people the share "
    )
    text += "that is well formed; last, how many private long values the public host says that each started from.\n\n"
    return text + table(["host", *heads], [[name, *(line.get(head) for head in heads)] for name, line in rows.items()])


def default_names(size: str) -> list[str]:
    """Both ways of fine-tuning for each architecture."""
    return [f"{architecture}-{size}{method}" for architecture in ARCHITECTURES for method in ("", "-lora")]


def plan(recipes: Sequence[HostRecipe], device: str) -> dict[str, float]:
    """Estimates the minutes of each host after timing a few steps.

    A public host counts with the first that needs it.
    """
    minutes: dict[str, float] = {}
    seconds: dict[Recipe, float] = {}
    for recipe in recipes:
        base = recipe.base
        people = cast(recipe)
        plain = Corpus(base, people, lambda pieces: ([], []))
        tokenizer = train_tokenizer(plain.sample_texts(500), base.vocab_size, 4 * base.long_context)
        steps = len(Lessons(recipe, people, encoder(tokenizer)))
        if base not in seconds:
            seconds[base] = _step_seconds(base, tokenizer, people, device)
            steps += base.repeat_steps + base.base_steps
        minutes[recipe.name] = steps * seconds[base] / 60
    return minutes


def _step_seconds(base: Recipe, tokenizer: Any, people: Any, device: str) -> float:
    corpus = Corpus(base, people, encoder(tokenizer))
    trainer = Trainer(fresh_host(base, tokenizer, device), base.learning_rate, base.embedding_learning_rate, device)
    trainer.step(corpus.batch("base", 0), 1.0)
    start = time.perf_counter()
    for step in range(1, TIMED_STEPS + 1):
        trainer.step(corpus.batch("base", step), 1.0)
    return (time.perf_counter() - start) / TIMED_STEPS


def build_all(
    recipes: Sequence[HostRecipe], runs: Path, *, prose: Path | None, device: str, say: Callable[[str], None]
) -> dict[str, float]:
    """Builds what is not there yet; minutes that each took."""
    took = {}
    for recipe in recipes:
        if (runs / recipe.name / "recipe.json").exists():
            continue
        start = time.perf_counter()
        build_host(recipe, runs / recipe.name, prose=prose, device=device)
        took[recipe.name] = (time.perf_counter() - start) / 60
        say(f"{recipe.name}: {took[recipe.name]:.1f} minutes")
    return took
