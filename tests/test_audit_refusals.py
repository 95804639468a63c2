"""What each audit refuses: exit code 2, one line that says what to do, and no file made, changed or lost."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from audit_server import Answering, Server, asking, run, write_inputs

AUDITS = ("extraction", "membership", "inversion", "cues", "context", "code")
FILES = {
    "extraction": "canaries.json", "membership": "texts.jsonl", "inversion": "said.jsonl", "cues": "people.jsonl",
    "context": "examples.jsonl",
}  # fmt: skip
"""What each audit reads line by line; the corpus of `code` is no such file."""
SERVED = "Expected the folder of a model, got a server"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    server = Server.start()
    yield server
    server.scripted.close()


@pytest.fixture
def inputs(tmp_path: Path, server: Server) -> Path:
    server.reset()
    return tmp_path


def tree(folder: Path) -> dict[str, bytes | None]:
    return {str(path): path.read_bytes() if path.is_file() else None for path in sorted(folder.rglob("*"))}


def of_target(name: str, inputs: Path, target: str) -> list[str]:
    """The arguments for another target. The guarded address stays away, which goes with servers."""
    if name == "inversion":
        return ["inversion", target, "--source", "states", "--texts", str(inputs / "said.jsonl")]
    first, _, *others = asking(name, inputs, target)
    return [first, target, *(others[2:] if others[0] == "--guarded" else others)]


def missing_folder(name: str, inputs: Path, server: Server) -> tuple[list[str], str]:
    return of_target(name, inputs, str(inputs / "nowhere")), "There is no folder of this name. Expected"


def no_model(name: str, inputs: Path, server: Server) -> tuple[list[str], str]:
    (inputs / "empty").mkdir()
    return of_target(name, inputs, str(inputs / "empty")), "is no checkpoint: expected a folder with config.json"


def no_tokenizer(name: str, inputs: Path, server: Server) -> tuple[list[str], str]:
    """Options that take the model's tokenizer before the model is loaded."""
    (inputs / "empty").mkdir()
    needs = {
        "membership": ["--reference-texts", str(inputs / "public.txt")],
        "context": ["--canary", "unigrams"],
    }.get(name, [])
    return [*of_target(name, inputs, str(inputs / "empty")), *needs], "is no checkpoint: expected a folder"


def wrong_address(name: str, inputs: Path, server: Server) -> tuple[list[str], str]:
    # A named model is not looked for in the server's list.
    return [*of_target(name, inputs, "http://127.0.0.1:1"), "--model", "m"], "is it running at this address?"


def no_address(name: str, inputs: Path, server: Server) -> tuple[list[str], str]:
    return of_target(name, inputs, "http://127.0.0.1:port"), "an address such as http://127.0.0.1:8000"


def html(name: str, inputs: Path, server: Server) -> tuple[list[str], str]:
    server.answering.error = 200, b"<html>Hello</html>", "text/html"
    return [*of_target(name, inputs, server.url), "--model", "m"], "is no JSON; is it OpenAI-compatible?"


def not_found(name: str, inputs: Path, server: Server) -> tuple[list[str], str]:
    server.answering.error = 404, b"<html>Not found</html>", "text/html"
    return [*of_target(name, inputs, server.url), "--model", "m"], "status 404; is the model's name right (--model)"


def broken_line(name: str, inputs: Path, server: Server) -> tuple[list[str], str]:
    if name == "code":
        (inputs / "corpus" / "a.py").write_bytes(b"\xff\xfe\x00")
        return asking(name, inputs, server.url), "holds no text file; expected the files that"
    with (inputs / FILES[name]).open("a") as file:
        file.write('\n{"text": "Mara')
    number = len((inputs / FILES[name]).read_text().split("\n"))
    says = "make it with 'reticent audit canaries'" if name == "extraction" else f"line {number}: expected"
    return asking(name, inputs, server.url), says


CONTRADICTIONS: Mapping[str, tuple[list[str], str]] = {
    "extraction": (["--guard", "off"], "--guard goes with a folder"),
    "membership": (["--most", "9"], "--most does nothing with --texts"),
    "inversion": (["--source", "states", "--bundle", "b"], "--bundle does nothing without --source surfaces"),
    "cues": (["--held-out", "9"], "--held-out does nothing with --people"),
    "context": (["--bundle", "b"], "--bundle goes with a folder"),
    "code": (["--dtype", "float32"], "--dtype goes with a folder"),
}


def contradiction(name: str, inputs: Path, server: Server) -> tuple[list[str], str]:
    options, says = CONTRADICTIONS[name]
    return [*asking(name, inputs, server.url), *options], says


def unknown_limit(name: str, inputs: Path, server: Server) -> tuple[list[str], str]:
    return [*asking(name, inputs, server.url), "--fail-above", "leaks=1"], "no figure of that name; expected one of"


def limit_without_number(name: str, inputs: Path, server: Server) -> tuple[list[str], str]:
    return [*asking(name, inputs, server.url), "--max-tokens", "0"], "Expected --max-tokens above 0"


def other_run(name: str, inputs: Path, server: Server) -> tuple[list[str], str]:
    (inputs / "out").mkdir()
    (inputs / "out" / "attempts.jsonl").write_text('{"settings": {"audit": "another"}}\n')
    (inputs / "out" / "attempts.key").write_bytes(b"k" * 32)
    return asking(name, inputs, server.url), "Give the same ones, or another --out"


def other_file(name: str, inputs: Path, server: Server) -> tuple[list[str], str]:
    (inputs / "out").mkdir()
    (inputs / "out" / "attempts.jsonl").write_text("my own notes\n")
    (inputs / "out" / "attempts.key").write_bytes(b"k" * 32)
    return asking(name, inputs, server.url), "is no attempt log"


def read_only(name: str, inputs: Path, server: Server) -> tuple[list[str], str]:
    if os.geteuid():
        (inputs / "out").mkdir(mode=0o555)
    else:  # root may write everywhere, but in no file as if it were a folder
        (inputs / "out").write_text("")
    return asking(name, inputs, server.url), "cannot be written"


SORTS: tuple[Callable[[str, Path, Server], tuple[list[str], str]], ...] = (
    missing_folder, no_model, no_tokenizer, wrong_address, no_address, html, not_found, broken_line, contradiction,
    unknown_limit, limit_without_number, other_run, other_file, read_only,
)  # fmt: skip
FROM_SERVERS = (wrong_address, no_address, html, not_found)


@pytest.mark.parametrize("name", AUDITS)
def test_bad_input_of_every_sort_exits_two_says_what_to_do_and_changes_nothing(
    name: str, inputs: Path, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    for sort in SORTS:
        folder = inputs / sort.__name__
        folder.mkdir()
        server.answering.error = Answering.error
        write_inputs(folder)
        arguments, says = sort(name, folder, server)
        if name == "inversion" and sort in FROM_SERVERS:
            arguments, says = arguments[:2], SERVED
        before = tree(folder)
        assert run(*arguments, "--out", str(folder / "out")) == 2, sort.__name__
        printed = capsys.readouterr().err
        errors = [line for line in printed.splitlines() if line.startswith("error: ")]
        assert len(errors) == 1 and says in errors[0], (sort.__name__, printed)
        assert "Traceback" not in printed and "Mara" not in printed
        assert tree(folder) == before, sort.__name__
