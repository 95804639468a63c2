"""The report of a matrix of encoders: accuracy beside membership."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reticent_bench.audits.report import Plot, Report, Table, read_figures
from reticent_bench.audits.tuning.report_parts import (
    READINGS,
    data_table,
    epsilon_of,
    is_cell,
    method_of,
    series,
    tuning_table,
)
from reticent_bench.audits.tuning.settings import TuningSettings
from reticent_bench.report.metrics import Interval

SENTENCES = (
    "An encoder is tuned to classify texts, without differential privacy and with it. A random half of the texts are "
    "members, and the others are held out.",
    "**Membership** tells members from held-out texts by the loss of their class. "
    "Differential privacy bounds it for every attack. A guard on outputs does not: a classifier writes no text.",
    "The attack by the loss needs no other model. `reticent bench lira` trains shadow models of the same recipe.",
    "An accountant's epsilon is an upper bound. Attacks that fail do not show that nothing leaks.",
)


def make_report(found: Mapping[str, Any], settings: TuningSettings) -> Report:
    """Tables, a plot, and headline figures: the highest AUC with and without privacy."""
    rows = found["rows"]
    tables = (_matrix(rows), tuning_table(rows, settings), data_table(found["blind"]))
    points = series(rows, lambda row: row["membership"]["loss"]["auc"])
    plots = (
        (Plot("Membership by loss", "1 / epsilon (0: no differential privacy)", "AUC", tuple(points)),)
        if points
        else ()
    )
    figures = dict(_figures(rows))
    readings = read_figures(figures, READINGS)
    return Report("tuning", "Tuning matrix of an encoder", SENTENCES, tables, plots, figures, readings=readings)


def _matrix(rows: Sequence[Mapping[str, Any]]) -> Table:
    head = ("tuning", "epsilon", "accuracy, held-out", "accuracy, members", "AUC by loss", "TPR at 1 % FPR")
    lines = []
    for row in rows:
        loss = row["membership"]["loss"]
        rate = loss["tpr_at_1_percent"]
        lines.append(
            (
                method_of(row), epsilon_of(row), tuple(row["accuracy"]), tuple(row["accuracy_members"]),
                tuple(loss["auc"]), "not resolvable" if rate is None else tuple(rate),
            )
        )  # fmt: skip
    note = (
        "95 % intervals: Clopper-Pearson for accuracy, a bootstrap over texts for the attack. "
        "An AUC of 0.5 is guessing. Before tuning the head has random weights; in infilling it is the model's own. "
        "A rate of 1 % needs 100 held-out texts."
    )
    return Table("Utility and privacy", head, tuple(lines), note)


def _figures(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, Interval | None]]:
    """By name: the cell with the highest upper end."""
    cells = [row for row in rows if is_cell(row)]
    for name, is_private in (("membership-auc", False), ("private-membership-auc", True)):
        found = [row["membership"]["loss"]["auc"] for row in cells if (row["epsilon"] is not None) == is_private]
        yield name, Interval(*max(found, key=lambda each: each[2])) if found else None
