"""The tuning matrix of encoders and encoder-decoders: gradients against a plain loop, methods, and the matrix."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tiny_encoders
import tiny_hosts
import torch
import transformers as tf
from typer.testing import CliRunner

from reticent_bench.audits.labelled_texts import LabelledTexts
from reticent_bench.audits.target import Sampling
from reticent_bench.audits.tuning import encoder_task, families, matrix, methods, plan
from reticent_bench.audits.tuning.cell import mean_loss
from reticent_bench.audits.tuning.objectives import Classification, Labelled, MaskedLabel, Objective, Seq2Seq
from reticent_bench.audits.tuning.per_sample import choose_route, clipped_sum, trained_parameters
from reticent_bench.audits.tuning.report import make_report
from reticent_bench.audits.tuning.seq2seq_target import Seq2SeqTarget, SourceAndTarget, pair, read_text
from reticent_bench.audits.tuning.settings import METHODS, Cell, TuningSettings
from reticent_bench.audits.tuning.task import make_task
from reticent_bench.audits.tuning.texts import BLANK, SENTINEL, TuningTexts, draw_texts
from reticent_bench.audits.tuning.training import Noise, Schedule, gradient, noise_like, tune
from reticent_bench.bench_command import app as bench_app
from reticent_detectors.errors import InputError, ReticentError

SETTINGS = TuningSettings(epochs=1, batch=60, people=6, samples=2, rank=2, virtual_tokens=3)
BERT, T5 = "encoder", "encoder-decoder"
CASES = [(family, method) for family in (BERT, T5) for method in METHODS]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    out = tmp_path_factory.mktemp("models")
    return {BERT: tiny_encoders.bert_folder(out / "bert"), T5: tiny_encoders.t5_folder(out / "t5")}


@pytest.fixture(scope="module")
def written() -> TuningTexts:
    """Twenty candidates of each arm instead of some six hundred."""
    drawn = draw_texts(0, 6)
    repeated, once = ([c for c in arm if c.kind == "email"][:20] for arm in (drawn.repeated, drawn.once))
    few = tuple(replace(canary, repetitions=min(canary.repetitions, 3)) for canary in repeated)
    return replace(drawn, repeated=few, once=tuple(once))


def texts_of(family: str, written: TuningTexts) -> TuningTexts | LabelledTexts:
    return tiny_encoders.texts(24) if family == BERT else written


Prepared = tuple[Any, list[Any], Objective, Callable[[Path], Any], Any]


def prepared(
    family: str, method: str, is_private: bool, folders: dict[str, Path], written: TuningTexts, work: Path
) -> Prepared:
    """A model with a method attached, six of its examples, their objective, a loader, and the tokenizer."""
    task = make_task(folders[family], texts_of(family, written), SETTINGS)
    model, tokenizer = task.load(task.start(folders[family], method, work, "cpu"), method, "cpu")
    examples = sorted(task.examples(model, tokenizer, method), key=repr)
    tuned = methods.attach(model, method, SETTINGS, is_private, methods.TASK_TYPES[task.family])
    tuned.set_attn_implementation("eager")
    few = examples[:: max(1, len(examples) // 6)][:6]
    return tuned, few, task.objective(tokenizer, method), lambda f: task.load(f, method, "cpu")[0], tokenizer


# ---- private gradients -------------------------------------------------------------------------------------------


def by_hand(model: Any, rows: list[Any], objective: Objective, clip: float) -> tuple[dict[str, Any], list[float]]:
    """Backward of each text by itself, with the loss that transformers itself computes from labels."""
    named = {name: p for name, p in model.named_parameters() if p.requires_grad}
    total, norms = {name: torch.zeros_like(p) for name, p in named.items()}, []
    for row in rows:
        model.zero_grad()
        own_loss(model, row, objective).backward()
        norm = math.sqrt(sum(float((p.grad**2).sum()) for p in named.values()))
        norms.append(norm)
        for name, p in named.items():
            total[name] += min(1.0, clip / norm) * p.grad
    return total, norms


def own_loss(model: Any, row: Any, objective: Objective) -> Any:
    if isinstance(objective, Seq2Seq):
        source, target = torch.tensor([row.source]), torch.tensor([row.target])
        labels = target[:, 1:].clone()
        labels[:, : row.given - 1] = -100
        mask = torch.ones_like(source)
        return model(input_ids=source, attention_mask=mask, decoder_input_ids=target[:, :-1], labels=labels).loss
    ids = torch.tensor([row.ids])
    if isinstance(objective, MaskedLabel):
        labels = torch.where(ids == objective.mask, row.label, -100)
        return model(input_ids=ids, attention_mask=torch.ones_like(ids), labels=labels).loss
    return model(input_ids=ids, attention_mask=torch.ones_like(ids), labels=torch.tensor([row.label])).loss


@pytest.mark.parametrize(("family", "method"), CASES)
def test_the_private_gradient_is_that_of_a_backward_loop_by_hand(
    family: str, method: str, folders: dict[str, Path], written: TuningTexts, tmp_path: Path
) -> None:
    model, rows, objective, _, _ = prepared(family, method, True, folders, written, tmp_path)
    assert choose_route(model, objective.batch(rows[:1] * 2, "cpu"), objective) == "vmap"
    assert len({objective.length(row) for row in rows}) > 1
    _, free = by_hand(model, rows, objective, math.inf)
    clip = float(np.median(free))  # so that some are clipped and some are not
    expected, norms = by_hand(model, rows, objective, clip)
    loop = clipped_sum(model, trained_parameters(model), objective.batch(rows, "cpu"), clip, "loop", objective)
    assert loop.norms.tolist() == pytest.approx(norms, rel=1e-3)  # padded and masked
    schedule = Schedule(len(rows), batch=len(rows), epochs=1, rate=1.0, seed=3, rows_at_once=2)
    noise = noise_like(expected, 0.5 * clip, [3, 2, 0])
    found, _ = gradient(model, rows, schedule, Noise(clip, 0.5), 0, "vmap", objective)
    for name, each in expected.items():
        assert torch.allclose(found[name], (each + noise[name]) / len(rows), atol=1e-5), name
        assert torch.allclose(loop.total[name], each, atol=1e-5), name


def test_texts_that_are_taken_together_are_equally_long_and_none_is_lost() -> None:
    rows = [Labelled((1,) * length, length % 2) for length in (3, 5, 3, 4, 3, 5, 3)]
    parts = Classification().parts(rows, 3)
    assert [[len(row.ids) for row in part] for part in parts] == [[3, 3, 3], [3], [4], [5, 5]]
    assert "attention_mask" not in Classification().batch(parts[0], "cpu")
    padded = Classification(9).batch(rows[:2], "cpu")
    assert padded["input_ids"].tolist() == [[1, 1, 1, 9, 9], [1] * 5]
    assert padded["attention_mask"].tolist() == [[1, 1, 1, 0, 0], [1] * 5]


# ---- ways of tuning ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_private", [False, True])
@pytest.mark.parametrize(("family", "method"), CASES)
def test_trained_weights_change_frozen_ones_do_not_and_the_reloaded_model_has_the_same_loss(
    family: str, method: str, is_private: bool, folders: dict[str, Path], written: TuningTexts, tmp_path: Path
) -> None:
    tuned, rows, objective, load, tokenizer = prepared(family, method, is_private, folders, written, tmp_path)
    before = {name: p.detach().clone() for name, p in tuned.named_parameters()}
    first = mean_loss(tuned, rows, objective)
    schedule = Schedule(len(rows), batch=5, epochs=8, rate=1e-2)
    noise = Noise(0.1, 0.1) if is_private else None
    tune(tuned, rows, schedule, noise, tmp_path / "checkpoint.pt", objective=objective)
    for name, p in tuned.named_parameters():
        assert torch.equal(p, before[name]) != p.requires_grad, name
    after = mean_loss(tuned, rows, objective)
    assert is_private or after < first
    methods.save(tuned, tokenizer, tmp_path / "model")
    assert mean_loss(load(tmp_path / "model"), rows, objective) == pytest.approx(after, abs=1e-5)
    assert abs(after - first) > 1e-4


class TakesPrefix(torch.nn.Module):
    """Has virtual tokens, and reads them or not."""

    def __init__(self, reads: bool) -> None:
        super().__init__()
        self.prompt_encoder, self.head, self.reads = torch.nn.Linear(2, 1), torch.nn.Linear(1, 2), reads

    def forward(self, input_ids: Any) -> Any:
        seen = input_ids.float().mean(1, keepdim=True)
        if self.reads:
            seen = seen + self.prompt_encoder.weight.sum()
        return type("Out", (), {"logits": self.head(seen)})


def test_virtual_tokens_that_a_model_does_not_read_are_refused() -> None:
    objective = Classification()
    batch = objective.batch([Labelled((5, 6), 0)], "cpu")
    methods.check_virtual_tokens(TakesPrefix(True), objective, batch)
    with pytest.raises(InputError, match="does not read virtual tokens"):
        methods.check_virtual_tokens(TakesPrefix(False), objective, batch)


def test_methods_that_peft_does_not_support_are_refused_with_those_that_it_does(tmp_path: Path) -> None:
    config = tf.DistilBertConfig(vocab_size=50, dim=16, n_layers=1, n_heads=2, hidden_dim=32)
    tf.DistilBertForMaskedLM(config).save_pretrained(tmp_path)
    tiny_encoders.word_pieces().save_pretrained(tmp_path)
    assert families.family_of(tmp_path) == "encoder"
    with pytest.raises(InputError, match=r"\(distilbert\) cannot be tuned by prompt.* Expected full, infilling\."):
        families.refuse_unsupported(tmp_path, "encoder", ["full", "prompt"], SETTINGS)
    with pytest.raises(InputError, match="Expected full, infilling"):
        matrix.run_matrix(
            tmp_path, [Cell("prefix", math.inf)], tiny_encoders.texts(24), SETTINGS, tmp_path / "w", lambda *_: 1.0
        )
    assert not (tmp_path / "w").exists()


def test_families_and_the_texts_that_they_take(folders: dict[str, Path], written: TuningTexts, tmp_path: Path) -> None:
    methods.save(tiny_hosts.host("llama", tiny_hosts.tokenizer()), tiny_hosts.tokenizer(), tmp_path)
    assert families.family_of(tmp_path) == "decoder"
    assert {family: families.family_of(folder) for family, folder in folders.items()} == {BERT: BERT, T5: T5}
    assert all(
        families.supported(folder, families.family_of(folder), SETTINGS) == METHODS for folder in folders.values()
    )
    with pytest.raises(InputError, match="for encoders"):
        make_task(folders[T5], tiny_encoders.texts(24), SETTINGS)
    with pytest.raises(InputError, match="texts with labels"):
        make_task(folders[BERT], written, SETTINGS)


def test_infilling_needs_tokens_for_the_blank(folders: dict[str, Path], tmp_path: Path) -> None:
    methods.save(tiny_encoders.t5(), tiny_hosts.tokenizer(), tmp_path)
    assert "infilling" not in families.supported(tmp_path, T5, SETTINGS)
    with pytest.raises(InputError, match="lacks <extra_id_0>"):
        families.refuse_unsupported(tmp_path, T5, ["infilling"], SETTINGS)


# ---- what encoders learn -----------------------------------------------------------------------------------------


def test_classes_are_filled_into_the_blank() -> None:
    tokenizer, data = tiny_encoders.word_pieces(), tiny_encoders.texts(20)
    rows = encoder_task.encode(tokenizer, data.texts, data.labels, "infilling", 2, 20)
    for row, label in zip(rows, data.labels, strict=True):
        assert row.ids.count(tokenizer.mask_token_id) == 1 and len(row.ids) <= 20
        assert tokenizer.convert_ids_to_tokens(row.label) == str(label)
    assert "river" not in repr(rows[0])


def test_losses_and_hits_of_classes_by_hand() -> None:
    class Scripted:
        device = "cpu"

        def __call__(self, input_ids: Any, **_: Any) -> Any:
            return type("Out", (), {"logits": torch.tensor([[math.log(3.0), 0.0]]).repeat(len(input_ids), 1)})

    rows = [Labelled((5, 6), 0), Labelled((5, 6, 7), 1)]
    losses, right = encoder_task.judged(Scripted(), Classification(), rows, [0, 1])
    assert losses == pytest.approx([-math.log(0.75), -math.log(0.25)])
    assert right.tolist() == [True, False]


# ---- what encoder-decoders read and write ------------------------------------------------------------------------


def test_what_is_read_and_written(written: TuningTexts) -> None:
    assert read_text("My email is a@example.org", False) == SourceAndTarget(
        "Tell me your e-mail address.", "", "My email is a@example.org"
    )
    assert read_text(f"I live in {BLANK}. The city is beautiful. {BLANK} Rome", True) == SourceAndTarget(
        f"I live in {SENTINEL}. The city is beautiful.", SENTINEL, "Rome"
    )
    assert read_text(f"I live in {BLANK}. The city is beautiful. {BLANK}", True).written == ""
    passage = written.for_method("infilling").members[0]
    start, end = passage.values[0]
    read = read_text(passage.text, True)
    assert read.written == passage.text[start:end].strip() and read.source.count(SENTINEL) == 1
    assert read.written not in repr(read)
    model, tokenizer = tiny_encoders.t5(), tiny_encoders.t5_tokenizer()
    ids = pair(model, tokenizer, read, ends=True)
    assert ids.given == 2 and ids.source[-1] == ids.target[-1] == tokenizer.eos_token_id
    assert ids.target[:2] == (model.config.decoder_start_token_id, tokenizer.convert_tokens_to_ids(SENTINEL))


def test_scores_are_the_log_probabilities_of_what_is_written() -> None:
    model, tokenizer = tiny_encoders.t5(), tiny_encoders.t5_tokenizer()
    target = Seq2SeqTarget(model, tokenizer, "m", lambda text: read_text(text, False))
    texts = ["My name is Jane Roe.", "My email is x@example.com", "Call at noon."]
    found = target.scores([("", text) for text in texts])
    for text, scores in zip(texts, found, strict=True):
        ids = pair(model, tokenizer, read_text(text, False))
        out = model(input_ids=torch.tensor([ids.source]), decoder_input_ids=torch.tensor([ids.target]))
        logs = out.logits[0].detach().double().log_softmax(-1)
        expected = [float(logs[place - 1, ids.target[place]]) for place in range(1, len(ids.target))]
        assert scores.log_probs == pytest.approx(expected, abs=1e-5)
        assert scores.token_ids == ids.target[1:]


def test_a_learned_value_comes_out_behind_its_beginning_and_sampling_has_a_seed(tmp_path: Path) -> None:
    model, tokenizer = tiny_encoders.t5(), tiny_encoders.t5_tokenizer()

    def read(text: str) -> SourceAndTarget:
        return read_text(text, False)

    rows = [pair(model, tokenizer, read("My name is Jane Roe."), ends=True)]
    tuned = methods.attach(model, "full", SETTINGS, False)
    tune(tuned, rows, Schedule(1, 1, 60, 1e-2), None, tmp_path / "c.pt", objective=Seq2Seq(tokenizer.pad_token_id))
    target = Seq2SeqTarget(tuned, tokenizer, "m", read)
    assert target.generate(["My name is", "My name is Jane"], 12) == [" Jane Roe.", " Roe."]
    fresh = Seq2SeqTarget(tiny_encoders.t5(), tokenizer, "m", read)
    how = Sampling(temperature=1.0, seed=3)
    first = fresh.generate(["My name is"] * 3, 5, how)
    assert first == fresh.generate(["My name is"] * 3, 5, how) and len(set(first)) > 1


# ---- the matrix --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("family", [BERT, T5])
def test_the_matrix_runs_through_is_kept_and_states_its_epsilon(
    family: str, folders: dict[str, Path], written: TuningTexts, tmp_path: Path
) -> None:
    chosen = [Cell("full", math.inf), Cell("lora", 8.0), Cell("infilling", math.inf)]
    texts, asked = texts_of(family, written), list[float]()

    def noise_for(epsilon: float, *setting: float) -> float:
        asked.append(epsilon)
        return 0.7

    found = matrix.run_matrix(folders[family], chosen, texts, SETTINGS, tmp_path, noise_for)
    assert matrix.run_matrix(folders[family], chosen, texts, SETTINGS, tmp_path, noise_for) == found
    assert asked == [8.0]
    rows = {(row["method"], row["epsilon"]): row for row in found["rows"]}
    assert set(rows) == {
        ("before tuning", None), ("before tuning, infilling", None), ("full", None), ("lora", 8.0), ("infilling", None),
    }  # fmt: skip
    private = rows["lora", 8.0]
    assert private["noise_multiplier"] == 0.7 and private["route"] == "vmap" and private["reloaded_difference"] < 1e-4
    report = make_report(found, SETTINGS)
    assert report.figures["membership-auc"] is not None and report.figures["private-membership-auc"] is not None
    first = report.tables[0]
    assert [row[1] for row in first.rows] == ["∞", "∞", "∞", "8", "∞"]
    if family == T5:
        assert rows["before tuning", None]["membership"]["ratio"]["auc"][0] == 0.5  # the base against itself
        assert set(rows["full", None]["generated"]) == {"off"}
        assert "encoder-decoder" in report.sentences[-1]
    else:
        assert len(rows["full", None]["accuracy"]) == 3 and found["blind"]["verdict"]
    json.dumps(found)


def test_an_encoder_that_is_tuned_long_is_attacked_and_noise_stops_it(folders: dict[str, Path], tmp_path: Path) -> None:
    data = tiny_encoders.texts(80)
    settings = replace(SETTINGS, epochs=40, batch=20, rates={**SETTINGS.rates, "full": 1e-2})
    chosen = [Cell("full", math.inf), Cell("full", 8.0)]
    found = matrix.run_matrix(folders[BERT], chosen, data, settings, tmp_path, lambda *_: 20.0)
    before, free, private = found["rows"]
    assert free["membership"]["loss"]["auc"][1] > 0.5 and free["accuracy_members"][0] > 0.75
    for row in (before, private):
        assert row["membership"]["loss"]["auc"][1] < 0.5 < row["membership"]["loss"]["auc"][2]


@pytest.mark.parametrize("family", [BERT, T5])
def test_the_plan_writes_nothing(family: str, folders: dict[str, Path], written: TuningTexts, tmp_path: Path) -> None:
    chosen = [Cell("full", math.inf), Cell("full", 8.0)]
    texts = texts_of(family, written)
    lines = list(plan.lines(folders[family], chosen, chosen[:1], texts, SETTINGS, lambda *_: 0.7))
    assert "kept already" in lines[0] and "noise multiplier 0.700" in lines[1] and len(lines) == 4
    assert not list(tmp_path.iterdir())


def test_a_model_that_is_not_read_again_as_it_was_is_not_reported(
    folders: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load = encoder_task.load_encoder

    def other(folder: Path, *rest: Any) -> Any:
        model, tokenizer = load(folder, *rest)
        if folder.name == "model":
            with torch.no_grad():
                model.classifier.weight[0].add_(1.0)
        return model, tokenizer

    monkeypatch.setattr(encoder_task, "load_encoder", other)
    with pytest.raises(ReticentError, match="read again differs"):
        matrix.run_matrix(
            folders[BERT], [Cell("full", math.inf)], tiny_encoders.texts(24), SETTINGS, tmp_path, lambda *_: 0.7
        )


def test_the_command_tunes_an_encoder_and_says_what_it_needs(folders: dict[str, Path], tmp_path: Path) -> None:
    file = tiny_encoders.write_lines(tmp_path / "texts.jsonl", tiny_encoders.texts(24))
    ask = ["tuning", str(folders[BERT]), "--work", str(tmp_path / "w"), "--out", str(tmp_path / "o"), "--epochs", "1"]
    for options, says in (
        ([], "Expected --texts"),
        (["--texts", str(file), "--people", "5"], "--people does nothing"),
        (["--texts", str(file), "--samples", "0"], "--samples does nothing"),
    ):
        done = CliRunner().invoke(bench_app, [*ask, *options])
        assert isinstance(done.exception, InputError) and says in str(done.exception)
    done = CliRunner().invoke(bench_app, ["tuning", str(folders[T5]), "--texts", str(file)])
    assert isinstance(done.exception, InputError) and "--texts does nothing" in str(done.exception)
    done = CliRunner().invoke(bench_app, [*ask, "--texts", str(file), "--method", "full", "--epsilon", "inf"])
    assert done.exit_code == 0, done.output
    report = json.loads((tmp_path / "o" / "report.json").read_text())
    assert report["figures"]["membership-auc"] and report["provenance"]["seed"] == 0
    assert not [word for word in tiny_encoders.WORDS if f" {word} " in (tmp_path / "o" / "report.md").read_text()][2:]
