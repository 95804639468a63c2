"""Measures what the base, other names and inner layers add to the token score, on models that no arm learned from.

Each model is left out once. Its copies are judged by arms that learned from the copies of all others: the token score,
and the token score with a bounded correction by name-swap figures, by inner layers, or by both. One more correction is
by the last layer alone: what it adds needs no inner layer. Bounds are chosen by
leaving one training model out at a time. If there is only one, its copies are left out, or else groups of its people.
In such a choice the correction never sees the group that is left out. Nor does the token score of the group's rows.
The token scores of the other training rows do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from reticent_bench.detector.ablation_rows import INNER, LAST, NAME_SWAP, PARTS
from reticent_bench.detector.bounded_correction import Chosen, Rows, choose
from reticent_bench.detector.token_score_report import (
    OURS,
    OURS_ALONE,
    RATE,
    RIVAL,
    Learned,
    auroc_interval,
    escape_share,
    judged_parts,
    model_of,
    scores_of,
)
from reticent_bench.report.metrics import Flags, Scores, paired_bootstrap
from reticent_detectors.collection.shards import FeatureTable
from reticent_detectors.detector.token_score import TokenScore, balanced_counts
from reticent_detectors.detector.training_config import POSITIVE
from reticent_detectors.errors import InputError
from reticent_detectors.features.derived_features import BASE
from reticent_detectors.fitting.multi_host_pool import pool
from reticent_detectors.fitting.token_score_bundle import ARRAYS, fit_aligned, learned_rows, models_of

ALONE, WITH_BASE = "no base", "with base"
BASES = (ALONE, WITH_BASE)
BOTH = "both"
ADDED: Mapping[str, tuple[str, ...]] = {
    NAME_SWAP: (NAME_SWAP,),
    INNER: (INNER,),
    BOTH: (NAME_SWAP, INNER),
    LAST: (LAST,),
}
"""Parts of each correction. The last layer is there to compare with: the same statistics of the model's output."""
FOLDS = 5
"""Groups of people, where one copy alone is learned from."""


def arm(base: str, added: str = "") -> str:
    """Names the token score with or without a base, and what corrects it."""
    return f"token score, {base}" + (f", {added}" if added else "")


ARMS = tuple(arm(base, added) for base in BASES for added in ("", *ADDED))
DIFFERENCES: Mapping[str, tuple[str, str]] = {
    "base": (arm(WITH_BASE), arm(ALONE)),
    **{f"{added}, {base}": (arm(base, added), arm(base)) for base in BASES for added in ADDED},
    **{f"{INNER} beside {NAME_SWAP}, {base}": (arm(base, BOTH), arm(base, NAME_SWAP)) for base in BASES},
    **{f"{INNER} instead of {LAST}, {base}": (arm(base, INNER), arm(base, LAST)) for base in BASES},
    **{f"{NAME_SWAP} beside {INNER}, {base}": (arm(base, BOTH), arm(base, INNER)) for base in BASES},
}
"""What a part adds: the arm with it and the arm without."""


@dataclass(frozen=True)
class Arms:
    """A token score and its corrections by arm.

    Attributes:
        score: the token score.
        scale: slope and constant of its logits by base, so that they fit the labels of training rows.
        corrections: by arm.
        left_out: what was left out together to choose bounds: models, copies or people.
    """

    score: TokenScore
    scale: Mapping[str, tuple[float, float]]
    corrections: Mapping[str, Chosen]
    left_out: str

    def __call__(self, table: FeatureTable) -> dict[str, Scores]:
        """Scores the rows [rows] by arm, and by the mean log-probability; arms that do not apply are left out."""
        plain = scores_of(table, Learned(self.score))
        out = {RIVAL: plain[RIVAL]}
        for base, name in ((ALONE, OURS_ALONE), (WITH_BASE, OURS)):
            if name not in plain or base not in self.scale:
                continue
            slope, constant = self.scale[base]
            out[arm(base)] = slope * plain[name] + constant
            for added, parts in ADDED.items():
                correction = self.corrections[arm(base, added)].correction
                out[arm(base, added)] = out[arm(base)] + correction(_columns(table, parts))
        return out


