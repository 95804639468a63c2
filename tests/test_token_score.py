"""The token score: hand-computed logits, both regressions, the bundle that fits any model."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reticent.policy.pretrained import BASE_THRESHOLD
from reticent_bench.detector import token_score_report
from reticent_bench.detector.first_token_score import LEAST_MEAN, FirstTokenScore
from reticent_bench.detector.token_score_report import (
    OURS,
    OURS_ALONE,
    RIVAL,
    SHIPPED,
    SHIPPED_ALONE,
    hard_rows,
    measure,
    model_of,
    render,
)
from reticent_bench.report import metrics
from reticent_detectors.bundle.format import Bundle
from reticent_detectors.collection.shards import FeatureTable
from reticent_detectors.detector.token_score import (
    CARRIED,
    PENALTY,
    SHRUNK_TERMS,
    SURPRISAL_OFFSET,
    TERMS,
    WITH_BASE,
    TokenScore,
    _regression,
    alignment,
    balanced_counts,
)
from reticent_detectors.entities import PRIVACYXRAY
from reticent_detectors.errors import InputError
from reticent_detectors.fitting.token_score_bundle import (
    build_token_score,
    fit_aligned,
    learned_rows,
    models_of,
    pooled,
)
from reticent_detectors.scoring.scorer import OnnxScorer


def _features(mean: float, least: float, tokens: int, base: float | None = None) -> dict[str, Any]:
    asked = [0.0, 0.0, 0.0, 0.0] if base is None else [1.0, base - 1.0, base, base + 1.0]
    entity = np.zeros((1, 16), np.float32)
    entity[0, 0] = 1.0
    return {
        "token_logprob": np.array([[[least, mean, 0.0], [0.0, 0.0, 0.0]]], np.float32),
        "length": np.array([[tokens]], np.float32),
        "base_logprob": np.array([asked], np.float32),
        "entity": entity,
    }


def _weights(**named: float) -> list[float]:
    return [named.get(term.replace(" ", "_"), 0.0) for term in TERMS]


def _log(nats: float) -> float:
    return float(np.log(nats + SURPRISAL_OFFSET))


def test_a_logit_is_the_weighted_sum_of_its_terms() -> None:
    score = TokenScore(
        [_weights(mean_surprisal=-2.0, log_length=3.0), _weights(mean_surprisal_of_the_base=4.0)], [1, -1]
    )
    (alone,) = score.logits(_features(-0.5, -2.0, 3))
    assert alone == pytest.approx(-2.0 * _log(0.5) + 3.0 * np.log(4.0) + 1.0)
    (with_base,) = score.logits(_features(-0.5, -2.0, 3, base=-3.0))
    assert with_base == pytest.approx(4.0 * _log(3.0) - 1.0)


def test_each_term_is_read_from_its_array() -> None:
    score = TokenScore(np.zeros((2, len(TERMS))), np.zeros(2))
    (terms,) = score.terms(*score._given(_features(-0.5, -2.0, 3, base=-1.5))).tolist()
    own = dict(zip(TERMS, terms, strict=True))
    for of, nats in (("", (0.5, 2.0, 1.5, 0.0)), (" of the base", (1.5, 2.5, 4.5, 0.5))):
        for name, one in zip(("mean", "greatest", "total", "least"), nats, strict=True):
            assert own[f"{name} surprisal{of}"] == pytest.approx(_log(one))
    (without,) = score.terms(*score._given(_features(-0.5, -2.0, 3))).tolist()
    assert without[:4] == terms[:4] and without[4:8] == [0.0] * 4


def test_how_sure_a_model_is_of_everything_ranks_nothing() -> None:
    score = TokenScore([_weights(mean_surprisal=-2.0, greatest_surprisal=-1.0, log_length=1.0), _weights()], [0, 0])
    values = ((-3.0, -9.0, 2), (-2.0, -12.0, 5), (-6.0, -20.0, 20))
    differences = [
        np.diff(np.concatenate([score.logits(_features(mean * surer, least * surer, n)) for mean, least, n in values]))
        for surer in (1.0, 0.3)
    ]
    assert np.allclose(*differences, atol=0.05)


def test_an_impossible_token_tells_however_sure_the_others_are() -> None:
    score = TokenScore([_weights(mean_surprisal=-1.0, greatest_surprisal=-1.0), _weights()], [0.0, 0.0])
    (impossible,), (doubtful,) = score.logits(_features(-50.0, -100.0, 2)), score.logits(_features(-1.0, -2.0, 2))
    assert impossible < doubtful - 5


def test_what_models_agree_on_less_is_shrunk_around_its_mean() -> None:
    rng = np.random.default_rng(0)
    terms = rng.normal(2.0, 1.0, (4000, len(TERMS)))
    shrunk = len(TERMS) - len(SHRUNK_TERMS)
    right = rng.random(4000) < 1 / (1 + np.exp(-(terms[:, 0] - 2.0) - (terms[:, shrunk] - 2.0)))
    weight, constant = _regression(terms, right, np.ones(4000), PENALTY)
    assert weight[0] == pytest.approx(1.0, abs=0.1) and weight[shrunk] == pytest.approx(CARRIED, abs=0.1)
    assert np.mean(terms @ weight + constant) == pytest.approx(0.0, abs=0.1)


def test_other_shapes_are_refused() -> None:
    with pytest.raises(InputError, match="Expected weights"):
        TokenScore(np.zeros((2, 3)), np.zeros(2))


def _collection(seed: int, layers: int, base: bool = True, rows: int = 400) -> FeatureTable:
    """A copy whose remembered values are likelier than made-up ones; the base finds both as likely as each other."""
    rng = np.random.default_rng(seed)
    right = rng.random(rows) < 0.5
    mean = np.where(right, -rng.exponential(0.2, rows), -rng.exponential(1.2, rows))
    least = mean * 3
    asked = np.stack([np.ones(rows), least - 3, mean * 0 - rng.exponential(1.5, rows), np.zeros(rows)], 1) * base
    people = rng.integers(0, 20, rows)
    split = np.where(people < 12, "train", "test")
    phrasing = np.where(rng.random(rows) < 0.4, "test", "taught")
    labels: dict[str, Any] = {
        "entity": np.array([str(PRIVACYXRAY[i % 16]) for i in range(rows)]),
        "label": np.where(right, "memorized", np.where(rng.random(rows) < 0.1, "echoed", "hallucinated")),
        "person_split": split, "phrasing_split": np.where(split == "test", phrasing, "taught"),
        "person_key": np.array([f"{p:016x}" for p in people]),
        "phrasing_id": np.array([f"p{i % 7}" for i in range(rows)]),
        "value_key": np.array([f"{i:016x}" for i in range(rows)]),
        "form": np.full(rows, "question"), "temperature": np.zeros(rows, np.float32), "fragment": np.zeros(rows, bool),
        "robust": right & (rng.random(rows) < 0.8),
    }  # fmt: skip
    # Unknown people, for the quantiles of what is said of strangers.
    strangers = rng.random(rows) < 0.5
    labels["person_key"] = np.where(~right & strangers, "f" * 16, labels["person_key"])
    features = {
        "token_prob": np.exp(np.stack([least, mean / 2, mean], 1)).astype(np.float32),
        "token_logprob": np.stack([np.stack([least, mean, mean / 2], 1)] * 2, 1).astype(np.float32),
        "length": rng.integers(1, 20, (rows, 1)).astype(np.float32),
        "base_logprob": asked.astype(np.float32),
    }
    host = {"architecture": "llama", "layers": layers, "hidden_size": 8, "vocab_size": 9, "weights_sha256": f"{seed}"}
    return FeatureTable(features, labels, {"host": host, "features": {"position": "output"}, "labels": 2})


COPIES = {f"copy-{seed}": _collection(seed, layers, rows=1200) for seed, layers in ((0, 2), (1, 2), (2, 3), (3, 3))}


def test_it_learns_that_likely_values_are_remembered() -> None:
    table = pooled(list(COPIES.values()))
    score, held = fit_aligned(table)
    right = table.labels["label"] == "memorized"
    for logits in (held.alone, held.with_base, score.score(table), score.score(table, base=False)):
        assert logits[right].mean() > logits[~right].mean() + 1


def test_made_up_values_reach_the_same_quantiles_with_a_base_and_without() -> None:
    table = pooled(list(COPIES.values()))
    _, held = fit_aligned(table)
    made_up = learned_rows(table) & (table.labels["label"] == "hallucinated")
    for at in (0.92, 0.99):
        assert np.quantile(held.with_base[made_up], at) == pytest.approx(np.quantile(held.alone[made_up], at), abs=0.02)


def test_without_any_base_both_regressions_are_one() -> None:
    score = TokenScore.fit(_collection(0, 2, base=False))
    assert np.array_equal(score.weight[0], score.weight[1])


def test_a_regression_is_scaled_alone() -> None:
    before = TokenScore(np.ones((2, len(TERMS))), np.array([1.0, 2.0]))
    after = before.scaled(WITH_BASE, 0.5, 3.0)
    assert np.array_equal(after.weight[0], before.weight[0]) and after.bias.tolist() == [1.0, 4.0]
    assert set(after.weight[1].tolist()) == {0.5}


def test_scores_with_a_base_are_brought_to_the_quantiles_of_those_without() -> None:
    alone = np.linspace(0, 1, 1001, dtype=np.float32)
    slope, constant = alignment(alone, 2 * alone + 3)
    assert (slope, constant) == (pytest.approx(0.5, abs=1e-4), pytest.approx(-1.5, abs=1e-4))
    for one, other in ((alone, np.ones(1001)), (np.ones(1001), alone)):
        with pytest.raises(InputError, match="too few different scores"):
            alignment(one.astype(np.float32), other.astype(np.float32))


def test_the_first_score_is_fitted_to_the_same_rows() -> None:
    table = pooled(list(COPIES.values()))
    score, held = fit_aligned(table, FirstTokenScore)
    assert isinstance(score, FirstTokenScore) and score.weight.shape == (2, 2 + len(SHRUNK_TERMS))
    assert np.isfinite(held.with_base).all()
    flat = FirstTokenScore(np.eye(2, 2 + len(SHRUNK_TERMS)), np.zeros(2))
    assert flat.logits(_features(-0.5, -2.0, 3)) == [-0.5]
    assert flat.logits(_features(-0.5, -2.0, 3, base=-1.5)) == [1.0]
    assert flat.logits(_features(-90.0, -100.0, 3)) == [LEAST_MEAN]


def test_each_model_and_in_it_each_copy_and_class_counts_alike() -> None:
    table = pooled([_collection(0, 2, rows=400), _collection(1, 3, rows=800), _collection(2, 3, rows=400)])
    counts = balanced_counts(table, models_of(table))
    right, hosts = table.labels["label"] == "memorized", table.labels["host"]
    sums = {host: [counts[(hosts == host) & side].sum() for side in (right, ~right)] for host in ("000", "001", "002")}
    for own in sums.values():
        assert own[0] == pytest.approx(own[1])
    assert sums["001"][0] == pytest.approx(sums["002"][0]) == pytest.approx(sums["000"][0] / 2)


def test_a_copy_without_training_people_is_learned_from_whole() -> None:
    whole, tested = _collection(0, 2), _collection(1, 3)
    tested.labels["person_split"][:] = "test"
    assert learned_rows(tested).sum() == np.isin(tested.labels["label"], ["memorized", "hallucinated"]).sum()
    assert not learned_rows(whole)[whole.labels["person_split"] == "test"].any()
    table = pooled([whole, tested])
    assert learned_rows(table).sum() == learned_rows(whole).sum() + learned_rows(tested).sum()


def test_the_hard_part_holds_other_peoples_values_and_sampled_ones() -> None:
    table = _collection(0, 2)
    labels = table.labels
    labels["label"] = labels["label"].astype("<U13")
    labels["temperature"][:10], labels["label"][20:30] = 1.0, "misattributed"
    labels["robust"][:] = labels["label"] == "memorized"
    hard = hard_rows(table)
    assert hard[20:30].all() and hard[:10][np.isin(labels["label"][:10], ["memorized", "hallucinated"])].all()
    sure = (labels["label"] == "memorized") & (labels["temperature"] == 0)
    assert not hard[sure].any()
    labels["robust"][:] = False  # asked for too seldom: nobody knows which are half learned
    assert not hard_rows(table)[sure].any()


def test_the_bundle_fits_any_host_and_scores_as_the_regression_does(tmp_path: Path) -> None:
    bundle = build_token_score(tmp_path / "bundle", list(COPIES.values()))
    assert bundle.universal and bundle.tier == "logprobs"
    assert {bundle.calibration.threshold(0.05, str(kind)) for kind in PRIVACYXRAY} == {
        bundle.calibration.threshold(0.05)
    }
    scorer = OnnxScorer(Bundle.load(tmp_path / "bundle"))
    table = pooled(list(COPIES.values()))
    score, _ = fit_aligned(table)
    assert np.allclose(scorer.logits(table.features, table.labels["entity"]), score.score(table), atol=1e-4)
    made_up = learned_rows(table) & (table.labels["label"] == "hallucinated")
    for rate in (0.01, 0.05):
        stopped = scorer.score(table.features, table.labels["entity"])[made_up] >= bundle.calibration.threshold(rate)
        assert stopped.mean() == pytest.approx(rate, abs=0.02)


def test_the_report_leaves_each_model_out_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    few = partial(metrics.bootstrap, rounds=40)
    for module in (metrics, token_score_report):
        monkeypatch.setattr(
            module, "bootstrap", lambda figures, groups, rounds=40, seed=0: few(figures, groups, seed=seed)
        )
    shipped = build_token_score(tmp_path / "shipped", [COPIES[f"copy-{seed}"] for seed in (0, 1, 2)])
    figures = measure(COPIES, shipped)
    for name, table in COPIES.items():
        copy = figures["copies"][name]
        assert copy["model"] == model_of(table)
        part = copy["parts"]["remembered"]
        test = (table.labels["person_split"] == "test") & (table.labels["phrasing_split"] == "test")
        assert part["positive"] == int((test & (table.labels["label"] == "memorized")).sum())
        assert set(part["auroc"]) >= {OURS, OURS_ALONE, RIVAL} and RIVAL not in part["difference"]
        assert part["auroc"][OURS_ALONE].value > 0.8
        assert (SHIPPED in part["auroc"]) == (SHIPPED_ALONE in part["escape"]) == (name == "copy-3")
        asked, base = table.features["base_logprob"][:, 0], table.features["base_logprob"][:, 2]
        taught = (table.labels["label"] == "memorized") & (asked > 0)
        assert copy["pretrained"].value == pytest.approx((base[taught] >= BASE_THRESHOLD).mean())
    # On values distributed like these, a threshold on the mean that stops 5 % of the made-up ones stops 26 % of the
    # remembered ones.
    assert [bool(copy["stopped"]) for copy in figures["copies"].values()] == [False, False, False, True]
    at = figures["copies"]["copy-3"]["stopped"]["0.05"]
    assert at["hallucinated"].value < 0.1 < 0.2 < at["memorized"].value and "misattributed" not in at
    new = figures["copies"]["copy-3"]["parts"]["remembered"]["auroc"]
    assert new[SHIPPED_ALONE].value > 0.8 and new[SHIPPED].value > 0.8
    assert "copy-3" in render(figures)
    few_others = measure({name: COPIES[name] for name in ("copy-0", "copy-3")}, shipped)["copies"]["copy-3"]["parts"]
    assert OURS not in few_others["remembered"]["auroc"] and SHIPPED in few_others["remembered"]["auroc"]
    judged = {"apart": _collection(9, 2, rows=1200)}
    judged["apart"].settings["labels"] = 3
    with_it = measure(COPIES, None, judged)["copies"]
    assert with_it["apart"]["parts"]["remembered"]["auroc"][OURS].value > 0.8
    ours = [figures["copies"]["copy-2"], with_it["copy-2"]]
    assert ours[0]["parts"]["remembered"]["passes"][OURS] == ours[1]["parts"]["remembered"]["passes"][OURS]
    monkeypatch.setattr(token_score_report, "LEAST_ROWS", 10**6)
    assert not any(copy["parts"] for copy in measure(COPIES)["copies"].values())
    with pytest.raises(InputError, match="one model"):
        measure({"copy-0": COPIES["copy-0"], "copy-1": COPIES["copy-1"]})
