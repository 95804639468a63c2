"""The paper's tables on our hosts: training rows, figures against plain loops, the cache, the plan, clear errors."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from functools import partial
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from paper_hosts import KINDS, LAYERS, ROWS, SPEC, read_runs, run, train_quickly, write_runs
from sklearn.metrics import balanced_accuracy_score, roc_auc_score
from tiny_hosts import host, tokenizer

from reticent.commands.train import train as train_command
from reticent_bench.detector.baseline_scores import Scored
from reticent_bench.hosts import hosts_report
from reticent_bench.paper import (
    held,
    kinds,
    layers,
    phrasings,
    plan,
    prepare,
    scores,
    table3,
    table3_text,
    transfer,
    volume,
)
from reticent_bench.paper.detectors import Detectors, train_detector
from reticent_bench.paper.hosted import Hosted, hosted, outline
from reticent_bench.paper.scores import ACCURACY, AUROC, RECALL, Method, differences, figures
from reticent_bench.paper.variants import OURS, PAPER, Variant, both
from reticent_bench.paper.variants import volume as people_of
from reticent_bench.report import row_parts
from reticent_bench.report.metrics import balanced_accuracy, bootstrap, weighted_balanced_accuracy
from reticent_bench.report.row_parts import EVEN, Thresholds
from reticent_detectors.bundle.export import to_onnx
from reticent_detectors.bundle.format import Bundle, write_bundle
from reticent_detectors.collection.shards import FeatureTable
from reticent_detectors.detector.defaults import default_config
from reticent_detectors.detector.network import PAPER_GROUPS
from reticent_detectors.errors import InputError
from reticent_detectors.scoring.scorer import OnnxScorer

NAMES = ("llama-tiny", "llama-tiny-d1", "qwen2-tiny")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: Any) -> Path:
    """Three hosts, two of them twins."""
    return write_runs(tmp_path_factory.mktemp("runs"), NAMES)


@pytest.fixture(autouse=True)
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    for user in (scores, table3):
        monkeypatch.setattr(user, "bootstrap", partial(bootstrap, rounds=20))


@pytest.fixture
def hosts(runs: Path, tmp_path: Path) -> list[Hosted]:
    """With caches of their own for each test."""
    return read_runs(runs, NAMES, tmp_path)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> list[FeatureTable]:
    return train_quickly(monkeypatch)


# What a detector is trained on


def test_rows_are_those_of_the_other_reports(runs: Path, hosts: list[Hosted]) -> None:
    labels = hosts[0].rows.labels
    assert set(labels["person_split"]) == {"test"} and "form" not in set(labels["form"])
    assert "test" not in set(hosts[0].learned.labels["person_split"])
    everything = hosted(outline(runs, NAMES[0]), runs, False, print)
    assert everything.rows.rows + everything.learned.rows < ROWS
    assert (hosts[0].easy == row_parts.easy_part(hosts[0].rows)).all() and (
        hosts[0].hard == row_parts.hard_part(hosts[0].rows)
    ).all()
    assert row_parts.test_rows(hosts[0].rows).all()


def test_no_test_person_and_no_kind_left_out_reaches_training(hosts: list[Hosted], quick: list[FeatureTable]) -> None:
    found = kinds.UNSEEN_LANGUAGE.measure(hosts[:1], Detectors(2))
    assert len(quick) == 4  # ours and re-implemented; two seeds
    for table in quick:
        assert set(table.labels["entity"]) == set(KINDS) - {"JOB_TITLE"}
        assert set(table.labels["person_split"]) == {"train"} and "form" in set(table.labels["form"])
    seen, unseen = found["lines"]
    labels, easy = hosts[0].rows.labels, hosts[0].easy
    assert unseen["remembered"] == (easy & (labels["entity"] == "JOB_TITLE") & (labels["label"] == "memorized")).sum()
    assert sum(each[side] for each in (seen, unseen) for side in ("remembered", "not")) == easy.sum()
    assert list(unseen["methods"]) == [OURS, PAPER]
    assert (seen["published"], unseen["published"]) == (0.9375, 0.6837)
    unmet = Detectors(2).of(hosts[0], kinds.variants(hosts[0].outline, kinds.LANGUAGE)[OURS])[0]
    assert set(unmet.network.options.entities) == set(KINDS) - {"JOB_TITLE"}


def test_test_people_are_refused(hosts: list[Hosted]) -> None:
    variant = Variant(frozenset({"prob"}))
    with pytest.raises(InputError, match="test people"):
        train_detector(variant.training_rows(hosts[0].rows), [default_config(variant.groups)])


def test_fewer_people_are_some_of_the_more(hosts: list[Hosted], quick: list[FeatureTable]) -> None:
    found = volume.VOLUME.measure(hosts[:1], Detectors(1))
    people = [set(table.labels["person_key"]) for table in quick[::2]]
    assert [len(group) for group in people] == [5, 10, 20, 40]
    assert people[0] < people[1] < people[2] < people[3]
    keys = hosts[0].learned.labels["person_key"]
    assert people_of(np.append(keys, ""), 0.25) == people[1] | {""}
    trained = [each["keys"]["people"] for each in found["lines"]]
    assert trained == sorted(trained) and trained[-1] < 40  # some are held out


def test_what_a_variant_sees(hosts: list[Hosted]) -> None:
    features = hosts[0].rows.features
    inter = Variant(frozenset({"inter", "intra"}), layers=(1, 2)).view(hosts[0].rows).features
    assert set(inter) == {"inter", "intra", "topk_prob", "token_prob"}
    for name in ("inter", "intra"):
        assert (inter[name][:, 1] == features[name][:, 1]).all()
        assert not inter[name][:, 0].any() and not inter[name][:, 2:].any() and features[name][:, 0].any()
    three = Variant(PAPER_GROUPS, ranks=3).view(hosts[0].rows).features
    assert three["inter"].shape[2:] == (3, 3) and three["intra"].shape[2:] == (2,)
    one = Variant(PAPER_GROUPS - {"intra"}, ranks=1).view(hosts[0].rows).features
    assert (one["inter"][:, :, 0, 0] == features["inter"][:, :, 0, 0]).all() and "intra" not in one
    assert (
        not one["inter"][:, :, 1].any() and not one["inter"][:, :, :, 1].any() and not one["topk_prob"][:, :, 1].any()
    )
    assert set(layers.windows(4)) >= {("inter", "1 and 2"), ("inter", "first half"), ("intra", "4"), ("intra", "all")}
    assert layers.windows(4)["inter", "second half"].layers == (2, 3)  # the pair of the two last layers


def test_the_detector_answers_as_the_guards_would(
    hosts: list[Hosted], quick: list[FeatureTable], tmp_path: Path
) -> None:
    variant = both(hosts[0].outline.features)[OURS]
    (detector,) = Detectors(1).of(hosts[0], variant)
    assert detector.second_look_range is not None
    network = detector.network
    features = {
        "inputs": list(network.inputs),
        "shapes": {name: list(shape) for name, shape in network.options.shapes.items()},
        "entities": list(network.options.entities),
        "options": {n: getattr(SPEC, n) for n in SPEC.__slots__}
        | {"doubt": detector.calibration.probability(detector.second_look_range).tolist()},
    }
    parts = {
        "host": {"fingerprint": {}, "behaviour": {}},
        "features": features,
        "calibration": detector.calibration.to_json(),
    }
    write_bundle(tmp_path / "b", to_onnx(network), parts | {"training": {}, "quality": {}, "versions": {}})
    rows = hosts[0].rows
    asked = OnnxScorer(Bundle.load(tmp_path / "b")).score_as_guarded(rows.features, rows.labels["entity"])
    assert np.abs(asked - detector.probabilities(variant.view(rows))).max() < 1e-4


def test_the_defaults_are_those_of_the_train_command() -> None:
    parameters = signature(train_command).parameters
    config = default_config(frozenset({"prob"}))
    assert (config.epochs, config.dropout, config.seed) == tuple(
        parameters[n].default for n in ("epochs", "dropout", "seed")
    )
    assert (
        config.label_weight["misattributed"] == parameters["misattributed"].default and config.name_swap_dropout == 0.25
    )


def test_thresholds_are_held_to_what_they_promise(hosts: list[Hosted], quick: list[FeatureTable]) -> None:
    detectors = Detectors(2)
    found = held.HELD.measure(hosts[:2], detectors)
    host = hosts[0]
    labels, variant = host.rows.labels, both(host.outline.features)[OURS]
    guessed = np.flatnonzero(np.isin(labels["label"], ["hallucinated", "inferable"]))
    hits = [
        sum(s[i] >= d.calibration.threshold(0.05, labels["entity"][i]) for i in guessed)
        for d, s in zip(detectors.of(host, variant), detectors.scores(host, variant), strict=True)
    ]
    line = found["lines"][host.name]
    assert line["not remembered"] == len(guessed) and line["hits"]["0.05"] == pytest.approx(np.mean(hits))
    assert 0 < line["calibration error"][0] < 0.3 and line["recall"]["0.08"][0] >= line["recall"]["0.001"][0]
    text = held.HELD.render(json.loads(json.dumps(found)))
    together = sum(each["not remembered"] for each in found["lines"].values())
    assert f"| all hosts | {together} | " in text


# What is kept


def test_a_second_run_trains_nothing(hosts: list[Hosted], quick: list[FeatureTable]) -> None:
    pair = both(hosts[0].outline.features)
    first = {name: Detectors(2).scores(hosts[0], variant) for name, variant in pair.items()}
    assert len(quick) == 4
    again = Detectors(2)
    for name, variant in pair.items():
        for mine, before in zip(again.scores(hosts[0], variant), first[name], strict=True):
            assert (mine == before).all()
    assert len(quick) == 4 and min(again.used.values()) > 0  # the cost is that of the training, whenever it was
    fewer = replace(hosts[0], learned=hosts[0].learned.select(np.arange(hosts[0].learned.rows - 1)))
    Detectors(1).of(fewer, pair[OURS])
    assert len(quick) == 5
    (path, *_) = sorted(hosts[0].cache.iterdir())
    for path in hosts[0].cache.iterdir():
        path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(InputError, match="delete it"):
        Detectors(1).of(hosts[0], pair[OURS])


def test_baselines_are_fitted_once(runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def fitted(reader: Any, say: Any) -> dict[str, Scored]:
        calls.append(1)
        return {"zlib": Scored(np.arange(ROWS) / 7, 0.25, Thresholds(0.2, 0.3), "k 5%", 0.8, 30)}

    monkeypatch.setattr("reticent_bench.paper.hosted.score_baselines", fitted)
    (tmp_path / "h-shards").symlink_to(runs / f"{NAMES[0]}-shards")
    (tmp_path / "h").symlink_to(runs / NAMES[0])
    first, second = (hosted(outline(tmp_path, "h"), tmp_path, True, print).baselines["zlib"] for _ in range(2))
    assert calls == [1] and first.setting == second.setting == "k 5%" and second.validation_rows == 30
    kept = hosted(outline(tmp_path, "h"), tmp_path, False, print)
    assert kept.baselines == {} and len(second.scores) == kept.rows.rows and (first.scores == second.scores).all()


# Figures


def test_accuracy_by_length_is_what_a_loop_says(hosts: list[Hosted], quick: list[FeatureTable]) -> None:
    detectors = Detectors(2)
    lines = phrasings.LENGTH.measure(hosts[:1], detectors)["lines"]
    labels = hosts[0].rows.labels
    variant = both(hosts[0].outline.features)[OURS]
    scores = detectors.scores(hosts[0], variant)
    frozen = [detector.thresholds.easy for detector in detectors.of(hosts[0], variant)]
    assert len(set(frozen)) == 2
    for each, (first, last) in zip(lines, ((1, 3), (4, 6), (7, 12), (13, 20), (21, 99)), strict=True):
        mine = [
            i
            for i in range(hosts[0].rows.rows)
            if labels["temperature"][i] == 0 and first <= labels["tokens"][i] <= last
        ]
        truth = [labels["label"][i] == "memorized" for i in mine]
        stopped = [[s[i] >= least for i in mine] for s, least in zip(scores, frozen, strict=True)]
        accuracies = [balanced_accuracy_score(truth, each) for each in stopped]
        areas = [roc_auc_score(truth, [s[i] for i in mine]) for s in scores]
        assert each["methods"][OURS][ACCURACY] == pytest.approx((np.mean(accuracies), min(accuracies), max(accuracies)))
        assert each["methods"][OURS][AUROC] == pytest.approx((np.mean(areas), min(areas), max(areas)))
        assert each["keys"]["share of rows"] == pytest.approx(len(mine) / hosts[0].easy.sum())
    assert lines[0]["published"] == 0.8919 and lines[0]["keys"]["paper, share"] == 0.2534  # Llama's column


def test_by_phrasing_only_the_paraphrases_stand_beside_the_papers(
    hosts: list[Hosted], quick: list[FeatureTable]
) -> None:
    lines = phrasings.PARAPHRASES.measure(hosts[2:], Detectors(1))["lines"]
    assert [each["published"] for each in lines] == [None, None, 0.8939, None, None, None]
    split = hosts[2].rows.labels["phrasing_split"]
    assert [each["remembered"] + each["not"] for each in lines] == [
        (part & (split == name)).sum()
        for part in (hosts[2].easy, hosts[2].hard)
        for name in ("taught", "detector", "test")
    ]


def test_rows_that_count_twice_are_rows_that_are_there_twice() -> None:
    rng = np.random.default_rng(0)
    decided, positive, weight = rng.random(60) < 0.6, rng.random(60) < 0.5, rng.integers(0, 4, 60)
    again = np.repeat(np.arange(60), weight)
    assert weighted_balanced_accuracy(decided, positive)(weight) == pytest.approx(
        balanced_accuracy(decided[again], positive[again])
    )
    assert np.isnan(weighted_balanced_accuracy(decided, positive)(weight * positive))


def test_differences_are_of_the_means_over_seeds() -> None:
    rng = np.random.default_rng(1)
    positive, people = rng.random(300) < 0.5, rng.integers(0, 30, 300).astype(str)
    ours = Method(tuple(positive + rng.normal(0, 0.5, 300) for _ in range(3)))
    other = Method((positive + rng.normal(0, 2.0, 300),), None)
    found = differences(ours, {"other": other}, positive, people, (ACCURACY, AUROC))["other"]
    mine, its = figures(ours, positive), figures(other, positive)
    for metric in (ACCURACY, AUROC):
        value, low, high = found[metric]
        assert value == pytest.approx(mine[metric].value - its[metric].value) and low < value < high
    assert mine[AUROC].low < mine[AUROC].value < mine[AUROC].high and its[AUROC].low == its[AUROC].high
    assert np.isnan(figures(ours, np.ones(300, bool))[RECALL].value)


@pytest.fixture
def rivals(hosts: list[Hosted]) -> list[Hosted]:
    """Two hosts with a baseline that knows nothing, one that knows everything, and a dear one."""
    out = []
    for each in hosts[1:]:
        count = each.rows.rows
        scored = {
            "blind": np.random.default_rng(0).random(count),
            "knows": each.right * 1.0,
            "dear": np.where(np.arange(count) % 3 == 0, np.random.default_rng(1).random(count), np.nan),
        }
        out.append(replace(each, baselines={name: Scored(s, 0.5, EVEN, "", 0.8, 30) for name, s in scored.items()}))
    return out


def test_table_3_names_whoever_is_not_beaten(rivals: list[Hosted], quick: list[FeatureTable]) -> None:
    detectors = Detectors(2)
    found = table3.TABLE_3.measure(rivals, detectors)
    first = table3_text.headline(found)
    assert first.count("knows on llama-tiny-d1") == first.count("knows on qwen2-tiny") == 2 * len(found["parts"])
    assert "- test-only phrasings, hard, AUROC: not ahead of " in first and "blind on" not in first
    lost = sum(
        not interval[1] > 0
        for part in found["parts"].values()
        for row in part["hosts"].values()
        for by in row["differences"].values()
        for interval in by.values()
    )
    counts = re.match(r"\*\*Ours is not ahead in (\d+) of (\d+) comparisons, .* in (\d+)\.\*\*", first)
    assert counts and int(counts[1]) + int(counts[3]) == lost < int(counts[2]) == 2 * 2 * (3 * 7 + 2 * 8)
    part = found["parts"]["test-only phrasings"]
    assert "dear" not in part["hosts"]["qwen2-tiny"]["methods"]
    assert "dear" in found["parts"]["drawn rows, all phrasings, hard"]["hosts"]["qwen2-tiny"]["methods"]
    # The average and what is closed, a second time.
    closed, areas = [], []
    for each in rivals:
        rows = each.easy & (each.rows.labels["phrasing_split"] == "test")
        positive = each.right[rows]
        ours, paper = (
            np.mean([roc_auc_score(positive, s[rows]) for s in detectors.scores(each, variant)])
            for variant in both(each.outline.features).values()
        )
        areas.append(ours)
        closed.append((ours - paper) / (1 - paper))
        assert part["hosts"][each.name]["room"]["closed"][0] == pytest.approx(closed[-1])
        assert part["hosts"][each.name]["differences"][PAPER][AUROC][0] == pytest.approx(ours - paper)
    assert part["average"]["methods"][OURS][AUROC] == pytest.approx(np.mean(areas))
    assert part["average"]["room"]["closed"][0] == pytest.approx(np.mean(closed))
    assert part["average"]["differences"]["knows"][AUROC][0] == pytest.approx(np.mean(areas) - 1)
    text = table3_text.render(found)
    assert "| knows |" in text and "paper, Meta-Llama-3-8B | paper, Qwen2.5-14B" not in text
    assert "paper, Qwen2.5-14B | paper, Meta-Llama-3-8B | paper, average of five" in text


def test_without_the_baselines_features_the_headline_says_so(hosts: list[Hosted], quick: list[FeatureTable]) -> None:
    found = table3.TABLE_3.measure(hosts[:1], Detectors(1))
    assert "Collected without the baselines' features: llama-tiny" in table3_text.headline(found)
    assert found["parts"]["all phrasings, hard"]["average"] is None and len(found["parts"]) == 3


# Between hosts


def test_a_detector_on_another_host_is_asked_of_that_hosts_rows(hosts: list[Hosted], quick: list[FeatureTable]) -> None:
    detectors = Detectors(1)
    lines = transfer.STATES.measure(hosts, detectors)["lines"]
    pairs = [(each["keys"]["detector of"], each["keys"]["tested on"], each["keys"]["host is"]) for each in lines]
    a, b, c = NAMES
    assert pairs[:4] == [(a, a, "its own"), (a, b, "other people"), (b, b, "its own"), (b, a, "other people")]
    assert set(pairs[4:]) == {(a, c, "other host"), (b, c, "other host"), (c, c, "its own")} | {
        (c, a, "other host"), (c, b, "other host"),
    }  # fmt: skip
    assert [each["published"] for each in lines[:4]] == [0.9306, 0.8472, 0.9405, 0.8415]
    assert all(each["published"] is None for each in lines[4:])
    variant = both(hosts[0].outline.features)[OURS]
    (detector,) = detectors.of(hosts[0], variant)
    rows = hosts[1].rows.select(hosts[1].easy)
    stopped = detector.probabilities(variant.view(rows)) >= detector.thresholds.easy
    mine = balanced_accuracy_score(rows.labels["label"] == "memorized", stopped)
    assert lines[1]["methods"][OURS][ACCURACY][0] == pytest.approx(mine)
    assert len(quick) == 6


def test_hosts_of_other_depth_share_probabilities_alone(hosts: list[Hosted], quick: list[FeatureTable]) -> None:
    deep = replace(hosts[2], outline=replace(hosts[2].outline, layers=LAYERS + 1))
    assert transfer.STATES.measure([hosts[0], deep], Detectors(1))["lines"] == []
    assert "none of the hosts" in transfer.STATES.render({"lines": [], "notes": []})
    unnamed = replace(hosts[2], outline=replace(hosts[2].outline, features=hosts[2].outline.features - {"renamed"}))
    found = transfer.PROBABILITIES.measure([hosts[0], unnamed], Detectors(1))
    assert {name: {a: set(by) for a, by in square.items()} for name, square in found["squares"].items()} == {
        "log-probabilities": {n: {NAMES[0], NAMES[2]} for n in (NAMES[0], NAMES[2])},
        "log-probabilities, other names": {NAMES[0]: {NAMES[0]}},
    }
    text = transfer.PROBABILITIES.render(found)
    assert f"| trained on | {NAMES[0]} | {NAMES[2]} |" in text and "| others | 0.855 |" in text


# The whole


def test_what_cannot_be_trained_is_left_out_and_said(hosts: list[Hosted], quick: list[FeatureTable]) -> None:
    few = replace(hosts[0], learned=hosts[0].learned.select(np.arange(30)))
    found = volume.VOLUME.measure([few], Detectors(1))
    assert found["notes"] and all("llama-tiny" in note for note in found["notes"])
    text = volume.VOLUME.render(found)
    assert "Not trained: llama-tiny, " in text and "| llama-tiny | 288 | 1/8 | — |" in text


def test_the_command_writes_the_tables(runs: Path, tmp_path: Path, quick: list[FeatureTable]) -> None:
    command = [
        runs,
        "--host",
        NAMES[0],
        "--host",
        NAMES[2],
        "--table",
        "3",
        "--table",
        "12",
        "--seeds",
        1,
        "--out",
        tmp_path,
    ]
    printed = run(*command)
    assert str(tmp_path / "paper.md") in printed and "seed 0" in printed and len(quick) == 6
    written = json.loads((tmp_path / "paper.json").read_text())
    assert list(written["tables"]) == ["3", "12"] and "command" in written["made_by"]
    assert written["tables"]["12"]["detectors"] == 4 and written["tables"]["12"]["seconds"] > 0
    text = (tmp_path / "paper.md").read_text()
    assert text.startswith("**Ours is ") and "## Table 12: by phrasing" in text
    assert f"| {NAMES[2]} | qwen2 |" in text and "4 detectors, " in text
    run(*command, "--name", "again", "--table", "4")
    assert len(quick) == 6 and list(json.loads((tmp_path / "again.json").read_text())["tables"]) == ["3", "4", "12"]


def test_what_is_unknown_is_said_before_anything_is_built(
    runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prepare, "gather", None)
    monkeypatch.setattr(hosts_report, "build_host", None)
    with pytest.raises(InputError, match="Unknown table '2'; expected some of 3, 4"):
        run(runs, "--host", NAMES[0], "--table", "2")
    with pytest.raises(InputError, match="Unknown recipe 'lama-tiny'"):
        run(runs, "--host", NAMES[0], "--host", "lama-tiny")
    with pytest.raises(InputError, match="reticent host train"):
        run(runs, "--host", "demo")
    assert "Invalid value for '--seeds'" in run(runs, "--host", NAMES[0], "--seeds", 0)
    assert "Missing option '--host'" in run(runs)


def test_what_is_missing_is_made_and_what_is_there_is_not(
    runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Path] = []
    (tmp_path / NAMES[0]).symlink_to(runs / NAMES[0])
    (tmp_path / f"{NAMES[0]}-shards").symlink_to(runs / f"{NAMES[0]}-shards")
    monkeypatch.setattr(hosts_report, "build_host", lambda chosen, out, **options: made.append(out))
    monkeypatch.setattr(prepare, "gather", lambda host, out, device, progress: (made.append(out), progress(1, 9)))
    lines: list[str] = []
    prepare.prepare(tmp_path, NAMES[:2], "cpu", lines.append)
    assert made == [tmp_path / NAMES[1], tmp_path / f"{NAMES[1]}-shards"]
    assert lines[-1] == "llama-tiny-d1: 1 of 9 prompts collected"


def test_the_plan_times_and_leaves_nothing_behind(runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    host("llama", tokenizer()).save_pretrained(tmp_path / "here")
    tokenizer().save_pretrained(tmp_path / "here")
    shutil.copy(runs / NAMES[0] / "recipe.json", tmp_path / "here")
    (tmp_path / "here-shards").mkdir()
    (tmp_path / NAMES[0]).symlink_to(runs / NAMES[0])
    (tmp_path / f"{NAMES[0]}-shards").symlink_to(runs / f"{NAMES[0]}-shards")
    before = sorted(tmp_path.rglob("*"))
    monkeypatch.setattr(hosts_report, "plan", lambda left, device: {chosen.name: 3.0 for chosen in left})
    printed = run(
        tmp_path,
        "--host",
        "here",
        "--host",
        NAMES[0],
        "--host",
        "qwen2-tiny",
        "--table",
        "12",
        "--table",
        "4",
        "--plan",
    ).splitlines()
    assert sorted(tmp_path.rglob("*")) == before
    assert printed[0] == "host qwen2-tiny: about 3.0 minutes"
    assert printed[1].startswith("collection of here: about ") and printed[2].startswith(
        "collection of qwen2-tiny: known when"
    )
    assert "for 30 detectors" in printed[3] and printed[4].endswith(
        "about 0.0 minutes for 0 detectors that no table above has"
    )
    assert "and what hosts that are not there" in printed[5] and len(printed) == 6
    assert plan.expected_rows(runs, plan.expected(runs, NAMES[0])) == ROWS
