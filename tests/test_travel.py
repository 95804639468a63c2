"""The report on hosts that a detector never saw: who is left out, thresholds as the product fits them, figures against plain loops."""

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

from reticent_bench import travel
from reticent_bench.bench_command import app as bench
from reticent_bench.detector_parts import token_scores
from reticent_bench.metrics import bootstrap
from reticent_bench.paper import scores
from reticent_bench.paper.detectors import train_detector
from reticent_bench.paper.hosted import Hosted, Outline
from reticent_bench.paper.scores import AUROC
from reticent_bench.travel import AS_IT_COMES, FITTED, OWN, fit, headline, leave_out, measure, render, stopped
from reticent_detectors.adaptation import adapt
from reticent_detectors.building import build_bundle
from reticent_detectors.capture import HostAdapter
from reticent_detectors.defaults import universal_config
from reticent_detectors.errors import InputError
from reticent_detectors.shards import FeatureTable
from reticent_detectors.synth.hosts import recipe
from reticent_detectors.training import train
from reticent_detectors.universal import pool


def hosted(number: int, folder: Path) -> Hosted:
    table = rows_of(number, 1200, shift=number / 3, layers=3 + number)
    test = table.labels["person_split"] == "test"
    outline = Outline(f"host-{number}", recipe("llama-tiny"), 3 + number, 10, frozenset(table.features))
    return Hosted(outline, table.select(~test), table.select(test), {}, folder / f"host-{number}-paper")


def made_up_of(host: Hosted) -> FeatureTable:
    """Another draw of the same host's made-up values."""
    number = int(host.name[-1])
    table = rows_of(number, 900, shift=number / 3, layers=3 + number)
    return table.select(table.labels["label"] == "hallucinated")


@pytest.fixture(scope="module")
def hosts(tmp_path_factory: pytest.TempPathFactory) -> list[Hosted]:
    folder = tmp_path_factory.mktemp("runs")
    return [hosted(number, folder) for number in (1, 2, 3)]


@pytest.fixture(scope="module")
def aways(hosts: list[Hosted]) -> list[travel.Away]:
    return leave_out(hosts, 2, made_up_of)


@pytest.fixture(autouse=True)
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scores, "bootstrap", partial(bootstrap, rounds=20))


def test_nothing_of_the_host_or_of_test_people_is_learned(
    hosts: list[Hosted], aways: list[travel.Away], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[FeatureTable] = []
    for away in aways:
        for path in away.host.cache.parent.glob(f"{away.host.name}-travel/*.npz"):
            path.unlink()

    def spy(table: FeatureTable, config: Any) -> Any:
        seen.append(table)
        return aways[0].detectors[config.seed]

    monkeypatch.setattr(travel, "train_detector", spy)
    leave_out(hosts, 2, made_up_of)
    assert len(seen) == 6
    for number, host in enumerate(hosts):
        table = seen[2 * number]
        others = [other for other in hosts if other is not host]
        assert table.rows == sum(other.learned.rows for other in others)
        assert table.settings["hosts"] == [other.learned.settings["host"] for other in others]
        assert not (table.labels["person_split"] == "test").any()
    monkeypatch.setattr(travel, "train_detector", None)
    leave_out(hosts, 2, made_up_of)  # all of it was kept


def test_thresholds_are_those_of_the_product(hosts: list[Hosted], aways: list[travel.Away], tmp_path: Path) -> None:
    model, tokenizer = tiny_hosts.host("llama", tiny_hosts.tokenizer()), tiny_hosts.tokenizer()
    fingerprint = HostAdapter.attach(model, tokenizer).fingerprint(tokenizer)
    said = FeatureTable(aways[0].made_up.features, aways[0].made_up.labels, {"host": fingerprint})

    others = pool([other.learned for other in hosts[1:]])
    trained = train(others, universal_config())
    fits = {"fingerprint": {}, "behaviour": {}, "universal": others.settings["hosts"]}
    bundle = build_bundle(tmp_path / "any", trained, others, fits)
    fitted = adapt(bundle, said, model, tokenizer, tmp_path / "fitted").calibration
    here = fit(train_detector(others, universal_config()), said).calibration
    assert here.intercept == pytest.approx(fitted.intercept, abs=1e-3)
    for rate, threshold in fitted.thresholds.items():
        assert here.thresholds[rate] == pytest.approx(threshold, abs=1e-3)
    assert here.negatives == fitted.negatives


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
        shares = [np.mean(d.probabilities(guessed) >= d.calibration.threshold(0.05)) for d in away.fitted]
        assert by["false positives"]["0.05"][FITTED][0] == pytest.approx(np.mean(shares))
    text = render(figures, 2)
    assert all(f"## {host.name}" in text for host in hosts)
    assert text.startswith(headline(figures))


def test_thresholds_hold_on_the_host_that_they_were_fitted_to(aways: list[travel.Away]) -> None:
    for away in aways:
        guessed = away.host.rows.select(away.host.rows.labels["label"] == "hallucinated")
        assert stopped(away.fitted, guessed, 0.05)[0] < 0.13
    # As it comes the detector of the two other hosts stops more on the host with the highest likelihoods, fewer on the lowest.
    low, _, high = (
        stopped(a.detectors, a.host.rows.select(a.host.rows.labels["label"] == "hallucinated"), 0.05)[0] for a in aways
    )
    assert low < high


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
