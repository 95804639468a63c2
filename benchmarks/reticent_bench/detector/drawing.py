"""Draws the figures of the detector's page as SVG from the numbers of `detector.curves`.

The same numbers give the same bytes. Text stays text. Ink takes the colour of the page, so figures can be read on
light and on dark pages. The other colours are those of Okabe and Ito, cividis and PuOr, which colour-blind readers can
tell apart.
"""

from __future__ import annotations

import html
import io
import re
from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any

import numpy as np

from reticent_bench.detector.curves import BINS, HISTOGRAM
from reticent_detectors.errors import MissingExtra

try:
    import matplotlib
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator, PercentFormatter, StrMethodFormatter
except ImportError:  # pragma: no cover - the extra is installed where tests run
    raise MissingExtra("matplotlib", "train") from None

INK = "#010203"
"""Colour that `currentColor` replaces."""
KEPT = "data-"
"""Beginning of the ids that `svg` keeps, so that a mark can be found in the figure."""
MUTED = "#888888"
BLUE, RED = "#0072B2", "#D55E00"
SERIES: list[tuple[str, Any]] = [
    (BLUE, "-"), (RED, "-"), (INK, "--"), ("#009E73", "-."), ("#CC79A7", ":"), ("#E69F00", (0, (5, 1, 1, 1))),
]  # fmt: skip
CLASSES = {"remembered": SERIES[0], "made up": SERIES[1]}
SIZE = (4.2, 3.6)
LEVELS = 24
"""Levels of colour: fewer than those from which matplotlib draws pixels."""
STYLE: Any = {
    "svg.fonttype": "none",
    "text.parse_math": False,
    "font.size": 9,
    "font.family": ["DejaVu Sans", "sans-serif"],
    "axes.titlesize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "figure.constrained_layout.use": True,
    **dict.fromkeys(
        ("text.color", "axes.edgecolor", "axes.labelcolor", "axes.titlecolor", "xtick.color", "ytick.color"), INK
    ),
}
PLAIN = StrMethodFormatter("{x:g}")
Matrix = Sequence[Sequence[float | None]]


def svg(figure: Figure, title: str) -> str:
    """Returns the figure as an element for a page, without prologue, outside references and unused ids."""
    stream = io.StringIO()
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    with matplotlib.rc_context(STYLE | {"svg.hashsalt": title}):
        figure.savefig(stream, format="svg", transparent=True, metadata=nothing)
    text = stream.getvalue()
    text = text[text.index("<svg ") :].replace(INK, "currentColor").replace("xlink:href", "href")
    text = re.sub(r"<style.*?</style>", "", text, flags=re.S)
    used = set(re.findall(r"#([\w.-]+)", text))
    text = re.sub(r' id="([^"]*)"', lambda id: id[0] if id[1] in used or id[1].startswith(KEPT) else "", text)
    # Hundredths of a point are enough; they make the page a fifth smaller.
    text = re.sub(r"<[^>]*>", lambda tag: re.sub(r"(\.\d\d)\d+", r"\1", " ".join(tag[0].split())), text)
    text = re.sub(r">\s+<", ">\n<", text)
    box = re.search(r'viewBox="[^"]*"', text)
    assert box is not None
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {box[0]} role="img" aria-label="{html.escape(title)}">'
    return re.sub(r"<svg [^>]*>", lambda _: head, text, count=1).strip()


@matplotlib.rc_context(STYLE)
def axes(title: str, rows: int = 1, size: tuple[float, float] = SIZE, **options: Any) -> tuple[Figure, list[Axes]]:
    """Makes a figure with a title and axes below each other."""
    figure = Figure(figsize=size)
    figure.suptitle(title, fontsize=10)
    return figure, list(figure.subplots(rows, 1, squeeze=False, **options)[:, 0])


def legend(figure: Figure, ax: Axes) -> None:
    """Places the legend below the axes, where it hides nothing."""
    handles, labels = ax.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2)


@matplotlib.rc_context(STYLE)
def roc(title: str, rates: Sequence[float], recalls: Mapping[str, Sequence[float]], scale: str = "linear") -> str:
    """Draws recall by false-positive rate; the scale "log" enlarges low rates."""
    figure, (ax,) = axes(title)
    shown = np.array(rates) > (0 if scale == "log" else -1)
    across = np.array(rates)[shown]
    for (name, values), (colour, line) in zip(recalls.items(), SERIES, strict=False):
        ax.plot(across, np.array(values)[shown], color=colour, linestyle=line, label=name)
    ax.plot(across, across, color=MUTED, linewidth=0.7)
    ax.set(xscale=scale, xlim=(across[0], 1), ylim=(0, 1.01), ylabel="recall")
    ax.set_xlabel("false positives, share of the negatives" + ", log" * (scale == "log"))
    ax.grid(color=MUTED, alpha=0.25)
    if scale == "log":
        ax.xaxis.set_major_formatter(PLAIN)
    legend(figure, ax)
    return svg(figure, title)


