"""An audit's report as one HTML page: no scripts, nothing from elsewhere."""

from __future__ import annotations

from html import escape
from itertools import cycle
from typing import Any

import matplotlib

from reticent_bench.audits.report import Plot, Report, Table
from reticent_bench.detector_drawing import SERIES, axes, legend, svg
from reticent_bench.detector_drawing import STYLE as DRAWING_STYLE
from reticent_bench.detector_page import STYLE, marked
from reticent_bench.result import footer, show


def page(report: Report) -> str:
    """The report as HTML. The same report gives the same text."""
    warning = "" if report.complete else "<p><strong>Incomplete: the budget was spent before the end.</strong></p>\n"
    figures = _table(
        Table(
            "Headline figures",
            ("figure", "value and 95 % interval"),
            tuple(
                (name, "not measurable" if value is None else tuple(value)) for name, value in report.figures.items()
            ),
        )
    )
    plots = "".join(f"<figure>{draw(plot)}</figure>\n" for plot in report.plots)
    body = "".join(
        [
            f"<h1>{escape(report.title)}</h1>\n", warning,
            *(f"<p>{marked(sentence)}</p>\n" for sentence in report.sentences),
            figures if report.figures else "",
            f'<div class="grid">\n{plots}</div>\n' if plots else "",
            *(_table(table) for table in report.tables),
            f'<p class="made">{marked(footer({"made_by": report.provenance}).strip())}</p>\n' if report.provenance else "",
        ]
    )  # fmt: skip
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(report.title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )


def draw(plot: Plot) -> str:
    """A plot as SVG, with bands where a series has intervals."""
    with matplotlib.rc_context(DRAWING_STYLE):
        figure, (ax,) = axes(plot.title)
        for series, (colour, line) in zip(plot.series, cycle(SERIES), strict=False):
            style: dict[str, Any] = {"linestyle": line}
            if series.points:
                style = {"linestyle": "none", "marker": "o", "markersize": 3}
            ax.plot(series.x, series.y, color=colour, label=series.name, **style)
            if series.low:
                ax.fill_between(series.x, series.low, series.high, color=colour, alpha=0.18, linewidth=0)
        ax.set_xlabel(plot.x_label)
        ax.set_ylabel(plot.y_label)
        legend(figure, ax)
        return svg(figure, plot.title)


def _table(table: Table) -> str:
    heads = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in table.head)
    lines = "".join(
        f'<tr><th scope="row">{escape(show(first))}</th>{"".join(f"<td>{escape(show(cell))}</td>" for cell in cells)}</tr>\n'
        for first, *cells in table.rows
    )
    note = f"<p><small>{marked(table.note)}</small></p>\n" if table.note else ""
    return (
        f'<div class="scroll"><table><caption>{escape(table.title)}</caption>\n<thead><tr>{heads}</tr></thead>\n'
        f"<tbody>\n{lines}</tbody></table></div>\n{note}"
    )
