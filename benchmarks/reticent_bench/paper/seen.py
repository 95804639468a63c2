"""Appendix C, Figure 9: people that a detector was trained on beside people that it never saw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from reticent_bench.paper import published
from reticent_bench.paper.detectors import Detectors
from reticent_bench.paper.hosted import Hosted
from reticent_bench.paper.lines import line
from reticent_bench.paper.scores import methods
from reticent_bench.paper.section import Section, lines_and_notes
from reticent_bench.paper.variants import volume
from reticent_bench.paper.volume import needs_of, private_examples, variants
from reticent_bench.report.metrics import Flags
from reticent_bench.report.result import table
from reticent_bench.report.row_parts import asked

SHARES = (Fraction(1, 2), Fraction(1))


def trained_on(host: Hosted, share: Fraction) -> Hosted:
    """The host with the rows of those people on whom a detector of this share is trained, as it is asked about them."""
    people = host.learned.labels["person_key"]
    rows = asked(host.learned) & np.isin(people, sorted(volume(people, float(share))))
    outline = replace(host.outline, name=f"{host.name}, trained on {share}")
    return replace(host, outline=outline, rows=host.learned.select(rows), baselines={})


def compared(host: Hosted) -> Flags:
    """Right against made up about people, under phrasings that both sides are asked in."""
    labels = host.rows.labels
    part: Flags = host.easy & (labels["phrasing_split"] != "test") & (labels["person_key"] != "")
    return part


def measure(hosts: Sequence[Hosted], detectors: Detectors) -> dict[str, Any]:
    lines, notes = [], list[str]()
    for host in hosts:
        for share in SHARES:
            for name, on in (("trained on", trained_on(host, share)), ("never seen", host)):
                found = methods(detectors, host, variants(host.outline, share), notes, on=on)
                keys = {
                    "host": host.name,
                    "private examples": private_examples(host.outline),
                    "share of people": str(share),
                    "people": name,
                }
                lines.append(line(keys, on, compared(on), found))
    reported = [[*data, *accuracies] for data, accuracies in published.FIGURE_9.items()]
    return {"lines": lines, "notes": notes, "paper": reported}


def render(figures: Mapping[str, Any]) -> str:
    text = lines_and_notes(figures) + "\nThe paper's detector on Meta-Llama-3-8B:\n\n"
    head = ["training rows", "private examples", "paper, trained on", "paper, never seen"]
    return text + table(head, figures["paper"])


SEEN = Section(
    "Figure 9 (Appendix C): people trained on and people never seen",
    "Right against made up under greedy decoding, taught and detector-only phrasings. "
    "A fifth of the people trained on is held out from each network for stopping; ours has networks for every fifth.",
    partial(needs_of, shares=SHARES),
    measure,
    render,
)
