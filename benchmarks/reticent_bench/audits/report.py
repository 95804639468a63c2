"""The report of an audit: sentences, tables, plots and headline figures, as HTML, Markdown, JSON and JUnit XML."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from reticent_bench.audits.target import NOT_MEASURABLE
from reticent_bench.report.metrics import Interval
from reticent_bench.report.result import footer, show, table
from reticent_detectors.errors import InputError


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
    """

    audit: str
    title: str
    sentences: tuple[str, ...]
    tables: tuple[Table, ...]
    plots: tuple[Plot, ...] = ()
    figures: Mapping[str, Interval | None] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)
    complete: bool = True


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


def exit_code(report: Report, limits: Sequence[Limit]) -> int:
    """0; 1 if a limit is exceeded; 3 if the audit is incomplete and no limit is exceeded yet."""
    if any(not limit.is_kept(report) and report.figures.get(limit.name) is not None for limit in limits):
        return 1
    return 0 if report.complete and all(limit.is_kept(report) for limit in limits) else 3


def write_report(folder: Path, report: Report, limits: Sequence[Limit] = ()) -> None:
    """Writes report.html, report.md, report.json and junit.xml."""
    from reticent_bench.audits.report_page import page

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.json").write_text(json.dumps(_finite(asdict(report)), indent=1) + "\n", encoding="utf-8")
    (folder / "report.html").write_text(page(report), encoding="utf-8")
    (folder / "report.md").write_text(markdown(report), encoding="utf-8")
    (folder / "junit.xml").write_text(junit(report, limits), encoding="utf-8")


def markdown(report: Report) -> str:
    """The report without its plots."""
    headline = [(name, NOT_MEASURABLE if value is None else tuple(value)) for name, value in report.figures.items()]
    parts = [
        f"# {report.title}\n",
        *([] if report.complete else ["**Incomplete: the budget was spent before the end.**\n"]),
    ]
    parts += [f"{sentence}\n" for sentence in report.sentences]
    parts.append(table(("figure", "value and 95 % interval"), headline))
    for each in report.tables:
        parts += [f"## {each.title}\n", table(each.head, each.rows), *([f"{each.note}\n"] if each.note else [])]
    parts += [footer({"made_by": dict(report.provenance)}).lstrip()] if report.provenance else []
    return "\n".join(parts)


def junit(report: Report, limits: Sequence[Limit] = ()) -> str:
    """JUnit XML: a test case for each headline figure, and one for completeness.

    A figure fails above its limit, and where it has a limit and was not measured.
    """
    by_name = {limit.name: limit for limit in limits}
    suite = ElementTree.Element("testsuite", name=f"reticent audit {report.audit}")
    failures = skipped = 0
    for name, figure in report.figures.items():
        case = ElementTree.SubElement(suite, "testcase", classname=report.audit, name=name)
        limit = by_name.get(name)
        if figure is None and limit is not None:
            failures += 1
            message = f"{NOT_MEASURABLE}, so the limit {limit.limit:g} is not kept"
            ElementTree.SubElement(case, "failure", message=message)
        elif figure is None:
            skipped += 1
            ElementTree.SubElement(case, "skipped", message=NOT_MEASURABLE)
        elif limit is not None and not limit.is_kept(report):
            failures += 1
            message = f"upper end {figure.high:.4f} is above the limit {limit.limit:g}"
            ElementTree.SubElement(case, "failure", message=message).text = show(tuple(figure))
    case = ElementTree.SubElement(suite, "testcase", classname=report.audit, name="complete")
    if not report.complete:
        failures += 1
        ElementTree.SubElement(case, "failure", message="the budget was spent before the end")
    suite.attrib.update(tests=str(len(report.figures) + 1), failures=str(failures), skipped=str(skipped), errors="0")
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _finite(value: Any) -> Any:
    """The same as JSON has it: numbers that are not finite become None."""
    if isinstance(value, Mapping):
        return {str(name): _finite(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
