"""LiRA on classifiers from end to end: scripted shadows with known truth, tiny encoders, and the command."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tiny_encoders
from numpy.typing import NDArray
from typer.testing import CliRunner

from reticent_bench.audits.labelled_texts import complementary_halves, read_labelled
from reticent_bench.audits.membership.lira import lira
from reticent_bench.audits.resumable_attempts import Outcome
from reticent_bench.audits.shadows import figures
from reticent_bench.audits.shadows import run as run_module
from reticent_bench.audits.shadows.audit import CONTROL, LIRA_LOGIT, LIRA_MIRRORED, LOSS, ShadowResult, audit
from reticent_bench.audits.shadows.figures import each_auc, lira_scores, measure_targets, shuffled
from reticent_bench.audits.shadows.settings import ShadowSettings
from reticent_bench.audits.shadows.tiny_encoder import train_word_pieces
from reticent_bench.audits.shadows.train import ShadowTrainer
from reticent_bench.bench_command import app as bench_app
from reticent_bench.report.metrics import auroc
from reticent_detectors.errors import InputError

TINY = ShadowSettings(
    shadows=12, batch=2, rate=5e-3, width=32, layers=1, vocabulary=500, longest=32, rounds=100, null_rounds=100
)
Flags = NDArray[np.bool_]


def scripted(gap: float, seed: int = 0) -> Any:
    """Shadows whose log-odds are Gaussian around each record's hardness, and higher by `gap` for members."""
    rng = np.random.default_rng(seed)
    hardness: dict[int, Any] = {}

    def train(number: int, member: Flags) -> Outcome:
        hard = hardness.setdefault(0, 2 * rng.normal(size=len(member)))
        odds = hard + gap * member + rng.normal(size=len(member))
        return {
            "confidences": (1 / (1 + np.exp(-odds))).tolist(),
            "right": (odds > 0).tolist(),
            "noise_multiplier": None,
        }

    return train


def at_once(key: str, ask: Any) -> Outcome:
    outcome: Outcome = ask()
    return outcome


def attacked(result: ShadowResult) -> dict[str, Any]:
    return {row.attack: row for row in result.attacks}


# ---- halves ------------------------------------------------------------------------------------------------------


def test_halves_are_equal_complementary_and_random() -> None:
    halves = complementary_halves(100, 16, 0)
    assert (halves.sum(axis=1) == 50).all() and (halves.sum(axis=0) == 8).all()
    assert (halves[0::2] == ~halves[1::2]).all()
    overlaps = [int((halves[0] & halves[place]).sum()) for place in range(2, 16, 2)]
    assert len(set(overlaps)) > 2 and min(overlaps) > 15 and max(overlaps) < 35
    assert (complementary_halves(100, 16, 0) == halves).all()
    assert (complementary_halves(100, 16, 1) != halves).any()
    with pytest.raises(InputError, match="even"):
        complementary_halves(99, 16, 0)


def test_a_target_and_its_twin_are_left_out_of_its_shadows() -> None:
    rng = np.random.default_rng(0)
    halves = complementary_halves(20, 6, 0)
    confidences = rng.random(halves.shape)
    found = lira_scores(confidences, halves, "logit")
    rest = [0, 1, 4, 5]
    for target in (2, 3):
        assert found[target] == pytest.approx(lira(confidences[rest], halves[rest], confidences[target]))
    changed = confidences.copy()
    changed[3] = rng.random(20)
    assert (lira_scores(changed, halves, "logit")[2] == found[2]).all()
    assert (lira_scores(changed, halves, "logit")[0] != found[0]).all()
    with pytest.raises(InputError, match="pairs"):
        lira_scores(confidences[[0, 2, 4, 1]], halves[[0, 2, 4, 1]], "logit")


# ---- known truth of scripted shadows -----------------------------------------------------------------------------


def test_gaussian_shadows_one_sigma_apart_come_near_0_760_and_others_to_a_half() -> None:
    data = tiny_encoders.texts(1000)
    settings = replace(TINY, shadows=32)
    found = attacked(audit(data, settings, at_once, scripted(1.0)))
    # Phi(1 / sqrt 2), less what 15 shadows on each side leave unknown of each record's mean.
    assert found[LIRA_LOGIT].auc.value == pytest.approx(0.76, abs=0.03)
    assert found[LOSS].auc.value < found[LIRA_LOGIT].auc.value - 0.05  # hardness hides it from the loss
    assert found[LIRA_MIRRORED].auc.low > 0.6
    for row in (found[CONTROL], attacked(audit(data, settings, at_once, scripted(0.0)))[LIRA_LOGIT]):
        assert row.auc.low < 0.5 < row.auc.high and row.auc.value == pytest.approx(0.5, abs=0.02)
        assert row.normalised_auc <= row.null.high + 0.01


