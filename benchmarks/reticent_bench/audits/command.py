"""Audit a model: what it gives away of its training data, its prompt and its code."""

from __future__ import annotations

import typer

from reticent_bench.audits.commands.code import code
from reticent_bench.audits.commands.context import context
from reticent_bench.audits.commands.cues import cues
from reticent_bench.audits.commands.extraction import canaries, extraction, plant
from reticent_bench.audits.commands.inversion import inversion
from reticent_bench.audits.commands.membership import membership

app = typer.Typer(add_completion=False)


@app.callback()
def audit() -> None:
    """Audits a model. Exit codes: 0; 1 above a limit; 2 bad input; 3 incomplete, as when the budget is spent."""


for each in (canaries, plant, extraction, cues, membership, inversion, context, code):
    app.command()(each)
