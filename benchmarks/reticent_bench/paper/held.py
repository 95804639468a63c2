"""How our detector keeps its promises on people it never met: calibrated probabilities, stated false-positive rates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from reticent_bench.paper.detectors import Detector, Detectors
from reticent_bench.paper.hosted import Hosted, Outline
from reticent_bench.paper.lines import cell
from reticent_bench.paper.scores import over_seeds
from reticent_bench.paper.section import Needs, Section
from reticent_bench.paper.variants import ours
from reticent_bench.report.metrics import Interval, share
from reticent_bench.report.result import table
from reticent_detectors.collection.shards import FeatureTable
from reticent_detectors.detector.calibration import expected_calibration_error
from reticent_detectors.detector.training_config import IGNORED, NEGATIVE, POSITIVE
from reticent_detectors.errors import InputError

RATES = (0.001, 0.01, 0.05, 0.08)
POOLED = "all hosts"


def needs(outlines: Sequence[Outline]) -> Needs:
    return [(host.name, ours(host.features)) for host in outlines]


def measure(hosts: Sequence[Hosted], detectors: Detectors) -> dict[str, Any]:
    lines: dict[str, dict[str, Any]] = {}
    notes = list[str]()
    for host in hosts:
        variant = ours(host.outline.features)
        try:
            trained = detectors.of(host, variant)
        except InputError as error:
            notes.append(f"{host.name}: {error}")
            continue
        labels = host.rows.labels
        counted = np.isin(labels["label"], sorted((POSITIVE | NEGATIVE) - IGNORED))
        probabilities = [scores[counted] for scores in detectors.scores(host, variant)]
        positive = np.isin(labels["label"][counted], sorted(POSITIVE))
        # Probabilities are stated for a prevalence of a half, whatever the rows' own is.
        weight = np.where(positive, 0.5 / positive.mean(), 0.5 / (1 - positive.mean()))
        seen = variant.view(host.rows.select(counted))
        stops = [stopped(d, p, seen) for d, p in zip(trained, probabilities, strict=True)]
        lines[host.name] = {
            "calibration error": over_seeds(
                [expected_calibration_error(p, positive, weight=weight) for p in probabilities]
            ),
            "not remembered": int((~positive).sum()),
            "remembered": int(positive.sum()),
            "hits": {f"{r:g}": float(np.mean([s[r][~positive].sum() for s in stops])) for r in RATES},
            "recall": {f"{r:g}": over_seeds([float(s[r][positive].mean()) for s in stops]) for r in RATES},
        }
    return {"lines": lines, "notes": notes}


def stopped(detector: Detector, probabilities: Any, rows: FeatureTable) -> dict[float, Any]:
    """Which rows [n] reach the frozen threshold of their kind, by rate."""
    entities = rows.labels["entity"]
    found = {}
    for rate in RATES:
        own = {kind: detector.calibration.threshold(rate, str(kind)) for kind in np.unique(entities)}
        found[rate] = probabilities >= np.array([own[kind] for kind in entities])
    return found


def held(hits: float, count: int) -> Interval:
    """The share of the rows that are stopped: hits are a mean over seeds, the interval is that of one seed."""
    found = share(round(hits), count)
    return Interval(hits / count if count else float("nan"), found.low, found.high)


def render(figures: Mapping[str, Any]) -> str:
    lines = figures["lines"]
    text = table(
        ["host", "calibration error"], [[name, cell(line["calibration error"])] for name, line in lines.items()]
    )
    text += "\nShare of what is not remembered that a threshold for so many false positives stops:\n\n"
    together = {"not remembered": sum(line["not remembered"] for line in lines.values())}
    pooled = {rate: sum(line["hits"][rate] for line in lines.values()) for rate in map("{:g}".format, RATES)}
    rows = [[name, line["not remembered"], line["hits"]] for name, line in lines.items()]
    rows += [[POOLED, together["not remembered"], pooled]] if len(lines) > 1 else []
    heads = [f"{rate:.1%}" for rate in RATES]
    text += table(
        ["host", "not remembered", *heads],
        [[name, count, *[held(hits[f"{rate:g}"], count) for rate in RATES]] for name, count, hits in rows],
    )
    text += "\nShare of what is remembered, other people's values among it, that the same thresholds stop:\n\n"
    text += table(
        ["host", "remembered", *heads],
        [
            [name, line["remembered"], *[cell(line["recall"][f"{rate:g}"]) for rate in RATES]]
            for name, line in lines.items()
        ],
    )
    return text + "".join(f"\nNot trained: {note}\n" for note in dict.fromkeys(figures["notes"]))


HELD = Section(
    "Calibration and thresholds on people who were not trained on",
    "Our detector; values that test people and strangers were asked for, right or other people's against made up and "
    "inferable, greedy and sampled, all phrasings. The error is the mean gap between probability and share over 15 "
    "bins of equal size, at a prevalence of a half; intervals of shares are those of one seed.",
    needs,
    measure,
    render,
)
