"""Table 3: ours, the re-implemented detector, every baseline and the token scores on every host."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from reticent_bench.detector.parts import token_scores
from reticent_bench.paper.detectors import Detectors
from reticent_bench.paper.hosted import Hosted, Outline
from reticent_bench.paper.scores import ACCURACY, AUROC, RECALL, Method, figures, weighted
from reticent_bench.paper.section import Needs, Section
from reticent_bench.paper.table3_text import render
from reticent_bench.paper.variants import OURS, PAPER, Variant, both
from reticent_bench.report.metrics import Flags, Interval, Weights, bootstrap, share_less

METRICS = (ACCURACY, AUROC)
CROSS_FITTED = "re-implemented, cross-fitted"
HARD = ", hard"
ROOM = ("closed", "misses", "misses of ours", "cut by")
"""Share closed of the re-implemented detector's distance to AUROC 1.0, and misses at 5 % false positives.

The last is the share by which ours has fewer misses.
"""

Drawn = Callable[[Weights], list[float]]


def needs(outlines: Sequence[Outline]) -> Needs:
    return [(host.name, variant) for host in outlines for variant in compared(host).values()]


def compared(host: Outline) -> dict[str, Variant]:
    """Ours, the paper's detector, and the paper's cross-fitted as ours is.

    The last separates the effect of the inputs from that of one network.
    """
    pair = both(host.features)
    return pair | {CROSS_FITTED: replace(pair[PAPER], single=False)}


def methods_on(host: Hosted, detectors: Detectors) -> dict[str, Method]:
    """Everything that scores the host's test rows; NaN where a dear baseline was not gathered."""
    out = {
        name: Method(detectors.scores(host, v), tuple(d.thresholds for d in detectors.of(host, v)))
        for name, v in compared(host.outline).items()
    }
    out |= {name: Method((scored.scores,), (scored.thresholds,)) for name, scored in host.baselines.items()}
    return out | {name: Method((scores,), None) for name, scores in token_scores(host.rows).items()}


def parts_of(host: Hosted, methods: Mapping[str, Method]) -> dict[str, tuple[Flags, dict[str, Method]]]:
    """Rows of each part, and the methods that score all of them. Names of parts of hard rows end in `HARD`.

    Dear baselines are compared with all other methods on the rows that were drawn for them.
    """
    there = np.logical_and.reduce([np.isfinite(scores) for method in methods.values() for scores in method.scores])
    everywhere = {n: m for n, m in methods.items() if all(np.isfinite(scores).all() for scores in m.scores)}
    test = host.rows.labels["phrasing_split"] == "test"
    out = {
        "test-only phrasings": (host.easy & test, everywhere),
        f"test-only phrasings{HARD}": (host.hard & test, everywhere),
        f"all phrasings{HARD}": (host.hard, everywhere),
    }
    if not there.all():
        out["drawn rows, all phrasings"] = (host.easy & there, dict(methods))
        out[f"drawn rows, all phrasings{HARD}"] = (host.hard & there, dict(methods))
    return out


def comparison(methods: Mapping[str, Method], positive: Flags, rivals: Sequence[str]) -> Drawn:
    """Of weighted rows: ours minus each rival by metric, then `ROOM`."""
    ours = {metric: weighted(methods[OURS], positive, metric) for metric in (*METRICS, RECALL)}
    its = {(name, metric): weighted(methods[name], positive, metric) for name in rivals for metric in METRICS}
    paper_recall = weighted(methods[PAPER], positive, RECALL)

    def drawn(weight: Weights) -> list[float]:
        mine = {metric: figure(weight) for metric, figure in ours.items()}
        other = {key: figure(weight) for key, figure in its.items()}
        missed, missed_ours = 1 - paper_recall(weight), 1 - mine[RECALL]
        closed = share_less(1 - other[PAPER, AUROC], 1 - mine[AUROC])
        apart = [mine[metric] - value for (_, metric), value in other.items()]
        return [*apart, closed, missed, missed_ours, share_less(missed, missed_ours)]

    return drawn


def average(drawn: Sequence[Drawn], lengths: Sequence[int]) -> Drawn:
    """Mean over hosts, whose rows follow each other."""
    ends = np.cumsum([0, *lengths])

    def mean(weight: Weights) -> list[float]:
        each = [figure(weight[a:b]) for figure, a, b in zip(drawn, ends, ends[1:], strict=False)]
        return [sum(values) / len(values) for values in zip(*each, strict=True)]

    return mean


def named(intervals: Sequence[Interval], rivals: Sequence[str]) -> dict[str, Any]:
    """What `comparison` gives, by name."""
    apart = {name: dict(zip(METRICS, intervals[2 * at : 2 * at + 2], strict=True)) for at, name in enumerate(rivals)}
    return {"differences": apart, "room": dict(zip(ROOM, intervals[2 * len(rivals) :], strict=True))}


def measure(hosts: Sequence[Hosted], detectors: Detectors) -> dict[str, Any]:
    """Figures by part, host and method.

    An average covers the hosts of the part, with the methods that all of them have. The same people are drawn on all
    hosts at once.
    """
    parts: dict[str, list[tuple[Hosted, Flags, dict[str, Method]]]] = {}
    for host in hosts:
        for name, (rows, methods) in parts_of(host, methods_on(host, detectors)).items():
            positive = host.right[rows]
            if positive.any() and not positive.all():
                cut = {method: m.on(rows, name.endswith(HARD)) for method, m in methods.items()}
                parts.setdefault(name, []).append((host, rows, cut))
    out: dict[str, Any] = {"parts": {}, "hosts": {h.name: h.outline.architecture for h in hosts}}
    for name, on in parts.items():
        part: dict[str, Any] = {"hosts": {}, "average": None}
        out["parts"][name] = part
        for host, rows, methods in on:
            positive, people = host.right[rows], host.rows.labels["person_key"][rows]
            rivals = [method for method in methods if method != OURS]
            part["hosts"][host.name] = {
                "remembered": int(positive.sum()),
                "not": int((~positive).sum()),
                "methods": {method: figures(m, positive) for method, m in methods.items()},
                **named(bootstrap(comparison(methods, positive, rivals), people), rivals),
            }
        if len(on) > 1:
            common = [m for m in on[0][2] if all(m in methods for _, _, methods in on)]
            rivals = [method for method in common if method != OURS]
            drawn = [comparison(methods, host.right[rows], rivals) for host, rows, methods in on]
            people = np.concatenate([host.rows.labels["person_key"][rows] for host, rows, _ in on])
            found = bootstrap(average(drawn, [int(rows.sum()) for _, rows, _ in on]), people)
            each = [part["hosts"][host.name]["methods"] for host, _, _ in on]
            means = {m: {k: float(np.mean([by[m][k][0] for by in each])) for k in METRICS} for m in common}
            part["average"] = {"methods": means, **named(found, rivals)}
    out["missing"] = {host.name: not host.baselines for host in hosts}
    out["settings"] = {
        host.name: {n: [b.setting, b.validation_auroc, b.validation_rows] for n, b in host.baselines.items()}
        for host in hosts
    }
    return out


TABLE_3 = Section(
    "Table 3: detectors and baselines",
    "Test people. Balanced accuracy at a frozen threshold, the best of validation rows of the same sort; "
    "token scores have the best of all thresholds, chosen on the rows at hand, which flatters them. "
    "Ours is cross-fitted and so learns from all training people, the paper's detector and the baselines from four "
    "fifths of them; cross-fitted as ours, the paper's stands beside.",
    needs,
    measure,
    render,
)
