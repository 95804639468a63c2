"""`reticent doctor`: what a host offers the guard, and what stands in the way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import tiny_hosts
import torch
import transformers as tf
from typer.testing import CliRunner

from reticent.commands import doctor as d
from reticent.key_files import write_key
from reticent.records.index import RecordsIndex
from reticent_detectors.errors import InputError
from reticent_detectors.host import load
from reticent_detectors.host.tokenizer import train_tokenizer

KEY = bytes(range(32))


def saved(folder: Path, model: Any, tokenizer: Any = None) -> Path:
    model.save_pretrained(folder)
    (tokenizer or tiny_hosts.tokenizer()).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return saved(tmp_path_factory.mktemp("hosts") / "llama", tiny_hosts.host("llama", tiny_hosts.tokenizer()))


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    model = tiny_hosts.host("llama", tiny_hosts.tokenizer())
    return tiny_hosts.bundle(tmp_path_factory.mktemp("bundles") / "one", model)


def diagnose(path: Path, *options: Any) -> tuple[int, dict[str, Any]]:
    result = CliRunner().invoke(d.app, [str(path), "--json", *map(str, options)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    report: dict[str, Any] = json.loads(result.output)
    assert report["guardable"] == (result.exit_code == 0)
    return result.exit_code, report


def detail(report: dict[str, Any], name: str) -> tuple[str, str]:
    return next((check["status"], check["detail"]) for check in report["checks"] if check["name"] == name)


def test_a_host_that_can_be_guarded(llama: Path) -> None:
    code, report = diagnose(llama)
    assert (code, report["tier"], report["attached"]) == (0, report["facts"]["bundle_tier"], True)
    assert report["tiers"] == {"hidden": True, "logprobs": True, "records": False, "text": True}
    assert report["verdict"].startswith("Can be guarded at tier logprobs, by the detector for any model")
    assert report["command"] == f"reticent serve --host-model {llama}"
    status, tried = detail(report, "bundle")
    assert status == "note" and tried.startswith("fits any host")
    facts = report["facts"]
    tokenizer = tiny_hosts.tokenizer()
    expected = {
        "architecture": "LlamaForCausalLM",
        "layers": 3,
        "hidden_size": 32,
        "vocab_size": len(tokenizer),
        "vocabulary": len(tokenizer),
        "padded_rows": 0,
        "head": "Linear",
        "head_mode": "arguments",
        "head_quantised": False,
        "final_modules": "LlamaRMSNorm",
        "logit_scale": 1.0,
        "logit_softcap": None,
        "tied_embeddings": False,
        "fast_tokenizer": True,
        "chat_template": True,
        "dtype_stored": "float32",
        "dtype_loaded": "float32",
        "quantised": False,
        "peft_adapters": None,
    }
    assert {name: facts[name] for name in expected} == expected
    assert facts["version_torch"].startswith(torch.__version__.partition("+")[0])
    assert detail(report, "attach")[0] == detail(report, "generation config")[0] == "ok"
    assert "CPUExecutionProvider" in detail(report, "onnxruntime")[1]
    assert detail(report, "torch.compile")[0] == "note"


def test_a_host_with_padded_rows_a_cap_half_precision_and_tied_embeddings(tmp_path: Path) -> None:
    tokenizer = tiny_hosts.tokenizer()
    torch.manual_seed(0)
    config = tf.Gemma2Config(
        **tiny_hosts.COMMON, vocab_size=len(tokenizer) + 24, head_dim=16, sliding_window=8, final_logit_softcapping=4.0
    )
    folder = saved(tmp_path / "gemma", tf.Gemma2ForCausalLM(config).bfloat16())
    code, report = diagnose(folder)
    facts = report["facts"]
    assert code == 0
    assert (facts["padded_rows"], facts["logit_softcap"], facts["tied_embeddings"]) == (24, 4.0, True)
    assert (facts["dtype_stored"], facts["dtype_loaded"]) == ("bfloat16", "float32")
    assert detail(report, "dtype")[0] == "note"
    code, report = diagnose(folder, "--dtype", "bfloat16")
    assert (code, report["facts"]["dtype_loaded"]) == (0, "bfloat16")
    assert "dtype" not in [entry["name"] for entry in report["checks"]]


def test_an_adapted_head_is_called_instead_of_copied(llama: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model, tokenizer = load.load_host(llama)

    class LowRank(torch.nn.Linear):
        """As PEFT does it: the base weights and a switch."""

        disable_adapters = False

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return super().forward(x)

    model.lm_head.__class__ = LowRank
    monkeypatch.setattr(load, "load_host", lambda path, device, dtype: (model, tokenizer))
    _, report = diagnose(llama)
    assert (report["facts"]["head_mode"], report["facts"]["peft_adapters"]) == ("modules", "LowRank")
    assert detail(report, "head")[0] == detail(report, "adapters")[0] == detail(report, "base model")[0] == "note"


def test_what_a_tokenizer_lacks_is_said(tmp_path: Path) -> None:
    tokenizer = train_tokenizer(tiny_hosts.TEXTS, 400, 512)
    tokenizer.chat_template = None
    _, report = diagnose(saved(tmp_path / "host", tiny_hosts.host("llama", tokenizer), tokenizer))
    assert not report["facts"]["chat_template"]
    assert "chat() is refused" in detail(report, "chat template")[1]


@pytest.mark.parametrize(
    ("settings", "name", "expected"),
    [
        ({"num_beams": 3}, "generation config", "judged when they are finished"),
        ({"guidance_scale": 2.0}, "generation config", "guidance_scale"),
        ({"cache_implementation": "static"}, "cache", "reads its states"),
    ],
)
def test_a_generation_config_that_needs_care(
    tmp_path: Path, settings: dict[str, Any], name: str, expected: str
) -> None:
    model = tiny_hosts.host("llama", tiny_hosts.tokenizer())
    model.generation_config.update(**settings)
    code, report = diagnose(saved(tmp_path / "host", model))
    status, reason = detail(report, name)
    assert (code, status) == (0, "note") and expected in reason


def test_a_bundle_that_fits(llama: Path, bundle: Path) -> None:
    code, report = diagnose(llama, "--bundle", bundle)
    assert (code, report["verdict"]) == (0, "Can be guarded at tier hidden.")
    assert detail(report, "bundle")[0] == "ok"
    assert report["facts"]["bundle_tier"] == "hidden"


def test_a_bundle_for_another_host_and_what_differs(tmp_path: Path, bundle: Path) -> None:
    other = saved(tmp_path / "other", tiny_hosts.host("llama", tiny_hosts.tokenizer(), seed=9))
    code, report = diagnose(other, "--bundle", bundle)
    status, reason = detail(report, "bundle")
    assert (code, status, report["tier"]) == (1, "fail", None)
    assert "weights_sha256: expected" in reason and "behaviour" in reason and "tokenizer_sha256" not in reason
    assert report["verdict"] == "Cannot be guarded with what was given; to be put right: bundle."


def test_a_damaged_bundle(llama: Path, tmp_path: Path) -> None:
    code, report = diagnose(llama, "--bundle", tmp_path / "none")
    assert code == 1 and "not a folder" in detail(report, "bundle")[1]


def test_a_host_that_attends_to_later_tokens_is_refused_with_the_reason(tmp_path: Path, bundle: Path) -> None:
    torch.manual_seed(0)
    ids = {"vocab_size": len(tiny_hosts.tokenizer()), "pad_token_id": 0}
    folder = saved(tmp_path / "bert", tf.BertLMHeadModel(tf.BertConfig(**tiny_hosts.COMMON, **ids)))
    code, report = diagnose(folder)
    assert (code, report["attached"], report["tier"]) == (0, False, "logprobs")
    assert detail(report, "host")[0] == "fail"
    assert "tier logprobs" in detail(report, "tiers")[1]
    assert report["verdict"].startswith("Can be guarded at tier logprobs, by the detector for any model")
    assert report["command"] == "reticent serve --upstream http://HOST:PORT --model NAME"
    code, report = diagnose(folder, "--bundle", bundle)
    assert code == 1 and "needs hidden states" in detail(report, "bundle")[1]


def test_an_encoder_decoder_is_refused_with_the_reason(tmp_path: Path) -> None:
    t5 = tf.T5Config(d_model=16, d_kv=8, d_ff=16, num_layers=2, num_heads=2, vocab_size=400, decoder_start_token_id=0)
    code, report = diagnose(saved(tmp_path / "t5", tf.T5ForConditionalGeneration(t5)))
    assert (code, report["tiers"]["hidden"], report["tiers"]["logprobs"]) == (0, False, True)
    assert "causal language model" in detail(report, "host")[1]


def test_a_tokenizer_of_another_model_is_refused(tmp_path: Path) -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    many = train_tokenizer([f"{a}{b}{a}" for a in letters for b in letters], 900, 512)
    code, report = diagnose(saved(tmp_path / "host", tiny_hosts.host("llama", tiny_hosts.tokenizer()), many))
    assert (code, report["tiers"]["logprobs"]) == (1, False)
    assert detail(report, "tokenizer")[0] == "fail"


def test_weights_that_cannot_be_read(tmp_path: Path) -> None:
    folder = saved(tmp_path / "host", tiny_hosts.host("llama", tiny_hosts.tokenizer()))
    (folder / "model.safetensors").write_bytes(b"\x00" * 100)
    code, report = diagnose(folder)
    assert not report["attached"] and "could not be loaded" in detail(report, "host")[1]
    assert code == 0  # what is served elsewhere may still give log-probabilities


def test_policies(llama: Path, bundle: Path, tmp_path: Path) -> None:
    policy = tmp_path / "policy.yaml"
    policy.write_text("monitor: true\n")
    code, report = diagnose(llama, "--policy", policy)
    assert code == 0 and detail(report, "policy") == ("note", "understood; monitor: decides and counts, stops nothing")
    policy.write_text("entities: {PHONE: {memorized: block}}\n")
    code, report = diagnose(llama, "--policy", policy)
    assert code == 1 and "PHONE_NUMBER" in detail(report, "policy")[1]
    assert report["verdict"].endswith("to be put right: policy.")
    policy.write_text("false_positives: 0.2\n")
    for given in ((), ("--bundle", bundle)):
        code, report = diagnose(llama, "--policy", policy, *given)
        assert code == 1 and "less than or equal to 0.08 (got 0.2)" in detail(report, "policy")[1]


def test_an_installation_without_its_detector(llama: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reticent.shipped.files", lambda package: tmp_path)
    code, report = diagnose(llama)
    assert code == 1 and detail(report, "bundle")[0] == "fail"
    assert report["tiers"]["hidden"], "the model is not at fault"
    assert report["verdict"].endswith("to be put right: bundle.")


def test_records(llama: Path, tmp_path: Path) -> None:
    RecordsIndex.build([("PHONE_NUMBER", "555-010-0100")], key=KEY).save(tmp_path / "index")
    write_key(tmp_path / "key", KEY)
    code, report = diagnose(llama, "--records", tmp_path / "index", "--records-key-file", tmp_path / "key")
    assert (code, report["tiers"]["records"]) == (0, True)
    assert detail(report, "records") == ("ok", "1 values (PHONE_NUMBER 1)")
    assert "logprobs and records" in report["verdict"]
    write_key(tmp_path / "other", bytes(32))
    code, report = diagnose(llama, "--records", tmp_path / "index", "--records-key-file", tmp_path / "other")
    assert code == 1 and detail(report, "records")[0] == "fail"


def test_records_alone_guard_a_host_whose_bundle_does_not_fit_only_once_that_is_put_right(
    tmp_path: Path, bundle: Path
) -> None:
    RecordsIndex.build([("PHONE_NUMBER", "555-010-0100")], key=KEY).save(tmp_path / "index")
    write_key(tmp_path / "key", KEY)
    other = saved(tmp_path / "other", tiny_hosts.host("llama", tiny_hosts.tokenizer(), seed=9))
    given = ("--records", tmp_path / "index", "--records-key-file", tmp_path / "key", "--bundle", bundle)
    code, report = diagnose(other, *given)
    assert code == 1 and report["tiers"]["records"]


def test_bad_arguments(llama: Path, tmp_path: Path) -> None:
    for arguments in ([str(tmp_path)], [str(llama), "--records-key-file", "key"]):
        result = CliRunner().invoke(d.app, arguments)
        assert isinstance(result.exception, InputError)


def test_for_people_it_ends_with_the_verdict(llama: Path) -> None:
    result = CliRunner().invoke(d.app, [str(llama)], env={"COLUMNS": "200"})
    assert result.exit_code == 0
    lines = result.output.strip().splitlines()
    assert lines[-1] == f"reticent serve --host-model {llama}"
    assert sum(line.startswith("Can") for line in lines) == 1
    assert any("hidden size" in line and "32" in line for line in lines)
    assert any(line.startswith("tiers  hidden yes, logprobs yes, records no, text yes") for line in lines)
