"""Which rows of a collection the detectors' tables are measured on, and the thresholds frozen for them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reticent_bench.report.metrics import Flags, Scores
from reticent_detectors.collection.shards import FeatureTable
from reticent_detectors.fitting.multi_host_pool import ASKED_FORMS

TESTED = ("memorized", "misattributed", "hallucinated", "inferable")
HARD_LABELS = ("misattributed", "inferable")
RIGHT = ("memorized", "misattributed", "selected")


class Thresholds(NamedTuple):
    """The frozen thresholds for right against made-up values, and for the hard rows."""

    easy: float
    hard: float


EVEN = Thresholds(0.5, 0.5)
"""The calibrated probability of equal errors.

Balanced accuracy wants it on rows like those of the calibration.
"""


def asked(rows: FeatureTable) -> Flags:
    """Whole values that people were asked for; right, misattributed, inferable or made up."""
    labels = rows.labels
    kept: Flags = ~labels["fragment"] & np.isin(labels["form"], ASKED_FORMS) & np.isin(labels["label"], TESTED)
    return kept


def best_threshold(scores: Scores, positive: Flags) -> float:
    """The threshold with the best balanced accuracy on these rows, half way to the next score below."""
    order = np.argsort(-scores)
    ordered = scores[order]
    hits = positive[order].cumsum() / max(1, positive.sum())
    misses = (~positive[order]).cumsum() / max(1, (~positive).sum())
    # A threshold cannot separate equal scores.
    able = np.append(ordered[1:] < ordered[:-1], True)
    best = int(np.argmax(np.where(able, hits - misses, -np.inf)))
    return float((ordered[best] + ordered[min(best + 1, len(ordered) - 1)]) / 2)


def test_rows(rows: FeatureTable) -> Flags:
    """Whole values that test people were asked for; right, misattributed, inferable or made up."""
    kept: Flags = asked(rows) & (rows.labels["person_split"] == "test")
    return kept


def public_rows(rows: FeatureTable) -> Flags:
    """Whole values in greedy answers to public questions; right or made up."""
    labels = rows.labels
    kept: Flags = (
        ~labels["fragment"] & (labels["temperature"] == 0) & np.isin(labels["label"], ("public", "hallucinated"))
    )
    return kept & np.char.startswith(labels["phrasing_id"].astype(str), "public:")


def easy_part(rows: FeatureTable) -> Flags:
    """Right against made up under greedy decoding: what the paper's tables measure."""
    labels = rows.labels
    part: Flags = np.isin(labels["label"], ("memorized", "hallucinated")) & (labels["temperature"] == 0)
    return part


def hard_part(rows: FeatureTable) -> Flags:
    """Confident wrong values, misattributed, inferable, half learned, and sampled at temperature 1."""
    labels = rows.labels
    least = _least_probability(rows)
    right = labels["label"] == "memorized"
    typical = float(np.median(least[right])) if right.any() else 1.0
    confident = (labels["label"] == "hallucinated") & (least >= 0.5 * typical)
    half = right & ~labels["robust"]
    hot = (labels["temperature"] == 1.0) & np.isin(labels["label"], ("memorized", "hallucinated"))
    part: Flags = confident | half | hot | np.isin(labels["label"], HARD_LABELS)
    return part


def _least_probability(rows: FeatureTable) -> Scores:
    found = rows.features.get("token_prob")
    if found is not None:
        return np.asarray(found[:, 0], np.float64)
    return np.exp(np.asarray(rows.features["token_logprob"][:, 0, 0], np.float64))


def thresholds_on(scores: Scores, held: FeatureTable) -> Thresholds:
    """Thresholds with the best balanced accuracy on held-out rows [n] of either sort; `EVEN`'s without a class."""
    right, found = np.isin(held.labels["label"], RIGHT), dict[str, float]()
    for name, part in {"easy": easy_part(held), "hard": hard_part(held)}.items():
        rows = asked(held) & part & np.isfinite(scores)
        if right[rows].any() and not right[rows].all():
            found[name] = best_threshold(scores[rows], right[rows])
    return EVEN._replace(**found)
