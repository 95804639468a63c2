"""How Table 3 reads: a headline for the whole page that names whoever is not beaten, and the parts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from reticent_bench.paper import published
from reticent_bench.paper.lines import cell, signed
from reticent_bench.paper.scores import ACCURACY, AUROC, HEADS
from reticent_bench.paper.variants import OURS
from reticent_bench.report.result import table

ROOM_HEADS = {
    "closed": "share closed of the distance to AUROC 1.0",
    "misses": "misses at 5 % false positives, re-implemented",
    "misses of ours": "ours",
    "cut by": "cut by",
}
AVERAGE = "average"


def headline(figures: Mapping[str, Any]) -> str:
    """Counts where the interval of ours minus a rival is not above zero, then names every such host, part and rival."""
    if not figures["parts"]:
        return "Nothing is compared: no part has rows of both classes."
    sentences = list[str]()
    behind = level = count = 0
    for part, by in figures["parts"].items():
        for metric in HEADS:
            lost, near = list[str](), list[str]()
            for host, row in by["hosts"].items():
                for rival, metrics in row["differences"].items():
                    value, low, high = metrics[metric]
                    count += 1
                    if not low > 0:
                        apart = signed((value, low, high)) or "not defined"
                        (near if value > 0 else lost).append(f"{rival} on {host} ({apart})")
            behind, level = behind + len(lost), level + len(near)
            said = [f"not ahead of {'; '.join(lost)}"] if lost else []
            said += [f"ahead by an interval that holds zero of {'; '.join(near)}"] if near else []
            sentences += [f"- {part}, {HEADS[metric]}: {'. And '.join(said)}.\n"] if said else []
    text = (
        f"**Ours is not ahead in {behind} of {count} comparisons, and ahead by an interval that holds zero in "
        f"{level}.**"
    )
    if not sentences:
        text = f"**Ours is ahead in all {count} comparisons; all intervals lie above zero.**"
    text += _room(figures)
    if without := [host for host, missing in figures["missing"].items() if missing]:
        text += (
            f" Collected without the baselines' features: {', '.join(without)}; "
            "only detectors and token scores stand there."
        )
    return text + "\n" + ("\n" + "".join(sentences) if sentences else "")


def _room(figures: Mapping[str, Any]) -> str:
    halves = []
    for part, by in figures["parts"].items():
        name, row = (AVERAGE, by["average"]) if by["average"] else next(iter(by["hosts"].items()))
        room = row["room"]
        halves.append(f"{part} ({name}) {_percent(room['closed'])} and {_percent(room['cut by'])}")
    return (
        " **Ours closes the re-implemented detector's distance to AUROC 1.0, and cuts its misses at 5 % false "
        f"positives, by:** {'; '.join(halves)}."
    )


def render(figures: Mapping[str, Any]) -> str:
    """Markdown: for each part the figures, ours minus each, and our share of the re-implemented detector's errors."""
    text = ""
    for part, by in figures["parts"].items():
        rows = {**by["hosts"], **({AVERAGE: by["average"]} if by["average"] else {})}
        counts = "; ".join(f"{host} {row['remembered']} and {row['not']}" for host, row in by["hosts"].items())
        text += f"\n### {_capital(part)}\n\nRemembered and not: {counts}.\n"
        names = list(dict.fromkeys(name for row in rows.values() for name in row["methods"]))
        for metric in (ACCURACY, AUROC):
            text += f"\n{_capital(HEADS[metric])}:\n\n"
            text += table(
                ["method", *rows],
                [[name, *[_figure(row["methods"].get(name), metric) for row in rows.values()]] for name in names],
            )
            text += f"\nOurs minus it, {HEADS[metric]}, 95 % paired bootstrap over people:\n\n"
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
        text += f"\n{_capital(HEADS[metric])}:\n\n"
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


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _percent(interval: Sequence[float]) -> str | None:
    if math.isnan(interval[0]):
        return None
    value, low, high = (100 * end for end in interval)
    return f"{value:.1f} % [{low:.1f}, {high:.1f}]"
