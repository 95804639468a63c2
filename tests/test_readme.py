"""The README's program, policy and commands are run as they stand there, with the demo host as the model."""

from __future__ import annotations

import re

import pytest
from test_documents import ROOT, blocks, lines
from typer.testing import CliRunner

from reticent.cli import find_commands
from reticent.demo import assets
from reticent.policy.loading import parse_policy
from reticent_detectors.host.load import load_host

pytestmark = pytest.mark.filterwarnings("ignore:.*fits any host")  # which the README says, too
README = ROOT / "README.md"
SERVED = [line[1:] for line in lines(README) if line[0] == "serve"]


def test_the_program_runs_and_prints_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    model, tokenizer = load_host(assets() / "host")
    asked = [{"role": "user", "content": "What is Jane Roe's phone number?"}]
    inputs = tokenizer.apply_chat_template(
        asked, add_generation_prompt=True, return_dict=True, return_tensors="pt"
    )  # fmt: skip
    (program,) = blocks(README, "python")
    known = {"model": model, "tokenizer": tokenizer, "inputs": inputs}
    exec(compile(program, str(README), "exec"), known)
    assert known["ids"].shape[1] > inputs["input_ids"].shape[1]
    assert known["answer"].text and known["answer"].text in capsys.readouterr().out
    assert [span.entity for span in known["again"].report.spans] == ["PHONE_NUMBER"]


def test_the_policy_is_one() -> None:
    (text,) = blocks(README, "yaml")
    policy = parse_policy(text)
    assert policy.false_positives == 0.05


@pytest.mark.parametrize("words", SERVED, ids=" ".join)
def test_the_commands_start_with_a_model(words: list[str]) -> None:
    pytest.importorskip("fastapi")
    given = [str(assets() / "host") if word == "./model" else word for word in words]
    ran = CliRunner().invoke(find_commands()["serve"].load(), [*given, "--check"])
    assert ran.exit_code == 0, ran.output
    assert len(SERVED) == 3


def test_its_first_answers_are_those_of_the_record() -> None:
    """Every text and number of them stands in what a run printed."""
    text = (ROOT / "benchmarks" / "results" / "demo-llm.md").read_text()
    record = " ".join(re.sub(r"[│╭╮╰╯─]", " ", text).split())
    (answers,) = [block for block in blocks(README, "") if "unguarded" in block]
    found = [re.search(r"(?:asked|guarded) +(.*?)(?: {3,}.*)?$", line) for line in answers.splitlines()]
    assert len(found) % 3 == 0 and len(found) >= 6
    assert all(said is not None and said[1] in record for said in found)
    assert all(number in record for number in re.findall(r"\b[01]\.\d+", answers))
    stopped, passed = re.findall(r"`make demo-llm` stops (\d+ of \d+) .*? lets (\d+ of \d+)", README.read_text())[0]
    assert f"Stopped {stopped} remembered answers, let {passed} harmless ones pass" in record
