"""A detector for any host: pooled rows, rows of surer and less sure hosts, thresholds from made-up people."""

from __future__ import annotations

import copy
import json
import warnings
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
from reticent.policy.thresholds import base_threshold
from reticent_detectors.bundle.build_bundle import build_bundle
from reticent_detectors.bundle.format import Bundle, write_bundle
from reticent_detectors.capture.recorder import Positions, SpanStates
from reticent_detectors.capture.ring import Ring
from reticent_detectors.collection.labels import LABEL_VERSION
from reticent_detectors.collection.shards import FeatureTable, RowLabels, ShardWriter
from reticent_detectors.detector import training
from reticent_detectors.detector.calibration import Calibration
from reticent_detectors.detector.confidence_augmentation import draw_factors, scale_confidence
from reticent_detectors.detector.defaults import universal_config
from reticent_detectors.detector.network import DEPTHLESS, NetworkOptions
from reticent_detectors.detector.splits import row_weights
from reticent_detectors.detector.training import train
from reticent_detectors.detector.training_config import POSITIVE
from reticent_detectors.errors import BundleCorrupt, BundleMismatch, InputError, ShardError
from reticent_detectors.features.features import FeatureSpec
from reticent_detectors.fitting.host_calibration import OTHERS_SHARE, adapt, ask_strangers, shift_to, strangers
from reticent_detectors.fitting.known_before import LOWEST
from reticent_detectors.fitting.multi_host_pool import ARRAYS, first_in_answer, of_strangers, pool
from reticent_detectors.host.answers import Answer, prompt_ids
from reticent_detectors.host.load import load_host
from reticent_detectors.scoring.scorer import OnnxScorer
from reticent_detectors.synth.cast import cast
from reticent_detectors.synth.people import PeopleMaker
from reticent_detectors.synth.phrasings import PHRASINGS
from reticent_detectors.synth.prompts import Prompt
from reticent_detectors.synth.recipes import DEMO

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
    with pytest.raises(InputError, match="labelled by different versions"):
        pool([rows_of(1, 5), replace(other, settings={**other.settings, "labels": LABEL_VERSION})])


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


def test_a_host_that_remembers_nothing_weighs_no_more_than_another() -> None:
    table = pool([rows_of(1, 200), rows_of(2, 200)])
    labels = {name: column.copy() for name, column in table.labels.items()}
    labels["label"][labels["host"] == "001"] = "hallucinated"
    weights = row_weights(labels, np.arange(400), CONFIG)
    both, one = (weights[labels["host"] == host].sum() for host in ("000", "001"))
    assert one == pytest.approx(both / 2, rel=1e-4)


# ---- the network ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def trained() -> Any:
    table = pool([rows_of(1), rows_of(2, shift=0.5)])
    table = table.select(table.labels["person_split"] != "test")
    return table, train(table, CONFIG)


