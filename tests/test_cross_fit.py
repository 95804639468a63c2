"""Ensembles: the mean of calibrated logits, each row judged by networks that never saw it, one graph."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from test_training import OPTIONS, QUICK, make_table, quality

from reticent_detectors.bundle.build_bundle import build_bundle
from reticent_detectors.bundle.export import to_onnx
from reticent_detectors.collection.shards import FeatureTable
from reticent_detectors.detector import cross_fit as module
from reticent_detectors.detector.cross_fit import TrainedEnsemble, cross_fit
from reticent_detectors.detector.defaults import default_config, ensemble_of, universal_config
from reticent_detectors.detector.ensemble import Ensemble
from reticent_detectors.detector.held_out_calibration import calibrate, second_look_range_of
from reticent_detectors.detector.network import DetectorNetwork, NetworkOptions
from reticent_detectors.detector.second_look import without_name_swap
from reticent_detectors.detector.splits import split_rows
from reticent_detectors.detector.training_config import TrainingConfig
from reticent_detectors.errors import InputError
from reticent_detectors.features.derived_features import derive

FULL = frozenset({"pooled", "prob", "entity"})
PLAIN = frozenset({"prob", "entity"})


@pytest.fixture(scope="module")
def table() -> FeatureTable:
    return make_table(rows=2400)


@pytest.fixture(scope="module")
def trained(table: FeatureTable) -> TrainedEnsemble:
    return cross_fit(table, ensemble_of(replace(QUICK, groups=FULL, epochs=2)))


def test_an_ensemble_is_the_mean_of_its_members_calibrated_logits() -> None:
    torch.manual_seed(0)
    members = [DetectorNetwork(NetworkOptions(3, 3, groups)).eval() for groups in (FULL, PLAIN)]
    both = Ensemble(members, [(2.0, 0.5), (0.5, -1.0)]).eval()
    assert both.inputs == ("token_prob", "pooled", "entity") and both.options.groups == FULL
    features = derive(make_table(rows=40).features, ["FLIGHT"] * 40, both.options.entities)
    alone = [member.logits(features) for member in members]
    expected = (2 * alone[0] + 0.5 + 0.5 * alone[1] - 1) / 2
    np.testing.assert_allclose(both.logits(features, batch=7), expected, atol=1e-6)
    again = Ensemble.from_json(both.to_json())
    again.load_state_dict(both.state_dict())
    np.testing.assert_array_equal(again.logits(features), both.logits(features))


def test_members_that_do_not_fit_each_other_are_refused() -> None:
    one = DetectorNetwork(OPTIONS)
    for members, scales, match in (
        ([], [], "got 0 members"),
        ([one], [], "for each member"),
        ([one, DetectorNetwork(replace(OPTIONS, layers=4))], [(1.0, 0.0)] * 2, "one shape of host"),
        ([one, DetectorNetwork(replace(OPTIONS, entities=("FLIGHT",)))], [(1.0, 0.0)] * 2, "same kinds"),
    ):
        with pytest.raises(InputError, match=match):
            Ensemble(members, scales)


def test_the_graph_of_an_ensemble_answers_as_it_does(trained: TrainedEnsemble) -> None:
    to_onnx(trained.network)  # compares, and raises if they differ


def test_five_folds_with_and_without_inner_layers() -> None:
    configs = ensemble_of(default_config(FULL | {"logprobs", "renamed"}))
    assert [config.fold for config in configs] == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert {config.groups for config in configs[1::2]} == {frozenset({"prob", "entity", "logprobs", "renamed"})}
    assert len(ensemble_of(universal_config())) == 5  # they have no inner layers to do without
    assert len(ensemble_of(default_config(frozenset({"pooled", "entity"})))) == 5  # the kind alone says nothing


def test_folds_hold_out_every_person_once_and_every_phrasing_at_least_once(table: FeatureTable) -> None:
    labels = table.labels
    people, phrasings = list[str](), list[str]()
    for fold in range(5):
        split = split_rows(labels, TrainingConfig(fold=fold))
        held = np.concatenate([split.validation, split.mixed])
        assert not set(labels["person_key"][held]) & set(labels["person_key"][split.train])
        strict = {(labels["entity"][i], labels["phrasing_id"][i]) for i in split.validation}
        assert not strict & {(labels["entity"][i], labels["phrasing_id"][i]) for i in split.train}
        people += sorted(set(labels["person_key"][held]))
        phrasings += sorted(" ".join(each) for each in strict)
    usable = (labels["person_split"] == "train") & (labels["phrasing_split"] != "test")
    assert len(people) == len(set(people)) and set(people) == set(labels["person_key"][usable])
    assert set(phrasings) == {f"{labels['entity'][i]} {labels['phrasing_id'][i]}" for i in np.flatnonzero(usable)}
    with pytest.raises(InputError, match="fold"):
        TrainingConfig(fold=5)


def test_rows_are_judged_by_the_networks_that_never_saw_them(table: FeatureTable, trained: TrainedEnsemble) -> None:
    held, logits = trained.held_out(table, include_mixed=True, ignore=frozenset())
    labels = table.labels
    usable = (labels["person_split"] == "train") & (labels["phrasing_split"] != "test")
    usable &= ~np.isin(labels["label"], ["partial", "coincident"])
    assert held.rows == usable.sum()
    place = {key: at for at, key in enumerate(held.labels["value_key"])}
    checked = 0
    for fold in range(5):
        pair = trained.members[2 * fold : 2 * fold + 2]
        split = pair[0].split
        rows = np.concatenate([split.validation, split.mixed])[:20]
        part = table.select(rows)
        scales = list(zip(trained.network.slope.tolist(), trained.network.intercept.tolist(), strict=True))
        member_logits = [
            slope * member.logits(part) + intercept
            for member, (slope, intercept) in zip(pair, scales[2 * fold :], strict=False)
        ]
        mine = [logits[place[key]] for key in part.labels["value_key"]]
        np.testing.assert_allclose(mine, np.mean(member_logits, 0), atol=1e-5)
        checked += len(mine)
    assert checked == 100
    strict, _ = trained.held_out(table)
    assert strict.rows < held.rows and not np.isin(strict.labels["label"], ["echoed", "public"]).any()
    with pytest.raises(InputError, match="trained on"):
        trained.held_out(make_table(seed=3))


def test_an_ensemble_is_calibrated_on_every_row_once(table: FeatureTable, trained: TrainedEnsemble) -> None:
    assert quality(trained, table) > np.mean([quality(member, table) for member in trained.members])
    calibration = calibrate(trained, table, include_mixed=True)
    alone = calibrate(trained.members[0], table, include_mixed=True)
    assert calibration.negatives[""] > 4 * alone.negatives[""]
    assert 0.7 < calibration.slope < 1.5 and second_look_range_of(trained, table) is None
    summary = trained.summary()
    assert [each["fold"] for each in summary["networks"]] == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert summary["config"]["epochs"] == 2 and not {"fold", "groups"} & set(summary["config"])
    assert summary["parameters"] == sum(parameter.numel() for parameter in trained.network.parameters())
    assert "entity" in summary["networks"][1]["groups"] and "pooled" not in summary["networks"][1]["groups"]
    assert summary["data_digest"] == table.digest and json.dumps(summary)


def test_the_card_has_a_line_for_each_network(table: FeatureTable, trained: TrainedEnsemble, tmp_path: Path) -> None:
    with_settings = replace(table, settings={"features": {"k": 3}})
    bundle = build_bundle(tmp_path / "b", trained, with_settings, {"fingerprint": {}, "behaviour": {}})
    card = (bundle.path / "CARD.md").read_text()
    assert "| 0 | prob, pooled, entity | " in card and "| 4 | prob, entity | " in card and "history" not in card
    assert card.count("| 3 | prob, ") == 2 and max(map(len, card.splitlines())) < 400


def test_before_the_second_look_is_the_mean_of_what_members_say_without(table: FeatureTable) -> None:
    positive = np.isin(table.labels["label"], ["memorized", "misattributed", "selected"])
    renamed = np.zeros((table.rows, 13), np.float32)
    renamed[:, 0] = np.where(positive, 1.0, -1.0)
    with_renamed = replace(table, features={**table.features, "renamed": renamed})
    config = replace(QUICK, groups=frozenset({"prob", "renamed"}), name_swap_dropout=0.25, epochs=2)
    trained = cross_fit(with_renamed, ensemble_of(config)[:2])
    held, second = trained.held_out(with_renamed, include_mixed=True)
    again, first = trained.held_out(with_renamed, include_mixed=True, name_swap=False)
    at = np.flatnonzero(np.isin(with_renamed.labels["value_key"], again.labels["value_key"][:50]))
    part = with_renamed.select(at)
    blind = replace(part, features=without_name_swap(part.features))
    by_fold = []
    for member, slope, intercept in zip(
        trained.members, trained.network.slope.tolist(), trained.network.intercept.tolist(), strict=True
    ):
        mine = np.isin(at, np.concatenate([member.split.validation, member.split.mixed]))
        by_fold.append(np.where(mine, slope * member.logits(blind) + intercept, 0.0))
    np.testing.assert_allclose(np.sum(by_fold, 0), first[: len(at)], atol=1e-5)
    assert held.rows == again.rows and np.abs(first - second).mean() > 0.5
    low, high = second_look_range_of(trained, with_renamed) or (0.0, 0.0)
    assert low < high


def test_a_kind_that_no_row_taught_is_none_of_its_kinds(table: FeatureTable) -> None:
    rows = table.select(table.labels["entity"] == "FLIGHT")
    trained = cross_fit(rows, ensemble_of(replace(QUICK, groups=FULL, epochs=1))[:2])
    assert trained.network.options.entities == ("FLIGHT",)
    other_kind = trained.logits(replace(rows, labels={**rows.labels, "entity": np.full(rows.rows, "PHONE_NUMBER")}))
    assert np.abs(other_kind - trained.logits(rows)).max() > 1e-4


def test_folds_of_few_people_that_lack_a_class_are_left_out(table: FeatureTable) -> None:
    folds = {fold: split_rows(table.labels, TrainingConfig(fold=fold)) for fold in range(5)}
    third = set(table.labels["person_key"][folds[3].validation]) | set(table.labels["person_key"][folds[3].mixed])
    positive = np.isin(table.labels["label"], ["memorized", "misattributed", "selected"])
    few = table.select(~(positive & np.isin(table.labels["person_key"], sorted(third))))
    trained = cross_fit(few, ensemble_of(replace(QUICK, groups=PLAIN, epochs=1)))
    assert [member.config.fold for member in trained.members] == [0, 1, 2, 4]
    first = set(table.labels["person_key"][folds[0].validation]) | set(table.labels["person_key"][folds[0].mixed])
    none = table.select(~(positive & np.isin(table.labels["person_key"], sorted(first))))
    with pytest.raises(InputError, match="validation has 0 positive"):
        cross_fit(none, ensemble_of(replace(QUICK, groups=PLAIN, epochs=1)))


def test_an_interrupted_ensemble_goes_on(table: FeatureTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    configs = ensemble_of(replace(QUICK, groups=PLAIN, epochs=2))[:3]
    whole = cross_fit(table, configs)
    cross_fit(table, configs[:2], folder=tmp_path)
    ran, run = list[int](), module.train

    def spy(*arguments: Any, **options: Any) -> Any:
        return run(*arguments, **options | {"after_epoch": lambda epoch, _: ran.append(epoch)})

    monkeypatch.setattr(module, "train", spy)
    again = cross_fit(table, configs, folder=tmp_path)
    assert ran == [0, 1]  # the third alone was trained
    for name, tensor in whole.network.state_dict().items():
        assert torch.equal(tensor, again.network.state_dict()[name]), name
    with pytest.raises(InputError, match="at least one"):
        cross_fit(table, ())
