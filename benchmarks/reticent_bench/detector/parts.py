"""What the detector's report is measured on: rows of test people, every score of them, and the parts that stand in tables of their own."""

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
    """Rows of test people with what every score says of them.

    `scores[name]` is [rows], NaN where a dear baseline was not gathered; `thresholds` has the frozen ones; `bundles` are the
    scores that are probabilities. `parts[name]` is [rows]; on `drawn` ones stand all scores, elsewhere those without NaN.
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
        return np.isin(self.rows.labels["label"], RIGHT)

    @property
    def everywhere(self) -> dict[str, Scores]:
        """The scores that all rows have."""
        return {name: scores for name, scores in self.scores.items() if np.isfinite(scores).all()}

    def on(self, part: str) -> Mapping[str, Scores]:
        """The scores that stand beside each other on a part; each is [rows] and not cut to it."""
        return self.scores if part in self.drawn else self.everywhere


def token_scores(rows: FeatureTable) -> dict[str, Scores]:
    """The single scores that any detector has to beat."""
    least, _, mean = rows.features["token_prob"].astype(np.float64).T
    return dict(zip(TOKEN_SCORES, (least, mean, rows.labels["first_prob"].astype(np.float64)), strict=True))


def score_rows(
    rows: FeatureTable, bundles: Mapping[str, Path], baselines: Mapping[str, Scored] | None = None
) -> ScoredRows:
    """Scores the test rows of a collection.

    `bundles` maps a name to a bundle folder, `baselines` to scores of all `rows`. Where a baseline was gathered for some rows
    alone, these are parts of their own, with all scores on the same rows.
    """
    baselines = baselines or {}
    kept = test_rows(rows)
    rows = rows.select(kept)
    scores = token_scores(rows) | {name: scored.scores[kept] for name, scored in baselines.items()}
    thresholds = {name: scored.threshold for name, scored in baselines.items()}
    for name, path in bundles.items():
        scores[name] = OnnxScorer(Bundle.load(path)).score_as_guarded(rows.features, rows.labels["entity"])
        # Balanced accuracy wants the threshold of equal errors; the calibrated probability has it at a half.
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
