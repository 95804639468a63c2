"""The ablation of the token score: relative depths, bounded corrections with a known truth, refused collections."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from typer.testing import CliRunner

from reticent_bench.bench_command import app as bench
from reticent_bench.detector import ablation_report, bounded_correction, token_score_report
from reticent_bench.detector.ablation_page import render
from reticent_bench.detector.ablation_report import ALONE, BOTH, WITH_BASE, Arms, arm, fit_arms, measure
from reticent_bench.detector.ablation_rows import (
    INNER,
    LAST,
    NAME_SWAP,
    load,
    model_names,
    prepared,
    reduced,
    with_base,
)
from reticent_bench.detector.bounded_correction import BOUNDS, LIMIT, RIDGE, Correction, Rows, choose, fit
from reticent_bench.detector.inner_statistics import (
    DEPTHS,
    NAMES,
    OF_A_LAYER,
    at_depths,
    inner_statistics,
    last_layer_statistics,
    name_swap_statistics,
)
from reticent_bench.report import metrics
from reticent_detectors.collection.row_labels import RowLabels
from reticent_detectors.collection.shards import FeatureTable, ShardWriter
from reticent_detectors.detector.token_score import SURPRISAL_OFFSET, TERMS, TokenScore
from reticent_detectors.entities import PRIVACYXRAY
from reticent_detectors.errors import InputError

# ---- relative depths -------------------------------------------------------------------------------------------------


def test_layers_are_read_at_relative_depths() -> None:
    values = np.array([[10.0, 20.0, 30.0, 40.0]])
    assert at_depths(values, (0.25, 0.5, 0.75, 1.0), (0.25, 0.6, 1.0)).tolist() == [[10.0, 24.0, 40.0]]
    assert at_depths(values, (0.25, 0.5, 0.75, 1.0), (0.1,)).tolist() == [[10.0]]  # no layer is less deep


@pytest.mark.parametrize("layers", [2, 5, 30])
def test_a_number_that_grows_with_depth_is_the_same_on_every_model(layers: int) -> None:
    positions = np.arange(1, layers + 1) / layers
    found = at_depths(np.tile(positions, (3, 1))[..., None], positions.tolist())
    assert found.shape == (3, len(DEPTHS), 1)
    deep = [depth for depth in DEPTHS if depth >= positions[0]]
    assert np.allclose(found[0, -len(deep) :, 0], deep)


def _inner(rows: int, layers: int, entropy: float | NDArray[Any] = 1.0) -> dict[str, NDArray[Any]]:
    pooled = np.zeros((rows, layers, 4, 3), np.float32)
    pooled[:, :, 0], pooled[:, :, 1] = [-3.0, -2.0, -1.0], [0.0, 0.5, 1.0]
    pooled[:, :, 3] = np.broadcast_to(np.asarray(entropy, np.float32).reshape(-1, 1, 1), (rows, layers, 3))
    return {
        "pooled": pooled,
        "topk_prob": np.tile(np.array([0.5, 0.2, 0.1], np.float32), (rows, layers, 1)),
        "inter": np.tile(np.diag([0.9, 0.6, 0.3]).astype(np.float32), (rows, layers - 1, 1, 1)),
        "intra": np.tile(np.array([0.4, 0.2], np.float32), (rows, layers, 1)),
        "token_prob": np.tile(np.array([0.1, 0.9, 0.4], np.float32), (rows, 1)),
    }


@pytest.mark.parametrize("layers", [2, 7])
def test_each_statistic_is_read_from_its_array(layers: int) -> None:
    (own,) = inner_statistics(_inner(1, layers), vocabulary=100)
    (last,) = last_layer_statistics(_inner(1, layers), vocabulary=100)
    at = dict(zip(NAMES, own, strict=True))
    wanted = {
        "mean log-surprisal": np.log(2.0 + SURPRISAL_OFFSET),
        "greatest log-surprisal": np.log(3.0 + SURPRISAL_OFFSET),
        "mean log-surprisal less the last layer's": 0.0,
        "mean rank": 0.5 / np.log(101.0),
        "greatest rank": 1.0 / np.log(101.0),
        "mean entropy": 1.0 / np.log(100.0),
        "greatest entropy": 1.0 / np.log(100.0),
        "first token, best probability": 0.5,
        "first token, top-k mass": 0.8,
        "first token, cosine of the best two": 0.4,
        "first token, mean cosine of neighbouring ranks": 0.3,
        "first token, cosine of the best of two layers": 0.9,
        "first token, mean cosine of equal ranks of two layers": 0.6,
    }
    assert len(own) == len(wanted) * len(DEPTHS)
    assert last == pytest.approx(list(wanted.values())[: len(OF_A_LAYER)])
    for name, value in wanted.items():
        for depth in DEPTHS:
            assert at[f"{name} at {depth:g}"] == pytest.approx(value, abs=1e-6), name


@pytest.mark.parametrize("layers", [4, 20])
def test_statistics_are_of_the_depth_in_their_names(layers: int) -> None:
    features, depth = _inner(1, layers), np.arange(1, layers + 1) / layers
    features["pooled"][0, :, 3, 1] = depth * np.log(100.0)
    features["inter"][0, :, 0, 0] = (depth[1:] + depth[:-1]) / 2
    at = dict(zip(NAMES, inner_statistics(features, vocabulary=100)[0], strict=True))
    for share in DEPTHS:
        assert at[f"mean entropy at {share:g}"] == pytest.approx(share)
        if depth[:2].mean() <= share <= depth[-2:].mean():  # beyond, no pair is nearer
            assert at[f"first token, cosine of the best of two layers at {share:g}"] == pytest.approx(share)


def test_a_value_without_other_names_has_no_name_swap_figures() -> None:
    read = np.array([[1.0, *([-3.0] * 6), *([3.0] * 6)], [0.0] * 13], np.float32)
    first, second = name_swap_statistics(read)
    assert first.tolist() == pytest.approx([-np.log(4.0)] * 6 + [np.log(4.0)] * 6) and np.isnan(second).all()


# ---- bounded corrections ---------------------------------------------------------------------------------------------


def _rows(seed: int, signs: dict[str, float], each: int = 400) -> tuple[Rows, NDArray[np.str_]]:
    """Rows of several models; their first feature tells the classes apart by its model's sign, the second is noise."""
    rng = np.random.default_rng(seed)
    models = np.repeat(list(signs), each)
    positive = rng.random(len(models)) < 0.5
    class_sign = np.where(positive, 1.0, -1.0)
    known = class_sign * np.array([signs[model] for model in models]) + rng.normal(size=len(models))
    features = np.stack([known, rng.normal(size=len(models))], axis=1)
    logits = class_sign * 0.5 + rng.normal(size=len(models))
    return Rows(features, logits, positive, np.ones(len(models))), models


