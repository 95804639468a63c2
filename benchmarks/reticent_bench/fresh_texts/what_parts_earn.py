"""What each part of the finder earns: the finder as it is, and without the part, on opened sets and on attempts.

The sets were opened before. They serve here to choose what stays, and measure nothing new.

Each text is read by the finder as it is, which notes the parts that answered anything there. Without a part only those
of its texts are read again: where it said nothing, the finder does the same without it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from reticent import Policy, TextGuard
from reticent.records import RecordsIndex
from reticent_bench.attacks.attempt import Attempt
from reticent_bench.attacks.kinds import KINDS as ATTACKS
from reticent_bench.attacks.measure import BEHIND
from reticent_bench.attacks.readings import shows
from reticent_bench.attacks.values import VALUES
from reticent_bench.finder.data import LabelledText, labelled_sets
from reticent_bench.finder.disguise_forms import FORMS
from reticent_bench.finder.find import find
from reticent_bench.finder.parts import PARTS, Part, finder_lines, left_out, watched
from reticent_bench.finder.quality import LABEL_ONLY
from reticent_bench.finder.score import Gold
from reticent_bench.finder.structured import CUED
from reticent_bench.finder.values import make
from reticent_bench.fresh_texts.sets import DOORS, SETS, FreshText, read
from reticent_bench.real_answers import unseen_texts
from reticent_bench.real_answers.labels import KINDS, matches
from reticent_bench.report.result import table
from reticent_detectors.entities import GENERAL
from reticent_detectors.finder import SpanFinder, recognizers
from reticent_detectors.finder.disguises.disguises import Disguised
from reticent_detectors.finder.form_values import FormValues
from reticent_detectors.finder.forms import Kinds
from reticent_detectors.finder.tagger import TagNetwork, shipped
from reticent_detectors.finder.tagger.network import TagState
from reticent_detectors.spans import FindContext

PRACTICE = "practice"
"""The practice halves of the unseen texts, on which finders were built."""
CUT_SETS, _CUT = ("unannounced", "numbers"), 0.6
"""The sets whose values are cut short as well, and after what share of a value the text ends."""
NAMES, HELD, DISGUISED = "names", "cut", "disguised"
GUARDS = {"unknown": "unknown: redact", "records": "default, with records"}
_NAMED_TEXTS = 400
_COVERED = 0.8
Say = Callable[[str], None]


class _State:
    """What was read so far, of which the network's own state is made only where something new is read."""

    __slots__ = ("own", "read")

    def __init__(self, read: tuple[tuple[tuple[int, ...], bool], ...] = (), own: TagState | None = None) -> None:
        self.read, self.own = read, own


class RememberedNetwork(TagNetwork):
    """A tagger that reads each text once, and then says the same again: what it says depends on no other part."""

    def __init__(self, network: TagNetwork) -> None:
        self.__dict__.update(network.__dict__)
        self._network, self._said = network, dict[Any, Any]()

    def begin(self, question: tuple[int, ...] = ()) -> Any:
        """Return the state before the first word, after a question in pieces."""
        return self.read(_State(), question, asked=True)[1] if question else _State()

    def read(self, state: Any, rows: tuple[int, ...], asked: bool = False) -> Any:
        """Take a segment, and return its logits [N, 1 + 2K] and the state after it."""
        key, own = (*state.read, (rows, asked)), None
        if key not in self._said:
            if state.own is None:
                state.own = self._network.begin()
                for before, was_asked in state.read:
                    state.own = self._network.read(state.own, before, was_asked)[1]
            self._said[key], own = self._network.read(state.own, rows, asked)
        return self._said[key], _State(key, own)


class Finders:
    """The finders and guards of one measurement. They are made where it is decided which part is left out."""

    def __init__(self, tagger: TagNetwork) -> None:
        self._tagger = tagger
        self.usual = SpanFinder(_rows(), tagger=tagger)
        self.general = SpanFinder(_rows(GENERAL))

    @cached_property
    def guards(self) -> dict[str, TextGuard]:
        """The guard that stops whatever is found, and the one that knows the values."""
        index = RecordsIndex.build([(value.entity, value.written) for value in VALUES.values()])
        known = TextGuard(Policy.default(), records=index, finder=self.usual)
        return {"unknown": TextGuard(finder=self.usual), "records": known}


