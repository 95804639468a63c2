"""Baselines on a collection: which rows fit and choose them, and how the report shows them beside our detector."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny_hosts import LAYERS, RANKS, bundle, host, tokenizer
from typer.testing import CliRunner

from reticent.demo import assets
from reticent_bench.detector.baseline_scores import Scored, choose, score_baselines
from reticent_bench.detector.parts import score_rows
from reticent_bench.detector.report import headline, measure, render
from reticent_bench.evaluate_command import app as evaluate
from reticent_bench.report.metrics import balanced_accuracy, paired_bootstrap, weighted_auroc
from reticent_bench.report.resumed_parts import Parts
from reticent_bench.report.row_parts import asked, best_threshold
from reticent_detectors.baselines.rows import Rows
from reticent_detectors.baselines.table import BASELINES, Baseline
from reticent_detectors.collection.shards import RowLabels, ShardReader, ShardWriter, keyed_hash
from reticent_detectors.detector.splits import split_rows
from reticent_detectors.detector.training_config import TrainingConfig

ROWS, T, SAMPLES = 900, 6, 3


@pytest.fixture(scope="module")
def shards(tmp_path_factory: Any) -> Path:
    """A collection in which remembered values are likelier under the host, and their states differ in one layer."""
    rng = np.random.default_rng(0)
    right = rng.random(ROWS) < 0.5
    labels = []
    for i in range(ROWS):
        test = i % 2
        phrasing = int(rng.integers(0, 8 if test else 6))
        labels.append(
            RowLabels(
                entity="PHONE_NUMBER",
                label="memorized" if right[i] else "hallucinated",
                person_split="test" if test else "train",
                phrasing_split="taught" if phrasing < 4 else "detector" if phrasing < 6 else "test",
                phrasing_id=f"phone-{phrasing}",
                person_key=keyed_hash(bytes(16), f"{test} {rng.integers(0, 60)}"),
                value_key=keyed_hash(bytes(16), str(i)),
                form="form" if i % 20 == 0 else "question",
                first_prob=0.5,
                tokens=int(rng.integers(1, 9)),
            )
        )
    count = np.array([min(row.tokens, T) for row in labels])
    there = np.arange(T) < count[:, None]
    logprob = np.where(there, -rng.gamma(1.0, np.where(right, 0.4, 1.2)[:, None], (ROWS, T)), 0.0)
    state = rng.normal(size=(ROWS, 4, 5)) * there[:, :4, None]
    state[:, :, 0] += np.where(right, 1.0, 0.0)[:, None] * there[:, :4]
    drawn = rng.random(ROWS) < 0.4
    shape = {"topk_prob": (LAYERS, RANKS), "inter": (LAYERS - 1, RANKS, RANKS), "intra": (LAYERS, RANKS - 1)}
    features = {name: rng.uniform(0, 1, (ROWS, *size)) for name, size in shape.items()}
    features |= {
        "token_prob": np.exp(np.stack([logprob.min(1), logprob.max(1), logprob.sum(1) / count], 1)),
        "pooled": rng.normal(size=(ROWS, LAYERS, 4, 3)),
        "baseline_logprob": logprob,
        "baseline_mean": -np.ones((ROWS, T)),
        "baseline_deviation": np.ones((ROWS, T)),
        "baseline_relevance": there * rng.uniform(0.1, 1, (ROWS, T)),
        "baseline_zlib": rng.integers(15, 40, (ROWS, 1)),
        "baseline_rank": rng.integers(0, 9, (ROWS, LAYERS)),
        "baseline_activation": rng.normal(size=(ROWS, LAYERS, 8)),
        "baseline_state_1": rng.normal(size=(ROWS, 4, 5)),
        "baseline_state_2": state,
        "baseline_drawn": drawn[:, None],
        "baseline_gradient": np.where(drawn, np.where(right, 1.0, 2.0) + rng.random(ROWS), 0)[:, None] * [1, 1, 0],
        "baseline_agreement": np.where(drawn & right, 0.9, 0.1)[:, None] * np.ones(SAMPLES),
        "baseline_token_sar": rng.random((ROWS, SAMPLES + 1)),
        "baseline_similarity": np.tile(np.eye(SAMPLES + 1), (ROWS, 1, 1)),
    }
    folder = tmp_path_factory.mktemp("collection") / "shards"
    with ShardWriter(folder, {"host": "tiny"}, rows_per_part=300) as writer:
        for first in range(0, ROWS, 150):
            block = slice(first, first + 150)
            writer.append({n: a[block] for n, a in features.items()}, labels[block], cursor=first)
    return folder


@pytest.fixture(scope="module")
def scored(shards: Path) -> dict[str, Scored]:
    return score_baselines(ShardReader(shards))


def test_what_was_fitted_before_an_interruption_is_not_fitted_again(
    shards: Path, scored: dict[str, Scored], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []

    def report(line: str) -> None:
        done.append(line)
        if len(done) == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        score_baselines(ShardReader(shards), report, Parts(tmp_path, "stamp"))
    kept = {path.name for path in tmp_path.rglob("*.json")}
    fitted: list[str] = []
    monkeypatch.setattr(
        "reticent_bench.detector.baseline_scores.choose",
        lambda baseline, rows, chosen_on: fitted.append(baseline.name) or choose(baseline, rows, chosen_on),
    )
    again = score_baselines(ShardReader(shards), parts=Parts(tmp_path, "stamp"))
    assert 0 < len(kept) <= 5 and len(fitted) == len(scored) - len(kept)
    for name, wanted in scored.items():
        assert np.array_equal(again[name].scores, wanted.scores, equal_nan=True)
        assert (again[name].threshold, again[name].setting) == (wanted.threshold, wanted.setting)


def test_every_baseline_is_there_but_the_one_without_a_control(scored: dict[str, Scored]) -> None:
    assert list(scored) == [b.name for b in BASELINES if b.name != "reference model"]
    assert scored["SAPLMA"].setting == "layer 3" and scored["linear probe, span-max"].setting.startswith("layer 3")
    assert scored["SelfCheckGPT-lite"].validation_auroc == 1.0


def test_the_dear_ones_have_scores_where_rows_were_drawn_and_nowhere_else(
    shards: Path, scored: dict[str, Scored]
) -> None:
    drawn = ShardReader(shards).load(["baseline_drawn"]).features["baseline_drawn"][:, 0] > 0
    for baseline in BASELINES:
        if baseline.name in scored:
            finite = np.isfinite(scored[baseline.name].scores)
            assert (finite == drawn).all() if baseline.dear else finite.all()


def test_a_setting_is_chosen_on_validation_rows_alone(shards: Path) -> None:
    table = ShardReader(shards).load()
    split = split_rows(table.labels, TrainingConfig())
    right = table.labels["label"] == "memorized"
    chosen_on = asked(table)
    chosen_on[np.setdiff1d(np.arange(ROWS), split.validation)] = False
    assert 0 < chosen_on.sum() < len(split.validation) + 1 and set(table.labels["person_split"][chosen_on]) == {"train"}
    # One setting knows the answer everywhere but on the validation rows, the other one there alone.
    elsewhere, there = np.where(chosen_on, ~right, right) * 1.0, np.where(chosen_on, right, ~right) * 1.0
    made = Baseline("made", (), lambda rows: iter([("elsewhere", elsewhere), ("there", there)]))
    rows = Rows(
        lambda name: table.features[name], frozenset(), table.labels, right, split.train, np.ones(1, np.float32)
    )
    assert choose(made, rows, chosen_on).setting == "there"


def test_the_trained_ones_see_no_test_and_no_validation_row(shards: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[np.ndarray[Any, Any]] = []
    only = Baseline("spy", (), lambda rows: iter([(str(seen.append(rows.train)), np.zeros(ROWS))]), trained=True)
    monkeypatch.setattr("reticent_bench.detector.baseline_scores.BASELINES", (only,))
    score_baselines(ShardReader(shards))
    labels = ShardReader(shards).load().labels
    split = split_rows(labels, TrainingConfig())
    assert seen[0].tolist() == split.train.tolist() and set(labels["person_split"][seen[0]]) == {"train"}


def test_the_threshold_is_the_best_there_is() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        scores, positive = rng.integers(0, 8, 40) / 7, rng.random(40) < 0.4
        scores = scores + positive * 0.3
        got = balanced_accuracy(scores >= best_threshold(scores, positive), positive)
        tries = [balanced_accuracy(scores >= t, positive) for t in np.unique(scores)]
        assert got == pytest.approx(max(tries))


def test_rows_that_count_twice_are_rows_that_are_there_twice() -> None:
    rng = np.random.default_rng(0)
    scores, positive, weight = rng.integers(0, 9, 50) / 9, rng.random(50) < 0.5, rng.integers(0, 4, 50)
    again = np.repeat(np.arange(50), weight)
    pairs = [(a > b) + 0.5 * (a == b) for a in scores[again][positive[again]] for b in scores[again][~positive[again]]]
    assert weighted_auroc(scores, positive)(weight) == pytest.approx(np.mean(pairs))
    assert paired_bootstrap(scores, -scores, positive, np.arange(50).astype(str)).value != 0


def test_the_report_has_the_baselines_as_rows(shards: Path, scored: dict[str, Scored], tmp_path: Path) -> None:
    table = ShardReader(shards).load()
    ours = bundle(tmp_path / "bundle", host("llama", tokenizer()))
    figures = measure(score_rows(table, {"ours": ours}, scored))
    easy, drawn = figures["parts"]["taught phrasings"], figures["parts"]["drawn rows, all phrasings"]
    assert set(drawn) - set(easy) == {"gradient norm", "SelfCheckGPT-lite", "SAR-lite, samples"}
    assert drawn["SelfCheckGPT-lite"]["auroc"] == 1.0 and easy["SAPLMA"]["auroc"] > 0.6
    rows = {row["positives"] + row["negatives"] for row in drawn.values()}
    assert len(rows) == 1  # the same rows for all scores of a part
    assert "recall, frozen threshold" in easy["Min-K%"] and "calibration error" not in easy["Min-K%"]
    # A detector without training loses to all that know something, and the first line says so.
    assert "SAPLMA on taught phrasings (-" in headline(figures)
    text = render(figures)
    assert "| SAPLMA |" in text and "Baselines' settings" in text and "layer 3" in text
    without = measure(score_rows(table, {"ours": ours}))
    assert "drawn rows, all phrasings" not in without["parts"] and "Baselines" not in render(without)


def test_the_command_writes_tables_and_a_page(shards: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.setattr("reticent_bench.detector.baseline_scores.score_baselines", lambda reader, progress, parts: {})
    monkeypatch.setattr("reticent_detectors.synth.cast.cast", lambda recipe: None)  # only the other parts ask people
    monkeypatch.setattr("reticent_bench.detector.page.page", lambda figures, curves: str(sorted(curves["layers"])))
    ours = bundle(tmp_path / "bundle", host("llama", tokenizer()))
    command = [assets() / "host", ours, "--shards", shards, "--part", "detector", "--out", tmp_path, "--name", "t"]
    assert CliRunner().invoke(evaluate, [str(part) for part in command]).exit_code == 0
    figures = json.loads((tmp_path / "t-detector.json").read_text())
    assert set(figures["page"]["roc"]) == set(figures["comparisons"]) and "made_by" in figures
    assert (tmp_path / "t-detector.md").read_text().startswith("**Our detector does NOT")
    assert (tmp_path / "t-detector.html").read_text() == str(sorted(figures["page"]["layers"]))


def test_nothing_was_gathered(shards: Path, tmp_path: Path) -> None:
    reader = ShardReader(shards)
    table = reader.load()
    with ShardWriter(tmp_path / "plain", {}) as writer:
        row = replace(RowLabels("", "public", "train", "taught", "", "", "", "question", 0.5), tokens=1)
        writer.append({name: array[:1] for name, array in table.features.items()}, [row], cursor=1)
    assert score_baselines(ShardReader(tmp_path / "plain")) == {}
