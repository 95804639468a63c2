"""What a long command will take, as `--plan` says it: time, memory and disk, and how each was reckoned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from reticent_detectors.long_runs.progress import duration, pace


def gigabytes(size: float) -> str:
    """Bytes in words: `2.1 GB`, `0.02 GB`."""
    billions = size / 1e9
    return f"{billions:.1f} GB" if billions >= 0.95 else f"{billions:.2f} GB"


@dataclass(frozen=True)
class Estimate:
    """Time, memory and disk of a run that was not started.

    Args:
        command: its name, such as `tune`.
        unit: what is counted, in the singular.
        done, total: units that an interrupted run left behind, and all.
        seconds: that the rest will take.
        measured: what was timed, such as `4 steps on cpu`.
        memory: bytes of each part that is known; `peak` is the most that the process took during the measurement, if known.
        disk: bytes of each thing that will be written.
        most: says that the total may turn out to be smaller.
        note: what else there is to say of the time.
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

    def text(self, free_memory: float | None, free_disk: float) -> str:
        """Four lines: time, memory, disk, and what to do next; with the bytes that are free."""
        left = self.total - self.done
        counted = f"{'at most ' if self.most else ''}{self.total:,} {self.unit}s"
        counted += f", of which {self.done:,} are done" if self.done else ""
        rate = pace(self.seconds / left, self.unit) if left else "nothing is left"
        time = f"{self.command}: {counted}, {rate} (measured: {self.measured}): about {duration(self.seconds)}"
        return "\n".join(
            [
                time + (f". {self.note}" if self.note else ""),
                f"memory: {self._memory(free_memory)}",
                f"disk: about {gigabytes(sum(self.disk.values()))} ({_parts(self.disk)}); {gigabytes(free_disk)} free",
                "Nothing was started or written. The same command without --plan starts it; interrupted, it goes on.",
            ]
        )

    def _memory(self, free: float | None) -> str:
        known = sum(self.memory.values())
        total = max(self.peak or 0.0, known)
        rest = total - known
        parts = _parts(self.memory)
        if self.peak is not None:
            parts += f"; {gigabytes(rest)} for activations and libraries, by the peak of the measurement"
        return f"about {gigabytes(total)} ({parts})" + ("" if free is None else f"; {gigabytes(free)} free")


def _parts(sizes: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {gigabytes(size)}" for name, size in sizes.items())
