"""Each audit by the same command over a folder, over servers and over `reticent serve`: what each target lets measure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from audit_server import Server, asking, run, write_inputs
from audit_table import CHATS, ECHOES, FOLDER, GUARDED, NO, YES, documented, measured, nothing
from serve_upstream import Running

from reticent.cli import main
from reticent.commands import serve as serve_command
from reticent.demo import assets
from reticent_bench.audits.code import settings as code_settings

HOST, BUNDLE = str(assets() / "host"), str(assets() / "bundle")
AUDITS = ("extraction", "membership", "inversion", "cues", "context", "code")
SERVERS = (ECHOES, CHATS, GUARDED)


@pytest.fixture(scope="module")
def scripted() -> Iterator[Server]:
    server = Server.start()
    yield server
    server.scripted.close()


@pytest.fixture(scope="module")
def guarded() -> Iterator[str]:
    """`reticent serve --host-model` on a free port, in a thread of this process."""
    made = list[Any]()
    with pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit):
        patch.setattr(serve_command, "run", lambda settings, proxy: made.append(proxy))
        main(["serve", "--host-model", HOST, "--bundle", BUNDLE, "--model", "demo"])
    running = Running(made[0])
    yield f"http://127.0.0.1:{running.port}"
    running.close()


@pytest.fixture
def inputs(tmp_path: Path, scripted: Server, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Small inputs, and one scenario with short answers for the audit of code."""
    every = code_settings.scenarios
    monkeypatch.setattr(code_settings, "scenarios", lambda: every()[:1])
    short = partial(code_settings.Settings, function_tokens=4, test_tokens=4)
    monkeypatch.setattr(code_settings, "Settings", short)
    write_inputs(tmp_path)
    scripted.reset()
    return tmp_path


def smaller(name: str, inputs: Path, target: str) -> list[str]:
    """The arguments of an audit over a target, in a smaller still."""
    arguments = asking(name, inputs, target)
    match name:
        case "extraction":
            return [*arguments, "--samples", "2"]
        case "membership":
            return [*arguments, "--reference-texts", str(inputs / "public.txt")]
        case "inversion":
            return ["inversion", target]
        case "cues":
            return ["cues", target, "--people", str(inputs / "people.jsonl"), "--family", "verbatim"]
        case "context":
            few = ("--context-size", "2", "--ensemble-runs", "1", "--utility-items", "1")
            return [*arguments, *few]
        case _:
            return [*arguments, "--arm", "prefix"]


def found(arguments: list[str], out: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    """What an audit measures."""
    code = run(*arguments, "--out", str(out))
    assert code in (0, 2)
    if code == 2:
        assert not (out / "report.json").exists()
        return nothing(arguments[0], capsys.readouterr().err)
    report = json.loads((out / "report.json").read_text())
    assert report["complete"]
    return measured(arguments[0], report)


@pytest.mark.parametrize("target", SERVERS)
@pytest.mark.parametrize("name", AUDITS)
def test_what_a_server_lets_measure_is_as_documented(
    name: str, target: str, inputs: Path, scripted: Server, guarded: str, capsys: pytest.CaptureFixture[str]
) -> None:
    scripted.answering.chats_alone = target == CHATS
    arguments = smaller(name, inputs, guarded if target == GUARDED else scripted.url)
    says = documented(name, target)
    if name == "cues" and target == CHATS:
        assert found(arguments, inputs / "running", capsys) == dict.fromkeys(says, NO)
        arguments.append("--chat")
        says = {row: cell.removesuffix(" (`--chat`)") for row, cell in says.items()}
    if name == "context" and target == ECHOES:
        row = "attack on log-probabilities"
        assert found(arguments, inputs / "chats", capsys)[row] == NO
        arguments.append("--running-text")
        says[row] = says[row].removesuffix(" (`--running-text`)")
    assert found(arguments, inputs / "out", capsys) == says


def test_what_a_folder_lets_measure_is_as_documented(inputs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("extraction", "code"):  # the others are asked in `test_audit_commands`
        first, _, guard, _, *others = smaller(name, inputs, HOST)
        assert guard == "--guarded"
        arguments = [first, HOST, "--bundle", BUNDLE, *others]
        assert (
            found(arguments, inputs / name, capsys)
            == documented(name, FOLDER)
            == dict.fromkeys(documented(name, FOLDER), YES)
        )