def test_a_feature_that_tells_the_classes_apart_everywhere_is_used() -> None:
    rows, models = _rows(0, {"a": 1.5, "b": 1.5, "c": 1.5})
    chosen = choose(rows, models, models)
    new, _ = _rows(1, {"d": 1.5})
    correction = chosen.correction
    assert correction.bound >= 1.0 and correction.slopes[0] > 3 * abs(correction.slopes[1])
    gain = metrics.auroc(new.logits + correction(new.features), new.positive) - metrics.auroc(new.logits, new.positive)
    assert gain > 0.1 and chosen.held_out[correction.bound] > chosen.held_out[0.0] + 0.1


def test_noise_is_not_used() -> None:
    rows, models = _rows(2, {"a": 0.0, "b": 0.0, "c": 0.0})
    chosen = choose(rows, models, models)
    assert set(chosen.held_out) == set(BOUNDS)
    assert chosen.correction.bound == 0.0 and not chosen.correction(rows.features).any()


def test_a_feature_that_helps_one_model_and_hurts_another_is_not_used() -> None:
    rows, models = _rows(3, {"a": 1.5, "b": -1.5})
    chosen = choose(rows, models, models)
    assert chosen.correction.bound == 0.0
    assert chosen.held_out[4.0] < chosen.held_out[0.25] < chosen.held_out[0.0]


def test_no_logit_moves_further_than_the_bound() -> None:
    rows, _ = _rows(4, {"a": 3.0})
    for bound in BOUNDS[1:]:
        correction = fit(rows, bound)
        moved = np.abs(correction(np.concatenate([rows.features, [[1e9, -1e9]]])))
        assert 0 < moved.max() <= bound
    assert np.array_equal(fit(rows, 1.0).slopes, fit(rows, 1.0).slopes)


