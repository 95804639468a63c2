"""`reticent bench overhead` on a host that is tiny: what it counts, and that it says what it left out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import tiny_hosts
import torch
from test_base_model import adapted, saved, tiny
from transformers import CompileConfig, LlamaConfig, LlamaForCausalLM
from typer.testing import CliRunner

from reticent_bench.bench_command import app
from reticent_bench.overhead import hosts as overhead_hosts
from reticent_bench.overhead import page as overhead_page
from reticent_bench.overhead import report as overhead_report
from reticent_bench.overhead.capture import capture
from reticent_bench.overhead.hosts import NETWORKS, SHAPES
from reticent_bench.overhead.model import BASED, LOOKED, SORTS
from reticent_detectors.capture import Ring
from reticent_detectors.capture.base_model import BaseReader
from reticent_detectors.detector.defaults import default_config, ensemble_of, named_groups
from reticent_detectors.errors import InputError

CPU = torch.device("cpu")


def test_a_tiny_host_under_each_load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overhead_report, "BATCHES", (2,))
    arguments = ["--part", "hosts", "--shape", "tiny", "--rounds", "2", "--out", str(tmp_path)]
    done = CliRunner().invoke(app, ["overhead", *arguments, "--device", "cpu"], catch_exceptions=False)
    assert done.exit_code == 0
    figures, page = json.loads((tmp_path / "overhead.json").read_text()), (tmp_path / "overhead.md").read_text()
    none, some, every = figures["hosts"]
    assert [row["load"] for row in figures["hosts"]] == list(overhead_report.LOADS)
    assert (none["spans"], none["span tokens"], none["verdict ms, p99"]) == (0, 0, None)
    assert some["spans"] == 4 and 0.03 < some["span tokens"] < 0.08
    assert every["spans"] > 10 * some["spans"] and every["span tokens"] > 0.3
    assert all(0 < row["verdict ms, p50"] <= row["verdict ms, p99"] for row in (some, every))
    assert every["added ms per token"] > none["added ms per token"] and none["host ms per token"] > 0
    assert {row["mode"] for row in figures["hosts"]} == {"eager"}
    assert figures["missing"] == ["tiny, the scoring path in a CUDA graph: needs a GPU"]
    assert "| tiny | eager | 2 | 5 % span tokens |" in page


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # torch's own, while it loads its compiler
@pytest.mark.parametrize("mode", ["compiled", "overlapped"])
def test_a_host_that_generate_compiles(monkeypatch: pytest.MonkeyPatch, mode: str) -> None:
    def traced(device: torch.device) -> CompileConfig:
        config = CompileConfig(backend="eager", mode="default")
        config._compile_all_devices = True
        return config

    monkeypatch.setattr(overhead_hosts, "_compile_config", traced)
    torch._dynamo.utils.counters.clear()
    row = overhead_hosts.Guarded("tiny", CPU).rows("5 % span tokens", 1, 2, 60, mode)[0]
    assert torch._dynamo.utils.counters["stats"]["unique_graphs"] >= 2  # with the guard and without
    assert (row["mode"], row["spans"]) == (mode, 2)
    torch.compiler.reset()


@pytest.mark.gpu
def test_the_scoring_path_of_a_guard_in_a_cuda_graph() -> None:
    row = overhead_hosts.Guarded("tiny", torch.device("cuda")).replayed(3, 4)[0]
    assert row["arrays that differ"] == "none"


def test_the_shapes_are_those_of_the_models() -> None:
    for name, billions in (("llama-3.2-1b", 1.236), ("llama-3-8b", 8.030)):
        made = overhead_hosts.config(SHAPES[name])
        assert isinstance(made, LlamaConfig)
        with torch.device("meta"):
            model = LlamaForCausalLM(made)
        assert sum(p.numel() for p in model.parameters()) / 1e9 == pytest.approx(billions, abs=1e-3)


def test_what_a_tap_costs_is_given_per_token_and_layer(monkeypatch: pytest.MonkeyPatch) -> None:
    row = capture(4, 16, 2, 50, CPU, steps=300)  # more steps than the ring has room for
    assert (row["layers"], row["d"], row["batch"]) == (4, 16, 2)
    hooks, step = row["hooks us"], row["step us, handed over"]
    assert 0 < hooks[1] <= hooks[0] <= hooks[2] and hooks[0] < step[0] < 1000
    monkeypatch.setattr(Ring, "_copy_waiting", lambda ring: ring._waiting.clear())
    with pytest.raises(AssertionError):
        capture(4, 16, 2, 50, CPU, steps=5)


def test_the_own_host_is_a_part(monkeypatch: pytest.MonkeyPatch) -> None:
    class Loaded:
        @staticmethod
        def load(bundle: Path) -> Any:
            return Loaded

        @staticmethod
        def wrap(model: Any, tokenizer: Any) -> str:
            return "guard"

    monkeypatch.setattr(overhead_report, "load_host", lambda folder: ("model", "tokenizer"))
    monkeypatch.setattr(overhead_report, "Guard", Loaded)
    monkeypatch.setattr(overhead_report, "generation", lambda guard, rounds, tokens: {"answers": float(rounds)})
    monkeypatch.setattr(overhead_report, "machine", lambda guard: {"median us": 7.0})
    monkeypatch.setattr(overhead_report, "hostile_prompt", lambda: {"cues, s": 1.0})
    saved: list[dict[str, Any]] = []
    figures = overhead_report.measure(
        ("own",), (), (Path("host"), Path("bundle")), CPU, 3, 8, 1.0, lambda line: None, saved.append
    )
    assert [row["value"] for row in figures["own"]] == [3.0, 7.0, 1.0] and len(saved) == 2
    assert "## Stream machine, no span" in overhead_page.render(figures)


def test_a_checkpoint_under_each_sort_of_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    guard = tiny_hosts.guarded(tmp_path / "bundle", names=3)
    folder = tmp_path / "tiny-model"
    guard.model.save_pretrained(folder)
    guard.tokenizer.save_pretrained(folder)
    guard.close()
    arguments = ["--model", str(folder), "--bundle", str(tmp_path / "bundle"), "--rounds", "3", "--new-tokens", "20"]
    arguments += ["--device", "cpu", "--out", str(tmp_path)]
    done = CliRunner().invoke(app, ["overhead", *arguments], catch_exceptions=False)
    assert done.exit_code == 0
    figures, page = json.loads((tmp_path / "overhead.json").read_text()), (tmp_path / "overhead.md").read_text()
    assert figures["missing"] == [] and set(figures) == {"missing", "device", "model", "made_by"}
    none, value, again = figures["model"]
    assert [row["sort"] for row in figures["model"]] == [sort for sort in SORTS if sort != BASED]
    assert [(row["spans"], row["second looks"]) for row in figures["model"]] == [(0, 0), (1, 0), (1, 1)]
    assert none["tokens"] == 20 and none["verdict steps, p95"] is None
    assert all(0 < row["verdict steps, p50"] <= row["verdict steps, p95"] for row in (value, again))
    assert "| tiny-model | one value, second look |" in page


@pytest.mark.filterwarnings("ignore:.*reticent calibrate:UserWarning")
@pytest.mark.filterwarnings("ignore:`is_gradient_checkpointing` is deprecated:FutureWarning")
def test_a_model_with_a_base_has_a_row_in_which_it_is_asked(tmp_path: Path) -> None:
    model = adapted("lora")
    base = saved(tmp_path / "base", tiny("llama"))
    model.peft_config["default"].base_model_name_or_path = str(base)
    arguments = ["--model", str(saved(tmp_path / "copy", model)), "--rounds", "2", "--new-tokens", "20"]
    arguments += ["--device", "cpu", "--out", str(tmp_path)]
    asked: list[int] = []
    read = BaseReader.log_probabilities

    def counted(reader: BaseReader, wanted: Any) -> Any:
        asked.append(len(wanted))
        return read(reader, wanted)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseReader, "log_probabilities", counted)
        done = CliRunner().invoke(app, ["overhead", *arguments], catch_exceptions=False)
    assert done.exit_code == 0
    rows = json.loads((tmp_path / "overhead.json").read_text())["model"]
    assert [row["sort"] for row in rows] == [
        sort for sort in SORTS if sort != LOOKED
    ]  # the token score takes no second look
    assert asked == [1] * 3, "once in each round of one sort, and to warm up"


def test_without_time_left_every_row_is_named() -> None:
    figures = overhead_report.measure(
        ("hosts", "capture"), ("tiny",), None, CPU, 2, 8, -1.0, lambda line: None, lambda figures: None, (1, 8)
    )
    assert len([line for line in figures["missing"] if line.endswith("no time left")]) == 20
    assert "## Not measured" in overhead_page.render(figures)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--part", "nothing"], "Unknown part 'nothing'"),
        (["--shape", "huge"], "Unknown shape 'huge'"),
        (["--mode", "fast"], "Unknown mode 'fast'"),
        (["--part", "own"], "needs a host and its bundle"),
        (["--part", "model"], "needs the folder of a checkpoint"),
    ],
)
def test_what_does_not_fit_is_named(arguments: list[str], says: str) -> None:
    with pytest.raises(InputError, match=says):
        CliRunner().invoke(app, ["overhead", *arguments], catch_exceptions=False)


def test_it_runs_where_neither_proxy_nor_training_is_installed() -> None:
    code = """
import runpy, sys
absent = ["fastapi", "faker", "typer", "peft", "pyarrow", "matplotlib"]
sys.modules |= dict.fromkeys(absent)  # cannot be imported
sys.argv = ["overhead", "--help"]
runpy.run_module("reticent_bench.overhead", run_name="__main__")
"""
    env = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "--minutes" in done.stdout, done.stderr[-2000:]


def test_the_guard_that_is_measured_has_the_default_detectors_networks() -> None:
    expected = ensemble_of(default_config(named_groups(())["default"]))
    assert list(NETWORKS) == [config.groups for config in expected]
