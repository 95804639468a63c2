"""Each example is run as a user runs it, and prints what its docstring says."""

from __future__ import annotations

import ast
import json
import logging.config
import re
import runpy
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from textwrap import dedent

import pytest
from serve_upstream import ReceivedRequest, Scripted, reply, stream_head

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.py"))


def docstring(name: str) -> str:
    return ast.get_docstring(ast.parse((EXAMPLES / f"{name}.py").read_text())) or ""


def promised(name: str) -> list[str]:
    """The lines that stand indented behind 'prints:' in the docstring."""
    found = re.search(r"prints:\n\n((?:    .*\n|\n)+)", docstring(name))
    assert found is not None, f"{name} does not say what it prints"
    return dedent(found[1]).strip().splitlines()


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Runs an example as a script, with arguments, and returns the lines that it prints."""

    def run(name: str, *arguments: str) -> list[str]:
        path = str(EXAMPLES / f"{name}.py")
        monkeypatch.setattr(sys, "argv", [path, *arguments])
        capsys.readouterr()
        runpy.run_path(path, run_name="__main__")
        return [line.rstrip() for line in capsys.readouterr().out.strip().splitlines()]

    return run


@pytest.fixture
def llama_cpp() -> Iterator[str]:
    """A server with the answers and log-probabilities of the demo host, as chunks of a chat completion."""
    import logprob_server

    def script(asked: ReceivedRequest) -> Iterator[bytes]:
        if not asked.path.endswith("/chat/completions"):
            yield reply(b'{"object": "list", "data": [{"id": "demo-host", "object": "model"}]}')
            return
        assert asked.json["logprobs"] is True, "the proxy asks for what it judges by"
        yield stream_head()
        for chunk in logprob_server.chat_chunks(logprob_server.answer(asked.json["messages"])):
            yield f"data: {json.dumps(chunk)}\n\n".encode()
        yield b"data: [DONE]\n\n"

    server = Scripted()
    server.script = script
    yield server.url
    server.close()


@pytest.mark.parametrize("name", [name for name in NAMES if name != "proxy_before_llama_cpp"])
def test_it_prints_what_its_docstring_says(name: str, run: Callable[..., list[str]]) -> None:
    assert run(name) == promised(name)


@pytest.mark.skipif(find_spec("openai") is None, reason="openai, the client of this example, is not installed")
def test_the_proxy_before_a_server_prints_what_its_docstring_says(
    llama_cpp: str, run: Callable[..., list[str]]
) -> None:
    assert run("proxy_before_llama_cpp", llama_cpp, "--model", "demo-host") == promised("proxy_before_llama_cpp")


def test_logging_may_be_set_up_anew_after_rouge_score_was_imported(capsys: pytest.CaptureFixture[str]) -> None:
    """uvicorn does so. absl's handler, which rouge-score brings, would close the stream that pytest reads."""
    pytest.importorskip("rouge_score.rouge_scorer")
    import absl.logging

    stream = absl.logging.get_absl_handler().python_handler.stream
    logging.config.dictConfig({"version": 1, "disable_existing_loggers": False})
    assert not stream.closed


def test_there_are_five_and_each_is_listed() -> None:
    listed = re.findall(r"\]\((\w+)\.py\)", (EXAMPLES / "README.md").read_text())
    assert sorted(listed) == NAMES and len(NAMES) == 5


@pytest.mark.parametrize("name", NAMES)
def test_its_docstring_has_the_line_that_runs_it(name: str) -> None:
    assert f"    python examples/{name}.py" in docstring(name)
