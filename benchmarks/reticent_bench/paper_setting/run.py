"""Trains and asks, one job after another, and goes on where it was stopped.

    nice -n 19 taskset -c 1 env OMP_NUM_THREADS=1 python -m reticent_bench.paper_setting.run RUNS MODELS DATA

Each job leaves what it made and is not done again. It may be killed at any moment. A job whose model is not in MODELS
is left out. With --say it does nothing and says how far the runs are.
"""

from __future__ import annotations

import argparse
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from reticent_bench.paper_setting.answer_shards import ask_all
from reticent_bench.paper_setting.asks import AskSet, Owners, asks
from reticent_bench.paper_setting.draws import draw
from reticent_bench.paper_setting.facts import fact_asks, fact_owner
from reticent_bench.paper_setting.freed_memory import give_back
from reticent_bench.paper_setting.greedy import in_bfloat16, stop_ids
from reticent_bench.paper_setting.jobs import JOBS, FactJob, HostJob, judged_epoch, questions
from reticent_bench.paper_setting.lessons import times_taught
from reticent_bench.paper_setting.taught_run import LONGEST, TaughtHost, recall, train
from reticent_bench.paper_setting.where import adapter_folder, answers_folder, facts_folder, kept_recalls
from reticent_detectors.errors import InputError
from reticent_detectors.host.load import load_host
from reticent_detectors.long_runs.progress import Advance, shown

FACT_TOKENS = 24
"""Most tokens of an answer to a public fact."""


@dataclass(frozen=True, slots=True)
class Folders:
    """Where the runs, the models and the data are."""

    runs: Path
    models: Path
    data: Path


def teach_and_ask(job: HostJob, folders: Folders, steps: Advance, files: Advance) -> None:
    """Trains a host epoch by epoch. Asks what can be asked after each, the judged epoch before all others."""
    host = taught_host(job, folders)

    def progress(phase: str, step: int, total: int, loss: float) -> None:
        steps(phase, step, total, f"loss {loss:.3f}")
        give_back()

    for epoch in range(1, host.epochs + 1):
        train(host, folders.runs, folders.data, epoch, progress=progress)
        recalls = {at: recall(host, folders.runs, at)["all"] for at in range(1, epoch + 1)}
        print(f"{host.name} epoch {epoch}: recall {recalls[epoch]:.3f}", flush=True)
        for at, part in questions(recalls, host.epochs):
            ask_host(host, at, part, folders, files)


def taught_host(job: HostJob, folders: Folders) -> TaughtHost:
    """Returns what a job teaches."""
    return TaughtHost(job.name, folders.models / job.model, job.draw, job.people, job.epochs)


def ask_host(host: TaughtHost, epoch: int, part: AskSet, folders: Folders, files: Advance) -> None:
    """Asks a taught host, and reads its answers with the untouched model."""
    people = host.people_of()
    times = times_taught(people, epoch, host.epochs)
    phase = f"ask {host.name} epoch {epoch} {part}"

    def load() -> tuple[Any, Any, Any, frozenset[int]]:
        model, tokenizer = load_host(adapter_folder(folders.runs, host.name, epoch))
        base, _ = load_host(host.model)
        stops = stop_ids(base, tokenizer)
        return _ready(model.merge_and_unload()), _ready(base), tokenizer, stops

    ask_all(
        asks(people, part),
        answers_folder(folders.runs, host.name, epoch, part),
        load,
        Owners(people),
        lambda ask: times.get((ask.subject, ask.kind), 0),
        LONGEST,
        lambda done, total: files(phase, done, total),
    )


def ask_facts(job: FactJob, folders: Folders, files: Advance) -> None:
    """Asks an untouched model public facts."""

    def load() -> tuple[Any, Any, Any, frozenset[int]]:
        model, tokenizer = load_host(folders.models / job.model)
        return _ready(model), None, tokenizer, stop_ids(model, tokenizer)

    ask_all(
        fact_asks(folders.data, job.count),
        facts_folder(folders.runs, job),
        load,
        fact_owner,
        lambda ask: 0,
        FACT_TOKENS,
        lambda done, total: files(f"ask {job.model} facts", done, total),
    )


def _ready(model: Any) -> Any:
    model.set_attn_implementation("eager")
    quick = torch.ops.mkldnn._is_mkldnn_bf16_supported()
    return (in_bfloat16(model) if quick else model).eval()


@contextmanager
def alone(runs: Path) -> Iterator[None]:
    """Keeps a second run out of the same folder, and writes this process's number to `pid`.

    Raises InputError if another run holds the folder.
    """
    runs.mkdir(parents=True, exist_ok=True)
    with (runs / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(f"{runs} is in use by another run; its process is in {runs / 'pid'}.") from None
        (runs / "pid").write_text(f"{os.getpid()}\n")
        try:
            yield
        finally:
            (runs / "pid").unlink(missing_ok=True)


def how_far(folders: Folders) -> Iterator[str]:
    """Yields a line for each job: what is done of it."""
    for job in JOBS:
        if isinstance(job, FactJob):
            made = len(list(facts_folder(folders.runs, job).glob("*.npz")))
            yield f"{job.model}, {job.count} facts: {made} of {-(-job.count // 256)} files"
            continue
        recalls = kept_recalls(folders.runs, job)
        yield f"{job.name}: recall {recalls or 'not yet'}, judged epoch {judged_epoch(recalls) or 'open'}"
        for epoch, part in questions(recalls, job.epochs):
            made = len(list(answers_folder(folders.runs, job.name, epoch, part).glob("*.npz")))
            yield f"  epoch {epoch}, {part}: {made} of {-(-len(asks(draw(job.draw, job.people), part)) // 256)} files"


def main() -> None:
    """Does all jobs that are left."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path, help="folder for what is made; holds `pid` while this runs")
    parser.add_argument("models", type=Path, help="folder of the checkpoints, by their names of `reticent models`")
    parser.add_argument("data", type=Path, help="folder with squad-subset, xquad and llm-factoscope")
    parser.add_argument("--say", action="store_true", help="only say how far the runs are")
    arguments = parser.parse_args()
    folders = Folders(arguments.runs, arguments.models, arguments.data)
    if arguments.say:
        print("\n".join(how_far(folders)))
        return
    torch.set_num_threads(1)
    with alone(folders.runs), shown("step") as steps, shown("file") as files:
        for job in JOBS:
            if not (folders.models / job.model).is_dir():
                print(f"{job.model} is not in {folders.models}; left out", flush=True)
            elif isinstance(job, FactJob):
                ask_facts(job, folders, files)
            else:
                teach_and_ask(job, folders, steps, files)


if __name__ == "__main__":
    main()
