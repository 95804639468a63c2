"""Computes the numbers of the detector's page: rounded plain lists for JSON, which `detector.drawing` draws.

Every number is an aggregate of at least LEAST rows: of each class where classes are compared, of a bin where rows are
counted. Others are None or left out. Counts from 1 to LEAST - 1 are None, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_curve

from reticent_bench.detector.parts import SPLITS, ScoredRows
from reticent_bench.detector.report import PAPER, recall_name
from reticent_bench.report.metrics import Flags, Scores
from reticent_bench.report.row_parts import TESTED, easy_part

LEAST = 5
RIVALS = 2
BINS = 10
HISTOGRAM = 20
FALSE_POSITIVE_RATES = sorted({round(float(rate), 4) for rate in (*np.geomspace(0.001, 1, 31), *np.linspace(0, 1, 21))})
"""Points of the ROC curves: evenly spaced on a linear axis and on a logarithmic one."""
FIRST_TOKEN = ("topk_prob", "inter", "intra")
STATISTICS = ("log-probability", "log(1 + rank)", "margin", "entropy")
"""Statistics of the emitted token, in the order of `pooled`."""
LAST_PAIRS = 4
_MEAN = 1
_DIGITS = 4


def curves(tested: ScoredRows, figures: Mapping[str, Any], main: str = "ours") -> dict[str, Any]:
    """Computes all numbers of the page; `figures` are those of `detector.report.measure` on the same rows."""
    rows, right = tested.rows, tested.right
    easy = easy_part(rows)
    return {
        "table": summary(figures, main),
        "roc": {
            part: {name: roc(tested.scores[name][flags], right[flags]) for name in shown(figures, part, main)}
            for part, flags in tested.parts.items()
            if enough(right[flags])
        },
        "false positive rates": FALSE_POSITIVE_RATES,
        "calibration": {
            split: {
                name: {
                    "error": _rounded(figures["parts"][f"{split} phrasings"][name]["calibration error"]),
                    **reliability(tested.scores[name][flags], right[flags]),
                }
                for name in sorted(tested.bundles, key=lambda name: (name != main, name != PAPER))
            }
            for split in SPLITS
            if enough(right[flags := tested.parts[f"{split} phrasings"]])
        },
        "distributions": {
            label: distribution(tested.scores[main][mine])
            for label in TESTED
            if (mine := rows.labels["label"] == label).sum() >= LEAST
        },
        "entities": entities(figures, main),
        "layers": layers(rows.features, easy & right, easy & ~right),
    }


def enough(positive: Flags) -> bool:
    """Returns whether both classes have LEAST rows."""
    return bool(min(positive.sum(), (~positive).sum()) >= LEAST)


def summary(figures: Mapping[str, Any], main: str) -> dict[str, Any]:
    """Returns rows of each part, and AUROC, balanced accuracy and recall of each score, `main` first.

    Figures are None where a class has too few rows.
    """
    out = {}
    for part, by in figures["parts"].items():
        count = next(iter(by.values()))
        few = min(count["positives"], count["negatives"]) < LEAST
        out[part] = {
            "remembered": _count(count["positives"]),
            "not": _count(count["negatives"]),
            "scores": {
                name: [None if few else _rounded(row[key]) for key in ("auroc", "balanced accuracy", recall_name(0.05))]
                for name, row in sorted(by.items(), key=lambda item: item[0] != main)
            },
        }
    return out


def shown(figures: Mapping[str, Any], part: str, main: str) -> list[str]:
    """Names the scores to draw for a part: ours, the paper's, the best token score and the best baselines."""
    comparison, by = figures["comparisons"][part], figures["parts"][part]
    rivals = sorted((name for name in by if name in figures["baselines"]), key=lambda name: -by[name]["auroc"])[:RIVALS]
    return [main, *([PAPER] if PAPER in by else []), comparison["best token score"]["baseline"], *rivals]


def roc(scores: Scores, positive: Flags) -> Any:
    """Returns recall at each of FALSE_POSITIVE_RATES, interpolated linearly between thresholds."""
    wrong, right, _ = roc_curve(positive, scores)
    # Of thresholds with equal rates np.interp takes the last, whose recall is the highest.
    return _list(np.interp(FALSE_POSITIVE_RATES, wrong, right))


