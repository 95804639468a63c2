"""`reticent fit`: one command from a model to its bundle, interrupted and gone on with, and what it refuses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tiny_hosts
import torch
from test_hosts import Sayings
from test_teach import CHATML, SHORT, _few_others, _files, _spoken  # noqa: F401
from test_token_score import _collection
from typer.testing import CliRunner

from reticent import Guard
from reticent.records import RecordsIndex, write_key
from reticent.shipped import default_bundle
from reticent_bench.fit import settings as fit_settings
from reticent_bench.fit import steps as fit_steps
from reticent_bench.fit.held_out import DEFAULT, FITTED, MEAN, measure
from reticent_bench.fit.settings import FitSettings
from reticent_bench.fit.state import STATE
from reticent_bench.fit.steps import STEPS, Fit, check_enough
from reticent_bench.fit_command import app
from reticent_detectors.alignment import chat_ids
from reticent_detectors.bundle.format import Bundle
from reticent_detectors.capture.ring import Ring
from reticent_detectors.collection import plan
from reticent_detectors.collection.held_out import person_share
from reticent_detectors.collection.shards import FeatureTable, ShardReader
from reticent_detectors.detector.defaults import default_config
from reticent_detectors.errors import InputError
from reticent_detectors.features.features import FeatureSpec, build_features
from reticent_detectors.fitting.own_detector import training_rows
from reticent_detectors.fitting.token_score_bundle import PERSON_FOLDS, build_own_token_score, fit_own
from reticent_detectors.host.load import load_host
from reticent_detectors.scoring.scorer import OnnxScorer
from reticent_detectors.synth.people import PeopleMaker

NAMES = [step.name for step in STEPS]
PAPER = {"inter", "intra", "topk_prob", "token_prob"}
RUN = CliRunner()


class Lines(Sayings):
    """Writes what is made up on a line of its own, where the states of `model` are others than elsewhere."""

    def made_up(self, value: str) -> str:
        return f"\n{value}"


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tiny model, of which a copy learns little in few steps, and says what a test wants."""
    monkeypatch.setattr(fit_settings, "TAUGHT", replace(SHORT, people=6))
    quick = partial(replace, batch=64, warmup_steps=5, learning_rate=3e-3, epochs=6)
    monkeypatch.setattr(fit_settings, "default_config", lambda *given, **named: quick(default_config(*given, **named)))
    every = fit_settings.ensemble_of
    monkeypatch.setattr(fit_settings, "ensemble_of", lambda *given, **named: every(*given, **named)[:2])
    monkeypatch.setattr(fit_settings, "LEAST_STRANGERS", 12)
    few = list(plan.public_prompts())[::20]
    monkeypatch.setattr(plan, "public_prompts", lambda: few)
    monkeypatch.setattr("reticent_detectors.collection.group_collector.answer_all", Lines())
    return _loud(tmp_path / "model")


def _loud(folder: Path, seed: int = 0) -> Path:
    """Saves a model in which a new line drowns out all that was read before it, in every layer."""
    tokenizer = _spoken(CHATML)
    host = tiny_hosts.host("llama", tokenizer, seed)
    (new_line,) = tokenizer("\n", add_special_tokens=False)["input_ids"]
    with torch.no_grad():
        host.get_input_embeddings().weight[new_line] *= 30
    host.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


class Watched:
    """Counts the steps that run, and interrupts before one of them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ran, self.stop_before = list[str](), ""
        monkeypatch.setattr(fit_steps, "STEPS", tuple(replace(step, run=self._watched(step)) for step in STEPS))

    def _watched(self, step: fit_steps.Step) -> Any:
        def run(fit: Fit) -> None:
            if step.name == self.stop_before:
                raise KeyboardInterrupt
            self.ran.append(step.name)
            step.run(fit)

        return run


def _fit(model: Path, out: Path, *options: str) -> Any:
    return RUN.invoke(app, [str(model), str(out), "--people", "9", "--epochs", "1", *options])


def _known(folder: Path) -> tuple[str, ...]:
    """Writes an index of some people's values, and a model from before it was taught them; returns their options."""
    people = PeopleMaker(77).many("stranger", 5)
    index = RecordsIndex.build((kind, value) for person in people for kind, value in person.values.items())
    index.save(folder / "records.index")
    write_key(folder / "records.key", index.key)
    base = _loud(folder / "base", seed=1)
    return (
        *("--records", str(folder / "records.index"), "--records-key-file", str(folder / "records.key")),
        *("--base", str(base)),
    )


