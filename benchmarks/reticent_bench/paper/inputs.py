"""Figure 8: features added one by one, and the number of ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reticent_bench.paper import lines, published
from reticent_bench.paper.detectors import Detectors
from reticent_bench.paper.hosted import Hosted, Outline
from reticent_bench.paper.lines import line
from reticent_bench.paper.scores import methods
from reticent_bench.paper.section import Needs, Section
from reticent_bench.paper.variants import OURS, PAPER, Variant, ours
from reticent_detectors.detector.network import PAPER_GROUPS

ORDER = {PAPER: ("inter", "topk", "prob", "intra"), OURS: ("prob", "logprobs", "pooled", "entity", "renamed")}
RANKS = (1, 2, 4, 6, 8, 10)


def added(host: Outline) -> dict[tuple[str, str], Variant]:
    """By (detector, what is added): each with all groups before it."""
    able = {PAPER: PAPER_GROUPS, OURS: ours(host.features).groups}
    out = {}
    for name, order in ORDER.items():
        groups = [group for group in order if group in able[name]]
        for count, group in enumerate(groups, 1):
            out[name, group] = Variant(frozenset(groups[:count]))
    return out


def ranked(host: Outline) -> dict[int, Variant]:
    """The paper's groups by the number of ranks. A single rank has no `intra`."""
    able = [ranks for ranks in RANKS if ranks <= host.ranks]
    # All ranks of the collection are the detector of the other tables, and not trained again.
    return {
        ranks: Variant(PAPER_GROUPS - ({"intra"} if ranks == 1 else set()), ranks=ranks if ranks < host.ranks else None)
        for ranks in able
    }


def needs(outlines: Sequence[Outline]) -> Needs:
    found = [(h.name, variant) for h in outlines for variant in (*added(h).values(), *ranked(h).values())]
    return list(dict.fromkeys(found))


def measure(hosts: Sequence[Hosted], detectors: Detectors) -> dict[str, Any]:
    notes = list[str]()

    def row(host: Hosted, keys: Mapping[str, Any], variant: Variant, reported: float | None) -> dict[str, Any]:
        found = methods(detectors, host, {"detector": variant}, notes)
        return line({"host": host.name, **keys}, host, host.easy, found, reported)

    groups, ranks = [], []
    for host in hosts:
        for (name, group), variant in added(host.outline).items():
            reported = published.FIGURE_8A.get(len(variant.groups)) if name == PAPER else None
            groups.append(row(host, {"detector": name, "added": group}, variant, reported))
        for count, variant in ranked(host.outline).items():
            ranks.append(row(host, {"ranks": count}, variant, published.FIGURE_8B.get(count)))
    return {"groups": groups, "ranks": ranks, "notes": notes}


def render(figures: Mapping[str, Any]) -> str:
    text = f"(a) Groups of features, each with all above it:\n\n{lines.render(figures['groups'])}"
    text += (
        "\n(b) The re-implemented detector by the number of ranks; one rank has no `intra`:\n\n"
        f"{lines.render(figures['ranks'])}"
    )
    return text + "".join(f"\nNot trained: {note}\n" for note in dict.fromkeys(figures["notes"]))


INPUTS = Section(
    "Figure 8: features and ranks",
    (
        "Right against made up under greedy decoding, all phrasings. "
        "The paper tells a part of its curves in numbers (Meta-Llama-3-8B)."
    ),
    needs,
    measure,
    render,
)
