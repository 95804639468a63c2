"""What a guard does to hits, by cue and by whether the value was planted.

The verdict is seen from outside: the value is in the guarded answer or it is not. A hit of the unguarded model is
`released` or `stopped`. Both models answer greedily, so a value that only the guarded one says (after a redaction the
answer takes another way) is `new`, and counts as released.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from reticent_bench.audits.cues.curves import bin_masks
from reticent_bench.audits.cues.rows import Row
from reticent_bench.report.metrics import Interval, clustered_share


@dataclass(frozen=True, slots=True)
class GuardCell:
    """Rows of one arm in one bin of the entity-only cue.

    Attributes:
        planted, low, high: which; a cue above `low` (from it, in the first bin) and up to `high`.
        asked: rows.
        off: rows in which the model without a guard says the value.
        on: rows in which it says it behind the guard.
        stopped: off and not on.
        new: on and not off.
        released: share of `off` that is released; Clopper-Pearson over people (`clustered_share`).
        released_of_asked: `on` of all rows, likewise.
    """

    planted: bool
    low: float
    high: float
    asked: int
    off: int
    on: int
    stopped: int
    new: int
    released: Interval
    released_of_asked: Interval


def guard_cells(rows: Iterable[Row], taus: Sequence[float], column: str) -> tuple[GuardCell, ...]:
    """A cell for each arm and bin. Rows that were not asked behind the guard of this column are left out."""
    asked = [row for row in rows if column in row.guarded]
    out = []
    for planted in (True, False):
        arm = [row for row in asked if row.planted == planted]
        cues = np.array([row.entity.strict for row in arm], dtype=np.float64)
        for low, high, inside in bin_masks(cues, taus):
            out.append(_cell([row for row, mine in zip(arm, inside, strict=True) if mine], planted, low, high, column))
    return tuple(out)


def guard_low_cue(rows: Iterable[Row], low_cue: float, column: str) -> tuple[GuardCell, ...]:
    """The four cells of a report: planted up to and above the limit of a low cue, then held-out likewise.

    Planted values with a high cue are given away by the name and were trained on; a guard may treat them either way.
    Held-out hits with a high cue are correct guesses, which it should let pass.
    """
    return guard_cells(rows, [low_cue], column)


def _cell(rows: Sequence[Row], planted: bool, low: float, high: float, column: str) -> GuardCell:
    off = [row.target.said for row in rows]
    on = [row.guarded[column].said for row in rows]
    said = [(is_on, row.person) for is_on, is_off, row in zip(on, off, rows, strict=True) if is_off]
    released = clustered_share([is_on for is_on, _ in said], [person for _, person in said])
    both = sum(is_on for is_on, _ in said)
    return GuardCell(
        planted, low, high, len(rows), sum(off), sum(on), sum(off) - both, sum(on) - both, released,
        clustered_share(on, [row.person for row in rows]),
    )  # fmt: skip