@matplotlib.rc_context(STYLE)
def reliability(title: str, bundles: Mapping[str, Mapping[str, Any]]) -> str:
    """Draws the remembered share by probability, with each bin's rows below."""
    figure, (ax, below) = axes(title, 2, (4.2, 4.6), sharex=True, height_ratios=(3, 1))
    ax.plot([0, 1], [0, 1], color=MUTED, linewidth=0.7)
    edges = np.linspace(0, 1, BINS + 1)
    for (name, figures), (colour, line) in zip(bundles.items(), cycle(SERIES), strict=False):
        said, observed = _floats(figures["probability"]), _floats(figures["remembered"])
        there = np.isfinite(said)
        label = f"{name} (error {figures['error']:.3f})"
        ax.plot(said[there], observed[there], color=colour, linestyle=line, marker="o", markersize=3.5, label=label)
        below.stairs(_floats(figures["rows"]), edges, color=colour, linestyle=line)
    ax.set(ylabel="share remembered", ylim=(-0.02, 1.02), xlim=(0, 1))
    below.set(xlabel="probability that the detector said", ylabel="rows (log)", yscale="symlog", ylim=(0, None))
    below.yaxis.set_major_formatter(PLAIN)
    legend(figure, ax)
    return svg(figure, title)


@matplotlib.rc_context(STYLE)
def distributions(title: str, classes: Mapping[str, Mapping[str, Any]]) -> str:
    """Draws a histogram for each class, below each other."""
    figure, rows = axes(title, len(classes), (4.2, 0.7 + 1.05 * len(classes)), sharex=True, sharey=True)
    edges = np.linspace(0, 1, HISTOGRAM + 1)
    for ax, (label, figures) in zip(rows, classes.items(), strict=True):
        colour = BLUE if label in ("memorized", "misattributed") else RED
        ax.stairs(np.nan_to_num(_floats(figures["shares"])), edges, color=colour, fill=True, alpha=0.8)
        ax.set_title(f"{label}, {figures['rows']} rows", fontsize=9, loc="left")
        ax.set(xlim=(0, 1))
        ax.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    rows[-1].set_xlabel("probability of ours; share of the class's rows in each bin")
    return svg(figure, title)


@matplotlib.rc_context(STYLE)
def heat(
    title: str, cells: Matrix, x: tuple[str, Sequence[str]], y: tuple[str, Sequence[str]], bar: str,
    *, low: float, high: float, numbers: bool = False, size: tuple[float, float] = SIZE, upwards: bool = True,
) -> str:  # fmt: skip
    """Draws a heat map.

    Args:
        title: of the figure.
        cells: [rows, columns]; None is left blank.
        x: name of the axis and its labels.
        y: as `x`.
        bar: label of the colour bar.
        low: value of the first colour.
        high: value of the last colour. If it is -low, colours show the sign.
        numbers: write each value into its cell.
        size: width and height in inches.
        upwards: draw the first row lowest.
    """
    figure, (ax,) = axes(title, size=size)
    colours = matplotlib.colormaps["PuOr" if low == -high else "cividis"].resampled(LEVELS)
    values = np.array([[np.nan if cell is None else cell for cell in row] for row in cells], dtype=float)
    grid = ax.pcolormesh(np.ma.masked_invalid(values), cmap=colours, vmin=low, vmax=high)
    for axis, (name, labels) in ((ax.xaxis, x), (ax.yaxis, y)):
        step = 1 if numbers else -(-len(labels) // 16)
        axis.set_ticks(np.arange(0, len(labels), step) + 0.5, labels[::step])
        axis.set_label_text(name)
        axis.set_tick_params(length=0)
    if numbers:
        ax.tick_params(axis="x", rotation=90)
    if not upwards:
        ax.invert_yaxis()
    for (row, column), value in np.ndenumerate(values if numbers else values[:0]):
        shade = colours((value - low) / (high - low))[:3] if np.isfinite(value) else None
        ink = INK if shade is None else "#000000" if np.dot(shade, (0.299, 0.587, 0.114)) > 0.5 else "#ffffff"
        text = "–" if shade is None else f"{value:.2f}"
        ax.text(column + 0.5, row + 0.5, text, ha="center", va="center", fontsize=7.5, color=ink)
    figure.colorbar(grid, ax=ax, label=bar)
    return svg(figure, title)


@matplotlib.rc_context(STYLE)
def lines(title: str, groups: Mapping[str, Mapping[str, Sequence[float]]], x: tuple[str, Sequence[str]], y: str) -> str:
    """Draws means of both classes by layer, with another mark for each group."""
    figure, (ax,) = axes(title)
    for (group, means), mark, line in zip(groups.items(), "os^v", ("-", "--", ":", "-."), strict=False):
        for label, (colour, _) in CLASSES.items():
            places = np.arange(len(means[label]))
            ax.plot(
                places,
                means[label],
                color=colour,
                marker=mark,
                markersize=3.5,
                linestyle=line,
                label=f"{label}, {group}",
            )
    step = -(-len(x[1]) // 16)
    ax.set_xticks(range(0, len(x[1]), step), x[1][::step])
    ax.set(xlabel=x[0], ylabel=y)
    ax.grid(color=MUTED, alpha=0.25)
    legend(figure, ax)
    return svg(figure, title)


@matplotlib.rc_context(STYLE)
def bands(title: str, classes: Mapping[str, Sequence[Sequence[float]]], y: str) -> str:
    """Draws median and quartiles [L, 3] of both classes by layer, counted from 1."""
    figure, (ax,) = axes(title)
    for label, (colour, line) in CLASSES.items():
        low, middle, high = np.array(classes[label]).T
        places = np.arange(1, len(middle) + 1)
        ax.fill_between(places, low, high, color=colour, alpha=0.22, linewidth=0)
        ax.plot(
            places, middle, color=colour, linestyle=line, marker="os"[label == "made up"], markersize=3.5, label=label
        )
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set(xlabel="layer", ylabel=y)
    ax.grid(color=MUTED, alpha=0.25)
    legend(figure, ax)
    return svg(figure, title)


def _floats(values: Sequence[float | None]) -> Any:
    return np.array([np.nan if value is None else value for value in values], dtype=float)
