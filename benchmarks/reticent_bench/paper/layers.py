"""Figure 7: what the paper's similarities tell if only one layer, or half of them, can be seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reticent_bench.paper import published
from reticent_bench.paper.detectors import Detectors
from reticent_bench.paper.hosted import Hosted, Outline
from reticent_bench.paper.lines import line
from reticent_bench.paper.scores import methods
from reticent_bench.paper.section import Needs, Section
from reticent_bench.paper.variants import Variant


def windows(layers: int) -> dict[tuple[str, str], Variant]:
    """Detectors by (group, which layers): each alone, both halves, all. `inter` counts pairs of neighbouring layers."""
    half = layers // 2
    out = {}
    for group, count in (("inter", layers - 1), ("intra", layers)):
        groups = frozenset({group})
        for at in range(count):
            name = f"{at + 1} and {at + 2}" if group == "inter" else str(at + 1)
            out[group, name] = Variant(groups, single=True, layers=(at, at + 1))
        # A pair belongs to a half if both its layers do.
        halves = {"first half": (0, half - (group == "inter")), "second half": (half, count)}
        out |= {
            (group, name): Variant(groups, single=True, layers=window)
            for name, window in halves.items()
            if window[0] < window[1]
        }
        out[group, "all"] = Variant(groups, single=True)
    return out


def needs(outlines: Sequence[Outline]) -> Needs:
    return [(host.name, variant) for host in outlines for variant in windows(host.layers).values()]


def measure(hosts: Sequence[Hosted], detectors: Detectors) -> dict[str, Any]:
    lines, notes = [], list[str]()
    for host in hosts:
        for (group, name), variant in windows(host.outline.layers).items():
            found = methods(detectors, host, {"detector": variant}, notes)
            keys = {"host": host.name, "input": group, "layers": name}
            lines.append(line(keys, host, host.easy, found, published.FIGURE_7.get((group, name))))
    return {"lines": lines, "notes": notes}


LAYERS = Section(
    "Figure 7: layer by layer",
    "Detectors with `inter` or `intra` alone; layers are counted from 1. "
    "Right against made up under greedy decoding, all phrasings. The paper tells its halves in numbers "
    "(Phi-3-medium-14B).",
    needs,
    measure,
)
