"""What a chart shows: rows of marks with intervals over one axis."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from reticent_bench.charts.result_file import ResultFile


@dataclass(frozen=True, slots=True)
class Mark:
    """A figure with the ends of its interval, and the series that it belongs to."""

    series: str
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Row:
    """The marks of one label, below each other."""

    label: str
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Rows under a heading; `lines` are values that the axis is marked at beside these rows."""

    heading: str
    rows: tuple[Row, ...]
    lines: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart and the files that its numbers come from.

    Attributes:
        name: of the SVG file, without its ending.
        title: what is shown of what.
        axis: what the horizontal axis measures, with its unit.
        bars: what the error bars are.
        groups: real models first.
        sources: result files.
        shares: values are shares, and are written in percent; else they are scores.
        log: the axis is logarithmic.
    """

    name: str
    title: str
    axis: str
    bars: str
    groups: tuple[Group, ...]
    sources: tuple[ResultFile, ...]
    shares: bool = True
    log: bool = False

    @property
    def series(self) -> list[str]:
        """The names of the series, in the order of their first marks."""
        return list(dict.fromkeys(mark.series for row in self.rows() for mark in row.marks))

    def rows(self) -> Iterator[Row]:
        """All rows from top to bottom."""
        for group in self.groups:
            yield from group.rows

    def written(self, mark: Mark) -> str:
        """A mark's value and interval as the chart prints them."""
        return in_percent(mark.value, mark.low, mark.high) if self.shares else score(mark.value, mark.low, mark.high)

    def in_words(self) -> str:
        """The chart as text, for readers who do not see it."""
        lines = [f"{self.axis}. Intervals: {self.bars}."]
        for group in self.groups:
            lines.append(f"{group.heading}.")
            for row in group.rows:
                marks = "; ".join(f"{mark.series} {self.written(mark)}" for mark in row.marks)
                lines.append(f"{row.label}: {marks}.")
        return " ".join([*lines, *map(made_by, self.sources)])


def in_percent(value: float, low: float, high: float) -> str:
    """A share and its interval in percent, with one decimal."""
    return f"{_signed(100 * value)} % ({_signed(100 * low)} to {_signed(100 * high)})"


def score(value: float, low: float, high: float) -> str:
    """A score and its interval, with three decimals."""
    return f"{value:.3f} ({low:.3f} to {high:.3f})"


def made_by(source: ResultFile) -> str:
    """The file, date, commit and command of a source."""
    command, date, commit = source.made
    return f"benchmarks/results/{source.name}.json, {date}, commit {commit}: {command.replace('` and `', ' and ')}"


def _signed(number: float) -> str:
    text = f"{number:.1f}"
    return "0.0" if text == "-0.0" else text
