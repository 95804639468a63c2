"""`reticent bench figures` and `reticent bench recording`: pictures from result files and from captured output."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

RESULTS = Path("benchmarks/results")


def figures(
    results: Annotated[Path, typer.Option(help="Folder of the result files.")] = RESULTS,
    out: Annotated[
        Path | None, typer.Option(help="Folder for the charts; else 'figures' in that of the files.")
    ] = None,
) -> None:
    """Draws the charts of the documents as SVG from the result files. Measures nothing."""
    from reticent_bench.charts.chart_table import charts
    from reticent_bench.charts.draw import draw

    folder = out or results / "figures"
    drawn = {chart.name: draw(chart) for chart in charts(results)}
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in drawn.items():
        (folder / f"{name}.svg").write_text(text)
        typer.echo(f"{folder / name}.svg")


def recording(
    captured: Annotated[Path, typer.Argument(help="File with a command's output, with its colours.")],
    out: Annotated[Path, typer.Argument(help="The SVG file.")],
    title: Annotated[str, typer.Option(help="Of the window: the command, and when it ran.")],
    lines: Annotated[
        list[str] | None, typer.Option(help="Only these lines, such as 1-12. May be given several times, in order.")
    ] = None,
) -> None:
    """Draws captured terminal output as one static SVG picture."""
    from reticent_bench.charts.terminal_picture import terminal_picture

    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(terminal_picture(captured.read_text(), title, lines or ()))
    typer.echo(f"{out}")