@pytest.mark.parametrize("bound", [0.5, 4.0])
def test_the_fitted_slopes_have_the_least_loss(bound: float) -> None:
    rows, _ = _rows(5, {"a": 1.5})
    found = fit(rows, bound)

    def loss(correction: Correction) -> float:
        margin = np.where(rows.positive, 1.0, -1.0) * (rows.logits + correction(rows.features))
        return float(np.logaddexp(0.0, -margin).mean() + RIDGE / 2 * (correction.slopes**2).sum())

    for step in (0.02, -0.02):
        for at in range(2):
            assert loss(replace(found, slopes=found.slopes + step * np.eye(2)[at])) > loss(found)
        assert loss(replace(found, constant=found.constant + step)) > loss(found)


def test_a_gain_that_is_too_small_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, models = _rows(0, {"a": 1.5, "b": 1.5, "c": 1.5})
    monkeypatch.setattr(bounded_correction, "LEAST_GAIN", 0.5)
    assert choose(rows, models, models).correction.bound == 0.0


def test_a_correction_is_the_formula_and_nan_is_the_mean() -> None:
    correction = Correction(2.0, np.array([1.0, 5.0]), np.array([2.0, 1.0]), np.array([0.5, 3.0]), 0.25)
    got = correction(np.array([[3.0, 5.0], [np.nan, 5.0], [1e6, 5.0]]))
    assert got == pytest.approx([2 * np.tanh(0.75 / 2), 2 * np.tanh(0.25 / 2), 2 * np.tanh((LIMIT / 2 + 0.25) / 2)])


def test_features_are_standardised_by_how_much_rows_count() -> None:
    rows = Rows(np.array([[0.0], [4.0], [np.nan]]), np.zeros(3), np.array([True, False, True]), np.array([1.0, 3.0, 9]))
    correction = fit(rows, 1.0)
    assert correction.mean.tolist() == [3.0] and correction.deviation == pytest.approx([np.sqrt(3.0)])


# ---- whole collections -----------------------------------------------------------------------------------------------


def _labels(rng: np.random.Generator, right: NDArray[np.bool_]) -> list[RowLabels]:
    people = rng.integers(0, 20, len(right))
    return [
        RowLabels(
            entity=str(PRIVACYXRAY[row % 16]),
            label="memorized" if right[row] else "hallucinated",
            person_split="train" if people[row] < 8 else "test",
            phrasing_split="taught" if people[row] < 8 else "test",
            phrasing_id=f"p{row % 7}",
            person_key=f"{people[row]:016x}",
            value_key=f"{row:016x}",
            form="question",
            first_prob=0.5,
            tokens=3,
            robust=bool(right[row]),
        )
        for row in range(len(right))
    ]


