"""Builds the hosts and collections that the tables need, as `reticent host train` and `reticent collect` build them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from reticent_bench.hosts import hosts_report
from reticent_bench.paper.hosted import shards_of
from reticent_detectors.baselines.evidence import EvidenceSpec
from reticent_detectors.collection.collect import Progress, collect
from reticent_detectors.collection.shards import ShardReader
from reticent_detectors.errors import InputError, ShardError
from reticent_detectors.features.features import FeatureSpec
from reticent_detectors.host.load import load_host, recipe_of
from reticent_detectors.host.tune import BASE
from reticent_detectors.synth.cast import cast
from reticent_detectors.synth.hosts import HostRecipe, recipe

SPEC = FeatureSpec(names=4)


def missing_hosts(runs: Path, names: Sequence[str]) -> list[HostRecipe]:
    """Recipes of the missing hosts. Raises InputError for a name of no host, or for a host of another command."""
    out = []
    for name in names:
        if (runs / name / "recipe.json").exists():
            continue
        chosen = recipe(name)
        if not isinstance(chosen, HostRecipe):
            raise InputError(
                f"{runs / name} is not there, and {name} is no host's name such as qwen2-small; "
                "train it with `reticent host train`."
            )
        out.append(chosen)
    return out


def is_collected(runs: Path, name: str) -> bool:
    """Whether the host's collection is there and complete."""
    try:
        ShardReader(shards_of(runs, name))
    except ShardError:
        return False
    return True


def prepare(runs: Path, names: Sequence[str], device: str, say: Callable[[str], None]) -> None:
    """Builds what is missing, and continues what was interrupted. Raises what building and collecting raise."""
    hosts_report.build_all(missing_hosts(runs, names), runs, prose=None, device=device, say=say)
    for name in names:
        if is_collected(runs, name):
            continue

        def progress(done: int, total: int, name: str = name) -> None:
            say(f"{name}: {done} of {total} prompts collected")

        gather(runs / name, shards_of(runs, name), device, progress)


def gather(host: Path, out: Path, device: str, progress: Progress) -> None:
    """Collects with other names and with what the baselines need. The control is the host's public host."""
    model, tokenizer = load_host(host, device)
    control = load_host(host / BASE, device)[0] if (host / BASE).is_dir() else None
    people = cast(recipe_of(host))
    collect(model, tokenizer, people, out, spec=SPEC, evidence=EvidenceSpec(), control=control, progress=progress)
