"""Measure parts of Reticent by themselves; write tables."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(add_completion=False)


@app.callback()
def bench() -> None:
    """Measure parts of Reticent by themselves; write tables."""


@app.command()
def spans(
    out: Annotated[Path, typer.Option(help="Folder for the tables.")] = Path("benchmarks/results"),
    data: Annotated[Path, typer.Option(help="Folder with the labelled and harmless texts.")] = Path("data"),
    part: Annotated[list[str] | None, typer.Option(help="Only these parts of the report.")] = None,
    seed: Annotated[int, typer.Option(help="Of everything that is drawn.")] = 0,
    count: Annotated[int, typer.Option(min=1, help="Made-up texts for each kind with a form.")] = 500,
) -> None:
    """The span finder: quality beside Presidio, relations, disguises, speed, harmless text. Writes spans.json and spans.md."""
    from reticent_bench import spans_report
    from reticent_bench.result import command_line, footer, provenance, write
    from reticent_detectors.errors import InputError

    parts = tuple(part or spans_report.PARTS)
    if unknown := sorted(set(parts) - set(spans_report.PARTS)):
        raise InputError(f"Unknown part {unknown[0]!r}; expected some of {', '.join(spans_report.PARTS)}.")
    figures = spans_report.measure(parts, data, seed, lambda line: typer.echo(line, err=True), count=count)
    figures["made_by"] = provenance(command_line(), seed)
    write(out, "spans", figures, spans_report.render(figures) + footer(figures))
    typer.echo(f"{out / 'spans.md'}")
