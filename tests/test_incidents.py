"""`reticent incidents`: which decisions it takes, how it counts them, what it reads, and that it shows no bad line."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from test_decision_log import span
from test_guard_metrics import OVERFLOW, PASSED, STOPPED
from test_serve_command import ROOT, environment
from typer.testing import CliRunner

from reticent.commands.incidents import app
from reticent.core.report import Report
from reticent.observability.decision_lines import MOST_LINE_BYTES, DecisionLine, in_order
from reticent.observability.decision_log import DecisionLog
from reticent.observability.incident_query import Counts, time_of
from reticent.observability.observers import Observation, Outcome
from reticent.policy.verdict import Action, Decision, Origin, Tier, Verdict
from reticent_detectors.errors import InputError

NOON = datetime(2030, 3, 1, 12, tzinfo=UTC)
FLAGGED = replace(PASSED, action=Action.FLAG)
MONITORED = Decision(Action.BLOCK, Verdict(Origin.MEMORIZED, 0.8, 0.0, Tier.RECORDS)).monitored()
SECRET = "555-0100"


def written(path: Path, *decided: tuple[str, Decision], begin: datetime = NOON, every_hours: float = 1) -> Path:
    """A log of decisions about values of these kinds, one after so many hours each."""
    now = begin
    log = DecisionLog(path, clock=lambda: now.timestamp())
    for number, (kind, decision) in enumerate(decided):
        now = begin + timedelta(hours=every_hours * number)
        record = replace(span(number, decision), entity=kind)
        report = Report((record,), 100, 90, 30, 9, 0.25, (), True, False, False)
        log.on_answer(Observation(f"{number:032x}", 0, report, Outcome.of(report), {}, policy="aa11", bundle="bb22"))
    return path


@pytest.fixture
def log(tmp_path: Path) -> Path:
    decided = [("PHONE_NUMBER", STOPPED), ("PHONE_NUMBER", PASSED), ("EMAIL_ADDRESS", FLAGGED), ("PERSON", MONITORED)]
    return written(tmp_path / "decisions.jsonl", *decided, ("PHONE_NUMBER", OVERFLOW))


def run(*arguments: object, **more: Any) -> Result:
    return CliRunner().invoke(app, [str(each) for each in arguments], env={"COLUMNS": "200"}, **more)


def rows(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def chosen(*arguments: object) -> list[int]:
    return [row["n"] for row in rows(run(*arguments, "--format", "jsonl"))]


# Which decisions


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], [0, 2, 3, 4]),
        (["--action", "allow"], [1]),
        (["--action", "block"], [3]),  # that monitoring prevented
        (["--action", "redact", "--action", "flag"], [0, 2, 4]),
        (["--kind", "phone_number"], [0, 4]),
        (["--kind", "PERSON", "--kind", "EMAIL_ADDRESS"], [2, 3]),
        (["--kind", "PHONE"], []),
        (["--origin", "memorized"], [0, 3]),
        (["--origin", "unknown", "--kind", "PHONE_NUMBER"], [4]),
        (["--since", "2030-03-01T14:00"], [2, 3, 4]),
        (["--since", "2030-03-01T14:30+01:00"], [2, 3, 4]),
        (["--until", "2030-03-01T14:00"], [0]),
        (["--since", "2030-03-01", "--until", "2030-03-02"], [0, 2, 3, 4]),
        (["--since", "2030-03-02"], []),
        (["--since", "2h"], [0, 2, 3, 4]),  # of the year 2030
    ],
)
def test_what_is_taken(log: Path, arguments: list[str], expected: list[int]) -> None:
    assert chosen(log, *arguments) == expected


def test_jsonl_has_the_logs_own_fields(log: Path) -> None:
    line = json.loads(log.read_text().splitlines()[0])
    (row,) = rows(run(log, "--format", "jsonl", "--until", "2030-03-01T12:30"))
    assert {**row, "time": ""} == {name: value for name, value in line.items() if name not in ("hash", "prev")} | {
        "time": ""
    }
    assert datetime.fromisoformat(row["time"]) == NOON


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2030-03-01", datetime(2030, 3, 1, tzinfo=UTC)),
        ("2030-03-01T12:00", NOON),
        ("2030-03-01T13:00+01:00", NOON),
        ("90m", NOON - timedelta(minutes=90)),
        ("24h", NOON - timedelta(hours=24)),
        ("7d", NOON - timedelta(days=7)),
        ("2w", NOON - timedelta(days=14)),
    ],
)
def test_a_time(text: str, expected: datetime) -> None:
    assert time_of(text, NOON) == expected


@pytest.mark.parametrize("text", ["", "soon", "7", "7y", "-1h", "2030-13-01", "9999999d"])
def test_no_time(text: str) -> None:
    with pytest.raises(InputError, match="A time is 2026-03-01"):
        time_of(text, NOON)


def test_times_that_hold_nothing_and_a_log_that_is_none(log: Path) -> None:
    error = run(log, "--since", "2030-03-02", "--until", "2030-03-01").exception
    assert isinstance(error, InputError) and "--since is not before --until" in str(error)
    assert isinstance(run(f"{log}.head").exception, InputError)
    assert isinstance(run(log.parent / "none").exception, FileNotFoundError)


# How they are counted


def test_the_table_counts_by_kind_and_time_and_lists_the_last(log: Path) -> None:
    result = run(log, "--last", "2")
    assert result.exit_code == 0, result.output
    words = [line.split() for line in result.stdout.replace("│", " ").splitlines()]
    assert result.stdout.startswith("4 incidents among 5 decisions, 2030-03-01 12:00 to 2030-03-01 16:00 (UTC).\n")
    assert ["PHONE_NUMBER", "memorized", "1", "1"] in words and ["PERSON", "memorized", "1", "1"] in words
    assert ["2030-03-01", "15:00", "1", "PERSON", "1"] in words
    listed = [line for line in words if line[-1:] in ([f"{number:016x}"] for number in range(5))]
    assert [line[2] for line in listed] == ["PERSON", "PHONE_NUMBER"]
    assert "would block" in result.stdout


def test_nothing_to_show(log: Path) -> None:
    assert run(log, "--kind", "IBAN_CODE").stdout == "No incidents among 5 decisions.\n"


@pytest.mark.parametrize(
    ("every_hours", "number", "first"),
    [(1, 30, "2030-03-01 12:00"), (24, 30, "2030-03-01"), (24, 300, "2030-03"), (24 * 31, 60, "2030")],
)
def test_times_are_counted_by_the_length_that_gives_few_rows(every_hours: int, number: int, first: str) -> None:
    counts, line = Counts(deque(maxlen=1)), decision_line()
    for step in range(number):
        counts.add(line.model_copy(update={"time": NOON + timedelta(hours=every_hours * step)}))
    found = counts.by_time
    assert next(iter(found)) == first and len(found) <= 48
    assert sum(kinds.total() for kinds in found.values()) == number


def decision_line(**more: Any) -> DecisionLine:
    return DecisionLine.model_validate_json(json.dumps({**FIELDS, **more}))


FIELDS: Mapping[str, Any] = {
    **{"kind": "decision", "n": 0, "id": "ab", "request": "cd", "choice": 0, "route": "chat", "entity": "PHONE_NUMBER"},
    **{"time": "2030-03-01T12:00:00.000+00:00", "origin": "memorized", "action": "redact", "reason": "rule"},
    **{"would": None, "tier": "hidden", "probability": 0.9, "cue": 0.0, "base": None, "threshold": 0.5, "start": 0},
    **{"end": 12, "chars": 12, "fragment": False, "held_chars": 12, "held_tokens": 3, "policy": "aa", "bundle": ""},
}


# What is read


def test_rotated_and_compressed_logs_are_read_in_their_order(tmp_path: Path, log: Path) -> None:
    older = written(tmp_path / "decisions.jsonl.1", ("PERSON", STOPPED), begin=NOON - timedelta(days=1))
    oldest = written(tmp_path / "oldest", ("IBAN_CODE", STOPPED), begin=NOON - timedelta(days=2))
    packed = tmp_path / "decisions.jsonl.2.gz"
    packed.write_bytes(gzip.compress(oldest.read_bytes()))
    given = [str(path) for path in sorted(tmp_path.glob("decisions.jsonl*"))]  # with their heads, as a shell gives them
    assert len(given) == 5
    assert in_order([*given, str(log)]) == [str(packed), str(older), str(log)]
    found = [row["entity"] for row in rows(run(*given, "--format", "jsonl"))]
    assert found == ["IBAN_CODE", "PERSON", "PHONE_NUMBER", "EMAIL_ADDRESS", "PERSON", "PHONE_NUMBER"]


BAD = {
    "no JSON": SECRET,
    "no object": json.dumps([SECRET]),
    "another kind of line": json.dumps({"kind": SECRET}),
    "an entity that is a value": json.dumps({**FIELDS, "entity": SECRET}),
    "an entity in small letters": json.dumps({**FIELDS, "entity": "kay", "more": SECRET}),
    "an id that is a value": json.dumps({**FIELDS, "id": SECRET}),
    "an unknown word": json.dumps({**FIELDS, "origin": SECRET}),
    "a field less": json.dumps({**FIELDS, "held_chars": SECRET}),
    "a number that is none": json.dumps({**FIELDS, "base": float("nan"), "more": SECRET}),
    "no time zone": json.dumps({**FIELDS, "time": "2030-03-01T12:00:00", "more": SECRET}),
    "not UTF-8": SECRET + "\udcff",
    "deep": "[" * 5000,
    "long": json.dumps({**FIELDS, "more": SECRET * MOST_LINE_BYTES}),
    "empty": "",
}


@pytest.mark.parametrize("form", ["table", "jsonl", "ocsf"])
def test_bad_lines_are_named_by_number_and_not_shown(form: str, tmp_path: Path, log: Path) -> None:
    good = log.read_bytes().splitlines(keepends=True)
    bad = [line.encode(errors="surrogateescape") + b"\n" for line in BAD.values()]
    repaired = json.dumps({"kind": "recovered", "what": "line"}).encode() + b"\n"
    mixed = tmp_path / "mixed"
    mixed.write_bytes(b"".join([good[0], *bad, repaired, *good[1:], b'{"kind": "dec']))
    result = run(mixed, "--format", form)
    assert result.exit_code == 1
    numbers = ", ".join(str(2 + number) for number in range(len(bad)))
    assert result.stderr == f"{mixed}: {len(bad)} lines are no decisions that this version can read: {numbers}\n"
    assert SECRET not in result.output and "[[" not in result.output
    if form == "table":
        assert "4 incidents among 5 decisions" in result.stdout
    else:
        assert len(result.stdout.splitlines()) == 4


def test_what_else_a_line_holds_is_not_shown(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text(json.dumps({**FIELDS, "more": SECRET}) + "\n")
    for form in ("table", "jsonl", "ocsf"):
        result = run(path, "--format", form)
        assert result.exit_code == 0 and SECRET not in result.output


def test_many_bad_lines_are_named_in_part(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("x\n" * 50)
    assert "50 lines are no decisions that this version can read: 1, 2, 3," in (said := run(tmp_path / "log").stderr)
    assert said.endswith(" 20 and 30 more\n")


@pytest.mark.parametrize("cut", [-1, -9, 40])
def test_a_damaged_archive_gives_what_it_holds(cut: int, tmp_path: Path, log: Path) -> None:
    packed = tmp_path / "log.gz"
    packed.write_bytes(gzip.compress(log.read_bytes())[:cut])
    result = run(packed, "--format", "jsonl")
    assert result.exit_code == 1 and "1 line is no decision" in result.stderr
    assert all(json.loads(line)["kind"] == "decision" for line in result.stdout.splitlines())


def test_the_standard_input_is_read_as_it_comes(log: Path) -> None:
    line = log.read_text().splitlines(keepends=True)[0]
    process = subprocess.Popen(
        [sys.executable, "-c", "from reticent.commands.incidents import app; app()", "-", "--format", "ocsf"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment(),
        cwd=ROOT,
    )
    with process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(line)
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["class_uid"] == 2006  # while the input is still open
        process.stdin.close()
        assert process.wait(30) == 0
