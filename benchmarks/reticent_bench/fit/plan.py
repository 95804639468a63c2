"""Estimates what the steps of a fit that are not done yet will take, by the estimates of their own commands.

Before a copy is taught, the one whose teaching was timed stands for it. Before it was asked, random rows do, as many as
it is expected to give. Nothing is written.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from reticent_bench.fit.settings import FitSettings
from reticent_bench.fit.state import FitState
from reticent_bench.fit.steps import Fit
from reticent_detectors.capture import HostAdapter
from reticent_detectors.collection.collect import collector
from reticent_detectors.collection.estimate import estimate_collection, expected_rows
from reticent_detectors.collection.shards import FeatureTable, ShardReader
from reticent_detectors.detector.training_estimate import estimate_training
from reticent_detectors.entities import PRIVACYXRAY
from reticent_detectors.features.derived_features import BASE, BASE_SHAPE
from reticent_detectors.features.features import FeatureSpec
from reticent_detectors.fitting.host_calibration import estimate_asking
from reticent_detectors.fitting.own_detector import training_rows
from reticent_detectors.fitting.token_score_bundle import PERSON_FOLDS, fit_own
from reticent_detectors.host.load import recipe_of
from reticent_detectors.host.memory import model_bytes, peak_bytes
from reticent_detectors.host.teach import prepare
from reticent_detectors.host.teach_plan import plan_teaching
from reticent_detectors.long_runs.estimate import Estimate
from reticent_detectors.long_runs.save_timer import Clock
from reticent_detectors.synth.cast import cast
from reticent_detectors.synth.hosts import HostRecipe
from reticent_detectors.synth.recipes import Recipe

LEAST_ROWS = 1000
"""Random rows that a training is timed on, at least: fewer may lack a class in a part."""
PEOPLE, PHRASINGS = 40, 12
"""Of the random rows."""


def estimates(fit: Fit, state: FitState, clock: Clock = time.perf_counter) -> Iterator[Estimate]:
    """Yields the estimate of each step but the last, which takes seconds; steps that are done are left out.

    Raises:
        InputError, ShardError, HostError: as the steps would raise them.
    """
    settings = fit.settings
    copy = tokenizer = None
    recipe: Recipe | HostRecipe
    if not state.is_done("tune"):
        teaching = prepare(
            settings.model, fit.copy, tuning=settings.tuning, seed=settings.seed, device=settings.device,
            dtype=settings.dtype, compiled=fit.compiled, clock=clock,
        )  # fmt: skip
        yield plan_teaching(teaching, 1, clock)
        copy, tokenizer, recipe = teaching.model.eval(), teaching.tokenizer, teaching.recipe
        del teaching
    elif not state.is_done("collect"):
        copy, tokenizer = fit.loaded(fit.copy, settings.model)
        recipe = recipe_of(fit.copy)
    rows: FeatureTable | None = None
    if not state.is_done("collect"):
        before = fit.loaded_base(settings.model, fit.copy, tokenizer)
        options: dict[str, Any] = {"plan": settings.plan, "spec": settings.spec, "records": fit.records}
        with collector(copy, tokenizer, cast(recipe), **options, control=before) as made:
            models = {"weights": copy, "the model itself": before}
            estimate = estimate_collection("collect", made, fit.rows, models, settings.device, clock)
            yield estimate
            layers = HostAdapter.attach(before, tokenizer).num_layers
            rows = random_rows(settings, layers, expected_rows(estimate, made))
        del before
    elif not state.is_done("train"):
        rows = training_rows(ShardReader(fit.rows).load())
    weights = 0.0 if copy is None else model_bytes(copy)
    del copy
    if rows is not None and not state.is_done("train"):
        yield _training(fit, rows, weights, clock)
    if not state.is_done("calibrate"):
        yield _asking(fit, clock)


def random_rows(settings: FitSettings, layers: int, count: int) -> FeatureTable:
    """Makes rows of random numbers with the shapes of an arm's features, to time a training on.

    Args:
        settings: of the fit.
        layers: of the model.
        count: how many rows are expected; fewer than `LEAST_ROWS` are made up to that.
    """
    rng, count = np.random.default_rng(settings.seed), max(count, LEAST_ROWS)
    shapes = settings.spec.shapes(layers) | {BASE: BASE_SHAPE}
    features = {name: rng.random((count, *shape), np.float32) for name, shape in shapes.items()}
    person = np.array([f"{each:016x}" for each in rng.integers(1, PEOPLE + 1, count)])
    labels: dict[str, Any] = {
        "label": np.where(rng.random(count) < 0.5, "memorized", "hallucinated"),
        "entity": np.array([str(PRIVACYXRAY[each]) for each in rng.integers(0, len(PRIVACYXRAY), count)]),
        "person_key": person,
        "value_key": person,
        "person_split": np.full(count, "train"),
        "phrasing_split": np.full(count, "taught"),
        "phrasing_id": np.array([f"random-{each}" for each in rng.integers(0, PHRASINGS, count)]),
        "fragment": np.zeros(count, bool),
    }
    host = {"architecture": "", "layers": layers, "hidden_size": 0, "vocab_size": 0, "weights_sha256": ""}
    return FeatureTable(features, labels, {"host": host, "features": {}})


def _training(fit: Fit, rows: FeatureTable, weights: float, clock: Clock) -> Estimate:
    if fit.settings.arm == "paper":
        return estimate_training(rows, fit.settings.networks, fit.checkpoints, {"weights": weights}, clock)
    start = clock()
    fit_own(rows)
    memory, seconds = {"weights": weights}, clock() - start
    return Estimate(
        "train", "regression", 0, PERSON_FOLDS + 1, seconds, f"all, on {rows.rows:,} rows", memory, peak_bytes("cpu"),
        {"bundle": 0.0},
    )  # fmt: skip


def _asking(fit: Fit, clock: Clock) -> Estimate:
    settings = fit.settings
    others = () if settings.base is None else (settings.base,)
    model, tokenizer = fit.loaded(settings.model, *others)
    base = None if settings.base is None else fit.loaded_base(settings.base, settings.model, tokenizer)
    spec = FeatureSpec(position="output") if settings.arm == "token" else FeatureSpec(position="first")
    return estimate_asking(
        model,
        tokenizer,
        fit.said_of_strangers,
        spec,
        settings.device,
        **fit.strangers,
        base=base,
        records=fit.records,
        clock=clock,
    )