def measure(tables: Mapping[str, FeatureTable], say: Callable[[str], None] = lambda line: None) -> dict[str, Any]:
    """Measures each copy by arms that never saw its model.

    Args:
        tables: collections of `ablation_rows.load`, by the copy's name.
        say: takes a line for each model.

    Raises:
        InputError: all collections are of one model, or the others have no values to learn from.
    """
    models = {name: model_of(table) for name, table in tables.items()}
    if len(set(models.values())) < 2:
        raise InputError("Every collection is of one model; collect copies of another one, too.")
    out: dict[str, Any] = {"rate": RATE, "copies": {}, "bounds": {}}
    for model in sorted(set(models.values())):
        say(f"leaving out {model}")
        arms = fit_arms([table for name, table in tables.items() if models[name] != model])
        out["bounds"][model] = {
            name: {
                "left out": arms.left_out,
                "bound": chosen.correction.bound,
                "held out": {f"{bound:g}": area for bound, area in chosen.held_out.items()},
            }
            for name, chosen in arms.corrections.items()
        }
        for name, own in models.items():
            if own == model:
                out["copies"][name] = {
                    "model": model,
                    "rows": tables[name].rows,
                    "learned rows": int(learned_rows(tables[name]).sum()),
                    "rows with a base": int((tables[name].features[BASE][:, 0] > 0).sum()),
                    "parts": {
                        part: _figures(arms(rows), positive, rows.labels["person_key"])
                        for part, rows, positive in judged_parts(tables[name])
                    },
                }
    return out


def fit_arms(tables: Sequence[FeatureTable]) -> Arms:
    """Fits a token score and all corrections to the rows `learned_rows` of these collections.

    Raises:
        InputError: no collection has both remembered and made-up values.
    """
    taught = [table for table in tables if len(np.unique(_positive(table)[learned_rows(table)])) == 2]
    if not taught:
        raise InputError("No copy of another model has remembered and made-up values; collect a copy that has.")
    table = _pooled(taught)
    rows, models = learned_rows(table), models_of(table)
    table, models = table.select(rows), models[rows]
    left_out, groups = _left_out_together(table, models)
    score, held = fit_aligned(table, left_out=groups)
    logits = {ALONE: held.alone}
    if (table.features[BASE][:, 0] > 0).any():
        logits[WITH_BASE] = np.maximum(held.with_base, held.alone)
    positive, count = _positive(table), balanced_counts(table, models)
    scale, corrections = {}, {}
    for base, own in logits.items():
        slope, constant = scale[base] = _scale(own, positive, count)
        for added, parts in ADDED.items():
            fitted = Rows(_columns(table, parts), slope * own.astype(np.float64) + constant, positive, count)
            corrections[arm(base, added)] = choose(fitted, groups, table.labels["host"])
    return Arms(score, scale, corrections, left_out)


def _pooled(tables: Sequence[FeatureTable]) -> FeatureTable:
    arrays = (*ARRAYS, *PARTS)
    if len(tables) > 1:
        return pool(tables, arrays)
    (only,) = tables
    settings = {"hosts": [only.settings["host"]], "features": only.settings["features"]}
    labels = {**only.labels, "host": np.full(only.rows, "000")}
    return FeatureTable({name: only.features[name] for name in arrays}, labels, settings)


def _left_out_together(table: FeatureTable, models: NDArray[np.str_]) -> tuple[str, NDArray[np.str_]]:
    """Returns the group that each row is left out with, and its sort: a model, a copy of the only one, or people."""
    for sort, groups in (("models", models), ("copies", table.labels["host"])):
        if len(np.unique(groups)) > 1:
            return sort, np.asarray(groups)
    _, person = np.unique(table.labels["person_key"], return_inverse=True)
    return "people", (person % FOLDS).astype(str)


def _positive(table: FeatureTable) -> Flags:
    return np.isin(table.labels["label"], sorted(POSITIVE))


def _columns(table: FeatureTable, parts: Sequence[str]) -> NDArray[np.float64]:
    return np.concatenate([table.features[part] for part in parts], axis=1).astype(np.float64)


def _scale(logits: NDArray[Any], positive: Flags, count: NDArray[np.float64]) -> tuple[float, float]:
    """Returns slope and constant that make logits fit the labels, so that bounds are in logits.

    Logits that rank the wrong way round stay as they are: (1, 0).
    """
    fitted = LogisticRegression(C=1e6).fit(logits[:, None].astype(np.float64), positive, sample_weight=count)
    slope = float(fitted.coef_[0, 0])
    return (slope, float(fitted.intercept_[0])) if slope > 0 else (1.0, 0.0)


def _figures(scores: Mapping[str, Scores], positive: Flags, people: NDArray[Any]) -> dict[str, Any]:
    return {
        "positive": int(positive.sum()),
        "negative": int((~positive).sum()),
        "auroc": {name: auroc_interval(own, positive, people) for name, own in scores.items()},
        "passes": {name: escape_share(own, positive, positive) for name, own in scores.items()},
        "difference": {
            name: paired_bootstrap(scores[with_it], scores[without], positive, people)
            for name, (with_it, without) in DIFFERENCES.items()
            if with_it in scores and without in scores
        },
    }
