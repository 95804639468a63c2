"""Trains the finder's check (`finder.span_check`) on texts in which every value is marked.

The finder proposes, and is told which of its proposals are wrong, so that it goes on as it would with a perfect check. A proposal
is right if it shares at least half of the joint range with a marked value, whatever its kind: a value that the finder takes for one
of another kind is judged all the same, and a refused one gets out. One that only touches a marked value is left out.

A threshold is the log-odds that all but `MISSED` of the right proposals of a kind reach in cross-validation by texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reticent_bench.real_answers.labels import OVERLAP
from reticent_bench.real_answers.marked import Marked
from reticent_bench.result import table
from reticent_bench.spans_score import Gold
from reticent_detectors.finder import SpanFinder
from reticent_detectors.finder.span_check import BITS, LEFT_CHARS, SpanCheck, rows_of
from reticent_detectors.spans import FindContext

MISSED = 0.02
"""Share of the right proposals that may be refused."""
FOLDS, SEED = 5, 11
LEAST_RIGHT, LEAST_WRONG = 20, 20
"""Proposals that a kind needs of either sort to be checked."""
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
    offset: int = 0
    kept: dict[tuple[str, str, int, int], Proposal] = field(default_factory=dict)

    def refuses(self, kind: str, recognizer: str, text: str, start: int, end: int, question: str) -> bool:
        share = max((_shared(start - self.offset, end - self.offset, gold) for gold in self.gold), default=0.0)
        right = share >= OVERLAP
        if right or share == 0.0:
            rows = rows_of(kind, recognizer, text[max(0, start - LEFT_CHARS) : start], text[start:end], question)
            self.kept[kind, recognizer, start, end] = Proposal(self.number, kind, recognizer, rows, right)
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
        oracle.gold, oracle.number, oracle.offset, oracle.kept = text.gold, number, len(text.left), {}
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


def train(found: Sequence[Proposal], weights: Sequence[float], strength: float = 1.0) -> Trained:
    """The check of all proposals; thresholds come from folds that share no text.

    Args:
        weights: of each proposal in training.
        strength: inverse of the ridge on the weights (scikit-learn's C).
    """
    matrix, right = _matrix(found), np.array([each.right for each in found])
    weight, group = np.array(weights), np.array([each.number for each in found])
    held = np.zeros(len(found))
    for fold in range(FOLDS):
        test = group % FOLDS == fold
        held[test] = _fitted(matrix[~test], right[~test], weight[~test], strength).decision_function(matrix[test])
    kinds = np.array([each.kind for each in found])
    least, table = dict[str, float](), dict[str, dict[str, Any]]()
    for kind, counted in Counter(each.kind for each in found).most_common():
        own = kinds == kind
        good, bad = held[own & right], held[own & ~right]
        table[kind] = {"proposed": counted, "right": len(good), "wrong": len(bad)}
        if len(good) >= LEAST_RIGHT and len(bad) >= LEAST_WRONG:
            least[kind] = float(np.quantile(good, MISSED))
            table[kind] |= {
                "right refused": int((good < least[kind]).sum()),
                "wrong refused": int((bad < least[kind]).sum()),
            }
    whole = _fitted(matrix, right, weight, strength)
    names = frozenset(each.recognizer for each in found)
    check = SpanCheck(whole.coef_[0].astype(np.float16), float(whole.intercept_[0]), least, names)
    return Trained(check, table)


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


def weights_of(found: Sequence[Proposal], sizes: Sequence[int]) -> list[float]:
    """1 for each proposal of the real answers and the written texts; those of our phrasings, which come last, weigh as much together.

    Args:
        sizes: how many texts each source has, in order: real answers, written texts, phrasings.
    """
    first = sizes[0] + sizes[1]
    ours = sum(each.number >= first for each in found)
    return [1.0 if each.number < first else min(1.0, (len(found) - ours) / ours) for each in found]


def render(figures: Mapping[str, Any]) -> str:
    """The page."""
    texts = ", ".join(f"{count} {name}" for name, count in figures["texts"].items())
    page = (
        f"# The check on what the finder proposes\n\nTrained on {texts}. Counts of {FOLDS}-fold cross-validation by texts; a threshold is "
        f"set so that {MISSED:.0%} of the right proposals of a kind are refused. Kinds with fewer than {LEAST_RIGHT} right or "
        f"{LEAST_WRONG} wrong proposals are not checked.\n\n"
    )
    rows = [
        [kind, each["right"], each["wrong"], each.get("right refused"), each.get("wrong refused")]
        for kind, each in figures["kinds"].items()
    ]
    return page + table(["kind", "right", "wrong", "right ones refused", "wrong ones refused"], rows)
