"""The report of an audit: sentences, tables, plots and headline figures, and the limits of these."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reticent_bench.audits.options import ON
from reticent_bench.audits.target import NOT_MEASURABLE
from reticent_bench.report.metrics import Interval
from reticent_bench.report.result import show
from reticent_detectors.errors import InputError

NOT_MEASURED = "not measured"
"""What a page shows of a figure without a value, such as a share of nothing."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a report. A cell that was not measured holds `NOT_MEASURABLE`, never 0."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Series:
    """A line of a plot: places, values, and the ends of their intervals where there are any."""

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    points: bool = False
    """Draws points that no line joins."""


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot of a report: one or more series over the same axes."""

    title: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """What an audit found.

    Attributes:
        audit: its name.
        title: of the page.
        sentences: what the audit tells, and what it does not, in plain words.
        tables, plots: in their order on the page.
        figures: headline figures by name, as a share or a score with its 95 % interval. Greater means that more leaks.
            None means that the target does not let it be measured.
        provenance: command, seed, machine and versions, of `result.provenance`.
        complete: false if the budget was spent before the end.
        readings: what a headline figure measures, in plain words, by its name.
    """

    audit: str
    title: str
    sentences: tuple[str, ...]
    tables: tuple[Table, ...]
    plots: tuple[Plot, ...] = ()
    figures: Mapping[str, Interval | None] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)
    complete: bool = True
    readings: Mapping[str, str] = field(default_factory=dict)


def cell_text(cell: Any) -> str:
    """A cell of a report as its reader sees it: numbers with three decimals, words where there is no number."""
    numbers = cell if isinstance(cell, tuple) else (cell,)
    if cell is None or (isinstance(numbers[0], float) and math.isnan(numbers[0])):
        return NOT_MEASURED
    if not isinstance(numbers[0], float):
        return show(cell)
    text = show(numbers[0] if any(math.isnan(number) for number in numbers) else cell)
    return re.sub(r"-(?=0\.0+\b)", "", text).replace("inf", "∞")


def read_figures(names: Iterable[str], words: Mapping[str, str]) -> dict[str, str]:
    """What each headline figure measures.

    Args:
        names: of the figures.
        words: by name. A key that ends in `*` stands for all names with that beginning, and the rest of the name takes
            the place of `*` in the words. Earlier keys come first.
    """
    found = {}
    for name in names:
        for key, reading in words.items():
            start = key.removesuffix("*")
            if name == key or (key != start and name.startswith(start)):
                found[name] = reading.replace("*", name[len(start) :].replace("-", " "))
                break
    return found


def headline_table(report: Report) -> Table:
    """The headline figures: what each measures, its value, and its name, which `--fail-above` takes."""
    rows = tuple(
        (
            report.readings.get(name, name.replace("-", " ")),
            NOT_MEASURABLE if value is None else tuple(value),
            name,
        )
        for name, value in report.figures.items()
    )
    return Table("What was found", ("figure", "value and 95 % interval", "name"), rows)


@dataclass(frozen=True, slots=True)
class Limit:
    """What `--fail-above NAME=LIMIT` asks: the upper end of a figure's interval is at most the limit."""

    name: str
    limit: float

    @classmethod
    def parse(cls, text: str, names: Sequence[str]) -> Limit:
        """Reads NAME=LIMIT.

        Raises:
            InputError: the audit has no such figure, or the limit is no number.
        """
        name, sign, limit = text.partition("=")
        if name not in names:
            raise InputError(
                f"--fail-above: this audit has no figure of that name; expected one of {', '.join(names)}."
            )
        try:
            value = float(limit)
        except ValueError:
            value = math.nan
        if not sign or not math.isfinite(value):
            raise InputError(f"--fail-above: expected NAME=LIMIT with a number, such as {name}=0.02.")
        return cls(name, value)

    def is_kept(self, report: Report) -> bool:
        """Whether the figure's upper end is at most the limit. What was not measured keeps no limit."""
        figure = report.figures.get(self.name)
        return figure is not None and math.isfinite(figure.high) and figure.high <= self.limit


def of_column(figure: str, column: str) -> str:
    """The name of a guarded column's figure. That of the column `on` has no ending."""
    return figure if column == ON else f"{figure}-{column}"


def exit_code(report: Report, limits: Sequence[Limit]) -> int:
    """0; 1 if a limit is exceeded; 3 if the audit is incomplete and no limit is exceeded yet."""
    if any(not limit.is_kept(report) and report.figures.get(limit.name) is not None for limit in limits):
        return 1
    return 0 if report.complete and all(limit.is_kept(report) for limit in limits) else 3
