"""Fits and calibrates a token score: for any model on collections of several hosts, for one host on its own."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reticent_detectors.bundle.build_bundle import library_versions
from reticent_detectors.bundle.export import to_onnx
from reticent_detectors.bundle.format import Bundle, write_bundle
from reticent_detectors.collection.held_out import person_share
from reticent_detectors.collection.shards import FeatureTable
from reticent_detectors.detector.calibration import fit_calibration
from reticent_detectors.detector.token_score import WITH_BASE, TokenScore, alignment, balanced_counts
from reticent_detectors.detector.training_config import POSITIVE
from reticent_detectors.features.features import FeatureSpec
from reticent_detectors.fitting.multi_host_pool import of_one_host, pool

ARRAYS = ("token_logprob", "length", "base_logprob")
"""Arrays that a collection must hold; `reticent collect --output-only` stores no others."""
PERSON_FOLDS = 5
"""Parts of the people that are left out once each where a score is fitted to one host."""
LEARNED = frozenset({"memorized", "misattributed", "hallucinated"})
"""Labels that are learned from. Values of the others pass by other rules, or are neither remembered nor made up."""


@dataclass(frozen=True)
class HeldOut:
    """Logits [rows] of a pooled table without and with a base; the score of a row never saw its host."""

    alone: NDArray[np.float32]
    with_base: NDArray[np.float32]


def learned_rows(table: FeatureTable) -> NDArray[np.bool_]:
    """Selects the rows [rows] that a token score learns from: whole values of training people, no test-only phrasing.

    Of a copy without such rows (`collect --test-only`) all usable rows are learned from. Such a copy can judge scores
    of other models alone.
    """
    labels = table.labels
    usable = np.isin(labels["label"], sorted(LEARNED)) & ~labels["fragment"].astype(bool)
    training = usable & (labels["person_split"] != "test") & (labels["phrasing_split"] != "test")
    copies = labels.get("host", np.zeros(table.rows))
    found = np.zeros(table.rows, bool)
    for copy in np.unique(copies):
        own = copies == copy
        found |= own & (training if (training & own).any() else usable)
    return found


def model_name(host: Mapping[str, Any]) -> str:
    """Returns the name that copies of one model share, from a collection's description of its host.

    It is `model` of the description if somebody named it, else it is made of the model's shape.
    """
    if "model" in host:
        return str(host["model"])
    return f"{host['architecture']}, {host['layers']} layers, d {host['hidden_size']}, V {host['vocab_size']}"


def models_of(table: FeatureTable) -> NDArray[np.str_]:
    """Returns the name of the model [rows] whose copy gave each row of a pooled table."""
    names = [model_name(host) for host in table.settings["hosts"]]
    return np.array([names[int(copy)] for copy in table.labels["host"]])


def pooled(tables: Sequence[FeatureTable]) -> FeatureTable:
    """Pools several hosts' collections for `fit_aligned`. Raises what `multi_host_pool.pool` raises."""
    return pool(tables, ARRAYS)


def fit_aligned(
    table: FeatureTable, form: type[TokenScore] = TokenScore, left_out: NDArray[np.str_] | None = None
) -> tuple[TokenScore, HeldOut]:
    """Fits a token score to the rows `learned_rows` of a pooled table, and returns held-out logits with it.

    Both regressions are on one scale. Unless `left_out` names other groups, all copies of a model are held out at once;
    if there is one model alone, each copy is.

    Args:
        table: the pooled table.
        form: the kind of score.
        left_out: [rows], other groups to hold out at once each.

    Raises:
        InputError: without one of the groups, no remembered or no made-up values are left.
    """
    learned, models = learned_rows(table), models_of(table)
    positive = np.isin(table.labels["label"], sorted(POSITIVE))
    if left_out is None:
        left_out = models if len(np.unique(models)) > 1 else table.labels["host"]
    alone, with_base = np.zeros(table.rows, np.float32), np.zeros(table.rows, np.float32)
    for name in np.unique(left_out):
        score = _fit(table, models, learned & (left_out != name), form)
        own = left_out == name
        alone[own] = score.score(table.select(own), base=False)
        with_base[own] = score.score(table.select(own))
    score = _fit(table, models, learned, form)
    based = learned & ~positive & (table.features["base_logprob"][:, 0] > 0)
    if based.any():
        slope, constant = alignment(alone[based], with_base[based])
        score, with_base = score.scaled(WITH_BASE, slope, constant), with_base * slope + constant
    return score, HeldOut(alone, with_base)


