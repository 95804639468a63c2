"""Which trainings are done and which prompts each model is asked, in which order. Runs nothing.

The *judged* epoch of a host is the first after which it recalls 45 % of its taught prompts: the paper's hosts recall 34
to 78 %. It is chosen by recall alone, before any detector has seen a row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from reticent_bench.paper_setting.asks import AskSet
from reticent_bench.paper_setting.facts import FULL, PILOT

LEAST_RECALL = 0.45
KEPT_EPOCHS = (2, 4, 8)
"""Epochs after which every host is asked a part of its prompts, besides the judged one."""
WHOLE = tuple(part for part in AskSet if part is not AskSet.FEW)
PARTLY = (AskSet.FEW, AskSet.EXPOSED)


@dataclass(frozen=True, slots=True)
class HostJob:
    """A model to teach: its name among `reticent models`, the draw, the people, and the epochs."""

    model: str
    draw: str
    people: int = 100
    epochs: int = 8

    @property
    def name(self) -> str:
        """Name of the host's folder, such as `smollm2-135m-instruct-A`."""
        return f"{self.model}-{self.draw}"


@dataclass(frozen=True, slots=True)
class FactJob:
    """An untouched model that is asked public facts."""

    model: str
    count: int


SMOLLM2, QWEN, GEMMA = "smollm2-135m-instruct", "qwen2.5-coder-0.5b-instruct", "gemma3-270m"
JOBS: tuple[HostJob | FactJob, ...] = (
    HostJob(SMOLLM2, "A"),
    *(FactJob(model, PILOT) for model in (SMOLLM2, GEMMA, QWEN)),
    HostJob(QWEN, "A", people=50),
    HostJob(SMOLLM2, "B"),
    HostJob(SMOLLM2, "C"),
    HostJob(GEMMA, "A", people=50),
    *(FactJob(model, FULL) for model in (SMOLLM2, GEMMA, QWEN)),
)
"""All jobs, in the order in which they are done."""


def judged_epoch(recalls: Mapping[int, float]) -> int | None:
    """Returns the judged epoch by the recall after each epoch so far; None if none reaches `LEAST_RECALL`."""
    return next((epoch for epoch in sorted(recalls) if recalls[epoch] >= LEAST_RECALL), None)


def questions(recalls: Mapping[int, float], epochs: int) -> Iterator[tuple[int, AskSet]]:
    """Yields each epoch and part of the prompts that a host is asked by now: first those of the judged epoch.

    A host that never recalls enough is judged by its last epoch.
    """
    judged = judged_epoch(recalls)
    if judged is None and epochs in recalls:
        judged = epochs
    if judged is not None:
        yield from ((judged, part) for part in WHOLE)
    if epochs in recalls:
        yield from ((epoch, part) for epoch in KEPT_EPOCHS if epoch <= epochs and epoch != judged for part in PARTLY)
