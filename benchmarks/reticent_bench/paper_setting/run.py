"""Runs the trainings and the asking, one job after another, and goes on where it was stopped.

    nice -n 19 taskset -c 1 env OMP_NUM_THREADS=1 python -m reticent_bench.paper_setting.run RUNS MODELS DATA

Each job leaves what it made, so it is not done again. It may be killed at any moment.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path

import torch

from reticent_bench.paper_setting.taught_run import TaughtHost, recall, train
from reticent_detectors.long_runs.progress import shown


def hosts(models: Path) -> list[TaughtHost]:
    """Returns what is taught, in this order."""
    return [TaughtHost("smollm2-A", models / "smollm2-135m-instruct", "A")]


def main() -> None:
    """Does all jobs that are left."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path, help="folder for what is made; holds `pid` while this runs")
    parser.add_argument("models", type=Path, help="folder of the checkpoints, by their names of `reticent models`")
    parser.add_argument("data", type=Path, help="folder with squad-subset, xquad and llm-factoscope")
    arguments = parser.parse_args()
    runs: Path = arguments.runs
    runs.mkdir(parents=True, exist_ok=True)
    (runs / "pid").write_text(f"{os.getpid()}\n")
    torch.set_num_threads(1)
    with shown("step") as advance:

        def progress(phase: str, step: int, steps: int, loss: float) -> None:
            advance(phase, step, steps, f"loss {loss:.3f}")

        for host in hosts(arguments.models):

            def measured(epoch: int, host: TaughtHost = host) -> None:
                print(f"{host.name} epoch {epoch}: recall {json.dumps(recall(host, runs, epoch))}", flush=True)

            train(host, runs, arguments.data, host.epochs, progress=progress, after_epoch=measured)


if __name__ == "__main__":
    main()