def reliability(probability: Scores, positive: Flags) -> dict[str, Any]:
    """Returns rows, mean probability and remembered share of BINS bins of equal width."""
    place = np.minimum((probability * BINS).astype(int), BINS - 1)
    rows: list[int | None] = []
    said: list[float | None] = []
    observed: list[float | None] = []
    for b in range(BINS):
        mine = place == b
        count = int(mine.sum())
        few = count < LEAST
        rows.append(_count(count))
        said.append(None if few else _rounded(probability[mine].mean()))
        observed.append(None if few else _rounded(positive[mine].mean()))
    return {"rows": rows, "probability": said, "remembered": observed}


def distribution(probability: Scores) -> dict[str, Any]:
    """Counts rows, and returns their share in each of HISTOGRAM bins of equal width from 0 to 1."""
    counts, _ = np.histogram(probability, HISTOGRAM, (0.0, 1.0))
    shares = [None if 0 < count < LEAST else _rounded(count / len(probability)) for count in counts.tolist()]
    return {"rows": len(probability), "shares": shares}


def entities(figures: Mapping[str, Any], main: str) -> dict[str, Any]:
    """Returns rows of both classes and AUROC of each score, `main` first, on each kind's test-only phrasings."""
    out = {}
    for kind, row in figures["entities"].items():
        few = min(row["positives"], row["negatives"]) < LEAST
        out[kind] = {
            "remembered": _count(row["positives"]),
            "not": _count(row["negatives"]),
            "auroc": {
                name: None if few else _rounded(value)
                for name, value in sorted(row.items(), key=lambda item: item[0] != main)
                if name not in ("positives", "negatives")
            },
        }
    return out


def layers(features: Mapping[str, NDArray[np.float32]], right: Flags, wrong: Flags) -> dict[str, Any]:
    """Summarises the lens features of remembered (`right`) and made-up (`wrong`) values, layer by layer.

    These are figures 3 to 5 and 10 to 15 of the paper. Means have "remembered", "made up" and their "difference":

    - `topk_prob` [L, k];
    - `inter` by pairs of layers: for "top-1" [L-1], as the mean over "all ranks" [L-1], and for "equal ranks" [L-1, k];
    - `intra` [L, k-1].

    "last pairs" of `inter` is the difference alone, for all ranks of the last LAST_PAIRS pairs [pair, k, k].

    Bands have each class's quartiles [L, 3]. A feature that the rows lack is left out.
    """
    out: dict[str, Any] = {"remembered": _count(int(right.sum())), "made up": _count(int(wrong.sum()))}
    if min(right.sum(), wrong.sum()) < LEAST:
        return out
    # A lens with one rank has no cosines within a layer; a model with one layer has none between layers.
    features = {name: array for name, array in features.items() if array.size}
    classes = {"remembered": right, "made up": wrong}
    means = {
        name: {label: features[name][mine].mean(0, dtype=np.float64) for label, mine in classes.items()}
        for name in FIRST_TOKEN
        if name in features
    }
    if "topk_prob" in means:
        out["topk_prob"] = _contrast(means["topk_prob"])
    if "inter" in means:
        inter = means["inter"]
        out["inter"] = {
            "top-1": _contrast({label: mean[:, 0, 0] for label, mean in inter.items()}),
            "all ranks": _contrast({label: mean.mean((1, 2)) for label, mean in inter.items()}),
            "equal ranks": _contrast({label: mean.diagonal(axis1=1, axis2=2) for label, mean in inter.items()}),
            "last pairs": _list((inter["remembered"] - inter["made up"])[-LAST_PAIRS:]),
        }
    if "intra" in means:
        out["intra"] = _contrast(means["intra"])
        out["intra, top-1"] = {label: _quartiles(features["intra"][mine, :, 0]) for label, mine in classes.items()}
    if "pooled" in features:
        out["pooled"] = {
            name: {label: _quartiles(features["pooled"][mine, :, i, _MEAN]) for label, mine in classes.items()}
            for i, name in enumerate(STATISTICS)
        }
    return out


def _contrast(means: Mapping[str, NDArray[np.float64]]) -> dict[str, Any]:
    difference = means["remembered"] - means["made up"]
    return {label: _list(mean) for label, mean in means.items()} | {"difference": _list(difference)}


def _quartiles(values: NDArray[np.float32]) -> Any:
    """Returns quartiles and median of each column of `values` [rows, L], as [L, 3]."""
    return _list(np.percentile(values, [25, 50, 75], axis=0).T)


def _list(values: NDArray[Any]) -> Any:
    # The sum turns -0.0 into 0.0.
    return (np.round(values.astype(np.float64), _DIGITS) + 0.0).tolist()


def _rounded(value: float) -> float | None:
    return round(float(value), _DIGITS) + 0.0 if np.isfinite(value) else None


def _count(rows: int) -> int | None:
    return None if 0 < rows < LEAST else rows
