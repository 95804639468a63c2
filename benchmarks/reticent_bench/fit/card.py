"""Writes what a fit did, for its card and for the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reticent_bench.fit.held_out import Stopped, lines
from reticent_bench.fit.settings import FitSettings
from reticent_bench.report.result import table as markdown
from reticent_detectors.bundle.card import make_card
from reticent_detectors.bundle.format import Bundle

HEADS = ("detector", "threshold for", "remembered values stopped", "made-up values stopped")


def fit_card(settings: FitSettings, fitted: Bundle, figures: Mapping[str, Any]) -> str:
    """Makes CARD.md: what was done, what the detector reads, what it did on held-out people; then its usual card."""
    head, _, rest = make_card(fitted.manifest).partition("\n## ")
    return "\n".join(
        [
            head,
            "## How it was made",
            "",
            _made(settings, fitted),
            "",
            "## What it reads",
            "",
            _reads(settings, fitted),
            "",
            "## On people who were held out",
            "",
            about(figures),
            "",
            markdown(HEADS, [_cells(row) for row in lines(figures)]),
            f"## {rest}",
        ]
    )


def about(figures: Mapping[str, Any]) -> str:
    """Return a sentence on what the table of held-out people is of."""
    return (
        f"What the copy said of {figures['people']} people whom it was taught and no detector saw, and made up about "
        f"them and about strangers: {figures['remembered']} remembered values, {figures['made up']} made-up ones. "
        "Thresholds are those for the copy. 95 % intervals, as if the values were independent. 'reticent bench "
        "calibrated-rates' measures how often the thresholds for your model stop what it makes up."
    )


def terminal_table(figures: Mapping[str, Any]) -> str:
    """Writes the same table in columns."""
    rows = [HEADS, *(_cells(row) for row in lines(figures))]
    widths = [max(len(row[at]) for row in rows) for at in range(len(HEADS))]
    return "\n".join("  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows)


def python_line(settings: FitSettings, out: object) -> str:
    """Writes the line of Python that puts the bundle around the model."""
    base = "" if settings.base is None else f", base={str(settings.base)!r}"
    return f"guard = reticent.Guard.load({str(out)!r}).wrap(model, tokenizer{base})"


def _cells(row: tuple[str, str, Stopped, Stopped]) -> tuple[str, str, str, str]:
    name, rate, remembered, made_up = row
    return name, rate.replace("%", " %"), _share(remembered), _share(made_up)


def _share(stopped: Stopped) -> str:
    if not stopped.values:
        return "none were said"
    value, low, high = (100 * part for part in stopped.interval)
    return f"{stopped.hits} of {stopped.values}: {value:.0f} % ({low:.0f} to {high:.0f})"


def _made(settings: FitSettings, fitted: Bundle) -> str:
    quality = fitted.manifest["quality"]
    known = quality["values in the records"]
    moved = "The thresholds were moved" if known is None else "The thresholds were set"
    by = "" if known is None else f", where an index of {known} recorded values does not hold them"
    return (
        f"`reticent fit --arm {settings.arm}` taught a copy of the model {settings.taught} made-up people "
        f"({settings.epochs} epochs, learning rate {settings.learning_rate:g}) and learned from what the copy said. "
        f"{moved} by {quality['values said of strangers']} values that the model itself said of people who do not "
        f"exist{by}. Seed {settings.seed}, number type {settings.dtype}."
    )


def _reads(settings: FitSettings, fitted: Bundle) -> str:
    if settings.arm == "token":
        return (
            "How likely the model found the value's tokens (mean, greatest, sum, least), and the base, where the guard "
            "asks one; their number, and the group of the kind. It reads no inner layer, so it judges before a server "
            "that tells log-probabilities as well."
        )
    return (
        f"The logit lens at all {fitted.shapes['topk_prob'][0]} layers, where the value's first token was predicted: "
        "probabilities of the likeliest tokens, cosines of their embeddings between layers and within them; and the "
        "probabilities of the value's tokens. It needs hidden states: around the model in the process, in a shadow, or "
        "in vLLM's worker. It reads no base."
    )
