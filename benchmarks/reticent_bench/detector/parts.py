"""Scores the test rows of a collection, and divides them into the parts that the report has tables of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from reticent_bench.detector.baseline_scores import Scored
from reticent_bench.report.metrics import Flags, Scores
from reticent_bench.report.row_parts import RIGHT, easy_part, hard_part, test_rows
from reticent_detectors.bundle.format import Bundle
from reticent_detectors.collection.shards import FeatureTable
from reticent_detectors.scoring.scorer import OnnxScorer

SPLITS = ("taught", "detector", "test")
TOKEN_SCORES = ("least token probability", "mean token probability", "first token probability")


@dataclass(frozen=True)
class ScoredRows:
    """Rows of test people with their scores.

    Attributes:
        rows: the rows.
        scores: [rows] by name, NaN where a dear baseline was not gathered.
        thresholds: the frozen ones, by name.
        bundles: names of the scores that are probabilities.
        baselines: by name; their own scores are not cut to `rows`.
        parts: which rows each part has [rows], by name.
        drawn: names of the parts that show all scores; the others show scores without NaN.
    """

    rows: FeatureTable
    scores: Mapping[str, Scores]
    thresholds: Mapping[str, float]
    bundles: tuple[str, ...]
    baselines: Mapping[str, Scored]
    parts: Mapping[str, Flags]
    drawn: frozenset[str]

    @property
    def right(self) -> Flags:
        """Which rows hold a remembered value [rows]."""
        return np.isin(self.rows.labels["label"], RIGHT)

    @property
    def everywhere(self) -> dict[str, Scores]:
        """Scores that all rows have."""
        return {name: scores for name, scores in self.scores.items() if np.isfinite(scores).all()}

    def on(self, part: str) -> Mapping[str, Scores]:
        """Returns the scores that a part shows; each is [rows] and not cut to the part."""
        return self.scores if part in self.drawn else self.everywhere


def token_scores(rows: FeatureTable) -> dict[str, Scores]:
    """Returns the single scores [rows] that any detector has to beat."""
    least, _, mean = rows.features["token_prob"].astype(np.float64).T
    return dict(zip(TOKEN_SCORES, (least, mean, rows.labels["first_prob"].astype(np.float64)), strict=True))


def score_rows(
    rows: FeatureTable, bundles: Mapping[str, Path], baselines: Mapping[str, Scored] | None = None
) -> ScoredRows:
    """Scores the test rows of a collection.

    If a baseline was gathered for some rows alone, the rows that have all scores make parts of their own.

    Args:
        rows: the collection.
        bundles: folders of bundles by name.
        baselines: scores of all `rows` by name.
    """
    baselines = baselines or {}
    kept = test_rows(rows)
    rows = rows.select(kept)
    scores = token_scores(rows) | {name: scored.scores[kept] for name, scored in baselines.items()}
    thresholds = {name: scored.threshold for name, scored in baselines.items()}
    for name, path in bundles.items():
        scores[name] = OnnxScorer(Bundle.load(path)).score_as_guarded(rows.features, rows.labels["entity"])
        # Balanced accuracy is best where both errors weigh alike: at a calibrated probability of a half.
        thresholds[name] = 0.5
    easy, hard = easy_part(rows), hard_part(rows)
    splits = rows.labels["phrasing_split"]
    parts = {f"{split} phrasings": easy & (splits == split) for split in SPLITS}
    parts |= {f"{split} phrasings, hard": hard & (splits == split) for split in SPLITS}
    there = np.logical_and.reduce([np.isfinite(s) for s in scores.values()])
    drawn = {"drawn rows, all phrasings": easy & there, "drawn rows, all phrasings, hard": hard & there}
    if there.all():
        drawn = {}
    return ScoredRows(rows, scores, thresholds, tuple(bundles), baselines, parts | drawn, frozenset(drawn))