def _collect(folder: Path, seed: int, layers: int, inner: float, other_names: float, **options: Any) -> Path:
    """Writes a full collection in which entropies of inner layers and other names tell remembered values apart."""
    rows = options.get("rows", 500)
    rng = np.random.default_rng(seed)
    right = rng.random(rows) < 0.5
    sign = np.where(right, 1.0, -1.0)
    features = _inner(rows, layers, np.exp(inner * sign + rng.normal(size=rows)))
    surprisal = np.exp(rng.normal(size=rows) - 0.4 * sign)
    features["pooled"][:, -1, 0] = -surprisal[:, None] * [3.0, 1.0, 0.5]
    features["pooled"][:, -1, 3] = 1.0
    renamed = np.zeros((rows, 13), np.float32)
    renamed[:, 0], renamed[:, 1:] = 1.0, (other_names * sign + rng.normal(size=rows))[:, None]
    asked = np.stack([np.ones(rows), -9.0 - sign, -5.0 - sign, np.full(rows, -1.0)], axis=1)
    features |= {"renamed": renamed} if options.get("names", True) else {}
    features |= {"base_logprob": asked} if options.get("base", True) else {}
    host = {
        "architecture": options.get("architecture", "llama"),
        "layers": layers,
        "hidden_size": 8,
        "vocab_size": 100,
        "weights_sha256": f"{seed}",
    }
    settings = {"host": host, "features": {"position": "pooled", "max_tokens": 32}, "labels": 3}
    if options.get("output_only"):
        features = {name: features[name] for name in ("token_prob", "base_logprob")}
    with ShardWriter(folder, settings) as writer:
        writer.append(features, _labels(rng, right), cursor=1)
    return folder


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draws few samples of people."""
    few, pairs = partial(metrics.bootstrap, rounds=40), partial(metrics.paired_bootstrap, rounds=40)
    monkeypatch.setattr(token_score_report, "bootstrap", few)
    monkeypatch.setattr(ablation_report, "paired_bootstrap", pairs)


def test_inner_layers_that_tell_the_classes_apart_on_all_models_are_used(tmp_path: Path, quick: None) -> None:
    folders = [
        _collect(tmp_path / f"{layers}-layers", layers, layers, inner=0.8, other_names=0.0) for layers in (2, 5, 9)
    ]
    figures = measure(load(folders))
    assert set(figures["copies"]) == {"2-layers", "5-layers", "9-layers"}
    for copy in figures["copies"].values():
        own = copy["parts"]["remembered"]
        assert own["difference"][f"{INNER}, {ALONE}"].low > 0.05
        assert own["difference"][f"{INNER} beside {NAME_SWAP}, {ALONE}"].low > 0.05
        assert own["difference"][f"{INNER} instead of {LAST}, {ALONE}"].low > 0.05
        assert own["difference"][f"{NAME_SWAP}, {ALONE}"].value < 0.01
        assert own["difference"]["base"].low > 0.05  # the base tells the classes apart without error
        assert own["passes"][arm(ALONE, INNER)].value < own["passes"][arm(ALONE)].value
    for arms in figures["bounds"].values():
        assert arms[arm(ALONE, INNER)]["bound"] > 0 and arms[arm(ALONE, NAME_SWAP)]["bound"] == 0
    page = render(figures)
    assert "5-layers" in page and "| remembered | inner layers, no base | 3 | 0 | 0 |" in page
    assert "The hard part" not in page and "## Remembered, " in page  # no part without rows
    assert json.loads(json.dumps(figures))["copies"]["2-layers"]["rows with a base"] == 500


def test_other_names_are_used_where_inner_layers_say_nothing(tmp_path: Path, quick: None) -> None:
    folders = [
        _collect(tmp_path / f"copy-{layers}", layers, layers, 0.0, other_names=0.8, base=False) for layers in (2, 5, 9)
    ]
    tables = load(folders)
    figures = measure(tables)
    for copy in figures["copies"].values():
        own = copy["parts"]["remembered"]
        assert own["difference"][f"{NAME_SWAP}, {ALONE}"].low > 0.05
        assert own["difference"][f"{INNER} beside {NAME_SWAP}, {ALONE}"].value < 0.01
        assert not any(WITH_BASE in name for name in own["auroc"]) and "base" not in own["difference"]


def test_the_left_out_model_has_no_part_in_its_arms(tmp_path: Path) -> None:
    tables = load([_collect(tmp_path / f"c{n}", n, n, 0.8, 0.8, rows=200) for n in (2, 5)])
    arms = fit_arms([tables["c2"]])
    assert arms.left_out == "people" and fit_arms(list(tables.values())).left_out == "models"
    labels = {**tables["c5"].labels, "label": np.full(tables["c5"].rows, "hallucinated")}
    first, second = arms(tables["c5"]), arms(replace(tables["c5"], labels=labels))
    assert all(np.array_equal(first[name], second[name]) for name in first)
    assert {arm(base, added) for base in (ALONE, WITH_BASE) for added in ("", NAME_SWAP, INNER, BOTH)} < set(first)
    tested = tables["c2"].labels["person_split"] == "test"
    labels = {**tables["c2"].labels, "label": np.where(tested, "hallucinated", tables["c2"].labels["label"])}
    again = fit_arms([replace(tables["c2"], labels=labels)])(tables["c5"])  # nor have test people of the others
    assert all(np.array_equal(first[name], again[name]) for name in first)


def test_each_model_is_left_out_with_all_its_copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = load(
        [_collect(tmp_path / f"c{n}", n, layers, 0.5, 0.5, rows=60) for n, layers in ((0, 2), (1, 2), (2, 3))]
    )
    fitted = list[list[int]]()

    def spy(learned: Sequence[FeatureTable]) -> Arms:
        fitted.append([table.settings["host"]["layers"] for table in learned])
        return Arms(TokenScore(np.zeros((2, len(TERMS))), np.zeros(2)), {}, {}, "models")

    monkeypatch.setattr(ablation_report, "fit_arms", spy)
    measure(tables)
    assert fitted == [[3], [2, 2]]


def test_models_of_one_shape_are_distinguished_by_name(tmp_path: Path) -> None:
    folders = [_collect(tmp_path / f"c{n}", n, 3, 0.0, 0.0) for n in (0, 1)]
    with pytest.raises(InputError, match="one model"):
        measure(load(folders))
    named = load(folders, model_names([f"first={folders[0]}"]))
    assert token_score_report.model_of(named["c0"]) == "first"
    for options, wrong in ((["first"], "NAME=FOLDER"), (["first=elsewhere"], "elsewhere")):
        with pytest.raises(InputError, match=wrong):
            load(folders, model_names(options))
    (tmp_path / "other").mkdir()
    with pytest.raises(InputError, match="one name"):
        load([folders[0], _collect(tmp_path / "other" / "c0", 7, 3, 0.0, 0.0)])


def test_collections_without_inner_layers_or_other_names_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no inner layers.*without --output-only"):
        prepared(_collect(tmp_path / "output", 0, 3, 0.0, 0.0, output_only=True))
    with pytest.raises(InputError, match=r"no other names.*--names 4"):
        prepared(_collect(tmp_path / "unnamed", 0, 3, 0.0, 0.0, names=False))


def test_a_base_is_taken_from_another_collection_of_the_copy(tmp_path: Path) -> None:
    full = _collect(tmp_path / "full", 0, 3, 0.0, 0.0, base=False)
    output = _collect(tmp_path / "output", 0, 3, 0.0, 0.0, output_only=True)
    table = load([full], bases=[output])["full"]
    whole = prepared(_collect(tmp_path / "whole", 0, 3, 0.0, 0.0))
    assert not prepared(full).features["base_logprob"].any()
    assert np.array_equal(table.features["base_logprob"], whole.features["base_logprob"])
    with pytest.raises(InputError, match="none of the given copies"):
        load([full], bases=[_collect(tmp_path / "stranger", 1, 3, 0.0, 0.0, output_only=True)])
    with pytest.raises(InputError, match="--control"):
        load([full], bases=[full.parent / "bare"] if _bare(tmp_path / "bare") else ())


def _bare(folder: Path) -> Path:
    """Writes the collection `full` of another folder again, with a base that was not asked."""
    rng = np.random.default_rng(0)
    host = {"architecture": "llama", "layers": 3, "hidden_size": 8, "vocab_size": 100, "weights_sha256": "0"}
    with ShardWriter(folder, {"host": host, "features": {"position": "output"}, "labels": 3}) as writer:
        writer.append({"base_logprob": np.zeros((9, 4))}, _labels(rng, np.ones(9, bool)), cursor=1)
    return folder


def test_rows_that_the_other_collection_lacks_are_left_out(tmp_path: Path) -> None:
    full = prepared(_collect(tmp_path / "full", 0, 3, 0.0, 0.0, base=False))
    other = prepared(_collect(tmp_path / "whole", 0, 3, 0.0, 0.0))
    most = np.arange(other.rows) % 4 > 0
    joined = with_base(full, other.select(most))
    assert joined.rows == most.sum() and (joined.features["base_logprob"][:, 0] == 1).all()
    moved = {**other.labels, "first_prob": np.where(most, 0.5, 0.9)}
    assert with_base(full, replace(other, labels=moved)).rows == most.sum()
    with pytest.raises(InputError, match="25% of the copy's values"):
        with_base(full, other.select(~most))


def test_lengths_are_cut_as_features_are() -> None:
    features = _inner(2, 3) | {"renamed": np.zeros((2, 13), np.float32)}
    labels = {"tokens": np.array([3, 99])}
    settings = {"host": {"vocab_size": 100}, "features": {"max_tokens": 32}}
    table = reduced(FeatureTable(features, labels, settings))
    assert table.features["length"].tolist() == [[3.0], [32.0]]
    assert table.features["token_logprob"].shape == (2, 2, 3)


def test_the_command_writes_tables(tmp_path: Path, quick: None) -> None:
    folders = [str(_collect(tmp_path / f"c{n}", n, n, 0.5, 0.5, rows=250)) for n in (2, 4)]
    done = CliRunner().invoke(
        bench, ["detector-ablation", *folders, "--model", f"small={folders[0]}", "--out", str(tmp_path / "out")]
    )
    assert done.exit_code == 0, done.output
    figures = json.loads((tmp_path / "out" / "detector-ablation.json").read_text())
    assert figures["copies"]["c2"]["model"] == "small" and set(figures["bounds"]) > {"small"}
    assert "small" in (tmp_path / "out" / "detector-ablation.md").read_text()
