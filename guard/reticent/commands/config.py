"""Print the settings of `reticent serve` with their defaults, each explained."""

from __future__ import annotations

import typer

from reticent.serve.config_template import TEMPLATE

app = typer.Typer(add_completion=False)


@app.command()
def config() -> None:
    """Prints the settings of 'reticent serve' with their defaults, each explained."""
    typer.echo(TEMPLATE, nl=False)
