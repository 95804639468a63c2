"""Mistakes that a newcomer makes: each error is one line that says what to do."""

from __future__ import annotations

import importlib
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from test_serve_command import output, output_here

import reticent
from reticent.demo import assets
from reticent.lazy_names import lazy_name
from reticent.policy.loading import policy_from
from reticent.serve.config import load
from reticent_detectors.errors import BundleCorrupt, InputError, MissingExtra, PolicyError
from reticent_detectors.install_form import extra_for, install_line

REQUIRES = [
    "numpy>=1",
    *(f"{name}>=1; extra == 'model'" for name in ("torch", "transformers")),
    *(f"{name}>=1; extra == 'proxy'" for name in ("fastapi", "uvicorn")),
    *(f"{name}>=1; extra == 'train'" for name in ("torch", "transformers", "faker")),
    "onnxruntime>=1; extra == 'cpu'",
    "onnxruntime-gpu>=1; extra == 'gpu'",
    "cryptography>=1; extra == 'sign'",
]


@pytest.mark.parametrize(
    ("extra", "there", "form"),
    [
        ("model", (), "model,cpu"),
        ("model", ("onnxruntime",), "model,cpu"),
        ("model", ("onnxruntime-gpu",), "model,gpu"),
        ("model", ("fastapi", "uvicorn"), "proxy,model,cpu"),
        ("cpu", ("torch", "transformers"), "model,cpu"),
        ("cpu", ("fastapi", "uvicorn"), "proxy,cpu"),
        ("cpu", (), "cpu"),
        ("train", ("torch", "transformers"), "train,cpu"),
        ("proxy", ("onnxruntime",), "proxy"),
        ("sign", (), "sign"),
        ("sign", ("fastapi", "uvicorn"), "sign"),
        ("metrics", ("torch", "transformers"), "model,cpu,metrics"),
        ("gliner", ("torch", "transformers", "onnxruntime-gpu"), "model,gpu,gliner"),
        ("gliner", (), "gliner"),
    ],
)
def test_what_is_missing_is_named_with_the_whole_form(extra: str, there: tuple[str, ...], form: str) -> None:
    assert install_line(extra, REQUIRES, there.__contains__) == f"pip install '.[{form}]'"


def test_a_guard_without_torch_says_what_to_install() -> None:
    code = (
        "import sys\nfor name in ('torch', 'transformers', 'onnxruntime'): sys.modules[name] = None\n"
        "from reticent import Guard"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "MissingExtra: " in done.stderr and "pip install '.[" in done.stderr, done.stderr[-400:]


def test_a_name_whose_module_lacks_a_stranger_is_a_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str) -> Any:
        raise ModuleNotFoundError(name="odd_thing")

    monkeypatch.setattr("reticent.lazy_names.import_module", fail)
    with pytest.raises(ModuleNotFoundError):
        lazy_name("reticent", {"Guard": "reticent.guard"}, "Guard")
    monkeypatch.setattr(
        "reticent.lazy_names.import_module", lambda name: (_ for _ in ()).throw(ModuleNotFoundError(name="torch.nn"))
    )
    if extra_for("torch") is not None:  # the distribution is installed
        with pytest.raises(MissingExtra, match="torch is not installed"):
            lazy_name("reticent", {"Guard": "reticent.guard"}, "Guard")


