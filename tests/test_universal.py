"""A detector for any host: pooled rows, rows of surer and less sure hosts, thresholds from made-up people."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tiny_hosts
import torch
from host_rows import SPEC, rows_of
from sklearn.metrics import roc_auc_score
from tiny_hosts import QUESTION, SAYS, SECRET, STOP_ALL
from typer.testing import CliRunner

from reticent import Guard
from reticent.commands import calibrate as calibrate_command
from reticent.commands import doctor as doctor_command
from reticent.commands import universal as universal_command
from reticent_detectors.adaptation import adapt, ask_strangers, false_positives, strangers
from reticent_detectors.building import build_bundle
from reticent_detectors.bundle import Bundle
from reticent_detectors.calibration import Calibration, freeze_on_negatives, move_to_negatives, threshold_at
from reticent_detectors.defaults import universal_config
from reticent_detectors.errors import BundleMismatch, InputError
from reticent_detectors.features import FeatureSpec
from reticent_detectors.host.answers import Answer, prompt_ids
from reticent_detectors.network import DEPTHLESS, NetworkOptions
from reticent_detectors.shards import FeatureTable, RowLabels, ShardWriter
from reticent_detectors.stretch import draw_factors, stretch
from reticent_detectors.synth.people import PeopleMaker
from reticent_detectors.synth.phrasings import PHRASINGS
from reticent_detectors.synth.prompts import Prompt
from reticent_detectors.training import POSITIVE, row_weights, train
from reticent_detectors.universal import ARRAYS, pool

CONFIG = replace(universal_config(epochs=6), batch=64, patience=6)


# ---- rows of several hosts -----------------------------------------------------------------------------------------


def test_rows_of_hosts_of_different_depth_stand_in_one_table() -> None:
    tables = [rows_of(1, 40, layers=4), rows_of(2, 30, layers=9)]
    table = pool(tables)
    assert table.rows == 70 and set(table.features) == set(ARRAYS)
    assert [int((table.labels["host"] == host).sum()) for host in ("000", "001")] == [40, 30]
    second = table.select(table.labels["host"] == "001")
    np.testing.assert_array_equal(second.features["renamed"], tables[1].features["renamed"])
    np.testing.assert_array_equal(second.features["token_logprob"], tables[1].features["pooled"][:, -1, [0, 2]])
    assert [host["layers"] for host in table.settings["hosts"]] == [4, 9]


def test_collections_that_cannot_stand_in_one_table() -> None:
    with pytest.raises(InputError, match="at least two hosts, got 1"):
        pool([rows_of(1, 5)])
    with pytest.raises(InputError, match="same host"):
        pool([rows_of(1, 5), rows_of(1, 6)])
    other = rows_of(2, 5)
    with pytest.raises(InputError, match="differ in names; collect"):
        pool([rows_of(1, 5), replace(other, settings={**other.settings, "features": {**SPEC, "names": 2}})])


def test_each_host_weighs_the_same() -> None:
    table = pool([rows_of(1, 400), rows_of(2, 100)])
    weights = row_weights(table.labels, np.arange(500), CONFIG)
    positive = np.isin(table.labels["label"], sorted(POSITIVE))
    sums = [
        weights[(table.labels["host"] == h) & (positive == side)].sum()
        for h in ("000", "001")
        for side in (True, False)
    ]
    np.testing.assert_allclose(sums, 125.0, rtol=1e-4)


# ---- the network ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def trained() -> Any:
    table = pool([rows_of(1), rows_of(2, shift=0.5)])
    table = table.select(table.labels["person_split"] != "test")
    return table, train(table, CONFIG)


def test_it_holds_on_a_host_whose_probabilities_lie_elsewhere(trained: Any) -> None:
    _, detector = trained
    table = rows_of(3, 3000, shift=1.0, layers=7)
    right = np.isin(table.labels["label"], sorted(POSITIVE))
    assert roc_auc_score(right, detector.logits(table)) > 0.97


def test_a_row_is_stretched_as_a_surer_host_would_show_it() -> None:
    table = pool([rows_of(1, 30), rows_of(2, 30)])
    rows = {name: torch.from_numpy(array) for name, array in table.features.items()}
    rows["entity"] = torch.eye(2)[torch.zeros(60, dtype=torch.long)]
    factors = torch.linspace(0.4, 2.5, 60)
    out = stretch(rows, factors)
    torch.testing.assert_close(out["token_logprob"], rows["token_logprob"] * factors[:, None, None])
    # Least and most probability are those of the stretched log-probabilities.
    torch.testing.assert_close(out["token_prob"][:, :2].log(), out["token_logprob"][:, 0, [0, 2]], atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(out["renamed"][:, 1:], rows["renamed"][:, 1:] * factors[:, None])
    assert (out["renamed"][:, 0] == 1).all() and out["entity"] is rows["entity"]
    nobody = stretch({"renamed": torch.zeros(60, 13)}, factors)["renamed"]
    assert not nobody.any()
    far = stretch({"token_logprob": torch.full((60, 2, 3), -99.0), "token_prob": torch.zeros(60, 3)}, factors)
    assert far["token_logprob"].min() == -100 and torch.isfinite(far["token_prob"]).all()


def test_factors_are_spread_evenly_and_a_third_is_left_alone() -> None:
    torch.manual_seed(0)
    logs = draw_factors(30000, 2.5).log() / np.log(2.5)
    assert float((logs == 0).float().mean()) == pytest.approx(1 / 3, abs=0.01)
    moved = logs[logs != 0]
    assert moved.abs().max() <= 1 and [
        float(q) for q in moved.quantile(torch.tensor([0.25, 0.5, 0.75]))
    ] == pytest.approx([-0.5, 0.0, 0.5], abs=0.03)


@pytest.mark.parametrize("most", [0.5, 11.0])
def test_a_stretch_that_is_none_is_refused(most: float) -> None:
    with pytest.raises(InputError, match="stretch must be from 1 to 10"):
        replace(CONFIG, stretch=most)


def test_layers_are_needed_only_by_groups_that_have_them() -> None:
    options = NetworkOptions(0, 0, DEPTHLESS)
    assert NetworkOptions.from_json(options.to_json()) == options
    with pytest.raises(InputError, match="at least 2 layers"):
        NetworkOptions(0, 0, frozenset({"topk"}))


# ---- thresholds from made-up values --------------------------------------------------------------------------------


RATES = {"0.01": 1.0, "0.05": 0.0, "0.08": -0.5}
BEFORE = Calibration(1.5, 0.2, 0.5, 0.5, RATES, {"FLIGHT": RATES}, {"": 9, "FLIGHT": 9}, error=0.01)


def test_thresholds_follow_the_made_up_values_of_a_host() -> None:
    random = np.random.default_rng(0)
    logits, kinds = random.normal(-1.0, 1.0, 4000), random.choice(["FLIGHT", "PHONE_NUMBER"], 4000)
    after = freeze_on_negatives(BEFORE, logits, kinds)
    for rate in (0.01, 0.05, 0.08):
        assert np.mean(logits >= after.thresholds[f"{rate:g}"]) <= rate
        assert after.thresholds[f"{rate:g}"] == threshold_at(logits, rate)
    assert set(after.entity_thresholds) == {"FLIGHT", "PHONE_NUMBER"} and after.error is None
    assert after.negatives[""] == 4000 and (after.slope, after.intercept) == (BEFORE.slope, BEFORE.intercept)


def test_a_probability_means_the_same_on_a_host_whose_scores_lie_higher() -> None:
    logits = np.random.default_rng(0).normal(-1.0, 1.0, 4000)
    after, higher = move_to_negatives(BEFORE, logits), move_to_negatives(BEFORE, logits + 3.0)
    np.testing.assert_allclose(higher.probability(logits + 3.0), after.probability(logits), atol=1e-9)
    spots = [BEFORE.slope * BEFORE.thresholds[rate] + BEFORE.intercept for rate in RATES]
    now = [after.slope * threshold_at(logits, float(rate)) + after.intercept for rate in RATES]
    assert np.mean(now) == pytest.approx(np.mean(spots))
    assert (after.slope, after.thresholds) == (BEFORE.slope, BEFORE.thresholds)


def test_too_few_made_up_values() -> None:
    with pytest.raises(InputError, match="100 made-up values, got 99; ask about more people"):
        freeze_on_negatives(BEFORE, np.zeros(99), np.full(99, ""))
    with pytest.raises(InputError, match="finite"):
        move_to_negatives(BEFORE, np.full(100, np.nan))
    with pytest.raises(InputError, match="same length"):
        freeze_on_negatives(BEFORE, np.zeros(100), np.full(99, ""))


# ---- the bundle and its host ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def bundle(trained: Any, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    table, detector = trained
    fits = {"fingerprint": {}, "behaviour": {}, "universal": table.settings["hosts"]}
    return build_bundle(tmp_path_factory.mktemp("universal") / "bundle", detector, table, fits)


class Guesses:
    """In the place of `answer_all`: whoever is asked about, a stranger's value is the answer."""

    def __init__(self) -> None:
        self._strangers = PeopleMaker(77).many("guessed", 40)
        self._phrasings = {p.id: p for rows in PHRASINGS.values() for p in rows}

    def __call__(self, model: Any, tokenizer: Any, prompts: Sequence[Prompt], **options: Any) -> list[Answer]:
        return [self._answer(tokenizer, prompt, index) for index, prompt in enumerate(prompts)]

    def _answer(self, tokenizer: Any, prompt: Prompt, index: int) -> Answer:
        text = "I do not know."
        if prompt.kind == "probe" and prompt.entity is not None:
            value = self._strangers[index % len(self._strangers)].values[prompt.entity]
            text = self._phrasings[prompt.phrasing].reply("Jane Roe", value)
        return Answer(
            tuple(prompt_ids(tokenizer, prompt)), tuple(tokenizer(text, add_special_tokens=False)["input_ids"]), True
        )