def test_the_attack_on_shadows_that_learned_nothing_has_no_bias() -> None:
    """With as many shadows that saw a record as others, LiRA is at a half on average, also with few of them."""
    data = tiny_encoders.texts(200)
    halves = complementary_halves(len(data), 6, 0)
    areas = []
    for seed in range(60):
        train = scripted(0.0, seed)
        confidences = np.array([train(number, half)["confidences"] for number, half in enumerate(halves)])
        areas.append(each_auc(lira_scores(confidences, halves, "logit"), halves).mean())
    assert abs(np.mean(areas) - 0.5) < 3 * np.std(areas) / math.sqrt(len(areas))
    assert abs(np.mean(areas) - 0.5) < 0.005


def test_figures_are_means_over_targets_and_rates_need_enough_non_members() -> None:
    halves = complementary_halves(200, 4, 0)
    scores = np.random.default_rng(1).normal(size=halves.shape) + halves
    found = measure_targets("a", "b", scores, halves, rounds=50, null_rounds=200)
    expected = [auroc(row, member) for row, member in zip(scores, halves, strict=True)]
    assert found.auc.value == pytest.approx(np.mean(expected)) and found.auc.low < found.auc.value < found.auc.high
    assert each_auc(scores, halves) == pytest.approx(expected)
    assert found.tpr_at_1_percent is not None and found.tpr_at_01_percent is None
    assert 0.5 < found.null.mean < found.null.high < 0.55
    few = complementary_halves(100, 4, 0)
    assert measure_targets("a", "b", scores[:, :100], few, rounds=2, null_rounds=2).tpr_at_1_percent is None
    flat = measure_targets("a", "b", np.zeros(halves.shape), halves, rounds=2, null_rounds=2)
    assert flat.auc.value == 0.5 and flat.tpr_at_1_percent is not None and flat.tpr_at_1_percent.value == 0.0


def test_the_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    # Scores one sigma apart: 0.7602. Records and targets are drawn anew each time.
    rng, inside = np.random.default_rng(2), 0
    for seed in range(40):
        halves = complementary_halves(100, 8, seed)
        auc = measure_targets("a", "b", rng.normal(size=halves.shape) + halves, halves, rounds=100, null_rounds=1).auc
        inside += auc.low < 0.7602 < auc.high
    assert inside >= 35


def test_few_pairs_widen_an_interval_by_students_t() -> None:
    # Of two pairs: t of one degree of freedom, 12.706, over 1.960, times sqrt(2).
    assert figures._wider(2) == pytest.approx(12.706 / 1.960 * math.sqrt(2), rel=1e-3)
    assert figures._wider(64) == pytest.approx(1.0, abs=0.03)


def test_members_shuffled_are_the_same_halves_at_other_places() -> None:
    halves = complementary_halves(100, 6, 0)
    mixed = shuffled(halves, 0)
    assert (mixed.sum(axis=1) == 50).all() and (mixed[0::2] == ~mixed[1::2]).all()
    assert 0.3 < (mixed == halves).mean() < 0.7


# ---- tiny encoders -----------------------------------------------------------------------------------------------


def trained(epochs: int, folder: Path, **settings: Any) -> ShadowResult:
    data = tiny_encoders.own_words(60)
    asked = replace(TINY, epochs=epochs, **settings)
    trainer = ShadowTrainer(data, asked, None, "cpu", lambda *_: 20.0)
    return audit(data, asked, at_once, lambda number, half: trainer.train(number, half, folder / f"{number}.pt"))


def test_untrained_encoders_give_a_half_and_overfitted_ones_more_and_more(tmp_path: Path) -> None:
    results = [trained(epochs, tmp_path) for epochs in (0, 1, 3, 10)]
    found = [attacked(result) for result in results]
    for name in (LIRA_LOGIT, LIRA_MIRRORED, LOSS):
        areas = [each[name].auc.value for each in found]
        assert found[0][name].auc.low <= 0.5 <= found[0][name].auc.high
        assert areas[1] < areas[2] < areas[3]
        assert found[3][name].auc.low > 0.55 and areas[3] > 0.65
    control = found[3][CONTROL].auc
    assert control.low < 0.5 < control.high
    assert results[3].accuracy_members.value > 0.8 and results[3].accuracy.value < 0.65  # the labels are random
    assert found[3][LIRA_LOGIT].tpr_at_1_percent is None
    assert results[0].blind.verdict != "biased"


