"""What the finder finds with its tagger and without, on texts that the tagger did not learn.

    python -m reticent_bench.tagger.measure

The sets served to choose between taggers, so these figures are not those of texts that nobody has seen. Each text is
read alone, and after its question.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from reticent_bench.finder.find import default_finder, find
from reticent_bench.real_answers.labels import KINDS
from reticent_bench.real_answers.marked import Marked
from reticent_bench.report.result import command_line, footer, provenance, show, table, write
from reticent_bench.tagger.figures import figures
from reticent_bench.tagger.margins import SETS, added_to, cross_fitted
from reticent_bench.tagger.sets import read_held
from reticent_detectors.finder import SpanFinder
from reticent_detectors.finder.tagger import shipped

DOORS = ("text alone", "after the question")


def measure(sets: Mapping[str, Sequence[Marked]], finders: Mapping[str, SpanFinder]) -> dict[str, Any]:
    """Return the figures of each set, door and finder."""
    out: dict[str, Any] = {}
    for name, texts in sets.items():
        for door in DOORS:
            for finder, each in finders.items():
                found = [
                    [
                        span
                        for span in find(each, text.text, text.question if door != DOORS[0] else "", text.left)
                        if span.kind in KINDS
                    ]
                    for text in texts
                ]
                out.setdefault(name, {}).setdefault(door, {})[finder] = figures(texts, found)
    return out


def render(made: Mapping[str, Any]) -> str:
    """Return the page."""
    rows = [
        [name, door, finder, *_cells(own)]
        for name, doors in made["sets"].items()
        for door, finders in doors.items()
        for finder, own in finders.items()
    ]
    rows += [
        [name, DOORS[0], "whole, margins of the other half", *_cells(own)] for name, own in made["cross-fitted"].items()
    ]
    return (
        "# The tagger\n\nA span is right if it has the kind of a marked value and shares half of their joint range. "
        "*Met*: values that a span of any kind meets. The sets served to choose between taggers. "
        "The tagger learned none of these texts. Its margins were chosen on two of the sets. So these have a row more: "
        "margins chosen on one half, and figures of the other.\n\n"
        + table(["texts", "read", "finder", "values", "found", "precision", "recall", "F1", "met"], rows)
    )


def _cells(own: Mapping[str, Any]) -> list[str]:
    return [show(own[key]) for key in ("gold", "found", "precision", "recall", "F1", "met")]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--benchmarks", type=Path, default=Path("benchmarks"), help="folder of the marked texts")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results"))
    args = parser.parse_args()
    whole = default_finder()
    finders = {"whole": whole, "without the tagger": whole.untagged()}
    held, network = read_held(args.benchmarks), shipped()
    added_spans = added_to(whole, network, network, held)
    made = {
        "sets": measure(held, finders),
        "cross-fitted": cross_fitted(whole, network, {name: held[name] for name in SETS}, added_spans),
        "made_by": provenance(command_line(), 0),
    }
    write(args.out, "tagger", made, render(made) + footer(made))
    print(render(made))


if __name__ == "__main__":
    main()
