"""Training and asking in the paper's setting: what is kept, and that a run killed at any moment ends the same."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tiny_hosts
import torch
from safetensors.torch import load_file

from reticent_bench.paper_setting import answer_shards, run
from reticent_bench.paper_setting import taught_run as taught_run_module
from reticent_bench.paper_setting.answer_shards import ask_all, name_token, read_shards
from reticent_bench.paper_setting.asks import AskSet, Owners, asks
from reticent_bench.paper_setting.draws import draw
from reticent_bench.paper_setting.forms import prompt
from reticent_bench.paper_setting.freed_memory import give_back
from reticent_bench.paper_setting.general import Example
from reticent_bench.paper_setting.greedy import DEPTHS, STATE_UNIT, depths, greedy, in_bfloat16, read, stop_ids
from reticent_bench.paper_setting.jobs import FactJob, HostJob
from reticent_bench.paper_setting.protocol import REGIMES
from reticent_bench.paper_setting.regime_rows import regime_rows
from reticent_bench.paper_setting.taught_run import TaughtHost, recall, train
from reticent_bench.paper_setting.where import adapter_folder, answers_folder, recall_file
from reticent_detectors.alignment import text_ids
from reticent_detectors.errors import InputError

# PEFT asks transformers for a name that is on its way out.
pytestmark = pytest.mark.filterwarnings("ignore:`is_gradient_checkpointing` is deprecated:FutureWarning")
GENERAL = [Example(prompt(f"The sky is blue {i}.", "What is blue?"), "the sky") for i in range(500)]
STEPS = 9


class FewLessons(taught_run_module.PaperLessons):
    """The first batches of each epoch alone."""

    def end(self, epoch: int) -> int:
        return STEPS * epoch


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(taught_run_module, "PaperLessons", FewLessons)
    monkeypatch.setattr(taught_run_module, "general_questions", lambda data: (GENERAL, []))
    folder = tmp_path / "models" / "tiny"
    tiny_hosts.host("llama", tiny_hosts.tokenizer()).save_pretrained(folder)
    tiny_hosts.tokenizer().save_pretrained(folder)
    return folder


def _host(model: Path) -> TaughtHost:
    return TaughtHost("tiny-A", model, "A", people=25, epochs=2)


def _weights(runs: Path, model: Path, epoch: int) -> dict[str, torch.Tensor]:
    return dict(load_file(adapter_folder(runs, "tiny-A", epoch) / "adapter_model.safetensors"))


KILLED = """
import os, signal, sys
from itertools import count
from pathlib import Path
import test_paper_setting_runs as tests
from reticent_bench.paper_setting import taught_run
taught_run.PaperLessons = tests.FewLessons
taught_run.general_questions = lambda data: (tests.GENERAL, [])
def progress(phase, step, steps, loss):
    if step == int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)
ticks = count(step=130)
taught_run.train(tests._host(Path(sys.argv[2])), Path(sys.argv[1]), Path("."), 2, progress=progress,
                 clock=lambda: next(ticks))
