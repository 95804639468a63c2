"""Train a detector from a collection and write it as a bundle."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reticent.commands import new_bundle
from reticent.commands.planned import Plan, plan_lines
from reticent.shipped import universal_bundle
from reticent_detectors.long_runs.progress import shown

if TYPE_CHECKING:
    from reticent_detectors.bundle.format import Bundle
    from reticent_detectors.collection.shards import FeatureTable

app = typer.Typer(add_completion=False)


@app.command()
def train(
    shards: Annotated[Path, typer.Argument(help="Collection made by 'reticent collect'.")],
    host: Annotated[Path, typer.Argument(help="The host that it was collected from.")],
    out: new_bundle.Out,
    groups: Annotated[
        str, typer.Option(help="Feature groups, comma-separated, or 'default', 'all', 'paper', 'logprobs'.")
    ] = "default",
    work: Annotated[
        Path | None,
        typer.Option(
            help="Folder for checkpoints, from which an interrupted run goes on. "
            "Default: OUT-training, which is deleted when the bundle is written."
        ),
    ] = None,
    prevalence: new_bundle.Prevalence = 0.5,
    seed: new_bundle.Seed = 0,
    epochs: new_bundle.Epochs = 30,
    dropout: new_bundle.Dropout = 0.3,
    misattributed: new_bundle.Misattributed = 0.3,
    single: new_bundle.Single = False,
    with_universal: Annotated[
        bool,
        typer.Option("--with-universal", help="Average the scores with those of the universal detector of Reticent."),
    ] = False,
    thorough: new_bundle.Thorough = False,
    device: Annotated[str, typer.Option(help="A torch device, for reading HOST.")] = "cpu",
    dtype: Annotated[
        str,
        typer.Option(help="The number type of collecting and of running: a bundle fits the weights as loaded."),
    ] = "float32",
    overwrite: new_bundle.Overwrite = False,
    plan: Plan = False,
) -> None:
    """Trains a detector, calibrates it on held-out people and phrasings, and exports it. Interrupted, it goes on."""
    from reticent_detectors.collection.shards import ShardReader
    from reticent_detectors.detector.calibration import logit_of
    from reticent_detectors.detector.cross_fit import clear_members
    from reticent_detectors.detector.defaults import default_config, ensemble_of
    from reticent_detectors.detector.training_estimate import estimate_training
    from reticent_detectors.fitting.own_detector import describe_host, train_own, training_rows
    from reticent_detectors.host.load import load_host
    from reticent_detectors.host.memory import check_room, model_bytes

    logit_of(prevalence)  # refused before anything is trained
    new_bundle.check_new(out, overwrite)
    table = ShardReader(shards).load()
    chosen = _checked_groups(table, groups)
    universal = _joinable_universal(chosen) if with_universal else None
    check_room(host, device, dtype)
    model, tokenizer = load_host(host, device, dtype)
    described = describe_host(model, tokenizer, table)
    table = training_rows(table)
    config = default_config(chosen, seed=seed, epochs=epochs, dropout=dropout, misattributed=misattributed)
    configs = (config,) if single else ensemble_of(config)
    folder = work or out.with_name(f"{out.name}-training")
    if plan:
        typer.echo(plan_lines(estimate_training(table, configs, folder, {"host": model_bytes(model)}), "cpu", folder))
        return
    with shown("epoch") as advance:
        bundle, detector = train_own(
            out, table, configs, described, folder=folder, universal=universal, prevalence=prevalence,
            thorough=thorough, overwrite=overwrite, progress=advance,
        )  # fmt: skip
    if work is None:
        clear_members(folder)
    thresholds = new_bundle.shown_thresholds(bundle.calibration)
    typer.echo(f"{out}: validation loss {detector.validation_loss:.4f}; thresholds at false positives of {thresholds}")


def _checked_groups(table: FeatureTable, groups: str) -> frozenset[str]:
    """Gives the feature groups that an option names, by their names or by the name of a choice. Raises InputError."""
    from reticent_detectors.detector.defaults import named_groups
    from reticent_detectors.detector.network import GROUPS
    from reticent_detectors.errors import InputError

    chosen = named_groups(table.features).get(groups, frozenset(groups.split(",")))
    if unknown := sorted(chosen - set(GROUPS)):
        raise InputError(f"Unknown feature groups: {', '.join(unknown)}; expected some of {', '.join(sorted(GROUPS))}.")
    return chosen


def _joinable_universal(groups: frozenset[str]) -> Bundle:
    """Loads the universal detector of Reticent, and checks that these feature groups can be averaged with it."""
    from reticent_detectors.bundle.format import Bundle
    from reticent_detectors.detector.network import GROUPS
    from reticent_detectors.fitting.averaged_with_universal import check_joinable

    universal = Bundle.load(universal_bundle())
    check_joinable(universal, {GROUPS[group] for group in groups})
    return universal
