"""What a table says of the code that made it."""

from __future__ import annotations

import platform
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from reticent_bench.report import result


def test_a_commit_whose_code_was_changed_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def git(*asked: str) -> None:
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *asked], cwd=tmp_path, check=True)

    monkeypatch.setattr(result, "_HERE", tmp_path)
    git("init", "-q")
    (tmp_path / "code.py").write_text("a = 1\n")
    (tmp_path / "page.md").write_text("a\n")
    git("add", ".")
    git("commit", "-qm", "one")
    commit = result.provenance("", 0)["commit"]
    assert len(commit) == 12
    (tmp_path / "page.md").write_text("b\n")
    assert result.provenance("", 0)["commit"] == commit  # a table is no code
    (tmp_path / "code.py").write_text("a = 2\n")
    assert result.provenance("", 0)["commit"] == f"{commit} with changes"


def test_the_command_can_be_pasted_into_a_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["reticent", "audit", "context", "model", "--instruction", "Say 'yes' or no."])
    monkeypatch.setattr(sys.modules["__main__"], "__spec__", None)
    line = result.command_line()
    assert shlex.split(line) == sys.argv
    monkeypatch.setattr("sys.argv", ["reticent"])
    assert result.command_line() == "reticent"


@pytest.mark.parametrize(
    ("cpuinfo", "named"),
    [("processor: 0\nmodel name\t: Some Core 3\n", ", Some Core 3, "), ("Hardware: a board\n", None)],
)
def test_the_machine_is_named_by_its_processor(
    cpuinfo: str, named: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cpuinfo").write_text(cpuinfo)
    monkeypatch.setattr(result, "Path", lambda name: tmp_path / "cpuinfo" if name == "/proc/cpuinfo" else Path(name))
    machine = result.provenance("", 0)["machine"]
    assert machine.startswith(platform.machine() + (named or ", ")) and "cores" in machine
