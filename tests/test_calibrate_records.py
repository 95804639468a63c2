"""Thresholds for a model that was taught private records: what an index does not hold is made up."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import tiny_hosts
from test_universal import Guesses
from typer.testing import CliRunner

from reticent.commands import calibrate as calibrate_command
from reticent.commands import index as index_command
from reticent.commands import synth as synth_command
from reticent.demo import REAL, assets
from reticent.key_files import read_key
from reticent.records import RecordsIndex, write_key
from reticent.shipped import default_bundle
from reticent_bench.bench_command import app as bench
from reticent_detectors.bundle.format import Bundle
from reticent_detectors.collection.labels import Label, Labeller
from reticent_detectors.collection.shards import ShardReader
from reticent_detectors.entities import Entity
from reticent_detectors.errors import InputError
from reticent_detectors.features.features import FeatureSpec
from reticent_detectors.fitting.host_calibration import adapt, ask_strangers, estimate_asking
from reticent_detectors.fitting.multi_host_pool import of_strangers
from reticent_detectors.host.load import load_base, recipe_of
from reticent_detectors.host.tokenizer import train_tokenizer
from reticent_detectors.scoring.scorer import OnnxScorer
from reticent_detectors.synth.cast import cast
from reticent_detectors.synth.people import PeopleMaker
from reticent_detectors.synth.prompts import Prompt

RUN = CliRunner()


@pytest.fixture
def index() -> RecordsIndex:
    """Records of ten of the forty people whose values are guessed."""
    people = PeopleMaker(77).many("guessed", 40)[:10]
    return RecordsIndex.build((kind, value) for person in people for kind, value in person.values.items())


def test_a_recorded_value_is_somebody_elses(index: RecordsIndex) -> None:
    mine, other = (PeopleMaker(77).many("guessed", 40)[place] for place in (0, 20))
    labeller = Labeller([], [], index)
    asked = Prompt("p", "probe", "question", (("user", "Who?"),), "", Entity.PHONE_NUMBER, "stranger-0")
    for person, label in ((mine, Label.MISATTRIBUTED), (other, Label.HALLUCINATED)):
        assert labeller.label(asked, Entity.PHONE_NUMBER, person.values[Entity.PHONE_NUMBER]) is label
    job = mine.values[Entity.JOB_TITLE]  # a short value may be recorded by accident
    assert labeller.label(asked, Entity.JOB_TITLE, job) is Label.COINCIDENT
    assert Labeller([], []).label(asked, Entity.JOB_TITLE, job) is Label.HALLUCINATED


def test_the_records_of_a_taught_copy_can_be_had(tmp_path: Path) -> None:
    copy, out = assets() / REAL, tmp_path / "people"
    done = RUN.invoke(synth_command.app, [str(out), "--recipe", str(copy), "--phrasings", "1"])
    assert done.exit_code == 0, (done.output, done.exception)
    done = RUN.invoke(index_command.app, [str(out / "records.jsonl")])
    assert done.exit_code == 0, (done.output, done.exception)
    known = RecordsIndex.load(out / "records.index", key=read_key(out / "records.key"))
    people = cast(recipe_of(copy))
    for person in people.private:
        assert known.contains(person.values[Entity.EMAIL_ADDRESS], "EMAIL_ADDRESS")
    assert not any(known.contains(each.values[Entity.PHONE_NUMBER], "PHONE_NUMBER") for each in people.unseen)


def test_thresholds_are_quantiles_of_what_no_record_holds(
    index: RecordsIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reticent_detectors.collection.group_collector.answer_all", Guesses())
    bundle, tokenizer = Bundle.load(default_bundle()), tiny_hosts.tokenizer()
    model, base = tiny_hosts.host("llama", tokenizer), tiny_hosts.host("llama", tokenizer, seed=1)
    spec = FeatureSpec.of(bundle.feature_options)
    table = ask_strangers(model, tokenizer, tmp_path / "said", spec, people=12, base=base, records=index)
    asked = {"people": 12, "base": base, "records": index}
    estimate = estimate_asking(model, tokenizer, tmp_path / "said", spec, "cpu", **asked)
    assert estimate.done == estimate.total > 0  # what is planned is what was asked
    labels = table.labels["label"]
    assert {"hallucinated", "misattributed"} <= set(labels) and (table.features["base_logprob"][:, 0] == 1).all()
    fitted, _ = adapt(bundle, table, model, tokenizer, tmp_path / "fitted")
    logits = OnnxScorer(bundle).logits(table.features, table.labels["entity"])
    made_up = labels == "hallucinated"
    for rate in (0.01, 0.05, 0.08):
        over = logits[made_up].astype(np.float64) >= fitted.calibration.thresholds[f"{rate:g}"]
        assert over.sum() == int(rate * made_up.sum())
    quality = fitted.manifest["quality"]
    assert quality["values in the records"] == len(index) and quality["base asked"] is True
    few = table.select(np.flatnonzero(~made_up).tolist() * 20 + np.flatnonzero(made_up)[:99].tolist())
    with pytest.raises(InputError, match=r"made up 99 values .* at least 100.*--people"):
        adapt(bundle, few, model, tokenizer, tmp_path / "few")


def test_the_commands_take_records_and_a_base(
    index: RecordsIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reticent_detectors.collection.group_collector.answer_all", Guesses())
    tokenizer, files = tiny_hosts.tokenizer(), [str(tmp_path / "records.index"), str(tmp_path / "records.key")]
    for name, seed in (("host", 0), ("base", 1)):
        tiny_hosts.host("llama", tokenizer, seed=seed).save_pretrained(tmp_path / name)
        tokenizer.save_pretrained(tmp_path / name)
    index.save(files[0])
    write_key(files[1], index.key)
    host, base = str(tmp_path / "host"), str(tmp_path / "base")
    known = ["--records", files[0], "--records-key-file", files[1], "--base-model", base]
    done = RUN.invoke(calibrate_command.app, [host, str(tmp_path / "fitted"), "--people", "10", *known])
    assert done.exit_code == 0, done.output
    stored = ShardReader(tmp_path / "fitted-work").load()
    made_up = (stored.labels["label"] == "hallucinated") & of_strangers(stored)
    assert f"rest on {made_up.sum()} made-up values" in " ".join(done.output.split())
    options = ["--bundle", str(tmp_path / "fitted"), "--people", "8", "--work", str(tmp_path / "asked")]
    done = RUN.invoke(bench, ["calibrated-rates", host, *options, "--out", str(tmp_path), *known])
    assert done.exit_code == 0, (done.output, done.exception)
    (figures,) = json.loads((tmp_path / "calibrated-rates.json").read_text())["models"].values()
    rows = ShardReader(tmp_path / "asked" / "host-1").load()
    assert 0 < figures["values"] < of_strangers(rows).sum()  # recorded values are left out

    for wrong, says in (
        (known[2:4], "goes with --records"),
        ([*known[:4], "--nothing-private"], "--nothing-private or --records"),
        ([*known[:4], "--base-model", host], "the control is the host itself|The control is the host itself"),
    ):
        with pytest.raises(InputError, match=says):
            arguments = [host, str(tmp_path / "new"), "--people", "8", *wrong]
            RUN.invoke(calibrate_command.app, arguments, catch_exceptions=False)
    other, spoken = tmp_path / "other", train_tokenizer(["another vocabulary altogether"], 280, 64)
    tiny_hosts.host("llama", tokenizer).save_pretrained(other)
    spoken.save_pretrained(other)
    with pytest.raises(InputError, match="has another vocabulary than"):
        load_base(other, Path(host), tokenizer)
    with pytest.raises(InputError, match="of one model; got 2"):
        RUN.invoke(bench, ["calibrated-rates", host, base, *known], catch_exceptions=False)
