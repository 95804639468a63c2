"""The default finder on labelled answers: precision and recall, by part, sort and kind.

A found span is right if a gold span of the same kind shares at least half of their joint range with it. Exact ranges
are listed beside. Intervals are of a bootstrap over prompts, at 95 %.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from reticent_bench.finder.find import default_finder, find
from reticent_bench.finder.score import Gold
from reticent_bench.real_answers.labels import AGREEMENT, KINDS, Labels, is_same, matches
from reticent_bench.real_answers.prompts import AnswerPrompt, is_unread
from reticent_bench.report.metrics import bootstrap, share
from reticent_bench.report.result import table
from reticent_detectors.finder import SpanFinder

PARTS = ("read", "unread")


@dataclass(frozen=True, slots=True)
class ScoredAnswer:
    """One answer: its part, its marked spans, and the spans found by the whole finder and without its tagger."""

    model: str
    prompt: str
    sort: str
    language: str
    gold: tuple[Gold, ...]
    found: tuple[Gold, ...]
    untagged: tuple[Gold, ...] = ()

    @property
    def part(self) -> str:
        return "unread" if is_unread(self.model, self.sort) else "read"

    def __repr__(self) -> str:
        return f"ScoredAnswer({self.model!r}, {self.sort!r}, {len(self.gold)} gold, {len(self.found)} found)"


def read_all(answers: Mapping[str, str], labels: Labels, asked: Sequence[AnswerPrompt]) -> list[ScoredAnswer]:
    """Every labelled answer with what the default finder finds in it behind its prompt."""
    finders, by_id = (default_finder(), SpanFinder().untagged()), {each.id: each for each in asked}
    out = []
    for key, gold in sorted(labels.spans.items()):
        model, _, number = key.rpartition("/")
        prompt = by_id[number]
        found = (tuple(s for s in find(finder, answers[key], prompt.text) if s.kind in KINDS) for finder in finders)
        out.append(ScoredAnswer(model, number, prompt.sort, prompt.language, gold, *found))
    return out


def measure(rows: Sequence[ScoredAnswer]) -> dict[str, Any]:
    """Figures of each part: in all, exact, by sort, by model, by language and by kind."""
    out: dict[str, Any] = {}
    for part in PARTS:
        own = [row for row in rows if row.part == part]
        if own:
            out[part] = {
                "answers": len(own), "all": _figures(own), "exact": _figures(own, exact=True),
                "untagged": _figures([replace(row, found=row.untagged) for row in own]),
                "by sort": _by(own, "sort"), "by model": _by(own, "model"), "by language": _by(own, "language"),
                "by kind": _kinds(own),
            }  # fmt: skip
    return out


def _by(rows: Sequence[ScoredAnswer], field: str) -> dict[str, Any]:
    groups = defaultdict(list)
    for row in rows:
        groups[getattr(row, field)].append(row)
    return {name: _figures(groups[name]) for name in sorted(groups)}


def _figures(rows: Sequence[ScoredAnswer], exact: bool = False) -> dict[str, Any]:
    hits = np.array([matches(row.gold, row.found, exact) for row in rows], dtype=float)
    gold, found = (np.array([len(getattr(row, name)) for row in rows], dtype=float) for name in ("gold", "found"))

    def figure(weight: Any) -> list[float]:
        with np.errstate(invalid="ignore", divide="ignore"):
            return [float((weight * hits).sum() / (weight * each).sum()) for each in (found, gold)]

    # Where nothing or everything is right, a bootstrap cannot vary: there the interval is Clopper-Pearson's.
    right, prompts = int(hits.sum()), np.array([row.prompt for row in rows])
    drawn: Any = bootstrap(figure, prompts) if gold.sum() and found.sum() else (None, None)
    totals = [int(found.sum()), int(gold.sum())]
    precision, recall = (
        None if not total else share(right, total) if right in (0, total) else interval
        for total, interval in zip(totals, drawn, strict=True)
    )
    return {"gold": totals[1], "found": totals[0], "precision": precision, "recall": recall}


def _kinds(rows: Sequence[ScoredAnswer]) -> dict[str, Any]:
    """By kind, and which kinds the finder gave to gold spans of another one, or to none."""
    out = {}
    for kind in sorted({span.kind for row in rows for span in (*row.gold, *row.found)}):
        own = [
            replace(
                row,
                gold=tuple(s for s in row.gold if s.kind == kind),
                found=tuple(s for s in row.found if s.kind == kind),
            )
            for row in rows
        ]
        wrong = Counter[str]()
        for row in rows:
            for span in row.found:
                if span.kind == kind and not any(is_same(span, gold) for gold in row.gold):
                    met = [gold for gold in row.gold if gold.start < span.end and span.start < gold.end]
                    wrong[met[0].kind if met else "nothing"] += 1
        out[kind] = {**_figures(own), "wrong": dict(wrong.most_common())}
    return out


def render(figures: Mapping[str, Any]) -> str:
    """The page."""
    text = "# The finder on answers of real models\n\n"
    made = figures["labels"]
    bar = (
        ""
        if made["agreement"] >= AGREEMENT
        else f", below the {AGREEMENT} from which a bar on precision and recall would hold"
    )
    text += (
        f"{made['answers']} answers, {made['dropped']} of them left out as they may hold a real person's contact "
        "data. Two readers marked every value; neither knew the finder, nor what the other had marked. "
        "A third decided where they differ. All three were language models, not people. "
        f"Agreement of the two: F1 {made['agreement']:.3f} ({made['exact agreement']:.3f} with exact "
        f"ranges){bar}.\n\n"
        "A found span is right if a marked one of the same kind shares at least half of their joint range with it. "
        "95 % intervals by a bootstrap over prompts; where none or all are right, Clopper-Pearson's.\n"
    )
    for part in PARTS:
        if part not in figures:
            continue
        own = figures[part]
        text += f"\n## The {part} part: {own['answers']} answers\n\n"
        if part == "read":
            text += (
                "The finder's tagger learned from these answers, so here its figures are no measure of it; "
                "`tagger.md` has those of answers that it did not see.\n\n"
            )
        rows = [
            ["all", *_cells(own["all"])],
            ["all, exact ranges", *_cells(own["exact"])],
            ["all, without the tagger", *_cells(own["untagged"])],
        ]
        for group in ("by model", "by sort", "by language"):
            rows += [[name, *_cells(each)] for name, each in own[group].items()]
        text += table(["", "marked", "found", "precision", "recall"], rows) + "\n"
        text += table(
            ["kind", "marked", "found", "precision", "recall", "what the wrong ones are"],
            [
                [kind, *_cells(each), ", ".join(f"{name} {n}" for name, n in each["wrong"].items()) or "—"]
                for kind, each in own["by kind"].items()
            ],
        )
    return text


def _cells(figures: Mapping[str, Any]) -> list[Any]:
    return [
        figures["gold"],
        figures["found"],
        *(figures[name] and tuple(figures[name]) for name in ("precision", "recall")),
    ]
