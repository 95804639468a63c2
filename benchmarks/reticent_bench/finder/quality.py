"""Quality of the span finder beside Presidio: labelled sets, values with a form, relations in prose, disguises."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from reticent_bench.finder.data import NOT_OURS, labelled_sets
from reticent_bench.finder.disguise_forms import FORMS
from reticent_bench.finder.find import Find
from reticent_bench.finder.presidio import LIKELY, Presidio, without_overlaps
from reticent_bench.finder.prose import LANGUAGES, NOTHING, Example, examples
from reticent_bench.finder.score import Gold, Score, accepted, without_general
from reticent_bench.finder.structured import CUED, structured_examples
from reticent_bench.finder.values import make
from reticent_bench.report.metrics import share

LABEL_ONLY = frozenset({"ADDRESS", "CREDIT_CARD_DIGITS", "USERNAME", "PASSWORD", "PIN"})
"""Kinds that only the words before them, or ordinary words inside them, identify."""
_TAGS_BEFORE, _TAGS_BEHIND = re.compile(r"(?:<[^<>]*>)*"), re.compile(r"(?:<[^<>]*>)*$")
SENTENCES = ("prose", "value first", "question")


def _score_both(
    texts: Sequence[tuple[str, Sequence[Gold]]], ours: Find, presidio: Presidio | None
) -> dict[str, dict[str, Any]]:
    """Figures by system; wrong spans count only for kinds that may stand for one that is labelled here."""
    labelled = {g.kind for _, gold in texts for g in gold} - NOT_OURS
    counted = frozenset().union(*map(accepted, labelled))
    scores = {"ours": Score(counted, NOT_OURS)}
    if presidio is not None and presidio.kinds & counted:
        scores |= {"presidio": Score(counted, NOT_OURS), "presidio, likely": Score(counted, NOT_OURS)}
    for text, gold in texts:
        scores["ours"].add(gold, ours(text, ""))
        if "presidio" in scores and presidio is not None:
            results = presidio.results(text)
            for name, least in (("presidio", 0.0), ("presidio, likely", LIKELY)):
                kept = [r for r in results if r[1] >= least]
                scores[name].add(gold, without_overlaps(kept), [g for g, _ in kept])
    shared = labelled if presidio is None else labelled & presidio.kinds
    return {
        name: {
            "kinds": score.figures(),
            "all": score.total().figures(),
            "kinds of both": score.total(shared).figures(),
        }
        for name, score in scores.items()
    }


def measure_labelled(data: Path, ours: Find, presidio: Presidio | None) -> dict[str, Any]:
    """Figures on every labelled set that the data folder has."""
    out = {}
    for name, rows in labelled_sets(data):
        figures = _score_both([(row.text, row.gold) for row in rows], ours, presidio)
        out[name] = {"texts": len(rows), **figures}
    return out


def measure_structured(ours: Find, presidio: Presidio | None, seed: int, count: int) -> dict[str, Any]:
    """Figures on `count` made-up texts for each kind with a form."""
    out = {}
    for kind in CUED:
        texts = [(text, [gold]) for text, gold in structured_examples(kind, count, seed)]
        able = presidio if presidio is not None and presidio.kinds & accepted(kind) else None
        figures = _score_both(texts, ours, able)
        out[kind] = {system: figures[system]["all"] for system in figures}
    return out


def measure_relations(ours: Find, seed: int, draws: int, languages: Sequence[str] = tuple(LANGUAGES)) -> dict[str, Any]:
    """Figures on the held-out half of the generated prose, forms, tables and code."""
    by_language: dict[str, dict[str, Score]] = {}
    by_form: dict[str, Score] = defaultdict(lambda: Score(ignored=frozenset({"CONTEXT"})))
    by_kind: dict[tuple[str, str, str], Score] = defaultdict(lambda: Score(ignored=frozenset({"CONTEXT"})))
    harmless: dict[str, list[int]] = {}
    for language in languages:
        scores = {group: Score(ignored=frozenset({"CONTEXT"})) for group in (*SENTENCES, "fields")}
        silent = [0, 0]
        for example in examples("test", seed, draws, [language]):
            gold = _target(example)
            found = without_general(ours(example.text, example.question), gold)
            if example.kind == NOTHING:
                silent[0] += bool(found)
                silent[1] += 1
                continue
            group = example.form if example.form in SENTENCES else "fields"
            scores[group].add(gold, found)
            by_form[example.form].add(gold, found)
            where = "sentences" if group in SENTENCES else "fields"
            by_kind[where, example.kind, language].add(gold, found)
        by_language[language] = scores
        harmless[language] = silent
    return {
        "languages": {
            language: {group: score.total().figures() for group, score in scores.items()}
            for language, scores in by_language.items()
        },
        "forms": {form: score.total().figures() for form, score in by_form.items()},
        "kinds": {
            where: {
                kind: {
                    language: by_kind[where, kind, language].total([kind]).figures()
                    for language in languages
                    if (where, kind, language) in by_kind
                }
                for kind in sorted({k for w, k, _ in by_kind if w == where})
            }
            for where in ("sentences", "fields")
        },
        "harmless sentences with a span": {language: share(*counts) for language, counts in harmless.items()},
    }


def _target(example: Example) -> list[Gold]:
    """Gives the values that the wording is about; other people's names in it are context."""
    return [g if g.kind == example.kind else g._replace(kind="CONTEXT") for g in example.gold]


def measure_disguises(
    ours: Find, harmless: Sequence[str], seed: int, count: int, forms: Mapping[str, Callable[[str], str]] = FORMS
) -> dict[str, Any]:
    """Measures the share of disguised values that are found, by form and kind, and spans in harmless disguised text.

    A value counts as found if spans cover at least 80 % of the characters in which it is written, without tags.
    The kind of these spans does not count: the guard judges any span, and disguised digits may be of several kinds.
    Values of the kinds `LABEL_ONLY` have no form to be found by in a disguise; their share stands apart.
    """
    table: dict[str, dict[str, Any]] = {}
    for name, form in forms.items():
        row: dict[str, float] = {}
        hits = tried = said = labelled = 0
        for kind in CUED:
            rng = random.Random(f"{seed}|{name}|{kind}")
            covered = made = 0
            for _ in range(count):
                value = make(kind, rng, "en_US")
                before, _, after = rng.choice(CUED[kind].split("|")).partition("{v}")
                written = form(value)
                if written == value:
                    continue
                made += 1
                text = before + written + after
                lead, tail = len(_TAGS_BEFORE.match(written)[0]), len(_TAGS_BEHIND.search(written)[0])  # type: ignore[index]
                gold = Gold(kind, len(before) + lead, len(before) + len(written) - tail)
                covered += _cover(gold, without_general(ours(text, ""), [])) >= 0.8
            if made and kind in LABEL_ONLY:
                said, labelled = said + covered, labelled + made
            elif made:
                row[kind] = covered / made
                hits, tried = hits + covered, tried + made
        spans = words = 0
        for text in harmless:
            written = form(text)
            if written == text:
                continue
            spans += len(without_general(ours(written, ""), []))
            words += len(re.findall(r"\w+", text))
        table[name] = {
            "recall": share(hits, tried),
            "kinds": row,
            "label only": share(said, labelled) if labelled else None,
            "false spans per 2,000 words": 2000 * spans / words if words else None,
        }
    return table


def _cover(gold: Gold, found: Sequence[Gold]) -> float:
    """Share of the gold characters inside spans, which do not overlap."""
    inside = sum(max(0, min(s.end, gold.end) - max(s.start, gold.start)) for s in found)
    return inside / (gold.end - gold.start)