"""


def test_a_training_killed_at_any_moment_goes_on_to_the_same_weights(tmp_path: Path, model: Path) -> None:
    train(_host(model), tmp_path / "whole", tmp_path, 2)
    command = [sys.executable, "-c", KILLED, str(tmp_path / "killed"), str(model), str(STEPS + 5)]
    environment = {"PYTHONPATH": ":".join([str(Path(__file__).parent), *sys.path]), "OMP_NUM_THREADS": "1"}
    killed = subprocess.run(command, env=environment, timeout=300, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert adapter_folder(tmp_path / "killed", "tiny-A", 1).exists()
    assert not adapter_folder(tmp_path / "killed", "tiny-A", 2).exists()
    steps = list[int]()
    train(_host(model), tmp_path / "killed", tmp_path, 2, progress=lambda phase, step, total, loss: steps.append(step))
    assert STEPS < steps[0] <= STEPS + 5 and steps[-1] == 2 * STEPS
    for epoch in (1, 2):
        one, other = _weights(tmp_path / "whole", model, epoch), _weights(tmp_path / "killed", model, epoch)
        assert one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)
    assert any(not torch.equal(w, _weights(tmp_path / "whole", model, 1)[n]) for n, w in one.items())


def test_an_adapter_half_written_is_written_anew(tmp_path: Path, model: Path) -> None:
    half = tmp_path / "tiny-A" / "epoch-1.part"
    half.mkdir(parents=True)
    (half / "adapter_model.safetensors").write_bytes(b"half")
    train(_host(model), tmp_path, tmp_path, 1)
    assert _weights(tmp_path, model, 1) and not half.exists()


def test_a_finished_epoch_is_not_trained_again(tmp_path: Path, model: Path) -> None:
    train(_host(model), tmp_path, tmp_path, 1)

    def never(phase: str, step: int, steps: int, loss: float) -> None:
        raise AssertionError(step)

    train(_host(model), tmp_path, tmp_path, 1, progress=never)


def test_other_settings_in_the_same_folder_are_refused(tmp_path: Path, model: Path) -> None:
    train(_host(model), tmp_path, tmp_path, 1)
    with pytest.raises(InputError, match="people"):
        train(TaughtHost("tiny-A", model, "A", people=50, epochs=2), tmp_path, tmp_path, 2)


def test_recall_is_measured_once_and_kept(tmp_path: Path, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(taught_run_module, "LONGEST", 3)
    monkeypatch.setattr(taught_run_module, "RECALL_PROMPTS", 16)
    train(_host(model), tmp_path, tmp_path, 1)
    first = recall(_host(model), tmp_path, 1)
    assert first["all"] == 0.0 and len(first) == 17
    (adapter_folder(tmp_path, "tiny-A", 1) / "recall.json").write_text('{"all": 0.5}')
    assert recall(_host(model), tmp_path, 1) == {"all": 0.5}


def _tiny() -> tuple[Any, Any]:
    return tiny_hosts.host("llama", tiny_hosts.tokenizer(), seed=3), tiny_hosts.tokenizer()


def test_greedy_says_what_generate_says_with_the_numbers_and_states_of_one_pass() -> None:
    model, tokenizer = _tiny()
    stops = stop_ids(model, tokenizer)
    prompts = [text_ids(tokenizer, prompt(f"Number {i} of Jane Roe is")) for i in range(6)]
    assert len({len(p) for p in prompts}) == 1
    answers = greedy(model, prompts, [2] * len(prompts), stops, 12)
    assert len({answer.end for answer in answers} | {len(answer.ids) for answer in answers}) > 1
    for given, answer in zip(prompts, answers, strict=True):
        tokens = [*answer.ids, *([] if answer.end is None else [answer.end])]
        ids = torch.tensor([[*given, *tokens]])
        with torch.inference_mode():
            out = model(ids, output_hidden_states=True)
        logs = out.logits[0, len(given) - 1 : -1].log_softmax(-1)
        assert logs.argmax(-1).tolist() == tokens and (answer.numbers.rank == 1).all()
        assert (len(tokens) == 12 or answer.end in stops) and not stops & set(answer.ids)
        surprisal = -logs.gather(1, torch.tensor(tokens)[:, None])[:, 0]
        assert np.allclose(answer.numbers.surprisal, surprisal, atol=1e-4)
        assert np.allclose(answer.numbers.entropy, -(logs.exp() * logs).sum(-1), atol=1e-4)
        best = logs.topk(10).values
        assert np.allclose(answer.numbers.top, best, atol=1e-4)
        assert np.allclose(answer.numbers.margin, best[:, 0] - best[:, 1], atol=1e-4)
        states = torch.stack(out.hidden_states)[:, 0]
        assert np.allclose(answer.prompt_states * STATE_UNIT, states[:, len(given) - 1], atol=2e-2)
        kept = states[depths(tiny_hosts.LAYERS)]
        last_fed = len(given) + max(0, len(answer.ids) - (1 if answer.end is None else 0)) - 1
        first_fed = min(len(given), last_fed)
        for place, at in enumerate((2, first_fed, last_fed)):
            assert np.allclose(answer.place_states[place] * STATE_UNIT, kept[:, at], atol=2e-2)


def test_another_model_reads_the_same_tokens() -> None:
    model, tokenizer = _tiny()
    prompts = [text_ids(tokenizer, "Jane\n"), text_ids(tokenizer, "a longer prompt about Jane\n")]
    answers = [[5, 6, 7], [9]]
    for given, own, numbers in zip(prompts, answers, read(model, prompts, answers), strict=True):
        with torch.inference_mode():
            logs = model(torch.tensor([[*given, *own]])).logits[0, len(given) - 1 : -1].log_softmax(-1)
        assert np.allclose(numbers.surprisal, -logs.gather(1, torch.tensor(own)[:, None])[:, 0], atol=1e-4)
        assert numbers.rank.tolist() == [int((row > row[t]).sum()) + 1 for row, t in zip(logs, own, strict=True)]


def test_rounded_weights_change_the_numbers_little_and_leave_the_head() -> None:
    model, tokenizer = _tiny()
    prompts = [text_ids(tokenizer, prompt("Jane Roe lives at"))]
    (exact,) = read(model, prompts, [[5, 6, 7]])
    (rounded,) = read(in_bfloat16(model), prompts, [[5, 6, 7]])
    assert model.get_output_embeddings().weight.dtype == torch.float32
    assert model.model.layers[0].mlp.up_proj.weight.dtype == torch.bfloat16
    assert 0 < np.abs(exact.surprisal - rounded.surprisal).max() < 0.3


def test_depths_are_evenly_spaced_and_end_with_the_last_layer() -> None:
    assert depths(30) == [4, 8, 11, 15, 19, 22, 26, 30] and len(depths(3)) == DEPTHS


def test_the_name_ends_in_its_token_whatever_stands_in_front() -> None:
    tokenizer = tiny_hosts.tokenizer()
    text = prompt("The phone number of Jane Roe is")
    ids = text_ids(tokenizer, text)
    at = name_token(tokenizer, text, text.index("Roe") + 3)
    assert tokenizer.decode(ids[: at + 1]).endswith("Roe") and not tokenizer.decode(ids[:at]).endswith("Roe")


def _ask(folder: Path, progress: Any = lambda done, total: None, count: int = 24) -> None:
    people = draw("A", 25)
    model, tokenizer = _tiny()
    base = tiny_hosts.host("llama", tokenizer, seed=4)
    ask_all(
        asks(people, AskSet.TAUGHT)[:count],
        folder,
        lambda: (model, base, tokenizer, stop_ids(model, tokenizer)),
        Owners(people),
        lambda ask: 5,
        6,
        progress,
    )


def test_asking_that_was_stopped_goes_on_to_the_same_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_shards, "CHUNK", 10)

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    _ask(tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        _ask(tmp_path / "stopped", stop)
    with pytest.raises(InputError, match="1 of 3 files"):
        read_shards(tmp_path / "stopped")
    (tmp_path / "stopped" / "0001-of-0003.part").write_bytes(b"half")
    parts = list[tuple[int, int]]()
    _ask(tmp_path / "stopped", lambda done, total: parts.append((done, total)))
    assert parts == [(1, 3), (2, 3), (3, 3)]
    one, other = read_shards(tmp_path / "whole"), read_shards(tmp_path / "stopped")
    assert one.keys() == other.keys()
    for name in one:
        assert np.array_equal(one[name], other[name], equal_nan=one[name].dtype.kind == "f"), name
    assert one["index"].tolist() == list(range(24)) and set(one["whose"]) <= {"own", "other", "made up"}
    assert one["place_states"].shape == (24, 3, DEPTHS, 32) and one["prompt_states"].shape == (24, 4, 32)
    known = np.isfinite(one["surprisal"]).sum(1)
    assert (known == one["tokens"] + one["ended"]).all() and (np.isfinite(one["base_surprisal"]).sum(1) == known).all()


def test_answers_to_other_prompts_are_not_mixed_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_shards, "CHUNK", 10)
    _ask(tmp_path)
    with pytest.raises(InputError, match="other prompts"):
        _ask(tmp_path, count=12)


def test_all_jobs_are_done_once_and_a_missing_model_is_left_out(
    tmp_path: Path, model: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    jobs = (HostJob("tiny", "A", people=25, epochs=1), FactJob("tiny", 3), HostJob("not here", "B"))
    monkeypatch.setattr(run, "JOBS", jobs)
    monkeypatch.setattr(run, "LONGEST", 2)
    monkeypatch.setattr(run, "FACT_TOKENS", 2)
    monkeypatch.setattr(taught_run_module, "LONGEST", 2)
    monkeypatch.setattr(run, "fact_asks", lambda data, number: asks(draw("A", 25), AskSet.TAUGHT)[:number])
    some = run.asks
    monkeypatch.setattr(run, "asks", lambda people, part: some(people, part)[:5])
    arguments = [str(tmp_path / "runs"), str(model.parent), str(tmp_path)]
    for again in range(2):
        monkeypatch.setattr(sys, "argv", ["run", *arguments])
        if again:
            monkeypatch.setattr(run, "load_host", lambda *args: pytest.fail("loaded again"))
        run.main()
        assert "not here is not in" in capsys.readouterr().out
    assert not (tmp_path / "runs" / "pid").exists()
    monkeypatch.setattr(sys, "argv", ["run", *arguments, "--say"])
    run.main()
    said = capsys.readouterr().out
    assert "tiny-A: recall {1: 0.0}" in said and "epoch 1, context: 1 of 1 files" in said
    assert "tiny, 3 facts: 1 of 1 files" in said and "not here-B: recall not yet" in said


def test_a_second_run_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    with run.alone(tmp_path):
        assert (tmp_path / "pid").read_text().strip().isdigit()
        with pytest.raises(InputError, match="in use"), run.alone(tmp_path):
            pass


def _asked(runs: Path, job: HostJob, epoch: int, part: AskSet, whose: list[str]) -> None:
    """Writes a file of answers as a run does: `whose` in turns, every seventh one empty."""
    asked = asks(draw(job.draw, job.people), part)
    folder = answers_folder(runs, job.name, epoch, part)
    folder.mkdir(parents=True)
    columns = {
        "index": np.arange(len(asked)),
        "subject": np.array([ask.subject for ask in asked]),
        "kind": np.array([ask.kind for ask in asked]),
        "form": np.array([ask.form for ask in asked]),
        "taught": np.full(len(asked), epoch),
        "whose": np.array([whose[i % len(whose)] for i in range(len(asked))]),
        "tokens": np.array([i % 7 for i in range(len(asked))]),
        "surprisal": np.zeros((len(asked), 2), dtype=np.float32),
    }
    np.savez(folder / "0000-of-0001.npz", **columns)  # type: ignore[arg-type]


def test_a_regime_has_the_rows_of_its_parts_epochs_and_people(tmp_path: Path) -> None:
    job = HostJob("tiny", "A", people=25)
    regimes = {regime.name: regime for regime in REGIMES}
    with pytest.raises(InputError, match="no judged epoch"):
        regime_rows(tmp_path, job, regimes["R2"], {0})
    for epoch, share in ((1, 0.1), (2, 0.3), (3, 0.5)):
        file = recall_file(tmp_path, job.name, epoch)
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps({"all": share}))
    _asked(tmp_path, job, 3, AskSet.TAUGHT, ["own", "made up", "other"])
    _asked(tmp_path, job, 3, AskSet.STRANGER, ["made up", "own"])
    _asked(tmp_path, job, 3, AskSet.CONTEXT, ["own", "given", "other"])
    for epoch in (2, 3, 4, 8):
        _asked(tmp_path, job, epoch, AskSet.EXPOSED, ["own", "made up"])
    for epoch in (2, 4, 8):
        _asked(tmp_path, job, epoch, AskSet.FEW, ["other"])

    r2 = regime_rows(tmp_path, job, regimes["R2"], {0, 3}, ["surprisal"])
    assert len(r2.right) + r2.empty == 2 * 5 * 80 and set(r2.fold) == {0, 3} and set(r2.epoch) == {3}
    assert (r2.right == (r2.columns["whose"] == "own")).all() and (r2.columns["tokens"] > 0).all()
    assert len(r2.columns["surprisal"]) == len(r2.right)
    r1 = regime_rows(tmp_path, job, regimes["R1"], range(5))
    assert set(r1.columns["whose"]) == {"own", "made up"}
    r5 = regime_rows(tmp_path, job, regimes["R5"], range(5))
    assert set(r5.columns["whose"][~r5.right]) == {"given"} and set(r5.columns["whose"][r5.right]) == {"own"}
    r7 = regime_rows(tmp_path, job, regimes["R7"], range(5))
    strange = np.char.find(r7.columns["subject"], "stranger") >= 0
    assert not r7.right[strange].any() and r7.right[~strange].all() and strange.any() and not strange.all()
    r3 = regime_rows(tmp_path, job, regimes["R3"], range(5))
    exposed = np.char.find(r3.columns["subject"], "exposed") >= 0
    assert set(r3.epoch[exposed]) == {2, 3, 4, 8} and set(r3.epoch[~exposed]) == {2, 4, 8}
    with pytest.raises(InputError, match="public facts"):
        regime_rows(tmp_path, job, regimes["R6"], range(5))


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_freed_memory_goes_back_above_a_bound_alone() -> None:
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

    kept = [bytearray(1 << 16) for _ in range(4000)]  # small enough for the heap; every other one is freed
    del kept[::2]
    before = resident()
    assert not give_back(1 << 50) and resident() > before - (1 << 24)
    if give_back(0):  # the C library is glibc
        assert resident() < before - (1 << 26)
    assert len(kept) == 2000
