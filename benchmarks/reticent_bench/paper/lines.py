"""Tables whose lines compare detectors on the same rows: ours, the re-implemented one, and the published one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from reticent_bench.paper.hosted import Hosted
from reticent_bench.paper.scores import ACCURACY, AUROC, Method, differences, figures
from reticent_bench.paper.variants import OURS, PAPER
from reticent_bench.report.metrics import Flags
from reticent_bench.report.result import table

PUBLISHED = "paper, accuracy"


def line(
    keys: Mapping[str, Any],
    host: Hosted,
    part: Flags,
    methods: Mapping[str, Method],
    published: Any = None,
    *,
    hard: bool = False,
) -> dict[str, Any]:
    """Computes the figures of some methods on a part of a host's test rows.

    The difference is ours minus the re-implemented detector, if both are among them. `keys` are the first cells, by
    column; `published` is the paper's accuracy. `hard` takes the thresholds for hard rows.
    """
    positive, people = host.right[part], host.rows.labels["person_key"][part]
    cut = {name: method.on(part, hard) for name, method in methods.items()}
    rivals = {PAPER: cut[PAPER]} if {OURS, PAPER} <= set(cut) else {}
    apart = differences(cut[OURS], rivals, positive, people, (ACCURACY, AUROC)) if rivals else {}
    return {
        "keys": dict(keys),
        "remembered": int(positive.sum()),
        "not": int((~positive).sum()),
        "methods": {name: figures(method, positive) for name, method in cut.items()},
        "difference": apart.get(PAPER),
        "published": published,
    }


def render(lines: Sequence[Mapping[str, Any]]) -> str:
    """Markdown: accuracies first, then areas."""
    if not lines:
        return "Nothing to show: none of the hosts can be compared.\n"
    keys = list(dict.fromkeys(key for each in lines for key in each["keys"]))
    names = list(dict.fromkeys(name for each in lines for name in each["methods"]))
    has_published = any(each["published"] is not None for each in lines)
    apart = any(each["difference"] for each in lines)
    head = [*keys, "remembered", "not", *[f"{name}, accuracy" for name in names]]
    head += [PUBLISHED] if has_published else []
    head += ["difference"] if apart else []
    head += [f"{name}, AUROC" for name in names] + (["difference, AUROC"] if apart else [])
    rows = []
    for each in lines:
        methods, difference = each["methods"], each["difference"] or {}
        row = [each["keys"].get(key) for key in keys] + [each["remembered"], each["not"]]
        row += [cell(methods.get(name, {}).get(ACCURACY)) for name in names]
        row += [each["published"]] if has_published else []
        row += [signed(difference.get(ACCURACY))] if apart else []
        row += [cell(methods.get(name, {}).get(AUROC)) for name in names]
        row += [signed(difference.get(AUROC))] if apart else []
        rows.append(row)
    return table(head, rows)


def cell(figure: Sequence[float] | None) -> Any:
    """One number where all seeds agree, else with the least and the most."""
    if figure is None or math.isnan(figure[0]):
        return None
    value, low, high = figure
    return value if low == high else (value, low, high)


def signed(interval: Sequence[float] | None) -> str | None:
    if interval is None or math.isnan(interval[0]):
        return None
    value, low, high = interval
    return f"{value:+.3f} [{low:+.3f}, {high:+.3f}]"
