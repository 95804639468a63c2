"""How well detectors tell remembered from made-up values: ours, the paper's features, and token probabilities."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reticent_bench.metrics import (
    Flags,
    Scores,
    auroc,
    balanced_accuracy,
    best_balanced_accuracy,
    paired_bootstrap,
    recall_at,
)  # fmt: skip
from reticent_bench.result import table
from reticent_detectors.bundle import Bundle
from reticent_detectors.calibration import expected_calibration_error
from reticent_detectors.scorer import OnnxScorer
from reticent_detectors.shards import FeatureTable

SPLITS = ("taught", "detector", "test")
BASELINES = ("least token probability", "mean token probability", "first token probability")
ASKED = ("question", "turn", "completion")
HARD_LABELS = ("misattributed", "inferable")


def token_scores(rows: FeatureTable) -> dict[str, Scores]:
    """The single scores that any detector has to beat."""
    least, _, mean = rows.features["token_prob"].astype(np.float64).T
    return dict(zip(BASELINES, (least, mean, rows.labels["first_prob"].astype(np.float64)), strict=True))


def _right(rows: FeatureTable) -> Flags:
    return np.isin(rows.labels["label"], ("memorized", "misattributed", "selected"))


def test_rows(rows: FeatureTable) -> FeatureTable:
    """Whole values that test people were asked for; right, misattributed, inferable or made up."""
    labels = rows.labels
    kept = (labels["person_split"] == "test") & ~labels["fragment"] & np.isin(labels["form"], ASKED)
    kept &= np.isin(labels["label"], ("memorized", "misattributed", "hallucinated", "inferable"))
    return rows.select(kept)


def easy_part(rows: FeatureTable) -> Flags:
    """Right against made up under greedy decoding: what the paper's tables measure."""
    labels = rows.labels
    part: Flags = np.isin(labels["label"], ("memorized", "hallucinated")) & (labels["temperature"] == 0)
    return part


def hard_part(rows: FeatureTable) -> Flags:
    """Confident wrong values, misattributed, inferable, half learned, and sampled at temperature 1."""
    labels = rows.labels
    least = rows.features["token_prob"][:, 0]
    right = labels["label"] == "memorized"
    typical = float(np.median(least[right])) if right.any() else 1.0
    confident = (labels["label"] == "hallucinated") & (least >= 0.5 * typical)
    half = right & ~labels["robust"]
    hot = (labels["temperature"] == 1.0) & np.isin(labels["label"], ("memorized", "hallucinated"))
    part: Flags = confident | half | hot | np.isin(labels["label"], HARD_LABELS)
    return part


def column(scores: Scores, thresholds: NDArray[np.float64] | None, rows: FeatureTable, part: Flags) -> dict[str, Any]:
    """The figures of one score on one part. `thresholds` [rows] are frozen ones; without them the best is taken."""
    positive = _right(rows)[part]
    mine = scores[part]
    out: dict[str, Any] = {
        "positives": int(positive.sum()),
        "negatives": int((~positive).sum()),
        "auroc": auroc(mine, positive),
    }
    for rate in (0.001, 0.01, 0.05):
        out[f"recall at {rate:.1%} false positives"] = recall_at(mine, positive, rate)
    if thresholds is None:
        out["balanced accuracy"] = best_balanced_accuracy(mine, positive)
    else:
        decided = mine >= thresholds[part]
        out["balanced accuracy"] = balanced_accuracy(decided, positive)
        out["recall, frozen threshold"] = float(decided[positive].mean()) if positive.any() else float("nan")
        out["false positives, frozen threshold"] = (
            float(decided[~positive].mean()) if (~positive).any() else float("nan")
        )
        out["calibration error"] = expected_calibration_error(mine, positive)
    return out


