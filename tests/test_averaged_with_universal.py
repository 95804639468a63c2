"""A trained detector averaged with the universal one, in one graph, calibrated on rows that neither was trained on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from test_training import QUICK, make_table

from reticent.shipped import universal_bundle
from reticent_detectors.bundle.build_bundle import build_bundle
from reticent_detectors.bundle.export import parity, to_onnx
from reticent_detectors.bundle.format import Bundle
from reticent_detectors.collection.shards import FeatureTable
from reticent_detectors.detector.cross_fit import TrainedEnsemble, cross_fit
from reticent_detectors.detector.defaults import ensemble_of
from reticent_detectors.detector.held_out_calibration import calibrate
from reticent_detectors.detector.second_look import without_name_swap
from reticent_detectors.errors import BundleError, InputError
from reticent_detectors.features.derived_features import derive
from reticent_detectors.fitting.averaged_with_universal import join, networks_of
from reticent_detectors.scoring.scorer import OnnxScorer

GROUPS = frozenset({"pooled", "prob", "logprobs", "renamed", "entity"})


@pytest.fixture(scope="module")
def table() -> FeatureTable:
    plain = make_table(rows=1200)
    renamed = np.random.default_rng(0).normal(size=(plain.rows, 13)).astype(np.float32)
    return replace(plain, features={**plain.features, "renamed": renamed}, settings={"features": {"k": 3, "names": 2}})


@pytest.fixture(scope="module")
def own(table: FeatureTable) -> TrainedEnsemble:
    return cross_fit(table, ensemble_of(replace(QUICK, groups=GROUPS, epochs=2))[:3])


def universal() -> Bundle:
    return Bundle.load(universal_bundle())


def test_the_networks_of_a_bundle_are_read_from_its_graph() -> None:
    bundle = universal()
    networks = networks_of(bundle)
    assert len(networks.members) == len(bundle.manifest["training"]["networks"]) == 5
    assert parity(networks, bundle.network) < 1e-4


def test_a_graph_that_is_not_its_networks_is_refused(own: TrainedEnsemble) -> None:
    bundle = universal()
    with pytest.raises(BundleError, match="make it again"):
        networks_of(replace(bundle, network=to_onnx(own.network)))
    training = {**bundle.manifest["training"], "networks": bundle.manifest["training"]["networks"][:4]}
    with pytest.raises(BundleError, match="make it again"):
        networks_of(replace(bundle, manifest={**bundle.manifest, "training": training}))


def test_both_weigh_the_same_however_many_networks_they_have(table: FeatureTable, own: TrainedEnsemble) -> None:
    joined = join(own, universal(), table)
    slope, intercept = joined.scale
    theirs = slope * OnnxScorer(universal()).logits(table.features, table.labels["entity"]) + intercept
    np.testing.assert_allclose(joined.logits(table), (own.logits(table) + theirs) / 2, atol=1e-4)
    assert len(joined.network.members) == 3 + 5 and parity(joined.network, to_onnx(joined.network)) < 1e-4


@pytest.mark.parametrize("name_swap", [True, False])
def test_rows_are_judged_by_networks_that_never_saw_them(
    table: FeatureTable, own: TrainedEnsemble, name_swap: bool
) -> None:
    joined = join(own, universal(), table)
    held, logits = joined.held_out(table, include_mixed=True, name_swap=name_swap)
    mine, alone = own.held_out(table, include_mixed=True, name_swap=name_swap)
    assert held.rows == mine.rows
    features = held.features if name_swap else without_name_swap(held.features)
    slope, intercept = joined.scale
    other = joined.other.logits(derive(features, held.labels["entity"], joined.other.options.entities))
    np.testing.assert_allclose(logits, (alone + slope * other + intercept) / 2, atol=1e-4)


def test_a_joined_detector_becomes_a_bundle_that_says_whom_it_was_joined_with(
    table: FeatureTable, own: TrainedEnsemble, tmp_path: Path
) -> None:
    joined = join(own, universal(), table)
    bundle = build_bundle(tmp_path / "bundle", joined, table, {"fingerprint": {}, "behaviour": {}})
    assert bundle.manifest["training"]["joined with"] == universal().digest and universal().digest in bundle.card
    assert (
        bundle.calibration.thresholds == calibrate(joined, table, include_mixed=True, second_look_range=None).thresholds
    )
    np.testing.assert_allclose(
        OnnxScorer(bundle).logits(table.features, table.labels["entity"]), joined.logits(table), atol=1e-3
    )


def test_what_cannot_be_joined_is_refused(table: FeatureTable, own: TrainedEnsemble) -> None:
    alone = replace(universal(), manifest={**universal().manifest, "host": {"fingerprint": {}, "behaviour": {}}})
    with pytest.raises(InputError, match="no universal bundle"):
        join(own, alone, table)
    narrow = cross_fit(table, ensemble_of(replace(QUICK, groups=frozenset({"pooled", "prob"}), epochs=1))[:1])
    with pytest.raises(InputError, match=r"reads entity, renamed, token_logprob, which the trained one does not"):
        join(narrow, universal(), table)
