"""Thresholds on copies of models that a score never saw: the page follows from the rows that are kept."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from reticent_bench.detector.moved_thresholds import BEST, COMES, MOVED, measure, render
from reticent_detectors.collection.shards import FeatureTable, ShardReader
from reticent_detectors.fitting.token_score_bundle import ARRAYS

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"


@pytest.fixture(scope="module")
def tables() -> dict[str, FeatureTable]:
    folders = sorted((BENCHMARKS / "rows").glob("*/*/"))
    return {folder.name: ShardReader(folder).load(ARRAYS) for folder in folders}


def test_the_page_follows_from_the_rows(tables: dict[str, FeatureTable]) -> None:
    made, kept = (
        measure(tables), json.loads((BENCHMARKS / "results" / "moved-thresholds.json").read_text())
    )  # fmt: skip
    assert made["copies"].keys() == kept["copies"].keys()
    for name, copy in made["copies"].items():
        for way in (COMES, MOVED, BEST):
            for part, interval in copy["stopped"][way]["0.08"].items():
                assert list(interval) == pytest.approx(
                    kept["copies"][name]["stopped"][way]["0.08"][part], abs=0.02, nan_ok=True
                )
    lines = render(kept).splitlines()
    assert sum(line.startswith("| qwen2.5-coder-0.5b-30-people |") for line in lines) == 1


def test_a_copy_that_is_surer_of_all_it_says_is_judged_by_moved_thresholds_as_before(
    tables: dict[str, FeatureTable],
) -> None:
    name = "qwen2.5-coder-0.5b-30-people"
    copy = tables[name]
    surer = {key: each * 0.2 if key.endswith("logprob") else each for key, each in copy.features.items()}
    surer["base_logprob"][:, 0] = copy.features["base_logprob"][:, 0]
    stopped = [
        measure({**tables, name: each})["copies"][name]["stopped"]
        for each in (copy, FeatureTable(surer, copy.labels, copy.settings))
    ]
    before, after = ([each[way]["0.08"]["made up"].value for way in (COMES, MOVED)] for each in stopped)
    assert after[0] > before[0] + 0.3 and np.isclose(after[1], before[1], atol=0.08)
