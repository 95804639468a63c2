"""Tables 8 and 9: kinds of data that no detector was trained on. A detector does not know such a kind by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from reticent_bench.paper import published
from reticent_bench.paper.detectors import Detectors
from reticent_bench.paper.hosted import Hosted, Outline
from reticent_bench.paper.lines import line
from reticent_bench.paper.scores import methods
from reticent_bench.paper.section import Needs, Section
from reticent_bench.paper.variants import Variant, both
from reticent_bench.report.metrics import Flags
from reticent_detectors.entities import Entity

NUMBERS = frozenset({str(Entity.PHONE_NUMBER), str(Entity.BANK_ACCOUNT), str(Entity.APPOINTMENT_DATE)})
LANGUAGE = frozenset({str(Entity.JOB_TITLE), str(Entity.DIAGNOSIS), str(Entity.PRESCRIPTION)})


def variants(host: Outline, left_out: frozenset[str]) -> dict[str, Variant]:
    return {name: replace(variant, left_out=left_out) for name, variant in both(host.features).items()}


def parts(host: Hosted, left_out: frozenset[str]) -> dict[str, Flags]:
    """The same test rows, by whether their kind was trained on."""
    unseen = np.isin(host.rows.labels["entity"], sorted(left_out))
    return {"trained on": host.easy & ~unseen, "left out": host.easy & unseen}


def section(number: str, left_out: frozenset[str], what: str) -> Section:
    """Table `number`."""

    def needs(outlines: Sequence[Outline]) -> Needs:
        return [(host.name, variant) for host in outlines for variant in variants(host, left_out).values()]

    def measure(hosts: Sequence[Hosted], detectors: Detectors) -> dict[str, Any]:
        lines, notes = [], list[str]()
        for host in hosts:
            found = methods(detectors, host, variants(host.outline, left_out), notes)
            for reported, (name, part) in zip(published.TABLES_8_9[number], parts(host, left_out).items(), strict=True):
                lines.append(line({"host": host.name, "kinds": name}, host, part, found, reported))
        return {"lines": lines, "notes": notes}

    names = ", ".join(sorted(left_out))
    about = (
        f"Trained without {names}. Right against made up under greedy decoding, all phrasings. "
        "The paper's are averages."
    )
    return Section(f"Table {number}: unseen kinds of {what}", about, needs, measure)


UNSEEN_NUMBERS, UNSEEN_LANGUAGE = section("8", NUMBERS, "numbers"), section("9", LANGUAGE, "language")