def measure(rows: FeatureTable, bundles: Mapping[str, Path], main: str = "ours") -> dict[str, Any]:
    """Every bundle and every token score, by phrasing split, and on the hard part.

    `bundles` maps a name to a bundle folder; `main` is compared with the best token score and with the paper's features.
    """
    rows = test_rows(rows)
    scores = token_scores(rows)
    thresholds: dict[str, NDArray[np.float64]] = {}
    for name, path in bundles.items():
        bundle = Bundle.load(path)
        scores[name] = OnnxScorer(bundle).score(rows.features, rows.labels["entity"])
        # Balanced accuracy wants the threshold of equal errors; the calibrated probability has it at a half.
        thresholds[name] = np.full(rows.rows, 0.5)
    easy, hard = easy_part(rows), hard_part(rows)
    splits = rows.labels["phrasing_split"]
    people = rows.labels["person_key"]
    parts = {f"{split} phrasings": easy & (splits == split) for split in SPLITS}
    parts |= {f"{split} phrasings, hard": hard & (splits == split) for split in SPLITS}
    figures: dict[str, Any] = {"parts": {}, "comparisons": {}, "entities": {}}
    for part_name, part in parts.items():
        figures["parts"][part_name] = {name: column(s, thresholds.get(name), rows, part) for name, s in scores.items()}
        positive = _right(rows)[part]
        best = max(BASELINES, key=lambda name: np.nan_to_num(auroc(scores[name][part], positive)))
        against = {"best token score": best} | ({"paper": "paper"} if "paper" in scores else {})
        figures["comparisons"][part_name] = {
            label: {
                "baseline": name,
                "auroc difference": paired_bootstrap(scores[main][part], scores[name][part], positive, people[part]),
            }
            for label, name in against.items()
        }
    everything = easy & (splits == "test")
    for entity in sorted(set(rows.labels["entity"])):
        part = everything & (rows.labels["entity"] == entity)
        positive = _right(rows)[part]
        figures["entities"][entity] = {
            "positives": int(positive.sum()), "negatives": int((~positive).sum()),
            **{name: auroc(s[part], positive) for name, s in scores.items()},
        }  # fmt: skip
    return figures


def headline(figures: Mapping[str, Any]) -> str:
    """The first line: where our detector does not beat token probabilities, this says so."""
    behind, level = [], []
    for part, by in figures["comparisons"].items():
        value, low, high = by["best token score"]["auroc difference"]
        if value <= 0:
            behind.append(f"{part} ({value:+.3f})")
        elif low <= 0:
            level.append(f"{part} ({value:+.3f}, interval from {low:+.3f} to {high:+.3f})")
    if not behind and not level:
        return (
            "Our detector beats the best single token-probability score in every column; all intervals lie above zero."
        )
    text = ""
    if behind:
        text += f"**Our detector does NOT beat the best single token-probability score on:** {'; '.join(behind)}. "
    if level:
        text += f"**No clear difference to it on:** {'; '.join(level)}."
    return text.strip()


def render(figures: Mapping[str, Any], main: str = "ours") -> str:
    """All tables as Markdown; the headline first."""
    text = f"{headline(figures)}\n\n# Detectors on test people\n"
    for part, by in figures["parts"].items():
        first = next(iter(by.values()))
        base = first["positives"] / max(1, first["positives"] + first["negatives"])
        text += f"\n## {part}\n\n{first['positives']} remembered, {first['negatives']} not; base rate {base:.3f}.\n\n"
        keys = [k for k in by[main] if k not in ("positives", "negatives")]
        text += table(["score", *keys], [[name, *[row.get(k) for k in keys]] for name, row in by.items()])
        for label, comparison in figures["comparisons"][part].items():
            text += (
                f"\nOurs minus {label} ({comparison['baseline']}): AUROC "
                f"{_signed(comparison['auroc difference'])}, 95 % paired bootstrap over people.\n"
            )
    names = [k for k in next(iter(figures["entities"].values())) if k not in ("positives", "negatives")]
    text += "\n## AUROC by kind, test-only phrasings\n\n"
    text += table(
        ["kind", "remembered", "not", *names],
        [[e, r["positives"], r["negatives"], *[r[n] for n in names]] for e, r in figures["entities"].items()],
    )
    text += (
        "\nBalanced accuracy of bundles: frozen threshold (probability 0.5); of token scores: the best of all "
        "thresholds, chosen on these rows, which flatters them.\n"
    )
    return text


def _signed(interval: tuple[float, float, float]) -> str:
    value, low, high = interval
    return f"{value:+.4f} [{low:+.4f}, {high:+.4f}]"