@pytest.mark.parametrize(
    "given", [("--dtype", "fp16"), ("--dtype", "half"), ("--device", "gpu"), ("--device", "cuda:9")]
)
@pytest.mark.parametrize("command", [("doctor",), ("calibrate", "out"), ("host", "tune", "out", "--plan")])
def test_an_unknown_device_or_number_type_is_one_line(
    command: tuple[str, ...], given: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    first = command[: 2 if command[0] == "host" else 1]
    code, _, err = output_here(capsys, *first, str(assets() / "host"), *command[len(first) :], *given)
    lines = [line for line in err.splitlines() if line and not line.startswith("Loading, then timing")]
    assert code == 2 and len(lines) == 1, err
    assert given[1] in err
    assert ("float16" if given[0] == "--dtype" else "torch has cpu") in err


def test_the_folder_of_a_model_is_no_bundle_and_the_error_says_what_it_is() -> None:
    with pytest.raises(BundleCorrupt, match=r"holds a model, not a detector's bundle.*wrap\(model, tokenizer\)"):
        reticent.Guard.load(assets() / "host")


def test_an_empty_folder_is_a_bundle_without_its_manifest(tmp_path: Path) -> None:
    with pytest.raises(BundleCorrupt, match=r"manifest\.json is missing"):
        reticent.Guard.load(tmp_path)


def test_a_taken_metrics_port_ends_with_the_same_code_as_a_taken_port() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        code, out, err = output("serve", "--upstream", "http://127.0.0.1:1", "--port", "0", "--metrics-port", port)
    assert (code, out, err.count("\n")) == (3, "", 1), err
    assert f"Cannot listen on 127.0.0.1:{port} for metrics" in err and "--metrics-port" in err


@pytest.mark.parametrize(
    ("setting", "value", "shown"),
    [
        ("port", 70000, "got 70000"),
        ("limits.inflight", 0, "got 0"),
        ("limits.judge_seconds", -0.5, "got -0.5"),
        ("strip", 7, "got 7"),
        ("limits.inflight", "many-5550100199", "got str"),
        ("upstream.api_key", 5550100199, "got int"),
        ("canary.value", 5550100199, "got int"),
        ("keys", [{"key": 5550100199}], "got int"),
    ],
)
def test_a_wrong_setting_shows_its_value_unless_it_may_be_a_secret(setting: str, value: Any, shown: str) -> None:
    given = {"upstream.url": "http://h", "canary.body": {}, setting: value}
    if not setting.startswith("canary"):
        del given["canary.body"]
    with pytest.raises(InputError, match=shown) as error:
        load(environ={}, overrides=given)
    assert "5550100199" not in str(error.value)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"upstream": "http://5550100199"}, "'upstream': expected settings of its own, such as 'url' (got str)"),
        ({"limits": 5}, "'limits': expected settings of its own, such as 'body_bytes' (got 5)"),
        ({"records": ["a.index"]}, "'records': expected settings of its own, such as 'index' (got list)"),
        ({"keys": "5550100199"}, "'keys': expected a list (got str)"),
        ({"keys": ["5550100199"]}, "'keys.0': expected settings of its own, such as 'key' (got str)"),
        ({"policies": "sealed"}, "'policies': expected names with values (got str)"),
        ({"upstream": {"url": "http://h", "api_key": " "}}, "'upstream.api_key': it is empty"),
        (
            {"preset": "default", "redaction": "tag", "prot": 1},
            "'preset' and 'redaction' are settings of a policy, not of the server: write them under 'policies', or "
            "give their file with --policy. Unknown setting 'prot'. Did you mean 'port'?",
        ),
    ],
)
def test_wrong_settings_are_told_in_the_words_of_the_file(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as error:
        load(environ={}, overrides={"upstream": {"url": "http://h"}, **settings})
    assert said in str(error.value)
    assert not any(word in str(error.value) for word in ("5550100199", "dictionary", "tuple", "instance"))


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        ({"entities": "block"}, "'entities' in a policy: expected names with values (got str)"),
        ({"hold": 5}, "'hold' in a policy: expected settings of its own, such as 'max_tokens' (got 5)"),
        ({"also_find": "PERSON"}, "'also_find' in a policy: expected a list (got str)"),
    ],
)
def test_so_are_wrong_settings_of_a_policy(policy: dict[str, Any], said: str) -> None:
    with pytest.raises(PolicyError) as error:
        policy_from(policy)
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        ({"score_threshold": 1.5}, "got 1.5"),
        ({"hold": {"max_tokens": 0}}, "got 0"),
        ({"entities": {"DEFAULT": {"memorized": {"action": "redact", "threshold": 2}}}}, "got 2"),
        ({"deny_list": [5550100199]}, "got int"),
        ({"list_key": 5550100199}, "got int"),
        ({"allow_subjects": [5550100199]}, "got int"),
    ],
)
def test_so_does_a_wrong_setting_of_a_policy(data: dict[str, Any], shown: str) -> None:
    with pytest.raises(PolicyError, match=shown) as error:
        policy_from(data)
    assert "5550100199" not in str(error.value)


def test_an_audit_of_cues_names_the_file_that_says_who_was_taught(tmp_path: Path) -> None:
    pytest.importorskip("httpx")
    options = importlib.import_module("reticent_bench.audits.commands.options")
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(InputError, match=r"no recipe\.json.*--people FILE"):
        options.recipe_folder(str(tmp_path), None, "--people", None)
    assert options.recipe_folder(str(tmp_path), None, "--people", tmp_path / "people.jsonl") == tmp_path


def test_a_gguf_without_accelerate_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module("reticent_detectors.host.gguf_checkpoint")

    def fail(*_: object, **__: object) -> None:
        raise ValueError

    monkeypatch.setattr(module.AutoTokenizer, "from_pretrained", fail)
    for missing in ("accelerate", "gguf"):
        monkeypatch.setattr(module, "find_spec", lambda name, missing=missing: None if name == missing else object())
        with pytest.raises(MissingExtra, match=f"{missing} is not installed.*\\.\\[models\\]"):
            module.convert_gguf(tmp_path / "none.gguf", tmp_path / "out")


@pytest.mark.parametrize(
    "command", [("host", "tune", "none", "out"), ("calibrate", "none", "out"), ("collect", "none", "out")]
)
def test_a_plan_says_at_once_that_it_measures(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before the model is loaded, which may take a minute: here there is none."""
    monkeypatch.chdir(tmp_path)
    _, _, err = output_here(capsys, *command, "--plan")
    assert err.splitlines()[0].startswith("Loading, then timing a few steps")
    _, _, err = output_here(capsys, *command)
    assert "timing" not in err
