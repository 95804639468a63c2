"""Rates that thresholds are named for, counted on values that nobody calibrated by."""

from __future__ import annotations

import numpy as np
import pytest

from reticent.shipped import default_bundle
from reticent_bench.detector.calibrated_rates import measure, render
from reticent_detectors.bundle.format import Bundle
from reticent_detectors.collection.shards import FeatureTable
from reticent_detectors.errors import InputError
from reticent_detectors.scoring.scorer import OnnxScorer


def table_of(means: np.ndarray, label: str = "hallucinated") -> FeatureTable:  # type: ignore[type-arg]
    rows = len(means)
    logprob = np.zeros((rows, 2, 3), np.float32)
    logprob[:, 0] = means[:, None]
    features = {
        "token_prob": np.exp(logprob[:, 0]),
        "token_logprob": logprob,
        "length": np.full((rows, 1), 5.0),
        "base_logprob": np.zeros((rows, 4)),
    }
    kinds = np.resize(["PHONE_NUMBER", "DOCTOR"], rows)
    people = np.array([f"{row // 4:02x}" for row in range(rows)])
    return FeatureTable(features, {"label": np.full(rows, label), "entity": kinds, "person_key": people}, {})


def test_each_kind_is_held_to_its_own_threshold() -> None:
    bundle = Bundle.load(default_bundle())
    table = table_of(np.linspace(-3, 0, 400, dtype=np.float32))
    figures = measure({"one": ([table], bundle)})["one"]
    assert (figures["values"], figures["people"]) == (400, 100)
    score = OnnxScorer(bundle).score(table.features, table.labels["entity"])
    for rate in (0.01, 0.05):
        hits = {}
        for kind in ("PHONE_NUMBER", "DOCTOR"):
            own = score[table.labels["entity"] == kind]
            hits[kind] = sum(each >= bundle.calibration.threshold(rate, kind) for each in own)
            assert figures["rates"][f"{rate:g}"]["kinds"][kind].value == hits[kind] / 200
        assert 0 < sum(hits.values()) < 400
        assert figures["rates"][f"{rate:g}"]["all"].value == sum(hits.values()) / 400
    assert "| one | 400 | 100 |" in render({"one": figures})


def test_other_peoples_values_are_no_inventions() -> None:
    bundle = Bundle.load(default_bundle())
    with pytest.raises(InputError, match="--people"):
        measure({"one": ([table_of(np.zeros(8, np.float32), "misattributed")], bundle)})


def test_strangers_of_two_seeds_are_counted_together() -> None:
    bundle = Bundle.load(default_bundle())
    low, high = table_of(np.full(8, -3, np.float32)), table_of(np.zeros(8, np.float32))
    nobody = table_of(np.zeros(8, np.float32), "misattributed")
    alone, both = measure({"one": ([high], bundle), "two": ([low, nobody, high], bundle)}).values()
    assert (both["values"], both["people"]) == (16, 4)
    for rate in ("0.01", "0.05"):
        assert both["rates"][rate]["all"].value == alone["rates"][rate]["all"].value / 2 > 0
        assert both["rates"][rate]["kinds"]["DOCTOR"].value == alone["rates"][rate]["kinds"]["DOCTOR"].value / 2