def _rows(also: Sequence[str] | frozenset[Any] = ()) -> list[Any]:
    """Give the shipped rows with kinds of their own, so that they keep nothing of an earlier measurement."""
    rows = recognizers(also)
    given = next(row for row in rows if isinstance(row, FormValues))
    forms = FormValues(Kinds(given.kinds.kinds.values()), given.only)
    return [Disguised(forms) if isinstance(row, Disguised) else forms if row is given else row for row in rows]


class Task(Protocol):
    """Something that is measured with each finder."""

    def run(self, finders: Finders) -> Counter[str]:
        """Return what is counted."""
        ...


@dataclass(frozen=True, slots=True)
class Reading:
    """A text that is read whole."""

    door: str
    text: FreshText | unseen_texts.Text = field(repr=False)
    kinds: frozenset[str] = field(default=KINDS, repr=False)

    def run(self, finders: Finders) -> Counter[str]:
        """Count its values, those that are found, and spans; by kind the values that are found."""
        question = self.text.question if self.door == DOORS[0] else ""
        spans = [span for span in find(finders.usual, self.text.text, question) if span.kind in self.kinds]
        return _counted(self.text.gold, spans)


@dataclass(frozen=True, slots=True)
class NamedReading:
    """A labelled text that is read for people, places and the like."""

    text: LabelledText = field(repr=False)

    def run(self, finders: Finders) -> Counter[str]:
        """Count its names, those that are found, and spans."""
        spans = [span for span in find(finders.general, self.text.text) if span.kind in GENERAL]
        return _counted([gold for gold in self.text.gold if gold.kind in GENERAL], spans)


def _counted(gold: Sequence[Gold], spans: Sequence[Gold]) -> Counter[str]:
    out = Counter({"values": len(gold), "spans": len(spans), "right": matches(gold, spans), "with a span": bool(spans)})
    for kind in {each.kind for each in gold}:
        out[kind] += matches([each for each in gold if each.kind == kind], [s for s in spans if s.kind == kind])
    return out


@dataclass(frozen=True, slots=True)
class CutValue:
    """An answer that ends within a value."""

    text: FreshText = field(repr=False)
    gold: Gold = field(repr=False)

    def run(self, finders: Finders) -> Counter[str]:
        """Count it if nothing of the value is shown."""
        length = max(1, round(_CUT * (self.gold.end - self.gold.start)))
        text, context, frontier = (
            self.text.text[: self.gold.start + length],
            FindContext(question=self.text.question),
            0,
        )
        while (scan := finders.usual.next_span(text, frontier, context=context, closed=False)).span is not None:
            frontier = scan.frontier
        frontier = scan.frontier
        while (span := finders.usual.fragment(text, frontier, context=context)) is not None:
            if span.start <= self.gold.start and span.end == len(text):
                return Counter({"right": 1})
            frontier = span.end
        return Counter()


@dataclass(frozen=True, slots=True)
class DisguisedValue:
    """A made-up value in a disguise, in a sentence."""

    form: str
    text: str = field(repr=False)
    start: int
    end: int

    def run(self, finders: Finders) -> Counter[str]:
        """Count it by its form if spans of any kind cover most of it."""
        spans = find(finders.usual, self.text)
        covered = sum(max(0, min(each.end, self.end) - max(each.start, self.start)) for each in spans)
        return Counter({self.form: 1} if covered >= _COVERED * (self.end - self.start) else {})


@dataclass(frozen=True, slots=True)
class Evasion:
    """An attempt to write a value past a guard."""

    guard: str
    kind: str
    attempt: Attempt = field(repr=False)

    def run(self, finders: Finders) -> Counter[str]:
        """Count it by its kind if the value gets out."""
        shown = finders.guards[self.guard].redact(self.attempt.text + BEHIND).text
        return Counter({self.kind: 1} if shows(self.attempt.value, shown, self.attempt.read) else {})


Groups = Mapping[str, Sequence[Task]]


