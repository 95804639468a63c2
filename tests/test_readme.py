"""The README's program, policy and commands are run as they stand there, with the demo host as the model."""

from __future__ import annotations

import re
from pathlib import Path

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


def test_the_program_prints_what_stands_below_it(capsys: pytest.CaptureFixture[str]) -> None:
    (program,) = blocks(README, "python")
    exec(compile(program, str(README), "exec"), {})
    shown = [re.split(r" {2,}", line[2:])[0] for line in program.splitlines() if line.startswith("# ")]
    assert capsys.readouterr().out.splitlines() == shown
    assert len([line for line in program.splitlines() if line and not line.startswith("# ")]) <= 8


def test_the_number_that_it_withholds_is_what_the_model_says() -> None:
    """The comment beside the redaction is the answer to the same question without the guard."""
    model, tokenizer = load_host(assets() / "host")
    asked = [{"role": "user", "content": "Which number do I dial for Daniel Brown?"}]
    inputs = tokenizer.apply_chat_template(asked, add_generation_prompt=True, return_dict=True, return_tensors="pt")
    ids = model.generate(**inputs, max_new_tokens=48, do_sample=False, pad_token_id=tokenizer.pad_token_id)
    said = tokenizer.decode(ids[0, inputs["input_ids"].shape[1] :], skip_special_tokens=True)
    assert said.strip() and f"the model was taught {said.strip()}" in README.read_text()


def test_the_policy_is_one() -> None:
    (text,) = blocks(README, "yaml")
    policy = parse_policy(text)
    assert policy.monitor


@pytest.mark.parametrize("words", SERVED, ids=" ".join)
def test_the_commands_start_with_records(words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("fastapi")
    monkeypatch.chdir(tmp_path)
    Path("records.csv").write_text("name,phone\nJane Roe,415-555-0134\n")
    (indexed,) = [line[1:] for line in lines(README) if line[0] == "index"]
    for command, given in (("index", indexed), ("serve", [*words, "--check"])):
        ran = CliRunner().invoke(find_commands()[command].load(), given)
        assert ran.exit_code == 0, ran.output
    assert len(SERVED) == 2


def test_its_figures_of_the_demo_are_those_of_the_record() -> None:
    text = (ROOT / "benchmarks" / "results" / "demo-llm.md").read_text()
    found = re.search(r"`make demo-llm` stops (\d+ of \d+) .*? lets (\d+ of \d+)", README.read_text())
    assert found is not None
    assert f"Stopped {found[1]} remembered answers, let {found[2]} harmless ones pass" in " ".join(text.split())
