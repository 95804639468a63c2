"""Training: learns a planted signal and nothing else, splits by person and phrasing, resumes to the bit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sklearn.metrics import roc_auc_score

from reticent_detectors.collection.shards import FeatureTable
from reticent_detectors.detector.held_out_calibration import calibrate
from reticent_detectors.detector.network import GROUPS, STATE_GROUPS, NetworkOptions
from reticent_detectors.detector.splits import row_weights, split_rows
from reticent_detectors.detector.training import Epoch, learning_rate_factor, train
from reticent_detectors.detector.training_config import NEGATIVE, POSITIVE, TrainingConfig
from reticent_detectors.errors import InputError

OPTIONS = NetworkOptions(layers=3, ranks=3)
SPLITS = {"taught": 8, "detector": 6, "test": 6}


def make_table(rows: int = 3000, seed: int = 0, signal: float = 1.2, only: str | None = None) -> FeatureTable:
    """Random features in which positives differ by `signal` in one element of each array (or of `only` one)."""
    random = np.random.default_rng(seed)
    label = random.choice(
        ["memorized", "misattributed", "selected", "partial", "hallucinated", "echoed", "inferable", "public"],
        size=rows,
        p=[0.3, 0.05, 0.05, 0.05, 0.35, 0.1, 0.05, 0.05],
    )
    positive = np.isin(label, sorted(POSITIVE))
    features = {}
    for name, shape in OPTIONS.shapes.items():
        array = random.normal(0, 1, (rows, int(np.prod(shape)))).astype(np.float32)
        if only in (None, name):
            array[:, 0] += np.where(positive, signal, -signal)
        features[name] = array.reshape(rows, *shape) * 0.1 + 0.5
    person = random.integers(0, 200, rows)
    phrasing = random.integers(0, sum(SPLITS.values()), rows)
    names = [split for split, count in SPLITS.items() for _ in range(count)]
    labels: dict[str, np.ndarray[Any, Any]] = {
        "entity": random.choice(["PHONE_NUMBER", "FLIGHT"], rows),
        "label": label,
        "person_split": np.where(person < 160, "train", "test"),
        "phrasing_split": np.array(names)[phrasing],
        "phrasing_id": np.array([f"p-{number}" for number in phrasing]),
        "person_key": np.array([f"{number:016x}" for number in person]),
        "value_key": np.array([f"{number:016x}" for number in range(rows)]),
    }
    return FeatureTable(features, labels, {})


def quality(detector: Any, table: FeatureTable) -> float:
    """AUROC on test people under test phrasings."""
    labels = table.labels
    rows = (labels["person_split"] == "test") & (labels["phrasing_split"] == "test")
    rows &= np.isin(labels["label"], sorted(POSITIVE | NEGATIVE))
    test = table.select(rows)
    return float(roc_auc_score(np.isin(test.labels["label"], sorted(POSITIVE)), detector.logits(test)))


QUICK = TrainingConfig(epochs=5, batch=32)


def test_learns_a_planted_signal_and_calibrates() -> None:
    table = make_table()
    detector = train(table, QUICK)
    assert quality(detector, table) > 0.97
    calibration = calibrate(detector, table, prevalence=0.2)
    assert calibration.prevalence == 0.2 and set(calibration.thresholds) == {"0.001", "0.01", "0.05", "0.08"}
    held = table.select(detector.split.validation)
    assert calibration.negatives[""] == np.isin(held.labels["label"], ["hallucinated", "inferable"]).sum()
    wider = calibrate(detector, table, include_mixed=True)
    assert wider.negatives[""] > 2 * calibration.negatives[""]
    summary = detector.summary()
    assert summary["rows"]["train"] == len(detector.split.train) and len(summary["history"]) == 5
    with pytest.raises(InputError, match="trained on"):
        calibrate(detector, make_table(seed=1))


def test_learns_nothing_from_shuffled_labels() -> None:
    table = make_table()
    order = np.random.default_rng(5).permutation(table.rows)
    shuffled = replace(table, labels={**table.labels, "label": table.labels["label"][order]})
    assert abs(quality(train(shuffled, QUICK), shuffled) - 0.5) < 0.12


@pytest.mark.parametrize("group", sorted(STATE_GROUPS))
def test_each_group_learns_from_its_own_array_alone(group: str) -> None:
    table = make_table(rows=4000, signal=2.0, only=GROUPS[group])
    config = TrainingConfig(groups=frozenset({group}), epochs=6, batch=32)
    assert quality(train(table, config), table) > 0.95


def test_the_kind_of_data_is_an_input_where_it_is_asked_for() -> None:
    table = make_table(signal=0.0)
    positive = np.isin(table.labels["label"], sorted(POSITIVE))
    kinds = np.where(positive, "PHONE_NUMBER", "FLIGHT")
    table = replace(table, labels={**table.labels, "entity": kinds})
    blind = train(table, replace(QUICK, groups=frozenset({"prob"})))
    sees = train(table, replace(QUICK, groups=frozenset({"prob", "entity"})))
    assert quality(sees, table) > 0.99 > 0.6 > quality(blind, table)


def test_logprobs_are_read_off_the_last_layer_of_pooled() -> None:
    table = make_table(signal=0.0)
    positive = np.isin(table.labels["label"], sorted(POSITIVE))
    for layer, seen in ((0, False), (-1, True)):
        pooled = table.features["pooled"].copy()
        pooled[:, layer, 0] += np.where(positive, 1.0, -1.0)[:, None]
        with_signal = replace(table, features={**table.features, "pooled": pooled})
        detector = train(with_signal, replace(QUICK, groups=frozenset({"logprobs"})))
        assert (quality(detector, with_signal) > 0.95) is seen


def test_training_people_and_phrasings_are_apart_from_validation_and_test() -> None:
    table = make_table()
    split = split_rows(table.labels, TrainingConfig())
    labels = table.labels
    phrasing = np.char.add(labels["entity"], labels["phrasing_id"])
    for column in (labels["person_key"], phrasing):
        assert not set(column[split.train]) & set(column[split.validation])
    assert not set(labels["person_key"][split.train]) & set(labels["person_key"][split.mixed])
    every = np.concatenate([split.train, split.validation, split.mixed])
    assert len(set(every.tolist())) == len(every)
    assert set(labels["person_split"][every]) == {"train"} and "test" not in set(labels["phrasing_split"][every])
    assert "partial" not in set(labels["label"][every])
    # A quarter of the phrasings of each entity and split is held out: 2 of 8 taught, 2 of 6 for the detector alone.
    for entity in ("PHONE_NUMBER", "FLIGHT"):
        held = split.validation[labels["entity"][split.validation] == entity]
        counts = {
            name: len(set(phrasing[held[labels["phrasing_split"][held] == name]])) for name in ("taught", "detector")
        }
        assert counts == {"taught": 2, "detector": 2}
    assert 0.02 < len(split.validation) / len(split.train) < 0.15


def test_people_marked_val_are_the_held_out_ones() -> None:
    table = make_table()
    people = np.where(table.labels["person_key"] < f"{20:016x}", "val", table.labels["person_split"])
    split = split_rows({**table.labels, "person_split": people}, TrainingConfig())
    assert set(people[split.validation]) == {"val"} and set(people[split.train]) == {"train"}


def test_rows_without_a_person_or_phrasing_are_held_out_by_what_they_have() -> None:
    table = make_table()
    blank = np.full(table.rows, "")
    public = table.labels["label"] == "public"
    names = np.array([f"fact-{number}" for number in range(table.rows)])
    labels = {
        **table.labels,
        "person_key": np.where(public, "", table.labels["person_key"]),
        "phrasing_id": np.where(public, names, table.labels["phrasing_id"]),
    }
    split, before = split_rows(labels, TrainingConfig()), split_rows(table.labels, TrainingConfig())
    assert 0.1 < public[split.validation].sum() / public[split.train].sum() < 0.4
    for part in ("train", "validation", "mixed"):  # public facts do not change which phrasings are held out
        rows, others = getattr(split, part), getattr(before, part)
        np.testing.assert_array_equal(rows[~public[rows]], others[~public[others]])
    labels = {**table.labels, "phrasing_id": blank}
    split = split_rows(labels, TrainingConfig())
    assert len(split.train) and len(split.validation) and not len(split.mixed)
    assert not set(labels["person_key"][split.train]) & set(labels["person_key"][split.validation])


def test_weights_balance_the_classes() -> None:
    table = make_table()
    rows = split_rows(table.labels, TrainingConfig()).train
    labels = table.labels["label"][rows]
    positive = np.isin(labels, sorted(POSITIVE))
    weights = row_weights(table.labels, rows, TrainingConfig())
    assert weights[positive].sum() == pytest.approx(weights[~positive].sum(), rel=1e-4)
    assert weights.mean() == pytest.approx(1, rel=1e-4)
    assert weights[labels == "echoed"][0] == pytest.approx(0.2 * weights[labels == "hallucinated"][0], rel=1e-4)
    weights = row_weights(table.labels, rows, TrainingConfig(balance="entity"))
    flight = table.labels["entity"][rows] == "FLIGHT"
    assert weights[positive & flight].sum() == pytest.approx(weights[~positive & flight].sum(), rel=1e-4)


class Killed(Exception):
    pass


def test_a_killed_training_resumes_to_identical_weights(tmp_path: Path) -> None:
    table = make_table(rows=1500)
    config = TrainingConfig(epochs=4, batch=128, seed=3)
    whole = train(table, config)

    def kill(epoch: int, _: Epoch) -> None:
        if epoch in (0, 2):
            raise Killed

    for _ in range(2):
        torch.rand(17)  # the caller's generator must not matter
        with pytest.raises(Killed):
            train(table, config, folder=tmp_path, after_epoch=kill)
    ran: list[int] = []
    resumed = train(table, config, folder=tmp_path, after_epoch=lambda epoch, _: ran.append(epoch))
    assert ran == [3]
    assert resumed.history == whole.history and resumed.best_epoch == whole.best_epoch
    for name, tensor in whole.network.state_dict().items():
        assert torch.equal(tensor, resumed.network.state_dict()[name]), name
    # A finished run is only read back.
    again = train(table, config, folder=tmp_path, after_epoch=kill)
    assert again.history == whole.history
    np.testing.assert_array_equal(again.logits(table), whole.logits(table))
    assert not (tmp_path / "checkpoint.safetensors.tmp").exists()


def test_another_run_or_a_damaged_checkpoint_is_refused(tmp_path: Path) -> None:
    table = make_table(rows=1000)
    config = TrainingConfig(epochs=1)
    train(table, config, folder=tmp_path)
    with pytest.raises(InputError, match=r"other settings or other rows.*delete"):
        train(table, replace(config, seed=1), folder=tmp_path)
    with pytest.raises(InputError, match="other settings or other rows"):
        train(make_table(rows=1000, seed=1), config, folder=tmp_path)
    path = tmp_path / "checkpoint.safetensors"
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(InputError, match=r"checkpoint\.safetensors is cut short.*delete"):
        train(table, config, folder=tmp_path)


def test_stops_early_and_returns_the_best_epoch() -> None:
    table = make_table(rows=1000, signal=0.0)  # nothing to learn: the validation loss soon rises
    detector = train(table, TrainingConfig(epochs=30, patience=2, batch=64))
    assert len(detector.history) < 30
    assert detector.best_epoch == len(detector.history) - 3
    assert detector.validation_loss == min(epoch.validation_loss for epoch in detector.history)
    rows = detector.split.validation
    loss = torch.nn.functional.binary_cross_entropy_with_logits(
        torch.from_numpy(detector.logits(table.select(rows))),
        torch.from_numpy(np.isin(table.labels["label"][rows], sorted(POSITIVE)).astype(np.float32)),
        torch.from_numpy(row_weights(table.labels, rows, detector.config)),
    )
    assert float(loss) == pytest.approx(detector.validation_loss, abs=1e-6)  # the best weights, not the last


def test_the_learning_rate_warms_up_and_falls_to_zero() -> None:
    factors = [learning_rate_factor(step, 1000, 100) for step in range(1000)]
    assert factors[0] == 0.01 and factors[99] == 1.0 and factors[-1] < 1e-4
    assert factors[100:] == sorted(factors[100:], reverse=True)
    assert max(learning_rate_factor(step, 10, 100) for step in range(10)) == 1.0  # short runs warm up in a tenth


def test_bad_input() -> None:
    table = make_table(rows=400)
    with pytest.raises(InputError, match="training has 0 positive"):
        train(replace(table, labels={**table.labels, "label": np.full(400, "hallucinated")}))
    with pytest.raises(InputError, match="topk_prob"):
        train(replace(table, features={}))
    with pytest.raises(InputError, match="inter has shape"):
        train(replace(table, features={**table.features, "inter": table.features["inter"][:, :1]}))
    for wrong in ({"balance": "none"}, {"epochs": 0}, {"label_weight": {"partial": 1.0}}):
        with pytest.raises(InputError):
            TrainingConfig(**wrong)
