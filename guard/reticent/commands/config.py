"""Print every setting of `reticent serve`, or of a policy, with its default and its meaning."""

from __future__ import annotations

from typing import Annotated

import typer

from reticent.policy.policy_template import policy_template

app = typer.Typer(add_completion=False)


@app.command()
def config(
    policy: Annotated[bool, typer.Option("--policy", help="Those of a policy, not of 'reticent serve'.")] = False,
) -> None:
    """Prints every setting of 'reticent serve', or of a policy, with its default and its meaning."""
    if policy:
        typer.echo(policy_template(), nl=False)
        return
    from reticent.serve.config_template import TEMPLATE

    typer.echo(TEMPLATE, nl=False)
