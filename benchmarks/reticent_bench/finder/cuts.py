"""Every value, in every form, cut at every place: does the stream release what redaction of the whole text releases?

    python -m reticent_bench.finder.cuts --values 3

A million cuts take hours. With `--parts` an interrupted run continues, as long as the finder is the same.

A *cut* is one answer that arrives in two pieces, behind a prefilled part of the value or of nothing. For each of them:

* no character of a span leaves before its verdict, checked after the first piece;
* what is released, concatenated, equals the redaction of the whole text;
* the part that an answer adds to a prefilled value is judged;
* an answer that ends inside a value, with no more to come, does not release the rest of it: the same, cut short.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from pathlib import Path
from typing import Any

import reticent
import reticent_detectors
from reticent.core.stream_machine import StreamMachine
from reticent.policy.redaction import tag
from reticent.policy.verdict import Action, Decision, Origin, Tier, Verdict
from reticent_bench.finder.values import MAKERS, make
from reticent_bench.report.result import command_line, footer, provenance, table, write
from reticent_bench.report.resumed_parts import Parts
from reticent_detectors.finder import ALL, SpanFinder, tagger
from reticent_detectors.long_runs import progress
from reticent_detectors.spans import FindContext, Span
from reticent_detectors.synth.people import PeopleMaker

REMEMBERED = Decision(Action.REDACT, Verdict(Origin.MEMORIZED, 1.0, 0.0, Tier.HIDDEN))
FRAMES: dict[str, tuple[str, str]] = {
    "prose": ("As far as I know, the {label} of Jo Day is ", ", and nothing else is on file."),
    "sentence end": ("Jo Day's {label} is ", "."),
    "alone": ("", ""),
    "form": ("Name: Jo Day\n{Label}: ", "\nNotes: none\n"),
    "bold": ("The {label} of Jo Day is **", "**."),
    "quoted": ('Her {label} is "', '" according to the file.'),
    "named behind": ("", " is the {label} of Jo Day."),
    "quoted, named behind": ("“", "” is the {label} of Jo Day."),
    "brackets": ("Jo Day ({label}: ", ") was here."),
    "JSON": ('{{"name": "Jo Day", "{key}": "', '"}'),
    "table": ("| name | {label} |\n| --- | --- |\n| Jo Day | ", " |\n"),
    "code": ('user = dict(name="Jo Day", {key}="', '")\n'),
}
"""What stands before and behind a value."""
PART = 8
"""Values whose counts are kept together."""


def redacted_at_once(
    finder: SpanFinder, text: str, context: FindContext, judge: Callable[[Span], Decision], cut: bool = False
) -> str:
    """Redacts a finished text; a stream must release the same, however it is cut.

    The finder is asked once for the whole text. Where an open stream would be held, a cut answer yields a fragment
    unless a whole value comes first.
    """
    out: list[str] = []
    done = 0
    while True:
        scan = finder.next_span(text, done, context=context, closed=False)
        span = scan.span
        if span is None:
            span = finder.next_span(text, scan.frontier, context=context, closed=True).span
            if cut and scan.frontier < len(text):
                fragment = finder.fragment(text, scan.frontier, context=context)
                if fragment and (span is None or (fragment.start, -fragment.end) < (span.start, -span.end)):
                    span = fragment
        if span is None:
            return "".join(out) + text[done:]
        decision = REMEMBERED if span.recognizer == "suppressed" else judge(span)
        out.append(text[done : span.answer_start])
        out.append(tag(span, decision) if decision.action.stops else text[span.answer_start : span.end])
        if decision.suppress and span.recognizer != "suppressed" and not span.fragment:
            left = context.left
            finder = finder.with_suppressed(span.entity, (left + text)[len(left) + span.start : len(left) + span.end])
        done = span.end


def framed(kind: str, value: str) -> Iterator[tuple[str, str, str, str]]:
    """Gives (frame, text before the value, value, text behind it)."""
    label = kind.lower().replace("_", " ")
    for name, (before, after) in FRAMES.items():
        opening = before.format(label=label, Label=label.capitalize(), key=kind.lower())
        yield name, opening, value, after.replace("{label}", label)


class Cuts:
    """Counts what holds and what does not."""

    def __init__(self, finder: SpanFinder) -> None:
        self.finder = finder
        self.done: Counter[str] = Counter()
        self.wrong: Counter[str] = Counter()
        self.found: Counter[str] = Counter()
        self.texts: Counter[str] = Counter()

    def counters(self) -> tuple[Counter[str], ...]:
        return self.done, self.wrong, self.found, self.texts

    def value(self, kind: str, value: str, every: int = 1, frame: str | None = None) -> None:
        """All prefills and splits of one value, in all frames or in one.

        Of the splits behind a prefilled part, it takes each `every`-th.
        """
        for name, before, whole, after in framed(kind, value):
            if frame not in (None, name):
                continue
            self.text(kind, FindContext(), before + whole + after, 1)
            for at in range(1, len(whole)):
                self.text(kind, FindContext(left=before + whole[:at]), whole[at:] + after, every, at)
            for end in range(len(before) + 1, len(before) + len(whole) + 1):
                self.cut_short(kind, before + whole[:end])

    def text(self, kind: str, context: FindContext, text: str, every: int, shift: int = 0) -> None:
        """One answer behind one prompt, split at every `every`-th place."""
        expected = redacted_at_once(self.finder, text, context, lambda span: REMEMBERED)
        self.texts[kind] += 1
        self.found[kind] += expected != text
        for split in range(shift % every, len(text) + 1, every):
            stream = StreamMachine(self.finder, context, lambda span: REMEMBERED)
            out = stream.feed(text[:split], 0.0).text
            early = not expected.startswith(out)
            out += stream.feed(text[split:], 0.0).text + stream.finish(0.0, cut=False).text
            self.done[kind] += 1
            self.wrong[kind] += early or out != expected

    def cut_short(self, kind: str, text: str) -> None:
        """Gives an answer that ends inside the value."""
        expected = redacted_at_once(self.finder, text, FindContext(), lambda span: REMEMBERED, cut=True)
        stream = StreamMachine(self.finder, FindContext(), lambda span: REMEMBERED)
        out = stream.feed(text, 0.0).text + stream.finish(0.0, cut=True).text
        self.done[kind] += 1
        self.wrong[kind] += out != expected


def values(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Yields (kind, value): `count` of each kind with a form, and the values of `count` made-up people.

    The people come from three countries in turn.
    """
    rng, locales = random.Random(seed), ("en_US", "de_DE", "fr_FR")
    people = [PeopleMaker(seed + i, locale) for i, locale in enumerate(locales)]
    for number in range(count):
        for kind in MAKERS:
            yield kind, make(kind, rng, locales[number % 3])
        person = people[number % 3].draw(f"cuts-{number}")
        yield "PERSON", person.name
        for entity, value in person.values.items():
            if entity not in MAKERS:
                yield str(entity), value


