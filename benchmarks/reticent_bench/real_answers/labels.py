"""What readers marked in the answers: read, compared, and merged into one set of gold spans.

A reader writes one line of JSON for each answer, `{"id": ..., "spans": [[kind, text, nth], ...]}`. The rules are in
`benchmarks/real_answers/GUIDE.md`. What two readers mark alike is gold. Of every other answer a third reader decides
all spans.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from reticent_bench.finder.score import Gold, f1
from reticent_detectors.entities import GENERAL, Entity
from reticent_detectors.errors import InputError

KINDS = frozenset(str(entity) for entity in Entity if entity not in GENERAL and entity is not Entity.OTHER)
"""What the default policy judges."""
_KIND = re.compile(r"[A-Z_]{2,30}")
OVERLAP = 0.5
"""Length that two spans share, over the length that either covers, from which they count as the same value."""
AGREEMENT = 0.93
"""F1 of two readers from which a bar on precision and recall holds."""


@dataclass(frozen=True, slots=True)
class Labels:
    """The spans of each answer by its id, and the answers that are left out for what they may hold."""

    spans: Mapping[str, tuple[Gold, ...]]
    dropped: frozenset[str]

    def __repr__(self) -> str:
        return f"Labels({len(self.spans)} answers, {len(self.dropped)} dropped)"


def lines(file: Path) -> list[str]:
    """The lines of a file of JSON lines that hold anything. They end at line feeds alone: a text may hold U+2028."""
    return [line for line in file.read_text(encoding="utf-8").split("\n") if line.strip()]


def read_answers(*files: Path) -> dict[str, str]:
    """The text of each answer, by `MODEL/PROMPT`."""
    out: dict[str, str] = {}
    for file in files:
        for line in lines(file):
            row = json.loads(line)
            if "text" in row:
                out[f"{row['model']}/{row['id']}"] = row["text"]
    return out


def read_labels(files: Iterable[Path], answers: Mapping[str, str]) -> Labels:
    """Reads one reader's labels, and finds the place of each marked text.

    Raises:
        InputError: a line is no such JSON, an id or a kind is unknown, a text does not occur so often, or two spans
            overlap.
    """
    spans, dropped = dict[str, tuple[Gold, ...]](), set[str]()
    for file in files:
        for number, line in enumerate(lines(file), 1):
            where = f"{file}, line {number}"
            try:
                row = json.loads(line)
                key = row["id"]
                marked = [
                    (str(kind), str(text), int(nth)) for kind, text, nth in ([] if row.get("drop") else row["spans"])
                ]
            except (ValueError, KeyError, TypeError) as error:
                raise InputError(
                    f"{where}: expected id and spans of kind, text and number ({type(error).__name__})."
                ) from error
            if key not in answers:
                raise InputError(f"{where}: no answer has the id {key!r}.")
            if row.get("drop"):
                dropped.add(key)
            spans[key] = _placed(marked, answers[key], f"{where}, {key}")
    return Labels(spans, frozenset(dropped))


def _placed(marked: Sequence[tuple[str, str, int]], answer: str, where: str) -> tuple[Gold, ...]:
    out = list[Gold]()
    for place, (kind, text, nth) in enumerate(marked, 1):
        if kind not in KINDS:
            problem = repr(kind) if _KIND.fullmatch(kind) else "which is no name of one"
            raise InputError(f"{where}, span {place}: unknown kind, {problem}. Spans are of kind, text and number.")
        start = -1
        for _ in range(nth):
            start = answer.find(text, start + 1)
            if start < 0:
                break
        if not text.strip() or nth < 1 or start < 0:
            raise InputError(f"{where}, span {place} ({kind}): the answer does not hold this text {nth} times.")
        out.append(Gold(kind, start, start + len(text)))
    out.sort(key=lambda gold: gold.start)
    for one, next_ in pairwise(out):
        if next_.start < one.end:
            raise InputError(f"{where}: {one.kind} and {next_.kind} overlap at character {next_.start}.")
    return tuple(out)


def is_same(one: Gold, other: Gold, exact: bool = False) -> bool:
    """Whether two spans have one kind, and one range or at least `OVERLAP` of their joint range in common."""
    if one.kind != other.kind:
        return False
    if exact:
        return (one.start, one.end) == (other.start, other.end)
    return is_met(one, other)


def is_met(one: Gold, other: Gold) -> bool:
    """Tell whether two spans of any kinds have at least `OVERLAP` of their joint range in common."""
    shared = min(one.end, other.end) - max(one.start, other.start)
    return shared >= OVERLAP * (max(one.end, other.end) - min(one.start, other.start))


def matches(one: Sequence[Gold], other: Sequence[Gold], exact: bool = False) -> int:
    """How many spans of `one` have a partner of their own in `other`."""
    left, count = list(other), 0
    for span in one:
        partner = next((each for each in left if is_same(span, each, exact)), None)
        if partner is not None:
            left.remove(partner)
            count += 1
    return count


def agreement(one: Labels, other: Labels, exact: bool = False) -> float | None:
    """F1 of one reader against the other, over the answers that both kept; None where neither marked anything."""
    keys = (one.spans.keys() & other.spans.keys()) - one.dropped - other.dropped
    both = sum(matches(one.spans[key], other.spans[key], exact) for key in keys)
    first, second = (sum(len(labels.spans[key]) for key in keys) for labels in (one, other))
    return f1(both / first, both / second) if first and second else None


def disputed(one: Labels, other: Labels) -> list[str]:
    """The answers that both kept and read differently, in order of their ids."""
    keys = (one.spans.keys() & other.spans.keys()) - one.dropped - other.dropped
    return sorted(key for key in keys if one.spans[key] != other.spans[key])


def merge(one: Labels, other: Labels, third: Labels, answers: Collection[str]) -> Labels:
    """Gold labels: what both readers marked alike, and the third reader's spans of the disputed answers.

    An answer that any reader dropped is dropped.

    Args:
        one, other: two readers of all answers.
        third: a reader of those that the two read differently.
        answers: the ids of all.

    Raises:
        InputError: a reader left an answer out, or the third left a disputed one out.
    """
    if left := sorted(set(answers) - (one.spans.keys() & other.spans.keys())):
        raise InputError(f"Both readers must have read every answer; {left[0]} has one reader at most.")
    open_ = set(disputed(one, other))
    dropped = one.dropped | other.dropped | third.dropped
    if missing := sorted(open_ - third.spans.keys()):
        raise InputError(f"The third reader must decide every disputed answer; {missing[0]} is missing.")
    spans = {key: third.spans[key] if key in open_ else own for key, own in one.spans.items() if key not in dropped}
    return Labels(spans, dropped)


def write_gold(labels: Labels, file: Path) -> str:
    """Writes gold labels, a line an answer, and returns the file's SHA-256."""
    rows = [
        json.dumps({"id": key, "spans": [[gold.kind, gold.start, gold.end] for gold in labels.spans[key]]})
        for key in sorted(labels.spans)
    ]
    rows += [json.dumps({"id": key, "drop": True}) for key in sorted(labels.dropped)]
    content = ("\n".join(rows) + "\n").encode()
    file.write_bytes(content)
    return hashlib.sha256(content).hexdigest()


def read_gold(file: Path) -> Labels:
    """Gold labels as `write_gold` leaves them."""
    rows = [json.loads(line) for line in lines(file)]
    spans = {row["id"]: tuple(Gold(*span) for span in row["spans"]) for row in rows if not row.get("drop")}
    return Labels(spans, frozenset(row["id"] for row in rows if row.get("drop")))