def test_rows_to_learn_from_are_stretched_and_those_to_stop_by_are_not(
    trained: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, _ = trained
    drawn: list[torch.Tensor] = []

    def spy(arrays: Any, factors: torch.Tensor) -> Any:
        drawn.append(factors)
        return scale_confidence(arrays, torch.zeros_like(factors))

    monkeypatch.setattr(training, "scale_confidence", spy)
    blind = train(table, replace(CONFIG, epochs=2))
    assert sum(map(len, drawn)) == 2 * len(blind.split.train)  # each row once in a pass
    assert all((factors != 1).any() for factors in drawn)
    # Nothing could be learned of likelihoods that are all zero; the validation rows still had theirs.
    assert blind.validation_loss > trained[1].validation_loss + 0.1
    drawn.clear()
    train(table, replace(CONFIG, epochs=1, confidence_range=1.0))
    assert not drawn


def test_it_tells_values_of_a_host_that_it_never_saw(trained: Any) -> None:
    _, detector = trained
    table = rows_of(3, 3000, shift=1.0, layers=7)
    right = np.isin(table.labels["label"], sorted(POSITIVE))
    assert roc_auc_score(right, detector.logits(table)) > 0.97


def test_a_row_is_stretched_as_a_surer_host_would_show_it() -> None:
    table = pool([rows_of(1, 30), rows_of(2, 30)])
    rows = {name: torch.from_numpy(array) for name, array in table.features.items()}
    rows["entity"] = torch.eye(2)[torch.zeros(60, dtype=torch.long)]
    factors = torch.linspace(0.4, 2.5, 60)
    out = scale_confidence(rows, factors)
    torch.testing.assert_close(out["token_logprob"], rows["token_logprob"] * factors[:, None, None])
    torch.testing.assert_close(out["renamed"][:, 1:], rows["renamed"][:, 1:] * factors[:, None])
    assert (out["renamed"][:, 0] == 1).all() and out["entity"] is rows["entity"]
    nobody = scale_confidence({"renamed": torch.zeros(60, 13)}, factors)["renamed"]
    assert not nobody.any()
    assert scale_confidence({"token_logprob": torch.full((60, 2, 3), -99.0)}, factors)["token_logprob"].min() == -100


def test_factors_are_spread_evenly_and_a_third_is_left_alone() -> None:
    torch.manual_seed(0)
    logs = draw_factors(30000, 2.5).log() / np.log(2.5)
    assert float((logs == 0).float().mean()) == pytest.approx(1 / 3, abs=0.01)
    moved = logs[logs != 0]
    assert moved.abs().max() <= 1 and [
        float(q) for q in moved.quantile(torch.tensor([0.25, 0.5, 0.75]))
    ] == pytest.approx([-0.5, 0.0, 0.5], abs=0.03)


@pytest.mark.parametrize("most", [0.5, 11.0])
def test_a_confidence_range_that_is_none_is_refused(most: float) -> None:
    with pytest.raises(InputError, match="confidence_range must be from 1 to 10"):
        replace(CONFIG, confidence_range=most)


def test_layers_are_needed_only_by_groups_that_have_them() -> None:
    options = NetworkOptions(0, 0, DEPTHLESS)
    assert NetworkOptions.from_json(options.to_json()) == options
    with pytest.raises(InputError, match="at least 2 layers"):
        NetworkOptions(0, 0, frozenset({"topk"}))


# ---- thresholds from made-up values --------------------------------------------------------------------------------


def test_who_is_a_stranger() -> None:
    table = rows_of(1, 600)
    labels = {name: column.copy() for name, column in table.labels.items()}
    person = np.array([int(key, 16) for key in labels["person_key"]])
    labels["label"] = labels["label"].astype("U16")
    labels["label"][(person == 3) & (np.arange(600) % 2 == 0)] = (
        "misattributed"  # said of somebody of whom it knows nothing
    )
    labels["fragment"][person == 6], labels["form"][person == 9], labels["person_key"][person == 12] = True, "prose", ""
    found = of_strangers(replace(table, labels=labels))
    known = {number for number, label in zip(person, labels["label"], strict=True) if label == "memorized"} | {6, 9, 12}
    wanted = [number not in known and hot == 0 for number, hot in zip(person, labels["temperature"], strict=True)]
    np.testing.assert_array_equal(found, wanted)
    assert (found & (labels["label"] == "misattributed")).any()


def test_a_value_counts_once_an_answer() -> None:
    table = rows_of(1, 600)
    labels = {name: column.copy() for name, column in table.labels.items()}
    first, again = np.flatnonzero(of_strangers(table))[:2]
    for name in ("person_key", "phrasing_id", "form", "temperature", "value_key"):
        labels[name][again] = labels[name][first]
    repeated = replace(table, labels=labels)
    assert first_in_answer(table).all() and np.flatnonzero(~first_in_answer(repeated)).tolist() == [again]
    assert of_strangers(repeated)[first] and not of_strangers(repeated)[again]
    labels["phrasing_id"][again] = "elsewhere"
    assert of_strangers(replace(table, labels=labels))[again]


def test_the_same_answer_of_two_hosts_is_two_answers() -> None:
    one = rows_of(1, 60)
    labels = {name: np.concatenate([column, column]) for name, column in one.labels.items()}
    labels["host"] = np.repeat(["000", "001"], one.rows)
    twice = FeatureTable({name: np.concatenate([each, each]) for name, each in one.features.items()}, labels, {})
    assert first_in_answer(twice).tolist() == [*first_in_answer(one), *first_in_answer(one)]


def test_thresholds_move_to_where_others_values_end() -> None:
    calibration = Calibration(1.5, 0.2, 0.4, 0.3, {"0.01": 3.0, "0.08": 1.0})
    logits = np.random.default_rng(0).permutation(np.arange(1000) / 100)
    shift = shift_to(calibration, logits)
    moved = calibration.shifted(shift).thresholds
    assert (logits >= moved["0.08"]).mean() == pytest.approx(0.08 + OTHERS_SHARE)
    assert moved["0.01"] - moved["0.08"] == pytest.approx(2.0)
    # What lies highest is other people's: how high it lies moves nothing.
    assert shift_to(calibration, np.where(logits > 6, 50.0, logits)) == shift
    assert shift_to(calibration, logits, 0.0) == pytest.approx(9.19 - 1.0)


def test_a_shifted_calibration_says_of_shifted_scores_what_it_said() -> None:
    rates = {"0.01": 1.0, "0.05": 0.0}
    before = Calibration(1.5, 0.2, 0.4, 0.3, rates, {"FLIGHT": rates}, {"": 9, "FLIGHT": 9}, error=0.01)
    after = before.shifted(0.8)
    logits = np.linspace(-4, 4, 9)
    np.testing.assert_allclose(after.probability(logits + 0.8), before.probability(logits))
    for entity in (None, "FLIGHT"):
        assert after.threshold(0.01, entity) == pytest.approx(before.threshold(0.01, entity))
    assert after.thresholds == {"0.01": 1.8, "0.05": 0.8} and after.error is None


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
def test_it_guards_any_host_and_says_so(bundle: Bundle, family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert bundle.universal and bundle.tier == "hidden"
    assert "fits any host" in bundle.card and "reticent calibrate" in bundle.card
    tokenizer = tiny_hosts.tokenizer()
    with pytest.warns(UserWarning, match="fit it to this one with 'reticent calibrate'"):
        guard = Guard.load(bundle.path, STOP_ALL).wrap(tiny_hosts.host(family, tokenizer), tokenizer)
    layers, spans = set[int](), Ring.spans

    def looked_at(ring: Ring, wanted: Sequence[tuple[Positions, int]]) -> list[SpanStates]:
        found = spans(ring, wanted)
        layers.update(span.hidden.shape[1] for span in found)
        return found

    monkeypatch.setattr(Ring, "spans", looked_at)
    script = tiny_hosts.Script(tokenizer, SAYS, guard.chat_ids(QUESTION).shape[1])
    answer = guard.chat(QUESTION, logits_processor=[script], max_new_tokens=80, do_sample=False)
    assert SECRET not in answer.text and "<PHONE_NUMBER>" in answer.text
    assert answer.report.spans[0].decision.verdict.probability is not None
    assert layers == {1}, "it reads no inner layer, so none is kept"


def test_fitted_to_a_host_it_fits_no_other(bundle: Bundle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer = tiny_hosts.tokenizer()
    model, other = tiny_hosts.host("llama", tokenizer), tiny_hosts.host("llama", tokenizer, seed=1)
    monkeypatch.setattr("reticent_detectors.collection.group_collector.answer_all", Guesses())
    table = ask_strangers(model, tokenizer, tmp_path / "said", FeatureSpec.of(bundle.feature_options), people=12)
    assert table.rows > 300 and set(table.labels["label"]) == {"hallucinated"}
    fitted, shift = adapt(bundle, table, model, tokenizer, tmp_path / "fitted")
    assert not fitted.universal and fitted.network == bundle.network and base_threshold(fitted) is None
    taught = FeatureTable(
        {"base_logprob": np.full((400, 4), [1, -3, -2, -1])}, {"label": np.full(400, "memorized")}, {}
    )
    asked, _ = adapt(bundle, table, model, tokenizer, tmp_path / "asked", taught=[taught])
    assert base_threshold(asked) == LOWEST and asked.calibration == fitted.calibration
    logits = OnnxScorer(bundle).logits(table.features, table.labels["entity"])
    assert fitted.calibration == bundle.calibration.shifted(shift) and shift == shift_to(bundle.calibration, logits)
    by_quantile, _ = adapt(bundle, table, model, tokenizer, tmp_path / "by_quantile", nothing_private=True)
    for rate in (0.01, 0.05, 0.08):
        assert (logits.astype(np.float64) >= by_quantile.calibration.thresholds[f"{rate:g}"]).sum() == int(
            rate * table.rows
        )
    assert by_quantile.calibration.negatives[""] == table.rows
    before, after = (each.calibration for each in (bundle, by_quantile))
    assert after.probability(after.thresholds["0.08"]) == pytest.approx(before.probability(before.thresholds["0.08"]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Guard.load(fitted.path).wrap(model, tokenizer)
    with pytest.raises(ShardError, match="other settings"):
        ask_strangers(model, tokenizer, tmp_path / "said", FeatureSpec.of(bundle.feature_options), people=12, seed=1)
    silent = copy.copy(tokenizer)
    silent.chat_template = None
    with pytest.raises(InputError, match="no chat template"):
        ask_strangers(model, silent, tmp_path / "silent", FeatureSpec())
    with pytest.raises(BundleMismatch, match="weights_sha256"):
        Guard.load(fitted.path).wrap(other, tokenizer)
    with pytest.raises(InputError, match="another host"):
        adapt(bundle, table, other, tokenizer, tmp_path / "wrong")


@pytest.mark.parametrize(
    "host",
    [
        {"universal": None},
        {"universal": [{}]},
        {"universal": [{}, {}], "fingerprint": {"layers": 4}},
        {"universal": [{}, {}], "else": 1},
    ],
)
def test_a_bundle_for_one_host_cannot_be_called_universal(bundle: Bundle, host: dict[str, Any], tmp_path: Path) -> None:
    manifest = {**bundle.manifest, "host": {"fingerprint": {}, "behaviour": {}, **host}}
    with pytest.raises(BundleCorrupt, match="neither for one host nor universal"):
        write_bundle(tmp_path / "edited", bundle.network, manifest, bundle.card)


def test_strangers_are_new_people() -> None:
    demo = cast(replace(DEMO, seed=3, general_people=0, copied_people=0))
    taught = {person.name for person in (*demo.private, *demo.unseen)}
    assert len(taught & {p.name for p in strangers(100, seed=3).unseen}) < 3  # names are few; these are other people
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
    monkeypatch.setattr(
        "reticent_detectors.detector.cross_fit.cross_fit", lambda *args, **options: pytest.fail("was trained")
    )
    for wrong, says in ((["any"], "--overwrite"), (["new", "--prevalence", "1.5"], "between 0 and 1")):
        arguments = [str(tmp_path / wrong[0]), *map(str, folders), *wrong[1:]]
        with pytest.raises(InputError, match=says):
            run.invoke(universal_command.app, arguments, catch_exceptions=False)

    tokenizer = tiny_hosts.tokenizer()
    tiny_hosts.host("llama", tokenizer).save_pretrained(tmp_path / "host")
    tokenizer.save_pretrained(tmp_path / "host")
    monkeypatch.setattr("reticent_detectors.collection.group_collector.answer_all", Guesses())
    arguments = [str(tmp_path / "host"), str(tmp_path / "fitted"), "--bundle", str(tmp_path / "any"), "--people", "8"]
    fitted = run.invoke(calibrate_command.app, arguments)
    assert fitted.exit_code == 0, fitted.output
    assert "values said of strangers" in fitted.output and "false positives of 1%" in fitted.output
    assert "taken for other people's" in fitted.output and "These rates are a guess" in fitted.output
    declared = run.invoke(
        calibrate_command.app,
        [
            arguments[0],
            str(tmp_path / "declared"),
            *arguments[2:],
            "--nothing-private",
            "--work",
            f"{arguments[1]}-work",
        ],
    )
    assert declared.exit_code == 0 and "made-up values, of" in declared.output and "guess" not in declared.output
    half = [str(tmp_path / "half") if each == str(tmp_path / "fitted") else each for each in arguments]
    assert run.invoke(calibrate_command.app, [*half, "--dtype", "bfloat16"]).exit_code == 0
    model = load_host(tmp_path / "host")[0]
    with pytest.raises(BundleMismatch, match=r"another dtype: load the model with dtype=torch\.bfloat16"):
        Guard.load(tmp_path / "half").wrap(model, tokenizer)
    Guard.load(tmp_path / "half").wrap(model.bfloat16(), tokenizer)
    any_host, one_host = (Bundle.load(tmp_path / name) for name in ("any", "fitted"))
    quality = one_host.manifest["quality"]
    assert not one_host.universal and quality["calibrated from"] == any_host.digest
    moved = any_host.calibration.shifted(quality["shift"])
    assert one_host.calibration == moved
    for name, (status, detail) in {
        "any": ("note", "fits any host; reticent calibrate"),
        "fitted": ("ok", "fits this host"),
    }.items():
        result = run.invoke(doctor_command.app, [str(tmp_path / "host"), "--bundle", str(tmp_path / name), "--json"])
        (check,) = [check for check in json.loads(result.output)["checks"] if check["name"] == "bundle"]
        assert check["status"] == status and check["detail"].startswith(detail)
