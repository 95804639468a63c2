"""Trains the finder's check (`finder.span_check`) on texts in which every value is marked.

The finder proposes, and learns which of its proposals are wrong, so it continues as it would with a perfect check. A
proposal is right if it shares at least half of the joint range with a marked value, whatever its kind. A value under
another kind is judged all the same, and a refused one gets out. A proposal that only touches a marked value is left
out.

A threshold is the log-odds that all but `MISSED` of the right proposals of a kind in written texts reach, in
cross-validation by texts. A kind is not checked if its threshold refuses too few wrong ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reticent_bench.finder.find import find
from reticent_bench.finder.score import Gold
from reticent_bench.real_answers.labels import OVERLAP, matches
from reticent_bench.real_answers.marked import Marked
from reticent_bench.report.result import table
from reticent_detectors.finder import SpanFinder
from reticent_detectors.finder.span_check import BITS, LEFT_CHARS, SpanCheck, rows_of
from reticent_detectors.spans import FindContext

MISSED = 0.02
"""Share of the right proposals that may be refused."""
FOLDS, SEED = 5, 11
LEAST_RIGHT, LEAST_WRONG, LEAST_GAIN = 20, 30, 0.3
"""A kind is checked with so many right and wrong proposals in written texts, and if so many wrong ones are refused.

The first two are counts, the last is a share.
"""
_SMALL = 2e-3
"""Weights below are left out of the file."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a recogniser proposed in the text `number`, as rows of the check's table."""

    number: int
    kind: str
    recognizer: str
    rows: NDArray[np.int64] = field(repr=False)
    right: bool


@dataclass
class _Oracle:
    """Refuses what is wrong in the text that it was given last, and keeps all proposals."""

    gold: Sequence[Gold] = ()
    number: int = 0
    kept: dict[tuple[str, str, int, int], Proposal] = field(default_factory=dict)

    def refuses(self, kind: str, recognizer: str, text: str, start: int, end: int, answer: int) -> bool:
        share = max((_shared(start - answer, end - answer, gold) for gold in self.gold), default=0.0)
        right = share >= OVERLAP
        if right or share == 0.0:
            rows = rows_of(kind, recognizer, text[max(answer, start - LEFT_CHARS) : start], text[start:end])
            self.kept[kind, recognizer, start - answer, end - answer] = Proposal(
                self.number, kind, recognizer, rows, right
            )
        return share == 0.0


def _shared(start: int, end: int, gold: Gold) -> float:
    both = min(end, gold.end) - max(start, gold.start)
    return max(0.0, both / (max(end, gold.end) - min(start, gold.start)))


def proposals(texts: Sequence[Marked], say: Callable[[str], None] = lambda line: None) -> list[Proposal]:
    """All that the default finder proposes in the texts, each one once."""
    out = list[Proposal]()
    oracle = _Oracle()
    finder = SpanFinder(check=oracle)
    for number, text in enumerate(texts):
        oracle.gold, oracle.number, oracle.kept = text.gold, number, {}
        context, at = FindContext(text.left, text.question), 0
        while (scan := finder.next_span(text.text, at, context=context, closed=True)).span is not None:
            at = scan.frontier
        out += oracle.kept.values()
        if number % 1000 == 999:
            say(f"{number + 1} of {len(texts)} texts, {len(out)} proposals")
    return out


@dataclass(frozen=True)
class Trained:
    """A check, and what it did in cross-validation: kind to counts."""

    check: SpanCheck
    table: dict[str, dict[str, Any]]