def test_differential_privacy_takes_the_attack_away(tmp_path: Path) -> None:
    row = attacked(trained(10, tmp_path, epsilon=8.0, batch=25))[LIRA_LOGIT]
    assert row.auc.low < 0.5 < row.auc.high


def test_a_shadow_is_the_same_each_time_and_others_differ(tmp_path: Path) -> None:
    data = tiny_encoders.texts(24)
    trainer = ShadowTrainer(data, replace(TINY, epochs=1), None, "cpu", lambda *_: 1.0)
    half = complementary_halves(24, 12, 0)[0]
    first = trainer.train(0, half, tmp_path / "c.pt")
    assert trainer.train(0, half, tmp_path / "c.pt") == first
    assert trainer.train(1, half, tmp_path / "c.pt")["confidences"] != first["confidences"]
    assert trainer.train(0, ~half, tmp_path / "c.pt")["confidences"] != first["confidences"]
    assert not list(tmp_path.iterdir())


def test_the_same_texts_give_the_same_tokens_and_rare_words_are_spelled() -> None:
    texts = [*tiny_encoders.texts(40).texts, "A zebra, 1,204 times"]
    first, again = (train_word_pieces(texts, 60, 32) for _ in range(2))
    assert first.get_vocab() == again.get_vocab() and len(first) <= 60
    tokens = first.convert_ids_to_tokens(first("Garden 17 zebra")["input_ids"])
    assert tokens[:4] == ["[CLS]", "garden", "1", "7"] and tokens[-1] == "[SEP]"
    assert "[UNK]" not in first.convert_ids_to_tokens(train_word_pieces(texts, 200, 32)("zebras")["input_ids"])
    pair = first("garden", "river [MASK]")["input_ids"]
    assert pair.count(first.sep_token_id) == 2 and first.mask_token_id in pair


# ---- texts -------------------------------------------------------------------------------------------------------


def test_repeated_texts_are_left_out_and_bad_lines_are_refused_without_showing_them(tmp_path: Path) -> None:
    file = tiny_encoders.write_lines(tmp_path / "a.jsonl", tiny_encoders.texts(24))
    lines = file.read_text().splitlines()
    file.write_text("\n".join([*lines, lines[0], json.dumps({"text": "one more", "label": "good", "id": 3})]) + "\n")
    data = read_labelled(file)
    assert (len(data), data.repeated, data.classes) == (24, 1, ("bad", "good"))
    assert len(read_labelled(file, most=21)) == 20
    assert read_labelled(file, seed=1).texts != data.texts
    for bad in (
        '{"text": "secret"}',
        '{"text": 1, "label": 0}',
        '{"text": "secret", "label": 1.5}',
        "secret",
        '{"text": " ", "label": 1}',
    ):
        file.write_text("\n".join([*lines, bad]))
        with pytest.raises(InputError, match="line 25") as raised:
            read_labelled(file)
        assert "secret" not in str(raised.value)
    file.write_text("\n".join(lines[:10]))
    with pytest.raises(InputError, match="at least 20"):
        read_labelled(file)
    with pytest.raises(InputError, match="two classes"):
        file.write_text("".join(json.dumps({"text": f"t {n}", "label": 1}) + "\n" for n in range(20)))
        read_labelled(file)


