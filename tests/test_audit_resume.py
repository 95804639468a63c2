"""Each audit by its command line: killed and resumed, out of budget and continued, and its limits."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from audit_server import FILES, Server, asking, run, write_inputs
from test_serve_command import ROOT, command, environment

from reticent_bench.audits import session
from reticent_bench.audits.report import Limit, Report
from reticent_bench.audits.resumable_attempts import AttemptLog

AUDITS = ("extraction", "membership", "inversion", "cues", "context", "code")
Run = Callable[..., int]


class Killed(BaseException):
    """Stands for a signal that no code can catch."""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    server = Server.start()
    yield server
    server.scripted.close()


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inputs")
    write_inputs(folder)
    return folder


@pytest.fixture(scope="module")
def whole(server: Server, inputs: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of an audit that ran through."""
    folder = tmp_path_factory.mktemp("whole")

    def ran(name: str) -> Path:
        if not (folder / name).exists():
            assert run(*asking(name, inputs, server.url), "--out", str(folder / name)) == 0
        return folder / name

    return ran


def without_times(folder: Path) -> dict[str, str]:
    """The report's files without date, time and the command that made them, which names the options."""
    out = {}
    for name in FILES:
        text = re.sub(r"\d{4}-\d\d-\d\d", "DATE", (folder / name).read_text())
        text = re.sub(r'("command": ")[^\n]*(",)', r"\1\2", text)
        text = re.sub(r'("spent": )\{[^}]*\}', r"\1", text)
        text = re.sub(r" It took [^\n<]*", "", text)
        out[name] = re.sub(r"Made by .*? \(seed", "Made by (seed", text)
    return out


def dies_at_line(monkeypatch: pytest.MonkeyPatch, line: int, cut: Callable[[str], str]) -> None:
    """The process ends while it writes a line of its attempt log; what `cut` gives of it is on the disk."""
    append, written = AttemptLog._append, count()

    def torn(log: AttemptLog, row: dict[str, Any]) -> None:
        number = next(written)
        if number < line:
            append(log, row)
        elif number == line:
            with log.path.open("a", encoding="utf-8") as file:
                file.write(cut(json.dumps(row) + "\n"))
            raise Killed

    monkeypatch.setattr(AttemptLog, "_append", torn)


def dies_in_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    def torn(folder: Path, report: Report, limits: list[Limit]) -> None:
        (folder / "report.json").write_text('{"audit": "')
        raise Killed

    monkeypatch.setattr(session, "write_report", torn)


