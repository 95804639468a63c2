"""Where the runs keep what they make, by host, epoch and part of the prompts."""

from __future__ import annotations

import json
from pathlib import Path

from reticent_bench.paper_setting.asks import AskSet
from reticent_bench.paper_setting.jobs import FactJob, HostJob


def adapter_folder(runs: Path, name: str, epoch: int) -> Path:
    """Returns where a host's adapter after an epoch is."""
    return runs / name / f"epoch-{epoch}"


def recall_file(runs: Path, name: str, epoch: int) -> Path:
    """Returns where a host's recall after an epoch is."""
    return adapter_folder(runs, name, epoch) / "recall.json"


def answers_folder(runs: Path, name: str, epoch: int, part: AskSet) -> Path:
    """Returns where the answers of a host to a part of the prompts are."""
    return runs / name / f"answers-{epoch}" / part


def facts_folder(runs: Path, job: FactJob) -> Path:
    """Returns where the answers of an untouched model to public questions are."""
    return runs / "facts" / f"{job.model}-{job.count}"


def kept_recalls(runs: Path, job: HostJob) -> dict[int, float]:
    """Returns the share of right answers after each epoch that was measured so far."""
    files = {epoch: recall_file(runs, job.name, epoch) for epoch in range(1, job.epochs + 1)}
    return {epoch: json.loads(file.read_text())["all"] for epoch, file in files.items() if file.exists()}
