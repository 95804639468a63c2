"""Table 6: how many people the detector is trained on, and how many private examples the host."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from reticent_bench.paper import published
from reticent_bench.paper.detectors import Detectors
from reticent_bench.paper.hosted import Hosted, Outline
from reticent_bench.paper.lines import line
from reticent_bench.paper.scores import methods
from reticent_bench.paper.section import Needs, Section, lines_and_notes
from reticent_bench.paper.variants import Variant, both
from reticent_bench.report.result import table
from reticent_detectors.entities import PRIVACYXRAY
from reticent_detectors.synth.hosts import HostRecipe

SHARES = tuple(Fraction(1, n) for n in (8, 4, 2, 1))


def variants(host: Outline, share: Fraction) -> dict[str, Variant]:
    return {name: replace(variant, share=float(share)) for name, variant in both(host.features).items()}


def private_examples(host: Outline) -> int | None:
    """What the host was fine-tuned on beside documents; see `Tuning`."""
    if not isinstance(host.recipe, HostRecipe):
        return None
    tuning = host.recipe.tuning
    return (tuning.people + tuning.people // 2) * len(PRIVACYXRAY) * tuning.phrasings


def needs_of(outlines: Sequence[Outline], shares: Sequence[Fraction]) -> Needs:
    """The variants of all hosts that are trained on these shares of their people."""
    return [(host.name, v) for host in outlines for share in shares for v in variants(host, share).values()]


def measure(hosts: Sequence[Hosted], detectors: Detectors) -> dict[str, Any]:
    lines, notes = [], list[str]()
    for host in hosts:
        for share in SHARES:
            chosen = variants(host.outline, share)
            found = methods(detectors, host, chosen, notes)
            trained = [each for name in found for each in detectors.of(host, chosen[name])]
            keys = {
                "host": host.name,
                "private examples": private_examples(host.outline),
                "share of people": str(share),
                "people": round(sum(d.people for d in trained) / len(trained)) if trained else None,
                "training rows": round(sum(d.rows for d in trained) / len(trained)) if trained else None,
            }
            lines.append(line(keys, host, host.easy, found))
    reported = {str(rows): dict[str, float]() for rows in published.TABLE_6[15000]}
    for private, by in published.TABLE_6.items():
        for rows, accuracy in by.items():
            reported[str(rows)][str(private)] = accuracy
    return {"lines": lines, "notes": notes, "paper": reported}


def render(figures: Mapping[str, Any]) -> str:
    text = (
        lines_and_notes(figures)
        + "\nThe paper's detector, accuracy by its training rows and the host's private examples:\n\n"
    )
    private = [str(count) for count in published.TABLE_6]
    rows = [[rows, *[by.get(count) for count in private]] for rows, by in figures["paper"].items()]
    return text + table(["training rows", *private], rows)


VOLUME = Section(
    "Table 6: by the training data of detector and host",
    "Name hosts of several sizes of fine-tuning for the other axis, such as llama-mid and llama-mid-p90. "
    "Right against made up under greedy decoding, all phrasings. A fifth of the people is held out for stopping and "
    "calibration and not counted; the mean over detectors is shown.",
    partial(needs_of, shares=SHARES),
    measure,
    render,
)
