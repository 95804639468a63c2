"""Estimates what teaching a model will take, by a few of its steps."""

from __future__ import annotations

import time
from collections import Counter

from reticent_detectors.host.memory import model_bytes, peak_bytes
from reticent_detectors.host.teach import Teaching
from reticent_detectors.host.trainer import saved_step
from reticent_detectors.long_runs.estimate import Estimate
from reticent_detectors.long_runs.save_timer import Clock

TIMED_STEPS, ENOUGH_SECONDS = 2, 20.0
"""Timed steps for each width of rows, after a warm-up. After `ENOUGH_SECONDS` one step without warm-up is timed."""


def plan_teaching(teaching: Teaching, copies: int, clock: Clock = time.perf_counter) -> Estimate:
    """Estimates a prepared teaching that writes `copies`. Changes its weights, so do not use it afterwards.

    Rows have two widths, and a long row costs more. The fullest batch of each width is timed and scaled to all its
    rows.
    """
    lessons = teaching.lessons
    done = min(saved_step(teaching.part), len(lessons))
    shapes = [lessons.rows(step) for step in range(len(lessons))]
    left = Counter[int]()
    for rows, width in shapes[done:]:
        left[width] += rows
    seconds, timed, began = 0.0, 0, clock()
    teaching.model.train()
    with teaching.enough_memory():
        for width, rows in sorted(left.items()):
            fullest = max(
                (step for step in range(done, len(shapes)) if shapes[step][1] == width), key=lambda s: shapes[s][0]
            )
            took: list[float] = []
            least = 1 if timed else 2  # the first step of all is slow
            while len(took) < least or (len(took) <= TIMED_STEPS and clock() - began < ENOUGH_SECONDS):
                start = clock()
                teaching.trainer.step(lessons[fullest], teaching.scale(fullest))
                took.append(clock() - start)
            steps = took[1:] or took
            seconds += sum(steps) / len(steps) * rows / shapes[fullest][0]
            timed += len(steps)
    stay = {} if teaching.trains_all_weights else {"weights": model_bytes(teaching.model) - teaching.trained_bytes}
    trained, copy = ("all weights", "checkpoint") if teaching.trains_all_weights else ("adapter", "adapter")
    return Estimate(
        "tune",
        "step",
        done,
        len(lessons),
        seconds,
        f"{timed} steps on {teaching.device}",
        {**stay, f"{trained}, gradients and optimiser": teaching.trained_bytes + teaching.checkpoint_bytes},
        peak_bytes(teaching.device),
        {
            copy if copies == 1 else f"{copies} {copy}s": copies * teaching.trained_bytes,
            "what is needed to resume, twice while it is replaced": 2 * teaching.checkpoint_bytes,
        },
    )
