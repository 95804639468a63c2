"""Describes the estimate that `--plan` prints: time, memory and disk of a long command, and how each was computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from reticent_detectors.long_runs.progress import duration, pace

NOTHING_STARTED = "Nothing was started or written. The same command without --plan starts it; interrupted, it goes on."


def gigabytes(size: float) -> str:
    """Formats a number of bytes: `2.1 GB`, `0.02 GB`."""
    billions = size / 1e9
    return f"{billions:.1f} GB" if billions >= 0.95 else f"{billions:.2f} GB"


@dataclass(frozen=True)
class Estimate:
    """Time, memory and disk of a run that was not started.

    Args:
        command: name of the command, such as `tune`.
        unit: the unit that is counted, in the singular.
        done, total: units that an interrupted run has done, and all units.
        seconds: estimated seconds for the remaining units.
        measured: what was timed, such as `4 steps on cpu`.
        memory: bytes of each known part.
        peak: most bytes that the process held during the measurement, if known.
        disk: bytes of each output.
        most: whether the total is an upper bound.
        note: a remark on the time.
    """

    command: str
    unit: str
    done: int
    total: int
    seconds: float
    measured: str
    memory: Mapping[str, float]
    peak: float | None
    disk: Mapping[str, float]
    most: bool = False
    note: str = ""

    @property
    def memory_bytes(self) -> float:
        """Bytes that are held at once: the peak of the measurement, or the known parts if they are more."""
        return max(self.peak or 0.0, sum(self.memory.values()))

    @property
    def disk_bytes(self) -> float:
        """Bytes of all outputs."""
        return sum(self.disk.values())

    def text(self, free_memory: float | None, free_disk: float) -> str:
        """Returns four lines: time, memory, disk, and what to do next. Memory and disk show the free bytes."""
        return "\n".join([*self.lines(free_memory, free_disk), NOTHING_STARTED])

    def lines(self, free_memory: float | None, free_disk: float) -> list[str]:
        """Returns the first three lines of `text`."""
        left = self.total - self.done
        counted = f"{'at most ' if self.most else ''}{self.total:,} {self.unit}s"
        counted += f", of which {self.done:,} are done" if self.done else ""
        rate = pace(self.seconds / left, self.unit) if left else "nothing is left"
        time = f"{self.command}: {counted}, {rate} (measured: {self.measured}): about {duration(self.seconds)}"
        return [
            time + (f". {self.note}" if self.note else ""),
            f"memory: {self._memory(free_memory)}",
            f"disk: about {gigabytes(self.disk_bytes)} ({_parts(self.disk)}); {gigabytes(free_disk)} free",
        ]

    def _memory(self, free: float | None) -> str:
        total = self.memory_bytes
        rest = total - sum(self.memory.values())
        parts = _parts(self.memory)
        if self.peak is not None:
            parts += f"; {gigabytes(rest)} for activations and libraries, by the peak of the measurement"
        return f"about {gigabytes(total)} ({parts})" + ("" if free is None else f"; {gigabytes(free)} free")


def _parts(sizes: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {gigabytes(size)}" for name, size in sizes.items())
