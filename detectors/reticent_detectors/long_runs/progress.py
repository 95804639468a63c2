"""Shows the progress of a long run: a bar on a terminal, else (as in a log file) a line about every half minute."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol, TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from reticent_detectors.long_runs.save_timer import Clock

FIRST_SECONDS, EVERY_SECONDS = 5.0, 30.0


class Advance(Protocol):
    """Takes phase, steps done, all steps and a note (`loss 0.42`) after each step."""

    def __call__(self, phase: str, done: int, total: int, note: str = "") -> None: ...


def unseen(phase: str, done: int, total: int, note: str = "") -> None:
    """Shows no progress."""


def duration(seconds: float) -> str:
    """Formats a duration to two digits: `40 s`, `9 min`, `2.5 h`."""
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    if seconds < 99.5 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def pace(seconds_each: float, unit: str) -> str:
    """Formats a rate: `2.1 s a step`, or `5.1 steps a second` if a step is shorter than a second."""
    if seconds_each < 1:
        return f"{1 / max(seconds_each, 1e-9):.1f} {unit}s a second"
    return f"{seconds_each:.1f} s {'an' if unit[:1] in tuple('aeio') else 'a'} {unit}"


class ProgressLines:
    """Writes a line when a phase begins, soon after, then about every half minute, and when the phase ends.

    The rate is the mean since the first report of the phase, so a resumed run does not count earlier steps.

    Args:
        unit: the unit that is counted, in the singular.
        write: takes one line of text without its end.
        clock: the time in seconds.
    """

    def __init__(self, unit: str, write: Callable[[str], None], clock: Clock = time.monotonic) -> None:
        self._unit, self._write, self._clock = unit, write, clock
        self._phase: str | None = None
        self._first, self._began, self._next = 0, 0.0, 0.0

    def __call__(self, phase: str, done: int, total: int, note: str = "") -> None:
        now = self._clock()
        begins = phase != self._phase
        if begins:
            self._phase, self._first, self._began, self._next = phase, done, now, now + FIRST_SECONDS
        elif now < self._next and done < total:
            return
        else:
            self._next = now + EVERY_SECONDS
        parts = [f"{phase} {done:,}/{total:,} {self._unit}s", *([note] if note else [])]
        if done > self._first:
            each = (now - self._began) / (done - self._first)
            left = (
                f"about {duration(each * (total - done))} left"
                if done < total
                else f"took {duration(now - self._began)}"
            )
            parts += [pace(each, self._unit), left]
        self._write(", ".join(parts))


@contextmanager
def shown(unit: str, *, stream: TextIO | None = None, clock: Clock = time.monotonic) -> Iterator[Advance]:
    """Yields a function that shows a run's steps on stderr: a bar for each phase on a terminal, else lines.

    Args:
        unit: the unit that is counted, in the singular.
        stream: the stream to write to instead of stderr.
        clock: the time in seconds, for the lines.
    """
    console = Console(file=stream or sys.stderr)
    if not console.is_terminal:
        # Printed without the console, which would break lines at 80 columns.
        yield ProgressLines(unit, lambda line: print(line, file=console.file, flush=True), clock)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as bar:
        tasks: dict[str, TaskID] = {}

        def advance(phase: str, done: int, total: int, note: str = "") -> None:
            if phase not in tasks:
                tasks[phase] = bar.add_task(phase)
            bar.update(tasks[phase], completed=done, total=total, description=f"{phase} {note}".rstrip())

        yield advance
