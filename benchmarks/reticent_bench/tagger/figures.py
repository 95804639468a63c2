"""Precision, recall and F1 of spans by overlap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reticent_bench.finder.score import Gold, f1
from reticent_bench.real_answers.labels import is_met, matches
from reticent_bench.real_answers.marked import Marked


def figures(texts: Sequence[Marked], found: Sequence[Sequence[Gold]]) -> dict[str, Any]:
    """Return counts, and precision, recall and F1 by overlap; a share of nothing is None.

    `met`: the share of values found under any kind.
    """
    both = list(zip(texts, found, strict=True))
    gold, said = sum(len(text.gold) for text in texts), sum(map(len, found))
    right = sum(matches(text.gold, own) for text, own in both)
    met = sum(any(is_met(each, span) for span in own) for text, own in both for each in text.gold)
    precision, recall = right / said if said else None, right / gold if gold else None
    out = {"texts": len(texts), "gold": gold, "found": said, "right": right, "precision": precision, "recall": recall}
    return {**out, "F1": f1(precision, recall), "met": met / gold if gold else None}
