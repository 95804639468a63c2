"""Choose by how much the first word of a value must be likelier to be one than not, for each kind.

    python -m reticent_bench.tagger.margins

One more span raises F1 if it is right more often than half of F1. So the margin of a kind is the one beyond which most
is gained at that price, among the spans that the tagger adds to what recognisers find in held-out texts.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Any, Protocol

from reticent_bench.finder.find import find
from reticent_bench.finder.score import Gold
from reticent_bench.real_answers.labels import KINDS, matches
from reticent_bench.real_answers.marked import Marked
from reticent_bench.tagger.figures import figures
from reticent_bench.tagger.sets import read_held
from reticent_detectors.finder import SpanFinder
from reticent_detectors.finder.tagger import TAGGER, TAGGER_ANNOUNCED, TagNetwork, TagReading
from reticent_detectors.finder.tagger.network import MARGINS
from reticent_detectors.spans import FindContext, StateTags

PRICE = 0.2
"""How often a span has to be right to be worth saying."""
GRID = tuple(step / 4 for step in range(9))
"""Margins to choose from, in nats. The sets hold few values of a kind, so none may be silenced by what they hold."""
LEAST = {"CREDIT_CARD_DIGITS": 5.0, "DATE_OF_BIRTH": 2.0}
"""Least margins of kinds that look like any number, of which the sets have few."""
SETS = ("answers of real models", "unannounced")
Spans = Sequence[tuple[str, float, bool]]
"""Kind, lead and whether it is right, of the spans that the tagger adds."""
Held = Mapping[str, Sequence[Marked]]
HeldStates = Mapping[str, Sequence[StateTags]]


class HasMargins(Protocol):
    """Has the margin of each kind, in nats."""

    kinds: tuple[str, ...]
    margins: tuple[float, ...]


def added(
    finder: SpanFinder, network: TagNetwork, text: Marked, states: StateTags | None = None
) -> list[tuple[str, float, bool]]:
    """Return the spans that the tagger adds to a text that is read alone, with what a host's states say of it."""
    reading, context, frontier = TagReading(network, states=states), FindContext(states=states), 0
    out = list[tuple[str, float, bool]]()
    while (scan := finder.next_span(text.text, frontier, context=context, closed=True)).span is not None:
        frontier, span = scan.frontier, scan.span
        if span.recognizer in (TAGGER, TAGGER_ANNOUNCED):
            own = Gold(span.entity, span.start, span.end)
            out.append((own.kind, reading.lead_at(text.text, span.start), matches(text.gold, [own]) == 1))
    return out


def chosen(spans: Iterable[tuple[str, float, bool]], kinds: Sequence[str]) -> dict[str, float]:
    """Return the margin of each kind at which most is gained; the least of those that gain alike."""
    rows = list(spans)

    def gain(kind: str, margin: float) -> float:
        return sum(right - PRICE for own, lead, right in rows if own == kind and lead >= margin)

    return {
        kind: max(LEAST.get(kind, 0.0), max(GRID, key=lambda margin: (gain(kind, margin), -margin))) for kind in kinds
    }


def added_to(
    finder: SpanFinder, network: TagNetwork, owner: HasMargins, held: Held, states: HeldStates | None = None
) -> dict[str, Sequence[Spans]]:
    """Return what the tagger adds to each text of the sets, whatever the owner's margins."""
    own, owner.margins = owner.margins, (0.0,) * len(owner.kinds)
    out: dict[str, Sequence[Spans]] = {
        name: [
            added(finder, network, text, None if states is None else states[name][at])
            for at, text in enumerate(held[name])
        ]
        for name in SETS
    }
    owner.margins = own
    return out


def cross_fitted(
    finder: SpanFinder, owner: HasMargins, held: Held, added_spans: Mapping[str, Sequence[Spans]],
    states: HeldStates | None = None, asked: bool = False,
) -> dict[str, dict[str, Any]]:  # fmt: skip
    """Return the figures of each set, with margins chosen on the other half of the texts of `SETS`.

    Other sets than these are read with margins chosen on both halves.

    Args:
        owner: whose margins are chosen: the network's, or those of the probe, with which it decides.
        added_spans: as `added_to` returns them.
        states: what a host's states say of each text, if they are read.
        asked: whether texts are read after their questions.
    """
    own, out = owner.margins, dict[str, dict[str, Any]]()
    for name in held:
        texts, found = list[Marked](), list[list[Gold]]()
        for half in (0, 1):
            chose = slice(1 - half, None, 2) if name in SETS else slice(None)
            learned = chain.from_iterable(each for rows in added_spans.values() for each in rows[chose])
            owner.margins = tuple(chosen(learned, tuple(owner.kinds)).values())
            for at in range(half, len(held[name]), 2):
                text, said = held[name][at], None if states is None else states[name][at]
                texts.append(text)
                spans = find(finder, text.text, text.question if asked else "", text.left, said)
                found.append([span for span in spans if span.kind in KINDS])
        out[name] = figures(texts, found)
    owner.margins = own
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?",
                        default=Path(str(files("reticent_detectors.finder").joinpath("data", "tagger"))))  # fmt: skip
    parser.add_argument("--benchmarks", type=Path, default=Path("benchmarks"), help="folder of the marked texts")
    args = parser.parse_args()
    network = TagNetwork.load(args.folder)
    spans = added_to(SpanFinder(tagger=network), network, network, read_held(args.benchmarks))
    margins = chosen(chain.from_iterable(chain.from_iterable(spans.values())), network.kinds)
    (args.folder / MARGINS).write_text(json.dumps(margins, indent=0) + "\n", encoding="utf-8")
    print(f"{args.folder / MARGINS}: { ({kind: margin for kind, margin in margins.items() if margin}) }")


if __name__ == "__main__":
    main()
