"""The tuning matrix: private gradients against a plain loop, Poisson sampling, adapters, the whole on a tiny host."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tiny_hosts
import torch
from scipy.stats import binomtest, kstest

from reticent.cli import main
from reticent_bench.audits import report_files as files_module
from reticent_bench.audits.local_target import LocalTarget
from reticent_bench.audits.tuning import cell as cells_module
from reticent_bench.audits.tuning import matrix, methods, per_sample, plan, training
from reticent_bench.audits.tuning import texts as texts_module
from reticent_bench.audits.tuning.cell import mean_loss
from reticent_bench.audits.tuning.decoder_task import encode
from reticent_bench.audits.tuning.objectives import CAUSAL
from reticent_bench.audits.tuning.per_sample import choose_route, clipped_sum, trained_parameters
from reticent_bench.audits.tuning.report import make_report
from reticent_bench.audits.tuning.settings import METHODS, Cell, TuningSettings, cells
from reticent_bench.audits.tuning.texts import BLANK, TuningTexts, draw_texts, infilled, infilled_canary
from reticent_bench.audits.tuning.training import Noise, Schedule, noise_like, sampled, tune
from reticent_detectors.errors import InputError, ReticentError
from reticent_detectors.long_runs.save_timer import SaveTimer

SETTINGS = TuningSettings(epochs=1, batch=60, people=6, samples=2, rank=2, virtual_tokens=3)
ROWS = [
    "My name is Jane Roe.",
    "The letters are a b c d e f. My password.",
    "Call at noon.",
    "My email is x@example.com",
]


def model_of(method: str, is_private: bool = True, family: str = "llama") -> Any:
    tuned = methods.attach(tiny_hosts.host(family, tiny_hosts.tokenizer()), method, SETTINGS, is_private)
    tuned.set_attn_implementation("eager")
    return tuned


def examples() -> list[list[int]]:
    return encode(tiny_hosts.tokenizer(), ROWS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("host")
    methods.save(tiny_hosts.host("llama", tiny_hosts.tokenizer()), tiny_hosts.tokenizer(), out)
    return out


@pytest.fixture(scope="module")
def texts() -> TuningTexts:
    """Twenty candidates of each arm instead of some six hundred."""
    drawn = draw_texts(0, 6)
    repeated, once = ([c for c in arm if c.kind == "email"][:20] for arm in (drawn.repeated, drawn.once))
    few = tuple(replace(canary, repetitions=min(canary.repetitions, 3)) for canary in repeated)
    return replace(drawn, repeated=few, once=tuple(once))


# ---- private gradients -------------------------------------------------------------------------------------------


def by_hand(model: Any, rows: list[list[int]], clip: float) -> tuple[dict[str, torch.Tensor], list[float]]:
    """Backward of each text without padding, clipped and summed: what both routes have to give."""
    named = {name: p for name, p in model.named_parameters() if p.requires_grad}
    total, norms = {name: torch.zeros_like(p) for name, p in named.items()}, []
    for row in rows:
        model.zero_grad()
        ids = torch.tensor([row])
        logits = model(input_ids=ids).logits[0, -len(row) :]
        torch.nn.functional.cross_entropy(logits[:-1], ids[0, 1:]).backward()
        norm = math.sqrt(sum(float((p.grad**2).sum()) for p in named.values()))
        norms.append(norm)
        for name, p in named.items():
            total[name] += min(1.0, clip / norm) * p.grad
    return total, norms


@pytest.mark.parametrize("route", ["vmap", "loop"])
@pytest.mark.parametrize("method", ["full", "lora", "prompt", "prefix"])
def test_the_clipped_sum_is_that_of_a_backward_loop_by_hand(method: str, route: per_sample.Route) -> None:
    model, rows = model_of(method), examples()
    _, free = by_hand(model, rows, math.inf)
    clip = float(np.median(free))  # so that some are clipped and some are not
    expected, norms = by_hand(model, rows, clip)
    found = clipped_sum(model, trained_parameters(model), CAUSAL.batch(rows, "cpu"), clip, route)
    assert found.norms.tolist() == pytest.approx(norms, rel=1e-4)
    assert any(norm > clip for norm in norms) and any(norm < clip for norm in norms)
    for name, each in expected.items():
        assert torch.allclose(found.total[name], each, atol=1e-5), name


def test_the_sum_of_texts_is_no_longer_than_their_number_times_the_clip() -> None:
    model = model_of("lora")
    found = clipped_sum(model, trained_parameters(model), CAUSAL.batch(examples(), "cpu"), 1e-3, "vmap")
    length = math.sqrt(sum(float((each**2).sum()) for each in found.total.values()))
    assert 0 < length <= len(ROWS) * 1e-3 * (1 + 1e-5)


def test_a_model_that_cannot_be_vectorised_is_taken_text_by_text(monkeypatch: pytest.MonkeyPatch) -> None:
    model, batch = model_of("prompt"), CAUSAL.batch(examples()[:2], "cpu")
    assert choose_route(model, batch) == "vmap"

    def refuses(*arguments: Any, **options: Any) -> Callable[..., Any]:
        raise RuntimeError("data-dependent control flow")

    monkeypatch.setattr(per_sample, "vmap", refuses)
    assert choose_route(model, batch) == "loop"


def test_tied_embeddings_are_frozen_under_privacy_alone() -> None:
    tied = tiny_hosts.host("gpt2", tiny_hosts.tokenizer())
    assert methods.is_tied(tied)
    private = methods.attach(tied, "full", SETTINGS, is_private=True)
    assert not private.get_input_embeddings().weight.requires_grad
    assert private.transformer.h[0].mlp.c_fc.weight.requires_grad
    assert methods.attach(tied, "full", SETTINGS, is_private=False).get_input_embeddings().weight.requires_grad


# ---- sampling, noise, steps --------------------------------------------------------------------------------------


def test_each_text_is_sampled_with_the_stated_rate_and_by_itself() -> None:
    schedule = Schedule(texts=500, batch=50, epochs=100, rate=1.0)
    drawn = [sampled(schedule, step) for step in range(400)]
    sizes = [len(each) for each in drawn]
    assert len(set(sizes)) > 10  # no fixed batch, as shuffling has
    assert binomtest(sum(sizes), 500 * 400, 0.1).pvalue > 0.01
    assert np.var(sizes) == pytest.approx(500 * 0.1 * 0.9, rel=0.25)
    counts = Counter(int(place) for each in drawn for place in each)
    assert kstest([counts[place] for place in range(500)], "binom", (400, 0.1)).statistic < 0.1
    assert sampled(schedule, 7).tolist() == drawn[7].tolist()
    assert sampled(replace(schedule, seed=1), 7).tolist() != drawn[7].tolist()


@pytest.mark.parametrize(
    ("texts", "batch", "rate", "steps"), [(1000, 100, 0.1, 50), (1000, 300, 0.3, 17), (8, 99, 1.0, 5)]
)
def test_so_many_steps_that_each_text_is_expected_once_an_epoch(
    texts: int, batch: int, rate: float, steps: int
) -> None:
    schedule = Schedule(texts, batch, epochs=5, rate=1.0)
    assert (schedule.sample_rate, schedule.steps) == (rate, steps)


def test_noise_is_gaussian_with_the_stated_deviation_and_other_at_each_step() -> None:
    like = {"a": torch.zeros(100, 100), "b": torch.zeros(50)}
    noise = noise_like(like, 0.07, [0, 2, 5])
    assert kstest(noise["a"].flatten().numpy() / 0.07, "norm").pvalue > 0.001
    assert noise["b"].std() == pytest.approx(0.07, rel=0.4)
    assert torch.equal(noise["a"], noise_like(like, 0.07, [0, 2, 5])["a"])
    assert not torch.equal(noise["a"], noise_like(like, 0.07, [0, 2, 6])["a"])


def test_the_gradient_of_a_step_is_clipped_sum_plus_noise_over_the_expected_batch() -> None:
    model, rows = model_of("lora"), examples()
    schedule = Schedule(len(rows), batch=len(rows), epochs=1, rate=1.0, seed=3, rows_at_once=3)
    expected, _ = by_hand(model, rows, 0.1)
    noise = noise_like(expected, 0.5 * 0.1, [3, 2, 0])
    found, _ = training.gradient(model, rows, schedule, Noise(0.1, 0.5), 0, "vmap")
    for name, each in expected.items():
        assert torch.allclose(found[name], (each + noise[name]) / len(rows), atol=1e-5)


def test_without_privacy_the_gradient_is_the_mean_of_single_ones() -> None:
    model, rows = model_of("full", is_private=False), examples()
    schedule = Schedule(len(rows), batch=len(rows), epochs=1, rate=1.0, rows_at_once=3)
    expected, _ = by_hand(model, rows, math.inf)
    found, _ = training.gradient(model, rows, schedule, None, 0, "loop")
    for name, each in expected.items():
        assert torch.allclose(found[name], each / len(rows), atol=1e-5)


# ---- ways of tuning ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_private", [False, True])
@pytest.mark.parametrize("method", METHODS)
def test_trained_weights_change_frozen_ones_do_not_and_the_reloaded_model_has_the_same_loss(
    method: str, is_private: bool, folder: Path, tmp_path: Path
) -> None:
    base, tokenizer = methods.load(folder, "cpu")
    tuned, rows = methods.attach(base, method, SETTINGS, is_private), examples()
    tuned.set_attn_implementation("eager")
    before = {name: p.detach().clone() for name, p in tuned.named_parameters()}
    first = mean_loss(tuned, rows)
    schedule = Schedule(len(rows), batch=3, epochs=4, rate=1e-2)
    tune(tuned, rows, schedule, Noise(0.1, 0.1) if is_private else None, tmp_path / "checkpoint.pt")
    for name, p in tuned.named_parameters():
        assert torch.equal(p, before[name]) != p.requires_grad, name
    assert is_private or mean_loss(tuned, rows) < first
    methods.save(tuned, tokenizer, tmp_path / "model")
    again, _ = methods.load(tmp_path / "model", "cpu")
    assert mean_loss(again, rows) == pytest.approx(mean_loss(tuned, rows), abs=1e-5)
    assert abs(mean_loss(again, rows) - first) > 1e-3


@pytest.mark.parametrize("is_private", [False, True])
def test_an_interrupted_tuning_ends_with_the_same_weights(is_private: bool, tmp_path: Path) -> None:
    noise, schedule = Noise(0.1, 0.5) if is_private else None, Schedule(len(ROWS), batch=2, epochs=3, rate=1e-2)
    whole, parted = model_of("lora", is_private), model_of("lora", is_private)
    tune(whole, examples(), schedule, noise, tmp_path / "whole.pt")

    def stops(step: int, steps: int, loss: float) -> None:
        if step == 4:
            raise KeyboardInterrupt

    ticks = iter(range(0, 100_000, 1000))
    always = SaveTimer(lambda: next(ticks))
    with pytest.raises(KeyboardInterrupt):
        tune(parted, examples(), schedule, noise, tmp_path / "parted.pt", progress=stops, timer=always)
    parted, seen = model_of("lora", is_private), []
    tune(parted, examples(), schedule, noise, tmp_path / "parted.pt", progress=lambda step, *_: seen.append(step))
    assert seen == [4, 5, 6]
    for one, other in zip(whole.parameters(), parted.parameters(), strict=True):
        assert torch.equal(one, other)


def test_virtual_tokens_are_left_out_of_scores() -> None:
    model, tokenizer = model_of("prompt"), tiny_hosts.tokenizer()
    (scores,) = LocalTarget(methods.SoftPrompt(model), tokenizer, "m").scores([("", ROWS[0])])
    ids = [tokenizer.bos_token_id, *tokenizer(ROWS[0], add_special_tokens=False)["input_ids"]]
    logits = model(input_ids=torch.tensor([ids])).logits[0, SETTINGS.virtual_tokens :]
    expected = logits.double().log_softmax(-1)[:-1].gather(1, torch.tensor(ids[1:])[:, None])[:, 0]
    assert scores.log_probs == pytest.approx(expected.detach().numpy(), abs=1e-6)


# ---- texts and settings ------------------------------------------------------------------------------------------


def test_the_arms_share_no_value_and_each_is_in_the_training_texts_as_often_as_it_says() -> None:
    drawn = draw_texts(2, 6)
    assert not {(c.kind, c.value) for c in drawn.repeated} & {(c.kind, c.value) for c in drawn.once}
    assert {c.repetitions for c in drawn.once} == {0, 1}
    counts = Counter(drawn.training(0))
    assert all(counts[c.text] == c.repetitions for c in (*drawn.repeated, *drawn.once))
    assert all(counts[passage.text] == 1 for passage in drawn.members)
    assert not any(counts[passage.text] for passage in drawn.others)
    assert len({passage.person for passage in (*drawn.members, *drawn.others)}) == 12
    assert drawn.members[0].text not in repr(drawn)


def test_infilling_moves_the_value_to_the_end_and_leaves_a_blank() -> None:
    passage = draw_texts(2, 6).members[0]
    (start, end), value = passage.values[0], passage.text[slice(*passage.values[0])]
    moved = infilled(passage)
    assert moved.text[slice(*moved.values[0])] == value
    assert moved.text.startswith(passage.text[:start] + BLANK + passage.text[end:].rstrip())
    assert moved.text.endswith(f"{BLANK} {value}")
    canary = next(c for c in draw_texts(2, 6).repeated if c.kind == "city")
    assert infilled_canary(canary).text == f"I live in {BLANK}. The city is beautiful. {BLANK} {canary.value}"


def test_cells_are_all_pairs_and_nonsense_is_refused() -> None:
    assert [each.name for each in cells(["full", "lora"], [8.0, math.inf])] == [
        "full-inf",
        "full-8",
        "lora-inf",
        "lora-8",
    ]
    for chosen, epsilons in (
        (["fll"], [8.0]),
        (["full"], [0.0]),
        (["full"], [math.nan]),
        ([], [8.0]),
        (["full"], [8.0, 8.0]),
    ):
        with pytest.raises(InputError, match="Expected"):
            cells(chosen, epsilons)
    with pytest.raises(InputError, match="clip"):
        TuningSettings(clip=0.0)
    with pytest.raises(InputError, match="batch"):
        TuningSettings(batch=0)


# ---- the matrix --------------------------------------------------------------------------------------------------


def test_the_matrix_runs_through_is_resumed_and_is_the_same(folder: Path, texts: TuningTexts, tmp_path: Path) -> None:
    names = [
        ("full", math.inf),
        ("full", 8.0),
        ("lora", 8.0),
        ("prompt", math.inf),
        ("prefix", 8.0),
        ("infilling", 8.0),
    ]
    chosen = [Cell(*each) for each in names]
    asked: list[float] = []

    def noise_for(epsilon: float, *setting: float) -> float:
        asked.append(epsilon)
        if len(asked) == 3:
            raise KeyboardInterrupt
        return 0.7

    with pytest.raises(KeyboardInterrupt):
        matrix.run_matrix(folder, chosen, texts, SETTINGS, tmp_path, noise_for)
    kept = matrix.kept_folder(folder, texts, SETTINGS, tmp_path, True)
    done = matrix.finished(kept, chosen)
    assert [each.name for each in done] == ["full-inf", "full-8", "lora-8", "prompt-inf"]
    found = matrix.run_matrix(folder, chosen, texts, SETTINGS, tmp_path, noise_for)
    assert asked == [8.0] * 5  # the interrupted cell is asked for again, finished ones are not
    again = matrix.run_matrix(folder, chosen, texts, SETTINGS, tmp_path, noise_for)
    assert again == found
    redone = cells_module.run_cell(chosen[1], folder, texts, SETTINGS, tmp_path / "again", lambda *_: 0.7)
    assert json.loads(json.dumps(redone)) == next(
        r for r in found["rows"] if (r["method"], r["epsilon"]) == ("full", 8.0)
    )

    before = found["rows"][0]
    assert before["membership"]["ratio"]["auc"][0] == 0.5  # the base against itself
    assert len(found["rows"]) == 2 + len(chosen)
    generated = {(r["method"], r["epsilon"]): set(r["generated"]) for r in found["rows"]}
    assert generated["full", None] == {"off", "guard", "guard-index"}
    assert generated["full", 8.0] == generated["lora", 8.0] == generated["prompt", None] == {"off"}

    report = make_report(found, SETTINGS)
    assert [plot.title.split(":")[0] for plot in report.plots] == ["Generation", "Likelihood"]
    assert [each.name for each in report.plots[1].series] == list(METHODS)
    assert report.plots[1].series[0].x == (0.0, 0.125)
    assert set(report.figures) >= {"extraction-rate", "private-extraction-rate", "membership-auc"}


def test_other_settings_texts_or_models_are_kept_apart(folder: Path, texts: TuningTexts, tmp_path: Path) -> None:
    places = {
        matrix.kept_folder(folder, texts, settings, tmp_path, guard)
        for settings in (SETTINGS, replace(SETTINGS, clip=1.0), replace(SETTINGS, seed=1))
        for guard in (False, True)
    }
    assert len(places) == 6
    assert matrix.kept_folder(folder, texts, replace(SETTINGS, rows_at_once=1), tmp_path, True) in places


def test_a_model_that_is_not_read_again_as_it_was_is_not_reported(
    folder: Path, texts: TuningTexts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load, loaded = methods.load, []

    def other(place: Path, device: str) -> Any:
        model, tokenizer = load(place, device)
        loaded.append(place)
        if len(loaded) == 2:
            with torch.no_grad():
                model.lm_head.weight.mul_(1.01)
        return model, tokenizer

    monkeypatch.setattr(methods, "load", other)
    with pytest.raises(ReticentError, match="read again differs"):
        cells_module.run_cell(Cell("full", math.inf), folder, texts, SETTINGS, tmp_path, lambda *_: 0.7)


def test_the_plan_names_every_cell_and_writes_nothing(folder: Path, texts: TuningTexts, tmp_path: Path) -> None:
    chosen = cells(["full", "prompt"], [math.inf, 8.0])
    lines = list(plan.lines(folder, chosen, chosen[:1], texts, SETTINGS, lambda *_: 0.7))
    assert len(lines) == len(chosen) + 2
    assert "kept already" in lines[0] and "no noise" in lines[0]
    assert "noise multiplier 0.700" in lines[1]
    assert not list(tmp_path.iterdir())


CLI = ["--method", "lora", "--epsilon", "inf", "--people", "6", "--samples", "0", "--epochs", "3", "--batch", "60"]


def bench(*arguments: str) -> int:
    """The exit code of `reticent bench tuning`."""
    try:
        return main(["bench", "tuning", *arguments])
    except SystemExit as ended:
        return int(ended.code or 0)


class Killed(BaseException):
    """Stands for a signal that no code can catch."""


def dies_writing(path: Path, text: str, **_: Any) -> None:
    with path.open("w") as file:
        file.write(text[: len(text) // 2])
    raise Killed


def dies_tuning(*given: Any, **options: Any) -> Any:
    """Stops after the second step, the first of which is saved."""

    def stops(step: int, steps: int, loss: float) -> None:
        if step == 2:
            raise Killed

    ticks = iter(range(0, 100_000, 1000))
    return tune(*given, **{**options, "progress": stops, "timer": SaveTimer(lambda: next(ticks))})


def dies_reporting(out: Path, *_: Any) -> None:
    out.mkdir()
    dies_writing(out / "report.json", "{}")


KILLS = (
    (Path, "write_text", dies_writing),  # with the figures of the model before tuning
    (cells_module, "tune", dies_tuning),
    (Path, "write_text", dies_writing),  # with those of the cell
    (files_module, "write_report", dies_reporting),
)


def test_a_matrix_that_was_killed_in_many_places_gives_the_same_report(
    folder: Path, texts: TuningTexts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(texts_module, "draw_texts", lambda *_: texts)
    asks = [
        [str(folder), *CLI, "--no-guard", "--work", str(tmp_path / f"{name}-work"), "--out", str(tmp_path / name)]
        for name in ("whole", "parted")
    ]
    assert bench(*asks[0]) == 0
    for kill in KILLS:
        with monkeypatch.context() as patch, pytest.raises(Killed):
            patch.setattr(*kill)
            bench(*asks[1])
    assert list((tmp_path / "parted-work").glob("*/lora-inf.json"))
    assert bench(*asks[1]) == 0
    for name in ("report.json", "report.md", "report.html", "junit.xml"):
        one, other = (
            re.sub(r"\d{4}-\d\d-\d\d", "", (tmp_path / out / name).read_text()) for out in ("whole", "parted")
        )
        assert one == other, name


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--rate", "lora=0.1", "--method", "full"], "lora is not tuned"),
        (["--rate", "lora=fast"], "METHOD=RATE"),
        (["--clip", "1", "--epsilon", "inf"], "--clip does nothing without a finite --epsilon"),
        (["--delta", "1e-6", "--epsilon", "inf"], "--delta does nothing without a finite --epsilon"),
        (["--clip", "0"], "a clip above 0"),
        (["--delta", "1"], "a delta between 0 and 1"),
        (["--method", "prefx"], "Expected methods of full, lora, prompt, prefix, infilling"),
        (["--epsilon", "0"], "Expected epsilons above 0"),
        (["--epsilon", "8", "--epsilon", "8"], "each once"),
        (["--work", "file/work", *CLI], "cannot be written"),
        (["--out", "file/out", *CLI], "cannot be written"),
    ],
)
def test_bad_input_exits_two_says_what_to_do_and_leaves_the_model_alone(
    options: list[str],
    says: str,
    tmp_path: Path,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    before = {file: file.read_bytes() for file in folder.iterdir()}
    assert bench(str(folder), *options) == 2
    assert says in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert {file: file.read_bytes() for file in folder.iterdir()} == before


@pytest.mark.parametrize("model", ["nowhere", "."])
def test_a_folder_without_a_model_is_refused(
    model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert bench(model) == 2
    assert "is no checkpoint: expected a folder with config.json" in capsys.readouterr().err
