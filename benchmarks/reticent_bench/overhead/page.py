"""The page of `reticent bench overhead`, in Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reticent_bench.report.parts import JsonRow
from reticent_bench.report.result import table

_CHECKPOINT = (
    "## A real checkpoint\n\n"
    "Real `generate`, greedy, forced to say the same with and without the guard, in turns; "
    "added: the share of the model's own time, median, least and most over the pairs. "
    "The verdict: from a step's token to what is decided about the value, in decoding steps of the model alone. "
    "The detector's range of doubt is set so that the value is read again under other names, or not.\n\n"
)
_CHECKPOINT_COLUMNS = {
    "model": "model",
    "answer": "sort",
    "tokens": "tokens",
    "step ms": "step ms",
    "added share": "added share",
    "spans": "spans",
    "second looks": "second looks",
    "verdict steps, p50": "verdict steps, p50",
    "p95": "verdict steps, p95",
}
_HOSTS = (
    "## Hosts of random weights\n\n"
    "Real `generate`, greedy, with and without the guard in turns; added per output token, median, least and most over "
    "the pairs. The verdict: from a step's tokens to what is decided about a span that one of them makes final; "
    "overlapped, the guard gets a step's tokens a step later, and its verdict waits for the pass under way.\n\n"
)
_HOSTS_COLUMNS = {
    "host": "host",
    "mode": "mode",
    "batch": "batch",
    "load": "load",
    "span tokens": "span tokens",
    "host ms/token": "host ms per token",
    "added ms/token": "added ms per token",
    "added share": "added share",
    "spans": "spans",
    "verdict ms, p50": "verdict ms, p50",
    "p99": "verdict ms, p99",
}
_GRAPHS = (
    "## The scoring path in a CUDA graph\n\n"
    "Replayed with three other inputs, compared bit for bit with the same without a graph. Medians of 30.\n\n"
)
_CAPTURE = (
    "## Capture, us per token and layer\n\n"
    "Median, 20 and 80 % quantiles. Hooks: the layers alone; step: with the logits and what is kept of them.\n\n"
)


def render(figures: Mapping[str, Any]) -> str:
    """The page: a section for each part that was measured, and what was not measured."""
    text = f"# What the guard costs\n\nMeasured on: {figures['device']}.\n\n"
    if rows := figures.get("own"):
        text += _own(rows)
    if rows := figures.get("model"):
        text += _CHECKPOINT + _columns(_CHECKPOINT_COLUMNS, rows)
    if rows := figures.get("hosts"):
        shown = [row | {"span tokens": f"{row['span tokens']:.1%}"} for row in rows]
        text += _HOSTS + _columns(_HOSTS_COLUMNS, shown)
    if rows := figures.get("graphs"):
        text += _GRAPHS + _all_columns(rows)
    if rows := figures.get("capture"):
        text += _CAPTURE + _all_columns(rows)
    if figures["missing"]:
        text += "## Not measured\n\n" + "".join(f"- {line}\n" for line in figures["missing"])
    return text


def _own(rows: Sequence[JsonRow]) -> str:
    """A section for each part of a host of one's own."""
    text = ""
    for part in dict.fromkeys(row["part"] for row in rows):
        cells = [[row["figure"], row["value"]] for row in rows if row["part"] == part]
        text += f"## {part.capitalize()}, no span\n\n" + table(["figure", "value"], cells) + "\n"
    return text


def _columns(keys: Mapping[str, str], rows: Sequence[JsonRow]) -> str:
    """A table with a column for each heading of `keys`; the added share is median, least and most together."""
    shown = [
        row | {"added share": tuple(row[f"added share{which}"] for which in ("", ", least", ", most"))} for row in rows
    ]
    return table(list(keys), [[row[key] for key in keys.values()] for row in shown]) + "\n"


def _all_columns(rows: Sequence[JsonRow]) -> str:
    """A table of all figures of the rows."""
    return table(list(rows[0]), [list(row.values()) for row in rows]) + "\n"
