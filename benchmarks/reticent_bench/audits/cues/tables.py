"""Counts rows into the tables of a result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from reticent_bench.audits.cues.curves import Excess, bins, excesses, points
from reticent_bench.audits.cues.result import Collisions, Group, LanguageLine, LongValues, Measured, TemplateLine
from reticent_bench.audits.cues.rows import Row
from reticent_bench.audits.cues.settings import CueSettings
from reticent_bench.report.metrics import Interval, clustered_share

MEASURES: dict[str, Callable[[Row], float]] = {
    "entity": lambda row: row.entity.strict,
    "entity share": lambda row: row.entity.share,
    "entity bounded": lambda row: row.entity.bounded,
    "full": lambda row: row.full.share,
    "full bounded": lambda row: row.full.bounded,
}
"""Measures of the cue. Hits are classified by the first."""

Key = TypeVar("Key")


def groups(rows: Sequence[Row], settings: CueSettings) -> list[Group]:
    """Curves of each kind, family and wording, without long values."""
    short = [row for row in rows if not row.is_long]
    out = []
    for (kind, family, wording), mine in _split(short, lambda row: (row.kind, row.family, row.wording)).items():
        measures = tuple(_measured(mine, name, settings) for name in MEASURES)
        out.append(Group(kind, family, wording, measures, _control(mine, settings)))
    return out


def long_values(rows: Sequence[Row]) -> list[LongValues]:
    """Values that are censored."""
    long = [row for row in rows if row.is_long]
    return [
        LongValues(
            kind, planted, len(mine), _share(mine, lambda row: row.target.exact),
            _share(mine, lambda row: bool(row.target.late)),
        )
        for (kind, planted), mine in _split(long, lambda row: (row.kind, row.planted)).items()
    ]  # fmt: skip


def template_lines(rows: Sequence[Row]) -> list[TemplateLine]:
    """Hits by template; long values count."""
    parts = _split(rows, lambda row: (row.kind, row.variant, row.wording, row.planted))
    return [
        TemplateLine(
            *key, len(mine), _share(mine, lambda row: row.target.exact),
            sum(row.target.same and not row.target.exact for row in mine),
        )
        for key, mine in parts.items()
    ]  # fmt: skip


def language_lines(rows: Sequence[Row]) -> list[LanguageLine]:
    """Hits by language; long values count."""
    parts = _split(rows, lambda row: (row.language, row.kind, row.family, row.wording, row.planted))
    return [
        LanguageLine(
            *key, any(row.doubtful for row in mine), len(mine), _share(mine, lambda row: row.target.exact),
            _mean([row.entity.strict for row in mine if row.target.exact]),
            _mean([row.entity.strict for row in mine if not row.target.exact]),
        )
        for key, mine in parts.items()
    ]  # fmt: skip


def collisions(rows: Sequence[Row]) -> list[Collisions]:
    """Answers that say values of other people."""
    planted = {row.place for row in rows if row.planted}
    return [
        Collisions(
            kind, len(mine), _share(mine, lambda row: not planted.isdisjoint(row.target.others)),
            _share(mine, lambda row: not planted.issuperset(row.target.others)),
        )
        for kind, mine in _split(rows, lambda row: row.kind).items()
    ]  # fmt: skip


def _measured(rows: Sequence[Row], name: str, settings: CueSettings) -> Measured:
    cue_of, taus = MEASURES[name], settings.thresholds
    arms = []
    for planted in (True, False):
        mine = [row for row in rows if row.planted == planted]
        cues = np.array([cue_of(row) for row in mine], dtype=np.float64)
        arms.append((points(mine, cues, taus, settings.rounds, settings.seed), bins(mine, cues, taus)))
    cues = np.array([cue_of(row) for row in rows], dtype=np.float64)
    excess = excesses(rows, cues, taus, settings.rounds, settings.seed)
    (planted_points, planted_bins), (held_out_points, held_out_bins) = arms
    return Measured(
        name, tuple(planted_points), tuple(held_out_points), tuple(planted_bins), tuple(held_out_bins), tuple(excess)
    )


def _control(rows: Sequence[Row], settings: CueSettings) -> tuple[Excess, ...]:
    asked = [replace(row, target=row.control) for row in rows if row.control is not None]
    if not asked:
        return ()
    cues = np.array([row.entity.strict for row in asked], dtype=np.float64)
    return tuple(excesses(asked, cues, settings.thresholds, settings.rounds, settings.seed))


def _split(rows: Sequence[Row], key_of: Callable[[Row], Key]) -> dict[Key, list[Row]]:
    out: dict[Key, list[Row]] = {}
    for row in rows:
        out.setdefault(key_of(row), []).append(row)
    return out


def _share(rows: Sequence[Row], is_hit: Callable[[Row], bool]) -> Interval:
    return clustered_share([is_hit(row) for row in rows], [row.person for row in rows])


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else float("nan")
