"""Table 6, one axis: how many people the detector is trained on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from reticent_bench.paper import published
from reticent_bench.paper.detectors import Detectors
from reticent_bench.paper.hosted import Hosted, Outline
from reticent_bench.paper.lines import line
from reticent_bench.paper.scores import methods
from reticent_bench.paper.section import Needs, Section, lines_and_notes
from reticent_bench.paper.variants import Variant, both
from reticent_bench.result import table

SHARES = tuple(Fraction(1, n) for n in (8, 4, 2, 1))


def variants(host: Outline, share: Fraction) -> dict[str, Variant]:
    return {name: Variant(variant.groups, share=float(share)) for name, variant in both(host.features).items()}


def needs(outlines: Sequence[Outline]) -> Needs:
    return [(host.name, v) for host in outlines for share in SHARES for v in variants(host, share).values()]


def measure(hosts: Sequence[Hosted], detectors: Detectors) -> dict[str, Any]:
    lines, notes = [], list[str]()
    for host in hosts:
        for share in SHARES:
            chosen = variants(host.outline, share)
            found = methods(detectors, host, chosen, notes)
            trained = [each for name in found for each in detectors.of(host, chosen[name])]
            keys = {
                "host": host.name,
                "share of people": str(share),
                "people": round(sum(d.people for d in trained) / len(trained)) if trained else None,
                "training rows": round(sum(d.rows for d in trained) / len(trained)) if trained else None,
            }
            lines.append(line(keys, host, host.easy, found))
    return {"lines": lines, "notes": notes, "paper": {str(k): v for k, v in published.TABLE_6.items()}}


def render(figures: Mapping[str, Any]) -> str:
    text = lines_and_notes(figures) + "\nThe paper's detector on its host with 15,000 private examples:\n\n"
    return text + table(["paper, training rows", "paper, accuracy"], list(figures["paper"].items()))


VOLUME = Section(
    "Table 6: by the detector's training data",
    "Right against made up under greedy decoding, all phrasings. A fifth of the people is held out for stopping and calibration and not "
    "counted; the mean over detectors is shown.",
    needs,
    measure,
    render,
)
