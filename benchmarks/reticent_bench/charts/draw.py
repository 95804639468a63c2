"""Draws a chart as an SVG file: marks with error bars in rows, each with its value in words.

The drawing is `detector.drawing`'s. A file has its own ground and ink for light and for dark readers, since a page
cannot style what it shows as a picture.
"""

from __future__ import annotations

import re
import textwrap
from html import escape
from itertools import count, cycle
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter

from reticent_bench.charts.chart import Chart, made_by
from reticent_bench.detector.drawing import KEPT, MUTED, SERIES, STYLE, axes, legend, svg

WIDTH, LANE, AROUND = 8.4, 0.165, 1.35
"""Inches: the width, the height of a mark's lane, and what title, axis and legend take."""
BETWEEN, HEADED = 0.45, 1.3
"""Lanes between two rows, and lanes of a heading."""
MARKERS = "os^D"
LINEAR_BELOW = 0.001
"""Share below which a logarithmic axis is linear, so that none at all has a place."""
FOOT_SIZE, FOOT_CHARS, FOOT_LINES = 6.5, 165, 2
PADDING = 8
"""Points around the drawing."""
INKS = {"light": ("#1f2328", "#ffffff"), "dark": ("#e6e8eb", "#14181d")}
"""Ink and ground by the reader's colour scheme."""


def draw(chart: Chart) -> str:
    """A chart as the text of an SVG file. The same numbers give the same text.

    Each mark has the id `data-mark-N` and its interval `data-bar-N`, counted from the top.
    """
    lanes = sum(HEADED + sum(len(row.marks) + BETWEEN for row in group.rows) for group in chart.groups)
    with matplotlib.rc_context(STYLE):
        figure, (ax,) = axes(chart.title, size=(WIDTH, AROUND + LANE * lanes))
        _rows(ax, chart)
        ax.set_ylim(lanes - 0.2, -0.2)
        ax.tick_params(axis="y", length=0)
        ax.spines["left"].set_visible(False)
        ax.grid(axis="x", color=MUTED, alpha=0.25)
        ax.set_xlabel(f"{chart.axis}\nerror bars: {chart.bars}")
        if chart.log:
            ax.set_xscale("symlog", linthresh=LINEAR_BELOW)
            ax.set_xlim(left=0)
        if chart.shares:
            ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:g}"))
        if len(chart.series) > 1:
            legend(figure, ax)
        return _as_file(svg(figure, chart.title), chart)


def _rows(ax: Axes, chart: Chart) -> None:
    """Draws all rows from top to bottom, at one unit a lane."""
    looks = {
        name: (colour, mark) for name, (colour, _), mark in zip(chart.series, SERIES, cycle(MARKERS), strict=False)
    }
    unnamed, number = set(chart.series), count()
    ticks: list[tuple[float, str]] = []
    beside = ax.get_yaxis_transform()
    top = 0.0
    for group in chart.groups:
        ax.text(0, top + 0.4, group.heading, transform=beside, weight="bold", va="center")
        begun = top = top + HEADED
        for row in group.rows:
            ticks.append((top + (len(row.marks) - 1) / 2, row.label))
            for mark in row.marks:
                colour, marker = looks[mark.series]
                place = next(number)
                style: dict[str, Any] = {"color": colour, "clip_on": False}
                ax.plot([mark.low, mark.high], [top, top], linewidth=1.4, gid=f"{KEPT}bar-{place}", **style)
                label = mark.series if mark.series in unnamed else None
                unnamed.discard(mark.series)
                named: dict[str, Any] = {"label": label, "gid": f"{KEPT}mark-{place}"}
                ax.plot([mark.value], [top], marker=marker, markersize=5, linestyle="none", **style, **named)
                ax.text(1.01, top, chart.written(mark), transform=beside, va="center", fontsize=7.5)
                top += 1
            top += BETWEEN
        for value in group.lines:
            ax.plot([value, value], [begun - 0.5, top - BETWEEN - 0.5], color=MUTED, linewidth=1, linestyle="--")
    ax.set_yticks([place for place, _ in ticks], [label for _, label in ticks])


def _as_file(drawn: str, chart: Chart) -> str:
    """Adds what a figure of a page does not need: title, description, ground, inks, and the sources."""
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', drawn)
    assert box is not None
    width, height = float(box[1]) + 2 * PADDING, float(box[2])
    foot = [
        line
        for source in chart.sources
        for line in textwrap.wrap(made_by(source), FOOT_CHARS, max_lines=FOOT_LINES, placeholder=" …")
    ]
    step = 1.45 * FOOT_SIZE
    full = height + (len(foot) + 0.5) * step + 2 * PADDING
    lines = "\n".join(
        f'<text x="0" y="{height + (place + 1) * step:.1f}" class="foot">{escape(line)}</text>'
        for place, line in enumerate(foot)
    )
    (ink, ground), (dark_ink, dark_ground) = INKS["light"], INKS["dark"]
    head = (
        f"<title>{escape(chart.title)}</title>\n<desc>{escape(chart.in_words())}</desc>\n"
        f"<style>svg {{ color: {ink}; }} .ground {{ fill: {ground}; }} "
        f".foot {{ font: {FOOT_SIZE}px 'DejaVu Sans', sans-serif; fill: currentColor; opacity: .75; }}\n"
        f"@media (prefers-color-scheme: dark) {{ svg {{ color: {dark_ink}; }} .ground {{ fill: {dark_ground}; }} }}"
        f'</style>\n<rect class="ground" x="{-PADDING}" y="{-PADDING}" width="{width:g}" height="{full:.1f}" rx="6"/>\n'
    )
    size = f'viewBox="{-PADDING} {-PADDING} {width:g} {full:.1f}" width="{width:g}" height="{full:.1f}"'
    drawn = drawn.replace(box[0], size, 1)
    start, end = drawn.index(">") + 1, drawn.rindex("</svg>")
    return f"{drawn[:start]}\n{head}{drawn[start:end].strip()}\n{lines}\n</svg>\n"
