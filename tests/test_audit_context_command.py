"""`reticent audit context`: every canary, query, view and kind of task of the audit can be asked for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from audit_server import MAILS, Server, asking, run, write_inputs

from reticent.demo import assets
from reticent_bench.audits import session
from reticent_bench.audits.context import settings as context_settings
from reticent_bench.audits.context.vocabulary import vocabulary_of

HOST = str(assets() / "host")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    server = Server.start()
    yield server
    server.scripted.close()


@pytest.fixture
def inputs(tmp_path: Path, server: Server) -> Path:
    server.reset()
    write_inputs(tmp_path)
    return tmp_path


def tables(folder: Path) -> dict[str, list[list[Any]]]:
    return {each["title"]: each["rows"] for each in json.loads((folder / "report.json").read_text())["tables"]}


def test_notes_are_written_and_their_aggregations_attacked(inputs: Path, server: Server) -> None:
    rows = [
        {
            "text": f"A: When? B: At {n}. Write to {MAILS[n % 6]}",
            "label": f"They meet at {n}.",
            "values": [MAILS[n % 6]],
        }
        for n in range(16)
    ]
    (inputs / "examples.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    ask = asking("context", inputs, server.url)
    assert run(*ask, "--generation", "--out", str(inputs / "out")) == 0
    found = tables(inputs / "out")
    defended = {(row[1], row[4]) for row in found["Defences with a stated epsilon"]}
    assert defended == {
        (name, epsilon)
        for name in ("Embedding-Space aggregation", "Keyword-Space aggregation")
        for epsilon in (1, 2, 4, 8)
    }
    assert found["Utility without a defence"][0][1] == 2  # two held-out dialogues, by ROUGE-1
    # The same folder is no folder of a classification.
    assert run(*ask, "--out", str(inputs / "out")) == 2


def test_a_query_and_a_view_are_chosen(inputs: Path, server: Server) -> None:
    ask = [*asking("context", inputs, server.url), "--query", "if-then-not-explicit", "--view", "histogram"]
    assert run(*ask, "--out", str(inputs / "out")) == 0
    found = tables(inputs / "out")
    assert {row[2] for row in found["Attacks on single answers"]} == {"if-then-not-explicit"}
    assert {row[3] for row in found["Defences with a stated epsilon"]} == {"histogram"}


def test_votes_by_likelihood_are_asked_for(inputs: Path, server: Server) -> None:
    ask = [*asking("context", inputs, server.url), "--running-text", "--out", str(inputs / "out")]
    assert run(*ask, "--votes", "likelihood") == 0
    of_likelihood = server.answering.asked
    server.reset()
    assert run(*ask[:-1], str(inputs / "answers")) == 0
    # A vote by likelihood scores each label and writes nothing, so the same runs ask another number of questions.
    assert of_likelihood != server.answering.asked
    assert tables(inputs / "out")["Defences with a stated epsilon"]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--canary", "unigrams"], "--canary unigrams needs the model's tokenizer. Audit its folder"),
        (["--canary", "emoji"], "--canary: expected hexadecimal, unigrams or false-fact"),
        (["--query", "rhyme"], "--query: expected input-output, if-then-explicit or if-then-not-explicit"),
        (["--view", "nothing"], "--view: expected label or histogram"),
        (["--votes", "hands"], "--votes: expected answer or likelihood"),
        (["--generation", "--votes", "answer"], "--votes does nothing with --generation"),
    ],
)
def test_what_cannot_be_asked_for_exits_two_and_says_what_can(
    options: list[str], says: str, inputs: Path, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*asking("context", inputs, server.url), *options, "--out", str(inputs / "out")) == 2
    assert says in capsys.readouterr().err
    assert not (inputs / "out").exists()


def test_generation_takes_examples(server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("context", server.url, "--generation", "--out", str(tmp_path / "out")) == 2
    assert "--generation does nothing without --examples" in capsys.readouterr().err


def test_unigrams_are_of_a_folders_tokenizer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    made = list[Any]()
    original = context_settings.Settings

    def recorded(**given: Any) -> Any:
        made.append(original(**given))
        return made[-1]

    monkeypatch.setattr(context_settings, "Settings", recorded)
    monkeypatch.setattr(session, "run_audit", lambda *given: 0)
    assert run("context", HOST, "--canary", "unigrams", "--out", str(tmp_path / "out")) == 0
    [asked] = made
    assert asked.canaries == ("unigrams",)
    assert asked.vocabulary is not None and len(asked.vocabulary) > 500
    assert "vocabulary" not in repr(asked)


def test_the_vocabulary_leaves_special_tokens_out_and_calls_high_ids_rare() -> None:
    class Tokenizer:
        all_special_ids = (0,)

        def get_vocab(self) -> dict[str, int]:
            return {"<s>": 0, "the": 1, "Ġzygote": 2}

    assert vocabulary_of(Tokenizer()) == {"the": -1.0, "Ġzygote": -2.0}
