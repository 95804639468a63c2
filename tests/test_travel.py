"""The report on hosts unseen by a detector: who is left out, fitted thresholds, figures against plain loops."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tiny_hosts
from host_rows import rows_of
from sklearn.metrics import roc_auc_score
from typer.testing import CliRunner

from reticent_bench.bench_command import app as bench
from reticent_bench.detector.parts import token_scores
from reticent_bench.paper import detectors, scores, travel
from reticent_bench.paper.detectors import train_detector
from reticent_bench.paper.hosted import Hosted, Outline
from reticent_bench.paper.scores import AUROC
from reticent_bench.paper.travel import AS_IT_COMES, FITTED, OWN, fit, headline, leave_out, measure, render, stopped
from reticent_bench.report.metrics import bootstrap
from reticent_detectors.bundle.build_bundle import build_bundle
from reticent_detectors.capture import HostAdapter
from reticent_detectors.collection.shards import FeatureTable
from reticent_detectors.detector.cross_fit import cross_fit
from reticent_detectors.detector.defaults import ensemble_of, universal_config
from reticent_detectors.detector.training_config import TrainingConfig
from reticent_detectors.errors import InputError
from reticent_detectors.fitting.host_calibration import adapt
from reticent_detectors.fitting.multi_host_pool import of_strangers, pool
from reticent_detectors.scoring.scorer import OnnxScorer
from reticent_detectors.synth.hosts import recipe


def hosted(number: int, folder: Path) -> Hosted:
    table = rows_of(number, 1200, shift=number / 3, layers=3 + number)
    test = table.labels["person_split"] == "test"
    outline = Outline(f"host-{number}", recipe("llama-tiny"), 3 + number, 10, frozenset(table.features))
    cache, said = folder / f"host-{number}-paper", table.select(test)
    return Hosted(outline, table.select(~test), said, {}, cache, folder / f"host-{number}", said.select(np.arange(0)))


def said_by(host: Hosted) -> FeatureTable:
    """What the host says of strangers."""
    number = int(host.name[-1])
    table = rows_of(number, 1500, shift=number / 3, layers=3 + number)
    return table.select(of_strangers(table))


@pytest.fixture(scope="module")
def hosts(tmp_path_factory: pytest.TempPathFactory) -> list[Hosted]:
    folder = tmp_path_factory.mktemp("runs")
    return [hosted(number, folder) for number in (1, 2, 3)]


@pytest.fixture(scope="module")
def aways(hosts: list[Hosted]) -> list[travel.Away]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(travel, "ensemble_of", two_folds)
        return leave_out(hosts, 2, said_by)


def two_folds(config: TrainingConfig) -> tuple[TrainingConfig, ...]:
    return ensemble_of(config)[:2]


@pytest.fixture(autouse=True)
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scores, "bootstrap", partial(bootstrap, rounds=20))
    monkeypatch.setattr(travel, "ensemble_of", two_folds)


def test_nothing_of_the_host_or_of_test_people_is_learned(
    hosts: list[Hosted], aways: list[travel.Away], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[FeatureTable] = []
    for away in aways:
        for path in away.host.cache.parent.glob(f"{away.host.name}-travel/*.npz"):
            path.unlink()

    def spy(table: FeatureTable, configs: Any) -> Any:
        seen.append(table)
        return aways[0].detectors[configs[0].seed]

    monkeypatch.setattr(detectors, "train_detector", spy)
    leave_out(hosts, 2, said_by)
    assert len(seen) == 6
    for number, host in enumerate(hosts):
        table = seen[2 * number]
        others = [other for other in hosts if other is not host]
        assert table.rows == sum(other.learned.rows for other in others)
        assert table.settings["hosts"] == [other.learned.settings["host"] for other in others]
        assert not (table.labels["person_split"] == "test").any()
    monkeypatch.setattr(detectors, "train_detector", None)
    leave_out(hosts, 2, said_by)  # all of it was kept


def test_thresholds_are_those_of_the_product(hosts: list[Hosted], aways: list[travel.Away], tmp_path: Path) -> None:
    model, tokenizer = tiny_hosts.host("llama", tiny_hosts.tokenizer()), tiny_hosts.tokenizer()
    fingerprint = HostAdapter.attach(model, tokenizer).fingerprint(tokenizer)
    said = FeatureTable(aways[0].said.features, aways[0].said.labels, {"host": fingerprint})

    others = pool([other.learned for other in hosts[1:]])
    configs = two_folds(universal_config())
    trained = cross_fit(others, configs)
    fits = {"fingerprint": {}, "behaviour": {}, "universal": others.settings["hosts"]}
    bundle = build_bundle(tmp_path / "any", trained, others, fits)
    fitted, _ = adapt(bundle, said, model, tokenizer, tmp_path / "fitted")
    here = fit(train_detector(others, configs), said)
    assert here.calibration.intercept == pytest.approx(fitted.calibration.intercept, abs=1e-3)
    assert here.calibration.thresholds == pytest.approx(fitted.calibration.thresholds, abs=1e-3)
    rows = aways[0].host.rows
    product = OnnxScorer(fitted).score_as_guarded(rows.features, rows.labels["entity"])
    np.testing.assert_allclose(here.probabilities(rows), product, atol=1e-3)


def test_figures_are_those_of_a_plain_loop(hosts: list[Hosted], aways: list[travel.Away]) -> None:
    own = {host.name: np.random.default_rng(0).random(host.rows.rows) for host in hosts}
    figures = measure(aways, lambda host: (own[host.name],))
    for away in aways:
        host, by = away.host, figures["hosts"][away.host.name]
        labels = host.rows.labels
        part = (labels["phrasing_split"] == "detector") & (labels["temperature"] == 0)
        right = labels["label"][part] == "memorized"
        found = by["parts"]["detector phrasings"]
        areas = [roc_auc_score(right, d.probabilities(host.rows)[part]) for d in away.detectors]
        assert found["methods"][AS_IT_COMES][AUROC] == pytest.approx((np.mean(areas), min(areas), max(areas)))
        assert found["methods"][OWN][AUROC][0] == pytest.approx(roc_auc_score(right, own[host.name][part]))
        best = max(roc_auc_score(right, scores[part]) for scores in token_scores(host.rows).values())
        assert min(areas) > 0.9 and found["difference"][AS_IT_COMES][0] == pytest.approx(np.mean(areas) - best)
        guessed = host.rows.select((labels["temperature"] == 0) & (labels["label"] == "hallucinated"))
        shares = []
        for d in away.fitted:
            stops = [
                p >= d.calibration.threshold(0.05, e)
                for p, e in zip(d.probabilities(guessed), guessed.labels["entity"], strict=True)
            ]
            shares.append(np.mean(stops))
        assert by["false positives"]["0.05"][FITTED][0] == pytest.approx(np.mean(shares))
    text = render(figures, 2)
    assert all(f"## {host.name}" in text for host in hosts)
    assert text.startswith(headline(figures))


def test_thresholds_move_towards_the_host_that_they_are_fitted_to(aways: list[travel.Away]) -> None:
    wrong = {"as it comes": 0.0, "fitted": 0.0}
    for away in aways:
        guessed = away.host.rows.select(away.host.rows.labels["label"] == "hallucinated")
        wrong["as it comes"] += abs(np.log(max(stopped(away.detectors, guessed, 0.05)[0], 1e-3) / 0.05))
        wrong["fitted"] += abs(np.log(max(stopped(away.fitted, guessed, 0.05)[0], 1e-3) / 0.05))
    assert wrong["fitted"] < wrong["as it comes"]


def test_the_headline_names_where_nothing_is_won() -> None:
    parts = {"test phrasings": {"difference": {AS_IT_COMES: (0.01, -0.02, 0.03)}}}
    text = headline({"hosts": {"a": {"parts": parts}}})
    assert "Not clearly better" in text and "a, test phrasings (+0.010, interval from -0.020 to +0.030)" in text
    parts = {"test phrasings": {"difference": {AS_IT_COMES: (0.02, 0.01, 0.03)}}}
    assert headline({"hosts": {"a": {"parts": parts}}}).startswith("A detector that never saw the host beats")


def test_two_hosts_are_too_few(tmp_path: Path) -> None:
    run = CliRunner()
    with pytest.raises(InputError, match="three hosts or more"):
        arguments = ["travel", str(tmp_path), "--host", "llama-tiny", "--host", "qwen2-tiny"]
        run.invoke(bench, arguments, catch_exceptions=False)