@pytest.mark.parametrize("arm", ["token", "paper"])
def test_one_command_makes_a_bundle_however_often_it_is_interrupted(
    arm: str, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, out, watched = _files(model), tmp_path / "bundle", Watched(monkeypatch)
    options = ("--arm", arm, *(_known(tmp_path) if arm == "token" else ()))
    for number, name in enumerate(NAMES[1:], 1):
        watched.stop_before = name
        stopped = _fit(model, out, *options)
        assert stopped.exit_code and not out.exists(), stopped.output
        assert f"Interrupted in {number + 1}/5 {name}" in stopped.output and "same command goes on" in stopped.output
        assert watched.ran == NAMES[:number]  # each once, whatever was interrupted since
    watched.stop_before = ""
    done = _fit(model, out, *options)
    assert done.exit_code == 0, (done.output, done.exception)
    assert watched.ran == NAMES and done.output.count("done before") == 4
    assert _files(model) == before

    bundle = Bundle.load(out)
    figures = bundle.manifest["held out"]
    assert figures["people"] == 2 and figures["remembered"] > 20 and figures["made up"] > 20
    for said in ("fitted detector", "default detector", "mean log-probability", "reticent.Guard.load(", str(out)):
        assert said in done.output
    card = bundle.card
    for said in (
        "How it was made",
        "taught a copy of the model 13 made-up people",
        "What it reads",
        "| fitted detector |",
    ):
        assert said in card
    assert "## Calibration" in card and ("logit lens at all 3 layers" in card) == (arm == "paper")
    assert (set(bundle.shapes) == PAPER) == (arm == "paper") and not bundle.universal
    assert bundle.tier == ("hidden" if arm == "paper" else "logprobs")
    quality = bundle.manifest["quality"]
    assert (quality["values in the records"], quality["base asked"]) == (
        (80, True) if arm == "token" else (None, False)
    )
    assert ("base=" in done.output) == (arm == "token")
    labelled_by = ShardReader(tmp_path / "bundle-work" / "rows").settings.get("records")
    assert labelled_by == quality["values in the records"]  # recorded values are no inventions of the copy either

    again = _fit(model, out, *options)
    assert isinstance(again.exception, InputError) and "--overwrite" in str(again.exception)
    anew = _fit(model, out, *options, "--overwrite")
    assert anew.exit_code == 0 and watched.ran == NAMES and Bundle.load(out).digest == bundle.digest
    _judges_with(out, model, monkeypatch)


def _judges_with(folder: Path, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The guard's verdict is the network's on features of the model's own states, of every layer if it reads them."""
    host, tokenizer = load_host(model)
    guard = Guard.load(folder, tiny_hosts.STOP_ALL).wrap(host, tokenizer)
    seen, spans = list[Any](), Ring.spans

    def looked_at(ring: Ring, wanted: Sequence[Any]) -> Any:
        found = spans(ring, wanted)
        seen.extend(found)
        return found

    monkeypatch.setattr(Ring, "spans", looked_at)
    script = tiny_hosts.Script(tokenizer, tiny_hosts.SAYS, len(chat_ids(tokenizer, tiny_hosts.QUESTION)))
    answer = guard.chat(tiny_hosts.QUESTION, logits_processor=[script], max_new_tokens=80, do_sample=False)
    assert tiny_hosts.SECRET not in answer.text
    verdict = answer.report.spans[0].decision.verdict
    bundle = guard.guard.bundle
    reads_layers = bundle.tier == "hidden"
    assert {each.hidden.shape[1] for each in seen} == {tiny_hosts.LAYERS if reads_layers else 1}
    spec = FeatureSpec.of(bundle.feature_options)
    if reads_layers:
        assert spec.position == "first"
        # By every layer's lens, and with all else that a collection holds: the detector reads the same.
        features = build_features(guard.adapter, seen[:1], replace(spec, position="pooled"))
        assert set(features) >= PAPER and features["topk_prob"].shape[1] == tiny_hosts.LAYERS
    else:
        features = build_features(guard.adapter, seen[:1], spec)
    expected = OnnxScorer(bundle).score(features, ["PHONE_NUMBER"])[0]
    assert verdict.probability == pytest.approx(expected, abs=1e-4)


def test_a_plan_says_what_each_step_takes_and_writes_nothing(model: Path, tmp_path: Path) -> None:
    before = _files(tmp_path)
    done = _fit(model, tmp_path / "bundle", "--arm", "paper", "--plan")
    assert done.exit_code == 0, (done.output, done.exception)
    heads = [line.split(":")[0] for line in done.stdout.splitlines()]
    assert heads[:-2:3] == ["tune", "collect", "train", "calibrate"] and heads[-2] == "in all"
    assert "at most 12 epochs" in done.stdout and "Nothing was started" in done.stdout.splitlines()[-1]
    assert _files(tmp_path) == before and not (tmp_path / "bundle-work").exists()


def test_a_plan_of_an_interrupted_fit_is_of_what_is_left(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = Watched(monkeypatch)
    watched.stop_before = "train"
    assert _fit(model, tmp_path / "bundle").exit_code
    before = _files(tmp_path)
    done = _fit(model, tmp_path / "bundle", "--plan")
    assert done.exit_code == 0, (done.output, done.exception)
    assert "done: tune, collect\ntrain: 6 regressions" in done.stdout and "\ntune" not in done.stdout
    assert _files(tmp_path) == before
    monkeypatch.setattr(fit_steps, "LEAST_OF_A_CLASS", 10**6)
    watched.stop_before = ""
    little = _fit(model, tmp_path / "bundle")
    assert isinstance(little.exception, InputError) and "remembers too little" in str(little.exception)
    assert _files(tmp_path) == before
    # Other settings, other files.
    for options, wanted in (
        (("--people", "12"), "people: was 9, now 12"),
        (("--arm", "paper"), "arm: was 'token', now 'paper'"),
        (("--learning-rate", "0.01"), "learning rate: was 0.002, now 0.01"),
    ):
        for planned in ((), ("--plan",)):
            refused = _fit(model, tmp_path / "bundle", *options, *planned)
            assert isinstance(refused.exception, InputError) and wanted in str(refused.exception)
            assert "delete" in str(refused.exception)
    assert _files(tmp_path) == before
    adapter = tmp_path / "bundle-work" / "copy" / "adapter_config.json"
    content = adapter.read_text()
    adapter.write_text(content + " ")
    refused = _fit(model, tmp_path / "bundle")
    assert isinstance(refused.exception, InputError) and "'tune' made" in str(refused.exception)
    adapter.write_text(content)
    (tmp_path / "bundle-work" / STATE).write_text("{")
    refused = _fit(model, tmp_path / "bundle")
    assert isinstance(refused.exception, InputError) and "cut short" in str(refused.exception)


def test_what_cannot_be_fitted_is_refused_before_anything_is_loaded(model: Path, tmp_path: Path) -> None:
    (tmp_path / "adapter").mkdir()
    (tmp_path / "adapter" / "adapter_config.json").write_text("{}")
    (tmp_path / "full-work").mkdir()
    (tmp_path / "full-work" / "mine").write_text("months of work")
    before = _files(tmp_path)
    for host, out, options, wanted in (
        (model, "new", ("--arm", "sequences"), "token, paper"),
        (model, "new", ("--arm", "paper", "--base", str(model)), "reads the layers of the model and no base"),
        (tmp_path / "adapter", "new", (), "merge it"),
        (tmp_path, "new", (), "no checkpoint"),
        (model, "new", ("--records-key-file", "key"), "goes with --records"),
        (model, "full", (), "not empty and holds no fit.json"),
    ):
        refused = _fit(host, tmp_path / out, *options)
        assert isinstance(refused.exception, InputError) and wanted in str(refused.exception), refused.output
    assert _files(tmp_path) == before


def test_too_few_values_say_what_to_change(tmp_path: Path) -> None:
    fit = Fit(FitSettings(tmp_path, "token", None, None, 9, 1, 0.002, 0, "cpu", "float32"), tmp_path / "work", None)
    table = training_rows(_collection(0, 2, rows=1200))
    labels = table.labels["label"]
    check_enough(table, fit)
    for kept, wanted in (
        (labels != "memorized", r"said 0 values that it was taught.*--epochs 2\).*another OUT.*No bundle was written"),
        (labels == "memorized", r"made 0 values up, 50 are needed, and said 0 of.*--people 48"),
    ):
        with pytest.raises(InputError, match=wanted):
            check_enough(table.select(kept), fit)


# ---- figures ------------------------------------------------------------------------------------


def _judged(table: FeatureTable, fitted: Bundle, based: bool = False) -> dict[str, Any]:
    return measure(table, fitted, Bundle.load(default_bundle()), based=based)


def test_figures_are_of_people_whom_the_detector_never_saw(tmp_path: Path) -> None:
    table = _collection(0, 2, rows=3000)
    fitted = build_own_token_score(tmp_path / "own", training_rows(table), {"fingerprint": {}, "behaviour": {}})
    figures = _judged(table, fitted)
    tested, labels = table.labels["person_split"] == "test", table.labels["label"]
    assert figures["remembered"] == (tested & (labels == "memorized")).sum()
    assert figures["made up"] == (tested & (labels == "hallucinated")).sum()
    scores = OnnxScorer(fitted).score(
        {**table.features, "base_logprob": np.zeros((table.rows, 4), np.float32)}, table.labels["entity"]
    )
    for rate in ("0.01", "0.08"):
        over = tested & (scores >= fitted.calibration.threshold(float(rate)))
        own = figures["stopped"][FITTED][rate]
        assert own["remembered"] == [(over & (labels == "memorized")).sum(), figures["remembered"]]
        assert own["made up"] == [(over & (labels == "hallucinated")).sum(), figures["made up"]]
        assert set(figures["stopped"]) == {FITTED, DEFAULT, MEAN}
    assert 0.02 < own["made up"][0] / own["made up"][1] < 0.16  # where 8 % are asked for
    based = _judged(table, fitted, based=True)["stopped"][FITTED]["0.08"]
    assert based["remembered"][0] > own["remembered"][0]  # a base stops more, and never fewer


def test_a_score_of_ones_own_is_calibrated_on_people_that_it_did_not_see(tmp_path: Path) -> None:
    table = training_rows(_collection(0, 2, rows=2000))
    _, score, held = fit_own(table)
    folds = np.array([int(person_share(person) * PERSON_FOLDS) for person in table.labels["person_key"]])
    part, labels = folds == folds[0], table.labels["label"].copy()
    labels[part] = np.where(labels[part] == "memorized", "hallucinated", "memorized")
    _, other, without = fit_own(replace(table, labels={**table.labels, "label": labels}))
    assert np.array_equal(held.alone[part], without.alone[part])
    assert not np.array_equal(held.alone[~part], without.alone[~part])
    assert not np.array_equal(score.weight, other.weight)
    bundle = build_own_token_score(tmp_path / "own", table, {"fingerprint": {}, "behaviour": {}})
    assert not bundle.universal