def _fit(table: FeatureTable, models: NDArray[Any], rows: NDArray[np.bool_], form: type[TokenScore]) -> TokenScore:
    chosen = table.select(rows)
    return form.fit(chosen, balanced_counts(chosen, models[rows]))


def build_token_score(
    out: str | os.PathLike[str], tables: Sequence[FeatureTable], *, prevalence: float = 0.5, overwrite: bool = False
) -> Bundle:
    """Fits, calibrates and writes a token score for any model.

    All kinds have one threshold: scores of a kind's made-up values differ from model to model.

    Args:
        out: folder for the bundle.
        tables: collections of two or more hosts, with the arrays `ARRAYS`.
        prevalence: share of remembered values that probabilities are stated for.
        overwrite: replace an existing bundle.

    Raises:
        InputError: `out` exists, or a class of rows is missing.
    """
    table = pooled(tables)
    score, held = fit_aligned(table)
    host = {"fingerprint": {}, "behaviour": {}, "universal": table.settings["hosts"]}
    return _write(out, table, score, held, host, prevalence, overwrite)


def fit_own(table: FeatureTable) -> tuple[FeatureTable, TokenScore, HeldOut]:
    """Fits a token score to one host's collection, each of `PERSON_FOLDS` parts of the people left out once.

    Returns:
        The rows in the form of a pooled table, the score, and the held-out logits of the rows.

    Raises:
        InputError: without one of the parts, no remembered or no made-up values are left.
    """
    own = of_one_host(table, ARRAYS)
    people = own.labels["person_key"]
    folds = {person: str(int(person_share(person) * PERSON_FOLDS)) for person in np.unique(people)}
    return own, *fit_aligned(own, left_out=np.array([folds[person] for person in people]))


def build_own_token_score(
    out: str | os.PathLike[str],
    table: FeatureTable,
    host: Mapping[str, Any],
    *,
    prevalence: float = 0.5,
    overwrite: bool = False,
) -> Bundle:
    """Fits, calibrates and writes a token score for one host, on rows of its own.

    Calibration and thresholds rest on the held-out logits of `fit_own`.

    Args:
        out: folder for the bundle.
        table: the host's collection without its test people, with the arrays `ARRAYS`.
        host: what `own_detector.describe_host` returns.
        prevalence: share of remembered values that probabilities are stated for.
        overwrite: replace an existing bundle.

    Raises:
        InputError: `out` exists, or a class of rows is missing.
    """
    own, score, held = fit_own(table)
    return _write(out, own, score, held, host, prevalence, overwrite)


def _write(
    out: str | os.PathLike[str],
    table: FeatureTable,
    score: TokenScore,
    held: HeldOut,
    host: Mapping[str, Any],
    prevalence: float,
    overwrite: bool,
) -> Bundle:
    """Calibrates a score on the held-out logits of a pooled table's rows, and writes it with one threshold for all."""
    learned = learned_rows(table)
    positive = np.isin(table.labels["label"], sorted(POSITIVE))[learned]
    calibration = fit_calibration(
        held.alone[learned], positive, table.labels["entity"][learned], prevalence=prevalence
    ).without_entities()
    shapes = score.options.shapes
    manifest: dict[str, Any] = {
        "host": host,
        "features": {
            "inputs": list(shapes),
            "shapes": {name: list(shape) for name, shape in shapes.items()},
            "entities": list(score.options.entities),
            "options": {"position": "output", "max_tokens": FeatureSpec().max_tokens, "names": 0, "margin": False},
        },
        "calibration": calibration.to_json(),
        "training": {
            "method": "token score (logistic regression)",
            "rows": {"remembered": int(positive.sum()), "made up": int((~positive).sum())},
            "hosts": len(table.settings["hosts"]),
        },
        "quality": {"calibration_error": calibration.error, "negatives": calibration.negatives.get("", 0)},
        "versions": library_versions(),
    }
    return write_bundle(out, to_onnx(score), manifest, overwrite=overwrite)