def tasks(fresh: Path, unseen: Path, most: int, data: Path | None) -> dict[str, list[Task]]:
    """Return what is measured, in groups.

    Args:
        fresh, unseen: folders of the fresh sets and of the unseen texts.
        most: attempts of each kind.
        data: folder with the labelled sets; None leaves them out.
    """
    texts = {set_: read(fresh, set_) for set_ in SETS}
    out: dict[str, list[Task]] = {
        f"{set_}, {door}": [Reading(door, text) for text in rows] for set_, rows in texts.items() for door in DOORS
    }
    counted = {"unannounced": KINDS, "numbers": unseen_texts.NUMBERS}
    practice = [(text, kinds) for set_, kinds in counted.items() for text in unseen_texts.read(unseen, set_, PRACTICE)]
    out |= {f"{PRACTICE}, {door}": [Reading(door, text, kinds) for text, kinds in practice] for door in DOORS}
    out[HELD] = [CutValue(text, gold) for set_ in CUT_SETS for text in texts[set_] for gold in text.gold]
    tried = list(_attempts(most))
    out |= {guard: [Evasion(guard, kind, attempt) for kind, attempt in tried] for guard in GUARDS}
    out[DISGUISED] = list(_disguised())
    named = [] if data is None else [rows[:: -(-len(rows) // _NAMED_TEXTS)] for _, rows in labelled_sets(data)]
    return out | {NAMES: [NamedReading(row) for rows in named for row in rows]}


def _attempts(most: int) -> Iterator[tuple[str, Attempt]]:
    for kind in ATTACKS:
        readable = [each for each in kind.attempts() if shows(each.value, each.text, each.read)]
        yield from ((kind.name, each) for each in readable[:: -(-len(readable) // most)])


def _disguised() -> Iterator[DisguisedValue]:
    """Make one value of each kind with a form in each disguise."""
    for name, form in FORMS.items():
        for kind in (kind for kind in CUED if kind not in LABEL_ONLY):
            rng = random.Random(f"{name}|{kind}")
            value = make(kind, rng, "en_US")
            before, _, after = rng.choice(CUED[kind].split("|")).partition("{v}")
            written = form(value)
            if written != value:
                yield DisguisedValue(name, before + written + after, len(before), len(before) + len(written))


def measure(groups: Groups, tagger: TagNetwork | None = None, parts: Sequence[Part] = PARTS, say: Say = print) -> Any:
    """Run the tasks with the finder as it is, and without each part.

    Args:
        groups: of `tasks`.
        tagger: None takes the one that the package brings.
        parts: what is left out, one after the other.
        say: is told of each part that is done.

    Returns:
        What is counted by group for the finder as it is (`whole`), and of each part the groups that change (`without`).
    """
    network = RememberedNetwork(shipped() if tagger is None else tagger)
    whole, matter = _whole(groups, network, parts)
    totals = {group: _total(counted) for group, counted in whole.items()}
    say(f"the finder as it is: {_summary(totals)}")
    rows = list[dict[str, Any]]()
    for part in parts:
        with left_out(part):
            finders = Finders(network)
            without = {
                group: _total([
                    task.run(finders) if (group, at) in matter[part.name] else known
                    for at, (task, known) in enumerate(zip(groups[group], counted, strict=True))
                ])
                for group, counted in whole.items()
            }  # fmt: skip
        changed = {group: own for group, own in without.items() if own != totals[group]}
        rows.append({"part": part.name, "lines": part.lines, "texts": len(matter[part.name]), "without": changed})
        say(f"{part.name}: {_summary(without)}")
    return {
        "lines": finder_lines(),
        "tasks": {group: len(own) for group, own in groups.items()},
        "idle": sum(not row["without"] for row in rows),
        "whole": totals,
        "parts": rows,
    }


def _whole(
    groups: Groups, network: TagNetwork, parts: Sequence[Part]
) -> tuple[dict[str, list[Counter[str]]], dict[str, set[tuple[str, int]]]]:
    """Return what is counted with the finder as it is, and for each part the tasks in which it answered anything."""
    answered, matter = set[str](), {part.name: set[tuple[str, int]]() for part in parts}
    counted = dict[str, list[Counter[str]]]()
    with watched(parts, lambda part: answered.add(part.name)):
        finders = Finders(network)
        for group, own in groups.items():
            counted[group] = []
            for at, task in enumerate(own):
                answered.clear()
                counted[group].append(task.run(finders))
                for name in answered:
                    matter[name].add((group, at))
    return counted, matter


def _total(counted: Sequence[Counter[str]]) -> dict[str, int]:
    total = Counter[str]()
    for each in counted:
        total.update(each)
    return dict(total)


def _summary(totals: Mapping[str, Mapping[str, int]]) -> str:
    """Say how many values each group has found, or attempts got out."""
    by_name = (*GUARDS, DISGUISED)
    found = {group: sum(own.values()) if group in by_name else own.get("right", 0) for group, own in totals.items()}
    return ", ".join(f"{group} {count}" for group, count in found.items())


def f1(own: Mapping[str, int]) -> float | None:
    """Give twice the right ones over values and spans; None where there are no values."""
    return 2 * own.get("right", 0) / (own["values"] + own["spans"]) if own.get("values") else None


def recall(own: Mapping[str, int]) -> float | None:
    """Give the right ones over values; None where there are none."""
    return own.get("right", 0) / own["values"] if own.get("values") else None


def render(figures: Mapping[str, Any]) -> str:
    """Render the page."""
    count, whole = figures["tasks"], figures["whole"]
    texts = ", ".join(f"{count[f'{set_}, {DOORS[0]}']} of {set_}" for set_ in SETS)
    page = (
        "# What the parts of the finder earn\n\n"
        f"The finder as it is, and without each part, on the fresh sets ({texts}), the practice half of the unseen "
        f"texts ({count[f'{PRACTICE}, {DOORS[0]}']}), and {count['unknown']} attempts to write a value past the "
        "guard. **All of these were opened before: here they choose what stays, and measure nothing new.**\n\n"
        "In a cell: values lost without the part / wrong spans gone with it, first after the question, then on the "
        "text alone; one figure where both are nothing.\n\n"
        f"- *cut*: of the values of {' and '.join(CUT_SETS)} those that are no longer stopped where the answer ends "
        f"after {_CUT:.0%} of one.\n"
        "- *unknown*, *records*: how many more attempts get out under `unknown: redact` without records, and under "
        "the policy `default` with an index of the values.\n"
        f"- *disguised*: of {count[DISGUISED]} made-up values in {len(FORMS)} disguises that the finder was built for, "
        "those that are no longer found.\n"
        f"- *names*: people, places, organisations and groups in {count[NAMES]} labelled texts, where they are asked "
        "for.\n"
        "- *only it*: kinds of which nothing is found in the sets without it.\n"
        "- Lines are of Python. A part with none is a piece of another one's file.\n\n"
    )
    head = ["part", "lines", *SETS, PRACTICE, "cut", *GUARDS, DISGUISED, NAMES, "only it"]
    page += table(head, [_row(part, whole) for part in figures["parts"]])
    page += "\n## The finder as it is\n\n"
    sets = [*(f"{set_}, {door}" for set_ in (*SETS, PRACTICE) for door in DOORS), *([NAMES] if count[NAMES] else [])]
    rows = [
        [name, own["values"], own["spans"], own["with a span"], f1(own), recall(own)]
        for name in sets
        for own in [whole[name]]
    ]
    page += table(["set", "values", "spans", "texts with a span", "F1", "recall"], rows)
    out = ", ".join(f"{sum(whole[guard].values())} under `{what}`" for guard, what in GUARDS.items())
    return page + (
        f"\nOf the attempts {out} get out. {whole[HELD].get('right', 0)} of {count[HELD]} values are stopped where the "
        f"answer ends within them, and {sum(whole[DISGUISED].values())} of {count[DISGUISED]} disguised ones are "
        "found.\n"
    )


def _row(part: Mapping[str, Any], whole: Mapping[str, Mapping[str, int]]) -> list[Any]:
    without = {**whole, **part["without"]}

    def change(group: str) -> str:
        before, after = whole[group], without[group]
        lost = before.get("right", 0) - after.get("right", 0)
        return f"{lost} / {before.get('spans', 0) - after.get('spans', 0) - lost}"

    def both(set_: str) -> str:
        cells = [change(f"{set_}, {door}") for door in DOORS]
        return "0" if set(cells) == {"0 / 0"} else "; ".join(cells)

    held = whole[HELD].get("right", 0) - without[HELD].get("right", 0)
    out = [sum(without[guard].values()) - sum(whole[guard].values()) for guard in GUARDS]
    shown = sum(whole[DISGUISED].values()) - sum(without[DISGUISED].values())
    only = ", ".join(sorted(_kinds(whole) - _kinds(without)))
    sets = map(both, (*SETS, PRACTICE))
    return [part["part"], part["lines"] or "", *sets, held, *out, shown, change(NAMES), only]


def _kinds(totals: Mapping[str, Mapping[str, int]]) -> set[str]:
    """Give the kinds of which something is found in the sets."""
    sets = [own for group, own in totals.items() if group not in (*GUARDS, HELD, DISGUISED, NAMES)]
    return {kind for own in sets for kind, count in own.items() if count and kind in KINDS}