def train(found: Sequence[Proposal], written: int, strength: float = 1.0) -> Trained:
    """Trains the check of all proposals; thresholds come from folds that share no text.

    Args:
        written: number of written texts, which come first. The others are made of our own phrasings, and weigh at most
            as much together.
        strength: inverse of the ridge on the weights (scikit-learn's C).
    """
    matrix, right = _matrix(found), np.array([each.right for each in found])
    group = np.array([each.number for each in found])
    ours = group >= written
    weight = np.where(ours, min(1.0, (~ours).sum() / max(1, ours.sum())), 1.0)
    held = np.zeros(len(found))
    for fold in range(FOLDS):
        test = group % FOLDS == fold
        held[test] = _fitted(matrix[~test], right[~test], weight[~test], strength).decision_function(matrix[test])
    kinds = np.array([each.kind for each in found])
    least, table = dict[str, float](), dict[str, dict[str, Any]]()
    for kind, _ in Counter(kinds[~ours].tolist()).most_common():
        own = (kinds == kind) & ~ours
        good, bad, phrased = held[own & right], held[own & ~right], held[(kinds == kind) & ours & right]
        table[kind] = {"right": len(good), "wrong": len(bad), "phrased": len(phrased)}
        if len(good) >= LEAST_RIGHT and len(bad) >= LEAST_WRONG:
            threshold = float(np.quantile(good, MISSED))
            if (bad < threshold).mean() >= LEAST_GAIN:
                least[kind] = threshold
                table[kind] |= {
                    f"{name} refused": int((scores < threshold).sum())
                    for name, scores in (("right", good), ("wrong", bad), ("phrased", phrased))
                }
    whole = _fitted(matrix, right, weight, strength)
    names = frozenset(each.recognizer for each in found)
    check = SpanCheck(whole.coef_[0].astype(np.float16), float(whole.intercept_[0]), least, names)
    return Trained(check, table)


def cross_validated(
    written: Sequence[Marked], ours: Sequence[Marked], strength: float, say: Callable[[str], None] = lambda line: None
) -> dict[str, dict[str, float]]:
    """Precision and recall of the default finder on written texts, alone and with a check trained on other texts."""
    counts = {name: np.zeros(3) for name in ("finder alone", "with the check")}
    for fold in range(FOLDS):
        seen = [text for number, text in enumerate(written) if number % FOLDS != fold]
        check = train(proposals([*seen, *ours]), len(seen), strength).check
        for name, finder in zip(counts, (SpanFinder(), SpanFinder(check=check)), strict=True):
            for text in written[fold::FOLDS]:
                found = find(finder, text.text, text.question)
                counts[name] += len(text.gold), len(found), matches(text.gold, found)
        say(f"{fold + 1} of {FOLDS} folds")
    return {
        name: {"marked": int(gold), "found": int(found), "precision": hits / found, "recall": hits / gold}
        for name, (gold, found, hits) in counts.items()
    }


def _matrix(found: Sequence[Proposal]) -> Any:
    from scipy.sparse import csr_matrix

    ends = np.cumsum([0, *(len(each.rows) for each in found)])
    columns = np.concatenate([each.rows for each in found])
    return csr_matrix((np.ones(len(columns)), columns, ends), shape=(len(found), 1 << BITS))


def _fitted(matrix: Any, right: NDArray[np.bool_], weight: NDArray[np.float64], strength: float) -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=strength, max_iter=300).fit(matrix, right, sample_weight=weight)


def write_check(check: SpanCheck, file: Path) -> None:
    """Writes the check as `span_check.shipped` reads it."""
    rows = np.flatnonzero(np.abs(check.weights) >= _SMALL)
    kinds = sorted(check.least)
    np.savez_compressed(
        file, rows=rows.astype(np.int32), weights=check.weights[rows].astype(np.float16), bias=np.float64(check.bias),
        kinds=np.array(kinds), least=np.array([check.least[kind] for kind in kinds]),
        recognizers=np.array(sorted(check.recognizers)),
    )  # fmt: skip


def render(figures: Mapping[str, Any]) -> str:
    """The page."""
    texts = ", ".join(f"{count} {name}" for name, count in figures["texts"].items())
    page = (
        "# The check on what the finder proposes\n\n"
        f"Trained on {texts}. Counts of {FOLDS}-fold cross-validation by texts; "
        f"a threshold is set so that {MISSED:.0%} of the right proposals of a kind in written texts are refused. "
        f"A kind is checked if there are {LEAST_RIGHT} right and {LEAST_WRONG} wrong ones, and {LEAST_GAIN:.0%} of "
        "the wrong ones are refused.\n\n"
    )
    page += "The finder on written texts that the check was not trained on, in the same folds:\n\n"
    page += (
        table(
            ("", "marked", "found", "precision", "recall"),
            [[name, *each.values()] for name, each in figures["cross-validated"].items()],
        )
        + "\n"
    )
    rows = [
        [kind, *(each.get(f"{name}{done}") for name in ("right", "wrong", "phrased") for done in ("", " refused"))]
        for kind, each in figures["kinds"].items()
    ]
    head = ("kind", "right", "refused", "wrong", "refused", "right, in our phrasings", "refused")
    return page + table(head, rows)
