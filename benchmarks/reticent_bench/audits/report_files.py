"""Writes the report of an audit as HTML, Markdown, JSON and JUnit XML."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from reticent_bench.audits.report import Limit, Report, Table, cell_text, headline_table
from reticent_bench.audits.target import NOT_MEASURABLE
from reticent_bench.report.result import footer, table


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
    headline = headline_table(report)
    parts = [
        f"# {report.title}\n",
        *([] if report.complete else ["**Incomplete: the budget was spent before the end.**\n"]),
    ]
    parts += [_table(headline)] if headline.rows else []
    parts += [f"{sentence}\n" for sentence in report.sentences]
    for each in report.tables:
        parts += [f"## {each.title}\n", _table(each), *([f"{each.note}\n"] if each.note else [])]
    parts += [footer({"made_by": dict(report.provenance)}).lstrip()] if report.provenance else []
    return "\n".join(parts)


def _table(each: Table) -> str:
    return table(each.head, [[cell_text(cell) for cell in row] for row in each.rows])


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
            ElementTree.SubElement(case, "failure", message=message).text = cell_text(tuple(figure))
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
