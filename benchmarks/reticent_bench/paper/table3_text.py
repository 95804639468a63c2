"""How Table 3 reads: a headline that names whoever is not beaten, then the parts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from reticent_bench.paper import published
from reticent_bench.paper.lines import cell, signed
from reticent_bench.paper.scores import ACCURACY, AUROC
from reticent_bench.paper.variants import OURS
from reticent_bench.result import table

ROOM_HEADS = {
    "closed": "share closed of the distance to AUROC 1.0",
    "misses": "misses at 5 % false positives, re-implemented",
    "misses of ours": "ours",
    "cut by": "cut by",
}
AVERAGE = "average"


def headline(figures: Mapping[str, Any]) -> str:
    """Every host, part and rival where the interval of ours minus it does not lie above zero."""
    if not figures["parts"]:
        return "Nothing is compared: no part has rows of both classes."
    behind, level = list[str](), list[str]()
    for part, by in figures["parts"].items():
        for host, row in by["hosts"].items():
            for rival, metrics in row["differences"].items():
                for metric, (value, low, high) in metrics.items():
                    if not low > 0:
                        told = f"{rival} on {host}, {part}, {metric} ({signed((value, low, high)) or 'not defined'})"
                        (level if value > 0 else behind).append(told)
    if not behind and not level:
        text = "Ours is first on every host and part, in balanced accuracy and AUROC; all intervals lie above zero."
    else:
        text = f"**Ours is NOT ahead of:** {'; '.join(behind) or 'none'}. "
        text += f"**Ahead, but by an interval that holds zero:** {'; '.join(level) or 'none'}."
    if without := [host for host, missing in figures["missing"].items() if missing]:
        text += f" Collected without the baselines' features: {', '.join(without)}; only detectors and token scores stand there."
    return text + _room(figures)


def _room(figures: Mapping[str, Any]) -> str:
    told = []
    for part, by in figures["parts"].items():
        name, row = (AVERAGE, by["average"]) if by["average"] else next(iter(by["hosts"].items()))
        room = row["room"]
        told.append(f"{part} ({name}) {_percent(room['closed'])} and {_percent(room['cut by'])}")
    return (
        " **Ours closes the re-implemented detector's distance to AUROC 1.0, and cuts its misses at 5 % false positives, by:** "
        f"{'; '.join(told)}."
    )


def render(figures: Mapping[str, Any]) -> str:
    """Markdown: for each part the figures, ours minus each, and what ours leaves of the re-implemented detector's errors."""
    text = headline(figures) + "\n"
    for part, by in figures["parts"].items():
        rows = {**by["hosts"], **({AVERAGE: by["average"]} if by["average"] else {})}
        counts = "; ".join(f"{host} {row['remembered']} and {row['not']}" for host, row in by["hosts"].items())
        text += f"\n### {part}\n\nRemembered and not: {counts}.\n"
        names = list(dict.fromkeys(name for row in rows.values() for name in row["methods"]))
        for metric in (ACCURACY, AUROC):
            text += f"\n{metric.capitalize()}:\n\n"
            text += table(
                ["method", *rows],
                [[name, *[_figure(row["methods"].get(name), metric) for row in rows.values()]] for name in names],
            )
            text += f"\nOurs minus it, {metric}, 95 % paired bootstrap over people:\n\n"
            text += table(
                ["method", *rows],
                [
                    [name, *[signed(row["differences"].get(name, {}).get(metric)) for row in rows.values()]]
                    for name in names
                    if name != OURS
                ],
            )
        text += "\nWhat ours leaves of the re-implemented detector's errors:\n\n"
        text += table(
            ["host", *ROOM_HEADS.values()],
            [[host, *[_percent(row["room"][key]) for key in ROOM_HEADS]] for host, row in rows.items()],
        )
    return text + _settings(figures) + _published(figures)


def _published(figures: Mapping[str, Any]) -> str:
    text = "\n### The paper's own numbers\n"
    shown = [name for name in published.MODELS if name in figures["hosts"].values()]
    places = [published.column(name) for name in shown]
    for metric, by in published.TABLE_3.items():
        text += f"\n{metric.capitalize()}:\n\n"
        text += table(
            ["paper, method", *[f"paper, {published.MODELS[name]}" for name in shown], "paper, average of five"],
            [[name, *[values[place] for place in places], values[-1]] for name, values in by.items()],
        )
    return text


def _settings(figures: Mapping[str, Any]) -> str:
    rows = [
        [host, name, setting or None, reached, count]
        for host, by in figures["settings"].items()
        for name, (setting, reached, count) in by.items()
    ]
    if not rows:
        return ""
    head = ["host", "baseline", "setting", "validation AUROC", "validation rows"]
    return "\n### Baselines' settings, chosen on validation rows\n\n" + table(head, rows)


def _figure(by: Mapping[str, Any] | None, metric: str) -> Any:
    if by is None:
        return None
    figure = by[metric]
    return figure if isinstance(figure, float) else cell(figure)


def _percent(interval: Sequence[float]) -> str | None:
    if math.isnan(interval[0]):
        return None
    value, low, high = (100 * end for end in interval)
    return f"{value:.1f} % [{low:.1f}, {high:.1f}]"
