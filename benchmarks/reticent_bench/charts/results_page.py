"""Writes the page of all results from the result files: heading, headline figure, command, date and commit of each.

Needs the standard library alone, since the site is built where no model can run.
"""

from __future__ import annotations

from pathlib import Path

from reticent_bench.charts.headlines import GROUPS, Headline, headline_of, sentence
from reticent_bench.charts.result_file import ResultFile, names
from reticent_detectors.errors import InputError

CHARTS = {
    "guard": ("leaks-real-models", "demo-llm", "leaks-demo-host", "demo"),
    "detector": ("auroc-token-score", "calibration-real-models"),
    "finder": ("finder-real-answers",),
    "cost": ("cost-a-token",),
}
"""The pictures at the top of each group."""
PARTS = {True: "Real models and their answers", False: "Demo hosts, random weights, made-up texts and tools"}
_HEAD = """# All results

Made from the files in `benchmarks/results` when the site is built. Each table is linked under its name, with its
headline figure, the command that made it, its date and its commit. Real models come first. All people are synthetic.
The most important ones, with what they mean: [Results](results.md). Which of them an older detector or finder made:
[What was measured](../benchmarks/README.md). Charts are of `reticent bench figures`.
"""


def results_page(results: Path, linked: str) -> str:
    """The page as Markdown.

    Args:
        results: folder of the result files and of `figures`.
        linked: its path from the page, for links.

    Raises:
        InputError: a file has no heading, does not say what made it, lacks a field, or is of no known sort.
    """
    entries = [(headline_of(name), ResultFile.read(results, name)) for name in names(results)]
    parts = [_HEAD]
    for group, title in GROUPS.items():
        parts.append(f"## {title}\n")
        parts += [_picture(results, linked, chart) for chart in CHARTS.get(group, ())]
        for real, part in PARTS.items():
            found = [entry for entry in entries if entry[0].group == group and entry[0].real == real]
            if found:
                parts.append(f"### {part}\n")
                parts += [_entry(row, source, linked) for row, source in found]
    return "\n".join(parts)


def _picture(results: Path, linked: str, chart: str) -> str:
    file = results / "figures" / f"{chart}.svg"
    if not file.is_file():
        raise InputError(f"{file} is missing; draw it with 'reticent bench figures' or 'reticent bench recording'.")
    title = file.read_text().partition("<title>")[2].partition("</title>")[0]
    return f"![{title}]({linked}/figures/{chart}.svg)\n"


def _entry(row: Headline, source: ResultFile, linked: str) -> str:
    command, date, commit = source.made
    return (
        f"**[{source.name}]({linked}/{source.name}.md)**: {source.heading}. "
        f"{sentence(row, source)}  \n`{command}`, {date}, commit {commit}\n"
    )
