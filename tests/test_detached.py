"""A taught copy's adapter without its model: what is written, and what it is put back on."""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import tiny_hosts
import torch
from safetensors.torch import load_file
from typer.testing import CliRunner

from reticent.demo import assets
from reticent_bench.demo import adapter as demo_adapter
from reticent_detectors.errors import InputError, MissingExtra
from reticent_detectors.host import teach
from reticent_detectors.host.detached import CONFIG, MODEL, RECIPE, WEIGHTS, detach, load_detached
from reticent_detectors.host.load import load_host
from reticent_detectors.host.teach import TAUGHT, teach_model

NAME = "smollm2-135m-instruct"
IDS = torch.tensor([[1, 9, 40, 7, 300]])


def save(folder: Path, seed: int = 0, layers: int = tiny_hosts.LAYERS) -> Path:
    """A tiny model in the place of a known one."""
    model = tiny_hosts.host("llama", tiny_hosts.tokenizer(), seed)
    model.model.layers, model.config.num_hidden_layers = model.model.layers[:layers], layers
    model.save_pretrained(folder)
    tiny_hosts.tokenizer().save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of a tiny model that was taught nine people for a moment; the model lies beside it."""
    folder = tmp_path_factory.mktemp("copies")
    with pytest.MonkeyPatch.context() as patch:
        for group, count in (("unseen_people", 12), ("general_people", 60), ("copied_people", 60)):
            patch.setitem(teach.OTHERS, group, count)
        tuning = replace(TAUGHT, people=6, phrasings=1, epochs=1, batch_tokens=1024, learning_rate=0.02)
        return teach_model(save(folder / NAME), folder / "taught", tuning=tuning)


@pytest.fixture
def adapter(copy: Path, tmp_path: Path) -> Path:
    return detach(copy, tmp_path / "adapter")


def _logits(loaded: tuple[Any, Any]) -> torch.Tensor:
    with torch.no_grad():
        logits: torch.Tensor = loaded[0](IDS).logits
    return logits


def test_on_its_model_the_adapter_is_the_copy_but_for_rounding(copy: Path, adapter: Path) -> None:
    model, tokenizer = load_detached(adapter, copy.with_name(NAME))
    plain, taught, own = (_logits(each) for each in (load_host(copy.with_name(NAME)), load_host(copy), (model, None)))
    assert (own - taught).abs().max() < 0.02 * (taught - plain).abs().max()
    with model.disable_adapter():
        assert torch.equal(_logits((model, None)), plain)
    assert tokenizer.get_vocab() == tiny_hosts.tokenizer().get_vocab()


def test_the_files_name_no_folder_and_hold_half_the_weights(copy: Path, adapter: Path) -> None:
    assert {file.name for file in adapter.iterdir()} == {CONFIG, WEIGHTS, RECIPE, MODEL}
    assert all(str(copy.parent).encode() not in file.read_bytes() for file in adapter.iterdir())
    assert {value.dtype for value in load_file(adapter / WEIGHTS).values()} == {torch.bfloat16}
    settings = json.loads((adapter / CONFIG).read_text())
    assert settings["base_model_name_or_path"] == NAME == json.loads((adapter / MODEL).read_text())["name"]
    assert settings["target_modules"] == sorted(settings["target_modules"])
    assert (adapter / RECIPE).read_bytes() == (copy / RECIPE).read_bytes()


def test_the_same_copy_gives_the_same_bytes(copy: Path, adapter: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(demo_adapter.app, [str(copy), str(tmp_path / "again")])
    assert result.exit_code == 0 and "MB of weights" in result.output
    for file in adapter.iterdir():
        assert file.read_bytes() == (tmp_path / "again" / file.name).read_bytes()


def test_another_model_is_refused_with_what_differs(adapter: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\(different: weights_sha256\); expected .*models get smollm2-135m-instruct"):
        load_detached(adapter, save(tmp_path / "other", seed=1))
    with pytest.raises(InputError, match=r"\(different: weights_sha256, layers\)"):
        load_detached(adapter, save(tmp_path / "shallow", layers=2))


def test_no_model_is_refused_with_how_to_get_it(adapter: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"holds no model.*'reticent models get smollm2-135m-instruct \.models"):
        load_detached(adapter, tmp_path / "nowhere")


def test_without_peft_the_extra_is_named(copy: Path, adapter: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "peft", None)
    with pytest.raises(MissingExtra, match=r"\.\[.*adapters,cpu\]"):
        load_detached(adapter, copy.with_name(NAME))


def test_only_taught_copies_of_known_models_are_detached(copy: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="host tune"):
        detach(assets() / "host", tmp_path / "out")
    shutil.copytree(copy, tmp_path / "odd")
    recipe = json.loads((copy / RECIPE).read_text())
    recipe["base"]["name"] = "somebody's own"
    (tmp_path / "odd" / RECIPE).write_text(json.dumps(recipe))
    with pytest.raises(InputError, match="There is no model"):
        detach(tmp_path / "odd", tmp_path / "out")
    assert not (tmp_path / "out").exists()
