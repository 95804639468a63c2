"""`reticent probe`: a user's own probe, made from a checkpoint and its bundle."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import tiny_hosts
from test_host_probe import TEXTS
from typer.testing import CliRunner, Result

from reticent.demo import assets
from reticent.shipped import universal_bundle
from reticent_bench import probe_command
from reticent_bench.real_answers.marked import Marked
from reticent_bench.tagger import host_states, margins, sets
from reticent_bench.tagger import probe as training
from reticent_bench.tagger.host_states import HostStates, load
from reticent_detectors.bundle.format import Bundle
from reticent_detectors.capture import HostAdapter
from reticent_detectors.errors import BundleMismatch, InputError
from reticent_detectors.finder.tagger import shipped
from reticent_detectors.host.load import load_host
from reticent_detectors.scoring.host_probe import HostProbe

HOST, BUNDLE = assets() / "host", assets() / "bundle"
RUN = CliRunner()


def run(*options: Any) -> Result:
    return RUN.invoke(probe_command.app, [str(option) for option in options], catch_exceptions=False)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few texts in place of the clone's, which take an hour."""
    held = dict.fromkeys(("answers of real models", "unannounced"), TEXTS[:2])
    monkeypatch.setattr(sets, "read_sets", lambda folder: sets.Sets([(text, 2.0) for text in TEXTS], held))
    monkeypatch.setattr(host_states, "TEXTS", 4)


@pytest.mark.usefixtures("few")
def test_one_command_makes_a_bundle_with_a_probe_of_the_model(tmp_path: Path) -> None:
    out = tmp_path / "probed"
    done = run(HOST, out, "--bundle", BUNDLE, "--report", tmp_path / "pages")
    assert done.exit_code == 0 and "9 texts" in done.stdout and "without it" in done.stdout
    made, plain = Bundle.load(out), Bundle.load(BUNDLE)
    adapter = HostAdapter.attach(*load_host(HOST))
    probe = HostProbe.of(made, adapter)
    assert probe is not None and probe.kinds == shipped().kinds
    assert (made.network, made.card) == (plain.network, plain.card)
    assert [each.name for each in sorted(tmp_path.iterdir())] == ["pages", "probed"]  # the states are gone
    figures = json.loads((tmp_path / "pages" / "probe-host.json").read_text())
    assert figures["settings"]["texts"] == 9 and figures["settings"]["of"] == adapter.num_layers
    assert "reads the host's states" in (tmp_path / "pages" / "probe-host.md").read_text()


@pytest.mark.usefixtures("few")
def test_an_interrupted_run_goes_on_and_makes_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(HOST, tmp_path / "whole", "--bundle", BUNDLE)
    passes: list[int] = []
    read, stop = HostStates._read, [2]

    def counted(self: HostStates, part: Any) -> Any:
        if len(passes) == stop[0]:
            raise RuntimeError
        passes.append(len(part))
        return read(self, part)

    monkeypatch.setattr(HostStates, "_read", counted)
    with pytest.raises(RuntimeError):
        run(HOST, tmp_path / "parts", "--bundle", BUNDLE, "--work", tmp_path / "states")
    before, stop[0] = sum(passes), 99
    run(HOST, tmp_path / "parts", "--bundle", BUNDLE, "--work", tmp_path / "states")
    assert before > 0 and sum(passes) == len(TEXTS) + 2 + 2  # each text once
    whole, parts = (Bundle.load(tmp_path / name).probe for name in ("whole", "parts"))
    assert whole is not None and parts == whole
    places, states = load(tmp_path / "states" / "learned.jsonl", 2)
    assert sum(len(place.ends) + 1 for place in places) == len(states)


@pytest.mark.usefixtures("few")
def test_a_probe_that_makes_the_finder_worse_is_not_put_into_a_bundle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def worse(*given: Any) -> Any:
        return {name: {"whole": {"F1": 0.8}, "whole and probe": {"F1": 0.7}} for name in margins.SETS}

    monkeypatch.setattr(training, "measure", worse)
    done = run(HOST, tmp_path / "out", "--bundle", BUNDLE)
    assert done.exit_code == 1 and "worse" in done.stderr and "0.700 with it" in done.stdout
    assert [each.name for each in tmp_path.iterdir()] == ["out-work"]  # reading goes on from there


@pytest.mark.usefixtures("few")
def test_states_of_another_model_are_refused(tmp_path: Path) -> None:
    (tmp_path / "states").mkdir()
    (tmp_path / "states" / "held.jsonl").write_text(json.dumps({"settings": {}, "done": 1, "seconds": 1.0}) + "\n")
    with pytest.raises(InputError, match="another model"):
        run(HOST, tmp_path / "out", "--bundle", BUNDLE, "--work", tmp_path / "states")


def test_what_cannot_be_used_is_said_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(BundleMismatch, match="calibrate"):
        run(HOST, tmp_path / "out", "--bundle", universal_bundle())
    with pytest.raises(InputError, match="--texts"):
        run(HOST, tmp_path / "out", "--bundle", BUNDLE, "--texts", tmp_path)
    with pytest.raises(InputError, match="--overwrite"):
        run(HOST, tmp_path, "--bundle", BUNDLE)
    other = tiny_hosts.host("llama", tiny_hosts.tokenizer())
    other.save_pretrained(tmp_path / "other")
    tiny_hosts.tokenizer().save_pretrained(tmp_path / "other")
    with pytest.raises(BundleMismatch):
        run(tmp_path / "other", tmp_path / "out", "--bundle", BUNDLE)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("family", ["llama", "gpt2"])
def test_a_text_is_read_as_far_as_the_model_reads(tmp_path: Path, family: str) -> None:
    tokenizer = tiny_hosts.tokenizer()
    model = tiny_hosts.host(family, tokenizer)
    host = HostAdapter.attach(model, tokenizer)
    HostStates(host, tokenizer, (0, 1)).keep([(0, Marked("who " * 900, "nurse " * 900, ()))], tmp_path / "t.jsonl", 60)
    ((place,), states) = load(tmp_path / "t.jsonl", 2)
    assert len(states) == len(place.ends) + 1 == host.context // 2 + 1
    assert not any(layer._forward_hooks for layer in host.layers)


def test_a_tokenizer_that_does_not_say_what_its_tokens_wrote_is_refused() -> None:
    tokenizer = tiny_hosts.tokenizer()
    host = HostAdapter.attach(tiny_hosts.host("llama", tokenizer), tokenizer)
    with pytest.raises(InputError, match="fast tokenizer"):
        HostStates(host, object(), (0, 1))
