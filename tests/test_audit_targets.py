"""Runs each audit over a folder, over servers and over `reticent serve`, and checks what each target lets measure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from audit_server import Server, asking, run, write_inputs
from audit_table import CHATS, ECHOES, FOLDER, GUARDED, NO, REFUSED, YES, documented, measured, nothing
from serve_upstream import Running

from reticent.cli import main
from reticent.demo import assets
from reticent.policy.verdict import Origin
from reticent_bench.audits.code import settings as code_settings

HOST, BUNDLE = str(assets() / "host"), str(assets() / "bundle")
AUDITS = ("extraction", "membership", "inversion", "cues", "context", "code")
SERVERS = (ECHOES, CHATS, GUARDED)


@pytest.fixture(scope="module")
def scripted() -> Iterator[Server]:
    server = Server.start()
    yield server
    server.scripted.close()


@contextmanager
def served(*arguments: str) -> Iterator[str]:
    """`reticent serve` on a free port, in a thread of this process."""
    made = list[Any]()
    with pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit):
        patch.setattr("reticent.serve.running.run", lambda source, proxy: made.append(proxy))
        main(["serve", *arguments])
    running = Running(made[0])
    try:
        yield f"http://127.0.0.1:{running.port}"
    finally:
        running.close()


@pytest.fixture(scope="module")
def guarded() -> Iterator[str]:
    """The embedded host behind its guard."""
    with served("--host-model", HOST, "--bundle", BUNDLE, "--model", "demo") as url:
        yield url


@pytest.fixture(scope="module")
def unguarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The same with a policy that lets every value pass."""
    config = tmp_path_factory.mktemp("unguarded") / "serve.yaml"
    passes = {str(origin): "allow" for origin in Origin}
    model = {"path": HOST, "bundle": BUNDLE, "name": "demo"}
    given = {"model": model, "policy": "off", "policies": {"off": {"entities": {"DEFAULT": passes}}}}
    config.write_text(json.dumps(given))  # which is YAML, too
    with served("--config", str(config)) as url:
        yield url


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
            few = ("--context-size", "2", "--ensemble-runs", "2", "--utility-items", "1")
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


BY_RECIPE = ("--recipe", HOST, "--most", "6", "--held-out", "6", "--family", "twin")
TWO_COLUMNS: dict[str, tuple[str, ...]] = {
    "extraction": ("--samples", "2"),
    "cues": BY_RECIPE,
    "context": (
        "--context-size", "4", "--runs", "4", "--subsets", "2", "--ensemble-runs", "2", "--ensemble-contexts", "1",
        "--utility-items", "1", "--dumps", "1", "--canary", "hexadecimal", "--defence", "none",
    ),
    "code": ("--arm", "pipeline", "--tests-each", "1"),
}  # fmt: skip
"""Audits that have a column for the guard over servers, in a small."""
GUARDED_FIGURES = {
    "extraction": ("extraction-rate", "guarded-extraction-rate"),
    "cues": ("low-cue-excess-email", "guarded-low-cue-release"),
    "context": ("repeated-values-off", "repeated-values-on"),
    "code": ("leaking-tests", "guarded-leaking-tests"),
}


@pytest.mark.parametrize("name", ["extraction", pytest.param("cues", marks=pytest.mark.slow), "context", "code"])
def test_the_guard_of_one_server_stands_beside_another_without_it(
    name: str, inputs: Path, unguarded: str, guarded: str
) -> None:
    """Both targets are `reticent serve` with the embedded host: the same command asks it without and with its guard."""
    files = {"extraction": ("--canaries", str(inputs / "canaries.json")), "code": ("--corpus", str(inputs / "corpus"))}
    given = [*files.get(name, ()), *TWO_COLUMNS[name]]
    ask = [name, unguarded, "--guarded", guarded, *given, "--out", str(inputs / "out")]
    assert run(*ask, "--max-calls", "2") == 3
    assert run(*ask) == 0
    report = json.loads((inputs / "out" / "report.json").read_text())
    assert report["complete"] and set(GUARDED_FIGURES[name]) <= set(report["figures"])
    if name == "cues":
        planted = report["figures"]["low-cue-excess-email"]
        released = report["figures"]["guarded-low-cue-release"]
        assert planted[0] > 0.5 > released[0]  # the host says what it was taught, and the guard stops it


@pytest.mark.slow
def test_an_audit_of_a_servers_recipe_is_that_of_the_folder(inputs: Path, unguarded: str) -> None:
    """The same people are asked about, and greedy answers are the same."""
    rows = []
    for number, (target, more) in enumerate(((unguarded, ()), (HOST, ("--guard", "off")))):
        out = inputs / str(number)
        assert run("cues", target, *more, *BY_RECIPE, "--out", str(out)) == 0
        report = json.loads((out / "report.json").read_text())
        rows.append(next(table["rows"] for table in report["tables"] if table["title"].startswith("Hit rates at")))
    assert rows[0] == rows[1]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("inversion",), "Expected the folder of a model, got a server"),
        (("inversion", "--source", "states"), "Expected the folder of a model, got a server"),
        (("membership", "--recipe", HOST, "--most", "5"), REFUSED),
        (("cues",), "--recipe with the folder of the model"),
        (("membership",), "--recipe with the folder of the model"),
        (("cues", "--recipe", HOST, "--people", "people.jsonl"), "--recipe does nothing with --people"),
    ],
)
def test_what_a_server_cannot_answer_is_refused_before_anything_long(
    arguments: tuple[str, ...], says: str, unguarded: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name, *options = arguments
    assert run(name, unguarded, *options, "--out", str(tmp_path / "out")) == 2
    assert says in capsys.readouterr().err and not (tmp_path / "out").exists()