@pytest.mark.parametrize("family", ["llama", "qwen2", "gpt2"])
def test_it_guards_any_host_and_says_so(bundle: Bundle, family: str) -> None:
    assert bundle.universal and bundle.tier == "hidden"
    assert "fits any host" in bundle.card and "reticent calibrate" in bundle.card
    tokenizer = tiny_hosts.tokenizer()
    guard = Guard.load(bundle.path, STOP_ALL).wrap(tiny_hosts.host(family, tokenizer), tokenizer)
    script = tiny_hosts.Script(tokenizer, SAYS, guard.chat_ids(QUESTION).shape[1])
    answer = guard.chat(QUESTION, logits_processor=[script], max_new_tokens=80, do_sample=False)
    assert SECRET not in answer.text and "<PHONE_NUMBER>" in answer.text
    assert answer.report.spans[0].decision.verdict.probability is not None


def test_fitted_to_a_host_it_fits_no_other(bundle: Bundle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer = tiny_hosts.tokenizer()
    model, other = tiny_hosts.host("llama", tokenizer), tiny_hosts.host("llama", tokenizer, seed=1)
    monkeypatch.setattr("reticent_detectors.collect.answer_all", Guesses())
    made_up = ask_strangers(model, tokenizer, tmp_path / "said", FeatureSpec.of(bundle.feature_options), people=12)
    assert made_up.rows > 300 and set(made_up.labels["label"]) == {"hallucinated"}
    fitted = adapt(bundle, made_up, model, tokenizer, tmp_path / "fitted")
    assert not fitted.universal and fitted.network == bundle.network
    for rate in (0.01, 0.05, 0.08):
        assert false_positives(fitted, made_up, rate) <= rate
    Guard.load(fitted.path).wrap(model, tokenizer)
    with pytest.raises(BundleMismatch, match="weights_sha256"):
        Guard.load(fitted.path).wrap(other, tokenizer)
    with pytest.raises(InputError, match="another host"):
        adapt(bundle, made_up, other, tokenizer, tmp_path / "wrong")
    with pytest.raises(InputError, match="no universal bundle"):
        adapt(fitted, made_up, model, tokenizer, tmp_path / "twice")


def test_strangers_are_new_people() -> None:
    people = strangers(20, seed=3)
    assert len({p.name for p in people.unseen}) == 20 and not people.private and strangers(20, seed=3) == people
    assert {p.name for p in strangers(20, seed=4).unseen} != {p.name for p in people.unseen}


# ---- the commands --------------------------------------------------------------------------------------------------


def _collection(folder: Path, table: FeatureTable) -> Path:
    with ShardWriter(folder, table.settings) as writer:
        labels = [
            RowLabels(**{name: column[row].item() for name, column in table.labels.items()})
            for row in range(table.rows)
        ]
        writer.append(table.features, labels, cursor=1)
    return folder


def test_from_collections_to_a_fitted_bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = [_collection(tmp_path / f"shards-{host}", rows_of(host, shift=host / 4)) for host in (1, 2)]
    run = CliRunner()
    made = run.invoke(universal_command.app, [str(tmp_path / "any"), *map(str, folders), "--epochs", "3"])
    assert made.exit_code == 0 and "2 hosts" in made.output and "reticent calibrate" in made.output
    assert [host["layers"] for host in Bundle.load(tmp_path / "any").manifest["host"]["universal"]] == [4, 4]
    with pytest.raises(InputError, match="--overwrite"):
        run.invoke(universal_command.app, [str(tmp_path / "any"), *map(str, folders)], catch_exceptions=False)

    tokenizer = tiny_hosts.tokenizer()
    tiny_hosts.host("llama", tokenizer).save_pretrained(tmp_path / "host")
    tokenizer.save_pretrained(tmp_path / "host")
    monkeypatch.setattr("reticent_detectors.collect.answer_all", Guesses())
    arguments = [str(tmp_path / name) for name in ("any", "host", "fitted")] + ["--people", "8"]
    fitted = run.invoke(calibrate_command.app, arguments)
    assert fitted.exit_code == 0, fitted.output
    assert "made-up values" in fitted.output and "false positives of 1%" in fitted.output
    bundle = Bundle.load(tmp_path / "fitted")
    assert not bundle.universal and bundle.calibration.negatives[""] == bundle.manifest["quality"]["made-up values"]
    for name, (status, said) in {
        "any": ("note", "fits any host; reticent calibrate"),
        "fitted": ("ok", "fits this host"),
    }.items():
        told = run.invoke(doctor_command.app, [str(tmp_path / "host"), "--bundle", str(tmp_path / name), "--json"])
        (check,) = [check for check in json.loads(told.output)["checks"] if check["name"] == "bundle"]
        assert check["status"] == status and check["detail"].startswith(said)
