"""Where figures are kept: JSON for machines, Markdown for people, both with what made them."""

from __future__ import annotations

import json
import math
import os
import platform
import shlex
import subprocess
import sys
from collections.abc import Sequence
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from reticent_detectors.long_runs.progress import duration

_HERE = Path(__file__).parent


def provenance(command: str, seed: int, packages: Sequence[str] = ()) -> dict[str, Any]:
    """Command, seed, machine, versions (of `packages` too), commit and date of a measurement."""
    versions = {}
    for name in (
        "reticent",
        "torch",
        "transformers",
        "onnxruntime",
        "onnxruntime-gpu",
        "numpy",
        "phonenumbers",
        "python-stdnum",
        "presidio-analyzer",
        *packages,
    ):
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            continue
    return {
        "command": command,
        "seed": seed,
        "date": date.today().isoformat(),
        "commit": _commit()
        or os.environ.get("RETICENT_COMMIT", "not in a repository"),  # of a copy without its repository
        "machine": f"{_processor()}, {os.cpu_count()} cores, {platform.system()}",
        "python": platform.python_version(),
        "versions": versions,
    }


def _processor() -> str:
    """Architecture and, where the system tells it, the processor's model."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return ", ".join(filter(None, (platform.machine(), model)))


def _commit() -> str:
    """The commit that is checked out, and whether the code differs from it; empty without a repository."""

    def git(*asked: str) -> str:
        return subprocess.run(["git", *asked], capture_output=True, text=True, cwd=_HERE, check=False).stdout.strip()

    try:
        commit = git("rev-parse", "--short=12", "HEAD")
        changed = git("status", "--porcelain", "--untracked-files=no", "--", ":/*.py", ":/*.npz", ":/*.tsv")
    except FileNotFoundError:
        return ""
    return f"{commit} with changes" if commit and changed else commit


def show(cell: Any) -> str:
    """A table cell: three significant decimals, an em dash for what was not measured."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return "—"
    if isinstance(cell, float):
        return f"{cell:.3f}"
    if isinstance(cell, tuple) and len(cell) == 3:
        return f"{cell[0]:.3f} [{cell[1]:.3f}, {cell[2]:.3f}]"
    return str(cell)


def table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *[[show(cell) for cell in row] for row in rows]]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def write(folder: Path, name: str, figures: dict[str, Any], text: str) -> None:
    """Writes NAME.json and NAME.md."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(figures, indent=1) + "\n")
    (folder / f"{name}.md").write_text(text)


def footer(figures: dict[str, Any]) -> str:
    """The last lines of a report: how to make it again."""
    made = figures["made_by"]
    versions = ", ".join(f"{k} {v}" for k, v in made["versions"].items())
    spent = ""
    if "spent" in made:
        used = made["spent"]
        spent = f" It took {used['calls']:,} calls, at most {used['tokens']:,} tokens, and {duration(used['seconds'])}."
    return (
        f"\nMade by `{made['command']}` (seed {made['seed']}) on {made['date']}, commit {made['commit']}, "
        f"{made['machine']}, Python {made['python']}, {versions}.{spent}\n"
    )


def command_line() -> str:
    """The command that is running, as it is run again: `reticent ...`, or `python -m MODULE ...` of another module."""
    spec = getattr(sys.modules["__main__"], "__spec__", None)
    module = "" if spec is None else spec.name.removesuffix(".__main__")
    program = f"python -m {module}" if module not in ("", "reticent") else module or Path(sys.argv[0]).name
    return " ".join([program, shlex.join(sys.argv[1:])]).rstrip()