def test_texts_without_a_word_in_common_end_before_anything_is_trained() -> None:
    words = tiny_encoders.own_words(24)
    data = replace(words, texts=tuple(text.removeprefix("the ") for text in words.texts))

    def never(number: int, half: Flags) -> Outcome:
        raise AssertionError

    with pytest.raises(InputError, match="share words"):
        audit(data, TINY, at_once, never)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"shadows": 7}, "even"),
        ({"shadows": 4}, "even number of 6"),
        ({"method": "prefix"}, "method"),
        ({"epsilon": 8.0, "epochs": 0}, "at least one epoch"),
        ({"epochs": -1}, "epochs"),
        ({"width": 20}, "width"),
    ],
)
def test_settings_that_are_refused(change: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        replace(TINY, **change)


# ---- the command -------------------------------------------------------------------------------------------------


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    return tiny_encoders.write_lines(tmp_path / "texts.jsonl", tiny_encoders.texts(24))


def command(texts: Path, out: Path, *options: str) -> Any:
    small = ["--shadows", "6", "--epochs", "1", "--width", "16", "--layers", "1", "--vocabulary", "120"]
    return CliRunner().invoke(bench_app, ["lira", str(texts), *small, "--out", str(out), *options])


def test_the_command_is_resumed_shadow_by_shadow_and_writes_no_text(
    texts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = command(texts, tmp_path / "whole", "--table", str(tmp_path / "tables" / "t"))
    assert whole.exit_code == 0, whole.output
    train, done = ShadowTrainer.train, list[int]()

    def stops(self: ShadowTrainer, number: int, *rest: Any, **options: Any) -> Outcome:
        if len(done) == 4:
            raise KeyboardInterrupt
        done.append(number)
        return train(self, number, *rest, **options)

    monkeypatch.setattr(ShadowTrainer, "train", stops)
    command(texts, tmp_path / "parted")
    assert done == [0, 1, 2, 3]
    done.clear()
    assert command(texts, tmp_path / "parted").exit_code == 0 and done == [4, 5]
    done.clear()
    assert command(texts, tmp_path / "parted").exit_code == 0 and done == []
    reports = [json.loads((tmp_path / name / "report.json").read_text()) for name in ("whole", "parted")]
    assert reports[0] | {"provenance": {}} == reports[1] | {"provenance": {}}
    assert set(reports[0]["figures"]) == {"auc-lira", "auc-lira-mirrored", "auc-loss"}
    assert (tmp_path / "tables" / "t.md").read_text() == (tmp_path / "whole" / "report.md").read_text()
    assert "Made by" in (tmp_path / "tables" / "t.md").read_text() and (tmp_path / "tables" / "t.json").is_file()
    for file in ("attempts.jsonl", "report.md", "report.json", "report.html", "junit.xml"):
        kept = (tmp_path / "whole" / file).read_text()
        assert not [text for text in tiny_encoders.texts(24).texts if text in kept]
    assert not list((tmp_path / "whole").glob("*.pt"))
    other = command(texts, tmp_path / "parted", "--seed", "1")
    assert isinstance(other.exception, InputError) and "other settings" in str(other.exception)


def test_a_spent_budget_is_incomplete_and_a_larger_one_continues(texts: Path, tmp_path: Path) -> None:
    out, table = tmp_path / "o", tmp_path / "t"
    done = command(texts, out, "--max-tokens", "1000", "--table", str(table))
    assert done.exit_code == 3 and "raise --max-tokens" in done.output
    assert not json.loads((out / "report.json").read_text())["complete"] and not (tmp_path / "t.md").exists()
    kept = len((out / "attempts.jsonl").read_text().splitlines())
    assert 2 <= kept < 7
    assert command(texts, out, "--max-tokens", "1000000").exit_code == 0
    assert command(texts, out, "--fail-above", "auc-lira=0.01").exit_code == 1
    with pytest.raises(InputError, match="no figure"):
        raise command(texts, out, "--fail-above", "auc=1").exception


def test_the_plan_writes_nothing_and_options_that_do_nothing_are_refused(texts: Path, tmp_path: Path) -> None:
    done = command(texts, tmp_path / "o", "--plan")
    assert done.exit_code == 0 and "6 shadows of 12 texts each" in done.output and not (tmp_path / "o").exists()
    for options, says in ((["--delta", "1e-6"], "without --epsilon"), (["--model", "x"], "does nothing with --model")):
        done = command(texts, tmp_path / "o", *options)
        assert isinstance(done.exception, InputError) and says in str(done.exception)


def test_shadows_begin_with_a_checkpoint_and_an_adapter_is_enough(
    texts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tiny_encoders.bert_folder(tmp_path / "bert")
    ask = ["lira", str(texts), "--shadows", "6", "--epochs", "1", "--model", str(folder), "--out", str(tmp_path / "o")]
    monkeypatch.setattr(run_module, "noise_multiplier", lambda *_: 1.5)
    done = CliRunner().invoke(bench_app, [*ask, "--method", "lora", "--epsilon", "8"])
    assert done.exit_code == 0, done.output
    report = (tmp_path / "o" / "report.md").read_text()
    assert "epsilon 8, delta 1e-05, clip 0.1, noise multiplier 1.500" in report and "| model | bert |" in report
    tiny_encoders.t5_folder(tmp_path / "t5")
    done = CliRunner().invoke(bench_app, [*ask[:-3], str(tmp_path / "t5"), "--out", str(tmp_path / "p")])
    assert isinstance(done.exception, InputError) and "expected an encoder" in str(done.exception)
