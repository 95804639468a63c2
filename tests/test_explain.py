"""`reticent explain`: a decision in plain words, and whether the log that it stands in holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from reticent import cli
from reticent.commands.explain import app
from reticent.core.report import Report
from reticent.core.stream_types import SpanRecord
from reticent.observability.decision_chain import head_path
from reticent.observability.decision_log import DecisionLog
from reticent.observability.decision_sentences import ACTIONS, ORIGINS, REASONS, TIERS, WOULD, sentences
from reticent.observability.observers import Observation, Outcome
from reticent.policy.verdict import Action, Decision, Origin, Reason, Tier, Verdict
from reticent_detectors.errors import InputError

KEY = bytes(range(32))
REQUEST = "ab" * 16
MEMORIZED = Decision(Action.REDACT, Verdict(Origin.MEMORIZED, 0.97, 0.25, Tier.HIDDEN), suppress=True)
TYPED = Decision(Action.ALLOW, Verdict(Origin.ECHOED, None, 1.0, Tier.TEXT))
MONITORED = Decision(Action.BLOCK, Verdict(Origin.MEMORIZED, None, 0.0, Tier.RECORDS)).monitored()
FAILED = Decision(Action.REDACT, Verdict(Origin.UNKNOWN, None, 0.0, Tier.TEXT), reason=Reason.FAILURE)
DECISIONS = {"1": MEMORIZED, "2": TYPED, "3": MONITORED, "4": FAILED}


def ident(digit: str) -> str:
    return digit * 16


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.jsonl"
    writer = DecisionLog(path, KEY, clock=lambda: 1_900_000_000.0)
    for digit, decision in DECISIONS.items():
        start = -4 if digit == "2" else 34
        record = SpanRecord(
            "PHONE_NUMBER", start, start + 12, digit == "4", "phone", decision, 12, 5, 0.1, ident(digit)
        )
        report = Report((record,), 100, 90, 30, 9, 0.25, (), True, False, False)
        writer.on_answer(
            Observation(REQUEST, 0, report, Outcome.of(report), {}, thresholds={"PHONE_NUMBER": 0.61}, policy="aa11")
        )
    (tmp_path / "key").write_text(KEY.hex())
    return path


def run(log: Path, *arguments: str, key: bool = True) -> Result:
    options = ["--log", str(log), *(["--key-file", str(log.parent / "key")] if key else [])]
    return CliRunner().invoke(app, [*arguments, *options], env={"COLUMNS": "200"})


def words(result: Result) -> str:
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return " ".join(result.output.replace("│", " ").split())


@pytest.mark.parametrize("arguments", [["--verify", "nope.jsonl"], ["logs/decisions"]])
def test_a_file_given_for_an_id_is_reported(log: Path, arguments: list[str]) -> None:
    error = run(log, *arguments).exception
    assert isinstance(error, InputError) and f"--log {arguments[-1]}" in str(error)


def test_a_redaction_in_plain_words(log: Path) -> None:
    result = run(log, ident("1"))
    assert result.exit_code == 0
    explained = words(result)
    assert "PHONE_NUMBER 1111111111111111" in explained
    assert "12 characters, 34 to 46 of the answer." in explained
    assert "It was redacted, because the policy's rule for this entity and origin says so." in explained
    assert (
        "Origin: memorized (the model's weights remembered it). This rests on the model's hidden states." in explained
    )
    assert "Probability that the weights remembered it: 0.970; the threshold was 0.610." in explained
    assert "The prompt gave away 25% of its 12 characters." in explained
    assert "12 characters, 5 tokens" in explained
    assert "aa11" in explained and "2030-03-17T17:46:40" in explained and "bundle not known" in explained
    assert "The chain holds over 4 lines." in explained


@pytest.mark.parametrize(
    ("digit", "expected"),
    [
        ("2", "the last 4 of the prompt and the first 8 of the answer."),
        ("2", "the user had typed it"),
        ("3", "It was let pass, because the policy only monitors; the answer would have been stopped at it"),
        ("3", "the index of the owner's records"),
        ("4", "The answer ended within it."),
        ("4", "something in the judging path failed"),
    ],
)
def test_other_decisions(log: Path, digit: str, expected: str) -> None:
    assert expected in words(run(log, ident(digit)))


def test_what_was_not_measured_is_not_printed(log: Path) -> None:
    explained = words(run(log, ident("3")))
    assert "Probability" not in explained and "gave away" not in explained


def test_a_request_has_all_its_decisions(log: Path) -> None:
    assert words(run(log, REQUEST)).count("PHONE_NUMBER") == 4


def test_json(log: Path) -> None:
    report = json.loads(run(log, ident("1"), "--json").output)
    (decision,) = report["decisions"]
    assert (decision["line"], decision["intact"], decision["entity"]) == (1, True, "PHONE_NUMBER")
    assert "It was redacted" in decision["says"][1]
    assert report["chain"]["holds"] and report["chain"]["lines"] == 4 and report["chain"]["end_checked"]


def test_an_unknown_id_is_a_clear_error(log: Path) -> None:
    for more in ([], ["--json"]):
        result = run(log, "feedfacefeedface", *more)
        assert isinstance(result.exception, InputError)
        assert "an answer in which nothing was found leaves none. The chain holds" in str(result.exception)
        assert result.output == ""


@pytest.mark.parametrize("arguments", [[], [""]])
def test_no_id(log: Path, arguments: list[str]) -> None:
    assert isinstance(run(log, *arguments).exception, InputError)


def test_a_broken_chain_is_said_with_the_explanation(log: Path) -> None:
    log.write_bytes(log.read_bytes().replace(b'"id":"2222222222222222"', b'"id":"9999999999999999"'))
    result = run(log, ident("1"))
    assert result.exit_code == 1
    assert "It was redacted" in words(result) and "The chain is broken: line 2 was edited" in words(result)
    edited = run(log, ident("9"))
    assert edited.exit_code == 1
    assert "This line does not fit its hash" in words(edited)
    assert json.loads(run(log, ident("9"), "--json").output)["decisions"][0]["says"] == []
    after = run(log, ident("4"))
    assert after.exit_code == 1 and "something in the judging path failed" in words(after)


@pytest.mark.parametrize("json_too", [True, False])
def test_verify_checks_the_whole_log(log: Path, json_too: bool) -> None:
    more = ["--json"] if json_too else []
    assert run(log, "--verify", *more).exit_code == 0
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:3]))
    result = run(log, "--verify", *more)
    assert result.exit_code == 1
    if json_too:
        chain = json.loads(result.output)["chain"]
        assert (chain["holds"], chain["problem"], chain["line"]) == (False, "truncated", 4)
    else:
        assert "lines are missing at the end, from line 4 on" in words(result)
    head_path(log).unlink()
    assert run(log, "--verify", *more).exit_code == 0
    assert "not checkable" in words(run(log, "--verify"))


def test_the_wrong_key_breaks_the_chain(log: Path) -> None:
    result = run(log, "--verify", key=False)
    assert result.exit_code == 1 and "written with another key" in words(result)


def test_files_that_cannot_be_read(
    log: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert isinstance(run(log.parent / "none", "--verify").exception, FileNotFoundError)
    (log.parent / "key").write_text("no key")
    assert isinstance(run(log, "--verify").exception, InputError)


def test_the_environment_names_log_and_key(log: Path) -> None:
    env = {"RETICENT_DECISION_LOG": str(log), "RETICENT_DECISION_KEY_FILE": str(log.parent / "key")}
    assert CliRunner().invoke(app, ["--verify"], env=env).exit_code == 0


def test_a_line_of_another_version_is_said_to_be_one() -> None:
    fields: dict[str, Any] = {"action": "redact", "origin": "dreamt"}
    with pytest.raises(InputError, match="this version does not know"):
        sentences(fields)


def test_what_the_base_model_gave_is_said_and_older_lines_stay_readable(tmp_path: Path) -> None:
    line = {
        **{
            "action": "allow",
            "origin": "pretrained",
            "reason": "rule",
            "tier": "hidden",
            "would": None,
            "chars": 8,
            "fragment": False,
        },
        **{"start": 0, "end": 8, "probability": 0.9, "threshold": 0.5, "cue": 0.0, "held_chars": 8, "held_tokens": 2},
    }
    older = sentences(line)
    explained = sentences({**line, "base": -0.1234})
    assert (
        "Origin: pretrained (the base model, which never saw the private records, says it as surely)." in explained[2]
    )
    assert [sentence for sentence in explained if sentence not in older] == [
        "Mean log-probability per token under the base model: -0.123 nats."
    ]


def test_every_word_of_a_verdict_has_a_sentence() -> None:
    assert set(ORIGINS) == set(Origin) and set(ACTIONS) == set(Action)
    assert set(REASONS) == set(Reason) and set(TIERS) == set(Tier)
    assert set(WOULD) == {action for action in Action if action.stops}


def test_the_command_is_declared() -> None:
    text = (Path(__file__).parent.parent / "pyproject.toml").read_text()
    assert 'explain = "reticent.commands.explain:app"' in text and 'doctor = "reticent.commands.doctor:app"' in text
    assert cli.GROUP == "reticent.commands"
