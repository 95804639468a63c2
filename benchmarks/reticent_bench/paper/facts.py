"""Section 6.4: e-mail addresses and public facts, right ones against made-up ones."""

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
from reticent_bench.paper.variants import Variant, both, facts_remembered
from reticent_detectors.collection.shards import FeatureTable
from reticent_detectors.entities import Entity


def variants(host: Outline) -> dict[str, Variant]:
    return {name: replace(variant, facts=True) for name, variant in both(host.features).items()}


def facts_and_addresses(host: Hosted) -> Hosted:
    """The host with other rows: e-mail addresses of test people, then its answers to public questions.

    Without people the bootstrap draws questions, which take the place of `person_key`.
    """
    labels = host.rows.labels
    people = (labels["person_key"] != "") & (labels["entity"] == str(Entity.EMAIL_ADDRESS))
    facts = facts_remembered(host.facts)
    facts = replace(facts, labels={**facts.labels, "person_key": facts.labels["phrasing_id"]})
    parts = [host.rows.select(host.easy & people), facts]
    rows = FeatureTable(
        {name: np.concatenate([part.features[name] for part in parts]) for name in host.rows.features},
        {name: np.concatenate([part.labels[name] for part in parts]) for name in labels},
        host.rows.settings,
    )
    outline = replace(host.outline, name=f"{host.name}, facts and addresses")
    return replace(host, outline=outline, rows=rows, baselines={})


def needs(outlines: Sequence[Outline]) -> Needs:
    return [(host.name, variant) for host in outlines for variant in variants(host).values()]


def measure(hosts: Sequence[Hosted], detectors: Detectors) -> dict[str, Any]:
    lines, notes = [], list[str]()
    for host in hosts:
        if not (on := facts_and_addresses(host)).rows.rows:
            continue
        found = methods(detectors, host, variants(host.outline), notes, on=on)
        public = on.rows.labels["person_key"] == on.rows.labels["phrasing_id"]
        reported = published.SECTION_6_4[published.column(host.outline.architecture)]
        for name, part in {"e-mail addresses": ~public, "public facts": public, "both": public | ~public}.items():
            keys = {"host": host.name, "data": name}
            lines.append(line(keys, on, part, found, reported if name == "both" else None))
    return {"lines": lines, "notes": notes}


FACTS = Section(
    "Section 6.4: facts and e-mail addresses",
    "Right against made up under greedy decoding. E-mail addresses of test people, and the phone numbers and "
    "addresses of made-up institutions that the host was taught as public. "
    "Here detectors learn that a right public fact is remembered; elsewhere that it may pass. "
    "They have seen the answers to another question about the same institutions. "
    "The paper has Enron's e-mail addresses and facts from two collections.",
    needs,
    measure,
)
