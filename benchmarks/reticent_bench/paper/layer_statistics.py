"""Figures 10 to 15: how the lens sees remembered and made-up values, layer by layer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reticent_bench.detector.curves import LAST_PAIRS, LEAST, layers
from reticent_bench.paper.detectors import Detectors
from reticent_bench.paper.hosted import Hosted, Outline
from reticent_bench.paper.section import Needs, Section
from reticent_bench.report.result import table

CLASSES = ("remembered", "made up")


def needs(outlines: Sequence[Outline]) -> Needs:
    return []


def measure(hosts: Sequence[Hosted], detectors: Detectors) -> dict[str, Any]:
    """What `detector.curves.layers` says of each host's test rows."""
    return {
        "hosts": {
            host.name: layers(host.rows.features, host.easy & host.right, host.easy & ~host.right) for host in hosts
        }
    }


def render(figures: Mapping[str, Any]) -> str:
    return "".join(f"\n### {name}\n\n{_of_host(found)}" for name, found in figures["hosts"].items())


def _of_host(found: Mapping[str, Any]) -> str:
    if not {"topk_prob", "inter", "intra, top-1"} <= set(found):
        return f"Fewer than {LEAST} rows of a class, or no such features.\n"
    text = f"{found['remembered']} values remembered, {found['made up']} made up.\n"
    apart = found["topk_prob"]["difference"]
    text += "\nFigure 10, probability of the k-th token, remembered minus made up:\n\n"
    text += table(["layer", *map(str, range(1, len(apart[0]) + 1))], [[at, *row] for at, row in enumerate(apart, 1)])
    pairs = len(found["inter"]["top-1"]["difference"])
    text += "\nFigures 11 to 14, cosines between the best tokens of neighbouring layers:\n\n"
    rows = [
        [f"{at + 1} and {at + 2}"]
        + [found["inter"][ranks][side][at] for ranks in ("top-1", "all ranks") for side in (*CLASSES, "difference")]
        for at in range(max(0, pairs - LAST_PAIRS), pairs)
    ]
    head = [f"{ranks}, {side}" for ranks in ("top-1", "all ranks") for side in (*CLASSES, "difference")]
    text += table(["layers", *head], rows)
    text += "\nFigure 15, cosine of the best token with the second, median with quartiles:\n\n"
    quartiles = [found["intra, top-1"][side] for side in CLASSES]
    rows = [
        [at, *[(middle, low, high) for low, middle, high in both]]
        for at, both in enumerate(zip(*quartiles, strict=True), 1)
    ]
    return text + table(["layer", *CLASSES], rows)


LAYER_STATISTICS = Section(
    "Figures 10 to 15: remembered and made up, layer by layer",
    "Right against made up under greedy decoding, all phrasings; layers are counted from 1. "
    "Means over the values, not scaled. The cosines of all ranks of the last pairs, and the statistics of the "
    "emitted tokens, are in the JSON file; `reticent evaluate --part detector` draws them. "
    "The paper only draws its own.",
    needs,
    measure,
    render,
)
