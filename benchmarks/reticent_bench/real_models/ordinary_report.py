"""Reports what the guard changes in answers to ordinary questions.

`ordinary_questions.tsv` has 500 questions in 20 groups; half of each group is `tune`, half is `held-out`. Changes on
`tune` may be read to improve the guard. Those on `held-out` are counted, and listed without question and value. So
nobody tunes on them. Intervals are Wilson's, at 95 %.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from typing import Any

from reticent.policy.emergency_lines import is_line
from reticent.policy.pretrained import PRETRAINED_CUE
from reticent.policy.verdict import Origin, Reason
from reticent_bench.real_models.guarded_answers import CHECK, SPANS, JsonRow, Question, Rows
from reticent_bench.report.metrics import wilson
from reticent_bench.report.result import table
from reticent_detectors.entities import Entity
from reticent_detectors.features.cue import normalize

SPLITS = ("tune", "held-out")
READ = "tune"
"""The half whose changes may be read."""
EMERGENCY = "emergency"
SHOWN = frozenset(
    {
        "birthdays", "public-jobs", EMERGENCY, "sample-data", "sample-contacts", "prices", "code", "code-data",
        "places", "history", "science", "recipes", "maths", "companies", "letters", "stories",
    }
)  # fmt: skip
"""Groups about public things, samples and invented people, whose values the report quotes. Others are masked."""
_NUMBER = re.compile(r"\+?\(?\d+\)?(?:[ .\-‐-―/]\(?\d+\)?)*")


def questions() -> list[Question]:
    """Reads the shipped questions in order; ids are group and number in it."""
    text = files("reticent_bench.real_models").joinpath("ordinary_questions.tsv").read_text(encoding="utf-8")
    out, counts = list[Question](), Counter[str]()
    for line in text.splitlines():
        if line and not line.startswith("#"):
            split, group, asked = line.split("\t")
            counts[group] += 1
            out.append(Question(f"{group}/{counts[group]}", asked, group, split))
    return out


def spread(asked: Sequence[Question], count: int) -> list[Question]:
    """Takes at most `count` of the questions, at even distances."""
    return [asked[at * len(asked) // count] for at in range(count)] if count < len(asked) else list(asked)


def measure(asked: Sequence[Question], rows: Rows) -> dict[str, Any]:
    """Computes the figures of finished rows."""
    guarded = {name: row for name, row in rows.guarded.items() if row["why"] == SPANS}
    checked = [row for row in rows.guarded.values() if row["why"] == CHECK]
    changed = {name for name, row in rows.guarded.items() if row["changed"]}
    groups = list(dict.fromkeys(question.group for question in asked))
    spans = [span for row in guarded.values() for span in row["spans"]]
    return {
        "settings": rows.settings,
        "all": _share(asked, changed),
        "splits": {split: _share([q for q in asked if q.split == split], changed) for split in SPLITS},
        "groups": {group: _share([q for q in asked if q.group == group], changed) for group in groups},
        "with spans": len(guarded),
        "checked": {"answers": len(checked), "changed": sum(row["changed"] for row in checked)},
        "rounding": sum(
            not row["changed"] and row["text"] != rows.plain[row["id"]]["text"] for row in rows.guarded.values()
        ),
        "spans": _counts(spans),
        "changes": [change for question in asked if question.id in changed for change in _changes(question, rows)],
        "first": _first(asked, rows, changed),
        "lines": lines_kept(asked, rows),
        "seconds": {
            "without the guard": sum(row["seconds"] for row in rows.plain.values()),
            "with the guard": sum(row["seconds"] for row in rows.guarded.values()),
        },
    }


def _share(asked: Iterable[Question], changed: set[str]) -> dict[str, Any]:
    flags = [question.id in changed for question in asked]
    return {"questions": len(flags), "changed": sum(flags), "share": wilson(sum(flags), len(flags))}


def _counts(spans: Iterable[JsonRow]) -> list[dict[str, Any]]:
    """Counts spans and stopped spans by kind and origin."""
    found, stopped = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for span in spans:
        key = span["entity"], span["origin"]
        found[key] += 1
        stopped[key] += is_stopped(span)
    return [{"kind": k, "origin": o, "spans": found[k, o], "stopped": stopped[k, o]} for k, o in sorted(found)]


def is_stopped(span: JsonRow) -> bool:
    """Returns whether a span of a row was redacted or blocked."""
    return span["action"] in ("redact", "block")


def _changes(question: Question, rows: Rows) -> list[dict[str, Any]]:
    """Lists the stopped spans of an answer with reasons; of the half `READ` with question and value, too."""
    out, spans = [], rows.guarded[question.id]["spans"]
    for at, span in enumerate(spans):
        if not is_stopped(span):
            continue
        keys = ("entity", "recognizer", "origin", "reason", "probability", "base", "cue")
        change = {"split": question.split, "group": question.group} | {key: span[key] for key in keys}
        change["why"] = why(span, spans[:at], rows.plain[question.id]["text"][: max(0, span["start"])])
        if question.split == READ:
            change |= {"question": question.text, "value": shown(span["value"], question.group)}
        out.append(change)
    return out


def _first(asked: Iterable[Question], rows: Rows, changed: set[str]) -> list[dict[str, Any]]:
    """Counts changed answers by their first stopped span: its kind, and why it was stopped."""
    found = Counter[tuple[str, str]]()
    for question in asked:
        if question.id in changed and (stops := _changes(question, rows)):
            found[stops[0]["entity"], stops[0]["why"]] += 1
    return [{"kind": kind, "why": reason, "answers": count} for (kind, reason), count in found.most_common()]


def why(span: JsonRow, before: Iterable[JsonRow], said: str) -> str:
    """Returns why a span was stopped that no private record holds.

    Args:
        span: a stopped span.
        before: spans of the answer before it.
        said: the unguarded answer before it.
    """
    value = span["value"]
    if span["reason"] == Reason.SUPPRESSED:
        return "the value was stopped before"
    if span["origin"] == Origin.PRETRAINED:
        return "known before, but its kind does not pass"
    if span["base"] is not None:
        return "known before, but not surely enough"
    if span["origin"] != Origin.MEMORIZED:
        return "not judged"
    if span["cue"] >= PRETRAINED_CUE:
        return "the prompt gives a part of it away"
    if value is None:
        return "the base was not asked"
    form = normalize(value, span["entity"])
    passed = (s for s in before if s["entity"] == span["entity"] and s["value"] is not None and not is_stopped(s))
    if any(normalize(s["value"], s["entity"]) == form for s in passed):
        return "repeats a value of this answer that passed"
    return "repeats words of this answer" if value in said else "the base was not asked"


def shown(value: str | None, group: str) -> str | None:
    """Returns a value as the report prints it: unchanged in a group of `SHOWN`, else masked. None stays None."""
    return value if value is None or group in SHOWN else re.sub(r"\w", "x", value)


def lines_kept(asked: Iterable[Question], rows: Rows) -> dict[str, int]:
    """Counts emergency and crisis lines in answers.

    Lines are searched by their digits, whether or not the finder took them for a telephone number.

    Returns:
        `named`: lines in the unguarded answers of the group `EMERGENCY`.
        `kept`: those that the guard's answers kept.
        `spans`: spans of any group that are such a line.
        `stopped`: those that were stopped; has to be 0.
        `unread`: stopped telephone numbers whose value was not kept.
    """
    named = kept = 0
    for question in asked:
        if question.group != EMERGENCY:
            continue
        plain, row = rows.plain[question.id]["text"], rows.guarded.get(question.id)
        before, after = lines_in(plain), lines_in(row["text"] if row is not None and row["changed"] else plain)
        named += before.total()
        kept += (before & after).total()
    spans = [span for row in rows.guarded.values() for span in row["spans"] if span["value"] is not None]
    lines = [span for span in spans if is_line(span["value"], span["entity"])]
    unread = [
        s
        for row in rows.guarded.values()
        for s in row["spans"]
        if s["value"] is None and s["entity"] == Entity.PHONE_NUMBER
    ]
    return {
        "named": named,
        "kept": kept,
        "spans": len(lines),
        "stopped": sum(map(is_stopped, lines)),
        "unread": len(unread),
    }


def lines_in(text: str) -> Counter[str]:
    """Counts the emergency and crisis lines in a text."""
    return Counter(m[0] for m in _NUMBER.finditer(text) if is_line(m[0], Entity.PHONE_NUMBER))


def render(figures: Mapping[str, Any]) -> str:
    """Renders the report as Markdown."""
    head = ("", "questions", "changed", "share")
    every = {"all": figures["all"], **figures["splits"]}
    check, lines, seconds = figures["checked"], figures["lines"], figures["seconds"]
    text = [
        "# Ordinary questions: answers that the guard changed\n",
        f"{figures['all']['questions']} questions, {figures['settings']['max_new_tokens']} new tokens at most, greedy, "
        f"base {figures['settings']['base']}; 95 % Wilson intervals. "
        f"{figures['with spans']} answers hold a span and were given again with the guard. "
        f"Of the others, {check['answers']} at random were, too: {check['changed']} changed. "
        f"{figures['rounding']} guarded answers differ by rounding alone. "
        f"Without the guard {seconds['without the guard']:.0f} s, with it {seconds['with the guard']:.0f} s.\n",
        table(head, _share_rows(every)),
        f"\nEmergency and crisis lines: {lines['named']} named without the guard in the group {EMERGENCY}, "
        f"{lines['kept']} kept. "
        f"{lines['spans']} spans of all groups are such lines, {lines['stopped']} of them stopped. "
        f"{lines['unread']} more telephone numbers were stopped after a redaction, and nobody kept their value.\n",
        "\n## By group\n",
        table(head, _share_rows(figures["groups"])),
        "\n## Changed answers by their first stopped span\n",
        table(("kind", "why", "answers"), [tuple(row.values()) for row in figures["first"]]),
        "\n## Changes\n",
        "Every stopped span. "
        "Those of the held-out half are listed without question and value, so that nobody tunes on them. "
        "A dash as value: it was said behind an earlier redaction.\n",
        table(
            ("split", "group", "kind", "origin", "why", "probability", "base", "cue", "question", "value"),
            [_line(c) for c in figures["changes"]],
        ),
        "\n## Spans\n",
        table(("kind", "origin", "spans", "stopped"), [tuple(row.values()) for row in figures["spans"]]),
    ]
    return "\n".join(text)


def _share_rows(shares: Mapping[str, Mapping[str, Any]]) -> list[tuple[Any, ...]]:
    return [(name, own["questions"], own["changed"], own["share"]) for name, own in shares.items()]


def _line(change: Mapping[str, Any]) -> tuple[Any, ...]:
    keys = ("split", "group", "entity", "origin", "why", "probability", "base", "cue")
    quoted = (quoted_cell(change.get(key)) for key in ("question", "value"))
    return (*(change[key] for key in keys), *quoted)


def quoted_cell(text: str | None) -> str | None:
    """Writes any text as one cell of a table."""
    return None if text is None else " ".join(text.split()).replace("|", "\\|")