def measured(task: tuple[str, str, str], every: int) -> tuple[Counter[str], ...]:
    """Gives the counters of all cuts of one kind and value in one frame."""
    kind, value, frame = task
    cuts = Cuts(SpanFinder(ALL, tagger=tagger.shipped()))
    cuts.value(kind, value, every, frame)
    return cuts.counters()


def measured_together(pool: Executor, units: Sequence[tuple[str, str]], every: int) -> list[tuple[Counter[str], ...]]:
    """Measures some values on all processes. A frame is a task of its own, as one value may take minutes."""
    tasks = [(kind, value, frame) for kind, value in units for frame in FRAMES]
    return list(pool.map(measured, tasks, [every] * len(tasks)))


def finder_digest() -> str:
    """Gives the SHA-256 of the code and networks that decide a cut, so that no figures of others are added."""
    whole = hashlib.sha256()
    detectors, guard = (Path(package.__file__ or "").parent for package in (reticent_detectors, reticent))
    for folder in (detectors, guard / "core", guard / "policy", Path(__file__).parent):
        for file in sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"):
            whole.update(str(file.relative_to(folder)).encode() + b"\0" + file.read_bytes())
    return whole.hexdigest()


def main() -> None:
    """Measures and writes `span-cuts`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results"))
    parser.add_argument("--values", type=int, default=3, help="of each kind")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--every", type=int, default=3, help="behind a prefilled part, split at each so many-th place")
    parser.add_argument("--parts", type=Path, help="a folder that keeps the counts, so that the run can continue")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    started = time.perf_counter()
    units = list(values(arguments.values, arguments.seed))
    kinds = list(dict.fromkeys(kind for kind, _ in units))
    cuts = Cuts(SpanFinder(ALL, tagger=tagger.shipped()))
    options = [arguments.values, arguments.every, arguments.seed]
    with ProcessPoolExecutor(arguments.jobs) as pool, progress.shown("values") as advance:
        parts = Parts(arguments.parts, [finder_digest(), *options], advance, "cuts")
        for one in parts.over("values", units, lambda part, _: measured_together(pool, part, arguments.every), PART):
            for mine, theirs in zip(cuts.counters(), one, strict=True):
                mine.update(theirs)
    figures: dict[str, Any] = {
        "cuts": cuts.done.total(),
        "wrong": cuts.wrong.total(),
        "seconds": time.perf_counter() - started,
        "kinds": {
            kind: {
                "cuts": cuts.done[kind],
                "wrong": cuts.wrong[kind],
                "texts": cuts.texts[kind],
                "with a span": cuts.found[kind],
            }
            for kind in kinds
        },
        "made_by": provenance(command_line(), arguments.seed),
    }
    rows = [[kind, *row.values()] for kind, row in figures["kinds"].items()]
    text = (
        f"# Cuts of the stream\n\n{figures['cuts']} cuts, {figures['wrong']} of them released something else than "
        "redaction of the whole text.\n\n"
    )
    text += table(["kind", "cuts", "wrong", "texts", "with a span"], rows)
    write(arguments.out, "span-cuts", figures, text + footer(figures))
    parts.clear()
    print(text)


if __name__ == "__main__":
    main()
