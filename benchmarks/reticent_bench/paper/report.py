"""All tables of `reticent bench paper`, and the page that they make."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from reticent_bench.paper import table3_text
from reticent_bench.paper.before_after import ABILITIES, PRIVATE
from reticent_bench.paper.cost import COST
from reticent_bench.paper.detectors import Detectors
from reticent_bench.paper.facts import FACTS
from reticent_bench.paper.held import HELD
from reticent_bench.paper.hosted import Hosted
from reticent_bench.paper.inputs import INPUTS
from reticent_bench.paper.kinds import UNSEEN_LANGUAGE, UNSEEN_NUMBERS
from reticent_bench.paper.layer_statistics import LAYER_STATISTICS
from reticent_bench.paper.layers import LAYERS
from reticent_bench.paper.phrasings import LENGTH, PARAPHRASES
from reticent_bench.paper.section import Section
from reticent_bench.paper.seen import SEEN
from reticent_bench.paper.table3 import TABLE_3
from reticent_bench.paper.transfer import PROBABILITIES, STATES
from reticent_bench.paper.tuning import EPOCHS, METHODS, RATIOS
from reticent_bench.paper.volume import VOLUME
from reticent_bench.report.result import table
from reticent_detectors.errors import InputError

SECTIONS: dict[str, Section] = {
    "3": TABLE_3,
    "4": LENGTH,
    "5": METHODS,
    "6": VOLUME,
    "7": RATIOS,
    "8": UNSEEN_NUMBERS,
    "9": UNSEEN_LANGUAGE,
    "10": STATES,
    "11": PROBABILITIES,
    "12": PARAPHRASES,
    "13": EPOCHS,
    "17": ABILITIES,
    "18": PRIVATE,
    "section6.4": FACTS,
    "section6.6": COST,
    "figure7": LAYERS,
    "figure8": INPUTS,
    "figure9": SEEN,
    "figures10-15": LAYER_STATISTICS,
    "calibration": HELD,
}
"""By the name that `--table` takes. Another table is another row. The last is not the paper's."""


def chosen(names: Sequence[str]) -> dict[str, Section]:
    """The sections of these names in their order; all for none. Raises InputError for an unknown name."""
    if unknown := sorted(set(names) - set(SECTIONS)):
        raise InputError(f"Unknown table {unknown[0]!r}; expected some of {', '.join(SECTIONS)}.")
    return {key: section for key, section in SECTIONS.items() if key in (names or SECTIONS)}


def measure(
    hosts: Sequence[Hosted], detectors: Detectors, sections: Mapping[str, Section], say: Callable[[str], None]
) -> dict[str, Any]:
    """Every section's figures with how many detectors it took and the seconds of their training, whenever that was."""
    out: dict[str, Any] = {
        "seeds": detectors.seeds,
        "hosts": {
            host.name: {
                "architecture": host.outline.architecture,
                "layers": host.outline.layers,
                "rows": host.learned.rows,
                "test rows": host.rows.rows,
            }
            for host in hosts
        },
        "tables": {},
    }
    for key, section in sections.items():
        detectors.used.clear()
        figures = section.measure(hosts, detectors)
        seconds = sum(detectors.used.values())
        out["tables"][key] = figures | {"detectors": len(detectors.used) * detectors.seeds, "seconds": seconds}
        say(f"{section.title}: {seconds:.0f} s of training")
    return out


def render(figures: Mapping[str, Any]) -> str:
    """Markdown: what Table 3 says first, then each table."""
    tables = figures["tables"]
    text = f"{table3_text.headline(tables['3'])}\n" if "3" in tables else ""
    text += (
        "# PrivacyXray's evaluation on our hosts\n\n"
        "Ours, the paper's detector as we re-implemented it on the same rows, and in columns headed "
        f'"paper" what it published of its own hosts. Accuracy is balanced. Detectors: {_seeds(figures["seeds"])}. '
        "Differences are ours minus re-implemented with 95 % intervals, paired bootstrap over people. "
        "An em dash: a class is missing, or the detector.\n\n"
    )
    heads = ["architecture", "layers", "rows", "test rows"]
    text += table(["host", *heads], [[name, *[by[h] for h in heads]] for name, by in figures["hosts"].items()])
    for key, found in tables.items():
        section = SECTIONS[key]
        text += f"\n## {section.title}\n\n{section.about}\n\n" + section.render(found).lstrip()
        if found["detectors"]:
            text += f"\n{found['detectors']} detectors, {found['seconds']:.0f} seconds to train.\n"
    return text


def _seeds(count: int) -> str:
    return "one seed" if count == 1 else f"{count} seeds; a figure is their mean with the least and the most"
