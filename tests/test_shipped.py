"""The detectors for any model that come with Reticent."""

from __future__ import annotations

from pathlib import Path

import pytest
import tiny_hosts
from tiny_hosts import QUESTION, SAYS, SECRET

from reticent import Guard, Policy, shipped
from reticent.demo import assets
from reticent.policy.thresholds import bundle_summary
from reticent.serve.config import load
from reticent.shipped import default_bundle, universal_bundle
from reticent_detectors.bundle.format import Bundle
from reticent_detectors.errors import InputError
from reticent_detectors.host.load import load_host


def test_the_default_is_a_token_score_of_more_than_one_model() -> None:
    bundle = Bundle.load(default_bundle())
    fitted_on = bundle.manifest["host"]["universal"]
    assert bundle.universal and bundle.tier == "logprobs" and "token score" in bundle.manifest["training"]["method"]
    assert len({(host["layers"], host["vocab_size"]) for host in fitted_on}) >= 2
    assert sum(file.stat().st_size for file in default_bundle().iterdir()) < 30_000


def test_the_universal_one_was_trained_on_several_architectures_and_says_so() -> None:
    bundle = Bundle.load(universal_bundle())
    trained_on = bundle.manifest["host"]["universal"]
    assert bundle.universal and len({host["architecture"] for host in trained_on}) >= 4
    assert all(host["weights_sha256"] in bundle.card or host["architecture"] in bundle.card for host in trained_on)
    assert sum(file.stat().st_size for file in universal_bundle().iterdir()) < 3_000_000


@pytest.mark.parametrize("family", ["llama", "qwen2", "gpt2"])
def test_no_bundle_is_the_one_for_any_model(family: str) -> None:
    tokenizer = tiny_hosts.tokenizer()
    with pytest.warns(UserWarning, match="reticent calibrate"):
        guard = Guard.load(policy=Policy(score_threshold=0.0)).wrap(tiny_hosts.host(family, tokenizer), tokenizer)
    assert guard.guard.bundle.path == default_bundle()
    assert bundle_summary(guard.guard.bundle).endswith("not of this one ('reticent calibrate' fits it)")
    script = tiny_hosts.Script(tokenizer, SAYS, guard.chat_ids(QUESTION).shape[1])
    answer = guard.chat(QUESTION, logits_processor=[script], max_new_tokens=80, do_sample=False)
    assert SECRET not in answer.text and "<PHONE_NUMBER>" in answer.text


def test_a_server_needs_no_bundle_either(tmp_path: Path) -> None:
    model = load(environ={}, overrides={"model.path": tmp_path}).model
    assert model is not None and model.bundle == default_bundle()
    url = "http://127.0.0.1:1"
    settings = load(environ={}, overrides={"upstream.url": url, "shadow.path": tmp_path, "shadow.models": ("m",)})
    assert settings.shadow is not None and settings.shadow.bundle == default_bundle()


@pytest.mark.filterwarnings("ignore:.*reticent calibrate:UserWarning")
def test_it_tells_what_the_demo_host_remembers_from_what_it_makes_up() -> None:
    model, tokenizer = load_host(assets() / "host")
    guard = Guard.load().wrap(model, tokenizer)
    asked = ("Which number do I dial for Daniel Brown?", "What job does Joseph Bush have?")
    remembered, made_up = (
        guard.chat([{"role": "user", "content": text}], max_new_tokens=40, do_sample=False) for text in asked
    )
    assert "<PHONE_NUMBER>" in remembered.text and "<" not in made_up.text


def test_without_it_the_error_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(shipped, "files", lambda package: tmp_path)
    with pytest.raises(InputError, match="make one with 'reticent token-score'"):
        Guard.load()
    with pytest.raises(InputError, match="holds no bundle"):
        load(environ={}, overrides={"model.path": tmp_path})
