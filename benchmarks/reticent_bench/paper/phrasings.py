"""Tables 4 and 12: accuracy by the length of the answer, and on phrasings that host or detector never saw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reticent_bench.detector.parts import SPLITS
from reticent_bench.paper import published
from reticent_bench.paper.detectors import Detectors
from reticent_bench.paper.hosted import Hosted, Outline
from reticent_bench.paper.lines import line
from reticent_bench.paper.scores import methods
from reticent_bench.paper.section import Needs, Section
from reticent_bench.paper.variants import both

LENGTHS = {"1-3": (1, 3), "4-6": (4, 6), "7-12": (7, 12), "13-20": (13, 20), ">20": (21, 1 << 30)}
"""Tokens of the value, first and last."""


def needs(outlines: Sequence[Outline]) -> Needs:
    return [(host.name, variant) for host in outlines for variant in both(host.features).values()]


def by_length(hosts: Sequence[Hosted], detectors: Detectors) -> dict[str, Any]:
    lines, notes = [], list[str]()
    for host in hosts:
        found = methods(detectors, host, both(host.outline.features), notes)
        tokens, place = host.rows.labels["tokens"], published.column(host.outline.architecture)
        for name, (first, last) in LENGTHS.items():
            part = host.easy & (tokens >= first) & (tokens <= last)
            accuracy, share = published.TABLE_4[name][place]
            keys = {
                "host": host.name,
                "tokens": name,
                "share of rows": float(part.sum() / max(1, host.easy.sum())),
                "paper, share": share,
            }
            lines.append(line(keys, host, part, found, accuracy))
    return {"lines": lines, "notes": notes}


def by_phrasing(hosts: Sequence[Hosted], detectors: Detectors) -> dict[str, Any]:
    lines, notes = [], list[str]()
    for host in hosts:
        found = methods(detectors, host, both(host.outline.features), notes)
        for part, rows in (("easy", host.easy), ("hard", host.hard)):
            for split in SPLITS:
                keys = {"host": host.name, "rows": part, "phrasings": split}
                reported = published.TABLE_12[host.outline.architecture] if (split, part) == ("test", "easy") else None
                chosen = rows & (host.rows.labels["phrasing_split"] == split)
                lines.append(line(keys, host, chosen, found, reported, hard=part == "hard"))
    return {"lines": lines, "notes": notes}


LENGTH = Section(
    "Table 4: by length of the answer",
    "Right against made up under greedy decoding, all phrasings; tokens are the host's own.",
    needs,
    by_length,
)
PARAPHRASES = Section(
    "Table 12: by phrasing",
    "The host was taught the taught phrasings and knows the others from few people or not at all; "
    "the detector saw the taught and the detector-only ones. The paper's synonyms stand beside the test-only "
    "phrasings.",
    needs,
    by_phrasing,
)
