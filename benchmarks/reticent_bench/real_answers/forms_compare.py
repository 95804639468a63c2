"""Forms by triggers beside the present recognisers without their tagger: what each finds, changes and costs.

    python -m reticent_bench.real_answers.forms_compare

Prints F1 with precision and recall on the texts of numbers and on the real answers' kinds that have a form (a span is
right if it shares half of the joint range with a marked one of its kind), how many of 500 harmless technical lines each
finds a value in, microseconds a token over ordinary answers, and the dearest hostile form, in pieces of 1, 7, 64 and
whole.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from reticent_bench.finder import hostile_cost, technical
from reticent_bench.finder.find import Find, default_finder, find, tokens
from reticent_bench.finder.score import Gold, f1
from reticent_bench.real_answers import finder_cost
from reticent_bench.real_answers.labels import matches, read_answers, read_gold
from reticent_bench.real_answers.prompts import prompts
from reticent_bench.real_answers.unseen_texts import NUMBERS, ScoredText, read, rows
from reticent_bench.report.result import table
from reticent_detectors.finder import SpanFinder
from reticent_detectors.finder.forms import FormScan, asked_kinds, found, shipped
from reticent_detectors.finder.forms.kinds import NOBODY

HOSTILE_CHARS = 600
_ANSWERS = 200


def kinds() -> frozenset[str]:
    """Return the kinds that have a form."""
    return frozenset(shipped().kinds) - {NOBODY}


def by_forms(text: str, question: str) -> list[Gold]:
    """Return what the forms find in a text."""
    return [Gold(span.entity, span.start, span.end) for span in found(shipped(), text, asked_kinds(question))]


def numbers(folder: Path, half: str, find_: Find) -> list[ScoredText]:
    """Read the texts of numbers with what is found in them."""
    return rows(read(folder, "numbers", half), find_, NUMBERS)


def real(folder: Path, part: str, find_: Find) -> list[ScoredText]:
    """Read the real answers with what is found in them, of the kinds that have a form."""
    answers = read_answers(*sorted(folder.glob("answers-*.jsonl")))
    questions = {each.id: each.text for each in prompts()}
    out = []
    for key, gold in sorted(read_gold(folder / f"gold-{part}.jsonl").spans.items()):
        spans = find_(answers[key], questions[key.rpartition("/")[2]])
        out.append(ScoredText(*(tuple(s for s in each if s.kind in kinds()) for each in (gold, spans))))
    return out


def scored(own: Sequence[ScoredText]) -> str:
    """Return F1, precision and recall of these texts."""
    hits = sum(matches(row.gold, row.found) for row in own)
    gold, got = sum(len(row.gold) for row in own), sum(len(row.found) for row in own)
    precision, recall = hits / got if got else 0.0, hits / gold
    return f"{f1(precision, recall):.3f} ({precision:.2f}/{recall:.2f})"


def changed(find_: Find) -> int:
    """Count the harmless technical lines in which something is found."""
    return sum(bool(find_(line, "Show me a line of it.")) for _, line in technical.lines())


def token_costs(folder: Path) -> list[float]:
    """Measure the forms: microseconds of each token of read answers."""
    costs = []
    for question, answer in finder_cost.read_part(folder, _ANSWERS):
        scan = FormScan(shipped(), asked_kinds(question))
        for piece in tokens(answer):
            began = time.thread_time_ns()
            scan.feed(piece)
            scan.spans()
            costs.append((time.thread_time_ns() - began) / 1000)
    return costs


def present_costs(folder: Path, finder: SpanFinder) -> list[float]:
    """Measure the present recognisers in the same way."""
    chosen = finder_cost.read_part(folder, _ANSWERS)
    return [cost for question, answer in chosen for cost in finder_cost.token_costs(finder, question, answer)]


def hostile_seconds(text: str, piece: int) -> float:
    """Return the processor time of the forms for a text that comes in pieces; 0: whole."""
    scan = FormScan(shipped())
    began = time.process_time()
    for at in range(0, len(text), piece or len(text)):
        scan.feed(text[at : at + (piece or len(text))])
        scan.spans()
    scan.feed("", closed=True)
    return time.process_time() - began


def dearest(cost: Callable[[str, int], float], forms: Sequence[hostile_cost.Form]) -> str:
    """Return the dearest hostile form, in milliseconds a character, and how many cost more than 0.2."""
    costs = {}
    for form in forms:
        text = form.text(HOSTILE_CHARS)
        each = [min(cost(text, piece) for _ in range(2)) for piece in hostile_cost.PIECES]
        costs[form.name] = 1000 * max(each) / len(text)
    name = max(costs, key=costs.__getitem__)
    over = sum(cost > hostile_cost.GOAL_MS for cost in costs.values())
    return f"{costs[name]:.3f} ms a character ({name}), {over} of {len(costs)} above {hostile_cost.GOAL_MS}"


def main(argv: list[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=Path, default=Path("benchmarks/unseen_texts"))
    parser.add_argument("--answers", type=Path, default=Path("benchmarks/real_answers"))
    parser.add_argument("--forms-only", action="store_true", help="Leaves the present recognisers out.")
    parser.add_argument("--quality-only", action="store_true", help="Leaves the costs out.")
    arguments = parser.parse_args(argv)
    finder = default_finder().untagged()
    columns: dict[str, Find] = {"forms": by_forms}
    if not arguments.forms_only:
        columns["present"] = lambda text, question: find(finder, text, question)
    lines: list[list[Any]] = []
    for half in ("practice", "unread"):
        cells = [scored(numbers(arguments.texts, half, each)) for each in columns.values()]
        lines.append([f"numbers, {half}", *cells])
    for part in ("read", "unread"):
        cells = [scored(real(arguments.answers, part, each)) for each in columns.values()]
        lines.append([f"real answers, {part}", *cells])
    lines.append(["technical lines with a value", *(changed(each) for each in columns.values())])
    if not arguments.quality_only:
        for forms in range(2):  # the first run warms up
            costs = [token_costs(arguments.answers)]
            if forms and not arguments.forms_only:
                costs.append(present_costs(arguments.answers, finder))
        lines.append(["us a token: mean, p99", *(f"{np.mean(c):.1f}, {np.percentile(c, 99):.0f}" for c in costs)])
        hostile = [form for form in hostile_cost.forms() if form.family != hostile_cost.ORDINARY]
        cells = [dearest(hostile_seconds, hostile)]
        if not arguments.forms_only:
            cells.append(dearest(lambda text, piece: hostile_cost.seconds(finder, text, piece), hostile))
        lines.append(["dearest hostile form", *cells])
    print(table(["figure", *columns], lines))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
