"""An audit's report as one HTML page: no scripts, nothing from elsewhere, and readable without colour or pictures."""

from __future__ import annotations

import math
from html import escape
from itertools import cycle
from typing import Any

import matplotlib

from reticent_bench.audits.report import Plot, Report, Series, Table, cell_text, headline_table
from reticent_bench.audits.target import NOT_MEASURABLE
from reticent_bench.detector.drawing import SERIES, axes, legend, svg
from reticent_bench.detector.drawing import STYLE as DRAWING_STYLE
from reticent_bench.detector.page import STYLE, marked
from reticent_bench.report.result import footer

_OWN_STYLE = """
tbody tr:first-child { font-weight: inherit; }
th, td { text-align: left; vertical-align: top; } th.number, td.number { text-align: right; }
td.number, .found td { white-space: nowrap; }
tbody th { font-weight: inherit; position: sticky; left: 0; background: Canvas; }
tbody th, thead th:first-child { min-width: min(9rem, 30vw); }
td { max-width: 24rem; } .scroll { margin: 1.5rem 0 .5rem; } .scroll + p { margin-top: 0; }
.found { font-size: 1rem; } .found td:last-child { opacity: .75; } .found tbody th { max-width: 44rem; }
"""
"""Beside the style of the detectors' page. That one prints its own row first and in bold; no row of an audit is that.
The first column of a table stays in sight while the others are scrolled."""
_COLOURS = [colour for colour, _ in SERIES]
_LINES: list[tuple[Any, str]] = [("-", "o"), ("--", "s"), ("-.", "^"), (":", "D"), ((0, (5, 1, 1, 1)), "v")]
"""Dashes and marks of the series, which tell them apart without colour."""

_MOST_MARKS = 25
"""Marks of a line with more places would run into one another."""


def page(report: Report) -> str:
    """The report as HTML. The same report gives the same text."""
    warning = "" if report.complete else "<p><strong>Incomplete: the budget was spent before the end.</strong></p>\n"
    has_bands = any(series.low for plot in report.plots for series in plot.series)
    bands = "<p>Bands are 95 % intervals.</p>\n" if has_bands else ""
    plots = "".join(f"<figure>{draw(plot)}</figure>\n" for plot in report.plots)
    body = "".join(
        [
            f"<h1>{escape(report.title)}</h1>\n",
            warning,
            _table(headline_table(report), "found") if report.figures else "",
            "<h2>How to read this page</h2>\n" if report.sentences else "",
            *(f"<p>{marked(sentence)}</p>\n" for sentence in report.sentences),
            f'<h2>Plots</h2>\n{bands}<div class="grid">\n{plots}</div>\n' if plots else "",
            "<h2>Tables</h2>\n" if report.tables else "",
            *(_table(table) for table in report.tables),
            f'<p class="made">{marked(footer({"made_by": report.provenance}).strip())}</p>\n'
            if report.provenance
            else "",
        ]
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(report.title)}</title>\n<style>{STYLE}{_OWN_STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )


def draw(plot: Plot) -> str:
    """Draws a plot as SVG, with bands if a series has intervals. The text alternative gives the ends of each series."""
    with matplotlib.rc_context(DRAWING_STYLE):
        figure, (ax,) = axes(plot.title)
        for series, colour, (line, mark) in zip(plot.series, cycle(_COLOURS), cycle(_LINES), strict=False):
            dense = not series.points and len(series.x) > _MOST_MARKS
            style: dict[str, Any] = {"linestyle": "none" if series.points else line, "marker": "" if dense else mark}
            ax.plot(series.x, series.y, color=colour, label=series.name, markersize=3, **style)
            if series.low:
                ax.fill_between(series.x, series.low, series.high, color=colour, alpha=0.18, linewidth=0)
        if _are_shares(plot):
            ax.set_ylim(-0.02, 1.02)
        ax.set_xlabel(plot.x_label)
        ax.set_ylabel(plot.y_label)
        legend(figure, ax)
        return svg(figure, alternative(plot))


def _are_shares(plot: Plot) -> bool:
    """Whether all values and their intervals are in 0 to 1, and 0 or so high that this scale shows them."""
    values = [value for series in plot.series for part in (series.y, series.low, series.high) for value in part]
    finite = [value for value in values if math.isfinite(value)]
    return bool(finite) and min(finite) >= 0 and (max(finite) == 0 or 0.25 <= max(finite) <= 1)


def alternative(plot: Plot) -> str:
    """A plot in words."""
    axes_words = f"{plot.title}. Plot of {plot.y_label} by {plot.x_label}."
    return " ".join([axes_words, *(_in_words(series) for series in plot.series)])


def _in_words(series: Series) -> str:
    shown = [(x, y) for x, y in zip(series.x, series.y, strict=True) if math.isfinite(x) and math.isfinite(y)]
    if not shown:
        return f"{series.name}: no value."
    if series.points:
        values = [y for _, y in shown]
        return f"{series.name}: {len(shown)} points, from {min(values):.3g} to {max(values):.3g}."
    (first, start), (last, end) = shown[0], shown[-1]
    return f"{series.name}: {start:.3g} at {first:.3g}, {end:.3g} at {last:.3g}."


def _table(table: Table, kind: str = "") -> str:
    columns = list(zip(*table.rows, strict=True)) or [()] * len(table.head)
    numbers = [any(not isinstance(cell, str) or cell == NOT_MEASURABLE for cell in column) for column in columns]
    marks = [' class="number"' if number else "" for number in numbers]
    heads = "".join(f'<th scope="col"{mark}>{escape(cell)}</th>' for cell, mark in zip(table.head, marks, strict=True))
    lines = "".join(
        f'<tr><th scope="row">{escape(cell_text(first))}</th>'
        + "".join(f"<td{mark}>{escape(cell_text(cell))}</td>" for cell, mark in zip(cells, marks[1:], strict=True))
        + "</tr>\n"
        for first, *cells in table.rows
    )
    note = f"<p><small>{marked(table.note)}</small></p>\n" if table.note else ""
    style = f' class="{kind}"' if kind else ""
    # A wide table is scrolled; the keyboard reaches it by its place in the order of tabs.
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{escape(table.title)}">'
        f"<table{style}><caption>{escape(table.title)}</caption>\n<thead><tr>{heads}</tr></thead>\n"
        f"<tbody>\n{lines}</tbody></table></div>\n{note}"
    )