Kill = Callable[[pytest.MonkeyPatch], None]
OFTEN: tuple[Kill, ...] = (
    lambda patch: dies_at_line(patch, 1, lambda line: line[: len(line) // 2]),  # in an attempt, or in a block of them
    dies_in_the_report,
)
KILLS: dict[str, tuple[Kill, ...]] = {
    **dict.fromkeys(AUDITS, OFTEN),
    **dict.fromkeys(
        ("cues", "context", "code"),
        (lambda patch: dies_at_line(patch, 3, lambda line: line[: 3 * len(line) // 4]), *OFTEN),  # in a later block
    ),
    "extraction": (
        lambda patch: dies_at_line(patch, 0, lambda line: line[: len(line) // 2]),  # in the settings
        lambda patch: dies_at_line(patch, 2, lambda line: line[:-1]),  # before the end of its line
        *OFTEN,
    ),
}


@pytest.mark.parametrize("name", AUDITS)
def test_an_audit_that_was_killed_in_many_places_gives_the_same_report(
    name: str, server: Server, inputs: Path, whole: Callable[[str], Path], tmp_path: Path
) -> None:
    ask = [*asking(name, inputs, server.url), "--out", str(tmp_path / "a")]
    for kill in KILLS[name]:
        with pytest.MonkeyPatch.context() as patch, pytest.raises(Killed):
            kill(patch)
            run(*ask)
    assert run(*ask) == 0
    assert without_times(tmp_path / "a") == without_times(whole(name))
    kept = [json.loads(line) for line in (tmp_path / "a" / "attempts.jsonl").read_text().splitlines()]
    keys = [each["key"] for row in kept for each in row.get("block", [row]) if "key" in each]
    assert len(keys) == len(set(keys))  # nothing was asked for twice


def test_a_process_that_is_killed_between_attempts_goes_on(
    server: Server, inputs: Path, whole: Callable[[str], Path], tmp_path: Path
) -> None:
    ask = [*asking("code", inputs, server.url), "--out", str(tmp_path / "a")]
    process = subprocess.Popen(
        command("audit", *ask), env=environment(), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )

    def kill(number: int) -> None:
        if number == first + 60:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()

    first, server.answering.before = server.answering.asked, kill
    try:
        assert process.wait(timeout=300) == -signal.SIGKILL
    finally:
        process.kill()
        server.answering.before = lambda number: None
    assert not (tmp_path / "a" / "report.json").exists()
    asked = server.answering.asked
    assert run(*ask) == 0
    assert without_times(tmp_path / "a") == without_times(whole("code"))
    assert server.answering.asked - asked < 90  # what the killed process kept is not asked again


@pytest.mark.parametrize("name", AUDITS)
def test_a_spent_budget_exits_three_and_a_larger_one_goes_on_to_the_same_report(
    name: str,
    server: Server,
    inputs: Path,
    whole: Callable[[str], Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ask = [*asking(name, inputs, server.url), "--out", str(tmp_path / "a")]
    for option, unit in (
        ("--max-calls=3", "3 calls"),
        ("--max-tokens=20", "20 tokens"),
        ("--max-minutes=1e-9", "1e-09 minutes"),
    ):
        assert run(*ask, option) == 3
        printed = capsys.readouterr().err
        assert f"The budget of {unit} is spent; raise {option.split('=')[0]} to continue." in printed
        assert json.loads((tmp_path / "a" / "report.json").read_text())["complete"] is False
    assert run(*ask, "--max-calls=100000", "--max-tokens=10000000", "--max-minutes=10000") == 0
    assert without_times(tmp_path / "a") == without_times(whole(name))


@pytest.mark.parametrize("name", AUDITS)
def test_a_limit_holds_the_upper_end_and_what_was_not_measured_passes_none(
    name: str, server: Server, inputs: Path, whole: Callable[[str], Path], tmp_path: Path
) -> None:
    shutil.copytree(whole(name), tmp_path / "a")
    ask = [*asking(name, inputs, server.url), "--out", str(tmp_path / "a")]
    figures = json.loads((tmp_path / "a" / "report.json").read_text())["figures"]
    figure, (value, _, high) = next((k, v) for k, v in figures.items() if v is not None and v[0] < v[2])
    asked = server.answering.asked
    assert run(*ask, "--fail-above", f"{figure}={(value + high) / 2}") == 1
    missing = [f"{k}=1000" for k, v in figures.items() if v is None][:1]
    assert bool(missing) == (name in UNMEASURED)
    limits = [part for limit in (f"{figure}={high}", *missing) for part in ("--fail-above", limit)]
    assert run(*ask, *limits) == (3 if missing else 0)
    assert ("so the limit 1000 is not kept" in (tmp_path / "a" / "junit.xml").read_text()) == bool(missing)
    assert server.answering.asked - asked <= 2 * 2 * 2  # what the server offers is found out again, no more


UNMEASURED = ("membership", "cues")
"""Audits with a headline figure that the scripted server does not let measure."""


def test_a_server_that_tells_less_than_before_does_not_continue_the_folder(
    server: Server, inputs: Path, whole: Callable[[str], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(whole("extraction"), tmp_path / "a")
    server.answering.echoes = False
    try:
        assert run(*asking("extraction", inputs, server.url), "--out", str(tmp_path / "a")) == 2
    finally:
        server.answering.echoes = True
    assert "made with other settings (scores_text)" in capsys.readouterr().err
    assert without_times(tmp_path / "a") == without_times(whole("extraction"))
