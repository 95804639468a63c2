"""What the reports of all families share: how a cell is named, how it was tuned, and its place in a plot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reticent_bench.audits.report import Series, Table
from reticent_bench.audits.tuning.settings import METHODS, TuningSettings

READINGS = {
    f"{side}{name}": f"{words}, highest of the models tuned {how} differential privacy"
    for side, how in (("", "without"), ("private-", "with"))
    for name, words in (
        ("extraction-rate", "share of answers that begin with an inserted value"),
        ("exposure-rate", "share of repeated canaries that are likelier than every candidate not inserted"),
        ("exposure-rate-once", "the same of canaries that were inserted once"),
        ("membership-auc", "AUC of membership by the loss"),
    )
}
"""What a headline figure measures."""


def method_of(row: Mapping[str, Any]) -> str:
    """The way of tuning, or that there was none."""
    return str(row["method"])


def epsilon_of(row: Mapping[str, Any]) -> str:
    """Epsilon in a table."""
    return "∞" if row["epsilon"] is None else f"{row['epsilon']:g}"


def is_cell(row: Mapping[str, Any]) -> bool:
    """Whether a row is of a tuned model."""
    return row["method"] in METHODS


def tuning_table(rows: Sequence[Mapping[str, Any]], settings: TuningSettings) -> Table:
    """How each cell was tuned."""
    head = (
        "tuning",
        "epsilon",
        "trained parameters",
        "learning rate",
        "texts",
        "sampling rate",
        "steps",
        "noise multiplier",
        "gradients",
    )
    lines = tuple(
        (
            method_of(row), epsilon_of(row), row["trained"], f"{settings.rates[row['method']]:g}", row["texts"],
            f"{row['sample_rate']:.4f}", row["steps"],
            "none" if row["noise_multiplier"] is None else f"{row['noise_multiplier']:.3f}", row["route"] or "batch",
        )
        for row in rows
        if is_cell(row)
    )  # fmt: skip
    note = (
        f"AdamW, {settings.epochs} epochs, Poisson sampling. With differential privacy: delta {settings.delta:g}, clip "
        f"{settings.clip:g}, and tied embeddings are frozen. The noise multiplier is that of Opacus' PRV accountant."
    )
    return Table("Tuning", head, lines, note)


def data_table(blind: Mapping[str, Any]) -> Table:
    """The blind classifier."""
    note = "The blind classifier sees the documents without a model. Where it is biased, the AUCs say nothing."
    rows = (("AUC of the blind text classifier", tuple(blind["auc"])), ("verdict on the documents", blind["verdict"]))
    return Table("Data", ("what", "value"), rows, note)


def series(rows: Sequence[Mapping[str, Any]], figure: Any) -> list[Series]:
    """A line over 1 / epsilon for each way of tuning, of a figure of a row."""
    out = []
    for method in METHODS:
        points = sorted(
            (place_of(row), figure(row)[0]) for row in rows if row["method"] == method and figure(row) is not None
        )
        if points:
            x, y = zip(*points, strict=True)
            out.append(Series(method, tuple(x), tuple(y), points=len(points) == 1))
    return out


def place_of(row: Mapping[str, Any]) -> float:
    """1 / epsilon; 0 without differential privacy."""
    return 0.0 if row["epsilon"] is None else 1 / float(row["epsilon"])
